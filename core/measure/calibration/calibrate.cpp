// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/calibration/calibrate.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include "core/base/format.hpp"
#include "core/estimate/estimate.hpp"
#include "core/measure/fit/forms.hpp"
#include "core/measure/fit/linear.hpp"
#include "core/measure/runs/runs.hpp"
#include "core/scenario/calibrated.hpp"
#include "core/scenario/fields.hpp"

namespace scalescope::calibration {
namespace {

/// One constant: where it lives, what is usual where nobody set it, and how far off that may be (ln, one deviation).
struct Knob {
    std::string_view field;
    double& (*at)(Scenario&);
    double untouched;  ///< the value that means that nobody set it
    double usual, spread;
    bool share;
    const char* what;
};

constexpr std::size_t knob_count = 8;
using Deltas = std::array<double, knob_count>;

const std::array<Knob, knob_count> knobs{{
    {"model.compute", [](Scenario& s) -> double& { return s.model.compute.value; }, 1, 0.55, 0.35, true, "arithmetic"},
    {"model.memory", [](Scenario& s) -> double& { return s.model.memory.value; }, 1, 0.7, 0.25, true, "memory traffic"},
    {"model.inside", [](Scenario& s) -> double& { return s.model.inside.value; }, 1, 0.8, 0.25, true,
     "bandwidth inside a node"},
    {"model.between", [](Scenario& s) -> double& { return s.model.between.value; }, 1, 0.8, 0.25, true,
     "bandwidth between nodes"},
    {"cluster.inside.latency_us", [](Scenario& s) -> double& { return s.cluster.inside.latency.value; }, 0, 5e-6, 0.5,
     false, "messages inside a node"},
    {"cluster.between.latency_us", [](Scenario& s) -> double& { return s.cluster.between.latency.value; }, 0, 2e-5, 0.5,
     false, "messages between nodes"},
    {"model.launch_us", [](Scenario& s) -> double& { return s.model.launch.value; }, 0, 5e-6, 0.7, false,
     "starting operations"},
    {"model.overhead_ms", [](Scenario& s) -> double& { return s.model.overhead.value; }, 0, 1e-3, 1.5, false,
     "the overhead of a step"},
}};

constexpr double ninety = 1.6448536269514722;  ///< normal deviations to either side that hold 90 %
constexpr double difference = 1e-4;            ///< for slopes, in ln
constexpr double prior_weight = 4;             ///< measurements that the expected noise counts as
constexpr int most_iterations = 60;

/// A constant that an earlier calibration gave is nobody's belief: measurements would count twice.
bool is_believed(const Knob& knob, Scenario& s) {
    const double value = knob.at(s);  // a share of 0 is the device's own
    return value != knob.untouched && !(knob.share && value == 0) && !constant_in_use(s, knob.field);
}

/// The row's own value, or what is usual where it has none.
double centre_of(const Knob& knob, Scenario& s) { return is_believed(knob, s) ? knob.at(s) : knob.usual; }

/// To `delta`, in ln, from its centre.
void move(const Knob& knob, Scenario& s, double delta) {
    const double value = centre_of(knob, s) * std::exp(delta);
    knob.at(s) = knob.share ? std::min(1.0, value) : value;
}

class Fitting {
public:
    Fitting(const Observations& observations, const CalibrateOptions& options, const Watch& watch)
        : observations_(observations), options_(options), watch_(watch) {}

    Result<CalibrationFit> run() {
        if (auto ready = prepare_rows(); !ready) return fail(ready.error());
        for (std::size_t k = 0; k < knob_count; ++k) {
            Scenario first = observations_.scenarios.front();
            const bool set = knobs[k].share && is_believed(knobs[k], first);
            spread_[k] = set ? options_.share_spread : knobs[k].spread;
            highest_[k] = 6.0;
            if (!knobs[k].share) continue;
            for (Scenario s : observations_.scenarios)  // no share exceeds 100 %
                highest_[k] = std::min(highest_[k], -std::log(centre_of(knobs[k], s)));
        }
        noise_ = options_.noise;
        Deltas delta{};
        for (std::size_t k = 0; k < knob_count; ++k) delta[k] = std::min(delta[k], highest_[k]);
        for (int round = 0; round < 4; ++round) {
            if (auto done = minimise(delta); !done) return fail(done.error());
            learn_noise();
        }
        return report(delta);
    }

private:
    using Times = std::vector<double>;

    Problem ended() const { return make_error("The fit was ended.", "start it again"); }

    Result<void> prepare_rows() {
        for (const auto& row : observations_.rows) measured_.push_back(std::log(row.measured.value));
        for (const Scenario& s : observations_.scenarios)
            if (s.model.method != Method::pipeline)
                return fail(make_error("PALEO's methods have constants of their own.", "set model.method=pipeline", {},
                                       "model.method"));
        return {};
    }

    static Scenario moved(Scenario s, const Deltas& delta) {
        for (std::size_t k = 0; k < knob_count; ++k) move(knobs[k], s, delta[k]);
        return s;
    }

    /// ln of every predicted time. `as_it_is`: of the scenarios as they came.
    Result<Times> predict(const Deltas* delta) {
        Times times(observations_.rows.size());
        std::size_t at = 0;
        for (std::size_t s = 0; s < observations_.scenarios.size(); ++s) {
            if (watch_.cancel.cancelled()) return fail(ended());
            const std::size_t from = at;
            while (at < observations_.rows.size() && observations_.rows[at].scenario == s) ++at;
            if (at == from) continue;
            const Scenario scenario = delta ? moved(observations_.scenarios[s], *delta) : observations_.scenarios[s];
            if (auto priced = price(scenario, from, at, times); !priced) return fail(priced.error());
        }
        return times;
    }

    Result<void> price(const Scenario& scenario, std::size_t from, std::size_t to, Times& times) {
        const auto located = [&](Problems problems) {
            for (Problem& p : problems) p.at.line = observations_.rows[from].line;
            return problems;
        };
        const auto plan = prepare(scenario);
        if (!plan) return fail(located(plan.error()));
        Scratch scratch = make_scratch(*plan);
        const Summary summary = score(*plan, plan->point, scratch);
        if (!summary.feasible()) return fail(located({infeasible_reason(*plan, plan->point, summary.infeasible)}));
        std::optional<Estimate> whole;
        for (std::size_t r = from; r < to; ++r) {
            const Observation& row = observations_.rows[r];
            double seconds = summary.step.value;
            if (row.what != Observation::What::step) {
                if (!whole) {
                    auto all = estimate(scenario, *plan, scratch);
                    if (!all) return fail(located(all.error()));
                    whole = std::move(*all);
                }
                seconds = layer_seconds(scenario, *whole, row);
            }
            times[r] = std::log(std::max(seconds, 1e-12));
        }
        return {};
    }

    static double layer_seconds(const Scenario& scenario, const Estimate& estimate, const Observation& row) {
        const auto& layers = scenario.network()->layers();
        double seconds = 0.0;
        for (const LayerEstimate& l : estimate.layers)
            if (l.part == 0 && layers[static_cast<std::size_t>(l.position)].name == row.layer)
                seconds += row.what == Observation::What::forward ? l.forward.value : l.backward().value;
        return seconds;
    }

    double cost(const Times& times, const Deltas& delta) const {
        double sum = 0.0;
        for (std::size_t r = 0; r < times.size(); ++r) sum += std::pow((measured_[r] - times[r]) / noise_, 2);
        for (std::size_t k = 0; k < knob_count; ++k) sum += std::pow(delta[k] / spread_[k], 2);
        return sum;
    }

    /// Slopes of every ln time by every constant, by differences to the side that bounds leave free.
    Result<void> slopes(const Deltas& delta, const Times& here) {
        slope_.assign(here.size() * knob_count, 0.0);
        for (std::size_t k = 0; k < knob_count; ++k) {
            Deltas other = delta;
            other[k] -= difference;
            ASSIGN_OR_RETURN(const auto times, predict(&other));
            for (std::size_t r = 0; r < here.size(); ++r)
                slope_[r * knob_count + k] = (here[r] - times[r]) / difference;
        }
        return {};
    }

    std::vector<double> curvature() const {
        std::vector<double> matrix(knob_count * knob_count, 0.0);
        for (std::size_t r = 0; r < measured_.size(); ++r)
            for (std::size_t i = 0; i < knob_count; ++i)
                for (std::size_t j = 0; j <= i; ++j)
                    matrix[i * knob_count + j] +=
                        slope_[r * knob_count + i] * slope_[r * knob_count + j] / (noise_ * noise_);
        for (std::size_t i = 0; i < knob_count; ++i) matrix[i * knob_count + i] += 1.0 / (spread_[i] * spread_[i]);
        return matrix;
    }

    /// Levenberg's and Marquardt's method; constants at a bound that the gradient pushes outwards are held.
    Result<void> minimise(Deltas& delta) {
        ASSIGN_OR_RETURN(auto here, predict(&delta));
        double damping = 1e-3, now = cost(here, delta);
        for (int i = 0; i < most_iterations; ++i, ++iterations_) {
            if (auto done = slopes(delta, here); !done) return done;
            std::array<double, knob_count> gradient{};
            for (std::size_t k = 0; k < knob_count; ++k) {
                gradient[k] = -delta[k] / (spread_[k] * spread_[k]);
                for (std::size_t r = 0; r < here.size(); ++r)
                    gradient[k] += slope_[r * knob_count + k] * (measured_[r] - here[r]) / (noise_ * noise_);
            }
            bool moved_on = false;
            double gain = 0.0;
            for (; damping < 1e8 && !moved_on; damping *= 10.0) {
                auto matrix = curvature();
                std::vector<double> step(gradient.begin(), gradient.end());
                for (std::size_t k = 0; k < knob_count; ++k) {
                    matrix[k * knob_count + k] *= 1.0 + damping;
                    if (delta[k] < highest_[k] - 1e-12 || gradient[k] <= 0.0) continue;
                    for (std::size_t j = 0; j < knob_count; ++j)
                        matrix[std::max(j, k) * knob_count + std::min(j, k)] = 0.0;
                    matrix[k * knob_count + k] = 1.0;
                    step[k] = 0.0;
                }
                if (!measure::solve_positive(matrix, step)) continue;
                Deltas tried = delta;
                for (std::size_t k = 0; k < knob_count; ++k)
                    tried[k] = std::clamp(delta[k] + std::clamp(step[k], -1.0, 1.0), -8.0, highest_[k]);
                ASSIGN_OR_RETURN(const auto there, predict(&tried));
                const double then = cost(there, tried);
                if (!(then < now)) continue;
                gain = now - then;
                now = then;
                delta = tried;
                here = there;
                moved_on = true;
            }
            damping = std::max(1e-6, damping / 100.0);
            if (!moved_on || gain < 1e-9 * (1.0 + now)) break;
        }
        times_ = here;
        return slopes(delta, times_);
    }

    /// The covariance (JᵀJ/σ² + S⁻¹)⁻¹, row by row.
    std::vector<double> covariance() const {
        std::vector<double> inverse(knob_count * knob_count, 0.0);
        for (std::size_t k = 0; k < knob_count; ++k) {
            auto matrix = curvature();
            std::vector<double> unit(knob_count, 0.0);
            unit[k] = 1.0;
            measure::solve_positive(matrix, unit);
            std::ranges::copy(unit, inverse.begin() + static_cast<std::ptrdiff_t>(k * knob_count));
        }
        return inverse;
    }

    /// Residuals over the freedom that the fit leaves, with the expected noise as a few measurements more.
    void learn_noise() {
        const auto spread = covariance();
        double used = 0.0, squares = 0.0;
        for (std::size_t k = 0; k < knob_count; ++k)
            used += 1.0 - spread[k * knob_count + k] / (spread_[k] * spread_[k]);
        for (std::size_t r = 0; r < measured_.size(); ++r) squares += std::pow(measured_[r] - times_[r], 2);
        const double n = std::max(0.0, static_cast<double>(measured_.size()) - used);
        noise_ = std::sqrt((squares + prior_weight * options_.noise * options_.noise) / (n + prior_weight));
    }

    /// The constant in the unit of its field.
    double in_unit(std::size_t k, double factor) const {
        Scenario s = observations_.scenarios.front();
        move(knobs[k], s, factor);
        return field_number(*find_field(knobs[k].field), s).value_or(0.0);
    }

    ConstantFinding finding(std::size_t k, double delta, double deviation) const {
        ConstantFinding f;
        f.field = std::string(knobs[k].field);
        f.before = field_number(*find_field(knobs[k].field), observations_.scenarios.front()).value_or(0.0);
        if (const Scenario& s = observations_.scenarios.front(); knobs[k].share && f.before == 0)
            if (const auto rates = device_rates(s.cluster, s.model, s.training.precision))
                f.before = 100 * rates->share.value;
        f.prior = in_unit(k, 0.0);
        f.prior_low = in_unit(k, -ninety * spread_[k]);
        f.prior_high = in_unit(k, ninety * spread_[k]);
        f.value = in_unit(k, delta);
        f.low = in_unit(k, delta - ninety * deviation);
        f.high = in_unit(k, delta + ninety * deviation);
        f.width_kept = deviation / spread_[k];
        double largest = 0.0;  // change of a time by the constant's doubt
        for (std::size_t r = 0; r < times_.size(); ++r)
            largest = std::max(largest, std::abs(slope_[r * knob_count + k]) * spread_[k]);
        f.verdict = f.width_kept <= 0.5   ? Verdict::determined
                    : f.width_kept <= 0.9 ? Verdict::partly
                                          : Verdict::undetermined;
        const std::string what = knobs[k].what;
        if (f.verdict == Verdict::determined)
            f.words = "the measured times say what it is";
        else if (f.verdict == Verdict::partly)
            f.words = "the measured times narrow it, other constants could make up for it";
        else if (largest < 1e-9)
            f.words = "no measured time depends on " + what;
        else if (largest < noise_)
            f.words = "the noise of the measured times hides " + what;
        else
            f.words = "other constants could make up for it";
        return f;
    }

    Result<CalibrationFit> report(const Deltas& delta) {
        CalibrationFit fit;
        const auto spread = covariance();
        for (std::size_t k = 0; k < knob_count; ++k)
            fit.constants.push_back(finding(k, delta[k], std::sqrt(spread[k * knob_count + k])));
        ASSIGN_OR_RETURN(const auto before, predict(nullptr));
        for (std::size_t r = 0; r < times_.size(); ++r) {
            double variance = noise_ * noise_;
            for (std::size_t i = 0; i < knob_count; ++i)
                for (std::size_t j = 0; j < knob_count; ++j)
                    variance += slope_[r * knob_count + i] * spread[i * knob_count + j] * slope_[r * knob_count + j];
            const double half = ninety * std::sqrt(variance);
            fit.rows.push_back({Seconds{std::exp(before[r])}, Seconds{std::exp(times_[r])},
                                Seconds{std::exp(times_[r] - half)}, Seconds{std::exp(times_[r] + half)}});
            fit.error_before += std::abs(std::exp(before[r] - measured_[r]) - 1.0);
            fit.error_after += std::abs(std::exp(times_[r] - measured_[r]) - 1.0);
        }
        fit.error_before /= static_cast<double>(times_.size());
        fit.error_after /= static_cast<double>(times_.size());
        fit.covariance = spread;
        fit.noise = noise_;
        fit.iterations = static_cast<std::size_t>(iterations_);
        fit.warnings = doubts(before);
        return fit;
    }

    /// Shares and start-up times explain a factor of a few. What is off by a minute's or a thousand is of another unit;
    /// what the best constants leave far off is not of these scenarios.
    Problems doubts(const Times& before) const {
        constexpr double near = 4.0, far = 0.5;
        std::vector<double> ratios, left;
        for (std::size_t r = 0; r < times_.size(); ++r) {
            ratios.push_back(measured_[r] - before[r]);
            left.push_back(std::abs(std::exp(times_[r] - measured_[r]) - 1.0));
        }
        const double ratio = measure::median_of(std::move(ratios)), error = measure::median_of(std::move(left));
        for (const auto& [factor, name] :
             {std::pair(60.0, "60"), std::pair(1e3, "1000"), std::pair(1e6, "1000000"), std::pair(1e9, "1000000000")}) {
            if (std::abs(std::abs(ratio) - std::log(factor)) > std::log(near)) continue;
            const std::string times = std::string(" about ") + name + " times ";
            return {make_warning(
                ratio > 0.0 ? "The measured times are" + times + "the model's, as if they were in another unit."
                            : "The model's times are" + times + "the measured ones, as if those were in another unit.",
                "name the unit of the times, or change the scenario to what was measured")};
        }
        if (!(error > far)) return {};
        return {make_warning("With the best constants, too, half of the times are off by " +
                                 format_number(100.0 * error, 2, 0) + " % or more.",
                             "check the unit of the times, and that the scenario is what was measured")};
    }

    const Observations& observations_;
    const CalibrateOptions& options_;
    const Watch& watch_;
    Times measured_, times_;
    std::vector<double> slope_;  ///< by row, then constant
    Deltas spread_{}, highest_{};
    double noise_ = 0.05;
    int iterations_ = 0;
};

}  // namespace

Result<CalibrationFit> calibrate(const Observations& observations, const CalibrateOptions& options,
                                 const Watch& watch) {
    if (observations.rows.empty())
        return fail(make_error("There is no measured time to calibrate by.", "add runs", observations.table));
    auto fit = Fitting(observations, options, watch).run();
    if (!fit) return fail(measure::located(fit.error(), observations.table));
    fit->warnings = measure::located(std::move(fit->warnings), observations.table);
    return fit;
}

Calibration to_calibration(const CalibrationFit& fit, const Observations& observations, std::string name) {
    Calibration c;
    c.name = std::move(name);
    c.data_hash = observations.data_hash;
    c.points = static_cast<std::int64_t>(observations.rows.size());
    c.deviation = fit.noise;
    for (const auto& f : fit.constants) c.constants.push_back({f.field, f.value, f.low, f.high, f.verdict});
    c.covariance = fit.covariance;
    std::set<std::string> devices, precisions, networks;
    for (const Scenario& s : observations.scenarios) {
        devices.insert(s.cluster.device.id);
        precisions.insert(std::string(name_of(s.training.precision)));
        for (const auto& part : s.workload) networks.insert(part.network->name());
    }
    if (devices.size() == 1) c.device = *devices.begin();
    if (precisions.size() == 1) c.precision = *precisions.begin();
    c.networks.assign(networks.begin(), networks.end());
    c.ranges = measured_ranges(observations.scenarios);
    return c;
}

}  // namespace scalescope::calibration
