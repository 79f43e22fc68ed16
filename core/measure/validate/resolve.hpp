// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/formats/library.hpp"
#include "core/measure/validate/aliases.hpp"
#include "core/scenario/scenario.hpp"

namespace scalescope::measure {

/// What of a scenario a row measured.
enum class PublishedMetric { samples_per_second, tokens_per_second, forward, backward, both_passes, step };

/// A row as a scenario, or the reason why it is none.
struct ResolvedRow {
    std::optional<Scenario> scenario;
    PublishedMetric metric = PublishedMetric::samples_per_second;
    double tokens_per_sample = 1;
    double unit = 1;                   ///< predicted figure (per second, or seconds) over the row's unit: 1000 for ms
    bool recalled = false;             ///< a figure of its device or links has no source that somebody read
    std::vector<std::string> sources;  ///< of what the table leaves open, each once
    std::string reason;                ///< a full sentence; empty if there is a scenario
};

/// Turns rows into scenarios by the aliases; reads each network once.
class RowResolver {
public:
    RowResolver(const formats::Library& library, const Aliases& aliases) : library_(library), aliases_(aliases) {}
    ResolvedRow resolve(const PublishedRow& row);

private:
    std::shared_ptr<const Network> network(const std::string& id, std::string& reason);

    const formats::Library& library_;
    const Aliases& aliases_;
    std::map<std::string, Result<std::shared_ptr<const Network>>> networks_;
};

}  // namespace scalescope::measure
