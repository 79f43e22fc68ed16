// SPDX-License-Identifier: GPL-3.0-or-later
// Adapters on the tensor axis: beside a product cut by columns the first half is whole and the second cut alike, beside
// one cut by rows the first half is, and what is sent more is as wide as the rank (specification: trainers, section 6).
#include <QtTest>
#include <algorithm>
#include <map>
#include <tuple>

#include "core/parallel/shardings.hpp"
#include "core/scenario/adapters.hpp"
#include "core/scenario/symbol_fields.hpp"
#include "support_hugging_face.hpp"
#include "support_networks.hpp"

using namespace scalescope;

namespace {

constexpr std::int64_t rank = 24;  // no other width

Scenario adapted(const support::NetworkPtr& network, const char* words, std::int64_t r = rank) {
    auto s = with_adapters(support::scenario(network), words, r);
    if (!s) qFatal("%s", support::messages(s.error()).c_str());
    return *s;
}

struct Divided {
    std::shared_ptr<const Network> network;
    Work work;
    NetworkSharding sharding;

    Divided(const Scenario& s, const ShardingSetting& setting)
        : network(s.workload.front().network), work(make_work(*network, Passes{}, s.training)) {
        ShardingPrices prices;
        prices.work = [](int, const LayerShares& shares) { return shares.flops + shares.weights; };
        prices.message = [](Message, Bytes sent) { return sent.value; };
        sharding = shard_network(*network, work, setting, prices);
    }

    const NetworkSharding::Layer& layer(const std::string& name) const {
        const auto l = network->position(name);
        if (!l) qFatal("no layer %s", name.c_str());
        return sharding.layers[static_cast<std::size_t>(*l)];
    }
    bool of_rank(const TensorMessage& m) const {
        return network->facts()[static_cast<std::size_t>(m.tensor)].output.back() == rank;
    }
    using Sent = std::map<std::tuple<bool, Message, double>, int>;
    /// Messages of layers whose names begin like this, but those of inputs that are gathered again.
    Sent sent(const std::string& block, bool wide) const {
        Sent count;
        for (const TensorMessage& m : sharding.messages)
            if (network->layers()[static_cast<std::size_t>(m.tensor)].name.starts_with(block) && of_rank(m) != wide &&
                (!wide || m.carries != Carried::kept_input))
                ++count[{m.forward, m.message, m.bytes}];
        return count;
    }
};

using Sent = Divided::Sent;

/// Whether some layers carry a state along the sequence: their scans are of unknown kind.
bool has_scans(const Network& network) {
    return std::any_of(network.layers().begin(), network.layers().end(),
                       [](const Layer& l) { return l.kind->name == "unknown"; });
}

}  // namespace

class TestAdaptersDivided : public QObject {
    Q_OBJECT

private slots:
    void a_block_sends_what_it_did_and_messages_of_the_rank() {
        const auto network = support::preset("llama-2-7b");
        const Scenario with = adapted(network, "linear"), without = support::scenario(network);
        for (const std::int64_t ranks : {2, 4, 8})
            for (const bool sequence : {false, true}) {
                const ShardingSetting setting{.ranks = ranks, .sequence = sequence};
                const Divided a(with, setting), b(without, setting);
                QCOMPARE(a.sent("h1/", true), b.sent("h1/", true));
                const double bytes = 2048 * rank * 4.0;
                // q, k, v and gate_up are cut by columns, out and down by rows.
                using enum Message;
                const Sent expected = sequence ? Sent{{{true, all_gather, bytes}, 4},
                                                      {{true, reduce_scatter, bytes}, 2},
                                                      {{false, reduce_scatter, bytes}, 4},
                                                      {{false, all_gather, bytes}, 2 + 4}}
                                               : Sent{{{true, all_reduce, bytes}, 2}, {{false, all_reduce, bytes}, 4}};
                QCOMPARE(a.sent("h1/", false), expected);
                for (const TensorMessage& m : a.sharding.messages)
                    QVERIFY(!(m.carries == Carried::kept_input && !a.of_rank(m)));
                const double own = 1 / static_cast<double>(ranks);
                for (const char* column : {"attention/q", "attention/k", "attention/v", "mlp/gate_up"}) {
                    const std::string name = std::string("h1/") + column;
                    QCOMPARE(a.layer(name).along, std::optional(ShardAlong::outputs));
                    QCOMPARE(a.layer(name + "_lora_a").shares.weights, 1.0);
                    QCOMPARE(a.layer(name + "_lora_a").shares.flops, sequence ? own : 1.0);
                    QCOMPARE(a.layer(name + "_lora_b").along, std::optional(ShardAlong::outputs));
                    QCOMPARE(a.layer(name + "_lora_sum").shares.flops, own);
                }
                for (const char* row : {"attention/out", "mlp/down"}) {
                    const std::string name = std::string("h1/") + row;
                    QCOMPARE(a.layer(name).along, std::optional(ShardAlong::inputs));
                    QCOMPARE(a.layer(name + "_lora_a").along, std::optional(ShardAlong::inputs));
                    QCOMPARE(a.layer(name + "_lora_b").shares.weights, 1.0);
                    QCOMPARE(a.layer(name + "_lora_b").shares.flops, sequence ? own : 1.0);
                }
            }
    }

    /// Whatever the network, if the trainers' rule says how its layers are divided (of scans and of a diffusion
    /// transformer's condition it does not): no message of full width that full training does not send.
    void nothing_wide_is_sent_more() {
        int checked = 0;
        for (const auto& [name, network] : support::transformers()) {
            if (has_scans(*network) || name == "dit-xl-2") continue;
            for (const std::int64_t ranks : {2, 4, 8, 16})
                for (const bool sequence : {false, true}) {
                    const ShardingSetting setting{.ranks = ranks, .sequence = sequence};
                    const Divided a(adapted(network, "linear"), setting), b(support::scenario(network), setting);
                    const Sent before = b.sent({}, true);
                    for (const auto& [message, count] : a.sent({}, true)) {
                        const auto was = before.find(message);
                        QVERIFY2(was != before.end() && count <= was->second, name.c_str());
                        ++checked;
                    }
                }
        }
        QVERIFY2(checked > 200, qPrintable(QString::number(checked)));
    }

    /// Fewer heads of keys than ranks: with adapters beside their products, too, the attention is divided.
    void repeated_heads_of_keys() {
        const Scenario s = adapted(support::preset("llama-3-8b"), "linear");
        for (const std::int64_t ranks : {8, 16}) {
            const Divided d(s, {.ranks = ranks});
            QCOMPARE(d.layer("h0/attention/core").along, std::optional(ShardAlong::heads));
            const std::int64_t same = ranks / 8;
            for (const char* name : {"k", "k_lora_b", "v", "v_lora_b"}) {
                QCOMPARE(d.layer(std::string("h0/attention/") + name).repeats, same);
                QCOMPARE(d.layer(std::string("h0/attention/") + name).shares.weights, 1.0 / 8);
            }
        }
    }

    /// A wide pair of products is no adapter: it is divided as any other.
    void a_wide_pair_is_cut() {
        const Divided d(adapted(support::preset("llama-2-7b"), "linear", 4096), {.ranks = 8});
        QCOMPARE(d.layer("h1/attention/q_lora_a").along, std::optional(ShardAlong::outputs));
    }
};

QTEST_APPLESS_MAIN(TestAdaptersDivided)
#include "tst_adapters_divided.moc"
