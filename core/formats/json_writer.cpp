// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/json_writer.hpp"

#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include "core/base/utf8.hpp"

namespace scalescope::formats {

std::string shortest(double value) {
    if (!std::isfinite(value)) return "null";
    if (value == 0.0) return "0";
    std::array<char, 32> buffer;
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
    return {buffer.data(), end};
}

namespace {

void append_escaped(std::string& out, std::string_view text) {
    constexpr std::string_view digits = "0123456789abcdef";
    out += '"';
    for (std::size_t i = 0; i < text.size();) {
        const char c = text[i];
        const auto code = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
            ++i;
        } else if (c == '\n' || c == '\t' || c == '\r') {
            out += c == '\n' ? "\\n" : c == '\t' ? "\\t" : "\\r";
            ++i;
        } else if (code < 0x20 || code == 0x7F) {
            out += "\\u00";
            out += digits[code >> 4u];
            out += digits[code & 0xFu];
            ++i;
        } else if (const std::size_t length = character_length(text, i); length > 0) {
            out += text.substr(i, length);
            i += length;
        } else {
            out += replacement_character;
            ++i;
        }
    }
    out += '"';
}

}  // namespace

void JsonWriter::new_line() {
    out_ += '\n';
    out_.append(2 * levels_.size(), ' ');
}

void JsonWriter::before_value() {
    if (std::exchange(after_key_, false) || levels_.empty()) return;
    auto& level = levels_.back();
    if (!level.empty) out_ += level.on_one_line ? ", " : ",";
    if (!level.on_one_line) new_line();
    level.empty = false;
}

void JsonWriter::begin_object() {
    before_value();
    out_ += '{';
    levels_.emplace_back();
}

void JsonWriter::begin_inline_object() {
    begin_object();
    levels_.back().on_one_line = true;
}

void JsonWriter::begin_list() {
    before_value();
    out_ += '[';
    levels_.emplace_back();
}

void JsonWriter::begin_inline_list() {
    begin_list();
    levels_.back().on_one_line = true;
}

void JsonWriter::close(char bracket) {
    const Level level = levels_.back();
    levels_.pop_back();
    if (!level.empty && !level.on_one_line) new_line();
    out_ += bracket;
}

void JsonWriter::end_object() { close('}'); }
void JsonWriter::end_list() { close(']'); }

void JsonWriter::key(std::string_view name) {
    before_value();
    append_escaped(out_, name);
    out_ += ": ";
    after_key_ = true;
}

void JsonWriter::text(std::string_view value) {
    before_value();
    append_escaped(out_, value);
}

void JsonWriter::integer(std::int64_t value) {
    before_value();
    out_ += std::to_string(value);
}

void JsonWriter::number(double value) {
    before_value();
    out_ += shortest(value);
}

void JsonWriter::boolean(bool value) {
    before_value();
    out_ += value ? "true" : "false";
}

void JsonWriter::null() {
    before_value();
    out_ += "null";
}

void JsonWriter::raw(std::string_view json) {
    before_value();
    out_ += json;
}

void JsonWriter::optional_text(std::string_view name, std::string_view value) {
    if (!value.empty()) text(name, value);
}

void JsonWriter::texts(std::string_view name, std::span<const std::string> values) {
    begin_inline_list(name);
    for (const std::string& value : values) text(value);
    end_list();
}

std::string JsonWriter::take() {
    out_ += '\n';
    levels_.clear();
    after_key_ = false;
    return std::exchange(out_, {});
}

}  // namespace scalescope::formats
