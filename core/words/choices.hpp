// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string_view>

#include "core/scenario/scenario.hpp"

/// Reads choices as tables, logs and configurations write them, using the phrases in presets/words.
namespace scalescope {

/// "amp_bf16", "FP8-CS", "bf16-mixed"; nothing if no precision matches or several match equally well.
std::optional<Precision> read_precision(std::string_view text);
/// "yes", "true", "✔", or the contrary; nothing for other words.
std::optional<bool> read_flag(std::string_view text);
/// "Full AC", "selective", or modules: "moe_act; layernorm". An empty text means that nothing is recomputed.
std::optional<Recompute> read_recompute(std::string_view text);

}  // namespace scalescope
