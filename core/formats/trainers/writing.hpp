// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "core/formats/trainers/reading.hpp"

namespace scalescope::formats::trainers {

struct Written {
    std::string text;
    Problems notes;  ///< what the trainer cannot express
};

/// A configuration for the trainer with these figures; the trainer must have a syntax to write. `about`: lines of the
/// comment at the beginning.
Result<Written> write_configuration(const Description& trainer, const Figures& figures, std::vector<std::string> about);

}  // namespace scalescope::formats::trainers
