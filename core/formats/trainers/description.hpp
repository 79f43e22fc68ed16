// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/hugging_face/expression.hpp"

/// What the keys of a trainer mean: presets/configurations (docs/decisions/configurations.md). Expressions are those of
/// families of models.
namespace scalescope::formats::trainers {

using hugging_face::Expression;
using hugging_face::Value;

/// A value of a configuration: one of its keys, or else a formula of other figures.
struct FigureRule {
    std::vector<std::string> keys;       ///< newest name first
    std::map<std::string, Value> words;  ///< values of the keys in lower case, and what they stand for
    std::optional<Expression> otherwise;
    bool repeated = false;  ///< the text is a pattern with repetitions, "([0]*3+[1]*58)" or "Et*3|(tt|)*29m|L"
};

enum class RuleKind : std::uint8_t { complaint, question, note };

struct Rule {
    RuleKind kind = RuleKind::complaint;
    Expression when, what, remedy;
    std::string vary;  ///< figure whose nearest values that fulfil the rule are listed
};

/// A key that is written if `when` holds.
struct WrittenKey {
    std::optional<Expression> when;
    std::string key;
    Expression value;
    bool flag = false;  ///< "true" or "false"
    bool text = false;  ///< in quotes where the syntax distinguishes texts from other values
};

struct Description {
    std::string id, title;
    std::vector<std::vector<std::string>> recognized;  ///< the keys of one of these are in a file of the trainer
    std::vector<std::string> prefixes;                 ///< sections that do not count in names of keys: "model."
    std::map<std::string, FigureRule, std::less<>> figures;
    std::map<std::string, std::map<std::string, Value>> models;  ///< figures of what the figure "model" names
    std::vector<std::string> unused;                             ///< keys, or their beginnings: "log*"
    std::map<std::string, std::string> gone;                     ///< keys that were removed, and what to write instead
    std::vector<Rule> rules;
    std::string syntax;  ///< of what is written: "shell", "toml", "json", "yaml"; empty if the trainer is only read
    Expression command;  ///< shell: the text in front of the flags
    std::vector<WrittenKey> written;
    std::vector<Rule> losses;  ///< what the trainer cannot express

    const FigureRule* figure(std::string_view name) const;
};

/// The descriptions of a file, after those that it builds on (`like`).
Result<std::vector<Description>> read_descriptions(std::string_view text, const std::string& file,
                                                   std::vector<Description> known = {});
/// The shipped ones (presets/configurations), read on first use.
const std::vector<Description>& shipped_descriptions();

}  // namespace scalescope::formats::trainers
