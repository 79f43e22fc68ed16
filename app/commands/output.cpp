// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/output.hpp"

#include "core/formats/csv.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <ostream>
#include <string_view>

namespace scalescope::app {
namespace {

template <class... Arguments>
std::string number_text(Arguments... arguments) {
    std::array<char, 64> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), arguments...).ptr;
    return {buffer.data(), end};
}

/// Six digits, but whole numbers in full as far as a double is exact.
std::string for_people(double value) {
    if (value == std::floor(value) && std::abs(value) < 1e15) return number_text(value, std::chars_format::fixed);
    return number_text(value, std::chars_format::general, 6);
}

/// The bytes of the character that starts at `text[i]` if it is valid UTF-8, else 0.
std::size_t character_length(std::string_view text, std::size_t i) {
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
    const unsigned char lead = byte(i);
    if (lead < 0x80) return 1;
    const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
    if (lead < 0xc2 || lead > 0xf4 || i + length > text.size()) return 0;
    for (std::size_t k = 1; k < length; ++k) {
        if ((byte(i + k) & 0xc0) != 0x80) return 0;
    }
    const unsigned char second = byte(i + 1);
    const bool overlong = (lead == 0xe0 && second < 0xa0) || (lead == 0xf0 && second < 0x90);
    const bool surrogate = lead == 0xed && second >= 0xa0;
    const bool beyond = lead == 0xf4 && second >= 0x90;
    return overlong || surrogate || beyond ? 0 : length;
}

/// Valid UTF-8, whatever came in; `control(c)` says what stands for a control character.
template <class Control>
std::string cleaned(std::string_view text, Control control) {
    std::string result;
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t length = character_length(text, i);
        const auto c = static_cast<unsigned char>(text[i]);
        if (length == 0)
            result += "\xef\xbf\xbd";  // U+FFFD
        else if (c < 0x20 || c == 0x7f)
            result += control(text[i]);
        else
            result += text.substr(i, length);
        i += std::max<std::size_t>(length, 1);
    }
    return result;
}

std::size_t width_of(std::string_view text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

}  // namespace

std::string for_terminal(std::string_view text) {
    return cleaned(text, [](char) { return std::string("?"); });
}

namespace {

struct ForPeople {
    std::string operator()(std::monostate) const { return {}; }
    std::string operator()(const std::string& text) const { return for_terminal(text); }
    std::string operator()(double value) const { return std::isfinite(value) ? for_people(value) : std::string("-"); }
    std::string operator()(std::int64_t value) const { return number_text(value); }
};

void write_aligned(std::ostream& out, const Table& table) {
    const std::size_t n = table.columns.size();
    std::vector<std::vector<std::string>> lines(1);
    std::vector<bool> numeric(n, false);
    for (const std::string& column : table.columns) lines.front().push_back(for_terminal(column));
    for (const auto& row : table.rows) {
        std::vector<std::string> line;
        for (std::size_t c = 0; c < n && c < row.size(); ++c) {
            line.push_back(std::visit(ForPeople{}, row[c]));
            if (row[c].index() >= 2) numeric[c] = true;
        }
        lines.push_back(std::move(line));
    }
    std::vector<std::size_t> widths(n, 0);
    for (const auto& line : lines) {
        for (std::size_t c = 0; c < line.size(); ++c) widths[c] = std::max(widths[c], width_of(line[c]));
    }
    for (const auto& line : lines) {
        std::string text;
        for (std::size_t c = 0; c < line.size(); ++c) {
            const std::string padding(widths[c] - width_of(line[c]), ' ');
            if (c > 0) text += "  ";
            text += numeric[c] ? padding + line[c] : line[c] + padding;
        }
        text.erase(text.find_last_not_of(' ') + 1);
        out << text << '\n';
    }
}

struct ForCsv {
    std::string operator()(std::monostate) const { return {}; }
    std::string operator()(const std::string& text) const { return formats::quoted_for_csv(text); }
    std::string operator()(double value) const { return std::isfinite(value) ? number_text(value) : std::string(); }
    std::string operator()(std::int64_t value) const { return number_text(value); }
};

void write_csv(std::ostream& out, const Table& table) {
    const auto write_line = [&](const auto& cells, auto write) {
        std::string line;
        for (std::size_t c = 0; c < cells.size(); ++c) {
            if (c > 0) line += ',';
            line += write(cells[c]);
        }
        // A line with nothing on it would be read as no row at all.
        out << (line.empty() && cells.size() == 1 ? "\"\"" : line) << '\n';
    };
    write_line(table.columns, formats::quoted_for_csv);
    for (const auto& row : table.rows) {
        write_line(row, [](const Cell& cell) { return std::visit(ForCsv{}, cell); });
    }
}

std::string quoted_for_json(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        if (c == '"' || c == '\\') escaped += '\\';
        escaped += c;
    }
    return '"' +
           cleaned(escaped,
                   [](char c) {
                       constexpr std::string_view digits = "0123456789abcdef";
                       const auto value = static_cast<unsigned char>(c);
                       return std::string("\\u00") + digits[value >> 4] + digits[value & 15];
                   }) +
           '"';
}

struct ForJson {
    std::string operator()(std::monostate) const { return "null"; }
    std::string operator()(const std::string& text) const { return quoted_for_json(text); }
    std::string operator()(double value) const {
        return std::isfinite(value) ? number_text(value) : std::string("null");
    }
    std::string operator()(std::int64_t value) const { return number_text(value); }
};

void write_json(std::ostream& out, const Table& table) {
    out << '[';
    for (std::size_t r = 0; r < table.rows.size(); ++r) {
        out << (r == 0 ? "\n  {" : ",\n  {");
        const auto& row = table.rows[r];
        for (std::size_t c = 0; c < row.size() && c < table.columns.size(); ++c) {
            if (c > 0) out << ", ";
            out << quoted_for_json(table.columns[c]) << ": " << std::visit(ForJson{}, row[c]);
        }
        out << '}';
    }
    out << (table.rows.empty() ? "]\n" : "\n]\n");
}

}  // namespace

Cell cell_of(const std::optional<double>& value) {
    Cell cell;
    if (value) cell = *value;
    return cell;
}

Cell cell_of(const std::optional<std::int64_t>& value) {
    Cell cell;
    if (value) cell = *value;
    return cell;
}

void write_table(std::ostream& out, const Table& table, OutputFormat format) {
    switch (format) {
        case OutputFormat::table: return write_aligned(out, table);
        case OutputFormat::csv: return write_csv(out, table);
        case OutputFormat::json: return write_json(out, table);
    }
}

}  // namespace scalescope::app
