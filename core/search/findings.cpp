// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/findings.hpp"

#include <algorithm>

#include "core/base/time_scale.hpp"
#include "core/estimate/estimate.hpp"
#include "core/estimate/memory.hpp"
#include "core/scenario/hardware.hpp"

namespace scalescope::search {
namespace {

constexpr std::size_t most_near = 500;

Row row_about(const Findings& f, const Found& found, Sweep& sweep) {
    Row row;
    row.found = found;
    row.digits = f.space.digits(found.index);
    if (const auto scenario = f.space.scenario(found.index))
        if (const auto e = sweep.estimate(*scenario)) {
            for (std::size_t m = 0; m < metric_count; ++m)
                row.figures[m] = metric_value(static_cast<Metric>(m), *scenario, *e, f.question.goal);
            row.fits = fits_device(*scenario, e->memory);
            row.price = price_note(*scenario).value_or("");
        }
    return row;
}

/// Which cells of the grid hold an answer that cannot run.
void mark_cells(Findings& f, const Watch& watch) {
    if (!f.question.grid || f.question.must_fit) return;
    const auto cells = f.result.grid.cells();
    f.cell_misfits.resize(cells.size());
    Sweep sweep;
    for (std::size_t i = 0; i < cells.size() && !watch.cancel.cancelled(); ++i)
        if (cells[i]) f.cell_misfits[i] = !row_about(f, *cells[i], sweep).fits;
}

void make_rows(Findings& f, const Watch& watch) {
    std::vector<Found> all = f.result.best;
    const std::size_t ranked = std::min(all.size(), most_rows);
    all.resize(ranked);
    std::vector<std::uint64_t> front;
    for (const Found& found : f.result.front) front.push_back(found.index);
    std::sort(front.begin(), front.end());
    std::vector<std::uint64_t> best;
    for (const Found& found : all) best.push_back(found.index);
    std::sort(best.begin(), best.end());
    std::vector<Found> others;
    for (const Found& found : f.result.front)
        if (!std::binary_search(best.begin(), best.end(), found.index)) others.push_back(found);
    // Evenly along the front, both ends kept.
    const std::size_t room = most_rows - ranked, shown = std::min(others.size(), room);
    f.left_out = others.size() - shown;
    for (std::size_t i = 0; i < shown; ++i)
        all.push_back(others[shown == 1 ? 0 : i * (others.size() - 1) / (shown - 1)]);
    Sweep sweep;
    for (std::size_t i = 0; i < all.size(); ++i) {
        watch.progress(static_cast<double>(i) / static_cast<double>(all.size()));
        Row row = row_about(f, all[i], sweep);
        row.ranked = i < ranked;
        row.on_front = std::binary_search(front.begin(), front.end(), all[i].index);
        // Another name for what an earlier row has: two choices that come to the same in this design.
        const auto same = [&](const Row& r) { return r.figures == row.figures && r.fits == row.fits; };
        if (std::any_of(f.rows.begin(), f.rows.end(), same)) continue;
        f.rows.push_back(std::move(row));
    }
}

void explain_cells(Findings& f, const Watch& watch) {
    const auto cells = f.result.grid.cells();
    f.cell_reasons.resize(cells.size());
    if (!f.question.grid) return;
    auto digits = digits_near(f.space, f.space.base());
    std::size_t told = 0;
    for (std::size_t cell = 0; cell < cells.size() && told < most_reasons; ++cell) {
        if (cells[cell]) continue;
        if (watch.cancel.cancelled()) return;
        ++told;
        digits[f.question.grid->first] = cell % f.result.grid.columns();
        digits[f.question.grid->second] = cell / f.result.grid.columns();
        const Admission a = admit(f.space, f.question, f.space.index_of(digits));
        for (const std::string& reason : a.against)
            f.cell_reasons[cell] += (f.cell_reasons[cell].empty() ? "" : "; ") + reason;
    }
}

}  // namespace

std::optional<std::size_t> Findings::row_of(std::uint64_t index) const {
    const auto at = std::find_if(rows.begin(), rows.end(), [&](const Row& r) { return r.found.index == index; });
    return at == rows.end() ? std::nullopt : std::optional(static_cast<std::size_t>(at - rows.begin()));
}

void Findings::add_row(const Found& found) {
    if (!rows.empty() && !rows.back().ranked && !rows.back().on_front) rows.pop_back();
    Sweep sweep;
    rows.push_back(row_about(*this, found, sweep));
}

Result<Findings> find_best(Asked asked, MadeQuestion made, unsigned threads, const Watch& watch, Tally* tally) {
    Findings f;
    f.asked = std::move(asked);
    f.space = std::move(made.space);
    f.question = std::move(made.question);
    auto result = search(f.space, f.question, threads, {watch.progress.part(0, 0.9), watch.cancel}, tally);
    if (!result) return fail(result.error());
    f.result = std::move(*result);
    f.told = told(f.result, f.space, f.question);
    // What was found is told whole even if the search was ended: there is little of it.
    make_rows(f, {watch.progress.part(0.9, 0.95), {}});
    f.here = admit(f.space.base(), f.question).against;
    if (f.rows.empty() && f.result.complete) f.without = relaxed(f.space, f.question, threads, watch);
    if (!f.here.empty() && f.result.complete) {
        Question asked_for = f.question;
        if (f.rows.empty()) asked_for.where.clear();
        // Without conditions nothing fits that the search did not find; and that the scenario fits as it is is no news.
        const bool may_be = !f.rows.empty() || !f.question.where.empty();
        if (may_be && !admit(f.space.base(), asked_for).admitted())
            f.nearest = nearest_admitted(f.space, asked_for, digits_near(f.space, f.space.base()), watch, most_near);
    }
    mark_cells(f, watch);
    if (!f.rows.empty()) explain_cells(f, {watch.progress.part(0.95, 1), {}});
    return f;
}

std::vector<std::size_t> front_of(const std::vector<Row>& rows, Metric x, Metric y) {
    struct Place {
        double x, y;
        std::size_t row;
    };
    std::vector<Place> all;
    const auto turned = [](Metric m, double v) { return info_of(m).larger_is_better ? -v : v; };
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (const auto a = rows[i].figure(x), b = rows[i].figure(y); a && b)
            all.push_back({turned(x, *a), turned(y, *b), i});
    std::stable_sort(all.begin(), all.end(),
                     [](const Place& a, const Place& b) { return a.x != b.x ? a.x < b.x : a.y < b.y; });
    std::vector<std::size_t> front;
    const Place* last = nullptr;
    for (const Place& p : all)
        if (last == nullptr || p.y < last->y) {
            front.push_back(p.row);
            last = &p;
        }
    return front;
}

Shown shown_unit(Metric metric, double largest, double smallest) {
    constexpr double still_read = 0.1;
    const std::string unit(info_of(metric).unit);
    const auto suits = [&](double per, double least) { return largest >= least && smallest >= still_read * per; };
    if (unit == "s") {
        if (suits(86400, 2 * 86400)) return {"d", 86400};
        if (suits(3600, 2 * 3600)) return {"h", 3600};
        if (suits(60, 2 * 60)) return {"min", 60};
    }
    if (unit == "ms") {
        TimeUnit fitting = fitting_unit(milliseconds(largest));
        if (fitting == TimeUnit::seconds && smallest < still_read * 1e3) fitting = TimeUnit::milliseconds;
        return {std::string(name_of(fitting)), 1e3 / per_second(fitting)};
    }
    return {unit, 1};
}

}  // namespace scalescope::search
