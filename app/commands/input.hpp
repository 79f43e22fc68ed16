// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <iosfwd>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/formats/library.hpp"
#include "core/formats/scenario_json.hpp"

/// What verbs are given as NETWORK and SCENARIO: a file, or the name of a preset. A file of that name wins.
namespace scalescope::app {

struct NamedText {
    std::string text;
    std::string file;  ///< for messages
};

using FindPreset = std::function<const formats::Preset*(const std::string&)>;

/// The text behind a name. `what` ("network") is for the message if there is none; `presets` are the names it may have
/// meant.
Result<NamedText> named_text(const std::string& name, const FindPreset& find,
                             const std::vector<formats::Preset>& presets, const std::string& what);

Result<std::shared_ptr<const Network>> network_named(const std::string& name, const formats::Library& library,
                                                     Problems* warnings);
Result<formats::ReadScenario> scenario_named(const std::string& name, const formats::Library& library);

/// "path=value" in two; nothing if there is no "=" or nothing before it.
struct Assignment {
    std::string path, value;
};
std::optional<Assignment> parse_assignment(const std::string& text);

/// The exit code of a --set or --vary that is no assignment, after saying so on `err`.
int no_assignment(std::string_view verb, std::string_view option, const std::string& text, std::ostream& err);

}  // namespace scalescope::app
