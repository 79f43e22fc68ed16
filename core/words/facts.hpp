// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace scalescope {

/// A value in free text, and the table column that it belongs to: "BS=32" is batch 32, "8 GPUs" is workers 8.
struct Fact {
    std::string column, text;
};

/// Finds numbers next to the name of a numeric column (presets/words, "column"), and precision and sharding if the text
/// names them: "TP=8, ZeRO-3, bf16", "4 nodes with 8 GPUs", "seq 4k". Names of one letter are not recognized.
std::vector<Fact> read_facts(std::string_view text);

}  // namespace scalescope
