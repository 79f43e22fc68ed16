// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <span>
#include <string_view>
#include <vector>

#include "core/network/adapters.hpp"
#include "core/network/editing/edit.hpp"

/// Low-rank adapters beside the products of a network (docs/decisions/adapters.md).
namespace scalescope::editing {

/// A choice of products that has a word, and what it is called where people choose.
struct AdapterChoice {
    std::string_view word, title, text;
};
inline constexpr std::array<AdapterChoice, 3> adapter_choices{
    {{"linear", "All linear layers", "except those that make the output"},
     {"attention", "Attention", {}},
     {"feed-forward", "Feed-forward networks", {}}}};

/// The products that `words` choose, in the order of the layers: words of adapter_choices, or names of layers, whole or
/// the last part, in which * stands for anything; between them commas or plus signs. "linear": all linear layers but
/// those that make the output. Attention and feed-forward networks are found by the graph. A name that no linear layer
/// has is a Problem that says the closest one.
Result<std::vector<LayerId>> products_called(const Network& network, std::string_view words);

/// Puts an adapter beside each of the products; its rank is the size rank_symbol of the network, at first `rank`. What
/// read a product reads the sum instead, which also applies the product's own activation. Products that share weights
/// share adapters. New layers are numbered from `first`. The sums are selected.
Edit add_adapters(const Network& network, std::span<const LayerId> products, std::int64_t rank, LayerId first);

/// Takes out what add_adapters() put in.
NetworkDraft without_adapters(const Network& network);

}  // namespace scalescope::editing
