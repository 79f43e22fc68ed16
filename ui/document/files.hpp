// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <memory>
#include <optional>

#include "core/base/watch.hpp"
#include "core/formats/library.hpp"
#include "core/formats/scenario_json.hpp"
#include "core/lessons/lesson.hpp"
#include "core/measure/fit/fitted_runs.hpp"
#include "core/measure/kineto/digest.hpp"
#include "core/measure/runs/sheet.hpp"
#include "core/measure/validate/published.hpp"
#include "core/scenario/pin.hpp"
#include "core/words/configured.hpp"

namespace scalescope::ui {

/// A recording of a training step as it was read.
struct RecordedTrace {
    kineto::Trace trace;
    kineto::Digest digest;
};

/// What a file turned out to be: a whole scenario, a network alone, a table of measured runs, or a recorded trace.
struct OpenedFile {
    std::optional<Scenario> scenario;
    Pins pins;                                                    ///< of the scenario
    std::shared_ptr<const Network> network;                       ///< when it is no scenario
    std::shared_ptr<measure::RunSheet> runs;                      ///< when it is a table
    std::optional<std::vector<measure::PublishedRow>> published;  ///< when the table is one of published results
    std::shared_ptr<const measure::FittedRuns> fit;               ///< when it is a saved fit of runs
    std::shared_ptr<const RecordedTrace> trace;                   ///< when it is a profiler's recording
    std::optional<lessons::Lesson> lesson;                        ///< when it is one
    SharedCalibration calibration;                                ///< when it is one
    std::string view;  ///< of a scenario: how it was looked at, as JSON text; may be empty
    Problems warnings;
    std::vector<formats::trainers::TrainerName> other_trainers;  ///< whose configuration it could be as well
    QString trainer;  ///< of a training configuration: as whose it was read; else empty
};

/// Reads a training configuration; `trainer`: as one of the trainer with this id, if it fits.
Result<OpenedFile> open_configuration(const std::string& text, const QString& file, const formats::Library& library,
                                      const std::string& trainer = {});
Result<OpenedFile> opened_scenario(Result<formats::ReadScenario> read);

/// Reads a scenario (a link to one, too), a network of any format or a table. Touches nothing but its arguments, so
/// that any thread may read.
Result<OpenedFile> open_text(const std::string& text, const QString& file, const formats::Library& library,
                             const Watch& watch = {});

/// Reads a file of any kind: a recording as a stream, which may be larger than memory; all else whole. `text` is what
/// was read of the latter, for whoever shows the lines at fault.
Result<OpenedFile> open_file(const QString& file, const formats::Library& library, std::string& text,
                             const Watch& watch = {});

/// The shipped example everybody starts with.
Scenario example_scenario(const formats::Library& library);

}  // namespace scalescope::ui
