// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>

#include "core/base/watch.hpp"
#include "core/formats/onnx/model.hpp"
#include "core/formats/onnx/onnx_import.hpp"
#include "core/formats/onnx/plan.hpp"

namespace scalescope::formats::onnx {

/// A model as layers, with a number for every size but the batch.
struct Reading {
    NetworkDraft draft;
    std::vector<Symbol> open;        ///< what the file leaves open, and the rounds of loops, as they were taken
    std::vector<Binding> following;  ///< as Plan has it
    std::int64_t batch = 2;          ///< an open batch was read at this; 0: no open dimension is the batch
    std::size_t shortened = 0;       ///< loops of which one round stands for all
    OnnxCounts counts;
    Problems warnings;
};

/// A model carried out at some sizes, before it is layers.
struct Traced {
    Plan plan;
    std::int64_t batch = 2;
    Trace trace;
    ProblemList problems;
    bool fits() const { return !problems.has_errors(); }
};

/// Sizes that `sizes` does not name are likely ones; loops go round once. `batch` as make_plan() has it.
Traced trace_at(const Model& model, const std::string& file, std::span<const Binding> sizes, std::int64_t batch,
                const Watch& watch);
Result<Reading> converted(Traced traced, const Model& model, const std::string& file, const Watch& watch);

/// Both, one after the other.
Result<Reading> read_at(const Model& model, const std::string& file, std::span<const Binding> sizes, std::int64_t batch,
                        const Watch& watch);

/// `sizes`, and those of `base` that it does not name.
std::vector<Binding> overlaid(std::vector<Binding> base, std::span<const Binding> sizes);

}  // namespace scalescope::formats::onnx
