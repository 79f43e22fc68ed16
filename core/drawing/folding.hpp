// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

/// Folds a long list of layers and blocks, whose names say nothing, into a dozen or two parts.
namespace scalescope::drawing {

/// More layers than these side by side are too many to read; so are fewer boxes if some are blocks, of which there is
/// more to say.
inline constexpr int most_boxes = 28, most_with_blocks = 20;

/// One layer or block of the list, in the network's order.
struct Piece {
    int alike = 0;            ///< equal for pieces of the same kinds and attributes
    bool is_layer = true;     ///< else a block that somebody named
    int layers = 1;           ///< in it
    std::string resolution;   ///< of what it gives: "56×56"
    std::vector<int> inputs;  ///< pieces it reads; −1: from outside
};

/// A piece, or a run of them.
struct Part {
    int piece = -1;           ///< -1: a run
    int repeat = 1;           ///< so many parts, which are alike, are all there is in it
    std::string resolution;   ///< of all that is in it; empty: not for that was it put together
    std::vector<Part> parts;  ///< of a run
};

/// A list that can be read stays as it is. Of a longer one, what repeats is put together: runs of the same
/// kinds, attributes and connections, cut where the fewest tensors pass. Then layers between blocks, then what has the
/// same resolution, and at last runs of about the same length. Blocks with names are left whole. A run that is itself
/// long is folded again.
std::vector<Part> fold_long(const std::vector<Piece>& pieces);

}  // namespace scalescope::drawing
