// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <iosfwd>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/commands/options.hpp"
#include "core/formats/library.hpp"
#include "core/formats/scenario_json.hpp"

/// What verbs are given as NETWORK and SCENARIO: a file, or the name of a preset. A file of that name wins. A scenario
/// may also be a link (core/formats/scenario_text), given itself or as what a file holds.
namespace scalescope::app {

/// What a verb's help says of its SCENARIO.
inline constexpr const char* scenario_help =
    "a scenario file, the name of a preset, or what scalescope convert --to link prints";

/// What is shipped, and the person's own folder beside it; `err` hears the warnings about that.
formats::Library load_library(std::ostream& err);

struct NamedText {
    std::string text;
    std::string file;  ///< for messages
};

using FindPreset = std::function<const formats::Preset*(const std::string&)>;

/// The text behind a name. `what` ("network") is for the message if there is none; `presets` are the names it may have
/// meant.
Result<NamedText> named_text(const std::string& name, const FindPreset& find,
                             const std::vector<formats::Preset>& presets, const std::string& what);

/// Problems of sizes that a file leaves open, with the option that sets them.
Problems with_set_advice(Problems problems);

/// How files are read that can be read in several ways.
struct ReadAs {
    std::string part;     ///< the one of a configuration of several ("vision"); empty: the parts joined
    std::string trainer;  ///< the id of the one whose training configuration it is; empty: the likeliest
};

/// A file whose layers depend on sizes that it leaves open is read at `sizes` (sizes_in()).
Result<std::shared_ptr<const Network>> network_named(const std::string& name, const formats::Library& library,
                                                     Problems* warnings, std::span<const Binding> sizes = {},
                                                     const ReadAs& as = {});
/// `sizes` replace those that the file gives (formats::read_scenario).
Result<formats::ReadScenario> scenario_named(const std::string& name, const formats::Library& library,
                                             std::span<const Binding> sizes = {}, const std::string& trainer = {});
/// A training configuration; where it could be another trainer's, the warning names what to write after --as.
Result<formats::ReadScenario> configured_scenario(const std::string& text, const std::string& file,
                                                  const formats::Library& library, const std::string& trainer);

/// A calibration: a file that `measure calibrate` saved, or the name of one that the user keeps.
Result<Calibration> calibration_named(const std::string& name, const formats::Library& library);

/// "path=value" in two; nothing if there is no "=" or nothing before it.
struct Assignment {
    std::string path, value;
};
std::optional<Assignment> parse_assignment(const std::string& text);

/// What stands after every --`option` of a verb; or the exit code, after saying on `err` which is no assignment.
tl::expected<std::vector<Assignment>, int> assignments(std::string_view verb, std::string_view option,
                                                       const Arguments& arguments, std::ostream& err);

/// Sizes among what --set gives, for networks yet to be read; what is wrong with one is said when it is set.
std::vector<Binding> sizes_in(const std::vector<Assignment>& changes);
/// The first value of every size that --vary names and --set does not: a network may be readable only at such sizes.
std::vector<Binding> sizes_in(const std::vector<Assignment>& changes, const std::vector<Assignment>& varied);

/// The network with the sizes that --set gives; `what` ("A summary") depends on no other field.
Result<std::shared_ptr<const Network>> with_sizes(std::shared_ptr<const Network> network,
                                                  const std::vector<Assignment>& changes, const std::string& what);

/// What --set takes, for the help of a verb.
inline constexpr const char* text_of_set =
    "change a field first (scalescope list fields), or cluster=NAME, network=NAME, network=FILE or adapters=linear";

/// The same for verbs that read a network alone.
inline constexpr const char* text_of_set_sizes = "a size that the network leaves open, such as symbols.sequence=2048";

/// Declares --part and --as, for verbs that read files.
void declare_read_as(Options& options);
/// Declares --set, explained by `text`, and what declare_read_as() does.
void declare_set(Options& options, std::string text = text_of_set);
ReadAs read_as(const Arguments& arguments);

/// Sets fields to what a person writes after --set and --vary. Networks are read once.
class Setter {
public:
    /// Networks are read at `sizes` (sizes_in()), and get those they have a symbol for. A network that cannot be read
    /// at them is read at `varied` too.
    explicit Setter(const formats::Library& library, std::vector<Binding> sizes = {}, std::vector<Binding> varied = {},
                    ReadAs as = {})
        : library_(library), sizes_(std::move(sizes)), varied_(std::move(varied)), as_(std::move(as)) {}

    /// Sets the field at `path`, or several fields at once where the path is one of these:
    /// - "cluster": everything that the named cluster says; the number of workers stays about the same;
    /// - "way": the work is divided as the named way does it;
    /// - "trainer": the memory of the named trainer;
    /// - "network": replaces the networks of the step by the named one, or by that of a file;
    /// - "adapters": low-rank adapters beside the named products, with all other weights frozen, or "none";
    /// - "calibration": the constants of a calibration, from a file or from the person's own folder, by its name.
    Result<void> set(Scenario& scenario, const std::string& path, const std::string& value);
    const Catalogue& catalogue() const { return library_.catalogue; }
    /// What the readers of networks had to assume; given once.
    Problems take_warnings() { return std::exchange(warnings_, {}); }
    /// Says which of the sizes neither the scenario has nor any network that was set.
    Result<void> check_sizes(const Scenario& scenario) const;
    /// Fails if a part was named but no network was set that could have it.
    Result<void> check_part() const;

private:
    Result<void> set_network(Scenario& scenario, const std::string& value);
    Result<void> set_adapters(Scenario& scenario, const std::string& value);
    Result<void> set_calibration(Scenario& scenario, const std::string& value);
    const formats::Library& library_;
    std::vector<Binding> sizes_, varied_;
    ReadAs as_;
    std::map<std::string, std::shared_ptr<const Network>> networks_;
    Problems warnings_;
};

/// What the times of a scenario rest on, if its constants were calibrated.
Problems evidence_notes(const Scenario& scenario);

/// The scenario a verb is asked about: its first word, or that at `word`, changed by every --set. Warnings go to `err`;
/// so does what is wrong, before the exit code. Where `varied` (--vary) has the network, sizes that the scenario lacks
/// are left to a Setter, and its check_sizes().
tl::expected<Scenario, int> scenario_to_use(std::string_view verb, const Arguments& arguments,
                                            const formats::Library& library, std::ostream& err, std::size_t word = 0,
                                            const std::vector<Assignment>& varied = {});

/// The same with the designs that its file has pinned, each changed by every --set.
tl::expected<formats::ReadScenario, int> designs_to_use(std::string_view verb, const Arguments& arguments,
                                                        const formats::Library& library, std::ostream& err,
                                                        std::size_t word = 0);

/// What a verb that prints a table about one scenario was given.
struct ScenarioCall {
    Arguments arguments;
    Scenario scenario;
};
/// Adds SCENARIO, --set and --format to the verb's own options, and reads the words and the scenario; or the exit code,
/// when all is said.
tl::expected<ScenarioCall, int> scenario_call(Options options, std::span<const std::string> words, std::ostream& out,
                                              std::ostream& err);

}  // namespace scalescope::app
