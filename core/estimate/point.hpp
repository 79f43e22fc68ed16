// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <numeric>
#include <string_view>

#include "core/scenario/recompute_choice.hpp"

namespace scalescope {

/// What a plan's layers recompute, and all that it depends on.
struct Recomputation {
    Recompute what = Recompute::nothing;
    std::int64_t count = 1;   ///< of blocks
    std::int64_t stages = 1;  ///< whose blocks are counted, of all devices
    std::int64_t key() const { return static_cast<std::int64_t>(what) | count << 16 | stages << 32; }
    bool operator==(const Recomputation&) const = default;
};

/// What may vary from point to point of a sweep without a new Plan.
struct Point : GivenDegrees {
    std::int64_t workers = 1;
    std::int64_t batch = 1;  ///< as Training::batch, by the plan's batch rule
    MeshAxis fill = MeshAxis::data;
    bool segments = false;
    ShardingPolicy policy = ShardingPolicy::trainer;
    Collective collective = Collective::ring;
    HybridScheme scheme = HybridScheme::all_at_once;
    int cut = cut_automatic;  ///< segments: position of the first layer of the back part; number of layers: none
    Updates updates = Updates::synchronous;
    std::int64_t servers = 1;
    std::int64_t partitions = 1;  ///< CPU cluster: machines of a replica
    std::int64_t micro_batches = 1, chunks = 2;
    PipelineOrder order = PipelineOrder::fill_drain;
    Sharded sharded = Sharded::nothing;
    std::int64_t shard_group = 0;
    bool reshard_after_forward = true, reshard_after_backward = true, reduce_once = false;
    Recompute recompute = Recompute::nothing;
    std::int64_t recompute_count = 1;
    static constexpr int cut_automatic = -1, cut_unknown = -2;  ///< unknown: at a layer that the network does not have
    bool operator==(const Point&) const = default;
    /// Stages on each device of a pipeline.
    std::int64_t stages_on_device() const { return has_chunks(order) ? chunks : 1; }
    Recomputation recomputation() const {
        const bool counts = counts_blocks(recompute), by_stage = counts && recompute != Recompute::every_nth;
        const auto mesh = by_stage ? degrees() : std::nullopt;
        return {recompute, counts ? recompute_count : 1,
                mesh && mesh->pipeline > 1 ? mesh->pipeline * stages_on_device() : 1};
    }
    /// Workers of the axes whose degrees are given: every number of workers is a multiple of it.
    std::int64_t given_degrees() const {
        Degrees given{1, pipeline, tensor, context};
        given.of(fill) = 1;
        return given.workers();
    }
    /// The number of replicas in a group, if states are sharded within groups; otherwise 1.
    std::int64_t replicas_in_group() const {
        return sharded == Sharded::nothing ? 1 : std::max<std::int64_t>(1, shard_group);
    }
    /// Numbers of workers that make a mesh are multiples of it.
    std::int64_t step_of_workers() const {
        if (!fills_data(*this)) return given_degrees();
        return pipeline * std::lcm(tensor * std::lcm(context, replicas_in_group()), expert_ranks());
    }
    /// Workers that divide a layer: of segments, one behind the cut.
    std::int64_t sharing() const { return segments ? workers : degrees()->tensor; }
    /// The mesh; nothing if the workers do not divide by its degrees.
    std::optional<Degrees> degrees() const { return degrees_of(fill, workers, *this); }
};

/// A member of Point and the field of scenarios that it holds. What reads, copies or varies points goes by this table.
struct PointField {
    std::string_view path;
    std::int64_t (*of)(const Scenario&);
    void (*copy)(const Scenario& from, Scenario& to);  ///< that field alone
    void (*put)(std::int64_t value, Point& point);
    std::int64_t (*get)(const Point& point);
};

namespace detail {

/// `where` is the field in a scenario, whether that is const or not.
template <auto member, class Where>
constexpr PointField point_field_of(std::string_view path, Where) {
    return {path, [](const Scenario& s) { return static_cast<std::int64_t>(Where{}(s)); },
            [](const Scenario& from, Scenario& to) { Where{}(to) = Where{}(from); },
            [](std::int64_t value, Point& p) { p.*member = static_cast<std::decay_t<decltype(p.*member)>>(value); },
            [](const Point& p) { return static_cast<std::int64_t>(p.*member); }};
}
std::int64_t cut_position(const Scenario& scenario);

}  // namespace detail

// clang-format off
inline constexpr std::array point_fields{
    detail::point_field_of<&Point::workers>("cluster.workers", [](auto& s) -> auto& { return s.cluster.workers; }),
    detail::point_field_of<&Point::batch>("training.batch", [](auto& s) -> auto& { return s.training.batch; }),
    detail::point_field_of<&Point::fill>("parallelism.fill", [](auto& s) -> auto& { return s.parallelism.fill; }),
    detail::point_field_of<&Point::segments>("parallelism.segments", [](auto& s) -> auto& { return s.parallelism.segments; }),
    detail::point_field_of<&Point::policy>("parallelism.policy", [](auto& s) -> auto& { return s.parallelism.policy; }),
    detail::point_field_of<&Point::pipeline>("parallelism.pipeline", [](auto& s) -> auto& { return s.parallelism.pipeline; }),
    detail::point_field_of<&Point::tensor>("parallelism.tensor", [](auto& s) -> auto& { return s.parallelism.tensor; }),
    detail::point_field_of<&Point::context>("parallelism.context", [](auto& s) -> auto& { return s.parallelism.context; }),
    detail::point_field_of<&Point::expert>("parallelism.expert", [](auto& s) -> auto& { return s.parallelism.expert; }),
    detail::point_field_of<&Point::expert_tensor>("parallelism.expert_tensor", [](auto& s) -> auto& { return s.parallelism.expert_tensor; }),
    detail::point_field_of<&Point::collective>("parallelism.collective", [](auto& s) -> auto& { return s.parallelism.collective; }),
    detail::point_field_of<&Point::scheme>("parallelism.scheme", [](auto& s) -> auto& { return s.parallelism.scheme; }),
    PointField{"parallelism.cut", detail::cut_position,
               [](const Scenario& from, Scenario& to) {
                   to.parallelism.cut = from.parallelism.cut;
                   to.parallelism.cut_auto = from.parallelism.cut_auto;
               },
               [](std::int64_t value, Point& p) { p.cut = static_cast<int>(value); },
               [](const Point& p) { return std::int64_t{p.cut}; }},
    detail::point_field_of<&Point::micro_batches>("parallelism.micro_batches", [](auto& s) -> auto& { return s.parallelism.micro_batches; }),
    detail::point_field_of<&Point::order>("parallelism.order", [](auto& s) -> auto& { return s.parallelism.order; }),
    detail::point_field_of<&Point::chunks>("parallelism.chunks", [](auto& s) -> auto& { return s.parallelism.chunks; }),
    detail::point_field_of<&Point::sharded>("parallelism.sharded", [](auto& s) -> auto& { return s.parallelism.sharded; }),
    detail::point_field_of<&Point::shard_group>("parallelism.shard_group", [](auto& s) -> auto& { return s.parallelism.shard_group; }),
    detail::point_field_of<&Point::reshard_after_forward>("parallelism.reshard_after_forward", [](auto& s) -> auto& { return s.parallelism.reshard_after_forward; }),
    detail::point_field_of<&Point::reshard_after_backward>("parallelism.reshard_after_backward", [](auto& s) -> auto& { return s.parallelism.reshard_after_backward; }),
    detail::point_field_of<&Point::reduce_once>("parallelism.reduce_once", [](auto& s) -> auto& { return s.parallelism.reduce_once; }),
    detail::point_field_of<&Point::recompute>("parallelism.recompute", [](auto& s) -> auto& { return s.parallelism.recompute; }),
    detail::point_field_of<&Point::recompute_count>("parallelism.recompute_count", [](auto& s) -> auto& { return s.parallelism.recompute_count; }),
    detail::point_field_of<&Point::updates>("parallelism.updates", [](auto& s) -> auto& { return s.parallelism.updates; }),
    detail::point_field_of<&Point::servers>("parallelism.servers", [](auto& s) -> auto& { return s.parallelism.servers; }),
    detail::point_field_of<&Point::partitions>("cpu.partitions", [](auto& s) -> auto& { return s.cpu.partitions; })};
// clang-format on

/// nullptr if a Point does not hold it.
constexpr const PointField* find_point_field(std::string_view path) {
    const auto* at =
        std::find_if(point_fields.begin(), point_fields.end(), [path](const PointField& f) { return f.path == path; });
    return at == point_fields.end() ? nullptr : at;
}

/// The same for a path that is known when this is compiled.
consteval const PointField* point_field(std::string_view path) {
    const PointField* field = find_point_field(path);
    return field ? field : throw "no such field";
}

/// One worker and no mesh, everything else as it is: what a speedup is against.
constexpr Point of_one_worker(Point point) {
    point.degrees_given() = {};
    point.workers = point.partitions = 1;
    point.shard_group = 0;
    return point;
}

Point point_of(const Scenario& scenario);
/// Copies what of a scenario a Point holds, and nothing else.
void copy_point(const Scenario& from, Scenario& to);

}  // namespace scalescope
