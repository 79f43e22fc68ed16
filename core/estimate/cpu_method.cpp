// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/cpu_method.hpp"

#include <algorithm>

#include "core/estimate/plan.hpp"
#include "core/schedule/closed_network.hpp"
#include "core/yan/splits.hpp"

namespace scalescope {
namespace {

constexpr std::size_t most_sums = 64;  ///< a chart over machines of a replica asks for fewer

Problem cpu_problem(std::string what, std::string where, std::string remedy) {
    return make_error(std::move(what), std::move(remedy), {}, std::move(where));
}

/// Where a figure of the method stands in a scenario.
std::string place_of(const std::string& figure) {
    if (figure == "partitions") return "cpu.partitions";
    if (figure == "threads") return "cpu.threads";
    if (figure == "servers") return "parallelism.servers";
    if (figure == "buffers") return "cpu.buffers_gb";
    if (figure == "overlap") return "cpu.overlap";
    if (figure == "network") return "workload";
    return "cluster.machine";
}

Problems machine_problems(const CpuMachine& machine) {
    Problems problems = yan::check(machine);
    for (Problem& p : problems) {
        p.what = machine.name + ", " + p.where + ": " + p.what;
        p.where = "cluster.machine";
    }
    return problems;
}

yan::MethodOptions options_of(const CpuCluster& c) {
    yan::MethodOptions options;
    options.worked_example = c.worked_example;
    options.convolutions = c.convolutions;
    options.buffers = c.buffers;
    return options;
}

void sum_up(const CpuMethod& method, const yan::Configuration& c, yan::Scratchpad& pad, CpuSums& sums) {
    const yan::PlacementTable* placement = sums.placement.get();
    yan::Exchanges exchanges;
    sums.sample = yan::sample_times(method.prepared, c, pad, placement, &exchanges);
    sums.compute = exchanges.compute;
    sums.exposed = exchanges.exposed;
    sums.hidden = exchanges.hidden;
    sums.memory = yan::machine_memory(method.prepared, c, pad, placement);
    sums.up = yan::upload(method.prepared, c.exchange_every);
}

/// The busiest replica's share of a step, from T to K·T/H.
double factor_of(const yan::Configuration& c) {
    return static_cast<double>(c.exchange_every) / static_cast<double>(c.threads);
}

}  // namespace

Result<std::shared_ptr<const CpuMethod>> make_cpu_method(const Scenario& s) {
    if (s.model.method != Method::cpu_cluster) return std::shared_ptr<const CpuMethod>{};
    const CpuMachine& machine = s.cluster.machine;
    if (!s.cluster.has_machine())
        return fail(cpu_problem("The CPU cluster has no machine.", "cluster.machine",
                                "choose one of the list, or measure one: scalescope cpu machine"));
    if (s.workload.size() != 1 || s.workload.front().count != 1)
        return fail(cpu_problem("A CPU cluster trains one network once in a step.", "workload",
                                "choose a scenario with one network, or another model"));
    if (!(s.workload.front().passes == Passes{}))
        return fail(cpu_problem("A CPU cluster makes all passes of a training step.", "workload",
                                "switch on all passes, or choose another model"));
    if (Problems wrong = machine_problems(machine); !wrong.empty()) return fail(std::move(wrong));
    auto method = std::make_shared<CpuMethod>();
    method->prepared = yan::prepare(*s.network(), machine, options_of(s.cpu));
    method->splits = s.cpu.splits;
    method->queueing = s.cpu.queueing;
    yan::Configuration& c = method->base;
    c.partitions = s.cpu.partitions;
    c.placement = s.cpu.placement;
    c.servers = s.parallelism.servers;
    c.servers_beside = s.cpu.servers_beside;
    c.threads = s.cpu.threads > 0 ? s.cpu.threads : machine.cores;
    c.exchange_every = s.training.batch;
    c.exchange_beside_training = !s.cpu.wait_for_servers;
    c.overlap = s.cpu.overlap.value;
    c.local_update = s.cpu.local_update;
    c.step_deviation = s.model.spread.value;
    Problems wrong = yan::check(method->prepared, c);
    for (Problem& p : wrong) p.where = place_of(p.where);
    if (!wrong.empty()) return fail(std::move(wrong));
    return std::shared_ptr<const CpuMethod>(std::move(method));
}

yan::Configuration cpu_configuration(const Plan& plan, const Point& point) {
    yan::Configuration c = plan.cpu->base;
    c.partitions = point.partitions;
    c.servers = point.servers;
    c.synchronous = point.updates == Updates::synchronous;
    const Batch batch =
        batch_for(point.batch, plan.training.batch_rule, std::max<std::int64_t>(1, point.workers / point.partitions));
    c.replicas = batch.active;
    c.exchange_every = batch.per_replica;
    c.servers_beside = c.servers_beside && !trains_alone(c);
    c.samples = Samples{static_cast<double>(c.replicas) * static_cast<double>(c.exchange_every)};
    return c;
}

const CpuSums& cpu_sums(const Plan& plan, const yan::Configuration& c, CpuScratch& scratch) {
    if (scratch.of != plan.prices) {
        scratch.sums.clear();
        scratch.sums.reserve(most_sums);
        scratch.next = 0;
        scratch.of = plan.prices;
    }
    const CpuMethod& method = *plan.cpu;
    // The best segments leave room for what servers hold on the same machines.
    const std::int64_t beside = c.servers_beside && method.splits == SegmentSplits::best ? c.servers : 0;
    for (const CpuSums& known : scratch.sums)
        if (known.partitions == c.partitions && known.exchange_every == c.exchange_every &&
            known.servers_beside == beside)
            return known;
    CpuSums sums;
    sums.partitions = c.partitions;
    sums.exchange_every = c.exchange_every;
    sums.servers_beside = beside;
    yan::Configuration with_splits = c;
    with_splits.servers_beside = false;  // what servers hold depends on how many there are
    if (method.splits == SegmentSplits::best && c.partitions > 1) {
        auto best = yan::best_splits(method.prepared, c, yan::doubling(c.partitions));
        sums.proven = best.proven;
        sums.splits = best.splits;
        with_splits.splits = std::move(best.splits);
    }
    if (c.placement == SegmentPlacement::by_connections)
        sums.placement =
            std::make_shared<const yan::PlacementTable>(yan::placed(method.prepared, with_splits, scratch.pad));
    sum_up(method, with_splits, scratch.pad, sums);
    if (scratch.sums.size() < most_sums) {
        scratch.sums.push_back(std::move(sums));
        return scratch.sums.back();
    }
    CpuSums& place = scratch.sums[scratch.next];
    scratch.next = (scratch.next + 1) % most_sums;
    place = std::move(sums);
    return place;
}

void score_cpu(const Plan& plan, const Point& point, CpuScratch& scratch, Summary& s) {
    if (point.workers < point.partitions) {
        s.infeasible = Infeasible::no_replica;
        return;
    }
    if (takes_too_long(plan.cpu->splits, plan.cpu->base.placement, point.partitions)) {
        s.infeasible = Infeasible::too_large_to_count;
        return;
    }
    const yan::Configuration c = cpu_configuration(plan, point);
    s.batch.per_replica = c.exchange_every;
    s.batch.effective = plan.training.batch_rule == BatchRule::total ? point.batch : c.exchange_every * c.replicas;
    s.batch.active = c.replicas * c.partitions;
    const CpuSums& sums = cpu_sums(plan, c, scratch);
    const double factor = factor_of(c);
    const Seconds compute = factor * sums.sample.total();
    s.forward = factor * sums.compute.forward;
    s.backward = factor * sums.compute.backward;
    s.update = factor * sums.compute.update;
    s.communication = factor * sums.exposed;
    s.hidden = factor * sums.hidden;
    s.step = compute;
    if (trains_alone(c)) return;
    const yan::ServerLoad load = yan::server_load(plan.cpu->prepared, c, sums.up);
    // CPU time of servers is waited for; where they stand on the workers' machines these do that work themselves.
    Seconds& serving = c.servers_beside ? s.update : s.idle;
    if (c.synchronous) {
        const yan::EpochTimes t = yan::synchronous_epoch(c, sums.sample.total(), load);
        if (c.step_deviation > 0) s.idle += t.term(yan::Resource::compute) - compute;
        s.communication += t.term(yan::Resource::worker_network) + t.term(yan::Resource::server_network);
        serving += t.term(yan::Resource::server_cpu);
        s.step = t.time;
        return;
    }
    if (plan.cpu->queueing) {
        const yan::QueueTimes q = yan::queue_times(c, sums.sample.total(), load);
        const ClosedNetwork n = mean_value_analysis(c.replicas, q.think, q.service);
        s.communication += load.worker_network + load.server_network;
        s.idle += n.response - load.server_network;
        s.step = q.think + n.response;
        return;
    }
    const yan::EpochTimes t = yan::asynchronous_epoch(c, sums.sample.total(), load);
    s.step = t.time;
    const Seconds beyond = t.time - compute, rest = beyond > 1e-13 * t.time ? beyond : Seconds{};  // less is rounding
    const bool served =
        c.servers_beside && t.time == t.term(yan::Resource::compute) + t.term(yan::Resource::server_cpu);
    if (served) {
        s.update += rest;
    } else if (t.binding == yan::Resource::server_cpu) {
        s.idle += rest;
    } else {
        s.communication += rest;
    }
    s.hidden += std::max(Seconds{},
                         load.worker_network - (served || t.binding == yan::Resource::server_cpu ? Seconds{} : rest));
}

Bytes cpu_memory(const Plan& plan, const Point& point, CpuScratch& scratch) {
    const yan::Configuration c = cpu_configuration(plan, point);
    // One machine alone has all weights, so that the share of a server that it does not need is no more.
    return yan::memory_need(plan.cpu->prepared, c, cpu_sums(plan, c, scratch).memory).most();
}

std::vector<std::string> unheard_by_cpu_clusters(const Scenario& s) {
    std::vector<std::string> unheard;
    const auto add = [&](bool differs, const char* what) {
        if (differs) unheard.emplace_back(what);
    };
    add(s.training.precision != Precision::fp32, "any precision but that of the machine's times");
    add(s.training.optimizer != Optimizer::sgd, "any optimizer but SGD");
    add(s.training.accumulation != 1, "gradient accumulation");
    add(!s.training.frozen.empty(), "frozen layers");
    add(s.parallelism.recompute != Recompute::nothing, "recomputed activations");
    return unheard;
}

}  // namespace scalescope
