// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

#include "core/formats/onnx/trace.hpp"

namespace scalescope::formats::onnx {

/// A number at an operator's inputs that would have to be another one for the operator to fit: the length of an axis,
/// or the count of all elements.
struct Mismatch {
    static constexpr int all_elements = -1;

    std::size_t input = 0;
    int axis = all_elements;
    std::int64_t is = 0, wanted = 0;
    bool stored = false;  ///< the wanted number is one of the weights
    bool batch = false;   ///< the wanted number is the batch: it doubles with it
};

/// What does not fit at an operator that was refused, by what the operator does: a table of positions says how many
/// positions there are, a filter says how many channels. Weights first. Nothing of operators whose inputs fit together
/// by other rules.
std::vector<Mismatch> mismatches(const Trace& trace, const Item& refused);

/// The same number on another run of the model: the operator may be refused there or not. Nothing if it was not
/// reached.
std::optional<std::int64_t> value_at(const Trace& trace, const Item& refused, const Mismatch& mismatch);

}  // namespace scalescope::formats::onnx
