// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <optional>

#include "core/formats/library.hpp"
#include "core/scenario/scenario.hpp"

namespace scalescope::ui {

/// What a file turned out to be, taken into a scenario.
struct OpenedFile {
    Scenario scenario;
    bool is_scenario = false;  ///< false: a network, put into the scenario that was open
    std::string view;          ///< of a scenario: how it was looked at, as JSON text; may be empty
    Problems warnings;
};

/// Reads a scenario or a network of any format. A network takes the place of `current`'s; everything else of it stays.
Result<OpenedFile> open_text(const std::string& text, const QString& file, const formats::Library& library,
                             const Scenario& current);
Result<OpenedFile> open_file(const QString& file, const formats::Library& library, const Scenario& current);

/// The shipped example everybody starts with.
Scenario example_scenario(const formats::Library& library);

}  // namespace scalescope::ui
