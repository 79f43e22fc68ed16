// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/keras/use.hpp"

/// Joining tensors, as the merging layers and the wrapper for both directions do it.
namespace scalescope::formats {

/// All inputs of the layer, element by element; repeated along axes of one where they differ. `operation` is one of
/// kind elementwise.
KerasTensors merged(KerasUse& use, const std::string& operation, std::string_view part = {});

/// Side by side along Keras's `axis`: the batch is 0, and -1 the last.
KerasTensors concatenated(KerasUse& use, std::int64_t axis, std::string_view part = {});

/// Of two inputs along one axis of each.
KerasTensors dot_product(KerasUse& use, const std::vector<std::int64_t>& axes);

/// Of a layer that nothing is known of, but what the file states of its result; else it is assumed to be like the
/// input, which is noted.
KerasTensors unknown_result(KerasUse& use);

}  // namespace scalescope::formats
