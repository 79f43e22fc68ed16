// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/hardware.hpp"

namespace scalescope {

/// "NVIDIA H100 SXM at 6.88 USD an hour (AWS …, November 2026)"; nothing where no price is known.
inline std::optional<std::string> price_note(const Scenario& s) {
    const auto price = worker_price(s);
    if (!price) return std::nullopt;
    return worker_name(s) + " at " + format_fixed(*price, 2) + " USD an hour (" + price_basis(s) + ")";
}

}  // namespace scalescope
