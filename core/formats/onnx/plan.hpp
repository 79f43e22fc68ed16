// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/formats/onnx/trace.hpp"

namespace scalescope::formats::onnx {

/// Which inputs of a model are data and which are weights, which dimension is the batch, and what stands for the
/// dimensions that the file leaves open.
struct Plan {
    TraceInputs inputs;
    std::int64_t batch = 1;    ///< on the first run; twice as many on the second
    bool fixed_batch = false;  ///< the file is for this batch
    struct Assumed {
        std::string symbol;
        std::int64_t value;
        std::size_t run;  ///< on which it is doubled; 0: on none
    };
    std::vector<Assumed> assumed;  ///< dimensions left open, beside the batch
    std::size_t weight_inputs = 0;
};

/// Not `batched`: no dimension is the batch, for models whose first one is something else.
Plan make_plan(const Model& model, bool batched = true);

/// Inputs of `node` that are weights by what the operator does with them.
std::vector<std::size_t> weight_places(const Node& node);

}  // namespace scalescope::formats::onnx
