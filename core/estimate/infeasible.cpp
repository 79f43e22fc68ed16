// SPDX-License-Identifier: GPL-3.0-or-later
// Why a point has no time, in words: what is wrong, and the nearest that is not.
#include "core/estimate/infeasible.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "core/base/format.hpp"
#include "core/base/limits.hpp"
#include "core/estimate/plan.hpp"
#include "core/estimate/servers.hpp"
#include "core/estimate/sharded_axis.hpp"

namespace scalescope {

namespace {

/// The degrees that are given do not divide the workers.
Problem uneven_mesh(const Point& point) {
    const std::int64_t both = point.given_degrees(), below = point.workers / both * both;
    const auto text = [](std::int64_t n) { return std::to_string(n); };
    Degrees given{1, point.pipeline, point.tensor, point.context};
    given.of(point.fill) = 1;
    const std::string product =
        both == given.tensor || both == given.pipeline || both == given.context ? text(both)
        : given.context == 1
            ? text(both) + " (" + text(given.pipeline) + " stages of " + text(given.tensor) + " workers)"
            : text(both) + " (pipeline " + text(given.pipeline) + ", tensor " + text(given.tensor) + ", context " +
                  text(given.context) + ')';
    const bool above_fits = below + both <= limits::workers;
    std::string counts = below > 0 ? text(below) : text(below + both);
    if (below > 0 && above_fits) counts += " or " + text(below + both);
    return make_error(text(point.workers) + " workers do not divide by " + product + '.',
                      "use " + counts + " workers, or another degree", {}, "cluster.workers");
}

/// An attention whose positions do not divide by the context degree, or its heads on a rank.
Problem uneven_context(const Plan& plan, const Point& point, bool heads) {
    const Network& network = *plan.parts.front().network;
    const std::int64_t tensor = point.degrees()->tensor, wanted = point.degrees()->context;
    const auto pieces_of = [&](int layer) {
        const LayerFacts& f = network.facts()[static_cast<std::size_t>(layer)];
        if (!heads) return f.along(ShardAlong::queries);
        const bool divided =
            f.key_heads > 0 && f.query_heads % tensor == 0 && (f.key_heads % tensor == 0 || tensor % f.key_heads == 0);
        return divided ? f.query_heads / tensor : f.query_heads;
    };
    int l = 0;
    while (l + 1 < network.size() && pieces_of(l) % wanted == 0) ++l;
    const std::int64_t pieces = pieces_of(l);
    std::int64_t below = std::min(wanted, pieces), above = wanted;
    while (pieces % below != 0) --below;
    while (above < pieces && pieces % above != 0) ++above;
    const bool filled = point.fill == MeshAxis::context;
    const auto text = [&](std::int64_t n) { return std::to_string(filled ? n * point.given_degrees() : n); };
    return make_error("The " + std::to_string(pieces) + (heads ? " heads that a worker has of " : " positions of ") +
                          network.layers()[static_cast<std::size_t>(l)].name + " do not divide by " +
                          std::to_string(wanted) + " workers.",
                      (filled ? "use " : "use a context degree of ") + text(below) +
                          (above <= pieces ? " or " + text(above) : std::string()) + (filled ? " workers" : ""),
                      {}, filled ? "cluster.workers" : "parallelism.context");
}

/// The divisor of `number` that is nearest to the wanted one; of two the larger.
std::int64_t nearest_divisor(std::int64_t number, std::int64_t wanted) {
    std::int64_t nearest = 1;
    for (std::int64_t d = 1; d <= number; ++d)
        if (number % d == 0 && std::abs(d - wanted) <= std::abs(nearest - wanted)) nearest = d;
    return nearest;
}

/// Degrees of the experts' grid that divide neither the workers of a stage nor what they are to divide.
Problem uneven_experts(const Plan& plan, const Point& point) {
    std::int64_t experts = 0, units = 0;  // greatest common divisors of all layers'
    for (const LayerFacts& f : plan.parts.front().network->facts()) {
        experts = std::gcd(experts, f.experts.count);
        units = std::gcd(units, f.experts.hidden);
    }
    const std::int64_t workers = point.workers / point.degrees()->pipeline, cuts = point.expert_tensor;
    const auto text = [](std::int64_t n) { return std::to_string(n); };
    const std::string of_stage = "The " + text(workers) + " workers of a stage do not divide by ";
    if (units % cuts != 0 || workers % cuts != 0)
        return make_error(
            (units % cuts != 0 ? "The " + text(units) + " hidden units of an expert do not divide by " : of_stage) +
                "the expert tensor degree of " + text(cuts) + '.',
            "use an expert tensor degree of " + text(nearest_divisor(std::gcd(workers, units), cuts)), {},
            "parallelism.expert_tensor");
    const bool of_workers = experts % point.expert == 0;
    return make_error(
        of_workers ? of_stage + "the expert degree of " + text(point.expert) +
                         (cuts > 1 ? " times the expert tensor degree of " + text(cuts) : std::string()) + '.'
                   : text(experts) + " experts cannot be divided evenly among " + text(point.expert) + " workers.",
        "use an expert degree of " + text(nearest_divisor(std::gcd(workers / cuts, experts), point.expert)), {},
        "parallelism.expert");
}

/// A group of replicas that fits, as near to the wanted one as there is.
Problem uneven_groups(Point point) {
    const Degrees degrees = *point.degrees();
    const std::int64_t wanted = point.shard_group, replicas = degrees.replicas();
    const auto nearest = [&](std::int64_t step) {
        for (point.shard_group = wanted + step; point.shard_group > 0 && point.shard_group <= replicas;
             point.shard_group += step)
            if (groups_fit(point, degrees)) return point.shard_group;
        return std::int64_t{0};
    };
    const std::int64_t below = nearest(wanted > replicas ? replicas - wanted : -1), above = nearest(1);
    const std::string text = std::to_string(wanted);
    return make_error(
        replicas % wanted != 0
            ? "The " + std::to_string(replicas) + " replicas do not divide into shard groups of " + text + '.'
            : "Shard groups of " + text + " replicas do not hold whole sets of experts on " +
                  std::to_string(point.expert) + " workers.",
        "use a shard group of " + std::to_string(below) + (above > 0 ? " or " + std::to_string(above) : std::string()),
        {}, "parallelism.shard_group");
}

/// Interleaved stages, with micro-batches that do not fill groups of them.
Problem unfit_schedule(const Plan& plan, const Point& point, const Degrees& degrees) {
    const Batch batch = batch_for(point.batch, plan.training.batch_rule, point.workers, degrees.data);
    const std::int64_t count = micro_batches(plan, point, batch).count, stages = degrees.pipeline;
    const std::int64_t below = count / stages * stages;
    return make_error("The interleaved schedule takes micro-batches in groups of " + std::to_string(stages) + ", not " +
                          std::to_string(count) + '.',
                      "use " + (below > 0 ? std::to_string(below) + " or " : std::string()) +
                          std::to_string(below + stages) + " micro-batches, or another schedule",
                      {}, "parallelism.micro_batches");
}

}  // namespace

Problem infeasible_reason(const Plan& plan, const Point& point, Infeasible why) {
    const std::string g = std::to_string(point.workers);
    const auto degrees = point.degrees();
    switch (why) {
        case Infeasible::not_divisible: return uneven_mesh(point);
        case Infeasible::no_mesh:
            return make_error(
                plan.paleo ? "PALEO's methods support no tensor, pipeline, context or expert degree."
                : point.segments
                    ? "The hybrid strategy has a mesh of its own: data parallelism fills it, with no other degrees."
                    : "Context and expert parallelism need layers divided as trainers do; here each is divided by "
                      "its outputs.",
                plan.paleo       ? "set all degrees to 1, or choose the pipeline model"
                : point.segments ? "set all degrees to 1 and fill with data, or choose another strategy"
                                 : "set it to 1, or divide layers as trainers do",
                {},
                point.segments && point.fill != MeshAxis::data ? "parallelism.fill"
                : point.context > 1                            ? "parallelism.context"
                : point.expert > 1                             ? "parallelism.expert"
                : point.expert_tensor > 1                      ? "parallelism.expert_tensor"
                : point.tensor > 1                             ? "parallelism.tensor"
                                                               : "parallelism.pipeline");
        case Infeasible::no_sharding:
            return make_error("Sharded training states are not modelled with the hybrid strategy.",
                              "shard nothing, or choose another strategy", {}, "parallelism.sharded");
        case Infeasible::uneven_groups: return uneven_groups(point);
        case Infeasible::no_recompute:
            return make_error("Recomputation is not modelled with the hybrid strategy.",
                              "switch recomputation off, or choose another strategy", {}, "parallelism.recompute");
        case Infeasible::too_many_for_units: {
            const PlanPart& part = plan.parts.front();
            const int cut = point.segments && point.cut >= 0 ? std::min(point.cut, part.work.layers) : 0;
            const int fewest = part.outputs->fewest_from[static_cast<std::size_t>(cut)];
            if (fewest == OutputStructure::never) break;
            const std::int64_t ranks = degrees && degrees->tensor > 1 ? degrees->tensor : point.workers;
            const std::string units = std::to_string(part.outputs->units[static_cast<std::size_t>(fewest)]);
            return make_error("The " + units + " outputs of " +
                                  part.network->layers()[static_cast<std::size_t>(fewest)].name +
                                  " cannot be shared by " + std::to_string(ranks) + " workers.",
                              "use at most " + units + " workers, or another strategy", {}, "cluster.workers");
        }
        case Infeasible::too_many_for_layers: {
            const std::int64_t chunks = point.stages_on_device();
            const std::string n = std::to_string(plan.parts.front().work.layers),
                              stages = std::to_string((degrees ? degrees->pipeline : point.workers) * chunks);
            if (chunks > 1)
                return make_error("A network of " + n + " layers cannot be split into " + stages + " stages, " +
                                      std::to_string(chunks) + " on each device.",
                                  "use fewer chunks or stages", {}, "parallelism.chunks");
            return make_error("A network of " + n + " layers cannot be split over " + stages + " workers.",
                              "use at most " + n + " workers, or another strategy", {},
                              point.fill == MeshAxis::pipeline ? "cluster.workers" : "parallelism.pipeline");
        }
        case Infeasible::no_attention:
            return make_error(
                "Context parallelism divides the sequence that an attention sees; " +
                    plan.parts.front().network->name() + " has none.",
                point.fill == MeshAxis::context ? "fill another axis of the mesh" : "set the context degree to 1", {},
                point.fill == MeshAxis::context ? "parallelism.fill" : "parallelism.context");
        case Infeasible::uneven_positions:
        case Infeasible::uneven_heads: return uneven_context(plan, point, why == Infeasible::uneven_heads);
        case Infeasible::no_experts:
            return make_error(plan.parts.front().network->name() + " has no mixture of experts to divide.",
                              point.expert > 1 ? "set the expert degree to 1" : "set the expert tensor degree to 1", {},
                              point.expert > 1 ? "parallelism.expert" : "parallelism.expert_tensor");
        case Infeasible::uneven_experts: return uneven_experts(plan, point);
        case Infeasible::experts_apart:
            return make_error("Experts are divided among the workers of a stage, which must be neighbours.",
                              "choose an order of the axes that ends with pipeline, or an expert degree of 1", {},
                              "parallelism.axis_order");
        case Infeasible::no_schedule: return unfit_schedule(plan, point, *degrees);
        case Infeasible::too_many_passes:
            return make_error("This schedule has too many passes to step through: stages times micro-batches may be " +
                                  format_count(limits::pipeline_passes) + '.',
                              "use fewer micro-batches, or the fill-drain schedule", {}, "parallelism.micro_batches");
        case Infeasible::no_single_network:
            return make_error("Only data parallelism divides a step of several networks.", "choose data parallel", {},
                              point.segments ? "parallelism.segments" : "parallelism.fill");
        case Infeasible::no_such_strategy:
            return make_error(
                "PALEO splits a network only where its own network file says so; its methods price data parallelism.",
                "choose data parallel, or the pipeline model", {}, "parallelism.fill");
        case Infeasible::no_such_scheme:
            return make_error("PALEO does not know this way to add up gradients.",
                              "choose one of PALEO's four schemes, or the pipeline model", {},
                              "parallelism.collective");
        case Infeasible::not_asynchronous: return not_asynchronous_problem(why_not_asynchronous(plan, point));
        case Infeasible::no_replica:
            return make_error("A replica of " + std::to_string(point.partitions) + " machines does not fit on " + g +
                                  (point.workers == 1 ? " machine." : " machines."),
                              point.workers == 1 ? "use one machine for a replica, or more of them"
                                                 : "use at most " + g + " machines for a replica, or more of them",
                              {}, "cpu.partitions");
        case Infeasible::too_large_to_count:
            if (plan.cpu && takes_too_long(plan.cpu->splits, plan.cpu->base.placement, point.partitions)) {
                const bool best =
                    plan.cpu->splits == SegmentSplits::best && point.partitions > most_machines_for_best_splits;
                const std::string most =
                    std::to_string(best ? most_machines_for_best_splits : most_machines_placed_by_connections);
                return make_error(best ? "The best segments of the layers are looked for on at most " + most +
                                             " machines of a replica, not on " + std::to_string(point.partitions) + "."
                                       : "Segments are placed by connections on at most " + most +
                                             " machines of a replica, not on " + std::to_string(point.partitions) + ".",
                                  best ? "choose the most segments, or use fewer machines for a replica"
                                       : "choose the aligned placement, or use fewer machines for a replica",
                                  {}, best ? "cpu.splits" : "cpu.placement");
            }
            return make_error("The times of this configuration are too large to count.",
                              "check the machine's figures and the batch", {}, "cluster.machine");
        case Infeasible::states_too_large:
            return make_error(
                "The weights, gradients and optimizer states alone do not fit into the memory of a worker.",
                "use more workers, or divide the layers further");
        case Infeasible::takes_no_time:
            return make_error(
                "This model gives every layer of the step a time of zero, so there is no speed to speak of.",
                "choose the pipeline model, or a network with layers that PALEO prices", {}, "model.method");
        case Infeasible::no: break;
    }
    return {};
}

}  // namespace scalescope
