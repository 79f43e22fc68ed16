// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/watch.hpp"
#include "core/formats/csv.hpp"
#include "core/formats/csv_fields.hpp"

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Help for the readers of this room's tables.
namespace scalescope::habitat {

/// The columns a file must have; asks for a cell by the name of its column.
class Columns {
public:
    Columns(const formats::CsvTable& table, formats::ProblemList& problems,
            std::initializer_list<std::string_view> required)
        : fields_(table, problems) {
        for (const auto name : required)
            if (const auto column = fields_.required(name)) columns_.emplace(name, *column);
    }
    void optional(std::initializer_list<std::string_view> names) {
        for (const auto name : names)
            if (const auto column = fields_.optional(name)) columns_.emplace(name, *column);
    }
    bool has(std::string_view name) const { return columns_.find(name) != columns_.end(); }
    std::size_t at(std::string_view name) const { return columns_.find(name)->second; }

    std::string text(std::size_t row, std::string_view name) { return fields_.text(row, at(name)).value_or(""); }
    std::int64_t integer(std::size_t row, std::string_view name, std::int64_t low, std::int64_t high) {
        return fields_.integer(row, at(name), low, high).value_or(low);
    }
    double number(std::size_t row, std::string_view name, double low = 0.0) {
        return fields_.number(row, at(name), low, 1e30).value_or(low);
    }
    std::optional<double> optional_number(std::size_t row, std::string_view name, double high = 1e30) {
        return has(name) ? fields_.optional_number(row, at(name), 0.0, high) : std::nullopt;
    }
    void error(std::size_t row, std::string_view name, std::string what, std::string remedy) {
        fields_.error(row, at(name), std::move(what), std::move(remedy));
    }

private:
    formats::CsvFields fields_;
    std::map<std::string_view, std::size_t> columns_;
};

/// Where a name stands in a list. Of two rows with the same name the second is reported.
class Names {
public:
    explicit Names(std::string what) : what_(std::move(what)) {}
    template <class T>
    Names(std::string what, const std::vector<T>& rows) : what_(std::move(what)) {
        for (const T& row : rows) add(row.name);
    }
    bool add(const std::string& name) {
        list_.push_back(name);
        return places_.emplace(name, places_.size()).second;
    }
    std::optional<std::size_t> find(std::string_view name) const {
        const auto found = places_.find(name);
        return found == places_.end() ? std::nullopt : std::optional(found->second);
    }
    std::string missing(std::string_view name) const {
        return "There is no " + what_ + " called " + formats::quoted(name) + '.';
    }
    std::string remedy(std::string_view name) const {
        const std::vector<std::string_view> known(list_.begin(), list_.end());
        return formats::did_you_mean(name, known, "Add it to the file of " + what_ + "s.");
    }
    std::size_t look_up(Columns& columns, const formats::CsvTable& table, std::size_t row,
                        std::string_view column) const {
        const auto name = table.cell(row, columns.at(column));
        const auto found = find(name);
        if (!found) columns.error(row, column, missing(name), remedy(name));
        return found.value_or(0);
    }

private:
    std::string what_;
    std::vector<std::string> list_;
    std::map<std::string, std::size_t, std::less<>> places_;
};

/// Reads `text` and hands table and problems to `fill`, which gives the rows.
template <class Fill>
auto read_table(std::string_view text, std::string file, const Watch& watch, Fill fill)
    -> Result<decltype(fill(std::declval<const formats::CsvTable&>(), std::declval<formats::ProblemList&>()))> {
    ASSIGN_OR_RETURN(const auto table, formats::parse_csv(text, std::move(file), watch));
    formats::ProblemList problems;
    auto rows = fill(table, problems);
    if (problems.has_errors()) return fail(problems.take());
    return rows;
}

}  // namespace scalescope::habitat
