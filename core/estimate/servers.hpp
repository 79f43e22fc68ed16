// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/plan.hpp"
#include "core/schedule/asynchronous.hpp"

/// Asynchronous updates in the pipeline: every worker has all weights and a batch of its own, pushes gradients to
/// parameter servers and pulls weights when it is ready (docs/decisions/asynchronous-updates.md).
namespace scalescope {

inline bool updates_alone(const Point& point) { return point.updates == Updates::asynchronous; }

/// What asynchronous updates are not modelled with.
enum class NotAsynchronous { no, paleo, divided, overlap, copies, sharded };
NotAsynchronous why_not_asynchronous(const Plan& plan, const Point& point);
/// In words: what, and what to do.
Problem not_asynchronous_problem(NotAsynchronous why);

/// Weights of one network on the fullest server.
double largest_shard(const Plan& plan, int part, const Point& point, Scratch& scratch);

/// Ways between one of `active` workers, which share their node's network cards, and servers, which have as many.
ServerLinks server_links(const Plan& plan, std::int64_t active);
/// Seconds in which a server updates so many weights: as a device like the workers' does, in one pass over all of them.
Seconds server_update(const Plan& plan, double weights);
/// One exchange of one network's gradients and weights, of which the fullest server has `shard`.
Exchange exchange_of(const Plan& plan, const PlanPart& part, std::int64_t active, double shard);

/// Time between two exchanges of a worker that no server is busy for: Z.
Seconds think_time(const Plan& plan, const Summary& summary);
/// The steady state of a feasible point that exchanges anything.
Asynchronous steady_state(const Plan& plan, const Point& point, const Summary& summary);

/// Bytes that a device keeps for each trained weight beside it and its gradient: none where servers or hosts update.
inline double state_bytes(const Plan& plan, const Point& point) {
    return updates_alone(point) ? 0.0 : plan.update.state_bytes * (1 - plan.update.on_host);
}

}  // namespace scalescope
