// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/fit_tables.hpp"

#include <algorithm>
#include <ostream>

#include "core/base/decimal.hpp"
#include "core/measure/fit/fit_json.hpp"

namespace scalescope::app {

namespace {

using namespace measure;

std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (const auto& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
}

/// There are too few runs to say anything of how sure a constant or a factor is.
constexpr const char* not_determined = "not determined";

Table constants_table(const Fit& fit) {
    Table table{{"constant", "value", "low_95", "high_95", "unit", "verdict"}, {}};
    const bool sure = !fit.boot.thetas.empty();
    for (const auto& c : fit.findings.constants) {
        const std::string verdict = c.given                    ? "given"
                                    : !fit.findings.determined ? not_determined
                                    : c.at_bound               ? "at its bound"
                                    : !sure                    ? ""
                                    : c.identified             ? "significant"
                                                               : "not identified";
        table.rows.push_back({c.name, c.value, sure ? Cell(c.interval.low) : Cell(),
                              sure ? Cell(c.interval.high) : Cell(), c.unit.empty() ? Cell() : Cell(c.unit), verdict});
    }
    return table;
}

Table factors_table(const Fit& fit) {
    Table table{{"factor", "share_percent", "elasticity", "low_95", "high_95", "doubling_percent", "measured_from",
                 "measured_to", "verdict"},
                {}};
    const bool sure = !fit.boot.thetas.empty();
    for (const auto& f : fit.findings.factors) {
        std::vector<Cell> row{f.factor, f.own_terms ? Cell(100.0 * f.share) : Cell()};
        row.resize(table.columns.size());
        if (f.numeric) {
            row[2] = f.elasticity;
            if (sure) row[3] = f.elasticity_interval.low;
            if (sure) row[4] = f.elasticity_interval.high;
            row[5] = 100.0 * f.doubling;
            row[6] = f.lowest;
            row[7] = f.highest;
        }
        if (sure) row[8] = std::string(f.significant ? "significant" : "not identified");
        if (!fit.findings.determined) row[8] = std::string(not_determined);
        table.rows.push_back(std::move(row));
    }
    for (const auto& term : fit.findings.terms)
        table.rows.push_back({"(" + term.name + ")", 100.0 * term.share, {}, {}, {}, {}, {}, {}, {}});
    table.rows.push_back({std::string("(constant)"), 100.0 * fit.findings.offset_share, {}, {}, {}, {}, {}, {}, {}});
    return table;
}

void add_metrics(Table& table, const std::string& model, const SplitMetrics& split) {
    const auto add = [&](const std::string& name, const FitMetrics& m) {
        if (m.runs == 0) return;
        table.rows.push_back({model, name, static_cast<std::int64_t>(m.runs), 100.0 * m.mean_error,
                              100.0 * m.median_error, 100.0 * m.worst_error, 100.0 * m.within_tenth,
                              m.root_mean_square.value, m.r_squared});
    };
    add("train", split.training);
    add("held out", split.held_out);
    add("extrapolation", split.extrapolated);
}

Table metrics_table(const Fit& fit) {
    Table table{{"model", "runs_of", "runs", "mape_percent", "median_percent", "max_percent", "within_10_percent",
                 "rmse_s", "r_squared"},
                {}};
    add_metrics(table, "this fit", fit.metrics);
    for (const auto& baseline : fit.baselines) add_metrics(table, baseline.name, baseline.metrics);
    return table;
}

Table runs_table(const Fit& fit, const Runs& runs) {
    Table table{
        {"line", "split", "measured_s", "predicted_s", "error_percent", "low_90_s", "high_90_s", "extrapolated"}, {}};
    for (std::size_t row = 0; row < runs.size(); ++row) {
        const double off = fit.predicted[row] / runs.seconds[row] - 1.0;
        const bool sure = !fit.bands.empty();
        table.rows.push_back({std::int64_t{runs.lines[row]}, std::string(runs.held_out[row] ? "test" : "train"),
                              runs.seconds[row], fit.predicted[row], 100.0 * off,
                              sure ? Cell(fit.bands[row].low) : Cell(), sure ? Cell(fit.bands[row].high) : Cell(),
                              joined(fit.outside[row])});
    }
    return table;
}

/// Over the counts of workers that were measured and twice the largest.
Result<SpeedupCurve> measured_speedup(const Fit& fit, const Runs& runs) {
    const std::string& name = fit.options.form.workers;
    const RunColumn* column = runs.find(name);
    std::vector<double> workers;
    if (column) workers = column->numbers;
    std::sort(workers.begin(), workers.end());
    workers.erase(std::unique(workers.begin(), workers.end()), workers.end());
    if (!workers.empty()) workers.push_back(2.0 * workers.back());
    const Runs training = rows_of(runs, runs.training());
    return speedup_curve(*fit.form, fit.theta, fit.boot, training, median_run(training), workers, name);
}

Table speedup_table(const SpeedupCurve& curve, bool sure) {
    Table table{{"workers", "time_s", curve.of_throughput ? "speedup_of_throughput" : "speedup", "low_90", "high_90",
                 "efficiency_percent", "extrapolated"},
                {}};
    for (const auto& p : curve.points)
        table.rows.push_back({p.workers, p.time.value, p.speedup, sure ? Cell(p.speedup_interval.low) : Cell(),
                              sure ? Cell(p.speedup_interval.high) : Cell(), 100.0 * p.efficiency,
                              std::string(p.extrapolated ? "yes" : "no")});
    return table;
}

void write_all(std::ostream& out, const Fit& fit, const Runs& runs) {
    out << fit.form->expression() << "\n(" << origin_of(fit.options.form.kind) << ")\n"
        << word_of(fit.options.loss) << " loss, lambda " << shortest_decimal(fit.lambda) << ", "
        << word_of(fit.options.optimizer) << ", seed " << fit.options.seed << ": cost "
        << shortest_decimal(fit.solution.cost) << " after " << fit.solution.evaluations << " evaluations"
        << (fit.solution.converged ? "" : ", not converged") << "\n\nConstants, for the factors as they are measured\n";
    write_table(out, constants_table(fit), OutputFormat::table);
    for (const auto& pair : fit.findings.trade_offs)
        out << "trade-off: " << fit.findings.constants[pair.one].name << " and "
            << fit.findings.constants[pair.other].name << " change together (correlation "
            << shortest_decimal(static_cast<double>(static_cast<int>(pair.correlation * 1000.0)) / 1000.0) << ")\n";
    out << "\nFactors, at the median run; shares of the terms that add up to its time, none of what only scales them\n";
    write_table(out, factors_table(fit), OutputFormat::table);
    out << "\nErrors\n";
    write_table(out, metrics_table(fit), OutputFormat::table);
    const auto curve = measured_speedup(fit, runs);
    if (!curve) return;
    out << "\nSpeedup of the median run\n";
    write_table(out, speedup_table(*curve, !fit.boot.thetas.empty()), OutputFormat::table);
}

Table applied_runs(const Runs& runs, const AppliedFit& applied) {
    Table table{
        {"line", "measured_s", "predicted_s", "error_percent", "low_90_s", "high_90_s", "extrapolated", "problem"}, {}};
    for (std::size_t row = 0; row < runs.size(); ++row) {
        const auto& predicted = applied.predicted[row];
        const bool sure = predicted && !applied.bands.empty();
        table.rows.push_back({std::int64_t{runs.lines[row]}, runs.seconds[row], cell_of(predicted),
                              predicted ? Cell(100.0 * (*predicted / runs.seconds[row] - 1.0)) : Cell(),
                              sure ? Cell(applied.bands[row].low) : Cell(),
                              sure ? Cell(applied.bands[row].high) : Cell(), joined(applied.outside[row]),
                              applied.why_not[row]});
    }
    return table;
}

Table applied_metrics(const AppliedFit& applied) {
    Table table{{"runs_of", "runs", "mape_percent", "median_percent", "max_percent", "within_10_percent", "rmse_s",
                 "r_squared"},
                {}};
    const auto add = [&](const std::string& name, const FitMetrics& m) {
        if (m.runs > 0)
            table.rows.push_back({name, static_cast<std::int64_t>(m.runs), 100.0 * m.mean_error, 100.0 * m.median_error,
                                  100.0 * m.worst_error, 100.0 * m.within_tenth, m.root_mean_square.value,
                                  m.r_squared});
    };
    add("within what was fitted", applied.inside);
    add("extrapolated", applied.extrapolated);
    return table;
}

}  // namespace

void write_applied(std::ostream& out, const FittedRuns& fitted, const Runs& runs, const AppliedFit& applied, bool same,
                   const std::string& show, OutputFormat format) {
    if (show == "constants") return write_table(out, constants_table(fitted.fit), format);
    if (show == "factors") return write_table(out, factors_table(fitted.fit), format);
    if (show == "metrics") return write_table(out, applied_metrics(applied), format);
    if (show == "speedup") return write_fit(out, fitted.fit, fitted.runs, show, format);
    if (show == "all" && format == OutputFormat::table) {
        out << fitted.fit.form->expression() << "\nfitted to " << fitted.runs.training().size() << " runs, "
            << (same ? "of this table" : "of another table (" + fitted.data_hash + ")") << "\n\nErrors\n";
        write_table(out, applied_metrics(applied), format);
        out << "\nRuns\n";
    }
    write_table(out, applied_runs(runs, applied), format);
}

void write_fit(std::ostream& out, const Fit& fit, const Runs& runs, const std::string& show, OutputFormat format) {
    if (show == "all" && format == OutputFormat::table) return write_all(out, fit, runs);
    if (show == "factors") return write_table(out, factors_table(fit), format);
    if (show == "metrics") return write_table(out, metrics_table(fit), format);
    if (show == "runs") return write_table(out, runs_table(fit, runs), format);
    if (show != "speedup") return write_table(out, constants_table(fit), format);
    const auto curve = measured_speedup(fit, runs);
    write_table(out, speedup_table(curve.value_or(SpeedupCurve{}), !fit.boot.thetas.empty()), format);
}

}  // namespace scalescope::app
