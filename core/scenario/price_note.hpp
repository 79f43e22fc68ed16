// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "core/scenario/hardware.hpp"

namespace scalescope {

/// "NVIDIA H100 SXM at 6.88 USD an hour (AWS …, November 2026)"; nothing where no price is known.
inline std::optional<std::string> price_note(const Scenario& s) {
    const auto price = worker_price(s);
    if (!price) return std::nullopt;
    return worker_name(s) + " at " + format_fixed(*price, 2) + " USD an hour (" + price_basis(s) + ")";
}

/// The prices behind the costs of several scenarios, told once for each device: a cost without its price, source and
/// date is nothing to rely on.
class PriceNotes {
public:
    void add(const Scenario& s) {
        auto note = price_note(s);
        if (note && std::find(texts_.begin(), texts_.end(), *note) == texts_.end()) texts_.push_back(std::move(*note));
    }
    const std::vector<std::string>& texts() const { return texts_; }

private:
    std::vector<std::string> texts_;
};

}  // namespace scalescope
