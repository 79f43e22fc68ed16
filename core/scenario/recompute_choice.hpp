// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/scenario/names.hpp"

/// Recompute as one small value: a method, or a set of modules.
namespace scalescope {

constexpr unsigned bit_of(RecomputeModule module) { return 1U << static_cast<unsigned>(module); }
/// A bit for each module of the set; 0 for a method.
constexpr unsigned modules_of(Recompute recompute) {
    return recompute < Recompute::modules ? 0 : static_cast<unsigned>(recompute) & 255U;
}
/// `bits` as of modules_of; nothing for none.
constexpr Recompute recompute_modules(unsigned bits) {
    return bits == 0 ? Recompute::nothing : static_cast<Recompute>(static_cast<unsigned>(Recompute::modules) | bits);
}
constexpr bool counts_blocks(Recompute recompute) {
    return recompute == Recompute::uniform || recompute == Recompute::block || recompute == Recompute::every_nth;
}

/// "blocks", "layernorm+moe_act".
std::string recompute_text(Recompute recompute);
/// Modules may be in any order.
std::optional<Recompute> recompute_called(std::string_view text);
/// The methods, then the modules.
std::span<const std::string_view> recompute_words();
/// The same of what may be offloaded: nothing, blocks or modules.
std::optional<Recompute> offload_called(std::string_view text);
std::span<const std::string_view> offload_words();

}  // namespace scalescope
