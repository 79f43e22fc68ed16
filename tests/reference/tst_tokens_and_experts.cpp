// SPDX-License-Identifier: GPL-3.0-or-later
#include <QtTest>

#include <cmath>
#include <limits>

#include "core/parallel/context.hpp"
#include "core/parallel/experts.hpp"
#include "core/pricing/collectives.hpp"
#include "support_parallel.hpp"

using namespace scalescope;

/// Against tokens and pairs counted one by one (tests/data/parallel).
class TestTokensAndExperts : public QObject {
    Q_OBJECT

    /// What leaves nodes of one byte a second, where each of a node's ranks has a card of its own.
    static MessageCost between_nodes(const paleo_test::Csv::Row& row, const ExpertFacts& experts) {
        LinkRates links;
        links.devices_per_node = links.nics_per_node = row.integer("ranks_per_node");
        links.inside = BytesPerSecond{std::numeric_limits<double>::infinity()};
        links.between = BytesPerSecond{1};
        GroupReach group = reach_of(row.integer("ep"), links);
        if (group.nodes == 1) return {};
        group.by_node = parts_reached(experts, group.nodes) / parts_reached(experts, group.ranks);
        return message_cost(Message::all_to_all, Collective::ring, group, links);
    }

    /// Invariant 27: of what is chosen the rest is dropped, and every place travels.
    static void capacity(const paleo_test::Csv::Row& row, ExpertFacts experts) {
        const double ranks = row.number("ep"), tokens = row.number("tokens_per_rank");
        if (row["capacity_factor"].empty()) {
            QCOMPARE(row.number("dropped_copies"), 0.0);
            return;
        }
        experts.capacity = row.number("capacity_factor");
        const double all = places(experts, tokens),
                     taken = row.number("top_k") * tokens - row.number("dropped_copies") / ranks;
        QCOMPARE(all, row.number("capacity_per_expert") * row.number("experts"));
        QVERIFY2(taken > 0 && taken <= all, row.where().c_str());
        const double sent = tokens * copies_sent(experts, Dispatch::each_expert, row.integer("ep"), tokens);
        QVERIFY2(std::abs(sent * (ranks - 1) / ranks - row.number("padded_slots_sent_per_rank")) < 1e-6,
                 row.where().c_str());
    }

private slots:
    /// What an all-to-all is priced by is what counted copies come to, if all experts have as many.
    void dispatch() {
        const auto csv = support::parallel_csv("moe_dispatch.csv");
        QCOMPARE(csv.rows.size(), std::size_t{1276});
        for (const auto& row : csv.rows) {
            const double ranks = row.number("ep"), copies = row.number("tokens_per_rank") * row.number("top_k");
            const LinearCost cost =
                flat_cost(Message::all_to_all, Collective::ring, row.integer("ep"), Seconds{0}, BytesPerSecond{1});
            double all = ranks * cost.at(Bytes{copies}).value;
            const auto is = [&](const char* column) {
                QVERIFY2(std::abs(all - row.number(column)) <= 1e-9 * std::max(1.0, row.number(column)),
                         (std::string(column) + ": " + row.where()).c_str());
            };
            is("copies_crossing_uniform_form");
            ExpertFacts experts;
            experts.count = row.integer("experts");
            experts.chosen = row.integer("top_k");
            const double tokens = row.number("tokens_per_rank");
            const auto once = [&](Dispatch dispatch) {
                return Bytes{tokens * copies_sent(experts, dispatch, row.integer("ep"), tokens)};
            };
            all = ranks * cost.at(once(Dispatch::each_rank)).value;
            is("once_per_rank_uniform_form");
            all = ranks * between_nodes(row, experts).at(once(Dispatch::each_node)).value;
            is("once_per_node_uniform_form");
            all = ranks * cost.at(Bytes{copies}).value;
            capacity(row, experts);
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
                ExpertFacts experts;
                experts.count = row.integer("experts");
                experts.chosen = row.integer("top_k");
                if (!row["capacity"].empty()) experts.capacity = row.number("capacity");
                const double positions = row.number("b") * row.number("s") / row.number("t");
                send(Message::all_to_all, positions * row.number("w") * row.number("h") *
                                              copies_sent(experts, Dispatch::each_expert, ranks, positions));
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
