// SPDX-License-Identifier: GPL-3.0-or-later
// score() is estimate() without the details: the same bits, in any order, on any thread, without allocating.
#include <QtTest>
#include <atomic>
#include <cstdlib>
#include <new>
#include <thread>

#include "core/estimate/estimate.hpp"
#include "core/estimate/memory_walk.hpp"
#include "support_choices.hpp"
#include "support_networks.hpp"

namespace {
std::atomic<long> allocations{0};
}

// Every allocation of this program is counted.
void* operator new(std::size_t size) {
    ++allocations;
    if (void* p = std::malloc(size ? size : 1)) return p;
    throw std::bad_alloc();
}
// std::stable_sort asks this one; it must come from the same allocator as what frees it.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    ++allocations;
    return std::malloc(size ? size : 1);
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }

using namespace scalescope;
using support::pick;

namespace {

Plan plan_of(const Scenario& s) {
    auto plan = prepare(s);
    if (!plan) qFatal("%s", to_text(plan.error().front()).c_str());
    return std::move(*plan);
}

/// Everything that may vary without a new plan, around the scenario's own point.
std::vector<Point> points_of(const Plan& plan, std::mt19937& random, int count) {
    std::vector<Point> points;
    for (int k = 0; k < count; ++k) {
        Point p;
        p.workers = pick(random, 1, pick(random, 0, 1) == 0 ? 8 : 300);
        p.batch = pick(random, 1, 1000);
        support::divide(p, static_cast<support::Divided>(pick(random, 0, 3)));
        p.collective = static_cast<Collective>(pick(random, 0, 7));
        p.scheme = static_cast<HybridScheme>(pick(random, 0, 2));
        p.cut = pick(random, 0, 1) == 0 ? Point::cut_automatic
                                        : static_cast<int>(pick(random, 0, plan.parts.front().work.layers));
        p.updates = pick(random, 0, 3) == 0 ? Updates::asynchronous : Updates::synchronous;
        p.servers = pick(random, 1, 40);
        p.micro_batches = pick(random, 1, 6);
        p.chunks = pick(random, 1, 3);
        p.order = static_cast<PipelineOrder>(pick(random, 0, 3));
        p.recompute = static_cast<Recompute>(pick(random, 0, 2));
        if (pick(random, 0, 2) == 0) p.sharded = static_cast<Sharded>(pick(random, 0, 3));
        points.push_back(p);
    }
    return points;
}

/// Lists of schedules that are stepped through grow with the number of their passes.
void step_through(const Plan& plan, const std::vector<Point>& points, Scratch& scratch) {
    for (const Point& p : points)
        if (p.order != PipelineOrder::fill_drain && score(plan, p, scratch).feasible()) peak_memory(plan, p, scratch);
}

}  // namespace

class TestScore : public QObject {
    Q_OBJECT

private slots:
    void unknown_kinds_are_said_beside_the_answer() {
        support::Builder b;
        b.dense(b.unknown({b.input({4})}), 3);
        Scenario s = support::scenario(b.make());
        const auto e = estimate(s);
        QVERIFY(e.has_value());
        QCOMPARE(e->notes.size(), std::size_t{1});
        QCOMPARE(e->notes[0].what, "1 layer of unknown kind is priced by the bytes it moves.");
        QCOMPARE(e->notes[0].where, "workload");
        // 240 GB/s: 4 elements read and 4 written; nobody wants the gradient of the data
        QVERIFY(std::abs(e->layers[1].forward.value - 8 * 8 * 4 / 240e9) < 1e-18);
        QCOMPARE(e->layers[1].backward().value, 0.0);
    }

    void the_same_bits_as_the_estimate() {
        std::mt19937 random(1);
        int feasible = 0;
        for (int k = 0; k < 400; ++k) {
            const Scenario s = support::random_scenario(
                random, support::random_network(random, static_cast<int>(pick(random, 4, 22))));
            const Plan plan = plan_of(s);
            Scratch used = make_scratch(plan);
            for (const Point& p : points_of(plan, random, 5)) score(plan, p, used);
            Scratch fresh = make_scratch(plan);
            const Summary a = score(plan, plan.point, used), b = score(plan, plan.point, fresh);
            QCOMPARE(a, b);
            const auto e = estimate(s);
            QCOMPARE(e.has_value(), a.feasible());
            if (!e) continue;
            ++feasible;
            QCOMPARE(e->summary, a);
            const auto again = estimate(s, plan, used);
            QCOMPARE(again->summary, a);
            QCOMPARE(again->memory.peak, e->memory.peak);
        }
        QVERIFY(feasible > 200);
    }

    /// What a search for borders leaves in a Scratch does not count for the next stages of the same layers. Of many
    /// ways to split the layers some fit.
    void stages_of_one_collective_after_another() {
        std::mt19937 random(6);
        int feasible = 0;
        for (int k = 0; k < 400; ++k) {
            Scenario s = support::random_scenario(
                random, support::random_network(random, static_cast<int>(pick(random, 10, 16))));
            support::divide(s.parallelism, support::Divided::layers);
            s.parallelism.micro_batches = pick(random, 1, 2);
            s.cluster.workers = pick(random, 4, 5);
            Plan plan = plan_of(s);
            Point p = plan.point;
            Scratch used = make_scratch(plan);
            if (!score(plan, p, used).feasible()) continue;
            plan.room = peak_memory(plan, p, used) * support::real(random, 0.6, 1.1);
            plan.prices = std::make_shared<const char>();
            for (const Collective collective : support::all_collectives) {
                p.collective = collective;
                Scratch fresh = make_scratch(plan);
                const Summary expected = score(plan, p, fresh);
                QCOMPARE(score(plan, p, used), expected);
                feasible += expected.feasible();
            }
        }
        QVERIFY(feasible > 2000);
    }

    void in_any_order_and_on_any_thread() {
        std::mt19937 random(2);
        for (const char* id : {"inception-v3", "alexnet-two-tower-hybrid", "densenet-121", "dcgan-generator"}) {
            Scenario s = support::scenario(support::preset(id));
            s.parallelism.overlap = Overlap::buckets;
            s.training.batch_rule = BatchRule::total;
            const Plan plan = plan_of(s);
            auto points = points_of(plan, random, 300);
            std::vector<Summary> one_by_one;
            for (const Point& p : points) {
                Scratch scratch = make_scratch(plan);
                one_by_one.push_back(score(plan, p, scratch));
            }
            Scratch reused = make_scratch(plan);
            std::vector<std::size_t> order(points.size());
            for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
            std::shuffle(order.begin(), order.end(), random);
            for (std::size_t i : order) QCOMPARE(score(plan, points[i], reused), one_by_one[i]);

            std::vector<Summary> threaded(points.size());
            std::vector<std::thread> threads;
            for (std::size_t t = 0; t < 4; ++t)
                threads.emplace_back([&, t] {
                    Scratch scratch = make_scratch(plan);
                    for (std::size_t i = t; i < points.size(); i += 4) threaded[i] = score(plan, points[i], scratch);
                });
            for (auto& t : threads) t.join();
            for (std::size_t i = 0; i < points.size(); ++i) QCOMPARE(threaded[i], one_by_one[i]);
        }
    }

    void nothing_is_allocated_after_first_use() {
        std::mt19937 random(3);
        for (const char* id : {"inception-v3", "alexnet-two-tower-hybrid", "densenet-121", "dcgan-generator"})
            for (Overlap overlap : {Overlap::off, Overlap::buckets, Overlap::perfect}) {
                Scenario s = support::scenario(support::preset(id));
                s.parallelism.overlap = overlap;
                s.parallelism.micro_batches = 4;
                s.parallelism.sharding = Sharding::by_layer;
                const Plan plan = plan_of(s);
                Scratch scratch = make_scratch(plan);
                for (const support::Divided strategy : support::all_divided)
                    for (const Recompute recompute : support::all_of<Recompute>()) {
                        Point p = plan.point;  // the first use, at few workers
                        support::divide(p, strategy);
                        p.recompute = recompute;
                        p.workers = 2;
                        score(plan, p, scratch);
                    }
                const auto points = points_of(plan, random, 400);
                step_through(plan, points, scratch);
                const long before = allocations.load();
                for (const Point& p : points) score(plan, p, scratch);
                const long during = allocations.load() - before;
                QCOMPARE(during, 0);
            }
    }

    void sharded_states_allocate_nothing_either() {
        std::mt19937 random(4);
        for (const Sharded sharded : {Sharded::optimizer, Sharded::gradients, Sharded::weights})
            for (const char* id : {"inception-v3", "gpt-2"})
                for (const Overlap overlap : {Overlap::off, Overlap::buckets}) {
                    Scenario s = support::scenario(support::preset(id));
                    s.parallelism.overlap = overlap;
                    s.parallelism.micro_batches = 4;
                    s.parallelism.sharded = sharded;
                    const Plan plan = plan_of(s);
                    Scratch scratch = make_scratch(plan);
                    Point p = plan.point;
                    std::vector<Point> points;
                    for (const std::int64_t pipeline : {1, 2, 5})
                        for (const std::int64_t data : {1, 2, 8}) {
                            p.pipeline = pipeline;
                            p.workers = data * pipeline;
                            p.shard_group = data == 8 ? 2 : 0;
                            p.batch = support::pick(random, 1, 64);
                            points.push_back(p);
                        }
                    score(plan, points.back(), scratch);
                    const long before = allocations.load();
                    for (const Point& each : points) score(plan, each, scratch);
                    QCOMPARE(allocations.load(), before);
                }
    }

    void hand_set_boundaries_allocate_nothing_either() {
        Scenario s = support::scenario(support::preset("resnet-50"));
        support::divide(s.parallelism, support::Divided::layers);
        s.parallelism.boundaries = {s.network()->layers()[20].id, s.network()->layers()[70].id};
        const Plan plan = plan_of(s);
        Scratch scratch = make_scratch(plan);
        Point p = plan.point;
        p.workers = 3;
        const Summary first = score(plan, p, scratch);
        const long before = allocations.load();
        QVERIFY(score(plan, p, scratch) == first);
        QCOMPARE(allocations.load(), before);
    }

    /// Memory included, from the first point with stages on.
    void recomputed_activations_allocate_nothing_either() {
        std::mt19937 random(5);
        for (const char* id : {"resnet-50", "gpt-2", "densenet-121"}) {
            Scenario s = support::scenario(support::preset(id));
            s.parallelism.recompute = Recompute::blocks;
            s.parallelism.overlap = Overlap::buckets;
            s.parallelism.micro_batches = 4;
            const Plan plan = plan_of(s);
            QVERIFY(!plan.parts[0].blocks.empty());
            Scratch scratch = make_scratch(plan);
            for (const support::Divided strategy :
                 {support::Divided::data, support::Divided::outputs, support::Divided::layers})
                for (const Recompute recompute : support::all_of<Recompute>()) {
                    Point p = plan.point;
                    support::divide(p, strategy);
                    p.recompute = recompute;
                    p.workers = 2;
                    QVERIFY(score(plan, p, scratch).feasible());
                    peak_memory(plan, p, scratch);
                }
            const auto points = points_of(plan, random, 200);
            step_through(plan, points, scratch);
            const long before = allocations.load();
            for (const Point& p : points)
                if (score(plan, p, scratch).feasible()) peak_memory(plan, p, scratch);
            QCOMPARE(allocations.load(), before);
        }
    }

    /// Once the pieces of meshes are known, with the same bits as without them.
    void known_pieces_allocate_nothing_either() {
        Scenario s = support::scenario(support::preset("gpt-2"));
        s.training.batch_rule = BatchRule::total;
        s.training.batch = 32;
        s.parallelism.policy = ShardingPolicy::trainer;
        const Plan plan = plan_of(s);
        std::vector<Point> points;
        Point p = plan.point;
        for (p.tensor = 1; p.tensor <= 2; ++p.tensor)
            for (p.pipeline = 1; p.pipeline <= 4; p.pipeline *= 2)
                for (const int order : {0, 1, 2, 3})
                    for (const int sharded : {0, 1, 2, 3, 5, 6, 7, 11, 15})  // in groups, and of weights that are kept
                        for (const int recompute : {0, 2}) {
                            p.workers = p.tensor * p.pipeline * 4;
                            p.shard_group = sharded & 4 ? 2 : 0;
                            p.reshard_after_forward = (sharded & 8) == 0;
                            p.micro_batches = 4;
                            p.order = static_cast<PipelineOrder>(order);
                            p.sharded = static_cast<Sharded>(sharded % 4);
                            p.recompute = static_cast<Recompute>(recompute);
                            points.push_back(p);
                        }
        Scratch scratch = make_scratch(plan);
        std::vector<Summary> first;
        for (const Point& at : points) first.push_back(score(plan, at, scratch));
        for (std::size_t i = 0; i < points.size(); i += 7) {
            Scratch fresh = make_scratch(plan);
            QCOMPARE(score(plan, points[i], fresh), first[i]);
        }
        QVERIFY(std::all_of(first.begin(), first.end(), [](const Summary& x) { return x.feasible(); }));
        const long before = allocations.load();
        for (std::size_t i = 0; i < points.size(); ++i)
            if (!(score(plan, points[i], scratch) == first[i])) qFatal("other bits");
        QCOMPARE(allocations.load(), before);
    }

    void many_networks_in_one_step() {
        Scenario s = support::scenario(support::preset("dcgan-discriminator"));
        s.workload[0].count = 2;
        s.workload.push_back({support::preset("dcgan-generator"), {}, 1, {}});
        s.cluster.workers = 4;
        const Plan plan = plan_of(s);
        Scratch scratch = make_scratch(plan);
        const Summary both = score(plan, plan.point, scratch);
        const auto e = estimate(s);
        QCOMPARE(e->summary, both);
        Summary sum;
        for (const auto& part : s.workload) {
            Scenario one = s;
            one.workload = {part};
            const auto single = estimate(one);
            sum.step += single->summary.step;
        }
        QVERIFY(std::abs(sum.step.value - both.step.value) < 1e-12 * both.step.value);
        Point p = plan.point;
        for (support::Divided strategy :
             {support::Divided::outputs, support::Divided::layers, support::Divided::hybrid}) {
            support::divide(p, strategy);
            QCOMPARE(score(plan, p, scratch).infeasible, Infeasible::no_single_network);
        }
    }
};

QTEST_APPLESS_MAIN(TestScore)
#include "tst_score.moc"
