// SPDX-License-Identifier: GPL-3.0-or-later
// What a fit says about itself: errors, baselines, intervals, findings, speedup, its file.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include "core/measure/fit/fit_json.hpp"
#include "support_fit.hpp"

using namespace support;

namespace {

Fit simple_fit(const Runs& runs, std::size_t refits = 100) {
    FitOptions options;
    options.form.intrinsic = {"size", "mode"};
    options.form.extrinsic = {"workers"};
    options.refits = refits;
    return fit_runs(runs, options).value();
}

bool about(double a, double b, double tolerance) { return std::abs(a - b) <= tolerance; }

}  // namespace

class TestFitReport : public QObject {
    Q_OBJECT

private slots:
    void errors_by_hand() {
        const std::vector<double> predicted{1.1, 1.5, 4.0}, measured{1.0, 2.0, 4.0};
        const auto m = metrics_of(predicted, measured);
        QVERIFY(about(m.mean_error, (0.1 + 0.25) / 3.0, 1e-12));
        QVERIFY(about(m.median_error, 0.1, 1e-12) && about(m.worst_error, 0.25, 1e-12));
        QVERIFY(about(m.root_mean_square.value, std::sqrt((0.01 + 0.25) / 3.0), 1e-12));
        QVERIFY(about(m.r_squared, 1.0 - 0.26 / (14.0 / 3.0), 1e-12));
        QVERIFY(about(quantile({3, 1, 2, 4}, 0.5), 2.5, 1e-12) && about(quantile({3, 1, 2, 4}, 0.95), 3.85, 1e-12));
    }

    void baselines() {
        const auto runs =
            import_runs("workers,size,time_s\n1,1,8\n2,1,4\n4,2,2\n8,1,1\n16,1,0.5\n", "t.csv", {}, HoldOut{0, 8.0})
                .value()
                .runs;
        const auto all = baselines_of(runs, {"workers", "size"});
        QCOMPARE(all.size(), std::size_t{3});
        QVERIFY(about(all[0].predicted[4], 0.5, 1e-6));  // 8/w
        QVERIFY(about(all[1].predicted[4], 0.5, 1e-6));
        QVERIFY(about(all[2].predicted[4], std::cbrt(1.0 * 4.0 * 8.0), 1e-6) ||
                about(all[2].predicted[4], std::cbrt(1.0 * 4.0 * 2.0), 1e-6));
        QCOMPARE(all[0].metrics.extrapolated.runs, std::size_t{1});
        QCOMPARE(all[0].metrics.training.runs, std::size_t{4});
    }

    /// t = (3·size^1.2 + 2 if slow)·workers^−0.7 + 0.5 at size 3, 3 workers, "fast".
    void findings() {
        const auto runs = import_runs(simple_runs(0.02), "t.csv").value().runs;
        const auto fit = simple_fit(runs);
        const auto& size = fit.findings.factors[0];
        const auto& mode = fit.findings.factors[1];
        const auto& workers = fit.findings.factors[2];
        const double work = 3.0 * std::pow(3.0, 1.2), t = work * std::pow(3.0, -0.7) + 0.5;
        const double share = work * std::pow(3.0, -0.7) / t;
        QCOMPARE(workers.factor, std::string("workers"));
        QVERIFY(about(size.share, share, 0.05) && about(size.elasticity, 1.2 * share, 0.03));
        QVERIFY(about(workers.elasticity, -0.7 * share, 0.03));
        QVERIFY(about(workers.doubling, (work * std::pow(6.0, -0.7) + 0.5) / t - 1.0, 0.01));
        QVERIFY(size.significant && workers.significant && mode.significant && !mode.numeric);
        QVERIFY(about(fit.findings.offset_share, 0.5 / t, 0.02));
        QVERIFY(workers.elasticity_interval.low < workers.elasticity &&
                workers.elasticity < workers.elasticity_interval.high);
        const auto again = simple_fit(runs);
        QCOMPARE(again.findings.constants[0].interval.low, fit.findings.constants[0].interval.low);
    }

    /// As many constants as runs, or as runs that differ, go through all of them: nothing says how sure they are.
    void too_few_runs_determine_nothing_data() {
        QTest::addColumn<QString>("rows");
        QTest::addColumn<bool>("determined");
        QTest::newRow("fewer than constants") << "1,1\n2,.5\n" << false;
        QTest::newRow("as many") << "1,1\n2,.6\n4,.4\n" << false;
        QTest::newRow("two that differ, repeated") << "1,1\n1,1.1\n2,.6\n2,.61\n" << false;
        QTest::newRow("one more") << "1,1\n2,.6\n4,.4\n8,.31\n" << true;
        QTest::newRow("three that differ, repeated") << "1,1\n2,.6\n4,.4\n4,.42\n" << true;
    }
    void too_few_runs_determine_nothing() {
        QFETCH(QString, rows);
        QFETCH(bool, determined);
        const auto read = import_runs("workers,time_s\n" + rows.toStdString(), "t.csv").value();
        FitOptions options;
        options.form.extrinsic = {"workers"};
        options.refits = 40;
        const auto fit = fit_runs(read.runs, options).value();
        QCOMPARE(fit.findings.determined, determined);
        QCOMPARE(fit.boot.thetas.empty(), !determined);
        QCOMPARE(fit.bands.empty(), !determined);
        QCOMPARE(problems_in(fit.warnings).find("leave nothing to judge") == std::string::npos, determined);
        if (determined) return;
        QVERIFY(fit.findings.trade_offs.empty());
        for (const auto& c : fit.findings.constants) QVERIFY(!c.identified);
        for (const auto& f : fit.findings.factors) QVERIFY(!f.significant);
        // Refits that a file has all the same are not believed.
        FittedRuns saved{fit, read.runs, read.rows, read.data_hash, read.used, {}};
        saved.fit.boot.thetas.assign(20, fit.theta);
        const auto opened = read_fit(fit_json(saved), "fit.json");
        QVERIFY2(opened, opened ? "" : problems_in(opened.error()).c_str());
        QVERIFY(opened->fit.boot.thetas.empty() && opened->fit.bands.empty() && !opened->fit.findings.determined);
    }

    /// What no factor's terms make is named, so that the shares are of the whole.
    void shares_add_up() {
        const auto runs = import_runs(simple_runs(0.02), "t.csv").value().runs;
        FitOptions options;
        options.form.extrinsic = {"workers"};
        options.refits = 0;
        const auto alone = fit_runs(runs, options).value();
        QCOMPARE(alone.findings.terms.size(), std::size_t{1});
        QCOMPARE(alone.findings.terms[0].name, std::string("base"));
        QVERIFY(!alone.findings.factors[0].own_terms);
        for (const auto& fit : {alone, simple_fit(runs, 0)}) {
            double sum = fit.findings.offset_share;
            for (const auto& f : fit.findings.factors) sum += f.share;
            for (const auto& t : fit.findings.terms) sum += t.share;
            QVERIFY(about(sum, 1.0, 1e-9));
        }
    }

    void times_beyond_arithmetic() {
        FitOptions options;
        options.form.extrinsic = {"workers"};
        for (const char* rows : {"1,1e308\n2,1e308\n4,0.9e308\n8,1e307\n16,1e307\n",
                                 "1,1e-310\n2,1e-310\n4,1e-311\n8,1e-311\n16,1e-311\n"}) {
            const auto fit =
                fit_runs(import_runs(std::string("workers,time_s\n") + rows, "t.csv").value().runs, options);
            QVERIFY(!fit);
            QVERIFY2(problems_in(fit.error()).find("finite error") != std::string::npos,
                     problems_in(fit.error()).c_str());
        }
    }

    void a_factor_that_does_nothing_is_not_significant() {
        std::string table = "size,noise,time_s\n";
        Draws draws(3);
        for (int i = 0; i < 60; ++i)
            table += std::to_string(1 + i % 5) + "," + std::to_string(1 + (i * 7) % 4) + "," +
                     std::to_string((1 + i % 5) * std::exp(0.1 * (draws.uniform() - 0.5))) + "\n";
        FitOptions options;
        options.form.intrinsic = {"size"};
        options.form.extrinsic = {"noise"};
        const auto fit = fit_runs(import_runs(table, "t.csv").value().runs, options).value();
        QVERIFY(fit.findings.factors[0].significant);
        QVERIFY(!fit.findings.factors[1].significant);
        QVERIFY(!fit.findings.constants[2].identified);
    }

    void speedup() {
        const auto runs = import_runs(simple_runs(), "t.csv").value().runs;
        const auto fit = simple_fit(runs, 20);
        const auto curve = speedup_curve(*fit.form, fit.theta, fit.boot, runs, median_run(runs), {1, 4, 64}).value();
        const double one = 3.0 * std::pow(3.0, 1.2) + 0.5, four = 3.0 * std::pow(3.0, 1.2) * std::pow(4.0, -0.7) + 0.5;
        QVERIFY(about(curve.points[0].speedup, 1.0, 1e-9) && about(curve.points[1].speedup, one / four, 1e-3));
        QVERIFY(about(curve.points[1].efficiency, one / four / 4.0, 1e-3) && about(curve.floor, 0.5 / one, 1e-3));
        QVERIFY(!curve.points[1].extrapolated && curve.points[2].extrapolated && !curve.of_throughput);
    }

    void held_out_and_extrapolated_runs() {
        const auto runs = import_runs(simple_runs(0.05), "t.csv", {}, HoldOut{0, 4.0}).value().runs;
        const auto fit = simple_fit(runs);
        QCOMPARE(fit.metrics.extrapolated.runs, std::size_t{8});
        QVERIFY(fit.metrics.extrapolated.mean_error < 0.05 && fit.extrapolation_error > 0.0);
        for (std::size_t row = 0; row < runs.size(); ++row) {
            QCOMPARE(fit.outside[row].size(), std::size_t{runs.held_out[row] ? 1U : 0U});
            QVERIFY(fit.bands[row].low < fit.predicted[row] && fit.predicted[row] < fit.bands[row].high);
        }
    }

    void lambda_is_chosen_and_optimizers_agree() {
        const auto runs = import_runs(simple_runs(0.1), "t.csv").value().runs;
        FitOptions options;
        options.form.intrinsic = {"size", "mode"};
        options.form.extrinsic = {"workers"};
        options.lambda.reset();
        options.optimizer = FitOptimizer::evolution;
        options.refits = 0;
        const auto fit = fit_runs(runs, options).value();
        QCOMPARE(fit.lambdas.size(), std::size_t{4});
        for (const auto& score : fit.lambdas) {
            QVERIFY(score.loss > 0.0);
            if (score.lambda != fit.lambda)
                QVERIFY(score.loss >= std::min_element(fit.lambdas.begin(), fit.lambdas.end(), [](auto& a, auto& b) {
                                          return a.loss < b.loss;
                                      })->loss);
        }
        QVERIFY(fit.check && std::abs(fit.check->cost / fit.solution.cost - 1.0) < 1e-3);
        QVERIFY(fit.warnings.empty());
        // Cut short, evolution is worse: that is said, and the better one taken.
        options.evolution.most_generations = 2;
        options.evolution.polish = false;
        const auto cut = fit_runs(runs, options).value();
        QVERIFY(QString::fromStdString(problems_in(cut.warnings)).contains("disagree"));
        QVERIFY(cut.solution.cost < cut.check->cost);
        CancelSource source;
        source.cancel();
        QVERIFY(!fit_runs(runs, options, Watch{{}, source.token()}));
    }

    void file() {
        const auto read = import_runs(simple_runs(0.02), "t.csv").value();
        const auto text = fit_json({simple_fit(read.runs, 30), read.runs, read.rows, read.data_hash, read.used, {}});
        const auto json = QJsonDocument::fromJson(QByteArray::fromStdString(text)).object();
        QCOMPARE(json["data_hash"].toString().toStdString(), data_hash(simple_runs(0.02)));
        QCOMPARE(json["seed"].toInt(), 1);
        QCOMPARE(json["form"].toString(), QString("product"));
        QCOMPARE(json["constants"].toArray().size(), 6);
        const auto q = json["constants"].toArray()[4].toObject();
        QCOMPARE(q["name"].toString(), QString("q_workers"));
        QCOMPARE(q["normalized_bounds"].toArray()[0].toDouble(), -2.0);
        QVERIFY(about(q["value"].toDouble(), -0.7, 0.05));
        QVERIFY(json["metrics"].toObject()["train"].toObject()["mape"].toDouble() < 0.02);
        QVERIFY(json["baselines"].toObject().contains("log-linear regression"));
    }
};

QTEST_APPLESS_MAIN(TestFitReport)
#include "tst_fit_report.moc"
