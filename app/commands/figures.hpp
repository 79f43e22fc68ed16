// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <iosfwd>
#include <string>
#include <string_view>
#include <vector>

#include "app/commands/output.hpp"
#include "core/estimate/estimate.hpp"
#include "core/scenario/hardware.hpp"

/// An estimate as tables.
namespace scalescope::app {

/// One figure: its name without a unit, its value, its unit as a column name has it ("samples_per_s"; empty for counts,
/// ratios and shares) and as people write it ("samples/s").
struct Figure {
    std::string name;
    Cell value;
    std::string suffix, unit;
    std::string column() const { return suffix.empty() ? name : name + '_' + suffix; }
};

/// Every figure of a scenario.
std::vector<Figure> all_figures(const Scenario& scenario, const Estimate& e);
/// The few that a row of a sweep shows. Their names and order are always the same.
std::vector<Figure> key_figures(const Scenario& scenario, const Estimate& e);

/// A row per figure, per layer, per message, per buffer that waits for backward or stays, per device of a pipeline.
Table figure_table(const Scenario& scenario, const Estimate& e);
Table layer_table(const Scenario& scenario, const Estimate& e);
Table message_table(const Scenario& scenario, const Estimate& e);
Table buffer_table(const Scenario& scenario, const Plan& plan, const Estimate& e);
Table stage_table(const Estimate& e);

/// Lines such as "cost: NVIDIA H100 SXM at 6.88 USD an hour (AWS …)"; `figure` is what the table calls it.
void write_prices(std::ostream& err, const PriceNotes& prices, std::string_view figure);

}  // namespace scalescope::app
