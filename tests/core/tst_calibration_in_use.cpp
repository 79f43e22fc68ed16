// SPDX-License-Identifier: GPL-3.0-or-later
// Calibrations as scenarios and files keep them: what they set, what is said of numbers that rest on them.
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
#include "support_calibration.hpp"
#include "support_choices.hpp"

using namespace scalescope;
using namespace scalescope::calibration;

class TestCalibrationInUse : public QObject {
    Q_OBJECT

private slots:
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
                 {"parallelism.fill", "tensor", "tensor, measured was data; "},
                 {"parallelism.segments", "true", "on, measured was off; "},
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

QTEST_APPLESS_MAIN(TestCalibrationInUse)
#include "tst_calibration_in_use.moc"
