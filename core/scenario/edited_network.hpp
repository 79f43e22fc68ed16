// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/scenario/scenario.hpp"

namespace scalescope {

struct Replaced {
    Scenario scenario;
    std::vector<std::string> notes;  ///< a sentence for each setting that could not stay as it was
};

/// The scenario with another state of one of its networks, as an edit left it; it is no longer the file or preset it
/// came from. What the scenario says about single layers goes on being said of those of the same LayerId. Frozen layers
/// that are gone are left out; a cut or a stage that began with one begins with the next layer that is still there.
Replaced replace_network(Scenario scenario, int part, std::shared_ptr<const Network> network);

/// The same without the notes.
Scenario with_edited_network(Scenario scenario, int part, std::shared_ptr<const Network> network);

}  // namespace scalescope
