// SPDX-License-Identifier: GPL-3.0-or-later
// A saved fit is read back whole, says the same of other runs, and broken files say where they are broken.
#include <QtTest>

#include "core/measure/fit/fit_json.hpp"
#include "support_fit.hpp"

using namespace support;

namespace {

FittedRuns fitted(const std::string& table, FitOptions options, ColumnMap map = {}, HoldOut hold = {}) {
    auto read = import_runs(table, "t.csv", map, hold);
    if (!read) qFatal("%s", problems_in(read.error()).c_str());
    auto fit = fit_runs(read->runs, options);
    if (!fit) qFatal("%s", problems_in(fit.error()).c_str());
    return {std::move(*fit), read->runs, read->rows, read->data_hash, map, hold};
}

FitOptions simple_options(std::size_t refits = 20) {
    FitOptions options;
    options.form.intrinsic = {"size", "mode"};
    options.form.extrinsic = {"workers"};
    options.refits = refits;
    return options;
}

bool same(const std::vector<scalescope::measure::Interval>& a, const std::vector<scalescope::measure::Interval>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                      [](const scalescope::measure::Interval& x, const scalescope::measure::Interval& y) {
                          return x.low == y.low && x.high == y.high;
                      });
}

/// Nothing, or what differs. To the bit.
std::string difference(const FittedRuns& a, const FittedRuns& b) {
    const Fit &x = a.fit, &y = b.fit;
    if (x.theta != y.theta || x.form->expression() != y.form->expression()) return "constants";
    if (x.predicted != y.predicted || !same(x.bands, y.bands) || x.outside != y.outside) return "predictions";
    if (x.boot.thetas != y.boot.thetas || x.boot.residual_deviation != y.boot.residual_deviation) return "refits";
    if (a.data_hash != b.data_hash || a.rows != b.rows || a.runs.held_out != b.runs.held_out) return "runs";
    if (x.metrics.held_out.mean_error != y.metrics.held_out.mean_error || x.baselines.size() != y.baselines.size() ||
        x.noise.has_value() != y.noise.has_value())
        return "metrics";
    for (std::size_t i = 0; i < x.findings.constants.size(); ++i) {
        const auto &c = x.findings.constants[i], &d = y.findings.constants[i];
        if (c.name != d.name || c.value != d.value || c.interval.low != d.interval.low || c.at_bound != d.at_bound ||
            c.identified != d.identified || c.unit != d.unit)
            return "constant " + c.name;
    }
    for (std::size_t i = 0; i < x.findings.factors.size(); ++i)
        if (x.findings.factors[i].share != y.findings.factors[i].share ||
            x.findings.factors[i].elasticity != y.findings.factors[i].elasticity)
            return "factor " + x.findings.factors[i].factor;
    const Runs first = rows_of(a.runs, {0});
    const auto curve_of = [&](const FittedRuns& f) {
        return speedup_curve(*f.fit.form, f.fit.theta, f.fit.boot, rows_of(f.runs, f.runs.training()), first,
                             {1, 4, 64});
    };
    const auto p = curve_of(a), q = curve_of(b);
    if (p.has_value() != q.has_value()) return "curve";
    for (std::size_t i = 0; p && i < p->points.size(); ++i)
        if (p->points[i].speedup != q->points[i].speedup ||
            p->points[i].speedup_interval.low != q->points[i].speedup_interval.low)
            return "curve";
    return {};
}

FittedRuns need(Result<FittedRuns> read) {
    if (!read) qFatal("%s", problems_in(read.error()).c_str());
    return std::move(*read);
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
    const auto at = text.find(what);
    if (at == std::string::npos) qFatal("no %s", what.c_str());
    return text.replace(at, what.size(), by);
}

}  // namespace

class TestFitFile : public QObject {
    Q_OBJECT

private slots:
    void every_form_reads_back_to_the_bit_data() {
        QTest::addColumn<int>("form");
        QTest::newRow("product") << 0;
        QTest::newRow("two-term") << 1;
        QTest::newRow("physical") << 2;
        QTest::newRow("tiers") << 3;
        QTest::newRow("raw, bounds, huber, auto lambda") << 4;
    }
    void every_form_reads_back_to_the_bit() {
        QFETCH(int, form);
        FitOptions options = simple_options();
        std::string table = simple_runs(0.05);
        HoldOut hold{0, 4.0};
        ColumnMap map;
        if (form == 1) {
            options.form.kind = FormKind::two_term;
            options.form.traffic = {"size"};
        }
        if (form == 2 || form == 3) {
            table = "workers,batch_per_worker,fwd_flop_per_sample,parameters,weight_working_set_kib,time_s\n";
            Draws draws(5);
            for (int i = 0; i < 24; ++i) {
                const int w = 1 << (i % 4), kib = 64 << (i % 10);
                const double t = (0.1 + 0.01 * (i % 3)) * (1.0 + 0.1 * w) * (1.0 + 0.05 * draws.uniform());
                table += std::to_string(w) + ",8," + std::to_string(1000000 + 50000 * (i % 5)) + "," +
                         std::to_string(10000 + 1000 * (i % 7)) + "," + std::to_string(kib) + "," + std::to_string(t) +
                         "\n";
            }
            options.form = {};
            options.form.kind = form == 2 ? FormKind::physical : FormKind::tiers;
            hold = {};
        }
        if (form == 4) {
            options.form.normalized = false;
            options.form.bounds = {{"C", 0.0, 1.0}, {"q_workers", -0.7, -0.7}};
            options.loss = Loss::huber;
            options.lambda.reset();
            options.optimizer = FitOptimizer::evolution;
            options.evolution.most_generations = 5;
            map.filters = {{"size", RunFilter::Relation::less_equal, "4"}};
        }
        const FittedRuns made = fitted(table, options, map, hold);
        const std::string text = fit_json(made);
        QVERIFY(is_fit(text) && !is_fit("{\"format\": \"scalescope-network\"}"));
        const FittedRuns read = need(read_fit(text, "fit.json"));
        const auto differs = difference(made, read);
        QVERIFY2(differs.empty(), differs.c_str());
        // What it was made with comes back too: fitted anew, the same constants.
        QCOMPARE(read.hold.workers_above, hold.workers_above);
        QCOMPARE(read.map.filters.size(), map.filters.size());
        QCOMPARE(read.fit.options.lambda.has_value(), options.lambda.has_value());
        auto again = read.fit.options;
        again.evolution = options.evolution;
        const auto refitted = fit_runs(import_runs(table, "t.csv", read.map, read.hold)->runs, again);
        QVERIFY(refitted && refitted->theta == made.fit.theta);
        QCOMPARE(fit_json(read).size(), text.size());
    }

    void other_runs_by_a_saved_fit() {
        const auto read = need(read_fit(fit_json(fitted(simple_runs(0.02), simple_options())), "f"));
        const auto same_runs = import_runs(simple_runs(0.02), "t.csv")->runs;
        const auto same_applied = apply_fit(read, same_runs).value();
        for (std::size_t i = 0; i < same_runs.size(); ++i) {
            QCOMPARE(*same_applied.predicted[i], read.fit.predicted[i]);
            QCOMPARE(same_applied.bands[i].low, read.fit.bands[i].low);
        }
        QCOMPARE(same_applied.inside.mean_error, read.fit.metrics.training.mean_error);
        QCOMPARE(same_applied.extrapolated.runs, std::size_t{0});
        // 3·8^1.2·16^−0.7 + 0.5; twice as many workers as measured; a mode nobody measured; no size.
        const auto others =
            import_runs("workers,size,mode,time_s\n2,2,fast,4\n16,8,fast,6\n1,1,idle,1\n1,0,fast,1\n", "o.csv")->runs;
        const auto applied = apply_fit(read, others).value();
        QVERIFY(std::abs(*applied.predicted[1] / (3.0 * std::pow(8.0, 1.2) * std::pow(16.0, -0.7) + 0.5) - 1.0) < 0.03);
        QCOMPARE(applied.outside[0].size(), std::size_t{0});
        QCOMPARE(applied.outside[1], std::vector<std::string>{"workers"});
        QVERIFY(!applied.predicted[2] && applied.why_not[2].find("idle") != std::string::npos);
        QVERIFY(!applied.predicted[3] && !applied.why_not[3].empty());
        QCOMPARE(applied.inside.runs, std::size_t{1});
        QCOMPARE(applied.extrapolated.runs, std::size_t{1});
        const auto none = apply_fit(read, import_runs("worker,size,time_s\n1,2,3\n", "n.csv")->runs);
        QVERIFY(!none);
        const auto said = problems_in(none.error());
        QVERIFY2(said.find("\"workers\"") != std::string::npos && said.find("\"worker\"") != std::string::npos &&
                     said.find("\"mode\"") != std::string::npos,
                 said.c_str());
        QVERIFY(!apply_fit(read, import_runs("workers,size,mode,time_s\nmany,2,fast,3\n", "n.csv")->runs));
    }

    void broken_files_data() {
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("by");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* what, const char* by, const char* says) {
            QTest::addRow("%s -> %s", what, by) << QString(what) << QString(by) << QString::fromUtf8(says);
        };
        row("\"version\": 1", "\"version\": 9", "version");
        row("\"scalescope-fit\"", "\"scalescope-network\"", "network");
        row("\"kind\": \"product\"", "\"kind\": \"cubic\"", "cannot be \"cubic\"; write one of product");
        row("\"kind\": \"product\"", "\"kind\": \"physical\"", "needs a column of numbers");
        row("\"relation\"", "\"relatoin\"", "did you mean");
        row("\"normalized_value\": ", "\"normalised\": ", "constants \u203a 1: ");
        row("\"name\": \"a_size\"", "\"name\": \"b\"", "the form's is a_size");
        row("\"data_hash\"", "\"hash\"", "data_hash");
        row("\"held_out\": []", "\"held_out\": [99]", "none of these runs");
        row("\"lines\": [2, ", "\"lines\": [", "lines: This is no list of whole numbers");
        row("\"rows\": [0, ", "\"rows\": [-1, ", "rows: This is no list of whole numbers");
        row("\"cells\": [\"1\", ", "\"cells\": [\"x\", ", "\"x\" is no number");
        row("\"cells\": [\"1\", ", "\"cells\": [", "a cell for each of the 24 runs");
        row("\"name\": \"size\", \"numbers\"", "\"name\": \"dose\", \"numbers\"", "no column \"size\"");
        row("\"seconds\": [", "\"seconds\": [0, ", "each with a time above 0");
        row("\"log_residuals\": [", "\"log_residuals\": [1000, ", "no logarithm");
        row("\"log_residuals\": [", "\"log_residuals\": [0, ", "not one residual for each run");
        row("\"refits\": [", "\"refits\": [[1], ", "as many numbers as the form has constants");
        row("\"huber_delta\": 0.15,\n      \"penalty\"", "\"penalty\"", "huber_delta");
        row("\"normalized_bounds\": [0,", "\"normalized_bounds\": [1e99,", "not two numbers, the smaller first");
    }
    void broken_files() {
        QFETCH(QString, what);
        QFETCH(QString, by);
        QFETCH(QString, says);
        ColumnMap map;
        map.filters = {{"size", RunFilter::Relation::less_equal, "4"}};
        static const std::string whole = fit_json(fitted(simple_runs(0.02), simple_options(3), map));
        const auto read = read_fit(replaced(whole, what.toStdString(), by.toStdString()), "f");
        QVERIFY(!read);
        const auto said = problems_in(read.error());
        QVERIFY2(said.find(says.toStdString()) != std::string::npos, said.c_str());
        QVERIFY2(said.starts_with("f:"), said.c_str());
    }

    void cut_off_anywhere() {
        const std::string whole = fit_json(fitted(simple_runs(0.02), simple_options(2)));
        for (std::size_t length = 0; length + 3 < whole.size(); length += 97) {
            const auto read = read_fit(whole.substr(0, length), "f");
            QVERIFY(!read && !read.error().empty());
        }
    }

    void constants_that_give_no_finite_time() {
        const std::string whole = fit_json(fitted(simple_runs(0.02), simple_options(2)));
        const auto at = whole.find("\"normalized_value\": ") + 20;
        auto text = whole;
        text.replace(at, text.find(',', at) - at, "1e308");
        const auto read = read_fit(text, "f");
        QVERIFY(!read && problems_in(read.error()).find("takes no finite time") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestFitFile)
#include "tst_fit_file.moc"
