// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/ways.hpp"

#include "core/base/sequences.hpp"
#include "core/scenario/fields.hpp"

namespace scalescope {
namespace {

bool same_mesh(const Parallelism& a, const Parallelism& b) {
    return a.fill == b.fill && a.segments == b.segments && a.degrees_given() == b.degrees_given() &&
           policy_of(a) == policy_of(b) && a.sequence == b.sequence && a.sharded == b.sharded &&
           a.shard_group == b.shard_group && a.reshard_after_forward == b.reshard_after_forward &&
           a.reshard_after_backward == b.reshard_after_backward && a.reduce_once == b.reduce_once;
}

}  // namespace

Result<void> set_of_way(Scenario& scenario, const Way::Setting& setting) {
    const bool node = setting.value == Way::node;
    return set_field(scenario, setting.path, node ? std::to_string(scenario.cluster.devices_per_node) : setting.value,
                     {});
}

Scenario divided_as(const Way& way, Scenario s) {
    const Parallelism none;
    Parallelism& p = s.parallelism;
    p.fill = none.fill;
    p.segments = none.segments;
    p.degrees_given() = none.degrees_given();
    p.policy = none.policy;
    p.sequence = none.sequence;
    p.sharded = none.sharded;
    p.shard_group = none.shard_group;
    p.reshard_after_forward = none.reshard_after_forward;
    p.reshard_after_backward = none.reshard_after_backward;
    p.reduce_once = none.reduce_once;
    p.updates = none.updates;
    for (const Way::Setting& setting : way.settings) static_cast<void>(set_of_way(s, setting));  // checked when read
    if (p.shard_group == 1) p.sharded = none.sharded, p.shard_group = none.shard_group;          // with nobody
    if (p.segments) p.recompute = Recompute::nothing;  // which it does not support
    return s;
}

Scenario as_trained_by(const Trainer& trainer, Scenario s) {
    s.model.trainer = {};
    for (const Way::Setting& setting : trainer.settings)
        static_cast<void>(set_of_way(s, setting));  // checked when read
    return s;
}

const Trainer* trainer_of(const Scenario& scenario, std::span<const Trainer> trainers) {
    return find_where(trainers, [&](const Trainer& trainer) {
        return as_trained_by(trainer, scenario).model.trainer == scenario.model.trainer;
    });
}

const Way* way_of(const Scenario& scenario, std::span<const Way> ways) {
    return find_where(
        ways, [&](const Way& way) { return same_mesh(divided_as(way, scenario).parallelism, scenario.parallelism); });
}

}  // namespace scalescope
