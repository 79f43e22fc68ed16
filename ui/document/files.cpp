// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/files.hpp"

#include "core/formats/calibration_json.hpp"
#include "core/formats/input_file.hpp"
#include "core/formats/scenario_json.hpp"
#include "core/formats/scenario_text.hpp"
#include "core/lessons/lesson_json.hpp"
#include "core/measure/fit/fit_json.hpp"
#include "core/measure/kineto/reader.hpp"
#include "core/measure/validate/corrections.hpp"
#include "core/words/configured.hpp"

namespace scalescope::ui {
namespace {

/// Of the whole reading; the rest makes a network of what was parsed.
constexpr double parsing_share = 0.6;

/// Where the first lines of a file this program wrote say what it is.
std::size_t place_of(const std::string& text, const char* word) { return text.substr(0, 4096).find(word); }

/// True if the text says it is a scenario; anything else is taken for a network and says itself what is wrong with it:
/// a network's layers may hold any name.
bool says_scenario(const std::string& text) { return place_of(text, "\"scalescope-scenario\"") != std::string::npos; }

/// A lesson may hold whole scenarios, and says what it is before.
bool says_lesson(const std::string& text) {
    return place_of(text, "\"scalescope-lesson\"") < place_of(text, "\"scalescope-scenario\"");
}

}  // namespace

Result<OpenedFile> open_configuration(const std::string& text, const QString& file, const formats::Library& library,
                                      const std::string& trainer) {
    auto read = read_configured_scenario(text, file.toStdString(), library, trainer);
    if (!read) return tl::unexpected(read.error());
    auto opened = opened_scenario(std::move(read->read));
    opened->trainer = QString::fromStdString(read->trainer.title);
    opened->other_trainers = std::move(read->others);
    return opened;
}

Result<OpenedFile> opened_scenario(Result<formats::ReadScenario> read) {
    if (!read) return tl::unexpected(read.error());
    OpenedFile opened;
    opened.scenario = std::move(read->scenario);
    opened.pins = std::move(read->pins);
    opened.view = std::move(read->view);
    opened.warnings = std::move(read->warnings);
    return opened;
}

Result<OpenedFile> open_text(const std::string& text, const QString& file, const formats::Library& library,
                             const Watch& watch) {
    OpenedFile opened;
    const Watch parsing{watch.progress.part(0, parsing_share), watch.cancel};
    if (says_lesson(text)) {
        auto read = lessons::read_lesson(text, file.toStdString(), library);
        if (!read) return tl::unexpected(read.error());
        opened.lesson = std::move(*read);
        return opened;
    }
    const bool link = formats::is_link(text);
    if (link || says_scenario(text)) {
        return opened_scenario(link ? formats::from_link(text, library, parsing)
                                    : formats::read_scenario(text, file.toStdString(), library, {}, parsing));
    }
    if (measure::is_fit(text)) {
        auto fit = measure::read_fit(text, file.toStdString(), watch);
        if (!fit) return tl::unexpected(fit.error());
        opened.fit = std::make_shared<const measure::FittedRuns>(std::move(*fit));
        return opened;
    }
    if (formats::is_calibration(text)) {
        auto read = formats::read_calibration(text, file.toStdString());
        if (!read) return tl::unexpected(read.error());
        opened.calibration.of = std::make_shared<const Calibration>(std::move(*read));
        return opened;
    }
    if (is_configured_scenario(text)) return open_configuration(text, file, library);
    if (formats::looks_like_csv(text)) {
        const auto table = formats::parse_csv(text, file.toStdString(), watch);
        if (!table) return tl::unexpected(table.error());
        opened.runs = std::make_shared<measure::RunSheet>(*table);
        const auto corrections = measure::corrections_beside(file.toStdString());
        if (!corrections) return tl::unexpected(corrections.error());
        if (auto published = measure::read_published(*table, *corrections)) opened.published = std::move(*published);
        return opened;
    }
    auto network =
        formats::read_any_network(text, file.toStdString(), &opened.warnings, parsing, {}, library.families.get());
    if (!network) return tl::unexpected(network.error());
    opened.network = std::move(*network);
    return opened;
}

Result<OpenedFile> open_file(const QString& file, const formats::Library& library, std::string& text,
                             const Watch& watch) {
    const std::string path = file.toStdString();
    if (kineto::is_trace_file(path)) {
        auto trace = kineto::read_trace(path, watch);
        if (!trace) return tl::unexpected(trace.error());
        auto recorded = std::make_shared<RecordedTrace>();
        recorded->digest = kineto::digest(*trace, watch.cancel);
        if (watch.cancel.cancelled())
            return fail(make_error("Reading was cancelled.", "Open it again to read it.", {path, 0, 0}));
        recorded->trace = std::move(*trace);
        OpenedFile opened;
        opened.trace = std::move(recorded);
        return opened;
    }
    auto read = formats::read_input_file(path, watch.cancel);
    if (!read) return tl::unexpected(read.error());
    text = std::move(*read);
    return open_text(text, file, library, watch);
}

Scenario example_scenario(const formats::Library& library) {
    if (const formats::Preset* preset = library.find_scenario("example"))
        if (auto read = formats::read_scenario(preset->text, preset->file, library)) return std::move(read->scenario);
    return {};  // shipped files are checked by tests
}

}  // namespace scalescope::ui
