// SPDX-License-Identifier: GPL-3.0-or-later
// CPU clusters, one term of a formula at a time, by hand: those that whole configurations leave in the shade.
#include <QtTest>

#include "core/base/format.hpp"
#include "core/yan/model.hpp"
#include "support_yan.hpp"

using namespace scalescope;
using namespace scalescope::yan;
using support::example_machine;

namespace {

bool near(double a, double b) { return std::abs(a - b) <= 1e-12 * std::max(std::abs(a), std::abs(b)); }

PreparedNetwork dense_twice(const CpuMachine& machine, const MethodOptions& options = {}) {
    support::Builder b;
    b.dense(b.dense(b.input({12}), 12), 12);
    return prepare(*b.make(), machine, options);
}

/// One layer made by hand.
PreparedNetwork one_layer(const LayerWork& work, const CpuMachine& machine) {
    PreparedNetwork p{{}, machine, {}, {}};
    p.list.layers.push_back(work);
    return p;
}

ServerLoad load_of(double worker, double server, double cpu) {
    ServerLoad load;
    load.worker_network = Seconds{worker};
    load.server_network = Seconds{server};
    load.server_cpu = Seconds{cpu};
    return load;
}

/// Two replicas, one sample each between exchanges, twelve in an epoch.
Configuration twelve_samples() {
    Configuration c;
    c.replicas = 2;
    c.samples = Samples{12};
    return c;
}

}  // namespace

class YanTerms : public QObject {
    Q_OBJECT
private slots:
    /// Compute 12·1/2 = 6, cards 6·0.5, servers 12·0.3 and 12·0.2. An exchange that stops training: 6·(1 + 0.5).
    void exchanges_that_stop_training() {
        Configuration c = twelve_samples();
        const ServerLoad load = load_of(0.5, 0.3, 0.2);
        QVERIFY(near(asynchronous_epoch(c, Seconds{1}, load).time.value, 6));
        c.exchange_beside_training = false;
        QVERIFY(near(asynchronous_epoch(c, Seconds{1}, load).time.value, 9));
    }

    /// Cards 6·2 = 12 and the servers' traffic 12·0.3 = 3.6 go through the same cards where servers stand beside.
    void cards_that_servers_share() {
        Configuration c = twelve_samples();
        const ServerLoad load = load_of(2, 0.3, 0.2);
        QVERIFY(near(asynchronous_epoch(c, Seconds{1}, load).time.value, 12));
        c.servers_beside = true;
        const EpochTimes beside = asynchronous_epoch(c, Seconds{1}, load);
        QVERIFY(near(beside.time.value, 15.6));
        QCOMPARE(beside.binding, Resource::worker_network);
    }

    void rates_of_servers_and_workers() {
        CpuMachine m = example_machine();
        m.server_network = gigabytes_per_second(4);
        const PreparedNetwork p = dense_twice(m);
        Configuration c;
        c.partitions = 3;
        c.servers = 2;
        const ServerLoad apart = server_load(p, c, Bytes{100});
        QVERIFY(near(apart.worker_rate.value, 3e9) && near(apart.server_rate.value, 8e9));
        QVERIFY(near(apart.server_cpu.value, p.weights.value / 2e8 / 2));
        c.servers_beside = true;
        QVERIFY(near(server_load(p, c, Bytes{100}).server_rate.value, 2e9));  // the workers' own cards
    }

    /// Z = K·T/H + the card, B = the server's card and cores.
    void the_queue_thinks_and_serves() {
        Configuration c;
        c.exchange_every = 8;
        c.threads = 4;
        const QueueTimes q = queue_times(c, Seconds{3}, load_of(0.5, 0.25, 0.125));
        QVERIFY(near(q.think.value, 6.5) && near(q.service.value, 0.375));
    }

    /// Ring over four: 2·3/4 of the weights; six start-ups, which a layer that is no product leaves to its neighbour.
    void deltas_of_what_is_no_product() {
        const CpuMachine m = example_machine();
        LayerWork w;
        w.replicates = true;
        w.own_weights = 1000;
        QCOMPARE(delta_sum(w, 4, m).start_up, Seconds{});
        QVERIFY(near(delta_sum(w, 4, m).transfer.value, 4 * 1500 / 1e9));
        w.is_product = true;
        QVERIFY(near(delta_sum(w, 4, m).start_up.value, 6 * 30e-6));
    }

    /// A halo of half the rows, a quarter on each side, of eight segments: two neighbours on each side.
    void halos_wider_than_a_segment() {
        LayerList list;
        LayerWork w;
        w.last_need = 1;
        list.layers.push_back(w);
        list.needs.push_back({Need::outside, 800, Reach::rows, 0.5, false});
        const MachineTraffic t = even_traffic(list, 0, 8, false);
        QVERIFY(near(t.received, 400) && near(t.sent, 400));
        QCOMPARE(t.sources, 4.0);
        QCOMPARE(even_traffic(list, 0, 3, false).sources, 2.0);  // there are no more than two others
    }

    /// Nothing sends errors into the data: U_b of the first layer is 0, in its own figures too.
    void the_first_layer_sends_nothing_back() {
        const auto e = evaluate(dense_twice(example_machine()), Configuration{});
        QVERIFY(e.has_value());
        QCOMPARE(e->layers[0].compute.backward, Seconds{});
        QCOMPARE(e->layers[0].time.backward, Seconds{});
        QVERIFY(near(e->layers[1].compute.backward.value, 144 * 2e-10 + 12 * 2e-9));
    }

    /// Kernels of 40 MB, each weight used at ten places, on a quarter of the rows: at two and a half. 16 threads read
    /// 4·16 B for that, at 1 GB/s: 25.6 ns for each of 100/4 multiply-adds.
    void fewer_rows_reuse_a_kernel_less() {
        CpuMachine m = example_machine();
        m.memory_bandwidth = gigabytes_per_second(1);
        LayerWork w;
        w.replicates = w.is_product = true;
        w.weights = w.own_weights = 1e7;
        w.forward_adds = 100;
        w.reuse = 10;
        w.extent = 4;
        Configuration c;
        c.partitions = 4;
        c.threads = 16;
        QVERIFY(near(segment_times(one_layer(w, m), c, 0, 4).forward.value, 25 * 25.6e-9));
    }

    /// Ten inputs on four machines: the largest part is three, whatever the outputs are.
    void errors_of_the_largest_part() {
        LayerWork w;
        w.inputs = w.errors = 10;
        w.extent = 4;
        Configuration c;
        c.partitions = 4;
        QVERIFY(near(segment_times(one_layer(w, example_machine()), c, 0, 4).backward.value, 3 * 2e-9));
        w.errors_by_output = true;
        QVERIFY(near(segment_times(one_layer(w, example_machine()), c, 0, 4).backward.value, 2.5 * 2e-9));
    }

    void memory_beside_the_layers() {
        MethodOptions options;
        options.buffers = Bytes{1e6};
        Scratchpad scratch;
        const Bytes plain = score(dense_twice(example_machine()), Configuration{}, scratch).memory,
                    more = score(dense_twice(example_machine(), options), Configuration{}, scratch).memory;
        QVERIFY(near((more - plain).value, 1e6));
    }

    /// A worker of twelve has a twelfth of the weights twice; one server has them all, two have half each.
    void a_server_may_be_too_small() {
        CpuMachine m = example_machine();
        m.memory = Bytes{1000};
        Configuration c;
        c.partitions = 12;
        Scratchpad scratch;
        const PreparedNetwork p = dense_twice(m);
        QVERIFY(p.weights.value * 4 > 1000 && p.weights.value * 2 < 1000);
        QVERIFY(!score(p, c, scratch).fits);
        QVERIFY(score(p, c, scratch).memory < m.memory);
        const Problems notes = memory_notes(p, c);  // about the server alone
        QCOMPARE(notes.size(), std::size_t{1});
        QCOMPARE(notes[0].what, "A parameter server holds " + format_bytes(server_share(p, c)) +
                                    " of weights, and has " + format_bytes(m.memory) + '.');
        QVERIFY(notes[0].remedy.starts_with("use 2 parameter servers; or choose machines with "));
        c.servers = 2;
        QVERIFY(memory_notes(p, c).empty());
        QVERIFY(score(p, c, scratch).fits);
    }
};

QTEST_APPLESS_MAIN(YanTerms)
#include "tst_yan_terms.moc"
