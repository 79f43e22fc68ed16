// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/base/problem.hpp"
#include "core/units/units.hpp"

/// Measured runs: what somebody varied, and how long it took.
namespace scalescope::measure {

/// What a column of a table of runs is. Numbers and words are the candidates for factors.
enum class ColumnKind {
    numbers,  ///< every cell is a finite number
    words,
};

struct RunColumn {
    std::string name;
    ColumnKind kind = ColumnKind::words;
    std::vector<double> numbers;     ///< one per run if these are numbers, else empty
    std::vector<std::string> words;  ///< one per run, as written
    SourcePosition first_word;       ///< of the first cell that is not a finite number; without a line if there is none
};

/// The runs of one table, by columns. All vectors are as long as there are runs.
struct Runs {
    std::vector<RunColumn> columns;  ///< everything but the time, the split and notes
    std::vector<double> seconds;     ///< measured time of a unit of work; positive and finite
    std::vector<bool> held_out;      ///< not fitted, only predicted
    std::vector<int> lines;          ///< where the run stands in its file, from 1; 0 if it came from nowhere
    bool has_split = false;          ///< the table itself says what is held out
    SourcePosition header;           ///< of the table; no file if the runs came from nowhere

    std::size_t size() const { return seconds.size(); }
    const RunColumn* find(std::string_view name) const;
    std::vector<std::size_t> training() const { return rows(false); }
    std::vector<std::size_t> testing() const { return rows(true); }

private:
    std::vector<std::size_t> rows(bool held) const;
};

/// Problems with a place in the runs' table: what names a line stands at its beginning, what names nothing at the
/// header. Those that have a file already keep their place.
Problems located(Problems problems, const SourcePosition& header);
inline Problems located(Problems problems, const Runs& runs) { return located(std::move(problems), runs.header); }

/// What run `row` has as those of `factors` that the runs have.
std::vector<std::string_view> cells_of(const Runs& runs, const std::vector<std::string>& factors, std::size_t row);

/// The runs numbered in `rows`, in that order.
Runs rows_of(const Runs& runs, const std::vector<std::size_t>& rows);

/// How far runs with the same factors lie apart: no model that sees only the factors can be closer to them.
struct RepeatNoise {
    double deviation = 0.0;   ///< standard deviation of ln t within groups, pooled over them
    std::size_t groups = 0;   ///< sets of factors measured more than once
    std::size_t repeats = 0;  ///< runs in them
};

/// Of runs that agree in all of `factors`; nothing if no two do.
std::optional<RepeatNoise> repeat_noise(const Runs& runs, const std::vector<std::string>& factors);

}  // namespace scalescope::measure
