// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/words/pieces.hpp"

namespace scalescope {

/// A rate or a time in words, whatever its units: "tokens/s", "imgs per minute", "ms/iter", "epoch time (h)",
/// "s per 20 iterations".
struct FigureWords {
    std::string metric;       ///< "throughput", "flop_rate", "step" or "epoch"; empty if the text names none
    std::string unit;         ///< "tokens/s", "k tokens/min", "TFLOP/s", "ms"
    double each = 1;          ///< steps or epochs that a time is for
    bool inverse = false;     ///< the text is a time for a unit of work, "ms/image", and this its inverse
    std::size_t letters = 0;  ///< how many letters of the text name it
};

/// Reads what the text says in words of work, of time and of durations (presets/words, "work", "time", "duration").
/// Steps and epochs have times; all else has rates, also where the text says how long one unit of work takes.
FigureWords read_figure_words(const std::vector<Piece>& pieces);

/// The unit of that kind of presets/words ("time", "bytes") that the pieces name last; empty if they name none.
std::string unit_of_kind(const char* kind, const std::vector<Piece>& pieces);

}  // namespace scalescope
