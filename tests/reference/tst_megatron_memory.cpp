// SPDX-License-Identifier: GPL-3.0-or-later
// Weights, gradients and optimizer states against the 480 rows of Megatron-LM's theoretical memory report.
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <memory>
#include <string>

#include "core/estimate/estimate.hpp"
#include "core/formats/library.hpp"
#include "support_parallel.hpp"

using namespace scalescope;

namespace {

using Row = paleo_test::Csv::Row;
using NetworkPtr = std::shared_ptr<const Network>;

constexpr double mebibyte = 1048576;

/// A column of a row; 0 if the cell is empty.
std::int64_t number(const Row& row, std::string_view column) { return row[column].empty() ? 0 : row.integer(column); }
bool flag(const Row& row, std::string_view column) { return number(row, column) != 0; }

/// The table has ten digits.
bool close(double a, double b) { return std::abs(a - b) <= 1e-9 * std::abs(b); }

// ---------------------------------------------------------------------------------------------------------------------
// The network of a row
// ---------------------------------------------------------------------------------------------------------------------

/// The row's model as a Hugging Face configuration. The families differ in what their files can say:
/// `gpt2` has layer normalization, biases and a table of positions; `gemma` is a Llama whose embedding is tied.
std::string configuration(const Row& row) {
    const auto text = [&](const char* column) { return std::to_string(number(row, column)); };
    const std::string sizes =
        R"("num_hidden_layers": )" + text("num_layers") + R"(, "vocab_size": )" + text("padded_vocab_size") +
        R"(, "hidden_size": )" + text("hidden_size") + R"(, "num_attention_heads": )" + text("num_attention_heads") +
        R"(, "num_key_value_heads": )" + text("num_query_groups") + R"(, "head_dim": )" + text("kv_channels") +
        R"(, "max_position_embeddings": )" + text("seq_length") + R"(, "intermediate_size": )" +
        text("ffn_hidden_size") + R"(, "tie_word_embeddings": )" + (flag(row, "untied") ? "false" : "true");
    const std::string experts = R"(, "num_experts": )" + text("num_experts") + R"(, "num_experts_per_tok": )" +
                                text("moe_router_topk") + R"(, "moe_intermediate_size": )" +
                                text("moe_ffn_hidden_size");
    std::string family;
    if (row["normalization"] == "LayerNorm") {
        family = R"("model_type": "gpt2", "architectures": ["GPT2LMHeadModel"], )" + sizes;
    } else if (flag(row, "multi_latent_attention")) {
        family =
            R"("model_type": "deepseek_v2", "architectures": ["DeepseekV2ForCausalLM"], "first_k_dense_replace": 1,
                    "n_shared_experts": )" +
            std::to_string(number(row, "moe_shared_expert_intermediate_size") / number(row, "moe_ffn_hidden_size")) +
            R"(, "kv_lora_rank": )" + text("kv_lora_rank") + R"(, "qk_nope_head_dim": )" + text("qk_head_dim") +
            R"(, "qk_rope_head_dim": )" + text("qk_pos_emb_head_dim") + R"(, "v_head_dim": )" + text("v_head_dim") +
            R"(, "num_nextn_predict_layers": )" + text("mtp_num_layers") + ", " +
            (flag(row, "q_lora_rank") ? R"("q_lora_rank": )" + text("q_lora_rank") + ", " : "") + sizes + experts;
    } else if (!flag(row, "num_experts")) {
        family = flag(row, "untied") ? R"("model_type": "llama", "architectures": ["LlamaForCausalLM"], )" + sizes
                                     : R"("model_type": "gemma", "architectures": ["GemmaForCausalLM"], )" + sizes;
    } else if (number(row, "moe_ffn_hidden_size") == number(row, "ffn_hidden_size")) {
        family = R"("model_type": "mixtral", "architectures": ["MixtralForCausalLM"], )" + sizes + experts;
    } else {
        family = R"("model_type": "qwen3_moe", "architectures": ["Qwen3MoeForCausalLM"], )" + sizes + experts;
    }
    return '{' + family + '}';
}

Layer& layer_called(NetworkDraft& draft, const std::string& name) {
    for (Layer& l : draft.layers)
        if (l.name == name) return l;
    qFatal("no layer %s", name.c_str());
}

/// No family of Hugging Face has mixtures without gates: every `step`-th feed-forward network of a GPT-2, from the
/// first on, becomes one.
void put_mixtures(NetworkDraft& draft, const Row& row, std::int64_t step) {
    for (std::int64_t b = 0; b < number(row, "num_layers"); b += step) {
        const std::string mlp = "h" + std::to_string(b) + "/mlp/";
        const std::vector<LayerId> inputs = layer_called(draft, mlp + "up").inputs;
        Layer& down = layer_called(draft, mlp + "down");
        down.kind = find_kind("mixture_of_experts");
        down.inputs = inputs;
        down.attributes = {number(row, "num_experts"),
                           number(row, "moe_router_topk"),
                           number(row, "moe_ffn_hidden_size"),
                           flag(row, "swiglu"),
                           0.0,
                           std::int64_t{1},
                           std::int64_t{1}};
        std::erase_if(draft.layers,
                      [&](const Layer& l) { return l.name == mlp + "up" || l.name == mlp + "activation"; });
    }
}

NetworkPtr network_of(const Row& row) {
    static std::map<std::string, NetworkPtr> known;
    NetworkPtr& network = known[row["name"] + configuration(row)];
    if (network) return network;
    auto draft = formats::read_any_network_draft(configuration(row), "config.json");
    if (!draft) qFatal("%s", to_text(draft.error().front()).c_str());
    if (row["normalization"] == "LayerNorm" && flag(row, "num_experts"))
        put_mixtures(*draft, row, number(row, "moe_layer_freq"));
    auto made = Network::make(std::move(*draft));
    if (!made) qFatal("%s", to_text(made.error().front()).c_str());
    return network = *made;
}

// ---------------------------------------------------------------------------------------------------------------------
// Its parameters, and who holds them
// ---------------------------------------------------------------------------------------------------------------------

struct RowDegrees {
    std::int64_t tensor, pipeline, data, expert, expert_tensor;
    explicit RowDegrees(const Row& row)
        : tensor(number(row, "tensor")),
          pipeline(number(row, "pipeline")),
          data(number(row, "data")),
          expert(std::max<std::int64_t>(1, number(row, "expert"))),
          expert_tensor(flag(row, "num_experts") ? std::max<std::int64_t>(1, number(row, "expert_tensor")) : 1) {}
    std::int64_t expert_ranks() const { return expert * expert_tensor; }
    /// Ranks that hold the same experts.
    double expert_data() const { return static_cast<double>(data * tensor) / static_cast<double>(expert_ranks()); }
};

enum class Place { embedding, block, final_norm, head };

/// Parameters of a layer by what happens to them on the tensor axis.
struct Parameters {
    Place place = Place::block;
    int block = -1;
    double divided = 0, whole = 0, experts = 0;
    double all() const { return divided + whole + experts; }
};

/// What a rank holds, or what all ranks hold together.
struct Held {
    double dense = 0, experts = 0;
    double all() const { return dense + experts; }
    Held& operator+=(const Held& other) {
        dense += other.dense;
        experts += other.experts;
        return *this;
    }
};
Held operator*(const Held& held, double factor) { return {held.dense * factor, held.experts * factor}; }

bool is_norm(const Layer& layer) { return layer.kind->name == "rms_norm" || layer.kind->name == "layer_norm"; }
bool is_mixture(const Layer& layer) { return layer.kind->name == "mixture_of_experts"; }
bool in_attention(const Layer& layer) { return layer.name.find("/attention/") != std::string::npos; }

/// A down-projection of latent attention, or the product of the part of its keys that carries the position.
bool is_down(const Layer& layer) {
    return layer.name.ends_with("/q_down") || layer.name.ends_with("/kv_down") || layer.name.ends_with("/k_position");
}

/// A layer's parameters as Scalescope divides them: norms, the table of positions, routers and down-projections are
/// whole on each rank, and so are experts, of which a rank has fewer.
Parameters own_parameters(const Network& network, int position) {
    const Layer& layer = network.layers()[static_cast<std::size_t>(position)];
    const LayerFacts& facts = network.facts()[static_cast<std::size_t>(position)];
    Parameters p;
    if (layer.name.starts_with("embeddings/")) p.place = Place::embedding;
    if (layer.name.starts_with("head/")) p.place = Place::head;
    if (layer.name == "final_norm") p.place = Place::final_norm;
    if (p.place == Place::block) p.block = layer.name[0] == 'h' ? std::atoi(layer.name.c_str() + 1) : -1;
    p.experts = static_cast<double>(facts.experts.parameters);
    const double others = static_cast<double>(facts.parameters()) - p.experts;
    const bool whole = is_norm(layer) || is_mixture(layer) || is_down(layer) || layer.name == "embeddings/positions";
    (whole ? p.whole : p.divided) = others;
    return p;
}

/// Those that the report leaves out: biases of products, the table of positions, norms of queries and keys.
Parameters unreported(const Network& network, int position, const Row& row) {
    const Layer& layer = network.layers()[static_cast<std::size_t>(position)];
    Parameters p = own_parameters(network, position);
    const bool norm_of_heads = is_norm(layer) && in_attention(layer) && !flag(row, "multi_latent_attention");
    if (norm_of_heads || layer.name == "embeddings/positions") return p;
    p.divided = p.whole = p.experts = 0;
    if (layer.kind->name == "dense" && std::get<bool>(attribute(layer, "bias")))
        (is_down(layer) ? p.whole : p.divided) = static_cast<double>(std::get<std::int64_t>(attribute(layer, "units")));
    return p;
}

/// A layer's parameters as the report counts and divides them: the norms and down-projections within latent attention
/// as the products beside them, and with a bias of the router where products have some.
Parameters reported_parameters(const Network& network, int position, const Row& row) {
    const Layer& layer = network.layers()[static_cast<std::size_t>(position)];
    Parameters p = own_parameters(network, position);
    const Parameters left_out = unreported(network, position, row);
    p.divided -= left_out.divided;
    p.whole -= left_out.whole;
    if ((is_norm(layer) && in_attention(layer)) || is_down(layer)) std::swap(p.divided, p.whole);
    if (is_mixture(layer) && flag(row, "add_bias_linear")) p.whole += static_cast<double>(number(row, "num_experts"));
    return p;
}

Held on_rank(const Parameters& p, const RowDegrees& d) {
    return {p.divided / static_cast<double>(d.tensor) + p.whole, p.experts / static_cast<double>(d.expert_ranks())};
}

/// The report's fullest rank: an even share of all blocks and the last norm, the embedding, and all layers that predict
/// further tokens, each of which counts as the last block; the output matrix only where there is one stage.
/// `held(position)`: what a rank holds of a layer, if it holds the layer.
template <class HeldOf>
Held fullest_rank(const Network& network, const Row& row, HeldOf held) {
    const RowDegrees d(row);
    const double stage = 1 / static_cast<double>(d.pipeline);
    Held sum;
    for (int l = 0; l < network.size(); ++l) {
        const Parameters where = own_parameters(network, l);
        double times = 1;
        if (where.place == Place::final_norm) times = stage;
        if (where.place == Place::head) times = d.pipeline == 1 ? 1 : 0;
        if (where.place == Place::block)
            times =
                stage +
                (where.block + 1 == number(row, "num_layers") ? static_cast<double>(number(row, "mtp_num_layers")) : 0);
        sum += held(l) * times;
    }
    return sum;
}

/// Bytes of weights (bf16), gradients and the optimizer's three fp32 copies, the last divided among `ranks`.
double bytes_each(double ranks) { return 6 + 12 / ranks; }
double bytes(const Held& held, double ranks, double expert_ranks) {
    return held.dense * bytes_each(ranks) + held.experts * bytes_each(expert_ranks);
}
double reported_bytes(const Held& held, const Row& row) {
    const RowDegrees d(row);
    if (!flag(row, "distributed_optimizer")) return bytes(held, 1, 1);
    return bytes(held, static_cast<double>(d.data), d.expert_data());
}

// ---------------------------------------------------------------------------------------------------------------------
// Its estimate
// ---------------------------------------------------------------------------------------------------------------------

/// Positions of the first layers of all stages but the first, each of as many blocks.
std::vector<LayerId> even_stages(const Network& network, std::int64_t blocks, std::int64_t stages) {
    std::vector<LayerId> firsts;
    int last = -1;
    for (int l = 0; l < network.size(); ++l) {
        const int block = own_parameters(network, l).block;
        if (block > last && block % (blocks / stages) == 0 && block > 0)
            firsts.push_back(network.layers()[static_cast<std::size_t>(l)].id);
        last = std::max(last, block);
    }
    return firsts;
}

Estimate estimate_of(const Row& row, const NetworkPtr& network) {
    const RowDegrees d(row);
    Scenario s;
    s.workload.push_back({network, {}, 1, {}});
    s.training.batch = 1;
    s.training.precision = Precision::bf16;
    s.training.optimizer = Optimizer::adam;
    Device& device = s.cluster.device;
    device.name = "device";
    device.peak[static_cast<std::size_t>(Precision::bf16)] = teraflops(300);
    device.memory_bandwidth = gigabytes_per_second(2000);
    s.cluster.inside.bandwidth = gigabytes_per_second(300);
    s.cluster.between.bandwidth = gigabytes_per_second(20);
    s.cluster.workers = d.tensor * d.pipeline * d.data;
    Parallelism& p = s.parallelism;
    p.degrees_given() = {d.tensor, d.pipeline, 1, d.expert, d.expert_tensor};
    p.sequence = flag(row, "sequence_parallel");
    p.gradients = GradientFormat::fp32;
    p.sharded = flag(row, "distributed_optimizer") ? Sharded::optimizer : Sharded::nothing;
    if (flag(row, "interleave")) {
        p.order = PipelineOrder::interleaved;
        p.chunks = number(row, "interleave");
        p.micro_batches = d.pipeline;
    } else if (d.pipeline > 1) {
        p.boundaries = even_stages(*network, number(row, "num_layers"), d.pipeline);
    }
    auto e = estimate(s, Remedies::left_out);
    if (!e) qFatal("%s: %s", row.where().c_str(), to_text(e.error().front()).c_str());
    return std::move(*e);
}

/// Weights, gradients and optimizer states of the devices of a pipeline, or of the one device of each rank.
std::vector<double> bytes_of_stages(const Estimate& e) {
    const auto held = [](const MemoryEstimate& m) { return (m.weights + m.gradients + m.optimizer).value; };
    std::vector<double> all;
    for (const StageEstimate& stage : e.stages) all.push_back(held(stage.memory));
    if (all.empty()) all.push_back(held(e.memory));
    return all;
}

/// Ranks that the states of a layer's weights, and those of experts, are divided among.
struct StateRanks {
    double dense = 1, experts = 1;
    /// Where no degree of the experts is given, their states are divided among the replicas, as all others.
    explicit StateRanks(const Row& row) {
        if (!flag(row, "distributed_optimizer")) return;
        const RowDegrees d(row);
        dense = static_cast<double>(d.data);
        experts = d.expert_ranks() == 1 ? dense : d.expert_data();
    }
};
double own_bytes(const Held& held, const Row& row) {
    const StateRanks ranks(row);
    return bytes(held, ranks.dense, ranks.experts);
}

Held fullest_rank_of_report(const Network& network, const Row& row) {
    const RowDegrees d(row);
    return fullest_rank(network, row, [&](int l) { return on_rank(reported_parameters(network, l, row), d); });
}

/// The same from the shares of an estimate.
double fullest_rank_of_estimate(const Network& network, const Row& row, const Estimate& e) {
    const Held held = fullest_rank(network, row, [&](int l) {
        const auto k = static_cast<std::size_t>(l);
        const LayerFacts& facts = network.facts()[k];
        const LayerShares& shares = e.layers[k].shares;
        const double own = static_cast<double>(facts.parameters()) * shares.weights,
                     experts = RowDegrees(row).expert_ranks() == 1 ? static_cast<double>(facts.experts.parameters)
                                                                   : own * shares.experts;
        return Held{own - experts, experts};
    });
    return bytes(held, e.states.of_optimizer(0), e.states.of_optimizer(1));
}

/// Bytes by which the report's fullest rank has more in Scalescope, and why.
std::map<std::string, double> differences(const Network& network, const Row& row) {
    const RowDegrees d(row);
    const StateRanks ranks(row);
    const auto sum = [&](auto more) {
        return fullest_rank(network, row, [&](int l) { return Held{more(l), 0}; }).dense * bytes_each(ranks.dense);
    };
    std::map<std::string, double> all;
    all["not in the report"] = sum([&](int l) { return on_rank(unreported(network, l, row), d).dense; });
    all["no bias of routers"] = sum([&](int l) {
        const bool bias = is_mixture(network.layers()[static_cast<std::size_t>(l)]) && flag(row, "add_bias_linear");
        return bias ? -static_cast<double>(number(row, "num_experts")) : 0.0;
    });
    all["norms and down-projections of latent attention are whole"] = sum([&](int l) {
        const Layer& layer = network.layers()[static_cast<std::size_t>(l)];
        const bool latent =
            (flag(row, "multi_latent_attention") && is_norm(layer) && in_attention(layer)) || is_down(layer);
        return latent ? (own_parameters(network, l).whole - unreported(network, l, row).whole) *
                            (1 - 1 / static_cast<double>(d.tensor))
                      : 0.0;
    });
    // The report divides them among all ranks of a stage, which hold the same experts.
    all["states of undivided experts"] =
        flag(row, "distributed_optimizer")
            ? fullest_rank_of_report(network, row).experts * (bytes_each(ranks.experts) - bytes_each(d.expert_data()))
            : 0;
    std::erase_if(all, [](const auto& one) { return one.second == 0; });
    return all;
}

using Counts = std::map<std::string, int>;
/// So that a failure shows them.
QString list_of(const Counts& counts) {
    QString text;
    for (const auto& [what, count] : counts)
        text += QString::fromStdString(what) + QStringLiteral(": ") + QString::number(count) + QLatin1Char('\n');
    return text;
}

}  // namespace

class TestMegatronMemory : public QObject {
    Q_OBJECT

    const paleo_test::Csv table_ = support::parallel_csv("memory_megatron.csv");

private slots:
    /// What the networks count, put together as the report does it.
    void networks() {
        QCOMPARE(table_.rows.size(), std::size_t{480});
        for (const Row& row : table_.rows) {
            const NetworkPtr network = network_of(row);
            const Held held = fullest_rank_of_report(*network, row);
            const double found = reported_bytes(held, row) / mebibyte;
            QVERIFY2(close(found, row.number("weight_optimizer_MiB")),
                     (std::to_string(found) + " MiB for " + row.where()).c_str());
            // These have four and two digits behind the point.
            QVERIFY2(std::abs(held.all() / 1e9 - row.number("most_loaded_shard_billions")) < 0.5001e-4,
                     row.where().c_str());
            double total = 0;
            for (int l = 0; l < network->size(); ++l) {
                const Parameters p = reported_parameters(*network, l, row);
                const bool last = p.block + 1 == number(row, "num_layers");
                total += p.all() * (last ? static_cast<double>(1 + number(row, "mtp_num_layers")) : 1);
            }
            QVERIFY2(std::abs(total / 1e9 - row.number("total_parameters_billions")) < 0.5001e-2, row.where().c_str());
        }
    }

    /// All parameters of the networks are in the report but these, which follow from the sizes alone.
    void left_out_by_the_report() {
        Counts rows;
        for (const Row& row : table_.rows) {
            const NetworkPtr network = network_of(row);
            const std::int64_t layers = number(row, "num_layers"), width = number(row, "hidden_size"),
                               head = number(row, "kv_channels"), experts = number(row, "num_experts");
            std::int64_t left_out = 0, added = 0;
            const bool latent = flag(row, "multi_latent_attention");
            if (flag(row, "add_bias_linear")) {  // GPT
                const std::int64_t mixtures = experts > 0 ? layers / number(row, "moe_layer_freq") : 0,
                                   heads = number(row, "num_attention_heads") + 2 * number(row, "num_query_groups");
                left_out = number(row, "seq_length") * width + layers * (heads * head + width) +
                           (layers - mixtures) * (number(row, "ffn_hidden_size") + width);
                added = mixtures * experts;
                ++rows["biases, positions"];
            } else if (!latent && experts > 0 && row["moe_ffn_hidden_size"] != row["ffn_hidden_size"]) {  // Qwen 3
                left_out = layers * 2 * head;
                ++rows["norms of heads"];
            } else {
                ++rows["nothing"];
            }
            double counted = 0, reported = 0;
            for (int l = 0; l < network->size(); ++l) {
                counted += unreported(*network, l, row).all();
                reported += reported_parameters(*network, l, row).all();
            }
            QCOMPARE(counted, static_cast<double>(left_out));
            QCOMPARE(reported + counted, static_cast<double>(network->parameters() + added));
        }
        QCOMPARE(list_of(rows), list_of({{"biases, positions", 225}, {"norms of heads", 26}, {"nothing", 229}}));
    }

    /// The reader says that it leaves out the module that predicts a further token; Megatron's report counts a block
    /// like the last one for it, and no product of tokens and states.
    void further_tokens() {
        int rows = 0;
        for (const Row& row : table_.rows) {
            if (!flag(row, "mtp_num_layers")) continue;
            ++rows;
            Problems warnings;
            QVERIFY(formats::read_any_network_draft(configuration(row), "config.json", &warnings));
            QVERIFY(std::any_of(warnings.begin(), warnings.end(), [](const Problem& p) {
                return p.what.find("num_nextn_predict_layers") != std::string::npos;
            }));
        }
        QCOMPARE(rows, 40);
    }

    /// What the mesh leaves on each rank of each stage.
    void ranks() {
        Counts rows;
        for (const Row& row : table_.rows) {
            ++rows[""];
            const NetworkPtr network = network_of(row);
            const RowDegrees d(row);
            const Estimate e = estimate_of(row, network);
            QCOMPARE(e.states.of_optimizer(0), StateRanks(row).dense);
            QCOMPARE(e.states.of_optimizer(1), StateRanks(row).experts);
            QCOMPARE(e.layers.size(), static_cast<std::size_t>(network->size()));
            std::vector<double> stages(static_cast<std::size_t>(d.pipeline), 0.0);
            const auto stage_of = [&](int l) {
                return static_cast<std::size_t>(std::max(0, e.layers[static_cast<std::size_t>(l)].stage));
            };
            for (int l = 0; l < network->size(); ++l) {
                const auto k = static_cast<std::size_t>(l);
                const Held held = on_rank(own_parameters(*network, l), d);
                const double share = e.layers[k].shares.weights * static_cast<double>(network->facts()[k].parameters());
                QVERIFY2(close(share, held.all()), (network->layers()[k].name + ": " + row.where()).c_str());
                stages[stage_of(l)] += own_bytes(held, row);
            }
            // A tied output matrix in another stage is a copy of the embedding.
            for (const WeightUse& use : network->weight_uses())
                if (stage_of(use.owner) != stage_of(use.layer)) {
                    stages[stage_of(use.layer)] += own_bytes(on_rank(own_parameters(*network, use.owner), d), row);
                    ++rows["tied matrix in two stages"];
                }
            const std::vector<double> found = bytes_of_stages(e);
            QCOMPARE(found.size(), stages.size());
            for (std::size_t k = 0; k < stages.size(); ++k) QVERIFY2(close(found[k], stages[k]), row.where().c_str());
        }
        QCOMPARE(list_of(rows), list_of({{"", 480}, {"tied matrix in two stages", 190}}));
    }

    /// The report's figure from estimates: by its convention, and as the memory of the first stage where all stages
    /// have the same blocks.
    void estimates() {
        Counts rows, stages;
        for (const Row& row : table_.rows) {
            const NetworkPtr network = network_of(row);
            const RowDegrees d(row);
            const Estimate e = estimate_of(row, network);
            double expected = row.number("weight_optimizer_MiB") * mebibyte;
            const auto more = differences(*network, row);
            for (const auto& [why, bytes] : more) {
                expected += bytes;
                ++rows[why];
            }
            if (more.empty()) ++rows["as in the report"];
            QVERIFY2(close(fullest_rank_of_estimate(*network, row, e), expected), row.where().c_str());

            const bool alike = !flag(row, "num_experts") || row["moe_layer_freq"] == "1";
            ++stages[flag(row, "interleave") ? "several stages on each device" : alike ? "" : "unlike blocks"];
            if (flag(row, "interleave") || !alike) continue;
            if (d.pipeline > 1) {  // the report has a part of the last norm in every stage
                const auto norm = network->position("final_norm");
                expected -=
                    own_bytes(on_rank(own_parameters(*network, *norm), d), row) / static_cast<double>(d.pipeline);
            }
            QVERIFY2(close(bytes_of_stages(e).front(), expected), row.where().c_str());
        }
        QCOMPARE(list_of(rows), list_of({{"as in the report", 199},
                                         {"no bias of routers", 38},
                                         {"norms and down-projections of latent attention are whole", 29},
                                         {"not in the report", 251},
                                         {"states of undivided experts", 9}}));
        QCOMPARE(list_of(stages), list_of({{"", 277}, {"several stages on each device", 142}, {"unlike blocks", 61}}));
    }
};

QTEST_APPLESS_MAIN(TestMegatronMemory)
#include "tst_megatron_memory.moc"
