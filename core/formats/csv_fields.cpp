// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/csv_fields.hpp"

#include <charconv>

#include "core/base/decimal.hpp"
#include "core/base/limits.hpp"

namespace scalescope::formats {

std::optional<std::size_t> CsvFields::required(std::string_view name) {
    if (const auto found = table_.column(name)) return found;
    const auto names = table_.names();
    problems_.error(table_.name_at(0), {}, "There is no column " + quoted(name) + ".",
                    did_you_mean(name, names, "Add it to the first line and to every row."));
    return std::nullopt;
}

void CsvFields::error(std::size_t row, std::size_t column, std::string what, std::string remedy) {
    problems_.error(table_.at(row, column), std::string(table_.name(column)), std::move(what), std::move(remedy));
}

bool CsvFields::filled(std::size_t row, std::size_t column) {
    if (!table_.cell(row, column).empty()) return true;
    error(row, column, "This cell is empty.", "Fill it in, or remove the row.");
    return false;
}

std::optional<std::string> CsvFields::text(std::size_t row, std::size_t column) {
    if (!filled(row, column)) return std::nullopt;
    const auto text = table_.cell(row, column);
    if (text.size() <= limits::name_bytes) return std::string(text);
    error(row, column, "This text is longer than " + std::to_string(limits::name_bytes) + " bytes.", "Shorten it.");
    return std::nullopt;
}

std::optional<std::int64_t> CsvFields::optional_integer(std::size_t row, std::size_t column, std::int64_t low,
                                                        std::int64_t high) {
    const auto text = table_.cell(row, column);
    if (text.empty()) return std::nullopt;
    std::int64_t value = 0;
    const auto [end, wrong] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (wrong == std::errc() && end == text.data() + text.size() && value >= low && value <= high) return value;
    const auto range =
        range_text(std::to_string(low), low > JsonFields::lowest, std::to_string(high), high < JsonFields::highest);
    error(row, column, quoted(text) + " cannot stand here.", "Write a whole number" + range + ".");
    return std::nullopt;
}

std::optional<double> CsvFields::optional_number(std::size_t row, std::size_t column, double low, double high) {
    const auto text = table_.cell(row, column);
    if (text.empty()) return std::nullopt;
    const auto value = parse_decimal(text);
    if (value && *value >= low && *value <= high) return value;
    const auto range =
        range_text(shortest_decimal(low), low > JsonFields::least, shortest_decimal(high), high < JsonFields::most);
    error(row, column, quoted(text) + " cannot stand here.", "Write a number" + range + ".");
    return std::nullopt;
}

}  // namespace scalescope::formats
