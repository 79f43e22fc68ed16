// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>

#include "core/scenario/scenario.hpp"

/// Choices as tables, logs and configurations write them, by the words of presets/words.
namespace scalescope {

/// "amp_bf16", "FP8-CS", "bf16-mixed"; nothing if no precision is meant, or several alike.
std::optional<Precision> read_precision(std::string_view text);
/// "Full AC", "selective", or modules: "moe_act; layernorm". Of an empty text: nothing is recomputed.
std::optional<Recompute> read_recompute(std::string_view text);

}  // namespace scalescope
