// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

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
    push,      ///< of a worker's gradients to its parameter servers (core/schedule/asynchronous)
    pull,      ///< of the weights, back
    host_copy  ///< of what waits for backward: from a device to its host, or back
};
/// What a message between the ranks that divide a layer carries.
enum class Carried : std::uint8_t {
    output,      ///< of the layer, or the gradient of that
    kept_input,  ///< of the layers that read it, gathered again for the gradients of their weights
    statistics,  ///< of the rows of a loss, or of an image that is normalized
    states,      ///< of a recurrent layer, one after the other, or their gradients
    halo,        ///< rows of an image that a neighbour needs too, or their gradients
    // of an attention over a sequence that lies on the ranks of the context axis (core/parallel/context)
    keys_values,            ///< of all positions, or their gradients
    keys_values_gradients,  ///< both
    queries,                ///< what a rank has of one tensor, or its gradient
    keys,
    values,
    attention_output,
    // of a mixture of experts
    to_experts,    ///< positions on their way to the experts chosen for them, or gradients of those
    from_experts,  ///< what the experts made of them, back
    experts        ///< gradients or weights of experts
};
inline constexpr std::size_t message_kinds = static_cast<std::size_t>(Message::host_copy) + 1;

}  // namespace scalescope
