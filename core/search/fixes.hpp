// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/hardware/catalogue.hpp"
#include "core/search/best_mesh.hpp"

namespace scalescope::search {

/// A design that fits into memory, near one that does not.
struct Fix {
    std::vector<std::string> names;  ///< of the way, or of each change: "ZeRO-3", "recompute blocks"; empty: best mesh
    Scenario scenario;
    Bytes memory{0};  ///< peak of the fullest device
    Seconds step{0};
    SamplesPerSecond rate{0};
    bool operator==(const Fix&) const = default;
};

/// At most `most` designs that fit where `scenario`, whose estimate is `e`, does not. Changes of one kind
/// (memory_remedies) and ways of the catalogue are compared by what they train in a second; those that keep devices and
/// batch come first. `best`, if it is one, is the last.
std::vector<Fix> fixes(const Scenario& scenario, const Plan& plan, const Estimate& e, std::span<const Way> ways,
                       const Result<BestMesh>& best, std::size_t most, const CancelToken& cancel = {});

}  // namespace scalescope::search
