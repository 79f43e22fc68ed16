// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/json_writer.hpp"

namespace scalescope::formats {

/// For who writes an object member by member: a key and its value in one word.
class JsonMembers {
protected:
    void text(std::string_view key, std::string_view value) {
        json_.key(key);
        json_.text(value);
    }
    /// Left out if it is empty.
    void optional(std::string_view key, std::string_view value) {
        if (!value.empty()) text(key, value);
    }
    void number(std::string_view key, double value) {
        json_.key(key);
        json_.number(value);
    }
    void count(std::string_view key, std::size_t value) {
        json_.key(key);
        json_.integer(static_cast<std::int64_t>(value));
    }
    void flag(std::string_view key, bool value) {
        json_.key(key);
        json_.boolean(value);
    }

    JsonWriter json_;
};

}  // namespace scalescope::formats
