// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <cmath>

#include "core/parallel/context.hpp"
#include "core/pricing/collectives.hpp"
#include "support_parallel.hpp"

using namespace scalescope;

/// Against tokens and pairs counted one by one (tests/data/parallel).
class TestTokensAndExperts : public QObject {
    Q_OBJECT

private slots:
    /// What an all-to-all is priced by is what counted copies come to, if all experts have as many.
    void dispatch() {
        const auto csv = support::parallel_csv("moe_dispatch.csv");
        QCOMPARE(csv.rows.size(), std::size_t{1276});
        for (const auto& row : csv.rows) {
            const double ranks = row.number("ep"), copies = row.number("tokens_per_rank") * row.number("top_k");
            const LinearCost cost =
                flat_cost(Message::all_to_all, Collective::ring, row.integer("ep"), Seconds{0}, BytesPerSecond{1});
            const double all = ranks * cost.at(Bytes{copies}).value;
            const auto is = [&](const char* column) {
                QVERIFY2(std::abs(all - row.number(column)) <= 1e-9 * std::max(1.0, row.number(column)),
                         (std::string(column) + ": " + row.where()).c_str());
            };
            is("copies_crossing_uniform_form");
            if (row["routing"] == "even" &&
                row.integer("tokens_per_rank") * row.integer("top_k") % row.integer("experts") == 0)
                is("copies_crossing_total");
        }
    }

    /// Bytes and seconds of every message that carries tokens.
    void messages() {
        const auto csv = support::parallel_csv("token_messages.csv");
        int counted = 0;
        for (const auto& row : csv.rows) {
            const std::int64_t ranks = row.integer("degree");
            const double n = static_cast<double>(ranks), tokens = row.number("b") * row.number("s") * row.number("w");
            const std::string kind(row["kind"]);
            double bytes = 0, seconds = 0;
            const auto send = [&](Message m, double of_rank) {
                const LinearCost cost = flat_cost(m, Collective::ring, ranks, Seconds{row.number("alpha")},
                                                  BytesPerSecond{row.number("W")});
                bytes += of_rank * (n - 1) / n;
                seconds += cost.at(Bytes{of_rank}).value;
            };
            if (kind == "experts") {
                send(Message::all_to_all, tokens / row.number("t") * row.number("h") * row.number("top_k"));
            } else {
                const ContextScheme scheme = kind == "ring"    ? ContextScheme::ring
                                             : kind == "heads" ? ContextScheme::heads
                                                               : ContextScheme::all_gather;
                const double on_tensor = 1 / row.number("t");
                const bool no_queries = row["heads"].empty();
                const double width = no_queries ? 16 : row.number("h") / row.number("heads"),
                             keys = tokens * width * row.number("kv_heads") * on_tensor,
                             queries = no_queries ? 0 : tokens * row.number("h") * on_tensor;
                const AttentionSizes sizes{queries, keys, keys, queries,
                                           std::max<std::int64_t>(1, row.integer("kv_heads") / row.integer("t"))};
                const ContextRow& sends = context_row(scheme);
                for (const AttentionMessage& m : sends.messages(true)) send(m.message, attention_sent(m, sizes, ranks));
                const double work = sends.beside ? row.number("block_s") : 0;
                seconds = n * work + std::max(0.0, seconds - (n - 1) * work);
            }
            ++counted;
            QVERIFY2(std::abs(bytes - row.number("sent")) <= 1e-9 * bytes, row.where().c_str());
            QVERIFY2(std::abs(seconds - row.number("time")) <= 1e-8 * seconds, row.where().c_str());
        }
        QCOMPARE(counted, int(csv.rows.size()));
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
            if (row["causal"] == "1") QCOMPARE(row.number("pairs_total"), positions * (positions + 1) / 2);
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
