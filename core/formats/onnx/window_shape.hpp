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

}  // namespace scalescope::formats::onnx
