// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <cmath>

#include "core/parallel/context.hpp"
#include "core/parallel/expert_dispatch.hpp"
#include "support_parallel.hpp"

using namespace scalescope;

/// Against tokens and pairs counted one by one (tests/data/parallel).
class TestTokensAndExperts : public QObject {
    Q_OBJECT

private slots:
    void dispatch() {
        const auto csv = support::parallel_csv("moe_dispatch.csv");
        QCOMPARE(csv.rows.size(), std::size_t{1276});
        for (const auto& row : csv.rows) {
            const ExpertDispatch d{row.integer("ep"), row.integer("experts"), row.integer("top_k"),
                                   row.integer("tokens_per_rank")};
            const auto n = static_cast<double>(d.ranks);
            const auto is = [&](double of_all, const char* column) {
                QVERIFY2(std::abs(of_all - row.number(column)) <= 1e-9 * std::max(1.0, row.number(column)),
                         (std::string(column) + ": " + row.where()).c_str());
            };
            is(n * d.copies(), "copies_crossing_uniform_form");
            is(n * d.once_per_rank(), "once_per_rank_uniform_form");
            const std::int64_t boxes = std::max<std::int64_t>(1, d.ranks / row.integer("ranks_per_node"));
            is(n * d.once_per_box(boxes), "once_per_node_uniform_form");
            if (row["routing"] == "even" && d.tokens * d.chosen % d.experts == 0)
                is(n * d.copies(), "copies_crossing_total");  // every expert has as many
            if (row["capacity_factor"].empty()) continue;
            const double factor = row.number("capacity_factor");
            QCOMPARE(d.capacity(factor), row.integer("capacity_per_expert"));
            QCOMPARE(d.places(factor), row.integer("padded_slots_sent_per_rank"));
        }
    }

    void ring() {
        const auto csv = support::parallel_csv("cp_ring.csv");
        QCOMPARE(csv.rows.size(), std::size_t{64});
        for (const auto& row : csv.rows) {
            const ContextRing ring{row.integer("c"), row.integer("seq"), row["causal"] == "1",
                                   row["layout"] == "zigzag"};
            const ContextRing::Pairs pairs = ring.pairs();
            QCOMPARE(pairs.all, row.number("pairs_total"));
            QCOMPARE(pairs.busiest, row.number("pairs_max_rank"));
            QCOMPARE(pairs.in_step, row.number("pairs_sum_of_step_maxima"));
            QCOMPARE(ring.sent(1), row.integer("forward_sent_per_rank"));
        }
    }

    void heads() {
        const auto csv = support::parallel_csv("cp_ulysses.csv");
        QCOMPARE(csv.rows.size(), std::size_t{40});
        for (const auto& row : csv.rows) {
            const ContextHeads c{row.integer("c"), row.integer("seq"), row.integer("heads"), row.integer("kv_heads"),
                                 row.integer("head_width")};
            QCOMPARE(c.query_sent(), row.integer("q_sent"));
            QCOMPARE(c.query_sent(), row.integer("o_sent"));
            QCOMPARE(c.key_sent(), row.integer("k_sent"));
            QCOMPARE(c.key_sent(), row.integer("v_sent"));
        }
    }
};

QTEST_APPLESS_MAIN(TestTokensAndExperts)
#include "tst_tokens_and_experts.moc"
