// SPDX-License-Identifier: GPL-3.0-or-later
// Why one configuration is better than another; which is near; what became of the rest.
#include <QtTest>
#include <cmath>

#include "core/scenario/differences.hpp"
#include "core/search/admit.hpp"
#include "core/search/reasons.hpp"
#include "support_choices.hpp"
#include "support_networks.hpp"

using namespace scalescope;
using namespace scalescope::search;

namespace {

/// A product of 1000 × 1000 that reads and writes next to nothing: 4 MFLOP a sample (what it reads is data, which needs
/// no gradient), all of it arithmetic.
Scenario arithmetic(double teraflop, double price) {
    support::Builder b;
    b.dense(b.input({1000}), 1000, false);
    Scenario s = support::scenario(b.make());
    s.cluster.device.name = "device of " + std::to_string(static_cast<int>(teraflop));
    s.cluster.device.peak[static_cast<std::size_t>(Precision::fp32)] = teraflops(teraflop);
    s.cluster.device.memory_bandwidth = gigabytes_per_second(1e9);
    s.cluster.device.price_per_hour = price;
    s.cluster.device.memory = gigabytes(1000);
    s.training.batch = 1'000'000;
    s.training.data_set = 1'000'000'000;
    return s;
}

Space space_of(const Scenario& base, std::vector<Axis> axes) {
    static const Catalogue none;
    auto space = Space::make(base, std::move(axes), [](Scenario& s, const std::string& path, const std::string& value) {
        return set_field(s, path, value, none);
    });
    if (!space) qFatal("%s", to_text(space.error().front()).c_str());
    return std::move(*space);
}

const Turn* turn_of(const Reasons& r, std::string_view path, bool of_other) {
    for (const Turn& t : r.turns)
        if (t.path == path && t.of_other == of_other) return &t;
    return nullptr;
}

}  // namespace

class TestSearchReasons : public QObject {
    Q_OBJECT

private slots:
    /// 10 TFLOP/s for 4 $ against 5 TFLOP/s for 1 $: half as fast, a quarter of the price, so half as dear.
    void where_the_order_turns() {
        const Scenario fast = arithmetic(10, 4), slow = arithmetic(5, 1);
        Question q;
        q.objectives = {Metric::cost};
        const auto r = reasons(slow, &fast, q);
        QVERIFY(r.has_value());
        QVERIFY2(QString::fromStdString(r->lacks).contains("+100"), r->lacks.c_str());
        // The fast one wins once it costs less than twice the slow one: 2 $, or when the slow one costs 2 $.
        const Turn* price = turn_of(*r, "cluster.device.price_usd_per_hour", true);
        QVERIFY(price != nullptr);
        QVERIFY(std::abs(price->to - 2) < 1e-4);
        QVERIFY2(price->text.find("falls to 2.00") != std::string::npos &&
                     price->text.find("device of 10") != std::string::npos,
                 price->text.c_str());
        const Turn* own = turn_of(*r, "cluster.device.price_usd_per_hour", false);
        QVERIFY(own != nullptr && std::abs(own->to - 2) < 1e-4);
        const Turn* peak = turn_of(*r, "cluster.device.peak_tflops.fp32", true);
        QVERIFY(peak != nullptr && std::abs(peak->to - 20) < 1e-3);
        // Sorted by how little it takes.
        for (std::size_t i = 1; i < r->turns.size(); ++i)
            QVERIFY(std::abs(std::log(r->turns[i].to / r->turns[i].from)) >=
                    std::abs(std::log(r->turns[i - 1].to / r->turns[i - 1].from)));
        // By time nothing about a price matters, and the fast one is first.
        q.objectives = {Metric::time};
        const auto by_time = reasons(fast, &slow, q);
        QVERIFY(turn_of(*by_time, "cluster.device.price_usd_per_hour", true) == nullptr);
        const Turn* half = turn_of(*by_time, "cluster.device.peak_tflops.fp32", false);
        QVERIFY(half != nullptr && std::abs(half->to - 5) < 1e-3);
        QVERIFY(!by_time->steady);
    }

    void twins_are_the_same() {
        const Scenario a = arithmetic(10, 4);
        Question q;
        const auto r = reasons(a, &a, q);
        QVERIFY(r->differ.empty());
        QVERIFY2(r->lacks.find("the same") != std::string::npos, r->lacks.c_str());
        QVERIFY(r->steady);
        QVERIFY2(r->binds.find("the forward pass takes 50") != std::string::npos, r->binds.c_str());
        QVERIFY(reasons(a, nullptr, q)->turns.empty());
    }

    void given_up_it_tells_what_it_has() {
        const Scenario fast = arithmetic(10, 4), slow = arithmetic(5, 1);
        CancelSource given_up;
        given_up.cancel();
        const auto r = reasons(fast, &slow, Question{}, {{}, given_up.token()});
        QVERIFY(r->turns.empty() && !r->complete && !r->steady);
        QVERIFY(!r->binds.empty() && !r->lacks.empty());
        double told = 0;
        QVERIFY(reasons(fast, &slow, Question{}, {Progress([&](double done, std::string_view) { told = done; }), {}})
                    ->complete);
        QVERIFY(told > 0.5 && told < 1);
    }

    void sentences_agree_in_number() {
        Scenario many = arithmetic(10, 4);
        many.cluster.workers = 64;
        many.cluster.devices_per_node = 1;
        many.cluster.between.bandwidth = gigabytes_per_second(1e-9);
        Question q;
        q.objectives = {Metric::devices};
        const Scenario one = arithmetic(10, 4);
        const auto r = reasons(many, &one, q);
        QVERIFY2(r->binds.find("messages take ") != std::string::npos, r->binds.c_str());
        QVERIFY2(r->lacks.find("Devices are 1 instead of 64") == 0, r->lacks.c_str());
        const auto back = reasons(one, &many, q);
        QVERIFY2(back->lacks.find("messages take ") != std::string::npos, back->lacks.c_str());
        const Space space = space_of(one, {{"cluster.workers", {"1"}}});
        QCOMPARE(told(*search::search(space, q), space, q)[0], std::string("Of 1 combination 1 was scored."));
    }

    /// One worker has nothing to divide: three names of one configuration, of which data parallelism is told.
    void what_has_two_names_is_told_once() {
        const Space space = space_of(
            arithmetic(10, 4), {{"parallelism.fill", {"tensor", "data", "pipeline"}}, {"cluster.workers", {"1"}}});
        const auto found = search::search(space, Question{});
        QCOMPARE(found->best.size(), std::size_t{1});
        QCOMPARE(found->best[0].index, std::uint64_t{1});
        QCOMPARE(found->counts.folded, std::uint64_t{2});
        const auto lines = told(*found, space, Question{});
        QVERIFY2(lines[1].find("2 good ones are another one under a different name") == 0, lines[1].c_str());
    }

    void nearest_changes_the_least() {
        Scenario base = arithmetic(10, 4);
        base.cluster.workers = 8;
        base.training.batch = 64;
        const Space space = space_of(
            base, {{"training.batch", {"16", "32", "64", "128"}}, {"cluster.workers", {"1", "2", "4", "8", "16"}}});
        QCOMPARE(digits_near(space, base), (std::vector<std::size_t>{2, 3}));
        Question q;
        q.where = {*read_constraint("devices <= 4")};
        const auto near = nearest_admitted(space, q, digits_near(space, base));
        QVERIFY(near.has_value());
        QCOMPARE(near->scenario.cluster.workers, std::int64_t{4});
        QCOMPARE(near->scenario.training.batch, std::int64_t{64});
        QCOMPARE(difference_lines(base, near->scenario), (std::vector<std::string>{"Workers 8 \u2192 4"}));
        // A batch that is not among the values: the nearest number.
        base.training.batch = 100;
        QCOMPARE(digits_near(space, base)[0], std::size_t{3});
        q.where = {*read_constraint("devices > 100")};
        QVERIFY(!nearest_admitted(space, q, {0, 0}));
    }

    void why_one_is_no_answer() {
        Scenario s = arithmetic(10, 4);
        s.cluster.device.memory = gigabytes(0.001);
        s.cluster.device.tdp_w.reset();
        Question q;
        q.objectives = {Metric::energy};
        q.where = {*read_constraint("cluster.workers >= 3"), *read_constraint("step <= 1 us")};
        const auto a = admit(s, q);
        QVERIFY(!a.admitted());
        QCOMPARE(a.against.size(), std::size_t{4});
        QVERIFY(a.against[0].find("on a device of 1.00") != std::string::npos);
        QCOMPARE(a.against[1], std::string("cluster.workers >= 3: it is 1"));
        QVERIFY2(a.against[2].find("step <= 1 us: it is ") == 0, a.against[2].c_str());
        QVERIFY(a.against[3].find("no thermal design power") != std::string::npos);
        QVERIFY(admit(s, Question{{}, {Metric::time}, 1, 0, false, {}, {}, true}).admitted());
    }

    void what_became_of_them() {
        const Scenario base = arithmetic(10, 4);
        const Space space = space_of(base, {{"cluster.workers", {"1", "2", "4"}}});
        Question q;
        q.where = {*read_constraint("step <= 1 ns"), *read_constraint("devices <= 2")};
        const auto none = search::search(space, q);
        const auto lines = told(*none, space, q);
        QCOMPARE(lines[0], std::string("Of 3 combinations 2 were scored; 1 is outside the constraints."));
        QCOMPARE(lines[1], std::string("No combination will do: 3 are ruled out by the constraints."));
        const auto without = relaxed(space, q, 1);
        QCOMPARE(without.size(), std::size_t{1});
        QVERIFY2(without[0].find("Without “step <= 1 ns”, the best time to the goal is") == 0, without[0].c_str());
        q.where.clear();
        const auto some = search::search(space, q);
        QVERIFY(told(*some, space, q)[1].find("proven") != std::string::npos);
    }

    /// What nothing has a figure for is named, and no constraint is blamed for it.
    void what_lacks_a_figure() {
        Scenario base = arithmetic(10, 4);
        base.cluster.device.price_per_hour.reset();
        const Space space = space_of(base, {{"cluster.workers", {"1", "2", "4"}}});
        Question q;
        q.objectives = {Metric::time, Metric::cost};
        q.must_fit = true;
        const auto lines = told(*search::search(space, q), space, q);
        QCOMPARE(lines[1], std::string("No combination will do: 3 lack a figure, such as a price."));
        QCOMPARE(lines[2], std::string("device of 10 has no price. Give it the figure, or judge by another."));
        const auto without = relaxed(space, q, 1);
        QCOMPARE(without.size(), std::size_t{1});
        QVERIFY2(without[0].find("By the first objective alone, the best time to the goal is ") == 0,
                 without[0].c_str());
    }
};

QTEST_APPLESS_MAIN(TestSearchReasons)
#include "tst_search_reasons.moc"
