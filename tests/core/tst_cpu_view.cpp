// SPDX-License-Identifier: GPL-3.0-or-later
// What a person looks at in a CPU cluster, against estimate(): the same bits.
#include <QtTest>

#include "core/estimate/cpu_view.hpp"
#include "support_library.hpp"
#include "support_networks.hpp"

using namespace scalescope;

namespace {

Scenario cluster(std::int64_t workers, std::int64_t partitions, Updates updates = Updates::asynchronous) {
    Scenario s = support::scenario(support::preset("alexnet-one-tower"));
    s.model.method = Method::cpu_cluster;
    s.cluster.machine = *support::library().catalogue.machine("adam-like");
    s.cluster.workers = workers;
    s.cpu.partitions = partitions;
    s.parallelism.updates = updates;
    s.parallelism.servers = 2;
    s.training.data_set = 100'000;
    return s;
}

CpuGrid grid_of(const Scenario& s, std::int64_t most = 64) {
    const auto plan = prepare(s);
    if (!plan) qFatal("%s", support::messages(plan.error()).c_str());
    auto grid = cpu_grid(s, *plan, most);
    if (!grid) qFatal("%s", support::messages(grid.error()).c_str());
    return std::move(*grid);
}

}  // namespace

class CpuViewTest : public QObject {
    Q_OBJECT

private slots:
    void a_cell_is_the_estimate_of_its_scenario_data() {
        QTest::addColumn<int>("kind");
        for (int kind = 0; kind < 6; ++kind) QTest::addRow("%d", kind) << kind;
    }
    void a_cell_is_the_estimate_of_its_scenario() {
        QFETCH(int, kind);
        Scenario s = cluster(12, 3, kind % 2 ? Updates::synchronous : Updates::asynchronous);
        if (kind == 2) s.cpu.queueing = true;
        if (kind == 3) s.training.batch_rule = BatchRule::total;
        if (kind == 4) s.cpu.splits = SegmentSplits::best, s.cpu.overlap = Fraction{0.3};
        if (kind == 1) s.cluster.machine.server_updates = WeightsPerSecond{1e3};  // which binds, but for one machine
        if (kind == 5) s.cluster.machine.memory = Bytes{3e8}, s.cpu.servers_beside = true;
        const CpuGrid grid = grid_of(s);
        QCOMPARE(grid.partitions, (std::vector<std::int64_t>{1, 2, 3, 4, 8, 16, 32}));
        QCOMPARE(grid.replicas, (std::vector<std::int64_t>{1, 2, 4, 8, 16, 32, 64}));
        QCOMPARE(grid.cells.size(), grid.partitions.size() * grid.replicas.size());
        QVERIFY(grid.present && grid.cells[*grid.present]);
        QVERIFY(with_cell(s, *grid.cells[*grid.present]) == s);
        bool some_fit = false, some_do_not = false;
        for (std::size_t i = 0; i < grid.cells.size(); ++i) {
            const std::int64_t p = grid.partitions[i / grid.replicas.size()],
                               r = grid.replicas[i % grid.replicas.size()];
            QCOMPARE(grid.cells[i].has_value(), r * p <= 64);
            if (!grid.cells[i]) continue;
            const CpuCell& cell = *grid.cells[i];
            QCOMPARE(cell.workers, r * p);
            QCOMPARE(cell.replicas, r);
            const auto e = estimate(with_cell(s, cell));
            QVERIFY(e);
            QVERIFY(cell.summary == e->summary);
            QCOMPARE(cell.epoch.value, e->epoch.value);
            QCOMPARE(cell.speedup, e->speedup);
            QCOMPARE(cell.memory.value, e->memory.peak.value);
            QCOMPARE(cell.binding, r * p > 1 ? e->cpu->score.epoch.binding : yan::Resource::compute);
            if (kind == 1 && r * p > 1) QCOMPARE(cell.binding, yan::Resource::server_cpu);
            QCOMPARE(cell.fits, e->memory.peak <= s.cluster.machine.memory);
            (cell.fits ? some_fit : some_do_not) = true;
        }
        QVERIFY(some_fit);
        QCOMPARE(some_do_not, kind == 5);
    }

    void the_grid_ends_where_it_is_told_to() {
        const CpuGrid own = grid_of(cluster(100, 5), 16);  // what is open is always there
        QCOMPARE(own.most_machines, std::int64_t{100});
        QVERIFY(own.present && own.cells[*own.present]->workers == 100);
        const Scenario s = cluster(3, 4);  // fewer machines than a replica has: nothing is present
        const auto plan = prepare(s);
        QVERIFY(plan);
        QVERIFY(!cpu_grid(s, *plan, 8)->present);
        CancelSource source;
        source.cancel();
        const auto none = cpu_grid(s, *plan, 8, source.token());
        for (const auto& cell : none->cells) QVERIFY(!cell);
        Scenario gpu = s;
        gpu.model.method = Method::pipeline;
        QVERIFY(!cpu_grid(gpu, *prepare(gpu), 8));
    }

    void layers_sum_to_the_sample() {
        for (const double overlap : {0.0, 0.4, 1.0}) {
            Scenario s = cluster(8, 4);
            s.cpu.overlap = Fraction{overlap};
            const auto plan = prepare(s);
            Scratch scratch = make_scratch(*plan);
            const auto e = estimate(s, *plan, scratch);
            Seconds sum, exchange, hidden;
            const auto rows = cpu_layer_times(*plan, *e);
            for (const CpuLayerTime& row : rows) {
                sum += row.total();
                exchange += row.forward_exchange + row.backward_exchange + row.update_exchange;
                hidden += row.hidden;
            }
            const Seconds sample = e->cpu->score.sample.total();
            QVERIFY(std::abs(sum / sample - 1.0) < 1e-12);
            QVERIFY(exchange.value > 0);
            QCOMPARE(hidden / sample > 1e-9, overlap > 0);  // sums and differences leave a trace
            QVERIFY(std::any_of(rows.begin(), rows.end(), [](const CpuLayerTime& r) { return r.split == 4; }));
        }
    }

    void both_kinds_of_updates_are_those_of_the_estimate() {
        Scenario s = cluster(16, 2);
        for (const auto updates : {Updates::asynchronous, Updates::synchronous}) {
            s.parallelism.updates = updates;
            const auto e = estimate(s);
            const CpuComparison both = compare_updates(*e);
            const CpuUpdates& own = updates == Updates::asynchronous ? both.asynchronous : both.synchronous;
            QVERIFY(std::abs(own.step / e->summary.step - 1.0) < 1e-12);
            QVERIFY(std::abs(own.epoch / e->epoch - 1.0) < 1e-12);
            Seconds sum, longest;
            for (const Seconds t : both.synchronous.terms) sum += t;
            for (const Seconds t : both.asynchronous.terms) longest = std::max(longest, t);
            QVERIFY(std::abs(sum / both.synchronous.step - 1.0) < 1e-12);
            QCOMPARE(longest.value, both.asynchronous.step.value);
            QVERIFY(both.staleness > 0);
        }
        s.parallelism.updates = Updates::asynchronous;
        s.cpu.queueing = true;
        const auto queued = estimate(s);
        QVERIFY(std::abs(*compare_updates(*queued).queued_step / queued->summary.step - 1.0) < 1e-12);
        const auto alone = estimate(cluster(1, 1));
        const CpuComparison one = compare_updates(*alone);
        QVERIFY(std::abs(one.asynchronous.step / alone->summary.step - 1.0) < 1e-12);
        QVERIFY(std::abs(one.synchronous.step / alone->summary.step - 1.0) < 1e-12);
        QVERIFY(!one.queued_step);
        for (const CpuUpdates& u : {one.asynchronous, one.synchronous}) {
            QCOMPARE(u.binding, yan::Resource::compute);
            QCOMPARE(u.terms, (std::array<Seconds, yan::resource_count>{u.step}));
        }
    }
};

QTEST_APPLESS_MAIN(CpuViewTest)
#include "tst_cpu_view.moc"
