// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/problem.hpp"
#include "core/formats/json_document.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Help for readers of JSON files: every problem of a file is collected, not only the first.
namespace scalescope::formats {

/// Collects problems; keeps at most limits::problems of them and then one more that says so.
class ProblemList {
public:
    void error(SourcePosition at, std::string where, std::string what, std::string remedy);
    void warning(SourcePosition at, std::string where, std::string what, std::string remedy);
    void add(Problem problem);
    bool has_errors() const { return errors_ > 0; }
    std::size_t errors() const { return errors_; }
    const Problems& all() const { return problems_; }
    Problems take();

private:
    Problems problems_;
    std::size_t errors_ = 0;
};

/// Of `known` the name closest to `name`, if it is close enough to be a slip of the pen (edit distance at most 2, and
/// less than half of the length; letter case counts little). Empty if none is.
std::string_view closest_name(std::string_view name, std::span<const std::string_view> known);

/// "Did you mean \"filter\"?" or, without a close name, `otherwise`.
std::string did_you_mean(std::string_view name, std::span<const std::string_view> known, std::string otherwise);

/// The text in double quotes, shortened to 60 characters: for messages.
std::string quoted(std::string_view text);

/// " from 1 to 5", as far as there are bounds.
std::string range_text(const std::string& low, bool has_low, const std::string& high, bool has_high);

/// `parent › name`, the form of Problem::where.
std::string join_path(std::string_view parent, std::string_view name);

/// Reads the members of one object. Each getter names its field as known; `finish` reports members nobody asked for.
/// A getter that finds nothing usable reports why and returns nothing; an optional one is silent when the member is
/// missing or null. `path` is the object's own Problem::where, e.g. "layers › conv3".
class JsonFields {
public:
    JsonFields(JsonValue object, std::string path, ProblemList& problems);

    bool is_object() const { return value_.is_object(); }
    JsonValue value() const { return value_; }
    const std::string& path() const { return path_; }

    std::optional<JsonValue> required(std::string_view name, JsonKind kind);
    std::optional<JsonValue> optional(std::string_view name, JsonKind kind);
    /// Any kind, null included; nothing if the member is missing.
    std::optional<JsonValue> any(std::string_view name);

    std::optional<std::string_view> text(std::string_view name);
    std::optional<std::string_view> optional_text(std::string_view name);
    std::optional<bool> optional_boolean(std::string_view name);

    static constexpr std::int64_t lowest = std::numeric_limits<std::int64_t>::min();
    static constexpr std::int64_t highest = std::numeric_limits<std::int64_t>::max();
    std::optional<std::int64_t> integer(std::string_view name, std::int64_t low = lowest, std::int64_t high = highest);
    std::optional<std::int64_t> optional_integer(std::string_view name, std::int64_t low = lowest,
                                                 std::int64_t high = highest);

    static constexpr double least = std::numeric_limits<double>::lowest();
    static constexpr double most = std::numeric_limits<double>::max();
    std::optional<double> number(std::string_view name, double low = least, double high = most);
    std::optional<double> optional_number(std::string_view name, double low = least, double high = most);

    /// A list of exactly `count` whole numbers (any count if 0), each in low..high.
    std::optional<std::vector<std::int64_t>> integers(std::string_view name, std::size_t count,
                                                      std::int64_t low = lowest, std::int64_t high = highest);
    std::optional<std::vector<std::string>> texts(std::string_view name);
    /// The place of the member's text among `words`.
    std::optional<std::size_t> choice(std::string_view name, std::span<const std::string_view> words);

    /// Reports every member no getter was asked for, with the closest known name.
    void finish(Severity severity = Severity::error);
    /// Those members, without reporting them.
    std::vector<JsonValue> unread() const;
    void ignore(std::string_view name) { known_.push_back(name); }

    /// A problem with this object, or with one member of it.
    void error(std::string what, std::string remedy);
    void error(std::string_view name, JsonValue at, std::string what, std::string remedy);

    /// The value as a whole number in low..high; reports what is wrong with it otherwise.
    std::optional<std::int64_t> as_integer(std::string_view name, JsonValue value, std::int64_t low, std::int64_t high);

private:
    std::optional<JsonValue> lookup(std::string_view name);
    std::optional<JsonValue> expect(std::string_view name, std::optional<JsonValue> found, JsonKind kind);
    std::optional<double> as_number(std::string_view name, JsonValue value, double low, double high);
    void missing(std::string_view name, JsonKind kind);

    JsonValue value_;
    std::string path_;
    ProblemList& problems_;
    std::vector<std::string_view> known_;
};

}  // namespace scalescope::formats
