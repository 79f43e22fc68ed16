// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace scalescope {

/// What ranks send each other.
enum class Message {
    all_reduce,
    reduce_scatter,
    all_gather,
    all_to_all,  ///< every rank has a piece for every other one
    broadcast,
    reduce,
    point_to_point,
    push,  ///< of a worker's gradients to its parameter servers (core/schedule/asynchronous)
    pull   ///< of the weights, back
};

}  // namespace scalescope
