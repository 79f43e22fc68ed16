// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>

#include "core/search/admit.hpp"
#include "core/search/asked.hpp"
#include "core/search/reasons.hpp"

/// The answer to a search with all that is told about it.
namespace scalescope::search {

/// One combination of the answer.
struct Row {
    Found found;
    std::vector<std::size_t> digits;                          ///< its values, by axis
    std::array<std::optional<double>, metric_count> figures;  ///< by Metric, of estimate()
    bool ranked = false, on_front = false;                    ///< among the best; on the front
    bool fits = true;                                         ///< the step, into memory
    std::string price;                                        ///< price_note() of its device; empty without a price
    std::optional<double> figure(Metric m) const { return figures[static_cast<std::size_t>(m)]; }
};

struct Findings {
    Asked asked;
    Space space;
    Question question;
    SearchResult result;
    /// The best in their order, then those of the front that are not among them, then one that a person asked for.
    std::vector<Row> rows;
    std::size_t left_out = 0;          ///< of the front: more than `most_rows` are not shown
    std::vector<std::string> told;     ///< what became of the combinations
    std::vector<std::string> without;  ///< of a search that found nothing: without what it would have found something
    std::vector<std::string> here;     ///< why the scenario itself is no answer; empty if it is one
    /// The answer nearest to the scenario, where that is none itself. Where there is no answer at all: the nearest that
    /// fits in memory, whatever the constraints.
    std::optional<Admission> nearest;
    std::vector<std::string> cell_reasons;  ///< of each empty cell of the grid: why; empty where nobody looked

    std::vector<bool> cell_misfits;  ///< of each cell of the grid; empty where every answer has to fit

    /// The row of a combination; nothing if it has none.
    std::optional<std::size_t> row_of(std::uint64_t index) const;
    /// Makes a row of a combination that has none, such as the best of a cell, in place of the one asked for before.
    void add_row(const Found& found);
};

inline constexpr std::size_t most_rows = 1000, most_reasons = 400;

/// Searches, estimates what it found, and says why where it found nothing: as search(), and `watch` may end it early.
/// A cell without an answer is explained by the combination in it that is otherwise as the scenario is.
Result<Findings> find_best(Asked asked, MadeQuestion made, unsigned threads, const Watch& watch = {},
                           Tally* tally = nullptr);

/// Rows that nothing else is better than in both of two figures, by the first of them: what a chart links.
std::vector<std::size_t> front_of(const std::vector<Row>& rows, Metric x, Metric y);

/// A unit in which values from `smallest` to `largest` are read easily: seconds become hours, unless the smallest would
/// be a few hundredths of one. `per` of the metric's own unit are one of it.
struct Shown {
    std::string unit;
    double per = 1;
};
Shown shown_unit(Metric metric, double largest, double smallest);
inline Shown shown_unit(Metric metric, double largest) { return shown_unit(metric, largest, largest); }

}  // namespace scalescope::search
