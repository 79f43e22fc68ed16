// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspect/cpu_mapping.hpp"

#include <QCoreApplication>
#include <array>

#include "core/base/format.hpp"
#include "core/scenario/hardware.hpp"
#include "ui/language/told.hpp"
#include "ui/live/layer_texts.hpp"

namespace scalescope::ui {
namespace {

constexpr std::array resources{yan::Resource::compute, yan::Resource::worker_network, yan::Resource::server_network,
                               yan::Resource::server_cpu};

/// Compute and what the servers' processors do in the colours of computing, networks in others, told apart by letters.
QColor Theme::*colour_of(yan::Resource r) {
    switch (r) {
        case yan::Resource::compute: return &Theme::forward;
        case yan::Resource::worker_network: return &Theme::communication;
        case yan::Resource::server_network: return &Theme::unknown_border;
        case yan::Resource::server_cpu: return &Theme::update;
    }
    return &Theme::text;
}

QString letter_of(yan::Resource r) {
    switch (r) {
        case yan::Resource::compute: return QCoreApplication::translate("letters", "C");
        case yan::Resource::worker_network: return QStringLiteral("W");
        case yan::Resource::server_network: return QStringLiteral("S");
        case yan::Resource::server_cpu: return QStringLiteral("P");
    }
    return {};
}

QString title_of(yan::Resource r) {
    switch (r) {
        case yan::Resource::compute: return tr("compute");
        case yan::Resource::worker_network: return tr("worker network");
        case yan::Resource::server_network: return tr("server network");
        case yan::Resource::server_cpu: return tr("server processors");
    }
    return {};
}

QString not_a_cluster() { return tr("Choose the method “CPU cluster” to see how its machines share the work."); }
QString why_not(const LiveResult& r) {
    if (!is_cpu_cluster(r.request.scenario)) return not_a_cluster();
    return r.estimate ? QString() : told(r.estimate.error().front().what);
}

}  // namespace

LayerTimeData cpu_layers_data(const LiveResult& r) {
    LayerTimeData data;
    data.title = tr("A sample by layer");
    data.unit_of = tr("for one sample on one thread");
    data.whole = tr("the sample");
    data.empty_reason = why_not(r);
    data.parts = {r.request.scenario.cpu.overlap.value > 0, false, true};
    if (!data.empty_reason.isEmpty()) return data;
    const auto& network = r.request.scenario.workload.front().network;
    const auto texts = layer_texts(network);
    for (const CpuLayerTime& t : cpu_layer_times(*r.plan, *r.estimate)) {
        const LayerText& known = (*texts)[static_cast<std::size_t>(t.position)];
        LayerTime row;
        row.id = t.position;
        row.name = known.name;
        row.detail =
            known.detail + QStringLiteral(" · ") +
            (t.split == 1 ? tr("whole on one machine") : tr("in %1 segments").arg(told(format_count(t.split))));
        row.time.forward = t.forward, row.time.forward_exchange = t.forward_exchange;
        row.time.backward = t.backward, row.time.backward_exchange = t.backward_exchange;
        row.time.update = t.update, row.time.update_exchange = t.update_exchange;
        row.time.hidden = t.hidden;
        data.layers.push_back(std::move(row));
    }
    data.step = r.estimate->cpu->score.sample.total();
    return data;
}

HeatData cpu_grid_data(const Result<CpuGrid>& grid) {
    HeatData data;
    data.x_name = tr("Replicas");
    data.y_name = tr("Machines of a replica");
    data.value_name = tr("Epoch");
    data.unit = QStringLiteral("s");
    data.x_key = QStringLiteral("replicas");
    data.y_key = QStringLiteral("machines_of_a_replica");
    data.value_key = QStringLiteral("epoch_s");
    data.kind_key = QStringLiteral("set_by");
    data.kind_name = tr("Set by");
    data.kind_text = tr("by what sets the time");
    data.facts = {{QStringLiteral("machines"), tr("Machines that train"), {}},
                  {QStringLiteral("speedup"), tr("Speedup"), QStringLiteral("×")},
                  {QStringLiteral("memory_gb"), tr("Memory, machine"), QStringLiteral("GB")}};
    for (const yan::Resource r : resources)
        data.kinds.push_back({told(yan::name_of(r)), title_of(r), letter_of(r), colour_of(r)});
    data.doubt = tr("too little memory");
    data.none = tr("more machines than asked about");
    if (!grid) {
        data.empty_reason = grid.error().empty() ? not_a_cluster() : told(grid.error().front().what);
        return data;
    }
    data.none = tr("over %1 machines").arg(told(format_count(grid->most_machines)));
    for (const std::int64_t n : grid->replicas) data.columns << told(format_count(n));
    for (const std::int64_t n : grid->partitions) data.rows << told(format_count(n));
    for (std::size_t i = 0; i < grid->cells.size(); ++i) {
        HeatCell cell;
        if (const auto& c = grid->cells[i]) {
            cell.value = c->epoch.value;
            cell.text = told(format_time(c->epoch));
            cell.brief = cell.text;
            cell.id = static_cast<int>(i);
            cell.kind = static_cast<int>(c->binding);
            cell.doubtful = !c->fits;
            cell.label = c->fits ? tr("set by %1").arg(title_of(c->binding))
                                 : tr("set by %1 · does not fit in memory").arg(title_of(c->binding));
            cell.facts = {{told(format_count(c->workers)), static_cast<double>(c->workers)},
                          {told(format_ratio(c->speedup)), c->speedup},
                          {told(format_bytes(c->memory)), c->memory.value / 1e9}};
        } else {
            cell.label = data.none;
        }
        data.cells.push_back(std::move(cell));
    }
    return data;
}

ResourceData cpu_updates_data(const LiveResult& r) {
    ResourceData data;
    data.empty_reason = why_not(r);
    if (!data.empty_reason.isEmpty()) return data;
    const CpuComparison both = compare_updates(*r.estimate);
    const auto add = [&](const QString& name, Seconds from, Seconds length, QColor Theme::*colour, bool total,
                         const QString& detail) {
        data.bars.push_back({{}, name, from, length, colour, total, detail});
    };
    const auto term = [](const CpuUpdates& u, yan::Resource which) { return u.terms[static_cast<std::size_t>(which)]; };
    add(tr("Asynchronous"), {}, both.asynchronous.step, &Theme::text, true,
        tr("All run beside each other: a step lasts as long as the busiest."));
    for (const yan::Resource which : resources)
        add(title_of(which), {}, term(both.asynchronous, which), colour_of(which), false, tr("busy time in a step"));
    if (both.queued_step)
        add(tr("if replicas queue"), {}, *both.queued_step, &Theme::pin, false,
            tr("Replicas that meet at the servers wait for each other: a closed queueing network"));
    add(tr("Synchronous"), {}, both.synchronous.step, &Theme::text, true, tr("One after the other."));
    Seconds from;
    for (const yan::Resource which : resources) {
        add(title_of(which), from, term(both.synchronous, which), colour_of(which), false, tr("added to a step"));
        from += term(both.synchronous, which);
    }
    return data;
}

}  // namespace scalescope::ui
