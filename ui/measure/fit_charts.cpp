// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/fit_charts.hpp"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "core/base/format.hpp"
#include "ui/charts/helpers.hpp"
#include "ui/charts/scale.hpp"
#include "ui/language/told.hpp"

namespace scalescope::ui {
namespace {

using namespace measure;
using FitCurve = measure::SpeedupCurve;
using FitPoint = measure::SpeedupPoint;

TimeUnit unit_for(const std::vector<double>& seconds) {
    std::vector<double> sorted = seconds;
    if (sorted.empty()) return TimeUnit::milliseconds;
    const auto middle = sorted.begin() + static_cast<std::ptrdiff_t>(sorted.size() / 2);
    std::nth_element(sorted.begin(), middle, sorted.end());
    // By the median: one slow run must not turn all others into thousandths.
    return *middle >= 1.0 ? TimeUnit::seconds : fitting_unit(Seconds{*middle}, TimeUnit::milliseconds);
}

Runs training_of(const FittedRuns& f) { return rows_of(f.runs, f.runs.training()); }

const std::string& workers_of(const FittedRuns& f) { return f.fit.options.form.workers; }

/// From one to twice what was measured, in steps that make a smooth line; every measured count among them.
std::vector<double> counts_to_show(const FittedRuns& f) {
    const RunColumn* column = f.runs.find(workers_of(f));
    std::vector<double> counts = column->numbers;
    const double most = 2.0 * *std::max_element(counts.begin(), counts.end());
    for (double w = 1.0; w <= most; w *= 1.25) counts.push_back(std::round(w));
    counts.push_back(most);
    counts.push_back(1.0);
    std::sort(counts.begin(), counts.end());
    counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
    return counts;
}

Result<FitCurve> curve_of(const FittedRuns& f, std::size_t run) {
    return speedup_curve(*f.fit.form, f.fit.theta, f.fit.boot, training_of(f), rows_of(f.runs, {run}),
                         counts_to_show(f), workers_of(f));
}

/// Measured times of the runs like `run`; speedups are from their own time on one worker, or from the fit's.
struct MeasuredPoint {
    double workers = 1.0, seconds = 0.0, speedup = 1.0;
    std::size_t run = 0;
};
std::vector<MeasuredPoint> measured_like(const FittedRuns& f, std::size_t run, const FitCurve& curve) {
    std::vector<MeasuredPoint> points;
    const RunColumn* column = f.runs.find(workers_of(f));
    double alone = curve.points.empty() ? 0.0 : curve.points.front().time.value, sum = 0.0;
    int singles = 0;
    const auto alike = runs_over(*f.fit.form, f.runs, run, workers_of(f));
    for (const std::size_t i : alike)
        if (column->numbers[i] == 1.0) sum += f.runs.seconds[i], ++singles;
    if (singles > 0) alone = sum / singles;
    for (const std::size_t i : alike) {
        const double w = column->numbers[i], t = f.runs.seconds[i];
        points.push_back({w, t, alone / t * (curve.of_throughput ? w : 1.0), i});
    }
    return points;
}

QString split_name(bool held_out) { return held_out ? tr("held out") : tr("fitted"); }

}  // namespace

QString seconds_text(double seconds) { return text_of(format_time(Seconds{seconds})); }

bool has_workers(const FittedRuns& f) {
    const auto factors = f.fit.form->factors();
    const RunColumn* column = f.runs.find(workers_of(f));
    return column && column->kind == ColumnKind::numbers &&
           std::find(factors.begin(), factors.end(), workers_of(f)) != factors.end();
}

QString name_of_run(const FittedRuns& f, std::size_t run) {
    QStringList parts;
    for (const auto& factor : f.fit.form->factors()) {
        const RunColumn* column = f.runs.find(factor);
        if (!column || factor == workers_of(f)) continue;
        const QString value = text_of(column->words[run]);
        parts << (column->kind == ColumnKind::words ? value : text_of(factor) + QLatin1Char(' ') + value);
    }
    return parts.join(QStringLiteral(", "));
}

XyData predicted_data(const FittedRuns& f) {
    XyData data;
    const TimeUnit unit = unit_for(f.runs.seconds);
    const double k = per_second(unit);
    const QString name = unit_name(unit);
    data.x = {tr("measured time"), name, QStringLiteral("measured_") + name, true, false};
    data.y = {tr("predicted time"), name, QStringLiteral("predicted_") + name, true, false};
    data.equal_axes = true;
    data.around = {0.1, 0.25};
    data.hollow_means = tr("held out");
    XySeries runs{QStringLiteral("runs"), tr("Runs"), XySeries::Style::dots, 0, {}};
    for (std::size_t i = 0; i < f.runs.size(); ++i) {
        XyPoint p;
        p.x = f.runs.seconds[i] * k;
        p.y = f.fit.predicted[i] * k;
        p.hollow = f.runs.held_out[i];
        p.id = static_cast<int>(f.rows[i]);
        p.label = tr("row %1").arg(f.rows[i] + 1);
        if (const QString what = name_of_run(f, i); !what.isEmpty()) p.label += QStringLiteral(": ") + what;
        if (has_workers(f))
            p.label += QStringLiteral(", ") + tr("%1 workers").arg(text_of(f.runs.find(workers_of(f))->words[i]));
        runs.points.push_back(std::move(p));
    }
    data.series.push_back(std::move(runs));
    return data;
}

XyData over_workers_data(const FittedRuns& f, std::size_t run, OverWorkers what) {
    XyData data;
    data.x = {tr("workers"), {}, QStringLiteral("workers"), true, true};
    const auto curve =
        has_workers(f) && run < f.runs.size() ? curve_of(f, run) : Result<FitCurve>(tl::unexpected(Problems{}));
    if (!curve) {
        data.empty_reason = tr("Mark the workers column as a factor to get a curve over workers.");
        return data;
    }
    const auto measured = measured_like(f, run, *curve);
    std::vector<double> seconds;
    for (const auto& p : measured) seconds.push_back(p.seconds);
    const TimeUnit unit = unit_for(seconds);
    const double k = per_second(unit);
    const auto shown = [&](double time, double speedup, double workers) {
        return what == OverWorkers::time      ? time * k
               : what == OverWorkers::speedup ? speedup
                                              : 100.0 * speedup / workers;
    };
    switch (what) {
        case OverWorkers::time:
            data.y = {tr("time"), unit_name(unit), QStringLiteral("time_") + unit_name(unit), true, false};
            break;
        case OverWorkers::speedup:
            data.y = {tr("speedup"), QStringLiteral("×"), QStringLiteral("speedup"), true, false};
            break;
        case OverWorkers::efficiency:
            data.y = {tr("efficiency"), QStringLiteral("%"), QStringLiteral("efficiency_percent"), false, false};
            break;
    }
    data.caption = name_of_run(f, run);
    data.hollow_means = tr("held out");
    const bool sure = !f.fit.boot.thetas.empty();
    XySeries inside{QStringLiteral("fit"), sure ? tr("Fit, 90 % band") : tr("Fit"), XySeries::Style::line, 0, {}};
    XySeries beyond{QStringLiteral("beyond"), tr("extrapolated"), XySeries::Style::line, 0, {}, true};
    const XyPoint* last = nullptr;
    XyPoint joint;
    for (const FitPoint& p : curve->points) {
        XyPoint point;
        point.x = p.workers;
        point.y = shown(p.time.value, p.speedup, p.workers);
        if (sure)
            point.band = what == OverWorkers::time ? Range{p.time_interval.low * k, p.time_interval.high * k}
                                                   : Range{shown(0, p.speedup_interval.low, p.workers),
                                                           shown(0, p.speedup_interval.high, p.workers)};
        if (p.extrapolated && last && beyond.points.empty()) beyond.points.push_back(joint);
        (p.extrapolated ? beyond : inside).points.push_back(point);
        if (!p.extrapolated) joint = point, last = &joint;
    }
    data.series.push_back(std::move(inside));
    if (!beyond.points.empty()) data.series.push_back(std::move(beyond));
    XySeries dots{QStringLiteral("measured"), tr("Measured"), XySeries::Style::dots, 1, {}};
    for (const auto& m : measured) {
        XyPoint point;
        point.x = m.workers;
        point.y = shown(m.seconds, m.speedup, m.workers);
        point.hollow = f.runs.held_out[m.run];
        point.id = static_cast<int>(f.rows[m.run]);
        point.label = tr("row %1").arg(f.rows[m.run] + 1);
        dots.points.push_back(std::move(point));
    }
    data.series.push_back(std::move(dots));
    return data;
}

FittedCurve fitted_curve(const FittedRuns& f, std::size_t run) {
    FittedCurve fitted;
    if (!has_workers(f) || run >= f.runs.size()) return fitted;
    const auto curve = curve_of(f, run);
    if (!curve) return fitted;
    const QString name = name_of_run(f, run);
    fitted.name = name.isEmpty() ? tr("Fit to runs") : tr("Fit to %1").arg(name);
    for (const FitPoint& p : curve->points)
        fitted.points.push_back(
            {p.workers, p.speedup, p.speedup_interval.low, p.speedup_interval.high, p.extrapolated});
    for (const auto& m : measured_like(f, run, *curve)) fitted.measured.push_back({m.workers, m.speedup, 0, 0, false});
    return fitted;
}

XyData cost_data(const std::vector<double>& costs, bool evolution) {
    XyData data;
    data.x = {evolution ? tr("generation") : tr("start"),
              {},
              evolution ? QStringLiteral("generation") : QStringLiteral("start"),
              false,
              true};
    data.y = {tr("best cost"), {}, QStringLiteral("best_cost"), true, false};
    data.empty_reason = tr("The best cost is drawn here while a fit runs.");
    XySeries best{QStringLiteral("best"), tr("Best cost"), XySeries::Style::line, 0, {}};
    for (std::size_t i = 0; i < costs.size(); ++i)
        best.points.push_back({static_cast<double>(i + 1), std::max(costs[i], 1e-30), std::nullopt, {}, false, -1});
    data.series.push_back(std::move(best));
    return data;
}

ChartTable constants_table(const FittedRuns& f) {
    ChartTable table;
    table.columns = {{QStringLiteral("constant"), tr("Constant"), {}}, {QStringLiteral("value"), tr("Value"), {}},
                     {QStringLiteral("low_95"), tr("95 % from"), {}},  {QStringLiteral("high_95"), tr("to"), {}},
                     {QStringLiteral("unit"), tr("Unit"), {}},         {QStringLiteral("verdict"), tr("Verdict"), {}}};
    const bool sure = !f.fit.boot.thetas.empty();
    for (const auto& c : f.fit.findings.constants)
        table.rows.push_back({text_of(c.name), c.value, sure ? ChartCell(c.interval.low) : ChartCell(),
                              sure ? ChartCell(c.interval.high) : ChartCell(), text_of(c.unit),
                              c.given                      ? tr("given")
                              : !f.fit.findings.determined ? tr("not determined")
                              : c.at_bound                 ? tr("at its bound")
                              : !sure                      ? QString()
                              : c.identified               ? tr("significant")
                                                           : tr("not identified")});
    for (const auto& pair : f.fit.findings.trade_offs) {
        const auto name = [&](std::size_t i) { return text_of(f.fit.findings.constants[i].name); };
        table.rows.push_back({name(pair.one),
                              {},
                              {},
                              {},
                              QString(),
                              tr("changes together with %1 (correlation %2)")
                                  .arg(name(pair.other), text_of(format_fixed(pair.correlation, 2)))});
    }
    return table;
}

ChartTable factors_table(const FittedRuns& f) {
    const QString percent = QStringLiteral("%");
    ChartTable table;
    table.columns = {{QStringLiteral("factor"), tr("Factor"), {}},
                     {QStringLiteral("share_percent"), tr("Share of the time"), percent},
                     {QStringLiteral("elasticity"), tr("Elasticity"), {}},
                     {QStringLiteral("low_95"), tr("95 % from"), {}},
                     {QStringLiteral("high_95"), tr("to"), {}},
                     {QStringLiteral("doubling_percent"), tr("If doubled"), percent},
                     {QStringLiteral("measured_from"), tr("Measured from"), {}},
                     {QStringLiteral("measured_to"), tr("to"), {}},
                     {QStringLiteral("verdict"), tr("Verdict"), {}}};
    const bool sure = !f.fit.boot.thetas.empty();
    for (const auto& x : f.fit.findings.factors) {
        std::vector<ChartCell> row(table.columns.size());
        row[0] = text_of(x.factor);
        if (x.own_terms) row[1] = 100.0 * x.share;
        if (x.numeric) {
            row[2] = x.elasticity;
            if (sure) row[3] = x.elasticity_interval.low, row[4] = x.elasticity_interval.high;
            row[5] = 100.0 * x.doubling;
            row[6] = x.lowest;
            row[7] = x.highest;
        }
        row[8] = !f.fit.findings.determined ? tr("not determined")
                 : !sure                    ? QString()
                 : x.significant            ? tr("significant")
                                            : tr("not identified");
        table.rows.push_back(std::move(row));
    }
    for (const auto& term : f.fit.findings.terms) {
        std::vector<ChartCell> row(table.columns.size());
        row[0] = QLatin1Char('(') + text_of(term.name) + QLatin1Char(')');
        row[1] = 100.0 * term.share;
        table.rows.push_back(std::move(row));
    }
    std::vector<ChartCell> rest(table.columns.size());
    rest[0] = tr("(constant)");
    rest[1] = 100.0 * f.fit.findings.offset_share;
    table.rows.push_back(std::move(rest));
    return table;
}

ChartTable errors_table(const FittedRuns& f) {
    const QString percent = QStringLiteral("%");
    ChartTable table;
    table.columns = {{QStringLiteral("model"), tr("Model"), {}},
                     {QStringLiteral("runs_of"), tr("On"), {}},
                     {QStringLiteral("runs"), tr("Runs"), {}},
                     {QStringLiteral("mape_percent"), tr("Mean error"), percent},
                     {QStringLiteral("median_percent"), tr("Median"), percent},
                     {QStringLiteral("max_percent"), tr("Worst"), percent},
                     {QStringLiteral("within_10_percent"), tr("Within ±10 %"), percent},
                     {QStringLiteral("r_squared"), tr("R²"), {}}};
    const auto add = [&table](const QString& model, const QString& of, const FitMetrics& m) {
        if (m.runs > 0)
            table.rows.push_back({model, of, static_cast<double>(m.runs), 100.0 * m.mean_error, 100.0 * m.median_error,
                                  100.0 * m.worst_error, 100.0 * m.within_tenth, m.r_squared});
    };
    const auto add_all = [&](const QString& model, const SplitMetrics& split) {
        add(model, split_name(false), split.training);
        add(model, split_name(true), split.held_out);
        add(model, tr("more workers than fitted"), split.extrapolated);
    };
    add_all(tr("This fit"), f.fit.metrics);
    for (const auto& baseline : f.fit.baselines) add_all(text_of(baseline.name), baseline.metrics);
    return table;
}

}  // namespace scalescope::ui
