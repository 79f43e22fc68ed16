// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/plan.hpp"

#include <algorithm>
#include <functional>
#include <iterator>

#include "core/base/limits.hpp"
#include "core/estimate/block_borders.hpp"
#include "core/estimate/memory_walk.hpp"
#include "core/estimate/offload.hpp"
#include "core/estimate/recompute.hpp"
#include "core/scenario/hardware.hpp"

namespace scalescope {
namespace {

/// Collects what is wrong.
struct Checks {
    Problems found;

    void add(std::string what, const char* where, std::string remedy) {
        found.push_back(make_error(std::move(what), std::move(remedy), {}, where));
    }
    void refuse(bool wrong, const char* what, const char* where, const char* remedy) {
        if (wrong) add(what, where, remedy);
    }
    void whole(std::int64_t value, std::int64_t high, const char* what, const char* where, int low = 1) {
        if (value < low || value > high)
            add(std::string(what) + " is " + std::to_string(value) + ".", where,
                "give a whole number from " + std::to_string(low) + " to " + std::to_string(high));
    }
    void positive(double value, const std::string& what, const char* where) {
        if (!(value > 0 && value < 1e300))
            add(what + " must be above zero.", where, "give its figure, or choose another preset");
    }
    void not_negative(Seconds time, const char* where) {
        refuse(!(time.value >= 0 && time.value < 1e6), "A start-up time or overhead must not be negative.", where,
               "give seconds, 0 or more");
    }
    void share(Fraction f, const char* where, const char* what = "This share") {
        if (!(f.value >= 0 && f.value <= 1))
            add(std::string(what) + " must be from 0 to 100 %.", where, "give percent");
    }
    void share_of_peak(Fraction f, const char* what, const char* where) {
        if (!(f.value >= 1e-6 && f.value <= 1))
            add(std::string(what) + " must lie above 0 and up to 100 %.", where,
                "give a percent of peak in that range");
    }
};

/// Everything wrong with a scenario apart from its networks, which are checked when they are made.
Problems check(const Scenario& s) {
    Checks c;
    const char* const choose = "choose or open a network";
    c.refuse(s.workload.empty() || !s.workload.front().network, "The scenario has no network.", "workload", choose);
    for (const auto& w : s.workload) c.refuse(!w.network, "A part of the workload has no network.", "workload", choose);
    constexpr std::int64_t many = 1'000'000, workers = limits::workers;
    for (const auto& w : s.workload)
        c.whole(w.count, many, "The number of times a network runs in a step", "workload.count");
    c.whole(s.training.batch, limits::batch, "The batch", "training.batch");
    c.whole(s.training.accumulation, many, "The number of accumulation steps", "training.accumulation");
    c.whole(s.training.data_set, 1LL << 52, "The data set size", "training.data_set");
    c.whole(s.cluster.workers, workers, "The number of workers", "cluster.workers");
    c.whole(s.cluster.devices_per_node, workers, "The number of devices in a node", "cluster.devices_per_node");
    c.whole(s.cluster.nics_per_node, workers, "The number of network cards in a node", "cluster.nics_per_node");
    c.whole(s.cluster.devices_per_uplink, workers, "The number of devices that share an uplink",
            "cluster.devices_per_uplink");
    c.whole(s.parallelism.tensor, workers, "The tensor degree", "parallelism.tensor");
    c.whole(s.parallelism.pipeline, workers, "The pipeline degree", "parallelism.pipeline");
    c.whole(s.parallelism.context, workers, "The context degree", "parallelism.context");
    c.whole(s.parallelism.expert, workers, "The expert degree", "parallelism.expert");
    c.whole(s.parallelism.shard_group, workers, "The shard group", "parallelism.shard_group", 0);
    c.whole(s.parallelism.expert_tensor, workers, "The expert tensor degree", "parallelism.expert_tensor");
    c.whole(s.parallelism.expert_ranks(), workers, "The expert degree times the expert tensor degree",
            "parallelism.expert_tensor");
    c.whole(s.parallelism.servers, workers, "The number of parameter servers", "parallelism.servers");
    c.share(s.model.staleness_cost, "model.staleness_cost", "The cost of staleness");
    c.whole(s.cpu.partitions, limits::partitions, "The number of machines of a replica", "cpu.partitions");
    c.whole(s.cpu.threads, workers, "The number of threads", "cpu.threads", 0);
    c.whole(s.parallelism.micro_batches, many, "The number of micro-batches", "parallelism.micro_batches");
    c.whole(s.parallelism.chunks, limits::chunks, "The number of chunks", "parallelism.chunks");
    const double input = s.training.input_limit.value;
    constexpr double least_input = 1e-9;
    c.refuse(!(input >= 0) || input > 1e300, "The input limit must not be negative.", "training.input_limit",
             "give samples per second, or 0 for no limit");
    c.refuse(input > 0 && input < least_input, "The input limit is below 1e-9 samples/s.", "training.input_limit",
             "give more, or 0 for no limit");
    const Cluster& cluster = s.cluster;
    c.positive(cluster.device.memory_bandwidth.value, "The memory bandwidth of " + cluster.device.name,
               "cluster.device");
    c.positive(cluster.inside.bandwidth.value, "The bandwidth of the link inside a node", "cluster.inside");
    c.positive(cluster.between.bandwidth.value, "The bandwidth of the link between nodes", "cluster.between");
    c.positive(cluster.host_memory.value, "The memory bandwidth of the host", "cluster.host_memory_gb_s");
    c.refuse(!(cluster.host_link.value >= 0 && cluster.host_link.value < 1e300),
             "The bandwidth of the link to the host must not be negative.", "cluster.host_link_gb_s",
             "give its figure, or 0 for that of the device");
    c.share(s.parallelism.offload_states, "parallelism.offload_states");
    c.share(s.model.host_overlap, "model.host_overlap");
    c.positive(s.parallelism.bucket.value, "The bucket size", "parallelism.bucket");
    c.not_negative(cluster.inside.latency, "cluster.inside");
    c.not_negative(cluster.between.latency, "cluster.between");
    const auto not_a_time = [](double value) { return !(value >= 0 && value < 1e300); };
    c.refuse(not_a_time(s.reliability.device_mtbf.value), "The time between failures must not be negative.",
             "reliability.device_mtbf_h", "give hours, or 0 if no device fails");
    c.refuse(not_a_time(s.reliability.restart.value), "The time to restart must not be negative.",
             "reliability.restart_s", "give seconds, 0 or more");
    c.positive(s.reliability.checkpoint.value, "The bandwidth of a checkpoint", "reliability.checkpoint_gb_s");
    c.not_negative(s.model.launch, "model.launch");
    c.not_negative(s.model.overhead, "model.overhead");
    c.share(s.model.spread, "model.spread");
    c.share(s.model.tensor_overlap, "model.tensor_overlap");
    c.share(s.model.expert_overlap, "model.expert_overlap");
    c.share(s.model.interference, "model.interference");
    c.share(s.model.staleness_cost, "model.staleness_cost");
    c.share(s.cpu.overlap, "cpu.overlap");
    if (s.model.compute.value != 0) c.share_of_peak(s.model.compute, "The share of peak arithmetic", "model.compute");
    if (s.model.memory.value != 0)
        c.share_of_peak(s.model.memory, "The share of peak memory bandwidth", "model.memory");
    c.share_of_peak(s.model.inside, "The share of peak of the link inside a node", "model.inside");
    c.share_of_peak(s.model.between, "The share of peak of the link between nodes", "model.between");
    // The effective batch must stay an exact integer through all that follows.
    c.refuse(c.found.empty() && s.training.batch_rule == BatchRule::per_worker &&
                 static_cast<double>(s.training.batch) * static_cast<double>(s.cluster.workers) > 1e15,
             "The batch of all workers together is too large to count.", "training.batch",
             "lower the batch or the workers");
    return std::move(c.found);
}

void send_gradients_as(GradientFormat format, Work& work) {
    if (format == GradientFormat::as_weights) return;
    const double bytes = format == GradientFormat::fp32 ? 4.0 : 2.0, ratio = bytes / work.element_bytes;
    for (double& b : work.gradient_bytes) b *= ratio;
    const double before = work.sums_of_gradients();
    work.gradient_element_bytes = bytes;
    PassWork& sums = work.pass[index_of(Pass::grad_weights)];
    for (double& w : sums.weights) w *= work.sums_of_gradients() / before;
}

/// By position, the layers that a recipe is for: linear ones and experts, in blocks that are not to stay wide, but for
/// what gives a loss its classes.
std::vector<char> narrow_layers(const Network& network, const Training& training, const DeviceRates& rates) {
    if (!rates.narrow) return {};
    const std::vector<int>& places = places_of_blocks(network);
    const int blocks = places.empty() ? 0 : *std::max_element(places.begin(), places.end()) + 1;
    std::vector<char> narrow(places.size(), 0);
    for (std::size_t l = 0; l < places.size(); ++l) {
        const LayerFacts& f = network.facts()[l];
        narrow[l] = places[l] >= training.wide_first && places[l] < blocks - training.wide_last &&
                    (f.linear() || f.experts.count > 0);
        if (f.along(ShardAlong::vocabulary) > 0 && f.weights == 0)
            for (const int tensor : network.reads(static_cast<int>(l))) narrow[static_cast<std::size_t>(tensor)] = 0;
    }
    return narrow;
}

/// With the casts of narrow weights, and what hosts do.
UpdateCost update_of(const PlanPart& part, UpdateCost cost, const Plan& plan, double hidden) {
    const LinkRates& links = plan.links;
    if (cost.on_host > 0)
        cost.host = (Bytes{part.work.summed_gradient_bytes() + part.work.element_bytes} / links.host +
                     Bytes{host_update_bytes(plan.training.optimizer)} / links.host_memory) *
                    (1 - hidden);
    double narrow = 0, all = 0;
    for (std::size_t l = 0; l < part.work.trained.size(); ++l) {
        all += part.work.trained[l];
        if (part.work.is_narrow(l)) narrow += part.work.trained[l];
    }
    if (narrow > 0) cost.bytes += part.work.narrow_as.casting * narrow / all;
    return cost;
}

/// Sums over the layers before each position.
void sum_up(PlanPart& part) {
    const auto n = static_cast<std::size_t>(part.work.layers);
    part.trained_before.assign(n + 1, 0.0);
    part.gradient_bytes_before.assign(n + 1, 0.0);
    part.trained_layers_before.assign(n + 1, 0);
    part.live_from.assign(n + 1, 0);
    for (std::size_t l = 0; l < n; ++l) {
        part.trained_before[l + 1] = part.trained_before[l] + part.work.trained[l];
        part.gradient_bytes_before[l + 1] = part.gradient_bytes_before[l] + part.work.gradient_bytes[l];
        part.trained_layers_before[l + 1] = part.trained_layers_before[l] + (part.work.trained[l] > 0 ? 1 : 0);
    }
    part.trained = part.trained_before[n];
    part.trained_layers = part.trained_layers_before[n];
    part.trained_descending.reserve(n);
    std::copy_if(part.work.trained.begin(), part.work.trained.end(), std::back_inserter(part.trained_descending),
                 [](double weights) { return weights > 0; });
    std::sort(part.trained_descending.begin(), part.trained_descending.end(), std::greater<>());
    if (part.outputs->grouped) return;
    // A tensor is needed behind the cuts up to `last`; the first that is needed behind one, or behind a later one.
    std::fill(part.live_from.begin(), part.live_from.end(), part.work.layers);
    for (std::size_t l = 0; l < n; ++l) {
        const auto& until = part.moves.until[l];
        const int last = std::max(until[static_cast<std::size_t>(OutputMove::into)],
                                  until[static_cast<std::size_t>(OutputMove::out_of)]);
        if (last < 0) continue;
        int& from = part.live_from[static_cast<std::size_t>(last)];
        from = std::min(from, static_cast<int>(l));
    }
    for (std::size_t c = n; c-- > 0;) part.live_from[c] = std::min(part.live_from[c], part.live_from[c + 1]);
}

/// What a Point holds, and where the network is cut: all of a plan that depends on them.
Result<void> place(Plan& plan, const Scenario& scenario) {
    plan.point = point_of(scenario);
    const std::vector<int> before = std::exchange(plan.boundaries, {});
    if (plan.point.cut == Point::cut_unknown) {
        if (plan.point.segments)
            return fail(make_error("The layer at which the network is cut is not in it.",
                                   "choose a layer of this network, or automatic", {}, "parallelism.cut"));
        plan.point.cut = Point::cut_automatic;
    }
    const Network& network = *scenario.workload.front().network;
    for (LayerId id : scenario.parallelism.boundaries) {
        const auto at = network.position(id);
        if (!at || *at == 0 || (!plan.boundaries.empty() && *at <= plan.boundaries.back())) {
            if (scenario.parallelism.fill != MeshAxis::pipeline) continue;
            return fail(make_error("The stage boundaries are not layers of this network in its order.",
                                   "name each stage's first layer, in order, or leave them out to balance the stages",
                                   {}, "parallelism.boundaries"));
        }
        plan.boundaries.push_back(*at);
    }
    if (plan.recomputation.stages > 1 && plan.boundaries != before) plan.recomputation.stages = 0;  // other ones
    set_recompute(plan, plan.point.recomputation());
    return {};
}

void set_prices(Plan& plan, const Scenario& scenario, const DeviceRates& device) {
    plan.prices = std::make_shared<const char>();
    plan.training = scenario.training;
    plan.parallelism = scenario.parallelism;
    plan.device = device;
    plan.links = plan.gather_links = link_rates(scenario.cluster, scenario.model);
    plan.gather_links.between = plan.links.between * scenario.model.gather_cards;
    plan.room = worker_memory(scenario);
    plan.spread = scenario.model.spread.value;
    plan.interference = scenario.model.interference.value;
    plan.tensor_overlap = scenario.model.tensor_overlap.value;
    plan.expert_overlap = scenario.model.expert_overlap.value;
    plan.overhead = scenario.model.overhead;
    // into the buffer and back, read and written each time
    plan.copying = scenario.parallelism.copies ? 4.0 / device.memory.value : 0.0;
}

/// Of all parts whose work is known.
void price_updates(Plan& plan, const Scenario& s) {
    plan.update = update_cost(s.training.optimizer, s.training.precision, s.training.fused_update);
    if (plan.links.host.value > 0) plan.update.on_host = s.parallelism.offload_states.value;
    for (PlanPart& part : plan.parts) part.update = update_of(part, plan.update, plan, s.model.host_overlap.value);
}

void price_layers(PlanPart& part, const DeviceRates& rates) {
    set_own_rates(part.work, rates);
    part.lines = TimeLines(part.work, rates);
}

}  // namespace

Result<Plan> prepare(const Scenario& asked) {
    Problems problems = check(asked);
    if (!problems.empty()) return fail(std::move(problems));
    const bool pipeline = !is_paleo(asked.model.method);
    ASSIGN_OR_RETURN(auto paleo, make_paleo_method(asked));
    ASSIGN_OR_RETURN(auto cpu, make_cpu_method(asked));
    std::optional<Scenario> heard;
    if (!pipeline) heard = heard_by_paleo(asked);
    const Scenario& scenario = pipeline ? asked : *heard;
    // The method of CPU clusters has rates of its own.
    ASSIGN_OR_RETURN(auto device, cpu ? Result<DeviceRates>(DeviceRates{})
                                      : device_rates(scenario.cluster, scenario.model, scenario.training.precision));
    Plan plan;
    plan.work = std::make_shared<const char>();
    plan.method = scenario.model.method;
    plan.paleo = std::move(paleo);
    plan.cpu = std::move(cpu);
    set_prices(plan, scenario, device);
    plan.trainer = scenario.model.trainer;
    plan.parts.reserve(scenario.workload.size());
    for (const WorkloadPart& w : scenario.workload) {
        PlanPart& part = plan.parts.emplace_back();
        part.network = w.network;
        part.count = w.count;
        part.work = make_work(*w.network, w.passes, scenario.training,
                              narrow_layers(*w.network, scenario.training, plan.device),
                              plan.device.narrow.value_or(NarrowProducts{}));
        send_gradients_as(scenario.parallelism.gradients, part.work);
        part.outputs = &w.network->found(make_output_structure);
        make_output_moves(*w.network, *part.outputs, part.work, 1, part.moves);
        part.crossings = make_crossings(*w.network, part.work);
        sum_up(part);
        list_keeps(part, plan.trainer);
        list_hosted(plan, part);
        if (!plan.cpu) price_layers(part, plan.device);
        part.cuts = cuts_of(*part.outputs);
    }
    price_updates(plan, scenario);
    // A step that takes no time has no throughput and no speedup.
    const auto works = [](const PlanPart& part) {
        return std::any_of(part.work.pass.begin(), part.work.pass.end(), [](const PassWork& p) {
            return std::any_of(p.active.begin(), p.active.end(), [](double a) { return a > 0; });
        });
    };
    if (std::none_of(plan.parts.begin(), plan.parts.end(), works))
        return fail(make_error("Nothing in this step takes time: no layer computes or moves anything.",
                               "add layers that do, or switch on a pass of the networks", {}, "workload"));
    if (auto placed = place(plan, scenario); !placed) return tl::unexpected(placed.error());
    return plan;
}

Result<void> reprice_plan(Plan& plan, const Scenario& scenario) {
    Problems problems = check(scenario);
    if (!problems.empty()) return fail(std::move(problems));
    ASSIGN_OR_RETURN(const auto device, device_rates(scenario.cluster, scenario.model, scenario.training.precision));
    const auto alike = [](std::optional<NarrowProducts> p) {
        if (p) p->speedup = 1;
        return p;
    };
    if (alike(plan.device.narrow) != alike(device.narrow)) {  // another work
        ASSIGN_OR_RETURN(plan, prepare(scenario));
        return {};
    }
    const bool other_device = !(plan.device == device);
    set_prices(plan, scenario, device);
    price_updates(plan, scenario);
    for (PlanPart& part : plan.parts) list_hosted(plan, part);
    if (other_device)
        for (PlanPart& part : plan.parts) price_layers(part, plan.device);
    return place(plan, scenario);
}

Result<void> move_plan(Plan& plan, const Scenario& scenario) {
    Problems problems = check(scenario);
    if (!problems.empty()) return fail(std::move(problems));
    return place(plan, plan.paleo ? heard_by_paleo(scenario) : scenario);
}

void make_room_for_stages(int layers, Scratch& s) {
    const auto n = static_cast<std::size_t>(layers);
    if (s.splits.time.capacity() > n) return;
    s.run.done.reserve(n + 1);
    s.splits.make_room(layers);
    s.stage_waits.reserve(n + 1);
    for (auto* v : {&s.borders, &s.best_borders}) v->reserve(n + 1);
    s.division.runs.reserve(n);
}

void make_room_for_cuts(int layers, Scratch& s) {
    const auto n = static_cast<std::size_t>(layers) + 2;
    if (s.exposed.size() >= n) return;
    for (auto* t : {&s.back_times, &s.whole_times}) t->resize(layers);
    for (auto* v : {&s.exposed, &s.exposed_scratch}) v->assign(n, 0.0);
    s.cut_sums.work.resize(n);
    s.cut_sums.messages.resize(n);
}

Scratch make_scratch(const Plan& plan) {
    Scratch s;
    std::size_t layers = 0, classes = 0;
    for (const auto& part : plan.parts) {
        layers = std::max(layers, static_cast<std::size_t>(part.work.layers));
        classes = std::max(classes, part.outputs->classes.size());
    }
    s.times.resize(static_cast<int>(layers));
    for (auto* v : {&s.busiest, &s.share}) v->reserve(classes);
    for (auto* v : {&s.in, &s.out}) v->assign(layers, 1.0);
    s.backward.assign(layers, 0.0);
    s.taken.assign(layers, 0.0);
    s.sent.reserve(layers);
    s.shards.dealt.resize(plan.parts.size());
    s.shards.loads.reserve(layers);
    std::size_t rows = 0, keeps = 0;
    for (const auto& part : plan.parts) {
        rows += static_cast<std::size_t>(part.work.layers);
        keeps += part.keeps.size();
        if (plan.method == Method::pipeline)  // inputs of what may be recomputed
            for (int l = 0; l < part.work.layers; ++l) keeps += part.network->reads(l).size() + 1;
    }
    s.division.runs.reserve(plan.parts.size() + 1);
    s.memory.rows.reserve(rows);
    s.memory.passing.reserve(rows);
    s.memory.devices.reserve(layers + 1);
    s.memory.kept.reserve(keeps);
    s.memory.last.reserve(layers);
    s.memory.first.reserve(rows + 1);
    return s;
}

}  // namespace scalescope
