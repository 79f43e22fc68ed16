// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "core/scenario/scenario.hpp"

/// Fine-tuning with low-rank adapters (docs/decisions/adapters.md).
namespace scalescope {

inline constexpr std::string_view no_adapters = "none";
inline constexpr std::int64_t first_rank = 16;

/// The scenario with adapters beside the products that `words` choose in its networks (editing::products_called()), in
/// place of those it has. Only adapters are trained: all other layers with weights are frozen. "none" takes adapters
/// out, and trains everything again. Without `rank` they keep the rank they have, at first first_rank.
Result<Scenario> with_adapters(Scenario scenario, std::string_view words, std::optional<std::int64_t> rank = {});

/// Adapters that with_adapters() added, each network once.
struct AdapterCount {
    std::int64_t adapters = 0, parameters = 0;
    std::int64_t all = 0;  ///< parameters of the networks
};
AdapterCount count_adapters(const Scenario& scenario);

/// What with_adapters() left out, or had to fix.
Problems notes_on_adapters(const Scenario& before, const Scenario& after);

}  // namespace scalescope
