// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace scalescope::formats {

/// The shortest text that reads back as the same double, independent of the locale; "0" for both zeros. Not-a-number
/// and infinity, which no figure of the core ever is, give "null".
std::string shortest(double value);

/// Writes indented JSON, members in the order given. Containers opened as `inline_…` stay on one line. The caller
/// keeps begin and end balanced and writes a key before each member.
class JsonWriter {
public:
    void begin_object();
    void begin_inline_object();  ///< what is opened inside must be inline too
    void end_object();
    void begin_list();
    void begin_inline_list();
    void end_list();
    void key(std::string_view name);

    void text(std::string_view value);  ///< escaped; bytes that are not UTF-8 become U+FFFD
    void integer(std::int64_t value);
    void number(double value);
    void boolean(bool value);
    void null();
    void raw(std::string_view json);  ///< a value that is JSON already

    /// The finished text, ending with a line feed.
    std::string take();

private:
    struct Level {
        bool on_one_line = false;
        bool empty = true;
    };
    void before_value();
    void new_line();
    void close(char bracket);

    std::string out_;
    std::vector<Level> levels_;
    bool after_key_ = false;
};

}  // namespace scalescope::formats
