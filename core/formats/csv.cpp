// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/csv.hpp"

#include "core/base/limits.hpp"
#include "core/formats/tables/reading.hpp"
#include "core/formats/text_file.hpp"

namespace scalescope::formats {

namespace {

/// Behind the byte-order mark, if there is one.
std::size_t begin_of(std::string_view text) { return text.starts_with("\xef\xbb\xbf") ? 3 : 0; }

/// `given` is a view, or a string to keep.
template <class Text>
Result<CsvTable> parse_csv_text(Text&& given, std::string file, const Watch& watch) {
    if (auto problem = too_long(given, file, limits::csv_bytes)) return fail(std::move(*problem));
    auto store = std::make_shared<tables::Store>(std::forward<Text>(given), std::move(file));
    if (const auto bad = detail::first_bad_byte(store->text); bad != detail::no_offset)
        return fail(make_error("The file is not UTF-8 text.", "Save it as UTF-8.", store->position(bad)));
    const std::size_t begin = begin_of(store->text);
    Problems problems = read_table(*store, tables::find_table(store->text, begin), begin, watch);
    if (!problems.empty()) return fail(std::move(problems));
    return CsvTable(std::move(store));
}

}  // namespace

Result<CsvTable> parse_csv(std::string_view text, std::string file, const Watch& watch) {
    return parse_csv_text(text, std::move(file), watch);
}

Result<CsvTable> parse_kept_csv(std::string text, std::string file, const Watch& watch) {
    return parse_csv_text(std::move(text), std::move(file), watch);
}

bool looks_like_csv(std::string_view text) {
    const tables::Layout layout = tables::find_table(text, begin_of(text));
    if (layout.kind == tables::Layout::Kind::log) return false;  // other text can look like a log
    if (layout.kind != tables::Layout::Kind::separated) return true;
    for (tables::TextLine line{layout.begin, layout.begin, {}}; line.advance(text);) {
        if (line.text.empty() || tables::is_comment(line.text)) continue;
        return line.text.size() < 65536 && line.text.find_first_of(",;\t") != std::string_view::npos &&
               line.text.find_first_of(std::string_view("{}[]<>:\0", 8)) == std::string_view::npos;
    }
    return false;
}

}  // namespace scalescope::formats
