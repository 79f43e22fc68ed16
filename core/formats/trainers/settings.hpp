// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/base/problem.hpp"

/// Training configurations as their syntax has them: keys with values, whatever trainer they are for.
namespace scalescope::formats::trainers {

struct Setting {
    std::string key;    ///< path with dots, "-" as "_": "model.optim.name"; words of a launcher begin with "launcher."
    std::string value;  ///< as written; the elements of a list are separated by blanks
    SourcePosition at;
    bool known = true;     ///< false: `value` is the text of something that is not evaluated, such as "$(hostname)"
    bool assumed = false;  ///< the default of ${NAME:-default}; the environment may contain another one
};

enum class Syntax : std::uint8_t { shell, json, yaml, toml, python };

struct Settings {
    Syntax syntax = Syntax::shell;
    std::vector<Setting> all;  ///< in the order of the file
    Problems notes;            ///< warnings: commands that are not evaluated, for example
};

/// The setting of that key that counts: the last one. nullptr if there is none.
const Setting* find(const Settings& settings, std::string_view key);

/// Reads the text in the syntax that it is written in. Nothing is executed, and no other file is read.
Result<Settings> read_settings(std::string_view text, const std::string& file);

// The readers by syntax.
Result<Settings> read_shell(std::string_view text, const std::string& file);
Result<Settings> read_json(std::string_view text, const std::string& file);
Result<Settings> read_yaml(std::string_view text, const std::string& file);
Result<Settings> read_toml(std::string_view text, const std::string& file);
Result<Settings> read_python(std::string_view text, const std::string& file);

/// Replaces ${a.b}, ${.b}, ${multiply:${a},2} and ${oc.env:NAME,default} in values, as OmegaConf does. What remains is
/// unknown.
void interpolate(Settings& settings);

/// `key` with "_" for each "-".
std::string plain_key(std::string_view key);

/// The integer value of an expression such as "(768 * 2_048) / 4", empty if it has none. `value_of` gives the text of
/// a name's value.
std::string arithmetic(std::string_view text, const std::function<std::string(const std::string&)>& value_of);

}  // namespace scalescope::formats::trainers
