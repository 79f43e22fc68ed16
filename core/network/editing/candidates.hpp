// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/network/editing/edit.hpp"
#include "core/network/sketch.hpp"

/// What might mend a fault; fixes.cpp tries it. For the files of this folder.
namespace scalescope::editing {

struct Candidate {
    std::string title;
    std::function<Edit()> make;
};
using Candidates = std::vector<Candidate>;

/// A layer that does not take the shapes it is given.
struct Mismatch {
    const NetworkDraft& draft;
    const Sketch& sketch;
    const Layer& layer;
    int position;               ///< of the layer in the sketch
    int input;                  ///< the one that is to blame, or the first
    std::vector<Shape> shapes;  ///< of its inputs

    /// Whether the layer would do with `shape` at input `k`.
    bool takes(std::size_t k, const Shape& shape) const;
};

/// Layers put on one of its connections: flatten, reshape, a 1×1 convolution …; or a connection that leaves one out.
void add_shape_candidates(const Mismatch& m, Candidates& candidates);
/// Other values of its own attributes.
void add_value_candidates(const Mismatch& m, Candidates& candidates);
/// Other values of attributes of the layers that lead to the input.
void add_source_candidates(const Mismatch& m, Candidates& candidates);

}  // namespace scalescope::editing
