// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "core/formats/onnx/value.hpp"
#include "core/network/layer.hpp"

/// ONNX's axes (batch and channels first) against ours (no batch, channels last). A tensor keeps ONNX's dimensions of
/// one sample, the batch's axis among them with what one sample has of it (1, or more where it is merged with another),
/// and an order in which our layer has those axes. So most transposes of ONNX are no work: only the order changes.
namespace scalescope::formats::onnx {

using Order = std::vector<std::size_t>;

Order natural_order(std::size_t rank);
/// Batch, then space, then channels.
Order channels_last(std::size_t rank);

struct Sample {
    Dims dims;       ///< in ONNX's order, of one sample
    int batch = -1;  ///< the axis of the batch
    /// As our layer has it: in `order`, without the batch's axis where that is 1.
    Shape shape(const Order& order) const;
};

/// Our number of an axis: the batch is 0, and axes come in the order our layer has them.
std::int64_t our_axis(const Sample& sample, const Order& order, std::size_t axis);

/// Whether both orders put the elements one after the other alike.
bool same_layout(const Sample& sample, const Order& a, const Order& b);

/// The order in which the axes of `to` stand if `from`, laid out in `order`, is seen as `to` without moving an element;
/// nothing if that cannot be.
std::optional<Order> view_order(const Sample& from, const Order& order, const Sample& to);

}  // namespace scalescope::formats::onnx
