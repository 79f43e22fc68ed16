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

/// The possible names of one figure, separated by spaces, in the order in which they are tried. "a.b" is the member b
/// of the object a.
using Names = std::string_view;

/// One object of a config.json; looks up figures by any of their names. Collects the missing figures, so that they are
/// reported together, and those taken from the family's defaults.
class Config {
public:
    /// Members that `object` lacks are looked up in `outer`, the enclosing object.
    Config(JsonValue object, std::string path, ProblemList& problems, const Config* outer = nullptr);

    /// The first of these members that exists and is not null.
    std::optional<JsonValue> find(Names names) const;
    bool has(Names names) const { return find(names).has_value(); }
    /// An object inside this one. If `with_outer`, members that it lacks are looked up here.
    std::optional<Config> part(Names names, bool with_outer) const;

    /// The value of the figure as stated in `found`. If invalid, reports that and returns a value to continue with.
    Value read(const Figure& figure, JsonValue found);
    /// Whether `found` is equivalent to leaving the figure out.
    static bool is_absent(const Figure& figure, JsonValue found);
    /// Notes that the figure is missing, for finish(), and returns a value to continue with.
    Value missing(const Figure& figure);
    void assume(Names names, const std::string& value);

    std::string word(Names names) const;  ///< empty if no such text exists
    std::vector<std::string> words(Names names) const;

    void error(Names names, std::string what, std::string remedy);
    void warn(std::string what, std::string remedy);
    bool is_wrong() const { return problems_.errors() > errors_ || !notes_->missing.empty(); }
    /// Reports the missing and the assumed figures. Returns false if any figure was missing or invalid.
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
        std::set<std::string> wrong;  ///< places that have been reported
    };
    std::shared_ptr<Notes> notes_;  ///< shared by an object and its parts
};

}  // namespace scalescope::formats::hugging_face
