// SPDX-License-Identifier: GPL-3.0-or-later
// The arithmetic under a fit: forms and their derivatives, costs, random numbers, optimizers.
#include <QtTest>
#include <cmath>

#include "core/measure/fit/forms.hpp"
#include "core/measure/fit/linear.hpp"
#include "core/measure/fit/optimizers.hpp"
#include "support_fit.hpp"

using namespace support;

namespace {

const char* const layers =
    "flops,params,kind,workers,batch,set,time_s\n"
    "1e9,6e6,a,1,16,100,0.020\n2e9,9e6,b,2,32,300,0.031\n5e9,7e6,c,4,16,30000,0.024\n3e9,2e6,a,8,64,40000,0.040\n"
    "1e9,3e6,b,2,16,50000,0.011\n4e9,6e6,c,1,64,200,0.082\n";

FormChoice choice_of(FormKind kind) {
    FormChoice choice;
    choice.kind = kind;
    choice.intrinsic = kind == FormKind::product ? std::vector<std::string>{"flops", "params", "kind"}
                                                 : std::vector<std::string>{"flops"};
    choice.traffic = {"params"};
    choice.extrinsic = {"workers", "batch"};
    choice.flops = "flops";
    choice.parameters = "params";
    choice.batch = "batch";
    choice.working_set = "set";
    return choice;
}

std::vector<double> inside(const std::vector<Constant>& constants, std::uint64_t seed) {
    Draws draws(seed);
    std::vector<double> theta;
    for (const Constant& c : constants) theta.push_back(c.low + (0.1 + 0.3 * draws.uniform()) * c.width());
    return theta;
}

double near(double a, double b) { return std::abs(a - b) / std::max(1e-30, std::abs(a) + std::abs(b)); }

}  // namespace

class TestFitNumerics : public QObject {
    Q_OBJECT

private slots:
    void times_are_the_expression() {
        const auto runs = import_runs(simple_runs(), "t.csv").value().runs;
        FormChoice choice;
        choice.intrinsic = {"size", "mode"};
        choice.extrinsic = {"workers"};
        const auto form = make_form(choice, runs).value();
        QCOMPARE(form->expression(),
                 std::string("t = (a_size\u00b7size^p_size + d[mode] + base)\u00b7workers^q_workers + C"));
        const auto evaluator = form->bind(runs).value();
        const std::vector<double> theta{2.0, 1.1, 0.7, 0.2, -0.6, 0.3};  // a, p, slow, base, q, C
        QCOMPARE(form->size(), theta.size());
        Workspace space;
        std::vector<double> seconds(runs.size());
        evaluator->times(theta, space, seconds);
        const auto raw = form->raw(theta);
        for (std::size_t row = 0; row < runs.size(); ++row) {
            const double x = runs.columns[0].numbers[row], w = runs.columns[1].numbers[row];
            const double slow = runs.columns[2].words[row] == "slow" ? 1.0 : 0.0;
            const double normalized = (2.0 * std::pow(x / 3.0, 1.1) + 0.7 * slow + 0.2) * std::pow(w / 3.0, -0.6) + 0.3;
            const double as_it_stands =
                (raw[0] * std::pow(x, raw[1]) + raw[2] * slow + raw[3]) * std::pow(w, raw[4]) + raw[5];
            QVERIFY(near(seconds[row], normalized) < 1e-14);
            QVERIFY(near(seconds[row], as_it_stands) < 1e-14);
        }
    }

    /// By hand: 4 workers, 3 GFLOP forward for each of 10 samples, 2 million parameters.
    void physical_by_hand() {
        const auto runs =
            import_runs("flops,params,workers,batch,time_s\n3e9,2e6,4,10,1\n3e9,2e6,1,10,1\n", "t.csv").value().runs;
        FormChoice choice = choice_of(FormKind::physical);
        choice.normalized = false;
        const auto form = make_form(choice, runs).value();
        Workspace space;
        std::vector<double> seconds(2);
        form->bind(runs).value()->times(std::vector<double>{1e-12, 1e-9, 1e-5, 0.002}, space, seconds);
        QVERIFY(near(seconds[0], 90e9 * 1e-12 + 1.5 * 8e6 * 1e-9 + 6e-5 + 0.002) < 1e-14);
        QVERIFY(near(seconds[1], 90e9 * 1e-12 + 0.002) < 1e-14);
    }

    void slopes_are_derivatives_data() { forms(); }
    void slopes_are_derivatives() {
        QFETCH(int, kind);
        const auto runs = import_runs(layers, "t.csv").value().runs;
        const auto form = make_form(choice_of(FormKind(kind)), runs).value();
        const auto evaluator = form->bind(runs).value();
        const std::size_t n = runs.size();
        Workspace space;
        std::vector<double> seconds(n), slopes(n * form->size()), low(n), high(n);
        for (std::uint64_t seed = 1; seed <= 5; ++seed) {
            auto theta = inside(form->constants(), seed);
            evaluator->slopes(theta, space, seconds, slopes);
            evaluator->times(theta, space, low);
            for (std::size_t k = 0; k < n; ++k) QVERIFY(near(seconds[k], low[k]) < 1e-14);
            for (std::size_t d = 0; d < theta.size(); ++d) {
                const double at = theta[d], step = 1e-4 * form->constants()[d].width();
                theta[d] = at - step;
                evaluator->times(theta, space, low);
                theta[d] = at + step;
                evaluator->times(theta, space, high);
                theta[d] = at;
                for (std::size_t k = 0; k < n; ++k) {
                    const double measured = (high[k] - low[k]) / (2.0 * step);
                    const double scale =
                        std::abs(measured) + 1e-6 * std::abs(seconds[k]) / form->constants()[d].width();
                    QVERIFY2(std::abs(slopes[d * n + k] - measured) < 2e-5 * scale,
                             (form->constants()[d].name + ": " + std::to_string(slopes[d * n + k]) + ", measured " +
                              std::to_string(measured) + " at " + std::to_string(seconds[k]))
                                 .c_str());
                }
            }
        }
    }

    void gradient_of_the_cost_data() {
        QTest::addColumn<int>("loss");
        QTest::addColumn<double>("l2");
        QTest::addColumn<double>("l1");
        QTest::addRow("squared") << int(Loss::squared) << 0.0 << 0.0;
        QTest::addRow("huber") << int(Loss::huber) << 0.0 << 0.0;
        QTest::addRow("absolute") << int(Loss::absolute) << 0.0 << 0.0;
        QTest::addRow("l2") << int(Loss::squared) << 5.0 << 0.0;
        QTest::addRow("l1") << int(Loss::huber) << 0.0 << 5.0;
    }
    void gradient_of_the_cost() {
        QFETCH(int, loss);
        QFETCH(double, l2);
        QFETCH(double, l1);
        const auto runs = import_runs(layers, "t.csv").value().runs;
        const auto form = make_form(choice_of(FormKind::product), runs).value();
        const auto evaluator = form->bind(runs).value();
        CostRules rules;
        rules.loss = Loss(loss);
        rules.l2 = l2;
        rules.l1 = l1;
        const Objective objective(*evaluator, form->constants(), runs.seconds, rules);
        Workspace space;
        const std::size_t size = form->size();
        std::vector<double> gradient(size), matrix(size * size);
        for (std::uint64_t seed = 1; seed <= 5; ++seed) {
            auto theta = inside(form->constants(), seed);
            const double cost = objective.linearize(theta, space, gradient, matrix);
            QVERIFY(near(cost, objective.cost(theta, space)) < 1e-13);
            for (std::size_t d = 0; d < size; ++d) {
                const double at = theta[d], step = 1e-6 * form->constants()[d].width();
                theta[d] = at - step;
                const double low = objective.cost(theta, space);
                theta[d] = at + step;
                const double high = objective.cost(theta, space);
                theta[d] = at;
                const double measured = (high - low) / (2.0 * step);
                QVERIFY2(std::abs(gradient[d] - measured) <
                             1e-5 * std::abs(measured) + 1e-7 * cost / form->constants()[d].width(),
                         form->constants()[d].name.c_str());
            }
        }
    }

    void losses() {
        CostRules rules;
        rules.loss = Loss::huber;
        QCOMPARE(loss_of(rules, -0.1), 0.1 * 0.1);
        QVERIFY(near(loss_of(rules, 0.5), 0.30 * 0.5 - 0.0225) < 1e-14);
        rules.loss = Loss::absolute;
        QCOMPARE(loss_of(rules, -0.5), 0.5);
    }

    void systems_are_solved() {
        std::vector<double> matrix{4, 2, 2, 3}, right{2, 5};  // 4x + 2y = 2, 2x + 3y = 5
        QVERIFY(solve_positive(matrix, right));
        QVERIFY(near(right[0], -0.5) < 1e-14 && near(right[1], 2.0) < 1e-14);
        std::vector<double> flat{1, 1, 1, 1};
        QVERIFY(!solve_positive(flat, right));
        std::vector<bool> kept;
        QCOMPARE(independent_columns({{1, 1, 1}, {1, 2, 3}, {3, 5, 7}, {1, 0, 0}}, 1e-9, kept), std::size_t{3});
        QCOMPARE(kept, (std::vector<bool>{true, true, false, true}));
    }

    /// The first draws are these on every platform; streams differ; a hypercube has one point in each slice.
    void random_numbers() {
        Draws one(1), again(1), other(1, {2});
        const auto first = one.bits();
        QCOMPARE(first, again.bits());
        QVERIFY(first != other.bits());
        QCOMPARE(first, std::uint64_t{0x5e41ab087439611eULL});
        const auto points = latin_hypercube(50, 3, Draws(9));
        for (std::size_t d = 0; d < 3; ++d) {
            std::vector<bool> taken(50);
            for (std::size_t i = 0; i < 50; ++i) taken[static_cast<std::size_t>(points[i * 3 + d] * 50.0)] = true;
            QVERIFY(std::find(taken.begin(), taken.end(), false) == taken.end());
        }
    }

    void any_number_of_threads() {
        const auto runs = import_runs(simple_runs(0.1), "t.csv").value().runs;
        FormChoice choice;
        choice.intrinsic = {"size", "mode"};
        choice.extrinsic = {"workers"};
        const auto form = make_form(choice, runs).value();
        const auto evaluator = form->bind(runs).value();
        const Objective objective(*evaluator, form->constants(), runs.seconds, {});
        std::vector<Solution> found;
        for (const std::size_t threads : {1U, 2U, 4U}) {
            EvolutionOptions options;
            options.threads = threads;
            options.most_generations = 60;
            found.push_back(evolve(objective, options));
        }
        for (const auto& solution : found) {
            QCOMPARE(solution.theta, found[0].theta);
            QCOMPARE(solution.best_costs, found[0].best_costs);
        }
        EvolutionOptions other;
        other.seed = 2;
        other.most_generations = 60;
        QVERIFY(evolve(objective, other).best_costs != found[0].best_costs);
    }

    void bounds_hold_and_optimizers_agree() {
        const auto runs = import_runs(simple_runs(), "t.csv").value().runs;
        FormChoice choice;
        choice.intrinsic = {"size", "mode"};
        choice.extrinsic = {"workers"};
        choice.bounds = {{"q_workers", -0.5, 2.0}, {"C", 0.5, 0.5}};
        const auto form = make_form(choice, runs).value();
        const auto evaluator = form->bind(runs).value();
        const Objective objective(*evaluator, form->constants(), runs.seconds, {});
        const auto fast = multistart(objective, {});
        const auto global = evolve(objective, {});
        QCOMPARE(fast.theta[4], -0.5);  // the truth is −0.7
        QCOMPARE(fast.theta[5], 0.5);
        QVERIFY(near(fast.cost, global.cost) < 1e-9);
        QVERIFY(fast.cost > 1e-4);
    }

    void can_be_ended() {
        const auto runs = import_runs(simple_runs(0.1), "t.csv").value().runs;
        FormChoice choice;
        choice.intrinsic = {"size"};
        choice.extrinsic = {"workers"};
        const auto form = make_form(choice, runs).value();
        const auto evaluator = form->bind(runs).value();
        const Objective objective(*evaluator, form->constants(), runs.seconds, {});
        CancelSource source;
        std::size_t heard = 0;
        double last = HUGE_VAL;
        bool falls = true;
        const auto solution =
            evolve(objective, {}, Watch{{}, source.token()}, [&](std::size_t generation, double best) {
                heard = generation;
                falls = falls && best <= last;
                last = best;
                if (generation == 7) source.cancel();
            });
        QVERIFY(solution.cancelled && falls);
        QCOMPARE(heard, std::size_t{7});
        QCOMPARE(solution.best_costs.size(), std::size_t{7});
        QVERIFY(multistart(objective, {}, Watch{{}, source.token()}).cancelled);
    }

private:
    static void forms() {
        QTest::addColumn<int>("kind");
        QTest::addRow("product") << int(FormKind::product);
        QTest::addRow("two-term") << int(FormKind::two_term);
        QTest::addRow("physical") << int(FormKind::physical);
        QTest::addRow("tiers") << int(FormKind::tiers);
    }
};

QTEST_APPLESS_MAIN(TestFitNumerics)
#include "tst_fit_numerics.moc"
