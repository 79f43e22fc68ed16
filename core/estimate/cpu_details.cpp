// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/details.hpp"

#include <algorithm>

#include "core/estimate/memory.hpp"
#include "core/scenario/hardware.hpp"
#include "core/yan/model.hpp"

namespace scalescope {
namespace {

/// Of the machine with most of it: the weights in use, their deltas, and activations with their errors.
MemoryEstimate cpu_memory_parts(const CpuMethod& method, const yan::Evaluation& e) {
    const yan::PreparedNetwork& prepared = method.prepared;
    const auto& list = prepared.list.layers;
    std::vector<MemoryEstimate> machines(static_cast<std::size_t>(e.placement ? e.configuration.partitions : 1));
    for (std::size_t l = 0; l < list.size(); ++l) {
        const yan::SegmentMemory held =
            yan::segment_memory(prepared, list[l], e.layers[l].split, e.configuration.threads);
        const auto put = [&](MemoryEstimate& m) {
            m.weights += held.weights;
            m.gradients += held.deltas;
            m.activations += held.activations;
            m.peak = m.weights + m.gradients + m.activations;
        };
        if (!e.placement) put(machines.front());
        if (e.placement)
            for (const std::int32_t machine : e.placement->of(l)) put(machines[static_cast<std::size_t>(machine)]);
    }
    return *std::max_element(machines.begin(), machines.end(),
                             [](const MemoryEstimate& a, const MemoryEstimate& b) { return a.peak < b.peak; });
}

void put_layers(const Plan& plan, Estimate& estimate) {
    const yan::Evaluation& e = *estimate.cpu;
    const yan::PreparedNetwork& prepared = plan.cpu->prepared;
    const auto factor =
        static_cast<double>(e.configuration.exchange_every) / static_cast<double>(e.configuration.threads);
    estimate.layers.resize(static_cast<std::size_t>(plan.parts.front().work.layers));
    for (std::size_t l = 0; l < estimate.layers.size(); ++l) estimate.layers[l].position = static_cast<int>(l);
    Seconds exchanged, hidden, updated;
    for (std::size_t l = 0; l < e.layers.size(); ++l) {
        const yan::LayerTimes& t = e.layers[l];
        const yan::LayerWork& w = prepared.list.layers[l];
        LayerEstimate& row = estimate.layers[static_cast<std::size_t>(w.position)];
        row.samples = static_cast<double>(e.configuration.exchange_every);
        row.repeat = 1.0 / static_cast<double>(e.configuration.threads);
        const double share = yan::largest_share(w, t.split, prepared.options);
        row.shares = {share, share, share, share};
        row.forward = factor * t.compute.forward;
        row.grad_input = factor * t.compute.backward;
        row.update = factor * t.compute.update;
        row.communication = factor * t.exposed();
        row.hidden = factor * t.hidden();
        row.kept = yan::segment_memory(prepared, w, t.split, e.configuration.threads).activations;
        exchanged += row.communication;
        hidden += row.hidden;
        updated += row.update;
    }
    // What travels to the servers, and is updated there, are weights: each layer has its share of them.
    const auto rest = [&](Seconds all, Seconds known) {
        return all - known > 1e-13 * estimate.summary.step ? all - known : Seconds{};  // less is rounding
    };
    const Seconds sent = rest(estimate.summary.communication, exchanged),
                  sent_hidden = rest(estimate.summary.hidden, hidden), served = rest(estimate.summary.update, updated);
    for (const yan::LayerWork& w : prepared.list.layers) {
        const double share = prepared.weights.value > 0 ? w.own_weights / prepared.weights.value
                                                        : 1.0 / static_cast<double>(e.layers.size());
        LayerEstimate& row = estimate.layers[static_cast<std::size_t>(w.position)];
        row.communication += share * sent;
        row.hidden += share * sent_hidden;
        row.update += share * served;
    }
}

}  // namespace

Result<void> add_cpu_details(const Plan& plan, Scratch& scratch, Estimate& estimate) {
    yan::Configuration c = cpu_configuration(plan, estimate.point);
    const CpuSums& sums = cpu_sums(plan, c, scratch.cpu);
    c.splits = sums.splits;
    estimate.cpu_proven = sums.proven;
    auto evaluation = yan::evaluate(plan.cpu->prepared, c);
    if (!evaluation) return fail(infeasible_reason(plan, estimate.point, Infeasible::too_large_to_count));
    estimate.cpu = std::make_shared<const yan::Evaluation>(std::move(*evaluation));
    put_layers(plan, estimate);
    estimate.memory = cpu_memory_parts(*plan.cpu, *estimate.cpu);
    estimate.memory.peak = cpu_memory(plan, estimate.point, scratch.cpu);
    return {};
}

void add_cpu_notes(const Scenario& scenario, const Plan& plan, Estimate& e) {
    const auto note = [&](std::string what, const char* where, std::string remedy) {
        e.notes.push_back({Severity::warning, std::move(what), where, std::move(remedy), {}});
    };
    const yan::Configuration& c = e.cpu->configuration;
    if (!fits_device(scenario, e.memory)) {
        yan::Configuration asked = c;
        asked.servers_beside = plan.cpu->base.servers_beside;
        for (const Problem& p : yan::memory_notes(plan.cpu->prepared, asked, trains_alone(c)))
            note(p.what, p.where == "servers" ? "parallelism.servers" : "cluster.machine", p.remedy);
    }
    for (const Problem& p : e.cpu->notes) note(p.what, "cluster.machine", p.remedy);
    const std::int64_t left = e.point.workers % e.point.partitions;
    if (left > 0)
        note(std::to_string(left) + " of " + worker_words(scenario).count(e.point.workers) +
                 " have nothing to do: replicas have " + std::to_string(e.point.partitions) + " machines.",
             "cluster.workers", "use a multiple of the machines of a replica");
    else if (e.summary.batch.active < e.point.workers)
        note("Only " + std::to_string(c.replicas) + " replicas have a sample to work on.", "cluster.workers",
             "use fewer machines or a larger batch");
    if (!e.cpu_proven)
        note("The segments of the layers are good ones, but not proven to be the best.", "cpu.splits",
             "this network has too many branches to try all; choose the most segments to compare");
    const auto unheard = unheard_by_cpu_clusters(scenario);
    std::string list;
    for (std::size_t i = 0; i < unheard.size(); ++i)
        list += (i == 0 ? "" : i + 1 == unheard.size() ? " and " : ", ") + unheard[i];
    if (!list.empty())
        note("The model of CPU clusters does not know " + list + ": its numbers are without.", "model.method",
             "choose the pipeline model to have them counted");
}

}  // namespace scalescope
