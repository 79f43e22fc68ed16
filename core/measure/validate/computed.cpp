// SPDX-License-Identifier: GPL-3.0-or-later
// Tables whose figures were computed by a model and not measured: their times are exactly linear in the micro-batches.
#include <cmath>
#include <map>

#include "core/base/decimal.hpp"
#include "core/measure/validate/validate.hpp"

namespace scalescope::measure {

namespace {

/// Runs that differ only in the number of micro-batches.
std::string run_key(PublishedRow row) {
    row.batch_global = 0;
    row.accumulation = 1;
    return configuration_key(row) + '\n' + row.metric;
}

/// Whether three times or more lie on a line, to more digits than a clock is steady.
enum class OnLine { unknown, yes, no };
OnLine on_line(const std::map<std::int64_t, double>& times) {
    if (times.size() < 3) return OnLine::unknown;
    constexpr double exact = 1e-7, noticeable = 1e-6;
    const auto first = times.begin(), second = std::next(first);
    const double slope = (second->second - first->second) / static_cast<double>(second->first - first->first);
    bool rounded = true;
    for (const auto& [steps, time] : times) {
        const double expected = first->second + slope * static_cast<double>(steps - first->first);
        if (std::abs(time / expected - 1) > exact) return OnLine::no;
        const double digits = std::pow(10.0, std::floor(std::log10(time)) - 4);
        rounded = rounded && std::abs(std::round(time / digits) * digits / time - 1) < noticeable;
    }
    return rounded ? OnLine::unknown : OnLine::yes;  // "10 ms, 20 ms, 30 ms" says nothing
}

}  // namespace

std::vector<bool> computed_rows(const std::vector<PublishedRow>& rows) {
    std::map<std::string, std::map<std::string, std::map<std::int64_t, double>>> tables;
    const auto is_time = [](const PublishedRow& row) {
        return row.unit.ends_with('s') && row.unit.find('/') == std::string::npos;
    };
    for (const PublishedRow& row : rows)
        if (row.wrong.empty() && is_time(row)) tables[row.file][run_key(row)][row.accumulation] = row.value;
    std::map<std::string, bool> computed;
    for (const auto& [file, runs] : tables) {
        constexpr std::size_t enough = 3;
        std::size_t yes = 0, no = 0;
        for (const auto& run : runs) {
            const OnLine line = on_line(run.second);
            yes += line == OnLine::yes, no += line == OnLine::no;
        }
        computed[file] = yes >= enough && no == 0;
    }
    std::vector<bool> result;
    for (const PublishedRow& row : rows) result.push_back(computed[row.file]);
    return result;
}

}  // namespace scalescope::measure
