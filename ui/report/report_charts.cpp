// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/report_charts.hpp"

#include <algorithm>
#include <cmath>

#include "ui/charts/speedup_chart.hpp"
#include "ui/charts/stack_chart.hpp"
#include "ui/charts/waterfall_chart.hpp"
#include "ui/inspect/chart_mapping.hpp"
#include "ui/inspect/compare_mapping.hpp"
#include "ui/language/told.hpp"
#include "ui/live/live.hpp"

namespace scalescope::ui {
namespace {

StackData steps_of(const report::Report& r) {
    StackData data;
    data.parts = time_stack();
    for (const report::Design& d : r.designs) {
        const Summary& s = d.estimate.summary;
        StackRow row;
        row.name = plain(d.letter);
        row.values = stack_of({s.forward, s.backward, s.update, s.communication, s.idle, s.hidden});
        row.fits = d.cannot_run.empty();
        data.rows.push_back(std::move(row));
    }
    return data;
}

/// The designs' own ways to divide the work; what else the first could do is another question.
SpeedupData speedups_of(const report::Report& r) {
    LiveRequest request;
    request.scenario = *r.designs.front().scenario;
    for (std::size_t i = 1; i < r.designs.size(); ++i) {
        request.pins.push_back({r.designs[i].name, r.designs[i].scenario});
        request.last_workers = std::max(request.last_workers, r.designs[i].scenario->cluster.workers);
    }
    const LiveResultPtr result = answer(request);
    SpeedupData data = speedup_chart_data(*result);
    if (data.shown >= 0) {
        data.curves = {data.curves[static_cast<std::size_t>(data.shown)]};
        data.curves.front().name = QStringLiteral("A");
        data.shown = 0;
    }
    for (std::size_t i = 0; i < data.pins.size(); ++i) data.pins[i].name = plain(r.designs[i + 1].letter);
    return data;
}

}  // namespace

ReportCharts::ReportCharts(const report::Report& r) {
    auto parts = std::make_unique<StackChart>();
    parts->set_data(steps_of(r));
    all_.push_back({std::move(parts), 84 + 26 * static_cast<int>(r.designs.size()), -1});
    auto speedup = std::make_unique<SpeedupChart>();
    speedup->set_data(speedups_of(r));
    if (!speedup->is_empty()) all_.push_back({std::move(speedup), 230, -1});
    for (std::size_t i = 0; i < r.comparisons.size(); ++i) {
        const report::Comparison& c = r.comparisons[i];
        if (c.lines.empty()) continue;
        auto chart = std::make_unique<WaterfallChart>();
        WaterfallData data = waterfall_data(c.shares, QStringLiteral("A"), plain(r.designs[c.to].letter));
        data.foot.clear();  // stands beside it
        data.start_fits = r.designs.front().cannot_run.empty();
        data.end_fits = r.designs[c.to].cannot_run.empty();
        const double seen = 1e-9 * std::max(std::abs(data.start), std::abs(data.end));
        std::erase_if(data.steps, [seen](const WaterfallStep& step) { return std::abs(step.change) <= seen; });
        chart->set_data(std::move(data));
        if (chart->is_empty()) continue;
        all_.push_back({std::move(chart), 74 + 22 * static_cast<int>(std::min<std::size_t>(c.lines.size() + 2, 12)),
                        static_cast<int>(i)});
    }
}

}  // namespace scalescope::ui
