// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>

#include "core/scenario/names.hpp"

/// All values of a choice in a scenario, so that a new one is tested wherever all are.
namespace support {

template <class E>
constexpr auto all_of() {
    std::array<E, scalescope::choice_names<E>.size()> all{};
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<E>(i);
    return all;
}

constexpr auto all_strategies = all_of<scalescope::Strategy>();
constexpr auto all_collectives = all_of<scalescope::Collective>();
constexpr auto all_schemes = all_of<scalescope::HybridScheme>();
constexpr auto all_overlaps = all_of<scalescope::Overlap>();
constexpr auto all_optimizers = all_of<scalescope::Optimizer>();

}  // namespace support
