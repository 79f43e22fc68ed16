// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
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

    // Members: a key and its value.
    void begin_object(std::string_view name) { key(name), begin_object(); }
    void begin_inline_object(std::string_view name) { key(name), begin_inline_object(); }
    void begin_list(std::string_view name) { key(name), begin_list(); }
    void begin_inline_list(std::string_view name) { key(name), begin_inline_list(); }
    void text(std::string_view name, std::string_view value) { key(name), text(value); }
    void optional_text(std::string_view name, std::string_view value);  ///< left out if it is empty
    void integer(std::string_view name, std::int64_t value) { key(name), integer(value); }
    void count(std::string_view name, std::size_t value) { integer(name, static_cast<std::int64_t>(value)); }
    void number(std::string_view name, double value) { key(name), number(value); }
    void boolean(std::string_view name, bool value) { key(name), boolean(value); }
    void raw(std::string_view name, std::string_view json) { key(name), raw(json); }
    void texts(std::string_view name, std::span<const std::string> values);  ///< on one line
    /// On one line. Whole numbers stay whole.
    template <class List>
    void numbers(std::string_view name, const List& values) {
        key(name), numbers(values);
    }
    template <class List>
    void numbers(const List& values) {
        begin_inline_list();
        for (const auto value : values) {
            if constexpr (std::integral<std::decay_t<decltype(value)>>)
                integer(static_cast<std::int64_t>(value));
            else
                number(value);
        }
        end_list();
    }

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
