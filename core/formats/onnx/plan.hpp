// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/formats/onnx/trace.hpp"
#include "core/network/symbols.hpp"

namespace scalescope::formats::onnx {

/// Which inputs of a model are data and which are weights, which dimension is the batch, and what stands for the
/// dimensions that the file leaves open.
struct Plan {
    TraceInputs inputs;
    std::int64_t batch = 1;          ///< on the first run; twice as many on the second
    bool fixed_batch = false;        ///< the file is for this batch
    bool named_batch = false;        ///< the file calls the dimension a batch
    std::vector<Symbol> open;        ///< what the file leaves open beside the batch, with the size it has here
    std::vector<Binding> following;  ///< open sizes that are the batch under another name
};

/// In place of a size.
inline constexpr std::int64_t follows_batch = 0;

/// An open batch is `batch` on the first run; 0: no dimension is the batch, for models whose first one is something
/// else. Other open dimensions that `sizes` names have that size (`follows_batch`: the batch), the rest a likely one.
Plan make_plan(const Model& model, std::int64_t batch, std::span<const Binding> sizes = {});

/// A name as symbols have it, made of any text: letters, digits and _, no digit first, and not the batch's.
std::string symbol_name(const std::string& text);

/// Inputs of `node` that are weights by what the operator does with them.
std::vector<std::size_t> weight_places(const Node& node);

}  // namespace scalescope::formats::onnx
