// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/watch.hpp"
#include "core/formats/json_decoder.hpp"
#include "core/formats/json_writer.hpp"
#include "core/formats/versions.hpp"
#include "core/measure/fit/fitted_runs.hpp"

namespace scalescope::measure {

/// A fit as JSON: form, data hash, seed, bounds, constants with intervals, metrics, baselines, findings. Times in
/// seconds, errors as shares of the measured time. With them all it was made with and of, so that it reads back whole:
/// settings, refits, and the columns of the runs that are factors, with their times.
std::string fit_json(const FittedRuns& fitted);

/// The fit that `text` holds. What follows from form, constants, refits and runs is worked out anew, bit for bit as it
/// was; what the file says of it for other programs is not read. The curve of its search is not kept. Problems, with
/// line and column: what is missing, does not fit together, or gives no finite time.
Result<FittedRuns> read_fit(std::string_view text, std::string file, const Watch& watch = {});

/// Whether a text says that it is a fit.
bool is_fit(std::string_view text);

/// The words of files and of the command line, in the order of FormKind, Loss and FitOptimizer.
inline constexpr std::string_view form_words[] = {"product", "two-term", "physical", "tiers"};
inline constexpr std::string_view loss_words[] = {"squared", "huber", "absolute"};
inline constexpr std::string_view optimizer_words[] = {"fast", "de"};
constexpr std::string_view word_of(FormKind kind) { return form_words[static_cast<std::size_t>(kind)]; }
constexpr std::string_view word_of(Loss loss) { return loss_words[static_cast<std::size_t>(loss)]; }
constexpr std::string_view word_of(FitOptimizer o) { return optimizer_words[static_cast<std::size_t>(o)]; }

extern const formats::FileFormat fit_format;

/// How a table is read and fitted, as an object of JSON: {"columns": {…}, "filters": […], "hold_out": {…}, "form": {…},
/// "search": {…}}. Reads back as the same settings; only `threads` is not among them.
void write_setup(formats::JsonWriter& json, const FitSetup& setup);
/// Nothing, and problems, if it is broken.
std::optional<FitSetup> read_setup(formats::JsonValue value, const std::string& path, formats::ProblemList& problems);

}  // namespace scalescope::measure
