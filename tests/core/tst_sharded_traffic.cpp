// SPDX-License-Identifier: GPL-3.0-or-later
// What a rank sends for training states that replicas divide among them, counted shard by shard (specification:
// composed parallelism, section 8).
#include <QtTest>
#include <fstream>
#include <sstream>

#include "state_traffic.hpp"
#include "support_sharded.hpp"

using namespace scalescope;
using namespace support::sharding;
using support::close, support::set_mesh;

namespace {

/// Elements that a rank sends in messages of one kind over the data axis, for the layers of one stage (-1: all).
double sent(const Answer& a, Message kind, int stage) {
    double sum = 0;
    for (const auto& m : a.e.messages) {
        if (m.axis != MeshAxis::data || m.message != kind) continue;
        if (stage >= 0 && a.e.layers[static_cast<std::size_t>(m.layers.front())].stage != stage) continue;
        const auto n = static_cast<double>(m.group.ranks);
        const double once = m.bytes.value / 4 * (n - 1) / n;
        sum += once * static_cast<double>(m.times) * (kind == Message::all_reduce ? 2 : 1);
    }
    return sum;
}

std::vector<std::int64_t> parameters_of(const Answer& a, int stage) {
    std::vector<std::int64_t> all;
    for (const auto& row : a.e.layers)
        if (const auto n = a.plan.parts[0].network->facts()[static_cast<std::size_t>(row.position)].parameters();
            n > 0 && (stage < 0 || row.stage == stage))
            all.push_back(n);
    return all;
}

void compare_with_counted(const Answer& a, const support::StateSharding& sharding, int stage) {
    const support::StateTraffic t = support::state_traffic(sharding, parameters_of(a, stage));
    QVERIFY(close(sent(a, Message::all_gather, stage), static_cast<double>(t.gather.elements)));
    QVERIFY(close(sent(a, Message::reduce_scatter, stage), static_cast<double>(t.scatter.elements)));
    QVERIFY(close(sent(a, Message::all_reduce, stage), static_cast<double>(t.all_reduce.elements)));
}

}  // namespace

class TestShardedTraffic : public QObject {
    Q_OBJECT

private slots:
    void a_rank_sends_what_was_counted() {
        for (const Sharded sharded : all_stages)
            for (const Overlap overlap : {Overlap::off, Overlap::buckets})
                for (const std::int64_t ranks : {2, 4, 8})
                    for (const std::int64_t groups : {1, 2, 4})
                        for (const std::int64_t micro_steps : {1, 3}) {
                            if (groups > 1 && sharded == Sharded::nothing) continue;
                            Scenario s = in_groups(with(small_scenario(), sharded), ranks);
                            s.parallelism.reshard_after_forward = overlap == Overlap::off;
                            s.parallelism.overlap = overlap;
                            s.parallelism.bucket = Bytes{3000};
                            s.training.accumulation = micro_steps;
                            set_mesh(s, ranks * groups, 1, 1);
                            const bool freed = overlap == Overlap::off;
                            compare_with_counted(Answer(s), {sharded, ranks, groups, micro_steps, freed}, -1);
                            for (const bool kept : {false, true}) {
                                Scenario once = s;
                                once.parallelism.reduce_once = true;
                                once.parallelism.reshard_after_backward = !kept;
                                compare_with_counted(Answer(once),
                                                     {sharded, ranks, groups, micro_steps, freed, !kept, false}, -1);
                            }
                            set_mesh(s, ranks * groups, 2, 1);
                            s.parallelism.micro_batches = 4;
                            const Answer a(s);
                            for (const int stage : {0, 1})
                                compare_with_counted(a, {sharded, ranks, groups, 4 * micro_steps, freed}, stage);
                            if (QTest::currentTestFailed()) return;
                        }
    }

    /// What was counted when shards were sent one by one (tests/data/parallel). Layers are padded as they were there.
    void as_the_table_has_it() {
        std::ifstream file(SCALESCOPE_TEST_DATA "/parallel/zero_volumes.csv");
        std::string line;
        std::getline(file, line);
        int held = 0, in_groups_held = 0;
        while (std::getline(file, line)) {
            std::vector<std::string> cells;
            std::istringstream row(line);
            for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell);
            const auto cell = [&](std::size_t i) { return std::stoll(cells[i]); };
            const auto sharded = static_cast<Sharded>(cell(4));
            const std::int64_t ranks = cell(0), replicas = cell(1);
            support::Builder b;
            const int from = b.input({1});
            std::vector<int> all;
            std::istringstream list(cells[2]);
            for (std::string n; std::getline(list, n, ';');)
                all.push_back(b.dense(from, support::padded(std::stoll(n), ranks), false));
            b.softmax(all.size() == 1 ? all[0] : b.concat(all));
            Scenario s = with(support::scenario(b.make()), sharded);
            s.parallelism.shard_group = ranks;
            s.parallelism.reshard_after_forward = cells[5] != "0";
            s.parallelism.reshard_after_backward = cells[6] != "0";
            s.parallelism.reduce_once = cells[7] == "0";
            s.training.accumulation = cell(3);
            set_mesh(s, ranks * replicas, 1, 1);
            const Answer a(s);
            QVERIFY2(close(sent(a, Message::all_gather, -1), static_cast<double>(cell(8))), line.c_str());
            QVERIFY2(close(sent(a, Message::reduce_scatter, -1), static_cast<double>(cell(9))), line.c_str());
            double padding = 0;  // of shards, which groups divide again
            for (const std::int64_t n : parameters_of(a, -1))
                if (replicas > 1)
                    padding += static_cast<double>(support::padded(n / ranks, replicas) - n / ranks) *
                               static_cast<double>(2 * (replicas - 1)) / static_cast<double>(replicas);
            QVERIFY2(close(sent(a, Message::all_reduce, -1) + padding, static_cast<double>(cell(10))), line.c_str());
            ++held;
            in_groups_held += replicas > 1;
        }
        QCOMPARE(held, 1152);
        QCOMPARE(in_groups_held, 180);
    }

    /// Shards of gradients and weights travel in every micro-step; all else once in a step.
    void traffic_grows_with_the_micro_steps() {
        for (const Sharded sharded : all_stages) {
            Scenario s = with(small_scenario(), sharded);
            set_mesh(s, 4, 1, 1);
            const Answer once(s);
            for (const std::int64_t micro_steps : {2, 4, 8}) {
                s.training.accumulation = micro_steps;
                const Answer a(s);
                const double often = sharded >= Sharded::gradients ? static_cast<double>(micro_steps) : 1;
                for (const Message m : {Message::all_reduce, Message::reduce_scatter})
                    QVERIFY(close(sent(a, m, -1), often * sent(once, m, -1)));
                const double gathers = sharded == Sharded::weights ? often : 1;
                QVERIFY(close(sent(a, Message::all_gather, -1), gathers * sent(once, Message::all_gather, -1)));
            }
        }
    }
};

QTEST_APPLESS_MAIN(TestShardedTraffic)
#include "tst_sharded_traffic.moc"
