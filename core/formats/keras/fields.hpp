// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/json_decoder.hpp"

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The config of a Keras layer. Keras renamed most of its fields once; every getter takes all the names a field had,
/// and reads the first that is there and not null.
namespace scalescope::formats {

class KerasFields {
public:
    using Names = std::initializer_list<std::string_view>;
    using Sizes = std::vector<std::int64_t>;

    KerasFields(JsonValue config, std::string path, ProblemList& problems)
        : config_(config), path_(std::move(path)), problems_(problems), errors_(problems.errors()) {}

    JsonValue value() const { return config_; }
    const std::string& path() const { return path_; }
    std::optional<JsonValue> find(Names names) const;
    bool has(Names names) const { return find(names).has_value(); }

    bool flag(Names names, bool otherwise);
    std::string_view word(Names names, std::string_view otherwise);
    double number(Names names, double otherwise, double low, double high);
    /// From `low` on; 0 if it is missing or wrong, which is reported.
    std::int64_t count(Names names, std::int64_t low = 1);
    std::int64_t integer(Names names, std::int64_t otherwise, std::int64_t low, std::int64_t high);
    /// One number for each of `n` axes, or one for all of them; empty if it is missing. What is wrong is reported.
    Sizes sizes(Names names, std::size_t n, std::int64_t low = 1);
    /// A list of any length, or a number as a list of one.
    Sizes list(Names names, std::int64_t low, std::int64_t high);

    void error(std::string what, std::string remedy);
    void error(JsonValue at, std::string what, std::string remedy);
    /// Whether a getter reported something.
    bool failed() const { return problems_.errors() > errors_; }

private:
    std::optional<std::int64_t> whole(JsonValue value, std::int64_t low, std::int64_t high);

    JsonValue config_;
    std::string path_;
    ProblemList& problems_;
    std::size_t errors_;
};

/// A number a program may have written with a fraction of zero: 3.0.
std::optional<std::int64_t> whole_number(JsonValue value);

}  // namespace scalescope::formats
