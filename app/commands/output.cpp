// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/output.hpp"

#include "app/commands/readable_units.hpp"

#include "core/base/utf8.hpp"
#include "core/formats/csv_write.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <iostream>
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

/// Its first characters and "…" where it is longer than `width`.
std::string elided(const std::string& text, std::size_t width) {
    if (width_of(text) <= width) return text;
    std::size_t end = 0;
    for (std::size_t left = width; end < text.size(); ++end)
        if ((static_cast<unsigned char>(text[end]) & 0xc0) != 0x80 && left-- <= 1) break;
    return text.substr(0, end) + "…";
}

constexpr std::size_t gap = 2;           ///< between two columns
constexpr std::size_t least_text = 16;   ///< of a column of texts that is cut short
constexpr std::size_t least_width = 40;  ///< narrower terminals break lines themselves

/// Columns that stand side by side, and their widths in the same order.
struct Block {
    std::vector<std::size_t> columns, widths;
};

/// Puts as many columns side by side as `width` takes, texts cut short, and the others into further blocks, each of
/// which begins with the first column. Only texts are cut, the longest ones first, and the first column last: it has
/// the names.
std::vector<Block> fitted(const std::vector<std::size_t>& widths, const std::vector<bool>& numeric, std::size_t width) {
    const std::size_t n = widths.size(), half = (width - gap) / 2;
    const auto least = [&](std::size_t c) {
        if (c == 0) return std::min(widths[c], n == 1 ? width : half);
        return std::min(widths[c], numeric[c] ? half : least_text);
    };
    std::vector<Block> blocks;
    for (std::size_t next = 0; next < n;) {
        Block block{{0}, {least(0)}};
        std::size_t used = least(0);
        for (next = std::max<std::size_t>(next, 1); next < n && used + gap + least(next) <= width; ++next) {
            used += gap + least(next);
            block.columns.push_back(next);
            block.widths.push_back(least(next));
        }
        // What is left goes to the narrowest of those that were cut.
        for (; used < width; ++used) {
            std::size_t* narrowest = nullptr;
            for (std::size_t i = 0; i < block.columns.size(); ++i)
                if (block.widths[i] < widths[block.columns[i]] && (!narrowest || block.widths[i] < *narrowest))
                    narrowest = &block.widths[i];
            if (!narrowest) break;
            ++*narrowest;
        }
        blocks.push_back(std::move(block));
    }
    return blocks;
}

void write_aligned(std::ostream& out, const std::vector<std::string>& columns, const EachRow& each,
                   std::optional<std::size_t> width) {
    ReadableUnits units(columns);
    each([&](const std::vector<Cell>& row) { units.look_at(row); });
    units.choose();
    const std::size_t n = columns.size();
    std::vector<bool> numeric(n, false);
    std::vector<std::size_t> widths;
    std::vector<std::string> header;
    for (const std::string& column : units.names()) {
        header.push_back(for_terminal(column));
        widths.push_back(width_of(header.back()));
    }
    each([&](std::vector<Cell> row) {  // a copy
        units.rescale(row);
        for (std::size_t c = 0; c < n && c < row.size(); ++c) {
            widths[c] = std::max(widths[c], width_of(std::visit(ForPeople{}, row[c])));
            if (row[c].index() >= 2) numeric[c] = true;
        }
    });
    if (n == 0) return;
    const auto blocks = fitted(widths, numeric, width ? std::max(*width, least_width) : SIZE_MAX);
    for (const Block& block : blocks) {
        const auto write = [&](const auto& text_of) {
            std::string line;
            for (std::size_t i = 0; i < block.columns.size(); ++i) {
                const std::string text = elided(text_of(block.columns[i]), block.widths[i]);
                const std::string padding(block.widths[i] - width_of(text), ' ');
                if (i > 0) line.append(gap, ' ');
                line += numeric[block.columns[i]] ? padding + text : text + padding;
            }
            line.erase(line.find_last_not_of(' ') + 1);
            out << line << '\n';
        };
        if (&block != &blocks.front()) out << '\n';
        write([&](std::size_t c) { return header[c]; });
        each([&](std::vector<Cell> row) {  // a copy
            units.rescale(row);
            write([&](std::size_t c) { return c < row.size() ? std::visit(ForPeople{}, row[c]) : std::string(); });
        });
    }
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

bool is_terminal(const std::ostream& out) { return &out == &std::cout && isatty(STDOUT_FILENO) != 0; }

std::optional<std::size_t> terminal_width(const std::ostream& out) {
    if (!is_terminal(out)) return std::nullopt;
    if (const char* columns = std::getenv("COLUMNS"))
        if (const std::size_t width = std::strtoul(columns, nullptr, 10); width > 0) return width;
    winsize size{};
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return std::nullopt;
    return size.ws_col;
}

void write_rows(std::ostream& out, const std::vector<std::string>& columns, const EachRow& each, OutputFormat format,
                std::optional<std::size_t> width) {
    switch (format) {
        case OutputFormat::table: return write_aligned(out, columns, each, width);
        case OutputFormat::csv:
            out << formats::csv_row(columns);
            each([&](const std::vector<Cell>& row) { out << formats::csv_row(row); });
            return;
        case OutputFormat::json: return write_json(out, columns, each);
    }
}

void write_table(std::ostream& out, const Table& table, OutputFormat format) {
    write_table(out, table, format, terminal_width(out));
}

void write_table(std::ostream& out, const Table& table, OutputFormat format, std::optional<std::size_t> width) {
    const auto each = [&table](const TakeRow& take) {
        for (const auto& row : table.rows) take(row);
    };
    write_rows(out, table.columns, each, format, width);
}

}  // namespace scalescope::app
