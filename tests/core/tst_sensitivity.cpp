// SPDX-License-Identifier: GPL-3.0-or-later
// What a little more or less of everything does: by hand, and by what must hold for every scenario.
#include <QtTest>
#include <algorithm>
#include <cmath>

#include "core/formats/scenario_json.hpp"
#include "core/scenario/fields.hpp"
#include "core/search/sensitivity.hpp"
#include "sanitized.hpp"
#include "support_choices.hpp"
#include "support_library.hpp"
#include "support_networks.hpp"

using namespace scalescope;
using namespace scalescope::search;
using support::pick;

namespace {

const SensitivityRow* row_of(const Sensitivity& found, std::string_view path) {
    for (const auto& row : found.rows)
        if (row.path == path) return &row;
    return nullptr;
}

std::string reason_of(const Sensitivity& found, std::string_view path) {
    for (const auto& left : found.left_out)
        if (left.path == path) return left.reason;
    return {};
}

double elasticity(const Sensitivity& found, std::string_view path) {
    const auto* row = row_of(found, path);
    return row ? row->elasticity : 0.0;
}

bool near(double a, double b, double slack = 1e-8) { return std::abs(a - b) <= slack; }

/// Products alone, whose time is arithmetic and nothing else: memory is out of sight.
Scenario bound_by_arithmetic(std::int64_t workers = 1) {
    support::Builder b;
    b.dense(b.dense(b.input({64}), 128), 32);
    Scenario s = support::scenario(b.make());
    s.training.optimizer = Optimizer::sgd;
    s.cluster.device.memory_bandwidth = BytesPerSecond{1e30};
    s.cluster.workers = workers;
    return s;
}

Scenario shipped(const formats::Preset& preset) {
    return formats::read_scenario(preset.text, preset.file, support::library()).value().scenario;
}

constexpr std::string_view peak = "cluster.device.peak_tflops.fp32", memory = "cluster.device.memory_bandwidth_gb_s",
                           between = "cluster.between.bandwidth_gb_s", price = "cluster.device.price_usd_per_hour";

}  // namespace

class TestSensitivity : public QObject {
    Q_OBJECT

private slots:
    void arithmetic_alone() {
        Scenario alone = bound_by_arithmetic();
        alone.cluster.between.latency = microseconds(5);
        const auto found = sensitivity(alone);
        QVERIFY2(found.has_value(), found ? "" : support::messages(found.error()).c_str());
        const auto* row = row_of(*found, peak);
        QVERIFY(row);
        QVERIFY(near(row->elasticity, -1));
        QVERIFY(near(*row->more.change, 1 / 1.1 - 1, 1e-12) && near(*row->less.change, 1 / 0.9 - 1, 1e-12));
        QCOMPARE(row->sentence, std::string("10\u00a0% more peak arithmetic in fp32 takes 9.1\u00a0% off the step."));
        QVERIFY(!row->whole && near(row->more.value, row->value * 1.1, 1e-9 * row->value));
        // One worker sends nothing.
        QCOMPARE(reason_of(*found, between), std::string("One worker sends nothing."));
        QCOMPARE(reason_of(*found, "cluster.between.latency_us"), std::string("One worker sends nothing."));
        QVERIFY(contains(reason_of(*found, "model.compute"), "FP32 peak"));
    }

    /// step = a/P + m·2(n-1)/n·S/W, W per worker: both parts set to take half the time each.
    void half_arithmetic_half_messages() {
        Scenario s = bound_by_arithmetic(4);
        s.cluster.devices_per_node = 1;
        const auto step = support::score_of(s);
        const double compute = (step.forward + step.backward + step.update).value;
        s.cluster.between.bandwidth =
            BytesPerSecond{s.cluster.between.bandwidth.value * step.communication.value / compute};
        const auto found = sensitivity(s);
        QVERIFY(found.has_value());
        QVERIFY(near(elasticity(*found, peak), -0.5) && near(elasticity(*found, between), -0.5));
        const auto* row = row_of(*found, between);
        QVERIFY(near(*row->more.change, 0.5 + 0.5 / 1.1 - 1, 1e-12));
        QVERIFY(near(*row->less.change, 0.5 + 0.5 / 0.9 - 1, 1e-12));
        QVERIFY(near(row->effect(), 0.5 / 0.9 - 0.5, 1e-12));
        QVERIFY(contains(row->sentence, "more bandwidth between nodes takes 4.5\u00a0% off the step."));
        QCOMPARE(reason_of(*found, "cluster.inside.bandwidth_gb_s"),
                 std::string("Every node holds one device: nothing travels inside a node."));
        QCOMPARE(reason_of(*found, "cluster.between.latency_us"),
                 std::string("It is 0, and a part of nothing is nothing."));
        // Throughput is samples over that step.
        SensitivityOptions options;
        options.objective = Metric::throughput;
        const auto rate = sensitivity(s, options);
        QVERIFY(near(elasticity(*rate, peak), 0.5) && near(elasticity(*rate, between), 0.5));
        QVERIFY(contains(row_of(*rate, between)->sentence, "adds 4.8\u00a0% to the throughput."));
    }

    void price_and_cost() {
        Scenario s = bound_by_arithmetic(2);
        SensitivityOptions options;
        options.objective = Metric::cost;
        s.cluster.device.price_per_hour.reset();
        const auto without = sensitivity(s, options);
        QVERIFY(!without && contains(without.error().front().what, "has no price"));
        s.cluster.device.price_per_hour = 3.0;
        const auto found = sensitivity(s, options);
        QVERIFY(found.has_value());
        QVERIFY(near(elasticity(*found, price), 1));
        QVERIFY(near(*row_of(*found, price)->more.change, 0.1, 1e-12));
        QVERIFY(contains(row_of(*found, price)->sentence,
                         "10\u00a0% higher price of a device adds 10.0\u00a0% to the cost."));
        // The price does nothing to the step, and a device without one says so.
        const auto step = sensitivity(s);
        QCOMPARE(reason_of(*step, price), std::string("It changes nothing about the step here."));
        s.cluster.device.price_per_hour.reset();
        QVERIFY(contains(reason_of(*sensitivity(s), price), "has no figure for it."));
    }

    void counts_move_to_whole_numbers() {
        Scenario s = bound_by_arithmetic(4);
        s.training.batch = 128;
        s.training.batch_rule = BatchRule::total;
        auto found = sensitivity(s);
        const auto* batch = row_of(*found, "training.batch");
        QVERIFY(batch && batch->whole);
        QCOMPARE(batch->less.value, 115.0);
        QCOMPARE(batch->more.value, 141.0);
        const auto* workers = row_of(*found, "cluster.workers");
        QVERIFY(workers && workers->whole);
        QCOMPARE(workers->less.value, 3.0);  // 3.6 is 4 again: the nearest that differs
        QCOMPARE(workers->more.value, 5.0);
        QVERIFY(contains(workers->sentence, "Going from 4 to 5 workers "));
        // Estimated anew, not drawn out.
        Scenario five = s;
        five.cluster.workers = 5;
        const double ratio = support::score_of(five).step / support::score_of(s).step;
        QCOMPARE(*workers->more.change, ratio - 1);
        QVERIFY(found->doubling);
        QCOMPARE(found->doubling->less.value, 2.0);
        QCOMPARE(found->doubling->more.value, 8.0);
        // One worker has no half, and a batch of one no less.
        s.cluster.workers = 1;
        s.training.batch = 1;
        s.training.batch_rule = BatchRule::per_worker;
        found = sensitivity(s);
        QVERIFY(found.has_value());
        QVERIFY(!found->doubling->less.change && found->doubling->more.change);
        batch = row_of(*found, "training.batch");
        QVERIFY(batch && !batch->less.change);
        QCOMPARE(batch->less.problem, std::string("There is no smaller count."));
        QCOMPARE(batch->more.value, 2.0);
        // Twice the samples on one worker: twice the arithmetic, but one update.
        QVERIFY(batch->elasticity > 0.5 && batch->elasticity <= 1 + 1e-9);
    }

    void wrong_questions_are_answered() {
        Scenario s = bound_by_arithmetic();
        SensitivityOptions options;
        options.by = 0;
        QVERIFY(!sensitivity(s, options));
        options.by = 1;
        QVERIFY(!sensitivity(s, options));
        options.by = 0.1;
        options.objective = Metric::idle;
        const auto idle = sensitivity(s, options);
        QVERIFY(!idle && contains(idle.error().front().what, "is 0 here"));
        s.training.batch = 0;
        QCOMPARE(sensitivity(s).error(), estimate(s).error());
        CancelSource given_up;
        given_up.cancel();
        QVERIFY(!sensitivity(bound_by_arithmetic(), {}, given_up.token()));
    }

    void sorted_by_what_they_do() {
        const auto& presets = support::library().scenarios;
        for (std::size_t k = 0; k < presets.size(); k += support::sanitized ? 8 : 1) {
            const auto& preset = presets[k];
            const Scenario s = shipped(preset);
            for (const Metric metric : {Metric::step, Metric::throughput, Metric::epoch, Metric::efficiency}) {
                SensitivityOptions options;
                options.objective = metric;
                const auto found = sensitivity(s, options);
                QVERIFY2(found.has_value(), preset.id.c_str());
                QVERIFY(std::is_sorted(found->rows.begin(), found->rows.end(),
                                       [](const auto& a, const auto& b) { return a.effect() > b.effect(); }));
                QCOMPARE(*sensitivity(s, options), *found);
                QVERIFY(found->rows.size() >= 3);
                // Each field stands in one of both lists.
                std::vector<std::string> paths;
                for (const auto& row : found->rows) paths.push_back(row.path);
                for (const auto& left : found->left_out) paths.push_back(left.path);
                std::sort(paths.begin(), paths.end());
                QVERIFY(std::adjacent_find(paths.begin(), paths.end()) == paths.end());
                for (const auto& left : found->left_out) QVERIFY(!left.reason.empty());
            }
        }
    }

    /// Every end is an estimate of a scenario that a person can set, bit for bit.
    void ends_are_estimates() {
        std::mt19937 random(5);
        int compared = 0;
        for (int k = 0; k < support::sampled(120) && !QTest::currentTestFailed(); ++k) {
            const Scenario s = support::random_scenario(
                random, support::random_network(random, static_cast<int>(pick(random, 4, 14))));
            SensitivityOptions options;
            options.objective =
                support::choose(random, std::vector<Metric>{Metric::step, Metric::throughput, Metric::epoch,
                                                            Metric::efficiency, Metric::memory});
            options.by = support::real(random, 0.01, 0.5);
            const auto found = sensitivity(s, options);
            const auto e = estimate(s);
            if (!found) {  // a network without weights may need no memory, one that reads tokens has no epoch
                const bool no_epoch = options.objective == Metric::epoch && !has_epochs(s);
                QVERIFY(!e || no_epoch || metric_value(options.objective, s, *e) == 0.0);
                continue;
            }
            const auto value = [&](const Scenario& other) {
                const auto there = estimate(other);
                return there ? metric_value(options.objective, other, *there) : std::nullopt;
            };
            QCOMPARE(found->value, *value(s));
            for (const auto& row : found->rows)
                for (const auto* end : {&row.less, &row.more}) {
                    Scenario other = s;
                    const bool set = set_field(other, *find_field(row.path), end->value).has_value();
                    const auto moved = set ? value(other) : std::nullopt;
                    QVERIFY2(moved.has_value() == end->change.has_value(), row.path.c_str());
                    if (!moved) continue;
                    QVERIFY2(*end->change == *moved / found->value - 1, row.path.c_str());
                    ++compared;
                }
        }
        QVERIFY(compared > support::expected(500));
    }

    /// If all rates double and all fixed times halve, the step halves: the elasticities of the rates, less those of
    /// the times, sum to −1 (Euler, for homogeneous functions).
    void rates_and_times_sum_to_one() {
        std::mt19937 random(7);
        int seen = 0, with_servers = 0;
        for (int k = 0; k < support::sampled(400) && !QTest::currentTestFailed(); ++k) {
            Scenario s = support::random_scenario(
                random, support::random_network(random, static_cast<int>(pick(random, 4, 14))));
            if (pick(random, 0, 2) == 0) s.model.overhead = milliseconds(support::real(random, 0.001, 1));
            if (k % 4 == 0) {
                s.parallelism.updates = Updates::asynchronous;
                support::divide(s.parallelism, support::Divided::data);
                s.parallelism.overlap = Overlap::off;
                s.parallelism.servers = pick(random, 1, 5);
            }
            const auto found = sensitivity(s);
            if (!found) continue;
            ++seen;
            with_servers += k % 4 == 0 ? 1 : 0;
            double sum = 0;
            for (const char* rate : {"cluster.device.memory_bandwidth_gb_s", "cluster.inside.bandwidth_gb_s",
                                     "cluster.between.bandwidth_gb_s", "training.input_limit"})
                sum += elasticity(*found, rate);
            const Precision computed = multiplied_in(s.cluster.device, s.training.precision);
            sum += elasticity(*found, "cluster.device.peak_tflops." + std::string(name_of(computed)));
            for (const char* time :
                 {"cluster.inside.latency_us", "cluster.between.latency_us", "model.launch_us", "model.overhead_ms"})
                sum -= elasticity(*found, time);
            QVERIFY2(near(sum, -1, 1e-6),
                     qPrintable(QString::number(sum, 'g', 12) + " of scenario " + QString::number(k)));
        }
        QVERIFY(seen > support::expected(200) && with_servers > support::expected(50));
    }

    void parameter_servers() {
        Scenario s = bound_by_arithmetic(4);
        s.parallelism.updates = Updates::asynchronous;
        s.parallelism.servers = 2;
        s.cluster.devices_per_node = 4;
        s.model.spread = Fraction{0.1};
        const auto found = sensitivity(s);
        QVERIFY2(found.has_value(), found ? "" : support::messages(found.error()).c_str());
        const auto* row = row_of(*found, "parallelism.servers");
        QVERIFY(row && row->whole);
        QCOMPARE(row->less.value, 1.0);
        Scenario other = s;
        other.parallelism.servers = 1;
        const double now = estimate(s)->summary.step.value;
        QVERIFY(near(*row->less.change, estimate(other)->summary.step.value / now - 1, 1e-12));
        QVERIFY(elasticity(*found, between) < 0);  // the servers are reached that way, also from one node
        QCOMPARE(reason_of(*found, "cluster.inside.bandwidth_gb_s"),
                 std::string("Parameter servers are reached over the link between nodes."));
        QCOMPARE(reason_of(*found, "model.spread"),
                 std::string("Updates are asynchronous: nobody waits for the slowest."));
        s.parallelism.updates = Updates::synchronous;
        const auto in_step = sensitivity(s);
        QVERIFY(!row_of(*in_step, "parallelism.servers"));
    }

    /// Faster is never slower, and a longer start-up never shortens anything, where no choice is made on the way.
    void signs() {
        std::mt19937 random(11);
        for (int k = 0; k < support::sampled(200) && !QTest::currentTestFailed(); ++k) {
            Scenario s = support::random_scenario(
                random, support::random_network(random, static_cast<int>(pick(random, 4, 14))));
            if (s.parallelism.fill == MeshAxis::pipeline) continue;  // other stages may be balanced
            const auto found = sensitivity(s);
            if (!found) continue;
            for (const auto& row : found->rows) {
                const bool rate = contains(row.path, "bandwidth") || contains(row.path, "peak_tflops") ||
                                  row.path == "training.input_limit";
                const bool time = contains(row.path, "latency") || row.path == "model.launch_us" ||
                                  row.path == "model.overhead_ms" || row.path == "model.spread";
                const double sign = rate ? -1 : time ? 1 : 0;
                if (sign == 0) continue;
                const auto what = QString::fromStdString(row.path + " of " + std::to_string(k));
                QVERIFY2(sign * row.elasticity >= -1e-9, qPrintable(what));
                QVERIFY2(sign * row.more.change.value_or(0) >= -1e-12, qPrintable(what));
                QVERIFY2(sign * row.less.change.value_or(0) <= 1e-12, qPrintable(what));
            }
        }
    }

    /// In PALEO's methods what it does not hear is left out.
    void paleo_hears_less() {
        Scenario s = shipped(*support::library().find_scenario("example"));
        s.model.method = Method::paleo_head;
        s.parallelism.collective = Collective::butterfly;
        s.cluster.between.latency = microseconds(10);
        const auto found = sensitivity(s);
        QVERIFY2(found.has_value(), found ? "" : support::messages(found.error()).c_str());
        QVERIFY(row_of(*found, between));
        QCOMPARE(reason_of(*found, "cluster.between.latency_us"),
                 std::string("It changes nothing about the step here."));
        QVERIFY(near(elasticity(*found, peak) + elasticity(*found, memory) + elasticity(*found, between), -1, 1e-6) ||
                row_of(*found, "model.compute"));
    }

private:
    static bool contains(const std::string& text, std::string_view part) {
        return text.find(part) != std::string::npos;
    }
};

QTEST_GUILESS_MAIN(TestSensitivity)
#include "tst_sensitivity.moc"
