// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <set>
#include <string>
#include <vector>

#include "core/network/network.hpp"

/// A network as a list that a person can read: equal blocks once, and what is in a block of a transformer by the words
/// of the field.
namespace scalescope::drawing {

/// A layer, a part of a block ("Q, K, V"), or all blocks that are equal.
struct OutlineRow {
    std::string path;      ///< names it within the network
    std::string title;     ///< "conv1", "Q, K, V", "Block"
    bool is_word = false;  ///< the title is a word of the program, which can be translated; else a name of the network
    int parent = -1;       ///< row
    int depth = 0;         ///< rows above it that it is in
    int repeat = 1;        ///< equal blocks that it stands for
    std::vector<int> layers;  ///< positions, ascending: in all of those blocks
    std::string size;         ///< of a word: "64 heads", "128 experts", else how wide it is, "10,240"
    bool has_children = false;
    bool open_at_first = false;  ///< as long as nobody asks otherwise, what is in it is shown
};

/// In the network's order, each row before those that are in it.
struct Outline {
    std::vector<OutlineRow> rows;
    /// Rows of which none above is closed. `toggled`: paths of rows that are not as at first.
    std::vector<int> visible(const std::set<std::string>& toggled) const;
    bool is_open(int row, const std::set<std::string>& toggled) const {
        const OutlineRow& r = rows[static_cast<std::size_t>(row)];
        return r.has_children && r.open_at_first != toggled.contains(r.path);
    }
};

/// Rows that can be read at a glance. With no more of them, only the parts of blocks are folded at first; else all but
/// blocks that repeat, or these too.
inline constexpr int most_rows_at_first = 28;

/// The blocks are those of make_hierarchy(). Blocks that are alike() share one row, wherever they are in the network. A
/// block that contains attention, experts or a layer of unknown kind is listed by its parts (block_parts.hpp). The
/// result is computed once for each network.
const Outline& outline_of(const Network& network);

}  // namespace scalescope::drawing
