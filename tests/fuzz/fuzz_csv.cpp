// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a table: a Problem, or rows as wide as the header, which written in quotes read back the same, unless
// the table is Markdown and two of its columns have one name, which a table with commas must not have.
#include "core/formats/csv.hpp"
#include "core/formats/csv_fields.hpp"
#include "core/formats/csv_write.hpp"
#include "fuzz/checks.hpp"

#include <set>

using namespace scalescope;

namespace {

std::string in_quotes(std::string_view text) {
    std::string result = formats::reads_as_formula(text) ? "\"'" : "\"";
    for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
    return result + '"';
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto table = formats::parse_csv(text, "fuzz.csv");
    if (!table) return fuzz::check_problems(table.error());
    formats::ProblemList problems;
    formats::CsvFields fields(*table, problems);
    for (std::size_t r = 0; r < table->rows(); ++r) {
        for (std::size_t c = 0; c < table->columns(); ++c) {
            const auto at = table->at(r, c);
            fuzz::require(at.line > 0 && at.column > 0, "every cell has a place");
            const auto number = fields.number(r, c, -1e300, 1e300);
            fuzz::require(!number || std::isfinite(*number), "a number is finite");
            fields.optional_integer(r, c, 0, 100);
        }
    }
    for (auto below = table->next(); below; below = below->next())
        for (std::size_t r = 0; r < below->rows(); ++r)
            fuzz::require(below->at(r, below->columns() - 1).line >= table->name_at(0).line, "it stands below");
    fuzz::require(text.find(table->title()) != text.npos && text.find(table->text_below()) != text.npos,
                  "texts are kept");
    std::set<std::string> names;
    std::string written;
    for (std::size_t c = 0; c < table->columns(); ++c) {
        if (!table->name(c).empty() && !names.insert(formats::csv_cell(table->name(c))).second) return 0;
        written += (c > 0 ? "," : "") + in_quotes(table->name(c));
    }
    for (std::size_t r = 0; r < table->rows(); ++r)
        for (std::size_t c = 0; c < table->columns(); ++c)
            written += (c > 0 ? "," : "\n") + in_quotes(table->cell(r, c));
    const auto again = formats::parse_csv(written, "written.csv");
    fuzz::require(again && again->names() == table->names() && again->rows() == table->rows(), "the same table again");
    for (std::size_t r = 0; r < table->rows(); ++r)
        for (std::size_t c = 0; c < table->columns(); ++c)
            fuzz::require(again->cell(r, c) == table->cell(r, c), "the same cell again");
    return 0;
}
