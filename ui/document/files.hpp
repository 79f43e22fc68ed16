// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <memory>
#include <optional>

#include "core/base/watch.hpp"
#include "core/formats/library.hpp"
#include "core/measure/runs/sheet.hpp"
#include "core/measure/validate/published.hpp"
#include "core/scenario/scenario.hpp"

namespace scalescope::ui {

/// What a file turned out to be: a whole scenario, a network alone, or a table of measured runs.
struct OpenedFile {
    std::optional<Scenario> scenario;
    std::shared_ptr<const Network> network;                       ///< when it is no scenario
    std::shared_ptr<measure::RunSheet> runs;                      ///< when it is a table
    std::optional<std::vector<measure::PublishedRow>> published;  ///< when the table is one of published results
    std::string view;  ///< of a scenario: how it was looked at, as JSON text; may be empty
    Problems warnings;
};

/// Reads a scenario, a network of any format or a table. Touches nothing but its arguments, so that any thread may
/// read.
Result<OpenedFile> open_text(const std::string& text, const QString& file, const formats::Library& library,
                             const Watch& watch = {});

/// The shipped example everybody starts with.
Scenario example_scenario(const formats::Library& library);

}  // namespace scalescope::ui
