// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/cpu_view.hpp"

#include <algorithm>
#include <cmath>

#include "core/scenario/hardware.hpp"
#include "core/yan/model.hpp"

namespace scalescope {
namespace {

/// A cell has room for its letter up to about here; larger replicas than that were never built.
constexpr std::int64_t most_partitions = 32;

std::vector<std::int64_t> doubling_with(std::int64_t last, std::int64_t own) {
    std::vector<std::int64_t> values;
    for (std::int64_t n = 1; n <= last; n *= 2) values.push_back(n);
    if (own >= 1 && std::find(values.begin(), values.end(), own) == values.end()) values.push_back(own);
    std::sort(values.begin(), values.end());
    return values;
}

Seconds added(Seconds whole, Seconds compute) { return std::max(Seconds{}, whole - compute); }

std::optional<CpuCell> cell_of(const Scenario& s, const Plan& plan, const Summary& one, Point point, Scratch& scratch) {
    CpuCell cell;
    cell.partitions = point.partitions;
    cell.workers = point.workers;
    cell.replicas = point.workers / point.partitions;
    cell.summary = score(plan, point, scratch);
    if (!cell.summary.feasible()) return std::nullopt;
    const yan::Configuration c = cpu_configuration(plan, point);
    const CpuSums& sums = cpu_sums(plan, c, scratch.cpu);
    if (!trains_alone(c))
        cell.binding = yan::score_of(plan.cpu->prepared, c, sums.sample, sums.memory, sums.up).epoch.binding;
    const double steps =
        std::ceil(static_cast<double>(s.training.data_set) / static_cast<double>(cell.summary.batch.effective));
    cell.epoch = cell.summary.step * steps;
    cell.speedup = speedup(one, cell.summary);
    cell.memory = cpu_memory(plan, point, scratch.cpu);
    cell.fits = cell.memory <= plan.cpu->prepared.machine.memory;
    return cell;
}

}  // namespace

std::vector<CpuLayerTime> cpu_layer_times(const Plan& plan, const Estimate& estimate) {
    std::vector<CpuLayerTime> rows;
    if (!estimate.cpu || !plan.cpu) return rows;
    const auto& list = plan.cpu->prepared.list.layers;
    for (std::size_t l = 0; l < estimate.cpu->layers.size(); ++l) {
        const yan::LayerTimes& t = estimate.cpu->layers[l];
        CpuLayerTime row;
        row.position = list[l].position;
        row.split = t.split;
        row.forward = t.compute.forward;
        row.forward_exchange = added(t.time.forward, t.compute.forward);
        row.backward = t.compute.backward;
        row.backward_exchange = added(t.time.backward, t.compute.backward);
        row.update = t.compute.update;
        row.update_exchange = added(t.time.update, t.compute.update);
        row.hidden = t.hidden();
        rows.push_back(row);
    }
    return rows;
}

CpuComparison compare_updates(const Estimate& estimate) {
    CpuComparison both;
    if (!estimate.cpu) return both;
    const yan::Evaluation& e = *estimate.cpu;
    const double steps = estimate.epoch / estimate.summary.step;
    const auto of = [&](const yan::EpochTimes& t) {
        CpuUpdates u{t.terms, t.binding, t.time, steps * t.time};
        if (!trains_alone(e.configuration)) return u;
        u = {{}, yan::Resource::compute, t.term(yan::Resource::compute), {}};
        u.terms[0] = u.step;
        u.epoch = steps * u.step;
        return u;
    };
    both.asynchronous = of(e.asynchronous);
    both.synchronous = of(e.synchronous);
    if (trains_alone(e.configuration)) return both;
    both.queued_step = e.queue_epoch;
    both.staleness = e.staleness;
    return both;
}

Result<CpuGrid> cpu_grid(const Scenario& s, const Plan& plan, std::int64_t most_machines, const CancelToken& cancel) {
    if (!plan.cpu)
        return fail(make_error("Machines of a replica are a matter of CPU clusters.",
                               "Choose the method \"CPU cluster\".", {}, "model.method"));
    Scratch scratch = make_scratch(plan);
    Point point = plan.point;
    const std::int64_t own_partitions = point.partitions, own_replicas = point.workers / point.partitions;
    point.workers = point.partitions = 1;
    const Summary one = score(plan, point, scratch);
    if (!one.feasible()) return fail(infeasible_reason(plan, point, one.infeasible));
    CpuGrid grid;
    grid.most_machines = std::max(most_machines, own_partitions * own_replicas);
    grid.replicas = doubling_with(grid.most_machines, own_replicas);
    grid.partitions = doubling_with(std::min(most_partitions, grid.most_machines), own_partitions);
    for (const std::int64_t p : grid.partitions)
        for (const std::int64_t r : grid.replicas) {
            std::optional<CpuCell> cell;
            if (!cancel.cancelled() && r <= grid.most_machines / p) {
                point.partitions = p;
                point.workers = r * p;
                cell = cell_of(s, plan, one, point, scratch);
            }
            if (p == own_partitions && r == own_replicas) grid.present = grid.cells.size();
            grid.cells.push_back(std::move(cell));
        }
    return grid;
}

Scenario with_cell(Scenario scenario, const CpuCell& cell) {
    scenario.cluster.workers = cell.workers;
    scenario.cpu.partitions = cell.partitions;
    return scenario;
}

}  // namespace scalescope
