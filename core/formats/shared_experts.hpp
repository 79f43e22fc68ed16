// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/json_decoder.hpp"
#include "core/network/network.hpp"

#include <cstdint>
#include <string>
#include <unordered_map>

namespace scalescope::formats {

/// Experts that every position goes through, by the id of their mixture.
using SharedExperts = std::unordered_map<std::uint32_t, std::int64_t>;

/// Draws the shared experts that older files have as an attribute of a mixture: a feed-forward network beside the
/// mixture, and a sum that the readers of the mixture read instead. The layers of the draft have the ids 1, 2, …
void draw_shared_experts(NetworkDraft& draft, const SharedExperts& shared, const std::string& path,
                         ProblemList& problems);

}  // namespace scalescope::formats
