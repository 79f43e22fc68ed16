// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace scalescope::search {

/// What an answer does not have, and why.
struct LeftOut {
    std::string path;    ///< of the field; empty for what is no field
    std::string label;   ///< "Latency inside a node"
    std::string reason;  ///< a sentence
    bool operator==(const LeftOut&) const = default;
};

}  // namespace scalescope::search
