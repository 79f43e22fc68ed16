// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/network/editing/edit.hpp"

namespace scalescope::editing {

/// Layers taken out of a network, to be put into it again or into another one; formats/fragment_json has them as text.
struct Fragment {
    /// A layer that is not among them but is read by one of them, or lends it its weights.
    struct Outer {
        LayerId id;
        std::string name;
        bool operator==(const Outer&) const = default;
    };
    std::vector<Layer> layers;
    std::vector<Outer> outer;
    std::vector<Symbol> symbols;  ///< of the network they come from
    std::string block;            ///< the block they stand in: a copy stands in it too, and what follows is made unique
};

Result<Fragment> copy_layers(const NetworkDraft& draft, std::span<const LayerId> layers);

/// Adds the layers with numbers and names of their own. What they read outside is found by its name; where there is no
/// layer of that name, the input is left open.
Edit paste_layers(const NetworkDraft& draft, const Fragment& fragment);

/// Copies of the layers: they read each other where the originals do, and outside what the originals read.
Edit duplicate_layers(const NetworkDraft& draft, std::span<const LayerId> layers);

}  // namespace scalescope::editing
