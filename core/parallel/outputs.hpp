// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "core/network/network.hpp"
#include "core/work/work.hpp"

namespace scalescope {

/// What is the same for every number of workers when layers are split by outputs (spec/parallel.md).
struct OutputStructure {
    /// Equal pieces of a divided tensor: `units` that can be dealt out, each of `weight` elements.
    struct Piece {
        std::int64_t units;
        double weight;
    };
    std::vector<std::vector<Piece>> classes;  ///< distinct ways a tensor falls into pieces
    std::vector<int> class_of;                ///< by layer position (of the root that made the tensor)
    std::vector<Division> division;
    std::vector<std::int64_t> groups;
    std::vector<std::vector<int>> readers;    ///< by root: positions of the layers that read it, views left out
    bool grouped = false;                     ///< some convolution has groups, so the layout depends on the workers
    std::int64_t fewest_units = 0;            ///< of the layers with weights: more workers cannot share them
    int fewest_units_layer = -1;

    /// Share of a tensor of class `c` that the busiest of g workers holds: pieces are dealt out unit by unit.
    double busiest_share(int c, std::int64_t g) const;
};
OutputStructure make_output_structure(const Network& network, const Work& work);

/// Who holds what when the layers from `from` on are split by outputs over g workers, and which tensors must move.
struct OutputLayout {
    std::vector<char> divided;      ///< by position: the layer's output is split over the workers
    std::vector<char> local_input;  ///< by position: a divided layer that reads only its own share (channel by channel)
    /// Roots whose pieces are gathered on every worker in forward, whose partial gradients are reduce-scattered, and whose
    /// partial gradients are all-reduced (tensors every worker holds whole).
    std::vector<int> gather, scatter, all_reduce;
    /// Roots made before `from` and read from it on: the tensors at the cut. `cut_partial`: their gradients are partial sums.
    std::vector<int> cut;
    std::vector<char> cut_partial;
};
/// Fills `layout`, reusing its memory: no allocation once it has held this network.
void make_output_layout(const OutputStructure& s, const Work& work, int from, std::int64_t g, OutputLayout& layout);

/// Shares of every layer's tensors on the busiest worker, by position, for price_passes.
void fill_shares(const OutputStructure& s, const OutputLayout& layout, int from, std::int64_t g, std::vector<double>& class_share,
                 std::vector<double>& in, std::vector<double>& out);

}  // namespace scalescope
