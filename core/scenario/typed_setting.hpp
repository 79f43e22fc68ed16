// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hardware/catalogue.hpp"
#include "core/scenario/scenario.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace scalescope {

/// What somebody may mean who types "workers 16", "batch = 256" or "device V100".
struct TypedSetting {
    std::string path, label;
    std::string before, after;     ///< as people read them, with units
    std::optional<Scenario> next;  ///< nothing if the field refuses the value
    std::string problem;           ///< why it does

    bool changes() const { return next && before != after; }
};

/// Every field whose label or path has words that begin as the typed ones do, with the value behind them; the likeliest
/// first, `most` at the most. Without "=" a refused value is offered only where it is a number and the field takes
/// numbers: the text may well be no setting at all. A unit behind the number is the field's own or is refused.
std::vector<TypedSetting> typed_settings(std::string_view typed, const Scenario& scenario, const Catalogue& catalogue,
                                         std::size_t most = 4);

}  // namespace scalescope
