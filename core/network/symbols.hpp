// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/network/layer.hpp"

/// Sizes that a network leaves open.
namespace scalescope {

struct Symbol {
    std::string name;  ///< "batch" is always there
    std::int64_t initial = 1;
    std::string description;
};

/// The value of a symbol in one network. The batch has none: it is the axis of the samples.
struct Binding {
    std::string symbol;
    std::int64_t value = 1;
    bool operator==(const Binding&) const = default;
};

inline constexpr std::string_view batch_symbol = "batch";

/// The initial value of every symbol but the batch, in their order.
std::vector<Binding> initial_bindings(std::span<const Symbol> symbols);
/// Sets those of `bindings` that `wanted` names. What it does not have, and values out of range, are Problems;
/// `network` is the name that they say.
Result<void> bind(std::vector<Binding>& bindings, std::span<const Binding> wanted, const std::string& network);
/// The layer with a number for every dimension but the batch; nothing if it has numbers only.
Result<std::optional<Layer>> with_values(const Layer& layer, std::span<const Binding> bindings);

}  // namespace scalescope
