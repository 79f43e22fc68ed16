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

    /// Causal work is even where each rank has a block from both ends, which the model takes for granted.
    void even_blocks() {
        const auto csv = support::parallel_csv("cp_ring.csv");
        QCOMPARE(csv.rows.size(), std::size_t{64});
        const AttentionMessage sent = context_row(ContextScheme::ring).messages(true).front();
        for (const auto& row : csv.rows) {
            const double c = row.number("c"), positions = row.number("seq");
            QCOMPARE(attention_sent(sent, {1, positions, positions, 1, 1}, row.integer("c")) * (c - 1) / c,
                     row.number("forward_sent_per_rank"));
            if (row["layout"] != "zigzag") continue;
            QCOMPARE(row.number("pairs_max_rank") * c, row.number("pairs_total"));
            QCOMPARE(row.number("pairs_sum_of_step_maxima") * c, row.number("pairs_total"));
        }
    }

    void heads() {
        const auto csv = support::parallel_csv("cp_ulysses.csv");
        QCOMPARE(csv.rows.size(), std::size_t{40});
        for (const auto& row : csv.rows) {
            const double c = row.number("c"), head = row.number("seq") * row.number("head_width"),
                         keys = row.number("kv_heads") * head, queries = row.number("heads") * head;
            const AttentionSizes sizes{queries, keys, keys, queries, row.integer("kv_heads")};
            const auto messages = context_row(ContextScheme::heads).messages(true);
            const char* columns[] = {"q_sent", "k_sent", "v_sent", "o_sent"};
            for (std::size_t i = 0; i < messages.size(); ++i)
                QCOMPARE(attention_sent(messages[i], sizes, row.integer("c")) * (c - 1) / c, row.number(columns[i]));
        }
    }
};

QTEST_APPLESS_MAIN(TestTokensAndExperts)
#include "tst_tokens_and_experts.moc"
