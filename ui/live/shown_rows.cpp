// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/shown_rows.hpp"

#include <QCoreApplication>

#include "core/compare/same_item.hpp"
#include "ui/language/told.hpp"
#include "ui/live/layer_keys.hpp"

namespace scalescope::ui {

QString row_title(const drawing::OutlineRow& row) {
    return row.is_word ? told_word(row.title) : QString::fromStdString(row.title);
}

namespace {

QString title_of(const drawing::OutlineRow& row) {
    const QString title = row_title(row);
    return row.repeat > 1 ? QString::fromUtf8("%1 × %2").arg(title).arg(row.repeat) : title;
}

/// "Block × 80 · 20 on each stage".
QString block_of(const drawing::OutlineRow& row, const RowTime& time) {
    const QString title = title_of(row);
    if (row.repeat < 2 || time.devices < 2 || row.repeat % time.devices != 0) return title;
    return QCoreApplication::translate("scalescope::ui::ShownRow", "%1 · %2 on each stage")
        .arg(title)
        .arg(row.repeat / time.devices);
}

}  // namespace

std::vector<ShownRow> shown_rows(const LiveResult& r, const std::set<std::string>& toggled) {
    std::vector<ShownRow> shown;
    const auto& workload = r.request.scenario.workload;
    for (std::size_t part = 0; part < workload.size(); ++part) {
        const Network* network = workload[part].network.get();
        if (!network) continue;
        const drawing::Outline& outline = drawing::outline_of(*network);
        std::optional<RowTimes> times;
        if (r.estimate) times.emplace(*r.estimate, static_cast<int>(part), network->size());
        QString block;
        for (const int i : outline.visible(toggled)) {
            const drawing::OutlineRow& row = outline.rows[static_cast<std::size_t>(i)];
            ShownRow made;
            made.part = static_cast<int>(part);
            made.row = &row;
            made.title = title_of(row);
            made.open = outline.is_open(i, toggled);
            if (times) made.time = times->of(row.layers);
            if (row.depth == 0) block = made.open ? block_of(row, made.time) : QString();
            made.block = row.depth > 0 ? block : QString();
            made.key = layer_key(made.part, made.time.longest >= 0 ? made.time.longest : row.layers.front());
            shown.push_back(std::move(made));
        }
    }
    return shown;
}

std::vector<RowTimes> times_of_pin(const LiveResult& r, std::size_t pin) {
    const PinAnswer& answer = r.pins[pin];
    std::vector<RowTimes> parts;
    if (!r.estimate || !*answer.estimate) return parts;
    const Estimate& other = **answer.estimate;
    const auto found = compare::counterparts(r.request.scenario, *r.estimate, *answer.pin.scenario, other);
    for (const WorkloadPart& part : r.request.scenario.workload) {
        std::vector<const LayerEstimate*> layers(static_cast<std::size_t>(part.network->size()));
        for (std::size_t i = 0; i < found.size(); ++i)
            if (const LayerEstimate& e = r.estimate->layers[i]; static_cast<std::size_t>(e.part) == parts.size())
                layers[static_cast<std::size_t>(e.position)] = found[i];
        parts.emplace_back(std::move(layers), other);
    }
    return parts;
}

}  // namespace scalescope::ui
