// SPDX-License-Identifier: GPL-3.0-or-later
// Whole configurations of CPU clusters: placement, servers and epochs, by hand; limits; what may only grow or shrink.
#include <QtTest>
#include <cstdlib>
#include <new>

#include "core/yan/model.hpp"
#include "core/yan/optimize.hpp"
#include "support_library.hpp"
#include "support_yan.hpp"

namespace {
std::size_t allocations = 0;
}
void* operator new(std::size_t size) {
    ++allocations;
    if (void* p = std::malloc(size ? size : 1)) return p;
    throw std::bad_alloc();
}
// std::stable_partition asks this one; it must come from the same allocator as what frees it.
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    ++allocations;
    return std::malloc(size ? size : 1);
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }

using namespace scalescope;
using namespace scalescope::yan;
using support::Builder;
using support::example_machine;
using support::messages;
using support::near;
using support::two_dense;

class YanModel : public QObject {
    Q_OBJECT
private slots:
    void one_machine_is_the_plain_sum() {
        Configuration c;
        const PreparedNetwork p = two_dense();
        Scratchpad scratch;
        const Score s = score(p, c, scratch);
        // 144 multiply-adds and 12 outputs each; the first has no error to hand back; 156 weights each
        QVERIFY(near(s.sample.forward.value, 2 * (144 * 2e-10 + 12 * 2e-9)));
        QVERIFY(near(s.sample.backward.value, 144 * 2e-10 + 12 * 2e-9));
        QVERIFY(near(s.sample.update.value, 2 * (144 * 2e-10 + 156 * 1e-9)));
        // one sample, one exchange of 312 weights up (48 numbers are fewer) and down
        QVERIFY(near(s.load.up.value, 4 * 48.0));
        QVERIFY(near(s.load.down.value, 4 * 312.0));
        QVERIFY(near(s.load.worker_network.value, 1440e-9 + 60e-6));
        QVERIFY(near(s.load.server_network.value, 1440e-9));
        QVERIFY(near(s.load.server_cpu.value, 312 / 2e8));
        QCOMPARE(s.epoch.time, std::max(s.sample.total(), s.load.worker_network));
        QCOMPARE(s.epoch.binding, Resource::worker_network);
        c.synchronous = true;
        QVERIFY(near(score(p, c, scratch).epoch.time.value, s.sample.total().value + 1440e-9 + 312 / 2e8 + 60e-6));
    }

    /// Three machines; two layers with two segments, one with three: the rule by hand.
    void placement_by_connections() {
        Builder b;
        b.dense(b.dense(b.dense(b.input({12}), 12), 12), 12);
        const PreparedNetwork p = prepare(*b.make(), example_machine());
        const std::vector<double> memory{10, 10, 10};
        const std::vector<std::int64_t> splits{2, 3, 2};
        const PlacementTable t = place_by_connections(p.list, splits, 3, Bytes{100}, memory);
        // Layer 1: nothing before it, so the least loaded: 0, then 1. Layer 2: both 0 and 1 hold half of what it needs,
        // 2 nothing. Layer 3: all three hold a third; 2 has the least work, then 0 and 1 alike: the first.
        QCOMPARE(std::vector<std::int32_t>(t.of(0).begin(), t.of(0).end()), (std::vector<std::int32_t>{0, 1}));
        QCOMPARE(std::vector<std::int32_t>(t.of(1).begin(), t.of(1).end()), (std::vector<std::int32_t>{0, 1, 2}));
        QCOMPARE(std::vector<std::int32_t>(t.of(2).begin(), t.of(2).end()), (std::vector<std::int32_t>{2, 0}));
        // A chain stays where its connections are, although another machine has less to do, as long as there is room.
        const auto chain = [&](double room) {
            const std::vector<std::int64_t> whole{1, 1, 1};
            return place_by_connections(p.list, whole, 2, Bytes{room}, memory).machine;
        };
        QCOMPARE(chain(30), (std::vector<std::int32_t>{0, 0, 0}));
        QCOMPARE(chain(29), (std::vector<std::int32_t>{0, 0, 1}));
        QCOMPARE(chain(19), (std::vector<std::int32_t>{0, 1, 1}));  // nowhere is room: where the connections are
        Configuration c;
        c.partitions = 3;
        c.splits = splits;
        c.placement = SegmentPlacement::by_connections;
        const auto e = evaluate(p, c);
        QVERIFY(e.has_value());
        QVERIFY(e->placement.has_value());
        QVERIFY(e->score.sample.total().value > 0);
    }

    /// Where all splits are alike, the rule gives what aligned placement gives.
    void placements_agree_where_splits_are_alike() {
        for (const char* name : {"alexnet-one-tower", "resnet-18"}) {
            const PreparedNetwork p = prepare(*support::preset(name), example_machine());
            Configuration c;
            c.partitions = 4;
            const auto aligned = evaluate(p, c);
            c.placement = SegmentPlacement::by_connections;
            const auto placed = evaluate(p, c);
            QVERIFY(aligned && placed);
            QVERIFY(std::abs(aligned->score.sample.total() / placed->score.sample.total() - 1.0) < 1e-9);
            QVERIFY(near(aligned->score.memory.value, placed->score.memory.value));
        }
    }

    void servers_beside_workers_share() {
        const PreparedNetwork p = prepare(*support::example_mnist(), example_machine());
        Configuration c;
        c.replicas = 4;
        c.servers = 2;
        c.exchange_every = 8;
        c.samples = Samples{1000};
        const auto apart = evaluate(p, c);
        QCOMPARE(c.machines(), std::int64_t{6});
        c.servers_beside = true;
        QCOMPARE(c.machines(), std::int64_t{4});
        const auto beside = evaluate(p, c);
        QVERIFY(apart && beside);
        const auto& t = apart->asynchronous;
        QVERIFY(near(beside->asynchronous.time.value,
                     std::max(t.term(Resource::compute) + t.term(Resource::server_cpu),
                              t.term(Resource::worker_network) + t.term(Resource::server_network))
                         .value));
        QVERIFY(beside->synchronous.time > apart->synchronous.time);
        QVERIFY(near((beside->score.memory - apart->score.memory).value, 4 * 431080.0 / 2));
    }

    void stragglers() {
        const PreparedNetwork p = prepare(*support::example_mnist(), example_machine());
        Configuration c;
        c.replicas = 8;
        c.synchronous = true;
        Scratchpad scratch;
        const EpochTimes even = score(p, c, scratch).epoch;
        c.step_deviation = 0.1;
        const EpochTimes uneven = score(p, c, scratch).epoch;
        QVERIFY(near(uneven.term(Resource::compute).value,
                     even.term(Resource::compute).value * (1 + 0.1 * std::sqrt(2 * std::log(8.0)))));
        c.replicas = 1;
        const EpochTimes alone = score(p, c, scratch).epoch;
        c.step_deviation = 0.0;
        QCOMPARE(alone.time, score(p, c, scratch).epoch.time);
    }

    void updates_in_between() {
        const PreparedNetwork p = prepare(*support::example_mnist(), example_machine());
        Configuration c;
        for (const std::int64_t replicas : {1, 2, 7, 60}) {
            c.replicas = replicas;
            const auto e = evaluate(p, c);
            QVERIFY(e.has_value());
            QVERIFY(std::abs(e->staleness - static_cast<double>(replicas - 1)) < 1e-9 * static_cast<double>(replicas));
            QVERIFY(e->queue_epoch >= e->asynchronous.time * (1 - 1e-12));  // the law is a bound
        }
    }

    void what_only_grows_or_shrinks() {
        std::mt19937 random(11);
        Scratchpad scratch;
        for (int i = 0; i < 400; ++i) {
            CpuMachine m = example_machine();
            m.network = m.server_network = BytesPerSecond{std::exp(support::real(random, 16, 24))};
            const auto network = i % 2 ? support::example_mnist() : support::preset("alexnet-one-tower");
            MethodOptions o;
            o.worked_example = i % 3 == 0;
            Configuration c;
            c.partitions = support::pick(random, 1, 8);
            c.replicas = support::pick(random, 1, 20);
            c.servers = support::pick(random, 1, 8);
            c.threads = support::pick(random, 1, 15);
            c.exchange_every = support::pick(random, 1, 300);
            c.overlap = support::real(random, 0, 1);
            c.exchange_beside_training = i % 5 != 0;
            const PreparedNetwork p = prepare(*network, m, o);
            const Score s = score(p, c, scratch);
            // More threads never make one of them faster.
            Configuration more = c;
            ++more.threads;
            QVERIFY(score(p, more, scratch).sample.total() >= s.sample.total());
            // A faster network never makes anything slower.
            m.network = m.server_network = m.network * Fraction{1.7};
            const PreparedNetwork fast = prepare(*network, m, o);
            const Score quick = score(fast, c, scratch);
            QVERIFY(quick.sample.total() <= s.sample.total());
            QVERIFY(quick.epoch.time <= s.epoch.time);
            // Nobody waits in an asynchronous epoch.
            const auto e = evaluate(p, c);
            QVERIFY(e.has_value());
            if (c.exchange_beside_training) QVERIFY(e->asynchronous.time <= e->synchronous.time * (1 + 1e-12));
            // More servers never hurt; more overlap neither.
            more = c;
            ++more.servers;
            QVERIFY(score(p, more, scratch).epoch.time <= s.epoch.time);
            more = c;
            more.overlap = 1.0;
            QVERIFY(score(p, more, scratch).sample.total() <= s.sample.total());
        }
    }

    void memory() {
        const PreparedNetwork p = prepare(*support::example_mnist(), example_machine(), support::as_printed());
        Scratchpad scratch;
        Configuration c;
        c.threads = 3;
        // neurons: 24·24·20 + 12·12·20 + 8·8·50 + 4·4·50 + 500 + 10 + the softmax's 10
        QVERIFY(near(score(p, c, scratch).memory.value,
                     4 * 431080.0 + 3 * 4 * 2 * (11520 + 2880 + 3200 + 800 + 500 + 10 + 10.0)));
        const PreparedNetwork own = prepare(*support::example_mnist(), example_machine());
        QVERIFY(near(score(own, c, scratch).memory.value - score(p, c, scratch).memory.value, 4 * 431080.0));
        CpuMachine small = example_machine();
        small.memory = Bytes{2e6};
        const auto e = evaluate(prepare(*support::example_mnist(), small), c);
        QVERIFY(e.has_value());
        QVERIFY(!e->score.fits);
        const Problems notes = memory_notes(prepare(*support::example_mnist(), small), c);
        QCOMPARE(notes.size(), std::size_t{1});
        QCOMPARE(notes[0].what, std::string("A machine needs 3.90\u00a0MB, and has 2.00\u00a0MB."));
        // Two machines need half of that and 0.1 MB more, as each has all kernels. Fewer threads leave the weights
        // alone.
        QCOMPARE(notes[0].remedy, std::string("use 4 or more machines, 4 per replica; "
                                              "or choose machines with 3.90\u00a0MB or more"));
    }

    void scoring_allocates_nothing() {
        const PreparedNetwork p = prepare(*support::preset("inception-v3"), example_machine());
        Scratchpad scratch;
        Configuration c;
        c.partitions = 8;
        std::vector<std::int64_t> splits;
        for (const LayerWork& w : p.list.layers) splits.push_back(most_segments(w, 1 + w.position % 8, {}));
        score(p, c, scratch);
        const std::size_t before = allocations;
        for (c.partitions = 1; c.partitions <= 8; ++c.partitions)
            for (c.replicas = 1; c.replicas < 20; ++c.replicas) score(p, c, scratch);
        c.partitions = 8;
        c.splits = splits;
        const std::size_t copied = allocations - before;
        QCOMPARE(copied, std::size_t{1});  // of the splits
        score(p, c, scratch);
        QCOMPARE(allocations - before, copied);
    }

    void wrong_input_data() {
        QTest::addColumn<int>("which");
        QTest::addColumn<QString>("said");
        int i = 0;
        for (const char* said :
             {"partitions", "partitions", "replicas", "servers", "threads", "threads", "samples between", "overlap",
              "overlap", "deviation", "samples", "samples", "splits", "cannot be cut", "memory bandwidth", "network",
              "multiply-add", "contention", "smaller than"})
            QTest::addRow("%d %s", i, said) << i << QString::fromUtf8(said), ++i;
    }

    void wrong_input() {
        QFETCH(int, which);
        QFETCH(QString, said);
        CpuMachine m = example_machine();
        Configuration c;
        switch (which) {
            case 0: c.partitions = 0; break;
            case 1: c.partitions = 1'000'000; break;
            case 2: c.replicas = 0; break;
            case 3: c.servers = -1; break;
            case 4: c.threads = 0; break;
            case 5: c.threads = 17; break;
            case 6: c.exchange_every = 0; break;
            case 7: c.overlap = -0.1; break;
            case 8: c.overlap = std::nan(""); break;
            case 9: c.step_deviation = -1; break;
            case 10: c.samples = Samples{0}; break;
            case 11: c.samples = Samples{INFINITY}; break;
            case 12: c.splits = {1}; break;
            case 13: c.splits = {1, 2}; break;
            case 14: m.memory_bandwidth = {}; break;
            case 15: m.network = {}; break;
            case 16: m.multiply_add_l3 = Seconds{std::nan("")}; break;
            case 17: m.contention = -1; break;
            case 18: m.l3 = Bytes{1}; break;
        }
        const auto e = evaluate(two_dense(m), c);
        QVERIFY(!e.has_value());
        const std::string text = messages(e.error());
        QVERIFY2(QString::fromStdString(text).contains(said), text.c_str());
        for (const Problem& p : e.error()) QVERIFY(!p.remedy.empty());
    }

    void too_large_to_count() {
        Configuration c;
        c.samples = Samples{1e308};
        c.step_deviation = 1e300;
        c.replicas = 2;
        const auto e = evaluate(two_dense(), c);
        QVERIFY(!e.has_value());
        QVERIFY(messages(e.error()).find("too large") != std::string::npos);
    }

    void searches() {
        const PreparedNetwork p = prepare(*support::example_alexnet(), example_machine());
        ClusterSpace space;
        space.machines = 12;
        space.base.exchange_every = 256;
        space.base.samples = Samples{14.2e6};
        space.keep = 1000;
        space.partitions = {1, 2, 3, 5};
        space.threads = {4, 16};
        const auto all = optimize(p, space);
        QVERIFY(all.has_value());
        QCOMPARE(all->scored, std::int64_t{2 * (11 + 10 + 9 + 7)});
        QCOMPARE(all->best.size(), static_cast<std::size_t>(all->scored));
        Scratchpad scratch;
        for (std::size_t i = 0; i < all->best.size(); ++i) {
            const Ranked& r = all->best[i];
            QCOMPARE(score(p, r.configuration, scratch).epoch.time, r.score.epoch.time);
            QVERIFY(r.configuration.machines() <= 12);
            if (i > 0) QVERIFY(all->best[i - 1].score.epoch.time <= r.score.epoch.time);
        }
        // Fewer kept are the first of all.
        space.keep = 7;
        const auto few = optimize(p, space);
        QCOMPARE(few->best.size(), std::size_t{7});
        for (std::size_t i = 0; i < 7; ++i) QCOMPARE(few->best[i].configuration, all->best[i].configuration);
        // Splits of each layer are never worse than the same for all.
        space.best_splits = true;
        space.partitions = {1, 2, 4};
        const auto split = optimize(p, space);
        space.best_splits = false;
        const auto same = optimize(p, space);
        QVERIFY(split->best[0].score.epoch.time <= same->best[0].score.epoch.time * (1 + 1e-12));
        QCOMPARE(score(p, split->best[0].configuration, scratch).epoch.time, split->best[0].score.epoch.time);
        // Too little memory for one machine: what does not fit is counted and left out.
        CpuMachine small = example_machine();
        small.memory = Bytes{0.8e9};
        const auto fitting = optimize(prepare(*support::example_alexnet(), small), space);
        QVERIFY(fitting->do_not_fit > 0);
        for (const Ranked& r : fitting->best) QVERIFY(r.score.fits && r.configuration.partitions > 1);
    }

    void searches_that_cannot_be() {
        const PreparedNetwork p = two_dense();
        ClusterSpace space;
        QVERIFY(!optimize(p, space));  // one machine has no room for a server
        space.base.servers_beside = true;
        QVERIFY(optimize(p, space).has_value());
        space.machines = 0;
        QVERIFY(!optimize(p, space));
        space.machines = 10;
        space.keep = 0;
        QVERIFY(!optimize(p, space));
        space.keep = 1;
        space.threads = {99};
        QVERIFY(messages(optimize(p, space).error()).find("fewer threads") != std::string::npos);
        space.threads = {};
        space.machines = 1 << 20;
        for (std::int64_t n = 1; n < 100; ++n) space.partitions.push_back(n);
        QVERIFY(messages(optimize(p, space).error()).find("configurations to try") != std::string::npos);
        CancelSource source;
        source.cancel();
        space.machines = 20;
        const auto ended = optimize(p, space, Watch{{}, source.token()});
        QVERIFY(ended.has_value());
        QVERIFY(ended->cancelled && !ended->proven && ended->best.empty());
    }

    void a_network_without_work() {
        Builder b;
        b.flatten(b.input({4, 4}));
        const auto e = evaluate(prepare(*b.make(), example_machine()), {});
        QVERIFY(!e.has_value());
        QVERIFY(messages(e.error()).find("nothing to compute") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(YanModel)
#include "tst_yan_model.moc"
