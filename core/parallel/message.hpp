// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

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
inline constexpr std::size_t message_kinds = static_cast<std::size_t>(Message::pull) + 1;

}  // namespace scalescope
