// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/input.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <ostream>

#include "app/commands/command.hpp"
#include "core/base/limits.hpp"
#include "core/base/listed.hpp"
#include "core/base/suggest.hpp"
#include "core/formats/calibration_json.hpp"
#include "core/formats/hugging_face/import.hpp"
#include "core/formats/input_file.hpp"
#include "core/formats/json_decoder.hpp"
#include "core/formats/named_settings.hpp"
#include "core/formats/scenario_text.hpp"
#include "core/scenario/adapters.hpp"
#include "core/scenario/calibrated.hpp"
#include "core/scenario/former_names.hpp"
#include "core/scenario/symbol_fields.hpp"
#include "core/words/configured.hpp"
#include "core/words/device_words.hpp"
#include "core/words/network_words.hpp"
#include "core/words/written_values.hpp"

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
            return fail(make_error("\"" + name + "\" is a folder.",
                                   "Name a file in it, or a preset: scalescope list " + what + "s"));
        std::vector<std::string> known;
        for (const auto& preset : presets) known.push_back(preset.id);
        const auto meant = closest(name, known);
        return fail(make_error("There is no file and no " + what + " called \"" + name + "\".",
                               meant ? "Did you mean " + *meant + "?" : "See: scalescope list " + what + "s"));
    }
    auto text = formats::read_input_file(name);
    if (!text) return fail(text.error());
    return NamedText{std::move(*text), name};
}

Problems with_set_advice(Problems problems) {
    const std::string symbols = formats::join_path("symbols", "");
    for (Problem& p : problems)
        if (p.severity == Severity::error && p.where.starts_with(symbols))
            p.remedy += " Here: --set " + std::string(SymbolFields::prefix) + p.where.substr(symbols.size()) + "=SIZE";
    return problems;
}

namespace {

void add_no_configuration(Problems& warnings, const std::string& file, const std::string& trainer) {
    if (!trainer.empty())
        warnings.push_back(make_warning("This is not a training configuration: --as " + trainer + " changes nothing.",
                                        "leave it out", {file, 0, 0}));
}

}  // namespace

Result<std::shared_ptr<const Network>> network_named(const std::string& name, const formats::Library& library,
                                                     Problems* warnings, std::span<const Binding> sizes,
                                                     const ReadAs& as) {
    // The name as it is written, or what it means: "meta-llama/Llama-2-7b-hf".
    const auto find = [&](const std::string& n) -> const formats::Preset* {
        const formats::Preset* own = library.find_network(n);
        return own ? own : library.find_network(value_meant(library, {}, "network", n));
    };
    auto source = named_text(name, find, library.networks, "network");
    if (!source) {
        const NetworkReading read = read_network(library, name);
        if (read.family.empty() || read.size.empty() || !read.assumed.empty() || !as.part.empty())
            return fail(source.error());
        ASSIGN_OR_RETURN(auto draft, formats::network_of_size(library.known_families(), read.family, read.size));
        return Network::make(std::move(draft), sizes);
    }
    if (is_configured_scenario(source->text)) {
        ASSIGN_OR_RETURN(auto read, configured_scenario(source->text, source->file, library, as.trainer));
        if (warnings) *warnings = std::move(read.warnings);
        return read.scenario.workload.front().network;
    }
    auto network =
        formats::read_any_network(source->text, source->file, warnings, {}, sizes, library.families.get(), as.part);
    if (warnings) add_no_configuration(*warnings, source->file, as.trainer);
    if (!network) return fail(with_set_advice(std::move(network.error())));
    return network;
}

Result<formats::ReadScenario> configured_scenario(const std::string& text, const std::string& file,
                                                  const formats::Library& library, const std::string& trainer) {
    ASSIGN_OR_RETURN(auto configured, read_configured_scenario(text, file, library, trainer));
    if (!configured.others.empty()) {
        std::vector<std::string> ids;
        for (const auto& other : configured.others) ids.push_back("--as " + other.id);
        configured.read.warnings.front().remedy += " Here: " + scalescope::joined(ids, " or ");
    }
    return std::move(configured.read);
}

Result<formats::ReadScenario> scenario_named(const std::string& name, const formats::Library& library,
                                             std::span<const Binding> sizes, const std::string& trainer) {
    if (formats::is_link(name)) return formats::from_link(name, library);
    const auto find = [&](const std::string& n) { return library.find_scenario(n); };
    auto source = named_text(name, find, library.scenarios, "scenario");
    if (!source) return fail(source.error());
    if (formats::is_link(source->text)) return formats::from_link(source->text, library);
    if (is_configured_scenario(source->text)) return configured_scenario(source->text, source->file, library, trainer);
    auto scenario = formats::read_scenario(source->text, source->file, library, {}, {}, sizes);
    if (!scenario) return fail(with_set_advice(std::move(scenario.error())));
    add_no_configuration(scenario->warnings, source->file, trainer);
    return scenario;
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

void declare_read_as(Options& options) {
    options.value("part", "PART",
                  "of a Hugging Face configuration of several parts, open only this one: text, vision or audio, as in "
                  "vision_config (default: the parts joined)");
    options.value("as", "TRAINER",
                  "read a training configuration that could be several trainers' as that of this one, such as "
                  "megatron-deepspeed (default: of which it has most keys; a warning names the others)");
}

void declare_set(Options& options, std::string text) {
    options.values("set", "PATH=VALUE", std::move(text));
    declare_read_as(options);
}

ReadAs read_as(const Arguments& arguments) {
    return {arguments.value("part").value_or(""), arguments.value("as").value_or("")};
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

std::vector<Binding> sizes_in(const std::vector<Assignment>& changes, const std::vector<Assignment>& varied) {
    std::vector<Assignment> first;
    for (const Assignment& vary : varied)
        if (std::none_of(changes.begin(), changes.end(), [&](const Assignment& c) { return c.path == vary.path; }))
            first.push_back({vary.path, vary.value.substr(0, vary.value.find_first_of(",."))});
    return sizes_in(first);
}

Result<std::shared_ptr<const Network>> with_sizes(std::shared_ptr<const Network> network,
                                                  const std::vector<Assignment>& changes, const std::string& what) {
    Scenario scenario;
    scenario.workload.push_back({std::move(network), {}, 1, {}});
    for (const auto& change : changes) {
        if (!change.path.starts_with(SymbolFields::prefix))
            return fail(make_error(what + " depends on no field \"" + change.path + "\".",
                                   "set a size of the network, such as symbols.sequence=2048", {}, change.path));
        if (auto set = set_field(scenario, change.path, change.value, Catalogue{}); !set) return fail(set.error());
    }
    return scenario.workload.front().network;
}

namespace {

bool has_size(const Network& network, std::string_view symbol) {
    const auto all = network.bindings();
    return std::any_of(all.begin(), all.end(), [&](const Binding& b) { return b.symbol == symbol; });
}

/// What `read` gives at `sizes`, or where that fails, at the first varied ones too.
template <class Read>
auto at_sizes(std::vector<Binding> sizes, const std::vector<Binding>& varied, const Read& read) {
    auto result = read(sizes);
    if (result || varied.empty()) return result;
    sizes.insert(sizes.end(), varied.begin(), varied.end());
    if (auto again = read(sizes)) result = std::move(again);
    return result;
}

}  // namespace

Result<void> Setter::set(Scenario& scenario, const std::string& path, const std::string& value) {
    if (path == "network") return set_network(scenario, value);
    if (path == "calibration") return set_calibration(scenario, value);
    if (path == "adapters") return set_adapters(scenario, value);
    const Field* field = find_field(path);
    if (field && field->type == FieldType::device && !value.empty() && !library_.catalogue.device(value))
        if (const auto known = require_device(library_.catalogue, value); !known) return fail(known.error());
    return formats::set_by_name(scenario, path, value_meant(library_, scenario, path, value), library_);
}

Result<void> Setter::set_network(Scenario& scenario, const std::string& value) {
    auto& network = networks_[value];
    if (!network) {
        auto read = at_sizes(sizes_, varied_, [&](const std::vector<Binding>& sizes) {
            return network_named(value, library_, &warnings_, sizes, as_);
        });
        if (!read) return fail(read.error());
        std::vector<Binding> own;
        for (const Binding& size : sizes_)
            if (has_size(**read, size.symbol)) own.push_back(size);
        if (!own.empty()) read = (*read)->with(own);
        if (!read) return fail(read.error());
        network = std::move(*read);
    }
    Scenario next = with_network(scenario, network);
    for (Problem& note : notes_on_network(scenario, next))
        if (std::ranges::none_of(sizes_, [&](const Binding& size) {  // those that are set here anyway
                return std::string(SymbolFields::prefix) + size.symbol == note.where;
            }))
            warnings_.push_back(std::move(note));
    scenario = std::move(next);
    return {};
}

Result<void> Setter::set_adapters(Scenario& scenario, const std::string& value) {
    auto adapted = with_adapters(scenario, value);
    if (!adapted) return fail(adapted.error());
    for (Problem& note : notes_on_adapters(scenario, *adapted)) warnings_.push_back(std::move(note));
    scenario = std::move(*adapted);
    return {};
}

Result<void> Setter::check_sizes(const Scenario& scenario) const {
    for (const Binding& size : sizes_) {
        const bool has = symbol_value(scenario, size.symbol) ||
                         std::any_of(networks_.begin(), networks_.end(), [&](const auto& named) {
                             return named.second && has_size(*named.second, size.symbol);
                         });
        if (!has)
            return fail(make_error("None of the networks has a size called \"" + size.symbol + "\".",
                                   "leave it out, or correct its name; scalescope list fields SCENARIO shows the sizes",
                                   {}, std::string(SymbolFields::prefix) + size.symbol));
    }
    return {};
}

Result<void> Setter::check_part() const {
    if (as_.part.empty() || !networks_.empty()) return {};
    return fail(make_error("--part names a part of a network, but no network is set.", "add --set network=FILE"));
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
    return {make_warning(long_text(evidence, scenario), remedy, {}, "calibration")};
}

namespace {

/// The scenario, and if `pins` the designs pinned beside it.
tl::expected<formats::ReadScenario, int> read_and_set(std::string_view verb, const Arguments& arguments,
                                                      const formats::Library& library, std::ostream& err,
                                                      std::size_t word, bool pins,
                                                      const std::vector<Assignment>& varied = {}) {
    const auto changes = assignments(verb, "set", arguments, err);
    if (!changes) return tl::unexpected(changes.error());
    const auto sizes = sizes_in(*changes), first = sizes_in(*changes, varied);
    auto read = at_sizes(sizes, first, [&](const std::vector<Binding>& at) {
        return scenario_named(arguments.positional(word), library, at, arguments.value("as").value_or(""));
    });
    if (!read) return tl::unexpected(report(err, read.error()));
    report(err, read->warnings);
    for (const auto* all : {&*changes, &varied})
        for (const auto& former : *all)
            if (const auto now = path_now(former.path); now != former.path)
                err << former.path << " is " << now
                    << " now, and hybrid parallelism.segments; it still means the same\n";
    Setter setter(library, sizes, first, read_as(arguments));
    const bool other_networks =
        std::any_of(varied.begin(), varied.end(), [](const Assignment& v) { return v.path == "network"; });
    const auto left_to_networks = [&](const Scenario& scenario, const std::string& path) {
        return other_networks && std::any_of(sizes.begin(), sizes.end(), [&](const Binding& size) {
                   return std::string(SymbolFields::prefix) + size.symbol == path &&
                          !symbol_value(scenario, size.symbol);
               });
    };
    // Sizes last: it is the network that has them.
    const auto set_all = [&](Scenario& scenario) -> Result<void> {
        for (const bool of_network : {false, true})
            for (const auto& change : *changes) {
                if (change.path.starts_with(SymbolFields::prefix) != of_network) continue;
                if (of_network && left_to_networks(scenario, change.path)) continue;
                const Scenario before = scenario;
                if (auto set = setter.set(scenario, change.path, change.value); !set) return set;
                scenario.name = name_after(before, scenario);
            }
        return {};
    };
    if (const auto set = set_all(read->scenario); !set) return tl::unexpected(report(err, set.error()));
    if (const auto used = setter.check_part(); !used && !other_networks)
        return tl::unexpected(report(err, used.error()));
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
                                            const formats::Library& library, std::ostream& err, std::size_t word,
                                            const std::vector<Assignment>& varied) {
    auto read = read_and_set(verb, arguments, library, err, word, false, varied);
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
    declare_set(options);
    options.table_format();
    auto arguments = options.parse(words, out, err);
    if (!arguments) return tl::unexpected(arguments.error());
    const auto library = load_library(err);
    auto scenario = scenario_to_use(options.command().name, *arguments, library, err);
    if (!scenario) return tl::unexpected(scenario.error());
    return ScenarioCall{std::move(*arguments), std::move(*scenario)};
}

}  // namespace scalescope::app
