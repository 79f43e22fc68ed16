// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/formats/onnx/step.hpp"

namespace scalescope::formats::onnx {

/// Where a window goes, one entry for each axis behind batch and channels.
struct Windows {
    Dims kernel, stride, dilation, before, after, out;
};

/// Of a convolution or pooling over `dims` (batch and channels first); reports what does not fit through `step`.
std::optional<Windows> windows_of(Step& step, const Dims& dims, const Dims& kernel);

/// The input of an Upsample or Resize that has its factors.
std::size_t place_of_factors(const Node& node, std::int64_t opset);
/// Factors of a change of size, one for each axis (or each of the attribute `axes`); none if it says sizes. `given` is
/// the value at that place.
std::vector<double> resize_factors(const Node& node, const Value& given, std::size_t rank);

}  // namespace scalescope::formats::onnx
