// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/formats/onnx/trace.hpp"

namespace scalescope::formats::onnx {

/// Several operators that exporters write for one.
struct Fused {
    enum class What { layer_norm, rms_norm, activation };
    What what = What::activation;
    std::string function;       ///< of an activation
    int input = -1;             ///< slot
    int scale = -1, bias = -1;  ///< slots of a normalization's weights
};

struct Patterns {
    std::map<std::size_t, Fused> fused;  ///< by the last item of each
    std::set<std::size_t> absorbed;      ///< items that are part of one, the last one aside
};

/// Finds what is read by nobody outside of it.
Patterns find_patterns(const Trace& trace);

/// For each slot, the items that read it; outputs of the model count as one more.
std::vector<std::vector<std::size_t>> readers_of(const Trace& trace);

}  // namespace scalescope::formats::onnx
