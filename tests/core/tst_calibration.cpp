// SPDX-License-Identifier: GPL-3.0-or-later
// Constants of the analytical model from measured steps and layers: planted ones come back, those that nothing depends
// on are said so. Calibrations as files.
#include <QTemporaryDir>
#include <QtTest>
#include <algorithm>
#include <array>
#include <cmath>

#include "core/estimate/calibrated_band.hpp"
#include "core/estimate/estimate.hpp"
#include "core/estimate/explain.hpp"
#include "core/formats/calibration_json.hpp"
#include "core/formats/scenario_json.hpp"
#include "core/measure/calibration/calibrate.hpp"
#include "core/measure/calibration/operator_calibration.hpp"
#include "core/measure/fit/random.hpp"
#include "core/scenario/calibrated.hpp"
#include "core/scenario/fields.hpp"
#include "support_library.hpp"

using namespace scalescope;
using namespace scalescope::calibration;

namespace {

/// AlexNet on nodes of four K80s.
Scenario base() {
    const auto preset = support::library().find_scenario("alexnet-ec2-k80");
    Scenario s = formats::read_scenario(preset->text, preset->file, support::library()).value().scenario;
    s.model = {};
    s.cluster.devices_per_node = 4;
    s.cluster.inside = *support::library().catalogue.link("pcie-3-x16");
    s.cluster.inside.latency = microseconds(5);
    s.cluster.between.latency = microseconds(20);
    s.training.batch_rule = BatchRule::per_worker;
    return s;
}

double normal(measure::Draws& draws) {
    return std::sqrt(-2.0 * std::log(1.0 - draws.uniform())) * std::cos(6.283185307179586 * draws.uniform());
}

struct Truth {
    double compute, memory, inside, between, launch_us, overhead_ms;
};

Scenario with_truth(Scenario s, const Truth& t) {
    s.model.compute = Fraction{t.compute};
    s.model.memory = Fraction{t.memory};
    s.model.inside = Fraction{t.inside};
    s.model.between = Fraction{t.between};
    s.model.launch = microseconds(t.launch_us);
    s.model.overhead = milliseconds(t.overhead_ms);
    return s;
}

Observations measured(const Scenario& base, const Truth& truth, const std::vector<std::int64_t>& workers,
                      const std::vector<std::int64_t>& batches, double noise, measure::Draws& draws) {
    Observations o;
    for (const std::int64_t w : workers)
        for (const std::int64_t b : batches) {
            Scenario s = base;
            s.cluster.workers = w;
            s.training.batch = b;
            const double seconds = estimate(with_truth(s, truth)).value().summary.step.value;
            o.rows.push_back({o.scenarios.size(),
                              Observation::What::step,
                              {},
                              Seconds{seconds * std::exp(noise * normal(draws))},
                              0});
            o.scenarios.push_back(s);
        }
    return o;
}

const ConstantFinding& constant(const CalibrationFit& fit, std::string_view field) {
    for (const auto& c : fit.constants)
        if (c.field == field) return c;
    throw std::runtime_error("no such constant");
}

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

    /// Runs of one way to work say nothing of the others, unless the others change nothing.
    void evidence_of_how_the_work_is_done() {
        measure::Draws draws(8);
        const auto observations = measured(base(), {0.5, 0.7, 0.8, 0.8, 5, 1}, {1, 8}, {16, 64}, 0.02, draws);
        Calibration c = to_calibration(calibrate(observations).value(), observations, "ours");
        const auto read = formats::read_calibration(formats::write_calibration(c), "c.json");
        QVERIFY2(read, read ? "" : support::messages(read.error()).c_str());
        QVERIFY(*read == c);
        using State = ScenarioEvidence::State;
        const Scenario inside =
            with_calibration(observations.scenarios.back(), {std::make_shared<const Calibration>(c)});
        QVERIFY(evidence_of(inside).state == State::calibrated);
        const auto beyond_of = [&inside](const char* path, const char* value) {
            Scenario s = inside;
            if (!set_field(s, path, value, support::library().catalogue)) return std::string("not set");
            std::string all;
            for (const auto& reason : evidence_of(s).beyond) all += reason + "; ";
            return all;
        };
        for (const auto& [path, value, text] : std::initializer_list<std::array<const char*, 3>>{
                 {"parallelism.strategy", "outputs", "outputs, measured was data; "},
                 {"parallelism.strategy", "layers", "layers, measured was data; "},
                 {"parallelism.overlap", "buckets", "buckets, measured was off; "},
                 {"parallelism.updates", "asynchronous", "asynchronous, measured was synchronous; "},
                 {"training.optimizer", "lamb", "lamb, measured was "},
                 {"training.accumulation", "4", "4, measured was 1; "},
                 {"training.frozen", "conv1", "1, measured was 0; "},
                 {"model.convolution", "cheapest", "cheapest, measured was gemm; "},
                 {"cluster.devices_per_node", "8", "8, measured was 4; "}}) {
            const auto said = beyond_of(path, value);
            QVERIFY2(said.find(text) != std::string::npos, (std::string(path) + ": " + said).c_str());
        }
        // no buckets, no stages, nobody to wait for
        for (const auto& [path, value] : std::initializer_list<std::array<const char*, 2>>{
                 {"parallelism.bucket_mb", "7"}, {"parallelism.micro_batches", "8"}, {"parallelism.servers", "3"}})
            QCOMPARE(beyond_of(path, value), std::string());
        std::string broken = formats::write_calibration(c);
        broken.replace(broken.find("\"synchronous\""), 13, "\"sometimes\"");
        const auto wrong = formats::read_calibration(broken, "c.json");
        QVERIFY(!wrong && support::messages(wrong.error()).find("sometimes") != std::string::npos);
    }

    /// A constant that no measured time depends on was not fitted: the scenario keeps its own.
    void what_was_not_fitted_is_not_set() {
        measure::Draws draws(3);
        const auto observations = measured(base(), {0.4, 0.6, 0.8, 0.8, 8, 2}, {1}, {4, 16, 64, 256}, 0.01, draws);
        const Calibration c = to_calibration(calibrate(observations).value(), observations, "alone");
        Scenario s = base();
        s.cluster.workers = 1;
        s.training.batch = 64;
        s.model.inside = Fraction{0.93};
        s.cluster.inside.latency = microseconds(1.5);
        s = with_calibration(std::move(s), {std::make_shared<const Calibration>(c)});
        QCOMPARE(s.model.inside.value, 0.93);
        QVERIFY(std::abs(s.cluster.inside.latency.value - 1.5e-6) < 1e-12);
        QVERIFY(std::abs(100 * s.model.compute.value - c.constant("model.compute")->value) < 1e-9);
        QVERIFY(evidence_of(s).state == ScenarioEvidence::State::calibrated);
        QVERIFY(!constant_in_use(s, "model.inside") && constant_in_use(s, "model.compute"));
        // Its doubt is in the band of a scenario that depends on it, around the scenario's own value.
        s.cluster.workers = 4;
        const auto priced = estimate(s).value();
        const auto band = calibrated_band(s, priced);
        QVERIFY(band && band->low < priced.summary.step && priced.summary.step < band->high);
        QVERIFY(band->high / band->low < 2.0);
    }

    void what_cannot_be_calibrated() {
        QVERIFY(!calibrate({}));
        measure::Draws draws(1);
        auto observations = measured(base(), {0.5, 0.7, 0.8, 0.8, 5, 1}, {1}, {128}, 0.0, draws);
        observations.scenarios[0].model.method = Method::paleo_head;
        QVERIFY(calibrate(observations).error().front().what.find("PALEO") != std::string::npos);
    }

    /// Inside of what was measured, beyond it in each way, and with a constant that somebody changed.
    void evidence() {
        measure::Draws draws(8);
        const auto observations = measured(base(), {0.5, 0.7, 0.8, 0.8, 5, 1}, {1, 8}, {16, 64}, 0.02, draws);
        const Calibration c = to_calibration(calibrate(observations).value(), observations, "ours");
        using State = ScenarioEvidence::State;
        QVERIFY(evidence_of(observations.scenarios.back()).state == State::uncalibrated);
        Scenario s = with_calibration(observations.scenarios.back(), {std::make_shared<const Calibration>(c)});
        const auto inside = evidence_of(s);
        QVERIFY(inside.state == State::calibrated);
        QCOMPARE(short_text(inside, s), std::string("calibrated on 4 points"));
        QVERIFY(long_text(inside, s).starts_with("Calibrated on 4 points (ours)."));
        QCOMPARE(constant_in_use(s, "model.compute")->value, c.constant("model.compute")->value);
        QVERIFY(!constant_in_use(s, "model.spread"));
        s.cluster.workers = 9;
        s.training.batch = 65;
        s.training.precision = Precision::fp16;
        s.cluster.device = *support::library().catalogue.device("tesla-t4");
        const auto outside = evidence_of(s);
        QVERIFY(outside.state == State::extrapolated);
        QCOMPARE(outside.beyond.size(), std::size_t{4});
        QCOMPARE(short_text(outside, s), std::string("extrapolated from 4 points"));
        QVERIFY(long_text(outside, s).starts_with("Extrapolated from 4 points (ours): Tesla T4, measured was"));
        s.model.compute.value *= 1.01;
        const auto changed = evidence_of(s);
        QVERIFY(changed.state == State::changed);
        QCOMPARE(changed.changed.size(), std::size_t{1});
        QVERIFY(!constant_in_use(s, "model.compute"));
        QVERIFY(constant_in_use(s, "model.memory"));
        Scenario paleo = with_calibration(observations.scenarios.back(), {std::make_shared<const Calibration>(c)});
        paleo.model.method = Method::paleo_head;
        QVERIFY(evidence_of(paleo).state == State::changed);
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

    /// A saved scenario says where its constants are from, and is the same when it is opened.
    void kept_by_a_scenario() {
        measure::Draws draws(8);
        const auto observations = measured(base(), {0.5, 0.7, 0.8, 0.8, 5, 1}, {1, 8}, {16, 64}, 0.02, draws);
        Calibration c = to_calibration(calibrate(observations).value(), observations, "ours");
        c.operators.push_back({"matmul", "forward", "fp32", 3, {}, {}, 0.1, {}, 0.2, {}});
        const Scenario s = with_calibration(observations.scenarios[1], {std::make_shared<const Calibration>(c)});
        QVERIFY(s.model.calibration->operators.empty());  // those price traces
        const std::string text = formats::write_scenario(s, support::library());
        const auto back = formats::read_scenario(text, "s.json", support::library());
        QVERIFY(back);
        QVERIFY(back->scenario.model.calibration == s.model.calibration);
        QVERIFY(back->scenario.model == s.model);
        QVERIFY(back->scenario.training == s.training);
        QVERIFY(back->scenario.parallelism == s.parallelism);
        QVERIFY(back->scenario.cluster == s.cluster);
        QVERIFY(back->scenario.workload.front().network->name() == s.network()->name());
        QCOMPARE(formats::write_scenario(back->scenario, support::library()), text);
        QVERIFY(evidence_of(back->scenario).state == ScenarioEvidence::State::calibrated);
        // What is wrong with it is said with its place.
        std::string broken = text;
        broken.replace(broken.find("\"determined\""), 12, "\"perhaps\"");
        const auto problems = formats::read_scenario(broken, "s.json", support::library());
        QVERIFY(!problems);
        const auto at = std::find_if(problems.error().begin(), problems.error().end(),
                                     [](const Problem& p) { return p.severity == Severity::error; });
        QVERIFY2(at->where.starts_with("model › calibration › constants"), at->where.c_str());
        QVERIFY(at->at.line > 10);
    }

    /// The reasons behind a number say what it rests on; a peak whose reached share was fitted counts as fitted.
    void reasons_say_it() {
        measure::Draws draws(8);
        Scenario start = base();
        start.cluster.device.unverified = {"memory_bandwidth_gb_s"};
        start.cluster.inside.unverified.clear();  // an all-reduce of eight on two nodes does not wait for it
        const auto observations = measured(start, {0.5, 0.7, 0.8, 0.8, 5, 1}, {1, 8}, {16, 64}, 0.02, draws);
        const Calibration c = to_calibration(calibrate(observations).value(), observations, "ours");
        const auto evidence = [&](const Scenario& s, Item item) {
            const auto plan = prepare(s).value();
            const auto page = explain(s, plan, estimate(s).value(), item).value();
            return std::pair(page.evidence, page.evidence_text);
        };
        Item layer{Topic::layer_compute};
        layer.layer = 1;
        Scenario s = observations.scenarios.back();
        QVERIFY(evidence(s, layer).first == Evidence::assumed);
        s = with_calibration(std::move(s), {std::make_shared<const Calibration>(c)});
        for (const Item& item : {Item{Topic::step}, Item{Topic::forward}, Item{Topic::communication}, layer}) {
            QVERIFY2(evidence(s, item).first == Evidence::calibrated, evidence(s, item).second.c_str());
            QCOMPARE(evidence(s, item).second, std::string("calibrated on 4 points"));
        }
        s.cluster.workers = 64;
        QVERIFY(evidence(s, Item{Topic::step}).first == Evidence::extrapolated);
        QCOMPARE(evidence(s, Item{Topic::step}).second,
                 std::string("extrapolated from 4 points; Workers 64, measured was 1 to 8"));
        s.model.memory = Fraction{0.33};
        QVERIFY(evidence(s, Item{Topic::step}).first == Evidence::assumed);
        QVERIFY(evidence(s, Item{Topic::step}).second.find("changed since it was calibrated") != std::string::npos);
    }

    void covariances_that_are_none() {
        Calibration c;
        c.name = "x", c.data_hash = "h", c.points = 1, c.deviation = 0.1;
        c.constants = {{"model.compute", 50, 40, 60, Verdict::determined},
                       {"model.memory", 50, 40, 60, Verdict::partly}};
        c.covariance = {0.01, -0.002, -0.002, 0.04};
        const auto good = formats::read_calibration(formats::write_calibration(c), "c.json");
        QVERIFY(good);
        QVERIFY(*good == c);
        for (const std::vector<double>& wrong :
             std::vector<std::vector<double>>{{0.01}, {0.01, 0, 0, -0.1}, {0.01, 0, 0, 1e9}}) {
            c.covariance = wrong;
            const auto read = formats::read_calibration(formats::write_calibration(c), "c.json");
            QVERIFY(!read);
            QCOMPARE(read.error().front().where, std::string("covariance"));
            QVERIFY(read.error().front().at.line > 1);
        }
    }

    void ones_own_are_found_by_name() {
        QTemporaryDir folder;
        const auto path = folder.path() + QStringLiteral("/calibrations");
        QVERIFY(QDir().mkpath(path));
        Calibration c;
        c.name = "Our K80s";
        c.points = 3;
        QFile good(path + QStringLiteral("/k80.json")), bad(path + QStringLiteral("/bad.json"));
        QVERIFY(good.open(QFile::WriteOnly) && bad.open(QFile::WriteOnly));
        good.write(QByteArray::fromStdString(formats::write_calibration(c)));
        bad.write("{\"format\": \"scalescope-calibration\", \"version\": 1}");
        good.close();
        bad.close();
        formats::Library library;
        formats::add_folder(library, folder.path().toStdString());
        QCOMPARE(library.calibrations.size(), std::size_t{1});
        QVERIFY(library.find_calibration("k80") && library.find_calibration("Our K80s"));
        QVERIFY(!library.find_calibration("nobody's"));
        QVERIFY(!library.problems.empty());
    }

    /// What a file keeps of a correction gives the same times.
    void kept_corrections_are_the_same() {
        const auto table = formats::parse_csv(
            "device,m,n,k,latency_ms\nT4,512,512,512,0.1\nT4,1024,512,512,0.15\nZX81,1,1,1,1\n", "t.csv");
        const auto fit =
            calibrate_operators(operators::read_operator_table(*table).value(), support::library().catalogue);
        QVERIFY(fit);
        QCOMPARE(fit->warnings.size(), std::size_t{1});
        QCOMPARE(fit->corrections.size(), std::size_t{1});
        QCOMPARE(fit->corrections[0].points, std::int64_t{2});
        const auto again = to_correction(fit->corrections[0]).value();
        QCOMPARE(again.levels, fit->corrections[0].levels);
        QVERIFY(std::isinf(again.ridge));
        QCOMPARE(again.slope.size(), std::size_t{20});
        auto other = fit->corrections[0];
        other.features.resize(40);
        QVERIFY(to_correction(other).error().front().what.find("40 features, not 20") != std::string::npos);
    }

    void files() {
        measure::Draws draws(6);
        const auto observations = measured(base(), {0.5, 0.7, 0.8, 0.8, 5, 1}, {1, 4, 8}, {128}, 0.02, draws);
        Calibration c = to_calibration(calibrate(observations).value(), observations, "K80s \"here\"");
        c.data_hash = "fnv1a64:0123456789abcdef";
        c.operators.push_back(
            {"matmul", "forward", "fp32", 30, {"tesla-t4"}, {0.4}, 0.2, 10.0, 0.1, {{1, 2, 0.1, 0, 4}}});
        const std::string text = formats::write_calibration(c);
        QVERIFY(formats::is_calibration(text));
        const auto read = formats::read_calibration(text, "c.json");
        QVERIFY(read);
        QVERIFY(*read == c);
        const auto problem = [](std::string t, std::string_view from, std::string_view to) {
            t.replace(t.find(from), from.size(), to);
            return support::messages(formats::read_calibration(t, "c.json").error());
        };
        QVERIFY(problem(text, "model.compute", "model.compote").find("compote") != std::string::npos);
        QVERIFY(problem(text, "\"partly\"", "\"perhaps\"").find("perhaps") != std::string::npos);
        QVERIFY(problem(text, "\"points\": 3", "\"points\": 0").find("points") != std::string::npos);
        QVERIFY(problem(text, "\"kind\": \"matmul\"", "\"kind\": \"sort\"").find("sort") != std::string::npos);
        QVERIFY(problem(text, "scalescope-calibration", "scalescope-scenario").size() > 0);
    }
};

QTEST_APPLESS_MAIN(TestCalibration)
#include "tst_calibration.moc"
