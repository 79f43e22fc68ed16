// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/view_state.hpp"

#include <QJsonArray>
#include <QJsonDocument>
#include <cmath>

#include "core/formats/network_json.hpp"
#include "core/network/editing/relate.hpp"
#include "ui/language/told.hpp"

namespace scalescope::ui {
namespace {

const QString charts_key = QStringLiteral("charts"), x_key = QStringLiteral("x"), y_key = QStringLiteral("y"),
              hidden_key = QStringLiteral("hidden");
const QString strategies = QStringLiteral("strategies"), collectives = QStringLiteral("collectives"),
              schemes = QStringLiteral("schemes");
const QString draft_key = QStringLiteral("draft"), draft_of_key = QStringLiteral("draft_of"),
              renamed_key = QStringLiteral("draft_renamed");

/// A file names what a layer reads: an input that is still open has no name, and is left out.
NetworkDraft connected_part(NetworkDraft draft) {
    for (Layer& l : draft.layers) std::erase(l.inputs, LayerId{});
    return draft;
}

QJsonArray to_json(const Range& range) { return {range.lower, range.upper}; }

std::optional<Range> range_of(const QJsonValue& value) {
    const QJsonArray ends = value.toArray();
    if (ends.size() != 2 || !ends[0].isDouble() || !ends[1].isDouble()) return std::nullopt;
    const Range range{ends[0].toDouble(), ends[1].toDouble()};
    if (!std::isfinite(range.lower) || !std::isfinite(range.upper) || !(range.lower < range.upper)) return std::nullopt;
    return range;
}

}  // namespace

void keep_charts(QJsonObject& view, const NamedCharts& charts) {
    QJsonObject all;
    for (const auto& entry : charts) {
        const ChartView shown = entry.second->view();
        QJsonObject one;
        if (shown.x) one[x_key] = to_json(*shown.x);
        if (shown.y) one[y_key] = to_json(*shown.y);
        if (!shown.hidden_series.isEmpty()) one[hidden_key] = QJsonArray::fromStringList(shown.hidden_series);
        if (!one.isEmpty()) all[entry.first] = one;
    }
    view.remove(charts_key);
    if (!all.isEmpty()) view[charts_key] = all;
}

void show_charts(const QJsonObject& view, const NamedCharts& charts) {
    const QJsonObject all = view[charts_key].toObject();
    for (const auto& entry : charts) {
        const QJsonObject one = all[entry.first].toObject();
        ChartView wanted{range_of(one[x_key]), range_of(one[y_key]), {}};
        const QStringList known = entry.second->series();
        for (const QJsonValue& name : one[hidden_key].toArray())
            if (known.contains(name.toString())) wanted.hidden_series << name.toString();
        entry.second->set_view(wanted);
    }
}

void keep_draft(QJsonObject& canvas, const Document& document) {
    const NetworkDraft& draft = *document.draft();
    canvas[draft_key] = plain(formats::write_network(connected_part(draft)));
    const auto part = static_cast<std::size_t>(document.draft_part());
    if (!document.draft_is_related() || part >= document.scenario().workload.size()) return;
    QJsonObject names;
    for (const auto& [now, before] : editing::renamed_in(draft, *document.scenario().workload[part].network))
        names[plain(now)] = plain(before);
    canvas[draft_of_key] = document.draft_part();
    if (!names.isEmpty()) canvas[renamed_key] = names;
}

std::optional<Drawing> drawing_in(const QJsonObject& view, const Scenario& scenario) {
    const QJsonObject canvas = view[canvas_key].toObject();
    if (!canvas.contains(draft_key)) return {};
    auto draft = formats::read_network_draft(canvas[draft_key].toString().toStdString(), "the drawn network");
    if (!draft) return {};
    const int part = canvas[draft_of_key].toInt(-1);
    const auto& workload = scenario.workload;
    if (part < 0 || static_cast<std::size_t>(part) >= workload.size()) return Drawing{std::move(*draft), 0, false};
    std::map<std::string, std::string> renamed;
    const QJsonObject names = canvas[renamed_key].toObject();
    for (auto name = names.begin(); name != names.end(); ++name)
        renamed.emplace(name.key().toStdString(), name.value().toString().toStdString());
    return Drawing{editing::related_to(std::move(*draft), *workload[static_cast<std::size_t>(part)].network, renamed),
                   part, true};
}

std::string json_text(const QJsonObject& object) {
    return QJsonDocument(object).toJson(QJsonDocument::Compact).toStdString();
}

QJsonObject json_of(const std::string& text) {
    return QJsonDocument::fromJson(QByteArray::fromStdString(text)).object();
}

QString name_of(CurveSet set) {
    switch (set) {
        case CurveSet::ways: return strategies;
        case CurveSet::collectives: return collectives;
        case CurveSet::schemes: return schemes;
    }
    return {};
}

std::optional<CurveSet> curve_set_of(const QString& name) {
    for (const CurveSet set : {CurveSet::ways, CurveSet::collectives, CurveSet::schemes})
        if (name == name_of(set)) return set;
    return std::nullopt;
}

}  // namespace scalescope::ui
