// SPDX-License-Identifier: GPL-3.0-or-later
// Constants of the analytical model from measured steps and layers: planted ones come back, those that nothing depends
// on are said so. Calibrations as files.
#include <QtTest>
#include <algorithm>
#include <cmath>

#include "core/estimate/calibrated_band.hpp"
#include "core/estimate/estimate.hpp"
#include "core/measure/calibration/calibrate.hpp"
#include "core/measure/fit/random.hpp"
#include "core/scenario/calibrated.hpp"
#include "core/scenario/fields.hpp"
#include "support_calibration.hpp"

using namespace scalescope;
using namespace scalescope::calibration;

namespace {

Truth truth_of(measure::Draws& draws) {
    const auto drawn = [&draws](double middle, double spread, double most) {
        return std::min(most, middle * std::exp(spread * normal(draws)));
    };
    return {drawn(0.55, 0.35, 1.0), drawn(0.7, 0.25, 1.0), drawn(0.8, 0.25, 1.0),
            drawn(0.8, 0.25, 1.0),  drawn(5, 0.7, 1e9),    drawn(1, 1.5, 1e9)};
}

}  // namespace

class TestCalibration : public QObject {
    Q_OBJECT

private slots:
    /// Constants drawn from what is believed beforehand, times with a noise of 3 %: intervals of 90 % must hold about
    /// that share of them, and most of what matters must be determined.
    void planted_constants_lie_in_their_intervals() {
        const Scenario s = base();
        int held = 0, all = 0, determined = 0, within = 0, rows = 0;
        for (std::uint64_t seed = 1; seed <= 30; ++seed) {
            measure::Draws draws(seed);
            const Truth truth = truth_of(draws);
            const auto observations = measured(s, truth, {1, 2, 4, 8, 16}, {8, 32, 128}, 0.03, draws);
            const auto fit = calibrate(observations);
            QVERIFY(fit);
            const std::pair<const char*, double> planted[] = {
                {"model.compute", 100 * truth.compute}, {"model.memory", 100 * truth.memory},
                {"model.inside", 100 * truth.inside},   {"model.between", 100 * truth.between},
                {"model.launch_us", truth.launch_us},   {"model.overhead_ms", truth.overhead_ms}};
            for (const auto& [field, value] : planted) {
                const auto& c = constant(*fit, field);
                held += c.low <= value && value <= c.high ? 1 : 0;
                determined += c.verdict == Verdict::determined ? 1 : 0;
                ++all;
            }
            QVERIFY(fit->error_after < 0.06);
            QVERIFY(fit->noise > 0.015 && fit->noise < 0.06);
            for (std::size_t r = 0; r < fit->rows.size(); ++r, ++rows)
                within += fit->rows[r].low <= observations.rows[r].measured &&
                          observations.rows[r].measured <= fit->rows[r].high;
        }
        qInfo("%d of %d constants in their 90 %% intervals, %d determined, %d of %d times in their bands", held, all,
              determined, within, rows);
        QVERIFY(held >= 0.82 * all);
        QVERIFY(determined >= 0.4 * all);
        QVERIFY(within >= 0.85 * rows);
    }

    /// One worker sends nothing: its links keep what was believed of them, and are said so.
    void links_of_one_worker_are_undetermined() {
        measure::Draws draws(3);
        const auto observations = measured(base(), {0.4, 0.6, 0.8, 0.8, 8, 2}, {1}, {4, 16, 64, 256}, 0.01, draws);
        const auto fit = calibrate(observations).value();
        for (const char* field :
             {"model.inside", "model.between", "cluster.inside.latency_us", "cluster.between.latency_us"}) {
            const auto& c = constant(fit, field);
            QCOMPARE(c.verdict, Verdict::undetermined);
            QVERIFY(std::abs(c.value / c.prior - 1.0) < 1e-6);
            QVERIFY(c.words.find("no measured time depends on") != std::string::npos);
        }
        QCOMPARE(constant(fit, "model.compute").verdict, Verdict::determined);
        QVERIFY(std::abs(constant(fit, "model.compute").value - 40) < 4);
    }

    /// One measured step: the model meets it, and something is narrower than before.
    void one_row_calibrates_something() {
        measure::Draws draws(4);
        const auto observations = measured(base(), {0.35, 0.7, 0.8, 0.8, 5, 1}, {1}, {128}, 0.0, draws);
        const auto fit = calibrate(observations).value();
        QVERIFY(fit.error_before > 0.3);
        QVERIFY(fit.error_after < 0.02);
        QVERIFY(constant(fit, "model.compute").width_kept < 0.8);
    }

    /// One measured time t narrows a constant of prior deviation s by 1 − s²J²/(σ² + Σ s²J²), J being the slopes of ln
    /// t (a normal prior and one linear measurement), here by differences to either side.
    void width_of_one_row_by_hand() {
        measure::Draws draws(4);
        const auto observations = measured(base(), {0.35, 0.7, 0.8, 0.8, 5, 1}, {8}, {16}, 0.0, draws);
        const auto fit = calibrate(observations).value();
        const Calibration c = to_calibration(fit, observations, "one");
        const Scenario there = with_calibration(observations.scenarios[0], {std::make_shared<const Calibration>(c)});
        std::vector<double> parts;
        double all = fit.noise * fit.noise;
        for (const auto& f : fit.constants) {
            const Field* field = find_field(f.field);
            const auto log_time = [&](double factor) {
                Scenario s = there;
                if (!set_field(s, *field, f.value * factor)) return std::nan("");
                return std::log(estimate(s).value().summary.step.value);
            };
            const double slope = (log_time(1.001) - log_time(0.999)) / (std::log(1.001) - std::log(0.999));
            const double spread = std::log(f.prior / f.prior_low) / 1.6448536269514722;
            parts.push_back(spread * spread * slope * slope);
            all += parts.back();
        }
        for (std::size_t k = 0; k < parts.size(); ++k)
            QVERIFY(std::abs(std::pow(fit.constants[k].width_kept, 2) - (1.0 - parts[k] / all)) < 1e-3);
        QVERIFY(*std::max_element(parts.begin(), parts.end()) > 0.1 * all);
    }

    /// What somebody set is believed more than what is usual.
    void shares_that_somebody_set() {
        Scenario s = base();
        s.model.compute = Fraction{0.3};
        measure::Draws draws(5);
        const auto fit = calibrate(measured(s, {0.3, 0.7, 0.8, 0.8, 5, 1}, {1}, {128}, 0.0, draws)).value();
        const auto& c = constant(fit, "model.compute");
        QVERIFY(std::abs(c.prior - 30) < 1e-9);
        QVERIFY(std::abs(std::log(c.prior_high / c.prior) - 1.6448536 * 0.2) < 1e-6);
    }

    void layers() {
        const Scenario s = base();
        Scenario real = with_truth(s, {0.45, 0.5, 1, 1, 12, 0});
        real.cluster.workers = 1;
        const auto e = estimate(real).value();
        std::string text = "layer,forward_us,backward_us\n";
        for (const auto& l : e.layers)
            text += s.network()->layers()[std::size_t(l.position)].name + ',' + std::to_string(l.forward.value * 1e6) +
                    ',' + std::to_string(l.backward().value * 1e6) + '\n';
        text += "conv99,1,1\n";
        Scenario one = s;
        one.cluster.workers = 1;
        const auto observations = read_layers(text, "layers.csv", one);
        QVERIFY(observations);
        QCOMPARE(observations->warnings.size(), std::size_t{1});
        QVERIFY(observations->warnings[0].what.find("conv99") != std::string::npos);
        const auto fit = calibrate(*observations).value();
        QVERIFY(std::abs(constant(fit, "model.compute").value - 45) < 3);
        QVERIFY(std::abs(constant(fit, "model.memory").value - 50) < 4);
        QVERIFY(std::abs(constant(fit, "model.launch_us").value - 12) < 1);
        QCOMPARE(constant(fit, "model.overhead_ms").verdict, Verdict::undetermined);
    }

    void runs_of_a_table() {
        const Scenario s = base();
        const ChangeScenario change = [](Scenario& scenario, const std::string& path, const std::string& value) {
            return set_field(scenario, path, value, support::library().catalogue);
        };
        const auto runs = read_runs(
            "workers,batch_size,training.precision,throughput\n1,32,fp32,100\n4,128,fp32,350\n4,128,fp12,350\n",
            "runs.csv", s, {}, change);
        QVERIFY(runs);
        QCOMPARE(runs->rows.size(), std::size_t{2});
        QCOMPARE(runs->scenarios[1].cluster.workers, std::int64_t{4});
        QCOMPARE(runs->scenarios[1].training.batch, std::int64_t{128});
        QVERIFY(runs->scenarios[1].training.batch_rule == BatchRule::total);
        QVERIFY(std::abs(runs->rows[1].measured.value - 128.0 / 350) < 1e-12);
        QVERIFY(runs->warnings.back().what.find("A run is left out") == 0);
        QCOMPARE(runs->warnings.back().at.line, 4);
        const auto fit = calibrate(*runs).value();
        const Calibration c = to_calibration(fit, *runs, "Our K80s");
        QCOMPARE(c.points, std::int64_t{2});
        QCOMPARE(c.ranges[0].high, 4.0);
        QCOMPARE(c.device, s.cluster.device.id);
        // with it the scenario predicts what the fit says, and in the same band
        const Scenario calibrated = with_calibration(runs->scenarios[1], {std::make_shared<const Calibration>(c)});
        const auto priced = estimate(calibrated).value();
        QVERIFY(std::abs(priced.summary.step.value / fit.rows[1].after.value - 1) < 1e-9);
        const auto band = calibrated_band(calibrated, priced);
        QVERIFY(band);
        QVERIFY(std::abs(std::log(band->low.value / fit.rows[1].low.value)) < 1e-3);
        QVERIFY(std::abs(std::log(band->high.value / fit.rows[1].high.value)) < 1e-3);
        QVERIFY(band->high.value / band->low.value > std::exp(2 * 1.64 * fit.noise));
        QVERIFY(!calibrated_band(runs->scenarios[1], priced));
        Scenario by_hand = calibrated;
        by_hand.model.compute = Fraction{0.123};
        QVERIFY(!calibrated_band(by_hand, priced));
    }

    /// Times in another unit, and times of something else.
    void times_that_cannot_be_meant() {
        measure::Draws draws(5);
        const auto right = measured(base(), {0.3, 0.7, 0.8, 0.8, 5, 1}, {1, 2, 8}, {16, 128}, 0.02, draws);
        QVERIFY(calibrate(right)->warnings.empty());
        const auto said = [&right](double factor) {
            auto wrong = right;
            for (auto& row : wrong.rows) row.measured = row.measured * factor;
            const auto fit = calibrate(wrong).value();
            return support::messages(fit.warnings);
        };
        for (const auto& [factor, text] :
             {std::pair(1e3, "The measured times are about 1000 times the model's, as if they were in another unit"),
              std::pair(1e6, "The measured times are about 1000000 times"),
              std::pair(60.0, "The measured times are about 60 times"),
              std::pair(1e-3,
                        "The model's times are about 1000 times the measured ones, as if those were in another unit")})
            QVERIFY2(said(factor).find(text) != std::string::npos, said(factor).c_str());
        QVERIFY2(said(0.1).find("half of the times are off by") != std::string::npos, said(0.1).c_str());
    }

    /// The columns of what was before speak of the same scenario.
    void before_is_the_scenario_as_it_came() {
        measure::Draws draws(5);
        Scenario s = base();
        s.model.launch = microseconds(3);
        const auto observations = measured(s, {0.3, 0.7, 0.8, 0.8, 5, 1}, {1, 2}, {16}, 0.0, draws);
        const auto fit = calibrate(observations).value();
        QCOMPARE(constant(fit, "model.compute").before, 100.0);
        QCOMPARE(constant(fit, "model.overhead_ms").before, 0.0);
        QVERIFY(std::abs(constant(fit, "model.launch_us").before - 3.0) < 1e-9);
        Scenario first = observations.scenarios[0];
        for (const auto& c : fit.constants) QVERIFY(set_field(first, *find_field(c.field), c.before));
        QVERIFY(std::abs(estimate(first).value().summary.step / fit.rows[0].before - 1.0) < 1e-12);
    }

    void what_cannot_be_calibrated() {
        QVERIFY(!calibrate({}));
        measure::Draws draws(1);
        auto observations = measured(base(), {0.5, 0.7, 0.8, 0.8, 5, 1}, {1}, {128}, 0.0, draws);
        observations.scenarios[0].model.method = Method::paleo_head;
        QVERIFY(calibrate(observations).error().front().what.find("PALEO") != std::string::npos);
    }

    /// Measurements do not count twice: calibrated again on the same runs, the constants stay.
    void again_on_the_same_runs() {
        measure::Draws draws(8);
        auto observations = measured(base(), {0.5, 0.7, 0.8, 0.8, 5, 1}, {1, 8}, {16, 64}, 0.02, draws);
        const auto fit = calibrate(observations).value();
        const Calibration c = to_calibration(fit, observations, "ours");
        for (Scenario& s : observations.scenarios)
            s = with_calibration(std::move(s), {std::make_shared<const Calibration>(c)});
        const auto again = calibrate(observations).value();
        for (std::size_t k = 0; k < fit.constants.size(); ++k) {
            QVERIFY(std::abs(again.constants[k].value / fit.constants[k].value - 1) < 1e-6);
            QVERIFY(std::abs(again.constants[k].width_kept - fit.constants[k].width_kept) < 1e-6);
        }
        QVERIFY(std::abs(again.error_before - fit.error_after) < 1e-9);
    }
};

QTEST_APPLESS_MAIN(TestCalibration)
#include "tst_calibration.moc"
