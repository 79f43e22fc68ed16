// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/base/limits.hpp"
#include "core/base/problem.hpp"

/// What the parsers of text files have in common.
namespace scalescope::formats {

/// A Problem of the file as a whole.
inline Problem about_file(const std::string& file, std::string what, std::string remedy) {
    return make_error(std::move(what), std::move(remedy), {file, 1, 1});
}

/// Why a text is not even looked at; nothing if it may be.
inline std::optional<Problem> too_long(std::string_view text, const std::string& file,
                                       std::size_t limit = limits::file_bytes) {
    if (text.size() <= limit) return std::nullopt;
    return about_file(file,
                      "The file has " + std::to_string(text.size() >> 20) + " MiB; at most " +
                          std::to_string(limit >> 20) + " MiB are read.",
                      "Choose a smaller file.");
}

}  // namespace scalescope::formats
