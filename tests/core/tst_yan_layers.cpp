// SPDX-License-Identifier: GPL-3.0-or-later
// Layers of CPU clusters: what a thread takes, how each kind is treated, divided and exchanged, by hand.
#include <QtTest>

#include "core/yan/model.hpp"
#include "support_library.hpp"
#include "support_yan.hpp"

using namespace scalescope;
using namespace scalescope::yan;
using support::Builder;
using support::example_machine;
using support::messages;
using support::near;
using support::two_dense;

namespace {

LayerTimes times_of(const PreparedNetwork& prepared, Configuration c, std::size_t layer) {
    const auto e = evaluate(prepared, c);
    if (!e) support::stop(e.error());
    return e->layers[layer];
}

const LayerWork& last_of(const PreparedNetwork& p) { return p.list.layers.back(); }

}  // namespace

class YanLayers : public QObject {
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

    /// One segment of the first layer feeds four of the second: three machines need all of it, and the first sends it.
    void fan_out_is_charged() {
        Configuration c;
        c.partitions = 4;
        c.splits = {1, 4};
        c.threads = 2;
        const PreparedNetwork p = two_dense();
        const LayerTimes t = times_of(p, c, 1);
        const double sends = 3 * 30e-6 + 3 * 12 * 4 * 2 / 1e9, receives = 30e-6 + 12 * 4 * 2 / 1e9;
        QVERIFY(near(t.exchange.forward.value, sends));
        QVERIFY(near(t.exchange.backward.value, sends));
        const double compute = (144 * 2e-10 * 1.018 + 12 * 2e-9) / 4;
        QVERIFY(near(t.time.forward.value, compute + sends));
        QVERIFY(sends > receives);
        const LayerTimes printed = times_of(two_dense(example_machine(), support::as_printed()), c, 1);
        QCOMPARE(printed.exchange.forward, Seconds{});
        // The other way: each of four sends its quarter to the one, which has a quarter.
        c.splits = {4, 1};
        QVERIFY(near(times_of(p, c, 1).exchange.forward.value, 3 * 30e-6 + 9 * 4 * 2 / 1e9));
        // m of q: two of four parts are with the two segments, each lacks three.
        c.splits = {4, 2};
        QVERIFY(near(times_of(p, c, 1).exchange.forward.value, 3 * 30e-6 + 9 * 4 * 2 / 1e9));
        // The sum of what is sent is what is received: all four the same.
        c.splits = {4, 4};
        QVERIFY(near(times_of(p, c, 1).exchange.forward.value, 3 * 30e-6 + 9 * 4 * 2 / 1e9));
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
        QVERIFY(near(t.exchange.forward.value, 2 * 30e-6 + 2 * 24 * 16 * 4 / 1e9));
        // a ring sums the deltas: six messages, six quarters of them
        QVERIFY(near(t.exchange.update.value, 6 * 30e-6 + 1.5 * weights * 4 / 1e9));
        c.local_update = LocalUpdate::per_exchange;
        c.exchange_every = 8;
        c.threads = 2;
        QVERIFY(near(times_of(p, c, 1).exchange.update.value, (6 * 30e-6 + 1.5 * weights * 4 / 1e9) * 2 / 8));
        const LayerTimes printed = times_of(prepare(*b.make(), example_machine(), support::as_printed()), c, 1);
        QVERIFY(near(printed.compute.working_set.value, weights));
        QCOMPARE(printed.exchange.update, Seconds{});
        // By channels: no kernels twice, but the whole input.
        MethodOptions channels;
        channels.convolutions = ConvolutionSplit::channels;
        const LayerTimes by_channels = times_of(prepare(*b.make(), example_machine(), channels), c, 1);
        QVERIFY(near(by_channels.compute.working_set.value, weights));
        QVERIFY(near(by_channels.exchange.forward.value, 3 * 30e-6 + 0.75 * 24 * 24 * 16 * 4 * 2 / 1e9));
        QCOMPARE(by_channels.exchange.update, Seconds{});
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
                        QVERIFY(messages(e.error()).find("nothing to compute") != std::string::npos);
                        continue;
                    }
                    double weights = 0, sum = 0;
                    for (const LayerWork& w : p.list.layers) weights += w.own_weights;
                    QCOMPARE(weights, static_cast<double>(network->parameters()));
                    for (const LayerTimes& t : e->layers) {
                        QVERIFY(t.time.forward.value >= 0 && t.time.backward.value >= 0 && t.time.update.value >= 0);
                        QVERIFY(std::isfinite(t.time.total().value));
                        sum += t.time.total().value;
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
};

QTEST_APPLESS_MAIN(YanLayers)
#include "tst_yan_layers.moc"
