// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "core/network/kind.hpp"
#include "core/network/symbols.hpp"

/// What Network (which takes nothing wrong) and Sketch (which takes anything) find out of layers in the same way.
namespace scalescope {

/// Something that keeps a draft from being a network.
struct Fault {
    int layer = -1;  ///< position; -1: of the network as a whole
    int input = -1;  ///< index in Layer::inputs of the one that does not fit; -1: the layer itself
    Problem problem;
};

/// One short list for each position, all in one piece of memory.
struct Rows {
    std::vector<int> items, begin{0};
    std::span<const int> row(int position) const {
        const auto p = static_cast<std::size_t>(position);
        return {items.data() + begin[p], items.data() + begin[p + 1]};
    }
    void close() { begin.push_back(static_cast<int>(items.size())); }
};

/// Which layer reads which. Layers are named by their index.
struct Connections {
    Rows inputs;  ///< -1 where there is no such layer
    std::vector<int>
        order;  ///< inputs before readers, as they stand otherwise; layers in or behind a cycle are missing
    std::vector<Fault> faults;  ///< names and numbers used twice, too few or too many inputs, cycles
};
Connections connections_of(std::span<const Layer> layers);

/// Shapes and work of layers that stand in topological order.
struct Inferred {
    std::vector<LayerFacts> facts;
    std::vector<char> known;  ///< not, where the layer or what comes before it has a fault
    std::vector<Fault> faults;
    std::vector<std::pair<int, int>> shared;  ///< the owner of weights, and a layer that uses them
    std::int64_t parameters = 0, multiply_adds = 0;
    int unknown_kinds = 0;
};
/// `bindings`: a value for every symbol but the batch. `wrong`: layers that have a fault already, and are left out;
/// empty: none.
Inferred infer_layers(std::span<const Layer> layers, const Rows& inputs, std::span<const Binding> bindings,
                      std::span<const char> wrong = {});

/// Problems in the order of the faults, up to the limit.
Problems problems_of(std::vector<Fault> faults);

/// What is wrong with a network that has no layers, or more than the program accepts.
Problem no_layers();
Problem too_many_layers(std::size_t count);

/// What a kind says about its number of inputs if `count` is wrong: "takes one input, this one has 3"; else nothing.
std::string about_input_count(const Kind& kind, int count);

}  // namespace scalescope
