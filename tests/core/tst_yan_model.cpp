// SPDX-License-Identifier: GPL-3.0-or-later
// CPU clusters: thread costs, exchange, placement, servers and epochs, by hand; limits; what may only grow or shrink.
#include <QtTest>
#include <cstdlib>
#include <new>

#include "core/yan/model.hpp"
#include "core/yan/optimize.hpp"
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

namespace {

bool near(double a, double b) { return std::abs(a - b) <= 1e-12 * std::max(std::abs(a), std::abs(b)); }

std::string text_of(const Problems& problems) {
    std::string all;
    for (const Problem& p : problems) all += to_text(p) + '\n';
    return all;
}

/// Two dense layers of 12 on 12 inputs.
PreparedNetwork two_dense(const CpuMachine& machine = example_machine(), const MethodOptions& options = {}) {
    Builder b;
    b.dense(b.dense(b.input({12}), 12), 12);
    return prepare(*b.make(), machine, options);
}

LayerTimes times_of(const PreparedNetwork& prepared, Configuration c, std::size_t layer) {
    const auto e = evaluate(prepared, c);
    if (!e) support::stop(e.error());
    return e->layers[layer];
}

const LayerWork& last_of(const PreparedNetwork& p) { return p.list.layers.back(); }

}  // namespace

class YanModel : public QObject {
    Q_OBJECT
private slots:
    void tiers_threads_and_the_wall_of_memory() {
        CpuMachine m = example_machine();
        QCOMPARE(tier_of(m, Bytes{262144}), CacheTier::l2);
        QCOMPARE(tier_of(m, Bytes{262145}), CacheTier::l3);
        QCOMPARE(tier_of(m, Bytes{20971520}), CacheTier::l3);
        QCOMPARE(tier_of(m, Bytes{20971521}), CacheTier::memory);
        QVERIFY(near(multiply_add(m, 1, Bytes{1}).value, 2e-10));
        QVERIFY(near(multiply_add(m, 8, Bytes{1e6}).value, 3e-10 * (1 + 0.018 * 7)));
        // 16 threads: 9e-10·1.27 = 1.143e-9, and 4·16/38e9 = 1.684e-9: the wall. Reused twice: 0.842e-9, no wall.
        QVERIFY(near(multiply_add(m, 16, Bytes{1e9}).value, 64.0 / 38e9));
        QVERIFY(near(multiply_add(m, 16, Bytes{1e9}, 2.0).value, 9e-10 * 1.27));
        // Weights in the cache know no wall.
        m.memory_bandwidth = BytesPerSecond{1};
        QVERIFY(near(multiply_add(m, 16, Bytes{20971520}).value, 3e-10 * 1.27));
        m = example_machine();
        m.threads = 32;
        m.contention_beyond_cores = 0.1;
        QVERIFY(near(multiply_add(m, 16, Bytes{1}).value, 2e-10 * 1.27));
        QVERIFY(near(multiply_add(m, 20, Bytes{1}).value, 2e-10 * (1 + 0.018 * 19 + 0.4)));
    }

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

    /// One segment of the first layer feeds four of the second: three machines need all of it, and the first sends it.
    void fan_out_is_charged() {
        Configuration c;
        c.partitions = 4;
        c.splits = {1, 4};
        c.threads = 2;
        const PreparedNetwork p = two_dense();
        const LayerTimes t = times_of(p, c, 1);
        const double sends = 3 * 30e-6 + 3 * 12 * 4 * 2 / 1e9, receives = 30e-6 + 12 * 4 * 2 / 1e9;
        QVERIFY(near(t.forward_exchange.value, sends));
        QVERIFY(near(t.backward_exchange.value, sends));
        const double compute = (144 * 2e-10 * 1.018 + 12 * 2e-9) / 4;
        QVERIFY(near(t.forward.value, compute + sends));
        QVERIFY(sends > receives);
        const LayerTimes printed = times_of(two_dense(example_machine(), support::as_printed()), c, 1);
        QCOMPARE(printed.forward_exchange, Seconds{});
        // The other way: each of four sends its quarter to the one, which has a quarter.
        c.splits = {4, 1};
        QVERIFY(near(times_of(p, c, 1).forward_exchange.value, 3 * 30e-6 + 9 * 4 * 2 / 1e9));
        // m of q: two of four parts are with the two segments, each lacks three.
        c.splits = {4, 2};
        QVERIFY(near(times_of(p, c, 1).forward_exchange.value, 3 * 30e-6 + 9 * 4 * 2 / 1e9));
        // The sum of what is sent is what is received: all four the same.
        c.splits = {4, 4};
        QVERIFY(near(times_of(p, c, 1).forward_exchange.value, 3 * 30e-6 + 9 * 4 * 2 / 1e9));
    }

    void rows_have_all_kernels() {
        Builder b;
        b.conv(b.conv(b.input({24, 24, 8}), 16, 3), 16, 3);
        const PreparedNetwork p = prepare(*b.make(), example_machine());
        Configuration c;
        c.partitions = 4;
        const LayerTimes t = times_of(p, c, 1);
        const double weights = 9 * 16 * 16 + 16, adds = 24 * 24 * 16 * 9 * 16;
        QVERIFY(near(t.compute.working_set.value, 4 * weights));
        QVERIFY(near(t.compute.forward.value, adds / 4 * 2e-10 + 24 * 24 * 16 / 4 * 2e-9));
        QVERIFY(near(t.compute.update.value, adds / 4 * 2e-10 + weights * 1e-9));
        // two neighbours, two rows in all
        QVERIFY(near(t.forward_exchange.value, 2 * 30e-6 + 2 * 24 * 16 * 4 / 1e9));
        // a ring sums the deltas: six messages, six quarters of them
        QVERIFY(near(t.update_exchange.value, 6 * 30e-6 + 1.5 * weights * 4 / 1e9));
        c.local_update = LocalUpdate::per_exchange;
        c.exchange_every = 8;
        c.threads = 2;
        QVERIFY(near(times_of(p, c, 1).update_exchange.value, (6 * 30e-6 + 1.5 * weights * 4 / 1e9) * 2 / 8));
        const LayerTimes printed = times_of(prepare(*b.make(), example_machine(), support::as_printed()), c, 1);
        QVERIFY(near(printed.compute.working_set.value, weights));
        QCOMPARE(printed.update_exchange, Seconds{});
        // By channels: no kernels twice, but the whole input.
        MethodOptions channels;
        channels.convolutions = ConvolutionSplit::channels;
        const LayerTimes by_channels = times_of(prepare(*b.make(), example_machine(), channels), c, 1);
        QVERIFY(near(by_channels.compute.working_set.value, weights));
        QVERIFY(near(by_channels.forward_exchange.value, 3 * 30e-6 + 0.75 * 24 * 24 * 16 * 4 * 2 / 1e9));
        QCOMPARE(by_channels.update_exchange, Seconds{});
    }

    void whole_rows_and_units() {
        Builder b;
        b.dense(b.conv(b.input({7, 7, 3}), 4, 1), 10);
        const PreparedNetwork p = prepare(*b.make(), example_machine());
        Configuration c;
        c.partitions = 4;
        QVERIFY(near(largest_share(p.list.layers[0], 4, {}), 2.0 / 7.0));
        QVERIFY(near(largest_share(p.list.layers[1], 4, {}), 3.0 / 10.0));
        c.partitions = 16;
        const auto e = evaluate(p, c);
        QVERIFY(e.has_value());
        QCOMPARE(e->layers[0].split, std::int64_t{7});
        QCOMPARE(e->layers[1].split, std::int64_t{10});
    }

    /// A layer that all machines share costs the same whether it is worked out for one or machine by machine.
    void one_machine_stands_for_all() {
        std::mt19937 random(3);
        int compared = 0;
        for (int i = 0; i < 60; ++i) {
            const auto network = support::random_network(random, 12);
            const PreparedNetwork p = prepare(*network, example_machine());
            if (p.list.layers.empty()) continue;
            const std::int64_t partitions = support::pick(random, 2, 6);
            Scratchpad scratch;
            scratch.make_room(p.list.layers.size(), partitions);
            for (std::size_t l = 0; l < p.list.layers.size(); ++l) scratch.splits[l] = partitions;
            const Layout layout{scratch.splits, partitions, nullptr};
            for (std::size_t l = 0; l < p.list.layers.size(); ++l) {
                if (most_segments(p.list.layers[l], partitions, {}) < partitions) continue;
                std::fill_n(scratch.traffic.begin(), partitions, MachineTraffic{});
                add_traffic(p.list, static_cast<int>(l), layout, true, scratch);
                add_traffic(p.list, static_cast<int>(l), layout, false, scratch);
                const MachineTraffic even = even_traffic(p.list, static_cast<int>(l), partitions, false);
                for (std::int64_t m = 0; m < partitions; ++m) {
                    const MachineTraffic& t = scratch.traffic[static_cast<std::size_t>(m)];
                    QVERIFY(std::abs(t.received - even.received) <= 1e-9 * (1 + even.received));
                    QVERIFY(std::abs(t.sent - even.sent) <= 1e-9 * (1 + even.sent));
                    QVERIFY(t.sources <= even.sources && t.destinations <= even.destinations);
                    ++compared;
                }
            }
        }
        QVERIFY(compared > 500);
    }

    void every_kind_has_figures() {
        std::mt19937 random(5);
        for (int i = 0; i < 150; ++i) {
            const auto network = support::random_network(random, 25);
            for (const bool printed : {false, true})
                for (const std::int64_t partitions : {1, 3, 8}) {
                    MethodOptions o;
                    o.worked_example = printed;
                    const PreparedNetwork p = prepare(*network, example_machine(), o);
                    Configuration c;
                    c.partitions = partitions;
                    c.threads = 4;
                    const auto e = evaluate(p, c);
                    if (!e) {
                        QVERIFY(text_of(e.error()).find("nothing to compute") != std::string::npos);
                        continue;
                    }
                    double weights = 0, sum = 0;
                    for (const LayerWork& w : p.list.layers) weights += w.own_weights;
                    QCOMPARE(weights, static_cast<double>(network->parameters()));
                    for (const LayerTimes& t : e->layers) {
                        QVERIFY(t.forward.value >= 0 && t.backward.value >= 0 && t.update.value >= 0);
                        QVERIFY(std::isfinite(t.total().value));
                        sum += t.total().value;
                    }
                    QVERIFY(near(sum, e->score.sample.total().value));
                }
        }
    }

    void kinds() {
        const auto last = [](const Builder& b, const MethodOptions& o = {}) {
            const PreparedNetwork p = prepare(*b.make(), example_machine(), o);
            return last_of(p);
        };
        {  // the product pays for the function of its outputs
            Builder b;
            b.activation(b.dense(b.input({10}), 20));
            QCOMPARE(last(b).activations, 0.0);
        }
        {
            Builder b;
            b.activation(b.pool(b.conv(b.input({8, 8, 2}), 4, 3), 2, 2));
            QCOMPARE(last(b).activations, 64.0);
            QCOMPARE(last(b).errors, 64.0);
        }
        {  // a softmax: an exponential for each output; nothing in the worked example
            Builder b;
            b.softmax(b.dense(b.input({10}), 20));
            QCOMPARE(last(b).exponentials, 20.0);
            QCOMPARE(last(b, support::as_printed()).exponentials, 0.0);
        }
        {  // pooling compares every cell of its window
            Builder b;
            b.pool(b.conv(b.input({8, 8, 2}), 4, 3), 2, 2);
            QCOMPARE(last(b).activations, 4.0 * 4 * 4 * 4);
            QVERIFY(last(b).errors_by_output);
        }
        {  // a sum of three: two additions for each output, its error passed on
            Builder b;
            const int in = b.conv(b.input({8, 8, 2}), 4, 3);
            b.add({b.conv(in, 4, 3), b.conv(in, 4, 3), b.conv(in, 4, 3)});
            QCOMPARE(last(b).activations, 512.0);
            QCOMPARE(last(b).errors, 0.0);
            QCOMPARE(last(b).leader, 1);
        }
        {  // a look-up changes and sends the rows it read
            Builder b;
            const int l = b.simple("embedding", {b.input({6})});
            b.set(l, "vocabulary", std::int64_t{1000});
            b.set(l, "width", std::int64_t{8});
            QCOMPARE(last(b).updated, 48.0);
            QCOMPARE(last(b).vectors, 48.0);
            QCOMPARE(last(b).own_weights, 8000.0);
        }
        {  // attention: no weights; both factors stream
            Builder b;
            const int in = b.input({16, 32});
            const int l = b.simple("attention", {in, in, in});
            b.set(l, "heads", std::int64_t{4});
            const LayerWork w = last(b);
            QVERIFY(w.is_product && w.weights == 0.0 && w.forward_adds > 0.0);
        }
        {  // weights that are shared count once, and are sent whole
            Builder b;
            const int in = b.input({10});
            const int one = b.dense(in, 10);
            const int two = b.dense(one, 10);
            b.share(two, one);
            const PreparedNetwork p = prepare(*b.make(), example_machine());
            QCOMPARE(p.weights.value, 110.0);
            QCOMPARE(upload(p, 1).value, 440.0);
        }
        {  // a filter as large as the image: a dense layer, divided along its units
            Builder b;
            b.conv(b.conv(b.input({8, 8, 2}), 4, 3), 20, 8, 1, 1, false);
            const LayerWork w = last(b);
            QCOMPARE(w.extent, std::int64_t{20});
            QCOMPARE(w.vectors, 256.0 + 20.0);
            QCOMPARE(w.reuse, 1.0);
            QVERIFY(!w.replicates);
        }
        {  // views cost nothing and are no layers here
            Builder b;
            b.dense(b.flatten(b.conv(b.input({8, 8, 2}), 4, 3)), 5);
            QCOMPARE(prepare(*b.make(), example_machine()).list.layers.size(), std::size_t{2});
        }
        {  // reuse: kernels at every place, weights of a dense layer once
            Builder b;
            b.dense(b.conv(b.input({8, 8, 2}), 4, 3), 5);
            const PreparedNetwork p = prepare(*b.make(), example_machine());
            QCOMPARE(p.list.layers[0].reuse, 64.0);
            QCOMPARE(p.list.layers[1].reuse, 1.0);
            QCOMPARE(prepare(*b.make(), example_machine(), support::as_printed()).list.layers[0].reuse, 1.0);
        }
    }

    void uploads() {
        Builder b;
        b.dense(b.conv(b.input({8, 8, 2}), 4, 3), 5);
        const PreparedNetwork p = prepare(*b.make(), example_machine());
        const double kernels = 9 * 2 * 4 + 4, weights = 256 * 5 + 5;
        QVERIFY(near(upload(p, 1).value, 4 * (kernels + 261)));
        QVERIFY(near(upload(p, 4).value, 4 * (kernels + 4 * 261)));
        QVERIFY(near(upload(p, 5).value, 4 * (kernels + weights)));  // 5·261 = 1305 are more than 1285
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
        QCOMPARE(t.remote_connections, (std::vector<std::int64_t>{0, 1 + 1 + 2, 2 + 2}));
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
        c.placement = Placement::by_connections;
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
            c.placement = Placement::by_connections;
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
        QVERIFY(text_of(e->notes).find("use more partitions") != std::string::npos);
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
        const std::string text = text_of(e.error());
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
        QVERIFY(text_of(e.error()).find("too large") != std::string::npos);
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
        QVERIFY(text_of(optimize(p, space).error()).find("fewer threads") != std::string::npos);
        space.threads = {};
        space.machines = 1 << 20;
        for (std::int64_t n = 1; n < 100; ++n) space.partitions.push_back(n);
        QVERIFY(text_of(optimize(p, space).error()).find("configurations to try") != std::string::npos);
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
        QVERIFY(text_of(e.error()).find("nothing to compute") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(YanModel)
#include "tst_yan_model.moc"
