// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace scalescope {

/// A value in free text, and the column that would hold it in a table: "BS=32" is batch 32, "8 GPUs" are workers 8.
struct Fact {
    std::string column, text;
};

/// Numbers next to the name of a column that holds numbers (presets/words, "column"), and precision and sharding if the
/// text names them: "TP=8, ZeRO-3, bf16", "4 nodes with 8 GPUs", "seq 4k". Names of one letter are not recognized.
std::vector<Fact> read_facts(std::string_view text);

}  // namespace scalescope
