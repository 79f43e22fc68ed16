// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/base/letters.hpp"
#include "core/formats/tables/reading.hpp"

namespace scalescope::formats::tables {

namespace {

/// A number that a line of a log states: "elapsed time per iteration (ms): 129.3", "tps=5,000".
struct Statement {
    std::string key;         ///< without digits, which change from line to line: "Iter #"
    std::string_view value;  ///< with what follows up to the next one: "448.0 img/sec per GPU"
};

constexpr std::string_view around_keys = " \t-*[](){}\"'`|>.,/";

/// The name in front of a colon or an equals sign: the text after the last separator.
std::string key_in(std::string_view text) {
    for (const std::string_view between : {"  ", "|", ", ", ";", "\t", "] ", ")"})
        if (const std::size_t at = text.rfind(between); at != text.npos && has_letters(text.substr(at)))
            text.remove_prefix(at + between.size());
    std::string key;
    for (const char c : text)
        if (!is_digit(c)) key += c;
    const std::size_t first = key.find_first_not_of(around_keys);
    return first == key.npos ? std::string() : key.substr(first, key.find_last_not_of(" \t-*\"'`") + 1 - first);
}

/// Where the value at `begin` ends: at a separator, or at the blank in front of the next key.
std::size_t end_of_value(std::string_view line, std::size_t begin) {
    std::size_t end = line.size();
    for (const std::string_view between : {"|", ";", "\t", ", ", "  ", " ("})
        end = std::min(end, line.find(between, begin));
    const auto value = line.substr(begin, end - begin);
    const bool has_another = value.find(": ") != value.npos || value.find('=') != value.npos;
    return has_another ? std::min(end, line.find(' ', begin)) : end;
}

/// Finds the statements of a line. Command lines with options such as "--batch-size=64" have none.
std::vector<Statement> statements_in(std::string_view line) {
    constexpr std::size_t longest = 4096;  // as the time is quadratic in the length
    std::vector<Statement> all;
    if (line.size() > longest || line.find(" --") != line.npos || trimmed(line).starts_with("--")) return all;
    std::size_t from = 0;  // of the key
    for (std::size_t at = line.find_first_of(":="); at != line.npos; at = line.find_first_of(":=", at + 1)) {
        const bool is_sign = line[at] == '=' || (at + 1 < line.size() && line[at + 1] == ' ');  // no time of day
        const std::size_t begin = line.find_first_not_of(" ~+-\"$*", at + 1);
        if (!is_sign || begin == line.npos || !is_digit(line[begin])) continue;
        std::string key = key_in(line.substr(from, at - from));
        if (!has_letters(key)) continue;
        const std::size_t end = end_of_value(line, begin);
        all.push_back({std::move(key), trimmed(line.substr(begin, end - begin))});
        from = at = end;
    }
    return all;
}

bool is_like(const std::vector<Statement>& a, const std::vector<Statement>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](auto& x, auto& y) { return x.key == y.key; });
}

constexpr int most_between = 5;  ///< other lines between two lines of a log

}  // namespace

bool is_line_of_log(std::string_view line) { return statements_in(line).size() > 1; }

std::optional<Layout> find_log(std::string_view text, std::size_t from) {
    constexpr std::size_t most_seen = 500, least_alone = 3;
    std::size_t seen = 0;
    for (TextLine line{from, from, {}}; seen < most_seen && line.advance(text); ++seen) {
        const auto first = statements_in(line.text);
        if (first.empty()) continue;
        std::size_t lines = 1, end = line.next;
        int between = 0;
        for (TextLine below = line; between <= most_between && below.advance(text);) {
            const bool is_row = is_like(first, statements_in(below.text));
            between = is_row ? 0 : between + 1;
            if (is_row) ++lines, end = below.next;
        }
        if (first.size() + lines > least_alone) return Layout{Layout::Kind::log, line.begin, end};
    }
    return std::nullopt;
}

void read_log(Reading& reading) {
    Store& store = reading.store;
    const std::string_view text = store.text.substr(0, reading.layout.end);
    std::vector<Statement> header;
    for (TextLine line{reading.layout.begin, reading.layout.begin, {}}; line.advance(text);) {
        const auto row = statements_in(line.text);
        if (reading.is_given_up(line.begin)) return;
        if (header.empty()) {
            header = row;
            for (const Statement& s : header) {
                Cell name = cell_at(store.offset_of(s.value));
                store.keep(name, s.key);
                reading.add(store.cells, name);
            }
            reading.end_header();
        }
        if (!is_like(header, row)) continue;
        for (const Statement& s : row) {
            if (!reading.has_room(store.cells.size(), line.begin)) return;
            reading.add(store.cells, cell_at(store.offset_of(s.value), s.value.size()));
        }
        store.end = line.next;
    }
}

}  // namespace scalescope::formats::tables
