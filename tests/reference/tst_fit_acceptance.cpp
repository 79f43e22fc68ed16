// SPDX-License-Identifier: GPL-3.0-or-later
// Fits of synthetic runs against those of scipy 1.10.1 (tests/data/fit/README.md): both optimizers, ten seeds each, at
// least nine of which must be as good. With sanitizers there are two seeds, both of which must be.
#include <QtTest>
#include <cmath>

#include "sanitized.hpp"
#include "support_fit.hpp"

using namespace support;

namespace {

constexpr std::uint64_t seeds = sanitized ? 1 : 10, enough = sanitized ? 1 : 9;

Fit fitted(const Runs& runs, const FormChoice& form, Loss loss, FitOptimizer optimizer, std::uint64_t seed) {
    FitOptions options;
    options.form = form;
    options.loss = loss;
    options.optimizer = optimizer;
    options.seed = seed;
    options.refits = 0;
    return fit_runs(runs, options).value();
}

double raw_value(const Fit& fit, const std::string& name) {
    const auto raw = fit.form->raw(fit.theta);
    for (std::size_t d = 0; d < raw.size(); ++d)
        if (fit.form->constants()[d].name == name) return raw[d];
    return std::nan("");
}

const std::vector<std::pair<std::string, double>> truth = {{"a_filters", 0.8},     {"p_filters", 0.9},
                                                           {"a_kernel_size", 1.5}, {"p_kernel_size", 1.6},
                                                           {"a_image_side", 0.05}, {"p_image_side", 1.7},
                                                           {"q_workers", -0.78},   {"q_batch_size", -0.35},
                                                           {"q_chunks", 0.12},     {"C", 4.0}};

}  // namespace

class TestFitAcceptance : public QObject {
    Q_OBJECT

private slots:
    void constants_come_back_data() { optimizers(); }
    void constants_come_back() {
        QFETCH(int, optimizer);
        const auto data = fit_data("g1-generic-noiseless");
        std::uint64_t good = 0;
        for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
            const auto fit = fitted(data.runs, generic_form(), Loss::squared, FitOptimizer(optimizer), seed);
            bool all = fit.solution.cost <= 1e-10;
            for (const auto& [name, value] : truth) all = all && std::abs(raw_value(fit, name) / value - 1.0) <= 1e-3;
            good += all ? 1 : 0;
        }
        QVERIFY2(good >= enough, std::to_string(good).c_str());
    }

    void as_good_as_the_reference_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>("form");
        QTest::addColumn<int>("loss");
        QTest::addColumn<double>("cost");
        QTest::addColumn<double>("error");  // MAPE of the held-out runs in percent; below 0: there are none
        QTest::addColumn<int>("optimizer");
        struct Row {
            const char *name, *file;
            int form;
            Loss loss;
            double cost, error;
        };
        for (const FitOptimizer optimizer : {FitOptimizer::fast, FitOptimizer::evolution})
            for (const Row& row : {
                     Row{"g2", "g2-generic-noise5", 0, Loss::squared, 0.002043, 3.901},
                     Row{"g3", "g3-generic-noise10-outliers", 0, Loss::squared, 0.01726, 8.310},
                     // The reference's row "Huber" is the fit that makes mean |r| small: its cost 0.005545 is 0.30·|r|
                     // − 0.0225 taken for all runs, below 0.15 too. Its |r| is therefore (0.005545 + 0.0225) / 0.30.
                     Row{"g3 absolute", "g3-generic-noise10-outliers", 0, Loss::absolute, (0.005545 + 0.0225) / 0.30,
                         8.147},
                     Row{"g4", "g4-generic-categorical-noise4", 1, Loss::squared, 0.0016291, 3.66},
                     Row{"p1 two-term", "p1-physical-ring-noise3", 2, Loss::squared, 0.00071878, 2.26},
                     Row{"p1 physical", "p1-physical-ring-noise3", 3, Loss::squared, 0.0007772, 2.42},
                     Row{"y1", "y1-thread-contention-noise2", 4, Loss::squared, 0.00035221, -1.0},
                 })
                QTest::addRow("%s, %s", row.name, optimizer == FitOptimizer::fast ? "fast" : "evolution")
                    << row.file << row.form << int(row.loss) << row.cost << row.error << int(optimizer);
    }
    void as_good_as_the_reference() {
        QFETCH(QString, file);
        QFETCH(int, form);
        QFETCH(int, loss);
        QFETCH(double, cost);
        QFETCH(double, error);
        QFETCH(int, optimizer);
        const FormChoice forms[] = {generic_form(), categorical_form(), two_term_form(), physical_form(), tiers_form()};
        ColumnMap map;
        if (form == 4) map.time = "time_per_muladd_s";
        const auto data = fit_data(file.toStdString(), map);
        std::uint64_t good = 0;
        for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
            const auto fit = fitted(data.runs, forms[form], Loss(loss), FitOptimizer(optimizer), seed);
            bool all = fit.solution.cost <= 1.01 * cost;
            if (fit.check) all = all && fit.check->cost <= 1.01 * cost;  // neither leans on the other
            if (error >= 0.0) all = all && std::abs(100.0 * fit.metrics.held_out.mean_error - error) <= 0.1;
            if (file.startsWith("g2"))
                for (const auto& [name, value] : truth)
                    if (name[0] == 'q') all = all && std::abs(raw_value(fit, name) - value) <= 0.01;
            good += all ? 1 : 0;
        }
        QVERIFY2(good >= enough, std::to_string(good).c_str());
    }

    /// Huber's loss as the README states it, r² up to 0.15: the reference's constants, which made something else small,
    /// cost 0.01336; ours less.
    void huber_data() { optimizers(); }
    void huber() {
        QFETCH(int, optimizer);
        const auto data = fit_data("g3-generic-noise10-outliers");
        const auto absolute = fitted(data.runs, generic_form(), Loss::absolute, FitOptimizer::fast, 1);
        const auto squared = fitted(data.runs, generic_form(), Loss::squared, FitOptimizer::fast, 1);
        std::uint64_t good = 0;
        for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
            const auto fit = fitted(data.runs, generic_form(), Loss::huber, FitOptimizer(optimizer), seed);
            const double error = fit.metrics.held_out.mean_error;
            good += fit.solution.cost <= 0.01336 && fit.solution.cost > 0.0132 &&
                            error < squared.metrics.held_out.mean_error && error > absolute.metrics.held_out.mean_error
                        ? 1
                        : 0;
        }
        QVERIFY2(good >= enough, std::to_string(good).c_str());
    }

    void physical_constants_have_their_units() {
        const auto data = fit_data("p1-physical-ring-noise3");
        const auto fit = fitted(data.runs, physical_form(), Loss::squared, FitOptimizer::fast, 1);
        const auto& found = fit.findings.constants;
        QCOMPARE(found[0].name, std::string("peak"));
        QVERIFY(std::abs(found[0].value / 4.8834e12 - 1.0) < 1e-3);
        QCOMPARE(found[1].name, std::string("bandwidth"));
        QVERIFY(std::abs(found[1].value / 1.0917e9 - 1.0) < 1e-3);
        QVERIFY(std::abs(found[2].value / 45.71e-6 - 1.0) < 1e-3);
        QVERIFY(std::abs(found[3].value / 3.2352e-3 - 1.0) < 1e-3);
        QCOMPARE(fit.metrics.extrapolated.runs, fit.metrics.held_out.runs);  // all above 16 workers
    }

    /// The reference's band of 90 % covers 0.875 of the held-out runs, with residuals of 0.0454.
    void bands_cover() {
        const auto data = fit_data("g2-generic-noise5");
        FitOptions options;
        options.form = generic_form();
        const auto fit = fit_runs(data.runs, options).value();
        std::size_t inside = 0;
        const auto held_out = data.runs.testing();
        for (const std::size_t row : held_out)
            inside += data.runs.seconds[row] >= fit.bands[row].low && data.runs.seconds[row] <= fit.bands[row].high;
        const double share = static_cast<double>(inside) / static_cast<double>(held_out.size());
        QVERIFY2(share >= 0.83 && share <= 0.96, std::to_string(share).c_str());
        QVERIFY(std::abs(fit.boot.residual_deviation - 0.0454) < 0.0005);
        // 95 % is four of the reference's standard deviations wide.
        const auto width = [&fit](std::size_t d) {
            return fit.findings.constants[d].interval.high - fit.findings.constants[d].interval.low;
        };
        QCOMPARE(fit.findings.constants[6].name, std::string("q_workers"));
        QVERIFY(std::abs(width(6) / (3.92 * 0.0100) - 1.0) < 0.25);
        QVERIFY(std::abs(width(9) / (3.92 * 0.072) - 1.0) < 0.25);
        bool a_with_p = false;
        for (const auto& pair : fit.findings.trade_offs) a_with_p = a_with_p || (pair.one == 2 && pair.other == 3);
        QVERIFY(a_with_p);
    }

private:
    static void optimizers() {
        QTest::addColumn<int>("optimizer");
        QTest::addRow("fast") << int(FitOptimizer::fast);
        QTest::addRow("evolution") << int(FitOptimizer::evolution);
    }
};

QTEST_APPLESS_MAIN(TestFitAcceptance)
#include "tst_fit_acceptance.moc"
