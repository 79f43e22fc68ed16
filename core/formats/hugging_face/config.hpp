// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/hugging_face/families.hpp"
#include "core/formats/json_decoder.hpp"

namespace scalescope::formats::hugging_face {

/// The names that one figure has, in the order in which they are looked for, separated by spaces. "a.b" is the member b
/// of the object a.
using Names = std::string_view;

/// One object of a config.json, asked for figures by any of their names. Collects what is missing, so that it is
/// reported at once, and what was taken from the family's defaults.
class Config {
public:
    /// What is not in `object` may be in `outer`, the object around it.
    Config(JsonValue object, std::string path, ProblemList& problems, const Config* outer = nullptr);

    /// The first of these members that is there and not null.
    std::optional<JsonValue> find(Names names) const;
    bool has(Names names) const { return find(names).has_value(); }
    /// An object inside this one. What it does not have is looked for here too, if `with_outer`.
    std::optional<Config> part(Names names, bool with_outer) const;

    /// The figure as `found` states it. Reports what is wrong and returns a value to go on with.
    Value read(const Figure& figure, JsonValue found);
    /// Whether `found` means that the figure is left out.
    static bool is_absent(const Figure& figure, JsonValue found);
    /// Reports the figure at the end, and returns a value to go on with.
    Value missing(const Figure& figure);
    void assume(Names names, const std::string& value);

    std::string word(Names names) const;  ///< empty if there is no such text
    std::vector<std::string> words(Names names) const;

    void error(Names names, std::string what, std::string remedy);
    void warn(std::string what, std::string remedy);
    bool is_wrong() const { return problems_.errors() > errors_ || !notes_->missing.empty(); }
    /// Reports what was missing and what was assumed. False if something was missing or wrong.
    bool finish(std::string_view family);
    JsonValue value() const { return value_; }

private:
    std::string where(std::string_view name) const { return join_path(path_, name); }
    void wrong(JsonValue value, std::string what, std::string remedy);

    JsonValue value_;
    std::string path_;
    ProblemList& problems_;
    const Config* outer_;
    std::size_t errors_;
    struct Notes {
        std::vector<std::string> missing, assumed;
        std::set<std::string> wrong;  ///< places that are reported
    };
    std::shared_ptr<Notes> notes_;  ///< one for an object and its parts
};

}  // namespace scalescope::formats::hugging_face
