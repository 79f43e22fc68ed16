// SPDX-License-Identifier: GPL-3.0-or-later
// How networks are divided over the ranks of an axis: what Megatron-LM's users do comes out by itself, weights are held
// as often as the placements say, and the seconds are those of the work and the messages.
#include <QtTest>
#include <filesystem>
#include <fstream>
#include <map>

#include "core/parallel/shardings.hpp"
#include "core/pricing/collectives.hpp"
#include "core/pricing/pass_times.hpp"
#include "core/scenario/adapters.hpp"
#include "support_hugging_face.hpp"
#include "support_networks.hpp"

using namespace scalescope;

namespace {

constexpr DeviceRates rates{FlopsPerSecond{300e12}, BytesPerSecond{2e12}, Seconds{4e-6}};
constexpr LinkRates links{BytesPerSecond{300e9}, BytesPerSecond{25e9}, Seconds{3e-6}, Seconds{8e-6}, 8, 8};

struct Divided {
    std::shared_ptr<const Network> network;
    Work work;
    ShardingPrices prices;
    NetworkSharding sharding;

    Divided(std::shared_ptr<const Network> of, const ShardingSetting& setting)
        : network(std::move(of)), work(make_work(*network, Passes{}, Training{})) {
        const GroupReach group = reach_of(setting.ranks, links);
        prices.work = [this, b = setting.samples](int l, const LayerShares& shares) {
            return price_layer(work, l, b, shares, rates).value;
        };
        prices.message = [group](Message m, Bytes s) {
            return message_cost(m, Collective::ring, group, links).at(s).value;
        };
        sharding = shard_network(*network, work, setting, prices);
    }
    Divided(const Divided&) = delete;

    const NetworkSharding::Layer& layer(const char* name) const {
        for (int l = 0; l < network->size(); ++l)
            if (network->layers()[static_cast<std::size_t>(l)].name == name)
                return sharding.layers[static_cast<std::size_t>(l)];
        qFatal("no layer %s", name);
    }
    std::map<Message, int> sent(bool forward) const {
        std::map<Message, int> count;
        for (const auto& m : sharding.messages)
            if (m.forward == forward) count[m.message] += static_cast<int>(m.times);
        return count;
    }
    double seconds(double samples) const {
        double sum = 0;
        for (int l = 0; l < network->size(); ++l)
            sum += prices.work(l, sharding.layers[static_cast<std::size_t>(l)].shares);
        for (const auto& m : sharding.messages)
            sum += static_cast<double>(m.times) * prices.message(m.message, Bytes{m.bytes * samples});
        return sum;
    }
    /// Of all ranks together, without what they hold in common.
    double weights(std::int64_t ranks) const {
        double sum = 0;
        for (std::size_t l = 0; l < sharding.layers.size(); ++l)
            sum += work.weight_bytes[l] * sharding.layers[l].shares.weights * static_cast<double>(ranks);
        return sum;
    }
};

support::NetworkPtr recurrent(std::int64_t units) {
    support::Builder b;
    const int first = b.simple("lstm", {b.input({20, 64})});
    b.set(first, "units", units);
    const int second = b.simple("gru", {first});
    b.set(second, "units", units);
    b.set(second, "layers", std::int64_t{2});
    b.set(second, "bidirectional", true);
    return b.make();
}

constexpr const char* qwen3 = R"({"model_type": "qwen3", "hidden_size": 4096, "intermediate_size": 12288,
    "num_attention_heads": 32, "num_key_value_heads": 8, "head_dim": 128, "num_hidden_layers": 4, "vocab_size": 151936,
    "max_position_embeddings": 4096, "tie_word_embeddings": false, "hidden_act": "silu", "rms_norm_eps": 1e-6})";

bool is_image(const LayerFacts& f) {
    return f.convolution || (f.output.size() >= 3 && f.along(ShardAlong::vectors) == 0);
}
/// Experts lie by positions whatever the tensor axis does.
bool reads_into_experts(const Network& network, int tensor) {
    for (int l = 0; l < network.size(); ++l) {
        const auto reads = network.reads(l);
        if (network.facts()[static_cast<std::size_t>(l)].experts.count > 0 &&
            std::find(reads.begin(), reads.end(), tensor) != reads.end())
            return true;
    }
    return false;
}
/// Presets, and published configurations of many families.
std::vector<std::pair<std::string, support::NetworkPtr>> networks_with_attention() {
    auto all = support::preset_networks();
    const std::filesystem::path folder = SCALESCOPE_TEST_DATA "/models/hugging_face";
    for (const auto& file : std::filesystem::directory_iterator(folder)) {
        if (file.path().extension() != ".json") continue;
        std::ifstream text(file.path());
        const std::string all_of_it((std::istreambuf_iterator<char>(text)), std::istreambuf_iterator<char>());
        if (auto network = formats::read_any_network(all_of_it, "config.json"))
            all.emplace_back(file.path().filename().string(), *network);
    }
    std::sort(all.begin(), all.end());
    std::erase_if(all, [](const auto& named) {
        const auto facts = named.second->facts();
        return std::none_of(facts.begin(), facts.end(),
                            [](const LayerFacts& f) { return f.along(ShardAlong::heads) > 0; });
    });
    return all;
}

}  // namespace

class TestShardings : public QObject {
    Q_OBJECT

private slots:
    /// Shoeybi et al., Megatron-LM, 2019: columns, then rows, heads and vocabulary between and around them.
    void a_transformer_as_by_megatron() {
        for (const char* id : {"gpt-3-175b", "llama-3-70b"}) {
            const Divided d(support::preset(id), {.ranks = 4});
            QVERIFY2(d.sharding.proven, id);
            std::map<ShardAlong, int> ways;
            int blocks = 0;
            for (std::size_t l = 0; l < d.sharding.layers.size(); ++l) {
                if (d.sharding.layers[l].along) ++ways[*d.sharding.layers[l].along];
                blocks += d.network->layers()[l].kind->name == "attention" ? 1 : 0;
            }
            QCOMPARE(ways[ShardAlong::heads], blocks);
            QCOMPARE(ways[ShardAlong::inputs], 2 * blocks);
            QCOMPARE(ways[ShardAlong::vocabulary], 2);  // the embedding and the loss
            QCOMPARE(ways[ShardAlong::positions], 0);
            // Two all-reduces in each block, the embedding's, and three numbers of each row of classes.
            QCOMPARE(d.sent(true), (std::map<Message, int>{{Message::all_reduce, 2 * blocks + 4}}));
            QCOMPARE(d.sent(false).at(Message::all_reduce), 2 * blocks + 1);
        }
    }

    /// Attention and feed-forward layers side by side make summands of one sum: one all-reduce of it forward, as
    /// GPT-NeoX's trainer has it, where blocks of one after the other have two. Backward one for each norm that they
    /// read.
    void blocks_side_by_side_send_one_sum() {
        const std::string figures = R"("vocab_size": 51200, "hidden_size": 4096, "num_hidden_layers": 3,
            "num_attention_heads": 16, "intermediate_size": 16384, "max_position_embeddings": 1024, "rotary_dim": 64})";
        for (const auto& [family, norms] : {std::pair{"gptj", 1}, {"gpt_neox", 2}})
            for (const bool sequence : {false, true}) {
                const Divided d(support::read("{\"model_type\": \"" + std::string(family) + "\", " + figures),
                                {.ranks = 4, .sequence = sequence});
                QVERIFY2(d.sharding.proven, family);
                if (sequence) {
                    QCOMPARE(d.sent(true).at(Message::reduce_scatter), 3 + 1);
                    continue;
                }
                QCOMPARE(d.sent(true), (std::map<Message, int>{{Message::all_reduce, 3 + 4}}));
                QCOMPARE(d.sent(false), (std::map<Message, int>{{Message::all_reduce, 3 * norms + 1}}));
                int sums = 0;
                for (const auto& m : d.sharding.messages) {
                    const auto t = static_cast<std::size_t>(m.tensor);
                    if (!m.forward || d.network->layers()[t].kind->name != "add") continue;
                    QCOMPARE(m.bytes, d.work.out_bytes[t]);
                    ++sums;
                }
                QCOMPARE(sums, 3);
            }
    }

    /// Fewer heads of keys than ranks: each is made and kept by several ranks, which sum the gradients of its weights;
    /// nothing else is sent for them (Megatron-LM).
    void heads_of_keys_on_several_ranks() {
        const Divided d(support::preset("llama-3-8b"), {.ranks = 16});  // of 32 heads, 8 of keys
        QVERIFY(d.sharding.proven);
        int attentions = 0, products = 0, blocks = 0;
        for (std::size_t l = 0; l < d.sharding.layers.size(); ++l) {
            const auto& own = d.sharding.layers[l];
            const std::string_view kind = d.network->layers()[l].kind->name;
            blocks += kind == "attention";
            if (own.along == ShardAlong::heads) {
                QVERIFY(std::abs(own.shares.inputs - (4 / 16.0 + 2 / 8.0) / 6) < 1e-15);
                QCOMPARE(own.shares, (LayerShares{1 / 16.0, own.shares.inputs, 1 / 16.0, 1}));
                ++attentions;
            }
            if (own.repeats == 1) continue;
            QCOMPARE(own.repeats, std::int64_t{2});
            if (kind == "dense") QCOMPARE(own.shares, (LayerShares{1 / 8.0, 1, 1 / 8.0, 1 / 8.0}));
            products += kind == "dense";
        }
        QCOMPARE(attentions, blocks);
        QCOMPARE(products, 2 * blocks);
        QCOMPARE(d.sharding.sums_weights.size(), static_cast<std::size_t>(2 * blocks));
        for (const auto& sum : d.sharding.sums_weights) QCOMPARE(sum.ranks, std::int64_t{2});
        QCOMPARE(d.sent(true), (std::map<Message, int>{{Message::all_reduce, 2 * blocks + 4}}));
        // Heads of the queries that do not divide, or of keys that do not divide the ranks: whole.
        for (const std::int64_t ranks : {12, 64}) {
            const Divided whole(support::preset("llama-3-8b"), {.ranks = ranks});
            for (const auto& own : whole.sharding.layers) QVERIFY(own.along != ShardAlong::heads && own.repeats == 1);
        }
    }

    /// With whole numbers, rank by rank: the gradients of a head of keys are those of all queries that see it, which
    /// lie on the ranks that have it; what the ranks leave of the input's gradient is its sum over all of them.
    void repeated_heads_add_up() {
        constexpr int heads = 12, keys = 3, width = 4;
        const auto value = [](int a, int b) { return 5 * a % 7 - 3 * b % 5 + 1; };
        std::array<int, width> x{}, whole_x{};
        for (int i = 0; i < width; ++i) x[std::size_t(i)] = value(i, 9);
        std::array<std::array<int, width>, keys> whole_k{};
        const auto backward = [&](int from, int to, auto& of_weights, auto& of_input) {
            for (int h = from; h < to; ++h) {  // q·k, each of them a product with x
                const int g = h * keys / heads;
                int q = 0, k = 0;
                for (int i = 0; i < width; ++i)
                    q += value(h, i) * x[std::size_t(i)], k += value(g + 20, i) * x[std::size_t(i)];
                for (int i = 0; i < width; ++i) {
                    of_weights[std::size_t(g)][std::size_t(i)] += value(h, 3) * q * x[std::size_t(i)];
                    of_input[std::size_t(i)] += value(h, 3) * (q * value(g + 20, i) + k * value(h, i));
                }
            }
        };
        backward(0, heads, whole_k, whole_x);
        for (const int ranks : {6, 12}) {
            std::array<std::array<int, width>, keys> sum_k{};
            std::array<int, width> sum_x{};
            for (int r = 0; r < ranks; ++r) {
                std::array<std::array<int, width>, keys> own{};
                backward(r * heads / ranks, (r + 1) * heads / ranks, own, sum_x);
                for (int g = 0; g < keys; ++g)  // nobody else's head
                    for (int i = 0; i < width; ++i) {
                        QVERIFY(g == r * keys / ranks || own[std::size_t(g)][std::size_t(i)] == 0);
                        sum_k[std::size_t(g)][std::size_t(i)] += own[std::size_t(g)][std::size_t(i)];
                    }
            }
            QCOMPARE(sum_k, whole_k);
            QCOMPARE(sum_x, whole_x);
        }
    }

    /// Korthikanti et al., 2022: the same bytes, as gathers and scatters, and norms divided too.
    void positions_between_the_pairs() {
        const Divided whole(support::preset("gpt-3-175b"), {.ranks = 8}),
            divided(support::preset("gpt-3-175b"), {.ranks = 8, .sequence = true});
        QVERIFY(divided.sharding.seconds < whole.sharding.seconds);
        const auto forward = divided.sent(true), backward = divided.sent(false);
        QCOMPARE(forward.at(Message::all_gather), 2 * 96 + 1);
        QCOMPARE(forward.at(Message::reduce_scatter), 2 * 96 + 1);
        // Rows of the embedding need the gradient of all positions. Columns need what they read once more.
        QCOMPARE(backward.at(Message::all_gather), (2 * 96 + 1) + (2 * 96 + 1));
        QCOMPARE(backward.at(Message::reduce_scatter), 2 * 96 + 1);
        QVERIFY(!divided.sharding.sums_weights.empty());  // norms: each rank has seen its positions only
        const auto bytes = [](const Divided& d) {
            double sum = 0;
            for (const auto& m : d.sharding.messages)
                if (m.carries != Carried::kept_input) sum += (m.message == Message::all_reduce ? 2 : 1) * m.bytes;
            return sum;
        };
        QVERIFY(std::abs(bytes(divided) / bytes(whole) - 1) < 0.01);
    }

    /// Qwen3's norms over one head's width, and eight heads of keys on eight ranks: cut from the products to the output
    /// product, nothing sent between them (specification: trainers, section 1).
    void norms_of_heads_stay_cut() {
        const auto network = support::read(qwen3);
        for (const bool sequence : {false, true})
            for (const std::int64_t ranks : {2, 4, 8}) {
                const Divided d(network, {.ranks = ranks, .sequence = sequence});
                for (const char* name : {"h0/attention/q_norm", "h0/attention/k_norm", "h0/attention/q_rotary",
                                         "h0/attention/k_rotary", "h0/attention/core"})
                    QCOMPARE(d.layer(name).shares.flops, 1.0 / static_cast<double>(ranks));
                QCOMPARE(d.layer("h0/attention/q_norm").shares.weights, 1.0);
                const int blocks = 4, spans = 2 * blocks;
                std::map<Message, int> forward{{Message::all_reduce, spans + 4}},
                    backward{{Message::all_reduce, spans + 1}};
                if (sequence) {
                    forward = {{Message::all_gather, spans + 1},
                               {Message::reduce_scatter, spans + 1},
                               {Message::all_reduce, 3}};
                    backward = {{Message::all_gather, 2 * spans + 2}, {Message::reduce_scatter, spans + 1}};
                }
                QCOMPARE(d.sent(true), forward);
                QCOMPARE(d.sent(false), backward);
                // Each rank has the gradients of its own heads, and under sequence parallelism of its own positions.
                QCOMPARE(d.sharding.sums_weights.size(), std::size_t(sequence ? 4 * blocks + 1 : 2 * blocks));
            }
    }

    /// Down-projections of latent attention and their norms are on every rank, up-projections lie by heads, and the
    /// part of the keys that carries the position is made by every rank, for its own heads (DeepSeek-V3).
    void latent_attention_by_heads() {
        const auto network = support::preset("deepseek-v3");
        for (const bool sequence : {false, true}) {
            const Divided d(network, {.ranks = 8, .sequence = sequence});
            for (const char* name : {"h0/attention/q", "h0/attention/k_up", "h0/attention/k_position_heads",
                                     "h0/attention/k_heads", "h0/attention/core", "h0/attention/v"})
                QCOMPARE(d.layer(name).shares.flops, 1 / 8.0);
            for (const char* name : {"h0/attention/q_down", "h0/attention/kv_down", "h0/attention/k_position"}) {
                QCOMPARE(d.layer(name).shares.weights, 1.0);
                QCOMPARE(d.layer(name).shares.flops, sequence ? 1 / 8.0 : 1.0);
            }
        }
    }

    /// Under the policy of trainers no message leaves or enters a span but at its ends: nothing that is cut along
    /// features is gathered, no tensor changes from one cut to another, and without sequence parallelism there are
    /// all-reduces alone, but for experts. Adapters change nothing about it.
    void only_messages_of_trainers() {
        int checked = 0;
        auto networks = networks_with_attention();
        for (std::size_t n = 0, plain = networks.size(); n < plain; ++n)
            if (const auto adapted = with_adapters(support::scenario(networks[n].second), "linear"))
                networks.emplace_back(networks[n].first + " with adapters", adapted->workload.front().network);
        for (const auto& [name, network] : networks)
            for (const std::int64_t ranks : {2, 4, 8})
                for (const bool sequence : {false, true}) {
                    const Divided d(network, {.ranks = ranks, .sequence = sequence});
                    for (const TensorMessage& m : d.sharding.messages) {
                        const auto t = static_cast<std::size_t>(m.tensor);
                        const LayerFacts& f = network->facts()[t];
                        // Trainers have no rule for images and the patches cut out of them.
                        if (is_image(f) || network->layers()[t].name.starts_with("patches")) continue;
                        const auto along = d.sharding.layers[t].along;
                        const QString where = QString("%1, %2 ranks, sequence %3: %4")
                                                  .arg(name.c_str())
                                                  .arg(ranks)
                                                  .arg(sequence)
                                                  .arg(network->layers()[t].name.c_str());
                        QVERIFY2(m.message != Message::all_to_all, qPrintable(where));
                        const bool features = along && sharding_row(*along).out == Placement::features;
                        QVERIFY2(!(m.forward && m.message == Message::all_gather && features), qPrintable(where));
                        if (!sequence && f.experts.count == 0 && !reads_into_experts(*network, m.tensor))
                            QVERIFY2(m.message == Message::all_reduce, qPrintable(where));
                        ++checked;
                    }
                }
        QVERIFY2(checked > 10000, qPrintable(QString::number(checked)));
    }

    /// What is kept of a column's input under sequence parallelism is a rank's own positions.
    void columns_keep_their_own_positions() {
        for (const std::int64_t ranks : {2, 8}) {
            const Divided with(support::preset("gpt-3-175b"), {.ranks = ranks, .sequence = true}),
                without(support::preset("gpt-3-175b"), {.ranks = ranks});
            for (std::size_t l = 0; l < with.sharding.layers.size(); ++l) {
                const auto& own = with.sharding.layers[l];
                const bool column = own.along == ShardAlong::outputs;
                QCOMPARE(own.shares.kept, column ? 1.0 / static_cast<double>(ranks) : 1.0);
                QCOMPARE(without.sharding.layers[l].shares.kept, 1.0);
            }
        }
    }

    /// A table of words is cut at any length of the sequence; one of positions never is.
    void tables_of_words_at_any_length() {
        for (const std::int64_t length : {1024, 200000}) {
            const auto llama = *support::preset("llama-3-8b")->with(std::array{Binding{"sequence", length}});
            const Divided d(llama, {.ranks = 4});
            QVERIFY(d.layer("embeddings/tokens").along == ShardAlong::vocabulary);
        }
        for (const char* id : {"gpt-3-175b", "bert-base"}) {
            const Divided d(support::preset(id), {.ranks = 4});
            for (std::size_t l = 0; l < d.sharding.layers.size(); ++l) {
                const LayerFacts& f = d.network->facts()[l];
                if (f.weights == 0 || f.along(ShardAlong::vocabulary) == 0) continue;
                QCOMPARE(d.sharding.layers[l].along == ShardAlong::vocabulary, f.along(ShardAlong::vocabulary) > 20000);
            }
        }
    }

    /// Of a large state each rank makes a part of every gate and of every state, which all need for the next one
    /// (specification: composed parallelism, section 3). Small ones are not worth a message for every step.
    void recurrent_layers_by_units() {
        const Divided large(recurrent(8192), {.ranks = 4, .samples = 128});
        const auto& first = large.sharding.layers[1];
        QVERIFY(first.along == ShardAlong::units);
        QCOMPARE(first.shares, (LayerShares{0.25, 1, 0.25, 0.25}));
        int within = 0;
        for (const auto& m : large.sharding.messages) {
            if (m.carries != Carried::states) continue;
            ++within;
            QCOMPARE(m.message, m.forward ? Message::all_gather : Message::reduce_scatter);
            QCOMPARE(m.bytes, 8192 * 4.0);
            QCOMPARE(m.times, m.tensor == 1 ? 20 : 20 * 2 * 2);  // two layers of two directions
        }
        QCOMPARE(within, 4);
        // Each rank leaves a part of the gradient of what it reads.
        QVERIFY(large.sent(false).at(Message::all_reduce) >= 1);
        const Divided small(recurrent(64), {.ranks = 4, .samples = 128});
        QVERIFY(!small.sharding.layers[1].along && !small.sharding.layers[2].along);
    }

    void seconds_are_those_of_work_and_messages() {
        for (const auto& [name, network] : support::preset_networks()) {
            if (network->size() > 250) continue;  // the largest are blocks of the same again and again
            for (const ShardingPolicy policy : {ShardingPolicy::trainer, ShardingPolicy::best, ShardingPolicy::rows})
                for (const std::int64_t ranks : {1, 3, 8}) {
                    const ShardingSetting setting{ranks, 4, policy == ShardingPolicy::best, policy};
                    const Divided d(network, setting);
                    const QString where = QString("%1 on %2 ranks").arg(name.c_str()).arg(ranks);
                    QVERIFY2(std::abs(d.seconds(4) / d.sharding.seconds - 1) < 1e-9, qPrintable(where));
                    if (ranks == 1) {
                        QVERIFY(d.sharding.messages.empty());
                        QVERIFY(std::all_of(d.sharding.layers.begin(), d.sharding.layers.end(),
                                            [](const auto& l) { return !l.along && l.shares == LayerShares{}; }));
                        continue;
                    }
                    double whole = 0;
                    for (int l = 0; l < network->size(); ++l) whole += d.prices.work(l, {});
                    if (policy == ShardingPolicy::best)
                        QVERIFY2(d.sharding.seconds <= whole * (1 + 1e-12), qPrintable(where));
                    if (policy == ShardingPolicy::best) {
                        const Divided trainer(network, {ranks, 4});
                        if (d.sharding.proven)
                            QVERIFY2(d.sharding.seconds <= trainer.sharding.seconds * (1 + 1e-12), qPrintable(where));
                    }
                    // No tensor is smaller on the busiest rank than an equal part of it.
                    for (const auto& l : d.sharding.layers)
                        for (const double share : {l.shares.flops, l.shares.inputs, l.shares.outputs, l.shares.weights})
                            QVERIFY(share <= 1 && share >= 1.0 / static_cast<double>(ranks) - 1e-12);
                    QVERIFY(d.weights(ranks) >= d.weights(1) / 1.0000001);
                }
        }
    }

    /// A table and the product that shares it are cut alike, or not at all.
    void shared_weights_are_cut_alike() {
        const Divided d(support::preset("gpt-2"), {.ranks = 4});
        for (const WeightUse& use : d.network->weight_uses()) {
            const auto& owner = d.sharding.layers[static_cast<std::size_t>(use.owner)];
            const auto& user = d.sharding.layers[static_cast<std::size_t>(use.layer)];
            QCOMPARE(owner.shares.weights, user.shares.weights);
        }
        QVERIFY(!d.network->weight_uses().empty());
    }
};

QTEST_APPLESS_MAIN(TestShardings)
#include "tst_shardings.moc"
