// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>

#include "core/base/watch.hpp"
#include "core/formats/onnx/model.hpp"
#include "core/formats/onnx/onnx_import.hpp"

namespace scalescope::formats::onnx {

/// A model as layers, with a number for every size but the batch.
struct Reading {
    NetworkDraft draft;
    std::vector<Symbol> open;   ///< what the file leaves open, and the rounds of loops, as they were taken
    bool batched = true;        ///< one of the open dimensions is the batch
    std::size_t shortened = 0;  ///< loops of which one round stands for all
    OnnxCounts counts;
    Problems warnings;
};

/// Sizes that `sizes` does not name are likely ones; loops go round once.
Result<Reading> read_at(const Model& model, const std::string& file, std::span<const Binding> sizes,
                        const Watch& watch);
/// The same where it is known whether a dimension is the batch.
Result<Reading> read_at(const Model& model, const std::string& file, std::span<const Binding> sizes, bool batched,
                        const Watch& watch);

}  // namespace scalescope::formats::onnx
