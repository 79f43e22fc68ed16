// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a table of runs, a table of published results, or a list of profiles: Problems, or values that hold what
// they promise.
#include <cmath>

#include "core/measure/runs/import.hpp"
#include "core/measure/runs/sheet.hpp"
#include "core/measure/validate/profiles.hpp"
#include "fuzz/checks.hpp"

using namespace scalescope;

namespace {

void check_runs(std::string_view text) {
    measure::HoldOut hold;
    hold.every = 3;
    const auto imported = measure::import_runs(text, "fuzz.csv", {}, hold);
    if (!imported) {
        fuzz::check_problems(imported.error());
        return;
    }
    const auto& runs = imported->runs;
    fuzz::require(runs.size() > 0 && runs.lines.size() == runs.size() && runs.held_out.size() == runs.size(),
                  "as many lines as runs");
    for (const double s : runs.seconds) fuzz::require(s > 0 && std::isfinite(s), "times are above zero");
    for (const auto& column : runs.columns) {
        fuzz::require(column.words.size() == runs.size(), "a cell for each run");
        for (const double x : column.numbers) fuzz::require(std::isfinite(x), "numbers are finite");
    }
}

/// The window keeps the table of a session as a sheet, and reads it back at the next start.
void check_sheet(std::string_view text) {
    const auto table = formats::parse_csv(text, "fuzz.csv");
    if (!table) return;
    // Control characters are replaced when it is written; from then on nothing changes.
    const auto kept = formats::parse_csv(measure::RunSheet(*table).to_csv(), "kept.csv");
    fuzz::require(kept && kept->rows() == table->rows() && kept->columns() == table->columns(),
                  "a kept table can be read");
    const measure::RunSheet sheet(*kept);
    const auto again = formats::parse_csv(sheet.to_csv(), "kept.csv");
    fuzz::require(again && measure::RunSheet(*again) == sheet, "a kept table reads back cell for cell");
}

void check_published(std::string_view text) {
    const auto table = formats::parse_csv(text, "fuzz.csv");
    if (!table) return;
    const auto rows = measure::read_published(*table);
    if (!rows) {
        fuzz::check_problems(rows.error());
        return;
    }
    std::size_t cells = 0;  // of all tables of the page
    for (std::optional<formats::CsvTable> one = *table; one; one = one->next()) cells += one->rows() * one->columns();
    fuzz::require(rows->size() <= cells, "no figure is read twice");
    static const auto profiles = measure::shipped_profiles();
    fuzz::require(profiles.has_value(), "the shipped profiles can be read");
    for (const auto& row : *rows) {
        fuzz::require(row.workers >= 1 && row.accumulation >= 1 && row.devices_per_node >= 0,
                      "no count below its least");
        fuzz::require(!row.wrong.empty() || (row.value > 0 && std::isfinite(row.value)), "a value or a reason");
        for (const auto& profile : *profiles) measure::meets(row, profile.when);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    if (size > 0 && text.front() == '{') {
        const auto profiles = measure::read_profiles(text, "fuzz.json");
        return profiles ? 0 : fuzz::check_problems(profiles.error());
    }
    check_runs(text);
    check_sheet(text);
    check_published(text);
    return 0;
}
