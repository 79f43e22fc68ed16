// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/keras/use.hpp"

/// Where data enter a Keras model: shapes that may leave the batch and other dimensions open.
namespace scalescope::formats {

/// The shape a layer states for its input, the batch first: batch_input_shape, batch_shape, or by Keras 1 input_dim.
std::optional<JsonValue> stated_input_shape(const KerasLayer& layer);

/// An input layer called `name` of the stated shape. `length` is what an open sequence is taken to have, if the file
/// has a hint of it. Open dimensions are noted.
std::optional<KerasTensor> keras_input(KerasUse& use, JsonValue shape, std::optional<std::int64_t> length);

/// A length the rest of the model has for the sequences of the input called `name`.
std::optional<std::int64_t> length_hint(const KerasModel& model, std::string_view name);

}  // namespace scalescope::formats
