// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/output.hpp"

#include "app/commands/readable_units.hpp"

#include "core/base/utf8.hpp"
#include "core/formats/csv_write.hpp"

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

std::size_t width_of(std::string_view text) {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
}

}  // namespace

std::string for_terminal(std::string_view text) {
    return clean_text(text, [](unsigned) { return std::string("?"); });
}

namespace {

struct ForPeople {
    std::string operator()(std::monostate) const { return {}; }
    std::string operator()(const std::string& text) const { return for_terminal(text); }
    std::string operator()(double value) const { return std::isfinite(value) ? for_people(value) : std::string("-"); }
    std::string operator()(std::int64_t value) const { return number_text(value); }
};

void write_aligned(std::ostream& out, const std::vector<std::string>& columns, const EachRow& each) {
    ReadableUnits units(columns);
    each([&](const std::vector<Cell>& row) { units.look_at(row); });
    units.choose();
    const std::size_t n = columns.size();
    std::vector<bool> numeric(n, false);
    std::vector<std::size_t> widths;
    std::vector<std::string> line;
    for (const std::string& column : units.names()) {
        line.push_back(for_terminal(column));
        widths.push_back(width_of(line.back()));
    }
    each([&](std::vector<Cell> row) {  // a copy
        units.rescale(row);
        for (std::size_t c = 0; c < n && c < row.size(); ++c) {
            widths[c] = std::max(widths[c], width_of(std::visit(ForPeople{}, row[c])));
            if (row[c].index() >= 2) numeric[c] = true;
        }
    });
    const auto write = [&] {
        std::string text;
        for (std::size_t c = 0; c < line.size(); ++c) {
            const std::string padding(widths[c] - width_of(line[c]), ' ');
            if (c > 0) text += "  ";
            text += numeric[c] ? padding + line[c] : line[c] + padding;
        }
        text.erase(text.find_last_not_of(' ') + 1);
        out << text << '\n';
    };
    write();
    each([&](std::vector<Cell> row) {  // a copy
        units.rescale(row);
        line.clear();
        for (std::size_t c = 0; c < n && c < row.size(); ++c) line.push_back(std::visit(ForPeople{}, row[c]));
        write();
    });
}

std::string quoted_for_json(std::string_view text) {
    std::string escaped;
    for (const char c : text) {
        if (c == '"' || c == '\\') escaped += '\\';
        escaped += c;
    }
    return '"' +
           clean_text(escaped,
                      [](unsigned code) {
                          constexpr std::string_view digits = "0123456789abcdef";
                          return std::string("\\u00") + digits[code >> 4] + digits[code & 15u];
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

void write_json(std::ostream& out, const std::vector<std::string>& columns, const EachRow& each) {
    out << '[';
    bool first = true;
    each([&](const std::vector<Cell>& row) {
        out << (first ? "\n  {" : ",\n  {");
        first = false;
        for (std::size_t c = 0; c < row.size() && c < columns.size(); ++c) {
            if (c > 0) out << ", ";
            out << quoted_for_json(columns[c]) << ": " << std::visit(ForJson{}, row[c]);
        }
        out << '}';
    });
    out << (first ? "]\n" : "\n]\n");
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

void write_rows(std::ostream& out, const std::vector<std::string>& columns, const EachRow& each, OutputFormat format) {
    switch (format) {
        case OutputFormat::table: return write_aligned(out, columns, each);
        case OutputFormat::csv:
            out << formats::csv_row(columns);
            each([&](const std::vector<Cell>& row) { out << formats::csv_row(row); });
            return;
        case OutputFormat::json: return write_json(out, columns, each);
    }
}

void write_table(std::ostream& out, const Table& table, OutputFormat format) {
    const auto each = [&table](const TakeRow& take) {
        for (const auto& row : table.rows) take(row);
    };
    write_rows(out, table.columns, each, format);
}

}  // namespace scalescope::app
