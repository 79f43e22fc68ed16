// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/network/inference.hpp"
#include "core/network/network.hpp"

namespace scalescope {

/// A network as it is drawn, whether it checks or not: all that can be known of every layer, and what is wrong. While
/// somebody draws, most states in between are no networks yet.
struct Sketch {
    Sketch() = default;
    /// Of a checked network; implicit, so that whoever draws takes either.
    Sketch(const Network& network);  // NOLINT: meant to convert
    /// Of any draft; symbols that `bindings` leave out have their initial value. Without faults exactly if
    /// Network::make() takes it.
    explicit Sketch(const NetworkDraft& draft, std::span<const Binding> bindings = {});

    std::string name;
    std::vector<Layer> layers;  ///< inputs before their readers, unless there is a cycle: what is in it comes last
    std::vector<std::vector<int>> inputs;          ///< positions of the inputs of each layer; open ones are left out
    std::vector<std::optional<LayerFacts>> facts;  ///< nothing where the layer or what comes before it has a fault
    std::vector<Fault> faults;

    int size() const { return static_cast<int>(layers.size()); }
    /// In linear time.
    std::optional<int> position(LayerId id) const;
    /// Shapes of the inputs of a layer; nothing if one of them is open or not known.
    std::optional<std::vector<Shape>> input_shapes(int layer) const;
};

}  // namespace scalescope
