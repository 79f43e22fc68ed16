// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/input.hpp"

#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <ostream>

#include "app/commands/command.hpp"
#include "core/base/limits.hpp"
#include "core/base/suggest.hpp"
#include "core/formats/calibration_json.hpp"
#include "core/formats/input_file.hpp"
#include "core/formats/named_settings.hpp"
#include "core/formats/scenario_text.hpp"
#include "core/scenario/calibrated.hpp"
#include "core/scenario/fields.hpp"
#include "core/scenario/symbol_fields.hpp"

namespace scalescope::app {

formats::Library load_library(std::ostream& err) {
    auto library = formats::load_shipped();
    add_folder(library, formats::own_folder(std::getenv("XDG_DATA_HOME"), std::getenv("HOME")));
    report(err, library.problems);
    return library;
}

Result<NamedText> named_text(const std::string& name, const FindPreset& find,
                             const std::vector<formats::Preset>& presets, const std::string& what) {
    std::error_code ignored;
    // A folder that happens to be called like a preset does not hide it.
    const bool file = std::filesystem::exists(name, ignored) && !std::filesystem::is_directory(name, ignored);
    if (!file) {
        if (const auto* preset = find(name)) return NamedText{preset->text, preset->file};
        if (std::filesystem::is_directory(name, ignored))
            return fail(Problem{Severity::error,
                                "\"" + name + "\" is a folder.",
                                {},
                                "Name a file in it, or a preset: scalescope list " + what + "s",
                                {}});
        std::vector<std::string> known;
        for (const auto& preset : presets) known.push_back(preset.id);
        const auto meant = closest(name, known);
        return fail(Problem{Severity::error,
                            "There is no file and no " + what + " called \"" + name + "\".",
                            {},
                            meant ? "Did you mean " + *meant + "?" : "See: scalescope list " + what + "s",
                            {}});
    }
    auto text = formats::read_input_file(name);
    if (!text) return fail(text.error());
    return NamedText{std::move(*text), name};
}

Result<std::shared_ptr<const Network>> network_named(const std::string& name, const formats::Library& library,
                                                     Problems* warnings, std::span<const Binding> sizes) {
    const auto find = [&](const std::string& n) { return library.find_network(n); };
    auto source = named_text(name, find, library.networks, "network");
    if (!source) return fail(source.error());
    return formats::read_any_network(source->text, source->file, warnings, {}, sizes);
}

Result<formats::ReadScenario> scenario_named(const std::string& name, const formats::Library& library) {
    if (formats::is_link(name)) return formats::from_link(name, library);
    const auto find = [&](const std::string& n) { return library.find_scenario(n); };
    auto source = named_text(name, find, library.scenarios, "scenario");
    if (!source) return fail(source.error());
    if (formats::is_link(source->text)) return formats::from_link(source->text, library);
    return formats::read_scenario(source->text, source->file, library);
}

std::optional<Assignment> parse_assignment(const std::string& text) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0) return std::nullopt;
    return Assignment{text.substr(0, equals), text.substr(equals + 1)};
}

tl::expected<std::vector<Assignment>, int> assignments(std::string_view verb, std::string_view option,
                                                       const Arguments& arguments, std::ostream& err) {
    std::vector<Assignment> all;
    for (const auto& text : arguments.values(option)) {
        auto assignment = parse_assignment(text);
        if (!assignment) {
            err << "scalescope " << verb << ": '" << text << "' after --" << option
                << " is not of the form PATH=VALUE; write for example cluster.workers=8\nTry: scalescope " << verb
                << " --help\n";
            return tl::unexpected(exit_usage);
        }
        all.push_back(std::move(*assignment));
    }
    return all;
}

std::vector<Binding> sizes_in(const std::vector<Assignment>& changes) {
    std::vector<Binding> sizes;
    for (const auto& change : changes) {
        if (!change.path.starts_with(SymbolFields::prefix)) continue;
        std::int64_t value = 0;
        const char* end = change.value.data() + change.value.size();
        const auto read = std::from_chars(change.value.data(), end, value);
        if (read.ec == std::errc() && read.ptr == end && value >= 1 && value <= limits::dimension)
            sizes.push_back({change.path.substr(SymbolFields::prefix.size()), value});
    }
    return sizes;
}

Result<std::shared_ptr<const Network>> with_sizes(std::shared_ptr<const Network> network,
                                                  const std::vector<Assignment>& changes, const std::string& what) {
    Scenario scenario;
    scenario.workload.push_back({std::move(network), {}, 1, {}});
    for (const auto& change : changes) {
        if (!change.path.starts_with(SymbolFields::prefix))
            return fail(Problem{Severity::error,
                                what + " depends on no field \"" + change.path + "\".",
                                change.path,
                                "set a size of the network, such as symbols.sequence=2048",
                                {}});
        if (auto set = set_field(scenario, change.path, change.value, Catalogue{}); !set) return fail(set.error());
    }
    return scenario.workload.front().network;
}

Result<void> Setter::set(Scenario& scenario, const std::string& path, const std::string& value) {
    if (path == "network") return set_network(scenario, value);
    if (path == "calibration") return set_calibration(scenario, value);
    return formats::set_by_name(scenario, path, value, library_);
}

Result<void> Setter::set_network(Scenario& scenario, const std::string& value) {
    auto& network = networks_[value];
    if (!network) {
        auto read = network_named(value, library_, &warnings_, sizes_);
        if (!read) return fail(read.error());
        network = std::move(*read);
    }
    scenario = with_network(std::move(scenario), network);
    return {};
}

Result<Calibration> calibration_named(const std::string& name, const formats::Library& library) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(name, error)) return formats::own_calibration(name, library);
    const auto text = formats::read_input_file(name);
    if (!text) return fail(text.error());
    return formats::read_calibration(*text, name);
}

Result<void> Setter::set_calibration(Scenario& scenario, const std::string& value) {
    auto read = calibration_named(value, library_);
    if (!read) return fail(read.error());
    scenario = with_calibration(std::move(scenario), {std::make_shared<const Calibration>(std::move(*read))});
    return {};
}

Problems evidence_notes(const Scenario& scenario) {
    const auto evidence = evidence_of(scenario);
    const char* remedy = "see the calibration for the constants and their intervals";
    switch (evidence.state) {
        case ScenarioEvidence::State::uncalibrated: return {};
        case ScenarioEvidence::State::calibrated: break;
        case ScenarioEvidence::State::extrapolated: remedy = "measure there, and calibrate again, to be sure"; break;
        case ScenarioEvidence::State::changed:
            remedy = "set the calibration again, or measure and calibrate anew";
            break;
    }
    return {{Severity::warning, long_text(evidence, scenario), "calibration", remedy, {}}};
}

namespace {

/// The scenario, and if `pins` the designs pinned beside it.
tl::expected<formats::ReadScenario, int> read_and_set(std::string_view verb, const Arguments& arguments,
                                                      const formats::Library& library, std::ostream& err,
                                                      std::size_t word, bool pins) {
    const auto changes = assignments(verb, "set", arguments, err);
    if (!changes) return tl::unexpected(changes.error());
    auto read = scenario_named(arguments.positional(word), library);
    if (!read) return tl::unexpected(report(err, read.error()));
    report(err, read->warnings);
    Setter setter(library, sizes_in(*changes));
    const auto set_all = [&](Scenario& scenario) -> Result<void> {
        for (const auto& change : *changes) {
            const Scenario before = scenario;
            if (auto set = setter.set(scenario, change.path, change.value); !set) return set;
            scenario.name = name_after(before, scenario);
        }
        return {};
    };
    if (const auto set = set_all(read->scenario); !set) return tl::unexpected(report(err, set.error()));
    if (!pins) read->pins.clear();
    for (Pin& pin : read->pins) {
        if (changes->empty()) break;
        Scenario changed = *pin.scenario;
        if (const auto set = set_all(changed); !set) return tl::unexpected(report(err, set.error()));
        pin.scenario = std::make_shared<const Scenario>(std::move(changed));
    }
    report(err, setter.take_warnings());
    report(err, evidence_notes(read->scenario));
    return std::move(*read);
}

}  // namespace

tl::expected<Scenario, int> scenario_to_use(std::string_view verb, const Arguments& arguments,
                                            const formats::Library& library, std::ostream& err, std::size_t word) {
    auto read = read_and_set(verb, arguments, library, err, word, false);
    if (!read) return tl::unexpected(read.error());
    return std::move(read->scenario);
}

tl::expected<formats::ReadScenario, int> designs_to_use(std::string_view verb, const Arguments& arguments,
                                                        const formats::Library& library, std::ostream& err,
                                                        std::size_t word) {
    return read_and_set(verb, arguments, library, err, word, true);
}

tl::expected<ScenarioCall, int> scenario_call(Options options, std::span<const std::string> words, std::ostream& out,
                                              std::ostream& err) {
    options.positional("SCENARIO", scenario_help);
    options.values("set", "PATH=VALUE",
                   "change a field first (scalescope list fields), or cluster=NAME, network=NAME or network=FILE");
    options.table_format();
    auto arguments = options.parse(words, out, err);
    if (!arguments) return tl::unexpected(arguments.error());
    const auto library = load_library(err);
    auto scenario = scenario_to_use(options.command().name, *arguments, library, err);
    if (!scenario) return tl::unexpected(scenario.error());
    return ScenarioCall{std::move(*arguments), std::move(*scenario)};
}

}  // namespace scalescope::app
