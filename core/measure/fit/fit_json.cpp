// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/fit/fit_json.hpp"

#include <algorithm>
#include <array>

#include "core/formats/json_writer.hpp"

namespace scalescope::measure {

const formats::FileFormat fit_format{"scalescope-fit", "fit", {}};

namespace {

class FitWriter {
public:
    explicit FitWriter(const FittedRuns& fitted)
        : fitted_(fitted), fit_(fitted.fit), runs_(fitted.runs), hash_(fitted.data_hash) {}

    std::string write() {
        formats::begin_file(json_, fit_format);
        json_.text("form", word_of(fit_.options.form.kind));
        json_.text("expression", fit_.form->expression());
        settings();
        solution();
        constants();
        factors();
        metrics("metrics", fit_.metrics);
        baselines();
        warnings();
        json_.key("settings");
        write_setup(json_, {fitted_.map, fitted_.hold, fit_.options});
        refits();
        measured();
        json_.end_object();
        return json_.take();
    }

private:
    void interval(std::string_view key, const Interval& value) {
        json_.numbers(key, std::array{value.low, value.high});
    }

    void settings() {
        const FitOptions& options = fit_.options;
        json_.text("data_hash", hash_);
        json_.count("runs_fitted", runs_.training().size());
        json_.count("runs_held_out", runs_.testing().size());
        json_.text("loss", word_of(options.loss));
        if (options.loss == Loss::huber) json_.number("huber_delta", options.huber_delta);
        json_.text("penalty", options.absolute_penalty ? "l1" : "l2");
        json_.number("lambda", fit_.lambda);
        if (!fit_.lambdas.empty()) {
            json_.begin_list("lambda_cross_validation");
            for (const auto& score : fit_.lambdas) {
                json_.begin_inline_object();
                json_.number("lambda", score.lambda);
                json_.number("held_out_loss", score.loss);
                json_.end_object();
            }
            json_.end_list();
        }
        json_.text("optimizer", word_of(options.optimizer));
        json_.count("seed", options.seed);
        json_.boolean("normalized", options.form.normalized);
    }

    void solution() {
        json_.number("cost", fit_.solution.cost);
        json_.count("evaluations", fit_.solution.evaluations);
        json_.count("generations", fit_.solution.generations);
        json_.boolean("converged", fit_.solution.converged);
        if (fit_.check) json_.number("cost_of_other_optimizer", fit_.check->cost);
        json_.number("residual_deviation_ln", fit_.boot.residual_deviation);
        json_.count("bootstrap_refits", fit_.boot.thetas.size());
        json_.number("extrapolation_error", fit_.extrapolation_error);
        if (fit_.noise) {
            json_.number("repeat_deviation_ln", fit_.noise->deviation);
            json_.count("repeated_runs", fit_.noise->repeats);
        }
    }

    void constants() {
        json_.begin_list("constants");
        for (std::size_t d = 0; d < fit_.form->size(); ++d) {
            const Constant& constant = fit_.form->constants()[d];
            const ConstantFinding& finding = fit_.findings.constants[d];
            json_.begin_inline_object();
            json_.text("name", constant.name);
            if (finding.name != constant.name) json_.text("shown_as", finding.name);
            json_.number("value", finding.value);
            json_.optional_text("unit", finding.unit);
            if (!fit_.boot.thetas.empty()) {
                interval("interval_95", finding.interval);
                json_.boolean("identified", finding.identified);
            }
            json_.number("normalized_value", fit_.theta[d]);
            interval("normalized_bounds", {constant.low, constant.high});
            json_.end_object();
        }
        json_.end_list();
        json_.begin_list("trade_offs");
        for (const auto& pair : fit_.findings.trade_offs) {
            json_.begin_inline_object();
            json_.text("one", fit_.findings.constants[pair.one].name);
            json_.text("other", fit_.findings.constants[pair.other].name);
            json_.number("correlation", pair.correlation);
            json_.end_object();
        }
        json_.end_list();
    }

    void factors() {
        json_.begin_list("factors");
        for (const auto& finding : fit_.findings.factors) {
            json_.begin_inline_object();
            json_.text("name", finding.factor);
            json_.number("share", finding.share);
            if (finding.numeric) {
                json_.number("elasticity", finding.elasticity);
                json_.number("doubling", finding.doubling);
                interval("measured", {finding.lowest, finding.highest});
                if (!fit_.boot.thetas.empty()) interval("elasticity_interval_95", finding.elasticity_interval);
            }
            if (!fit_.boot.thetas.empty()) json_.boolean("significant", finding.significant);
            json_.end_object();
        }
        for (const auto& term : fit_.findings.terms) {
            json_.begin_inline_object();
            json_.text("term", term.name);
            json_.number("share", term.share);
            json_.end_object();
        }
        json_.end_list();
        json_.number("offset_share", fit_.findings.offset_share);
    }

    void metrics(std::string_view key, const SplitMetrics& split) {
        json_.begin_object(key);
        const auto one = [this](std::string_view name, const FitMetrics& m) {
            json_.key(name);
            if (m.runs == 0) {
                json_.null();
                return;
            }
            json_.begin_inline_object();
            json_.count("runs", m.runs);
            json_.number("mape", m.mean_error);
            json_.number("median_ape", m.median_error);
            json_.number("max_ape", m.worst_error);
            json_.number("within_10_percent", m.within_tenth);
            json_.number("rmse_s", m.root_mean_square.value);
            json_.number("r_squared", m.r_squared);
            json_.end_object();
        };
        one("train", split.training);
        one("held_out", split.held_out);
        one("extrapolation", split.extrapolated);
        json_.end_object();
    }

    void baselines() {
        json_.begin_object("baselines");
        for (const auto& baseline : fit_.baselines) metrics(baseline.name, baseline.metrics);
        json_.end_object();
    }

    void warnings() {
        json_.begin_list("warnings");
        for (const auto& warning : fit_.warnings) json_.text(warning.what);
        json_.end_list();
    }

    /// Behind every interval.
    void refits() {
        json_.begin_list("refits");
        for (const auto& theta : fit_.boot.thetas) json_.numbers(theta);
        json_.end_list();
        json_.numbers("log_residuals", fit_.boot.log_residuals);
    }

    void measured() {
        json_.begin_object("runs");
        const auto factors = fit_.form->factors();
        json_.begin_list("columns");
        for (const RunColumn& column : runs_.columns) {
            const bool factor = std::ranges::find(factors, column.name) != factors.end();
            if (!factor && column.name != fit_.options.form.workers) continue;
            json_.begin_inline_object();
            json_.text("name", column.name);
            json_.boolean("numbers", column.kind == ColumnKind::numbers);
            json_.texts("cells", column.words);
            json_.end_object();
        }
        json_.end_list();
        json_.numbers("seconds", runs_.seconds);
        std::vector<std::size_t> held;
        for (std::size_t i = 0; i < runs_.size(); ++i)
            if (runs_.held_out[i]) held.push_back(i);
        json_.numbers("held_out", held);
        json_.numbers("lines", runs_.lines);
        json_.numbers("rows", fitted_.rows);
        json_.end_object();
    }

    const FittedRuns& fitted_;
    const Fit& fit_;
    const Runs& runs_;
    const std::string& hash_;
    formats::JsonWriter json_;
};

}  // namespace

std::string fit_json(const FittedRuns& fitted) { return FitWriter(fitted).write(); }

}  // namespace scalescope::measure
