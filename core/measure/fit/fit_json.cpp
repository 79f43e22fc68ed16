// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/fit/fit_json.hpp"

#include <algorithm>
#include <type_traits>

#include "core/formats/json_members.hpp"
#include "core/measure/fit/fit_format.hpp"
#include "core/measure/fit/settings_json.hpp"

namespace scalescope::measure {

std::string_view word_of(FormKind kind) {
    switch (kind) {
        case FormKind::product: return "product";
        case FormKind::two_term: return "two-term";
        case FormKind::physical: return "physical";
        case FormKind::tiers: return "tiers";
    }
    return {};
}

std::string_view word_of(Loss loss) {
    switch (loss) {
        case Loss::squared: return "squared";
        case Loss::huber: return "huber";
        case Loss::absolute: return "absolute";
    }
    return {};
}

std::string_view word_of(FitOptimizer optimizer) { return optimizer == FitOptimizer::fast ? "fast" : "de"; }

namespace {

class FitWriter : private formats::JsonMembers {
public:
    explicit FitWriter(const FittedRuns& fitted)
        : fitted_(fitted), fit_(fitted.fit), runs_(fitted.runs), hash_(fitted.data_hash) {}

    std::string write() {
        json_.begin_object();
        text("format", fit_format_name);
        json_.key("version");
        json_.integer(1);
        text("form", word_of(fit_.options.form.kind));
        text("expression", fit_.form->expression());
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
        json_.key(key);
        json_.begin_inline_list();
        json_.number(value.low);
        json_.number(value.high);
        json_.end_list();
    }

    void settings() {
        const FitOptions& options = fit_.options;
        text("data_hash", hash_);
        count("runs_fitted", runs_.training().size());
        count("runs_held_out", runs_.testing().size());
        text("loss", word_of(options.loss));
        if (options.loss == Loss::huber) number("huber_delta", options.huber_delta);
        text("penalty", options.absolute_penalty ? "l1" : "l2");
        number("lambda", fit_.lambda);
        if (!fit_.lambdas.empty()) {
            json_.key("lambda_cross_validation");
            json_.begin_list();
            for (const auto& score : fit_.lambdas) {
                json_.begin_inline_object();
                number("lambda", score.lambda);
                number("held_out_loss", score.loss);
                json_.end_object();
            }
            json_.end_list();
        }
        text("optimizer", word_of(options.optimizer));
        count("seed", options.seed);
        flag("normalized", options.form.normalized);
    }

    void solution() {
        number("cost", fit_.solution.cost);
        count("evaluations", fit_.solution.evaluations);
        count("generations", fit_.solution.generations);
        flag("converged", fit_.solution.converged);
        if (fit_.check) number("cost_of_other_optimizer", fit_.check->cost);
        number("residual_deviation_ln", fit_.boot.residual_deviation);
        count("bootstrap_refits", fit_.boot.thetas.size());
        number("extrapolation_error", fit_.extrapolation_error);
        if (fit_.noise) {
            number("repeat_deviation_ln", fit_.noise->deviation);
            count("repeated_runs", fit_.noise->repeats);
        }
    }

    void constants() {
        json_.key("constants");
        json_.begin_list();
        for (std::size_t d = 0; d < fit_.form->size(); ++d) {
            const Constant& constant = fit_.form->constants()[d];
            const ConstantFinding& finding = fit_.findings.constants[d];
            json_.begin_inline_object();
            text("name", constant.name);
            if (finding.name != constant.name) text("shown_as", finding.name);
            number("value", finding.value);
            if (!finding.unit.empty()) text("unit", finding.unit);
            if (!fit_.boot.thetas.empty()) {
                interval("interval_95", finding.interval);
                flag("identified", finding.identified);
            }
            number("normalized_value", fit_.theta[d]);
            interval("normalized_bounds", {constant.low, constant.high});
            json_.end_object();
        }
        json_.end_list();
        json_.key("trade_offs");
        json_.begin_list();
        for (const auto& pair : fit_.findings.trade_offs) {
            json_.begin_inline_object();
            text("one", fit_.findings.constants[pair.one].name);
            text("other", fit_.findings.constants[pair.other].name);
            number("correlation", pair.correlation);
            json_.end_object();
        }
        json_.end_list();
    }

    void factors() {
        json_.key("factors");
        json_.begin_list();
        for (const auto& finding : fit_.findings.factors) {
            json_.begin_inline_object();
            text("name", finding.factor);
            number("share", finding.share);
            if (finding.numeric) {
                number("elasticity", finding.elasticity);
                number("doubling", finding.doubling);
                interval("measured", {finding.lowest, finding.highest});
                if (!fit_.boot.thetas.empty()) interval("elasticity_interval_95", finding.elasticity_interval);
            }
            if (!fit_.boot.thetas.empty()) flag("significant", finding.significant);
            json_.end_object();
        }
        for (const auto& term : fit_.findings.terms) {
            json_.begin_inline_object();
            text("term", term.name);
            number("share", term.share);
            json_.end_object();
        }
        json_.end_list();
        number("offset_share", fit_.findings.offset_share);
    }

    void metrics(std::string_view key, const SplitMetrics& split) {
        json_.key(key);
        json_.begin_object();
        const auto one = [this](std::string_view name, const FitMetrics& m) {
            json_.key(name);
            if (m.runs == 0) {
                json_.null();
                return;
            }
            json_.begin_inline_object();
            count("runs", m.runs);
            number("mape", m.mean_error);
            number("median_ape", m.median_error);
            number("max_ape", m.worst_error);
            number("within_10_percent", m.within_tenth);
            number("rmse_s", m.root_mean_square.value);
            number("r_squared", m.r_squared);
            json_.end_object();
        };
        one("train", split.training);
        one("held_out", split.held_out);
        one("extrapolation", split.extrapolated);
        json_.end_object();
    }

    void baselines() {
        json_.key("baselines");
        json_.begin_object();
        for (const auto& baseline : fit_.baselines) metrics(baseline.name, baseline.metrics);
        json_.end_object();
    }

    void warnings() {
        json_.key("warnings");
        json_.begin_list();
        for (const auto& warning : fit_.warnings) json_.text(warning.what);
        json_.end_list();
    }

    template <class List>
    void numbers(std::string_view key, const List& list) {
        json_.key(key);
        numbers(list);
    }
    template <class List>
    void numbers(const List& list) {
        json_.begin_inline_list();
        for (const auto value : list) {
            if constexpr (std::is_integral_v<std::decay_t<decltype(value)>>)
                json_.integer(static_cast<std::int64_t>(value));
            else
                json_.number(value);
        }
        json_.end_list();
    }

    /// Behind every interval.
    void refits() {
        json_.key("refits");
        json_.begin_list();
        for (const auto& theta : fit_.boot.thetas) numbers(theta);
        json_.end_list();
        numbers("log_residuals", fit_.boot.log_residuals);
    }

    void measured() {
        json_.key("runs");
        json_.begin_object();
        const auto factors = fit_.form->factors();
        json_.key("columns");
        json_.begin_list();
        for (const RunColumn& column : runs_.columns) {
            const bool factor = std::find(factors.begin(), factors.end(), column.name) != factors.end();
            if (!factor && column.name != fit_.options.form.workers) continue;
            json_.begin_inline_object();
            text("name", column.name);
            flag("numbers", column.kind == ColumnKind::numbers);
            json_.key("cells");
            json_.begin_inline_list();
            for (const std::string& word : column.words) json_.text(word);
            json_.end_list();
            json_.end_object();
        }
        json_.end_list();
        numbers("seconds", runs_.seconds);
        std::vector<std::size_t> held;
        for (std::size_t i = 0; i < runs_.size(); ++i)
            if (runs_.held_out[i]) held.push_back(i);
        numbers("held_out", held);
        numbers("lines", runs_.lines);
        numbers("rows", fitted_.rows);
        json_.end_object();
    }

    const FittedRuns& fitted_;
    const Fit& fit_;
    const Runs& runs_;
    const std::string& hash_;
};

}  // namespace

std::string fit_json(const FittedRuns& fitted) { return FitWriter(fitted).write(); }

}  // namespace scalescope::measure
