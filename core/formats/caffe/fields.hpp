// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/json_decoder.hpp"
#include "core/formats/prototxt.hpp"

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Reads one parameter block of a layer, such as convolution_param. Every getter is silent when the field is missing,
/// and reports with its position a value that cannot be used.
namespace scalescope::formats {

class CaffeFields {
public:
    CaffeFields(ProtoField layer, std::string_view block, std::string where, ProblemList& problems);

    bool written() const { return block_.has_value(); }
    std::optional<std::int64_t> integer(std::string_view name, std::int64_t low, std::int64_t high);
    std::optional<double> number(std::string_view name);
    bool boolean(std::string_view name, bool initial);
    std::string_view word(std::string_view name);  ///< with or without quotes; empty if missing
    std::vector<std::int64_t> integers(std::string_view name, std::int64_t low, std::int64_t high);
    /// Height and width: `NAME_h` and `NAME_w`, or `both` once or twice. Nothing if neither is written.
    std::optional<std::array<std::int64_t, 2>> sizes(std::string_view both, std::string_view h, std::string_view w,
                                                     std::int64_t low);
    /// The first field called so; one that stands twice is reported.
    std::optional<ProtoField> single(std::string_view name);
    /// Warns of fields that are none of `known`: most are slips of the pen.
    void expect_only(std::initializer_list<std::string_view> known);
    void error(std::string_view name, std::string what, std::string remedy);

private:
    std::optional<std::int64_t> whole(ProtoField f, std::int64_t low, std::int64_t high);

    std::optional<ProtoField> block_;
    ProtoField layer_;
    std::string where_;
    ProblemList& problems_;
};

}  // namespace scalescope::formats
