// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/view_state.hpp"

#include <QJsonArray>
#include <cmath>

namespace scalescope::ui {
namespace {

const QString charts_key = QStringLiteral("charts"), x_key = QStringLiteral("x"), y_key = QStringLiteral("y"),
              hidden_key = QStringLiteral("hidden");
const QString strategies = QStringLiteral("strategies"), collectives = QStringLiteral("collectives"),
              schemes = QStringLiteral("schemes");

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
