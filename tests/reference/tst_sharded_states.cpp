// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <sstream>

#include "state_traffic.hpp"
#include "support_parallel.hpp"

using namespace scalescope;
using namespace support;

/// Against 1,152 steps whose shards were sent one by one (tests/data/parallel).
class TestShardedStatesReference : public QObject {
    Q_OBJECT

private slots:
    void all_steps() {
        const auto csv = support::parallel_csv("zero_volumes.csv");
        QCOMPARE(csv.rows.size(), std::size_t{1152});
        for (const auto& row : csv.rows) {
            StateSharding sharding;
            sharding.sharded = static_cast<Sharded>(row.integer("stage"));
            sharding.ranks = row.integer("d");
            sharding.replicas = row.integer("replicas");
            sharding.micro_batches = row.integer("accumulation");
            sharding.free_after_forward = row["reshard_after_forward"] != "0";
            sharding.free_after_backward = row["reshard_after_backward"] != "0";
            sharding.reduce_each = row["reduce_every_microbatch"] == "1";
            std::vector<std::int64_t> parameters;
            std::istringstream list(row["layer_parameters"]);
            for (std::string one; std::getline(list, one, ';');) parameters.push_back(std::stoll(one));
            const StateTraffic t = state_traffic(sharding, parameters);
            const auto is = [&](std::int64_t value, const char* column) {
                QVERIFY2(value == row.integer(column), (std::string(column) + ": " + row.where()).c_str());
            };
            is(t.gather.elements, "gather_sent");
            is(t.scatter.elements, "scatter_sent");
            is(t.all_reduce.elements, "allreduce_sent");
            is(t.gather.messages, "gather_messages");
            is(t.scatter.messages, "scatter_messages");
            is(t.all_reduce.messages, "allreduce_messages");
            if (!row["most_unsharded_weights"].empty()) is(t.most_whole, "most_unsharded_weights");
        }
    }
};

QTEST_APPLESS_MAIN(TestShardedStatesReference)
#include "tst_sharded_states.moc"
