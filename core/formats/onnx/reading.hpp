// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/watch.hpp"
#include "core/formats/onnx/model.hpp"
#include "core/formats/onnx/onnx_import.hpp"
#include "core/formats/onnx/plan.hpp"
#include "core/formats/onnx/trace.hpp"

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

bool is_given(std::span<const Binding> given, const Symbol& symbol);

/// `sizes`, and those of `base` that it does not name.
std::vector<Binding> overlaid(std::vector<Binding> base, std::span<const Binding> sizes);

/// The model at the sizes that `given` names. What else the file leaves open has a likely size; where the operators do
/// not fit together at that, the size is derived from the operator that does not fit: filters decide the channels, a
/// table of positions the length of a sequence or the sides of an image, a recurrent state follows the batch. Where
/// that fails, the numbers at that operator are tried, then sizes that images and sequences often have, and at last 1,
/// with a warning.
Result<Reading> read_fitting(const Model& model, const std::string& file, std::span<const Binding> given,
                             const Watch& watch);

/// Makes symbols of what the file leaves open, in the draft of `base`: the model is read at other sizes, and a
/// dimension that grows in proportion to one of them is that size from then on. The draft is then compared with what
/// the file is at further sizes. Where a size changes more than dimensions (a slice ends elsewhere, a loop goes round
/// more often), the draft is remade by the file. A size that the model cannot have another value of stays a number.
/// What was done is said in the warnings of `base`; sizes that are `given` stay symbols, and nothing is said of them.
void open_sizes(Reading& base, std::shared_ptr<const Model> model, const std::string& file,
                std::span<const Binding> given, const Watch& watch);

}  // namespace scalescope::formats::onnx
