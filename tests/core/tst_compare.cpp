// SPDX-License-Identifier: GPL-3.0-or-later
// In what two designs differ, and how much of the difference between their figures each field explains.
#include <QtTest>
#include <random>

#include "core/compare/attribution.hpp"
#include "core/formats/scenario_json.hpp"
#include "core/scenario/fields.hpp"
#include "sanitized.hpp"
#include "support_library.hpp"
#include "support_networks.hpp"

using namespace scalescope;
using namespace scalescope::compare;
using search::Metric;
using support::preset_scenario;

namespace {

void set(Scenario& s, const char* path, const std::string& text) {
    const auto done = set_field(s, path, text, support::library().catalogue);
    if (!done) qFatal("%s", support::messages(done.error()).c_str());
}

/// A product of 1000 × 1000 that reads and writes next to nothing: 4 MFLOP a sample (what it reads is data, which needs
/// no gradient), all of it arithmetic.
Scenario arithmetic() {
    support::Builder b;
    b.dense(b.input({1000}), 1000, false);
    Scenario s = support::scenario(b.make());
    s.cluster.device.peak[static_cast<std::size_t>(Precision::fp32)] = teraflops(4);
    s.cluster.device.memory_bandwidth = gigabytes_per_second(1e9);
    s.cluster.workers = 1;
    s.training.batch = 1'000'000;
    return s;
}

std::vector<std::string> paths(const Share& share) {
    std::vector<std::string> all;
    for (const Difference& d : share.differences) all.push_back(d.path);
    return all;
}

Attribution shared_out(const Scenario& from, const Scenario& to, Metric metric) {
    const auto a = attribute(from, to, metric);
    if (!a) qFatal("%s", support::messages(a.error()).c_str());
    return *a;
}

}  // namespace

class TestCompare : public QObject {
    Q_OBJECT

private slots:
    void the_same_design_differs_in_nothing() {
        for (const auto& preset : support::library().scenarios) {
            const Scenario s = preset_scenario(preset.id);
            Scenario renamed = preset_scenario(preset.id);  // layers of another reading have ids of their own
            renamed.name = "another";
            renamed.description = "another one";
            QVERIFY(differences(s, renamed).empty());
            const auto a = shared_out(s, renamed, Metric::step);
            QVERIFY(a.shares.empty() && a.from == a.to && !a.depends_on_order);
        }
    }

    void differences_are_told_as_people_say_them() {
        const Scenario a = preset_scenario("example");
        Scenario b = a;
        set(b, "cluster.workers", "64");
        set(b, "cluster.device", "tesla-k80");
        set(b, "parallelism.overlap", "buckets");
        set(b, "cluster.between.bandwidth_gb_s", "1.25");
        const auto lines = difference_lines(a, b);
        QCOMPARE(lines.size(), std::size_t{4});
        QVERIFY(std::find(lines.begin(), lines.end(), "Workers 32 → 64") != lines.end());
        QVERIFY(std::find(lines.begin(), lines.end(), "Overlap off → buckets") != lines.end());
        QVERIFY2(lines[0].find("Device " + a.cluster.device.name + " → Tesla K80") == 0, lines[0].c_str());
    }

    /// t = 10⁶ · 4 MFLOP / 4 TFLOP/s = 1 s. Half the batch at twice the peak: a quarter; the first of two equal steps
    /// explains half a second, the other a quarter, though alone it would explain as much.
    void factors_share_by_their_order() {
        const Scenario a = arithmetic();
        Scenario b = a;
        b.training.batch = 500'000;
        b.cluster.device.peak[static_cast<std::size_t>(Precision::fp32)] = teraflops(8);
        const auto s = shared_out(a, b, Metric::step);
        QVERIFY2(std::abs(s.from - 1000) < 0.01 && std::abs(s.to - 250) < 0.01, qPrintable(QString::number(s.from)));
        QCOMPARE(s.shares.size(), std::size_t{2});
        QVERIFY(std::abs(s.shares[0].change() + 500) < 0.01);
        QVERIFY(std::abs(s.shares[1].change() + 250) < 0.01);
        QVERIFY(std::abs(*s.shares[1].alone + 500) < 0.01);
        QVERIFY(s.depends_on_order);
    }

    /// A fixed time of every step adds: its share is the same in every order, and what goes farther comes first.
    void terms_share_in_any_order() {
        const Scenario a = arithmetic();
        Scenario b = a;
        b.training.batch = 500'000;
        b.model.overhead = milliseconds(100);
        const auto s = shared_out(a, b, Metric::step);
        QCOMPARE(s.shares.size(), std::size_t{2});
        QCOMPARE(paths(s.shares[0]), (std::vector<std::string>{"training.batch"}));
        QCOMPARE(paths(s.shares[1]), (std::vector<std::string>{"model.overhead_ms"}));
        QVERIFY(std::abs(s.shares[1].change() - 100) < 1e-6);
        QVERIFY(!s.depends_on_order);
        // The other way round, what leads to the higher value comes first: the overhead goes against it.
        const auto back = shared_out(b, a, Metric::step);
        QCOMPARE(paths(back.shares[0]), (std::vector<std::string>{"training.batch"}));
        QVERIFY(std::abs(back.shares[1].change() + 100) < 1e-6);
    }

    /// A device that knows one precision only, and one that knows another only: neither can be had without the other.
    void what_cannot_be_had_alone_is_one_share() {
        Scenario a = arithmetic(), b = a;
        a.cluster.device.peak = {};
        a.cluster.device.peak[static_cast<std::size_t>(Precision::bf16)] = teraflops(4);
        a.training.precision = Precision::bf16;
        b.cluster.device.id = "another";
        b.cluster.device.peak = {};
        b.cluster.device.peak[static_cast<std::size_t>(Precision::fp16)] = teraflops(8);
        b.training.precision = Precision::fp16;
        b.training.batch = 2'000'000;
        const auto s = shared_out(a, b, Metric::throughput);
        QCOMPARE(s.shares.size(), std::size_t{2});
        const bool batch_first = s.shares[0].differences.size() == 1;
        QCOMPARE(paths(s.shares[batch_first ? 1 : 0]),
                 (std::vector<std::string>{"training.precision", "cluster.device"}));
        QCOMPARE(s.shares.back().after, s.to);
    }

    /// Networks, with what names their layers, are one thing.
    void another_network_takes_its_cut_along() {
        Scenario a = preset_scenario("alexnet-hybrid-k20");
        set(a, "parallelism.cut", "fc6");
        Scenario b = a;
        b.workload = preset_scenario("inception-v3-k20").workload;
        b.parallelism.cut_auto = true;
        b.parallelism.cut = {};
        const auto all = differences(a, b);
        QCOMPARE(all.size(), std::size_t{1});
        QCOMPARE(all[0].path, std::string(workload_path));
        Scenario c = a;
        QVERIFY(take_over(c, all[0], b).has_value());
        QVERIFY(c.workload == b.workload && c.parallelism == b.parallelism);
        const auto s = shared_out(a, b, Metric::throughput);
        QCOMPARE(s.shares.size(), std::size_t{1});
        QCOMPARE(s.shares[0].after, s.to);
    }

    /// Whatever differs, the shares lead from one to the other, to the bit, and name everything once.
    void shares_add_up() {
        const auto& library = support::library();
        std::mt19937 random(7);
        const auto pick = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
        int compared = 0;
        for (int k = 0; k < support::sampled(60); ++k) {
            const Scenario a = preset_scenario(library.scenarios[pick(library.scenarios.size())].id);
            const Scenario b = preset_scenario(library.scenarios[pick(library.scenarios.size())].id);
            const Metric metric =
                std::array{Metric::step, Metric::throughput, Metric::efficiency, Metric::memory}[pick(4)];
            const auto s = attribute(a, b, metric);
            if (!s) continue;
            ++compared;
            std::size_t named = 0;
            double at = s->from;
            for (const Share& share : s->shares) {
                QCOMPARE(share.before, at);
                at = share.after;
                named += share.differences.size();
            }
            QCOMPARE(at, s->to);
            QCOMPARE(named, differences(a, b).size());
        }
        QVERIFY(compared > support::sampled(60) * 4 / 5);
    }

    /// The greedy order: every first share is the farthest that any single difference goes.
    void the_first_goes_farthest() {
        const Scenario a = preset_scenario("alexnet-ec2-k80");
        const Scenario b = preset_scenario("example");
        const auto s = shared_out(a, b, Metric::step);
        const double direction = s.to < s.from ? -1 : 1;
        double farthest = -1e300;
        for (const Difference& d : differences(a, b)) {
            Scenario one = a;
            if (!take_over(one, d, b)) continue;
            const auto e = estimate(one);
            if (e) farthest = std::max(farthest, direction * (*search::metric_value(Metric::step, one, *e) - s.from));
        }
        QCOMPARE(direction * s.shares.front().change(), farthest);
        QCOMPARE(s.shares.front().change(), *s.shares.front().alone);
    }

    void what_has_no_value_says_so() {
        Scenario a = arithmetic();
        a.cluster.device.price_per_hour.reset();
        const auto none = attribute(a, a, Metric::cost);
        QVERIFY(!none && none.error().front().what.find("has no price") != std::string::npos);
        CancelSource source;
        source.cancel();
        Scenario b = a;
        b.training.batch = 7;
        QVERIFY(!attribute(a, b, Metric::step, 0, {{}, source.token()}));
    }
};

QTEST_APPLESS_MAIN(TestCompare)
#include "tst_compare.moc"
