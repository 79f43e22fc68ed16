// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include "core/base/decimal.hpp"
#include "core/base/limits.hpp"
#include "core/formats/json_decoder.hpp"
#include "core/formats/versions.hpp"
#include "core/measure/fit/fit_json.hpp"

namespace scalescope::measure {

namespace {

using formats::JsonFields;
using formats::JsonKind;
using formats::JsonValue;

/// What the writer says for people and other programs, and what follows from the rest.
constexpr std::string_view derived[] = {"form",    "metrics",    "normalized",   "runs_held_out",
                                        "loss",    "optimizer",  "huber_delta",  "bootstrap_refits",
                                        "seed",    "baselines",  "runs_fitted",  "repeat_deviation_ln",
                                        "penalty", "expression", "offset_share", "residual_deviation_ln",
                                        "factors", "trade_offs", "repeated_runs"};

class FitReader {
public:
    explicit FitReader(JsonValue root) : root_(root) {}

    Result<FittedRuns> read() {
        JsonFields fields(root_, {}, problems_);
        fields.ignore("format");
        fields.ignore("version");
        for (const auto name : derived) fields.ignore(name);
        result_.data_hash = std::string(fields.text("data_hash").value_or(""));
        if (const auto settings = fields.required("settings", JsonKind::object))
            if (auto setup = read_setup(*settings, "settings", problems_)) {
                result_.map = std::move(setup->map);
                result_.hold = setup->hold;
                result_.fit.options = std::move(setup->options);
            }
        read_solution(fields);
        const auto constants = fields.required("constants", JsonKind::array);
        const auto refits = fields.required("refits", JsonKind::array);
        result_.fit.boot.log_residuals = numbers(fields, "log_residuals");
        if (const auto runs = fields.required("runs", JsonKind::object)) read_runs(*runs);
        read_warnings(fields);
        fields.finish();
        if (problems_.has_errors()) return fail(problems_.take());
        if (auto whole = make(*constants, *refits); !whole) return fail(whole.error());
        return std::move(result_);
    }

private:
    void error(JsonValue at, std::string where, std::string what, std::string remedy) {
        problems_.error(at.at(), std::move(where), std::move(what), std::move(remedy));
    }

    std::vector<double> numbers(JsonFields& fields, std::string_view name) {
        std::vector<double> list;
        const auto found = fields.required(name, JsonKind::array);
        if (!found) return list;
        for (const JsonValue value : *found) {
            if (!value.is_number()) {
                error(value, formats::join_path(fields.path(), name), "This is no number.", "Write a number.");
                break;
            }
            list.push_back(value.number());
        }
        return list;
    }

    void read_solution(JsonFields& fields) {
        Fit& fit = result_.fit;
        fit.lambda = fields.number("lambda", 0.0, 1e30).value_or(0.0);
        if (const auto list = fields.optional("lambda_cross_validation", JsonKind::array))
            for (const JsonValue row : *list) {
                JsonFields one(row, "lambda_cross_validation", problems_);
                if (!one.is_object() || fit.lambdas.size() > limits::problems) break;
                fit.lambdas.push_back({one.number("lambda").value_or(0.0), one.number("held_out_loss").value_or(0.0)});
            }
        constexpr std::int64_t most = std::int64_t{1} << 53;
        fit.solution.cost = fields.number("cost").value_or(0.0);
        fit.solution.evaluations = static_cast<std::size_t>(fields.integer("evaluations", 0, most).value_or(0));
        fit.solution.generations = static_cast<std::size_t>(fields.integer("generations", 0, most).value_or(0));
        fit.solution.converged = fields.optional_boolean("converged").value_or(false);
        if (const auto other = fields.optional_number("cost_of_other_optimizer")) {
            fit.check.emplace();
            fit.check->cost = *other;
        }
        fit.extrapolation_error = fields.number("extrapolation_error", 0.0, 1e30).value_or(0.0);
    }

    void read_warnings(JsonFields& fields) {
        const auto list = fields.optional("warnings", JsonKind::array);
        if (!list) return;
        for (const JsonValue value : *list)
            if (value.is_string() && result_.fit.warnings.size() < limits::problems)
                result_.fit.warnings.push_back(make_warning(std::string(value.text()), {}));
    }

    void read_runs(JsonValue value) {
        JsonFields fields(value, "runs", problems_);
        Runs& runs = result_.runs;
        runs.seconds = numbers(fields, "seconds");
        const std::size_t count = runs.seconds.size();
        const auto bad = [](double t) { return !(t > 0.0) || !std::isfinite(t); };
        if (count == 0 || std::ranges::any_of(runs.seconds, bad))
            error(value, "runs", "A fit has runs, each with a time above 0.", "Write seconds for each of them.");
        if (const auto columns = fields.required("columns", JsonKind::array))
            for (const JsonValue column : *columns) read_column(column, count);
        runs.held_out.assign(count, false);
        for (const double place : numbers(fields, "held_out")) {
            if (!(place >= 0.0 && place < static_cast<double>(count) && place == std::floor(place))) {
                error(value, "runs", "Among those held out is none of these runs.", "Count the runs from 0.");
                break;
            }
            runs.held_out[static_cast<std::size_t>(place)] = true;
        }
        for (const double line : whole_numbers(fields, value, "lines", count))
            runs.lines.push_back(static_cast<int>(line));
        for (const double row : whole_numbers(fields, value, "rows", count))
            result_.rows.push_back(static_cast<std::size_t>(row));
        fields.finish();
    }

    /// As many whole numbers from 0 as there are runs.
    std::vector<double> whole_numbers(JsonFields& fields, JsonValue at, std::string_view name, std::size_t count) {
        auto list = numbers(fields, name);
        const auto bad = [](double n) { return !(n >= 0.0 && n <= 2147483647.0 && n == std::floor(n)); };
        if (list.size() == count && std::ranges::none_of(list, bad)) return list;
        error(at, formats::join_path("runs", name), "This is no list of whole numbers, one for each run.",
              "Write " + std::to_string(count) + " numbers from 0.");
        return std::vector<double>(count, 0.0);
    }

    void read_column(JsonValue value, std::size_t count) {
        JsonFields fields(value, formats::join_path("runs", "columns"), problems_);
        if (!fields.is_object()) return;
        RunColumn column;
        column.name = std::string(fields.text("name").value_or(""));
        const bool are_numbers = fields.optional_boolean("numbers").value_or(false);
        column.kind = are_numbers ? ColumnKind::numbers : ColumnKind::words;
        column.words = fields.texts("cells").value_or(std::vector<std::string>());
        fields.finish();
        if (column.words.size() != count || result_.runs.find(column.name)) {
            error(value, formats::join_path("runs", column.name),
                  "A column has a name of its own and a cell for each of the " + std::to_string(count) + " runs.",
                  "Write them all.");
            return;
        }
        if (are_numbers)
            for (const std::string& cell : column.words) {
                const auto number = parse_decimal(cell);
                if (!number || !std::isfinite(*number)) {
                    error(value, formats::join_path("runs", column.name), formats::quoted(cell) + " is no number.",
                          "Write numbers, or say that these are words.");
                    return;
                }
                column.numbers.push_back(*number);
            }
        result_.runs.columns.push_back(std::move(column));
    }

    /// Puts form, constants and refits together, and works out the rest.
    Result<void> make(JsonValue constants, JsonValue refits) {
        Fit& fit = result_.fit;
        const auto placed = [&](Problems problems, JsonValue at) {
            for (Problem& p : problems)
                if (p.at.file.empty() || p.at.line == 0) p.at = at.at();
            return problems;
        };
        const Runs training = rows_of(result_.runs, result_.runs.training());
        auto form = make_form(fit.options.form, training);
        if (!form) return fail(placed(form.error(), root_));
        std::size_t d = 0;
        for (const JsonValue value : constants) {
            const std::string path = formats::join_path("constants", std::to_string(d + 1));
            JsonFields fields(value, path, problems_);
            if (!fields.is_object() || d >= (*form)->size()) break;
            Constant& constant = (*form)->constants()[d++];
            const auto name = fields.text("name");
            if (name && *name != constant.name)
                fields.error(
                    "This constant is called " + formats::quoted(*name) + ", the form's is " + constant.name + ".",
                    "The constants stand in the form's order.");
            fit.theta.push_back(fields.number("normalized_value").value_or(0.0));
            const auto bounds = numbers(fields, "normalized_bounds");
            if (bounds.size() == 2 && bounds[0] <= bounds[1]) {
                constant.low = bounds[0];
                constant.high = bounds[1];
            } else {
                fields.error("The bounds are not two numbers, the smaller first.", "Write [low, high].");
            }
        }
        if (fit.theta.size() != (*form)->size() || constants.size() != (*form)->size())
            error(constants, "constants",
                  "The form has " + std::to_string((*form)->size()) + " constants, the file " +
                      std::to_string(constants.size()) + ".",
                  "Write one for each.");
        read_refits(refits, (*form)->size());
        if (problems_.has_errors()) return fail(problems_.take());
        fit.form = std::move(*form);
        fit.solution.theta = fit.theta;
        fit.boot.residual_deviation = deviation_of(fit.boot.log_residuals);
        if (const auto timed = check_times(constants); !timed) return timed;
        if (auto judged = judge_fit(fit, result_.runs); !judged) return fail(placed(judged.error(), root_));
        return {};
    }

    /// Every run has a finite time by the constants and by every refit.
    Result<void> check_times(JsonValue constants) {
        const Fit& fit = result_.fit;
        const auto evaluator = fit.form->bind(result_.runs);
        if (!evaluator) {
            Problems problems = evaluator.error();
            for (Problem& p : problems) p.at = root_.at();
            return fail(std::move(problems));
        }
        Workspace space;
        std::vector<double> seconds(result_.runs.size());
        const auto finite = [&](const std::vector<double>& theta) {
            (*evaluator)->times(theta, space, seconds);
            return std::ranges::all_of(seconds, [](double t) { return std::isfinite(t); });
        };
        if (finite(fit.theta) && std::ranges::all_of(fit.boot.thetas, finite)) return {};
        error(constants, "constants", "With these constants a run takes no finite time.",
              "They belong to another fit; save it again.");
        return fail(problems_.take());
    }

    void read_refits(JsonValue refits, std::size_t size) {
        constexpr double most_residual = 100.0;
        constexpr std::size_t predictions_per_value = 64;  // a file of any size takes seconds, not hours
        Bootstrap& boot = result_.fit.boot;
        const std::size_t runs = result_.runs.size();
        if (refits.size() > 10'000 || refits.size() * runs > predictions_per_value * limits::json_values)
            return error(refits, "refits", "There are too many refits for so many runs.", "Fit with fewer.");
        for (const JsonValue refit : refits) {
            std::vector<double> theta;
            for (const JsonValue value : refit) {
                if (!value.is_number()) break;
                theta.push_back(value.number());
            }
            if (!refit.is_array() || theta.size() != size || refit.size() != size)
                return error(refit, "refits", "A refit has as many numbers as the form has constants.",
                             "Write " + std::to_string(size) + " numbers.");
            boot.thetas.push_back(std::move(theta));
        }
        const auto huge = [](double r) { return std::abs(r) > most_residual; };
        if (std::ranges::any_of(boot.log_residuals, huge))
            error(refits, "log_residuals", "A residual is no logarithm of a ratio of times.", "Save the fit again.");
        const std::size_t fitted = result_.runs.training().size();
        if (!boot.thetas.empty() && boot.log_residuals.size() != fitted)
            error(refits, "log_residuals", "There is not one residual for each run that was fitted.",
                  "Write " + std::to_string(fitted) + " numbers.");
    }

    JsonValue root_;
    formats::ProblemList problems_;
    FittedRuns result_;
};

}  // namespace

bool is_fit(std::string_view text) { return formats::format_of(text) == fit_format.name; }

Result<FittedRuns> read_fit(std::string_view text, std::string file, const Watch& watch) {
    ASSIGN_OR_RETURN(const auto document, formats::open_document(text, std::move(file), fit_format, watch));
    return FitReader(document.root()).read();
}

}  // namespace scalescope::measure
