// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/commands/output.hpp"

namespace scalescope::app {

/// Times and amounts of memory of a table in units that suit their size, for people: a column "epoch_s" of days becomes
/// "epoch_d". A column keeps its unit while its largest value is between 0.1 and 10,000; a table of figures, values and
/// units is changed row by row. All rows are looked at, then the units are chosen, then each row can be rescaled.
class ReadableUnits {
public:
    explicit ReadableUnits(const std::vector<std::string>& columns);
    void look_at(const std::vector<Cell>& row);
    void choose();
    const std::vector<std::string>& names() const { return names_; }
    void rescale(std::vector<Cell>& row) const;

private:
    struct Range {
        double largest = 0.0, least = HUGE_VAL;
        double factor = 1.0;
    };
    std::vector<std::string> names_;
    std::vector<Range> ranges_;
    std::optional<std::pair<std::size_t, std::size_t>> value_and_unit_;
};

}  // namespace scalescope::app
