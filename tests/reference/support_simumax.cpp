// SPDX-License-Identifier: GPL-3.0-or-later
#include "support_simumax.hpp"

#include <QtGlobal>
#include <algorithm>
#include <map>

#include "core/formats/library.hpp"
#include "core/network/kind.hpp"
#include "support_parallel.hpp"

namespace simumax {

using namespace scalescope;

namespace {

std::int64_t whole(const Row& row, const char* column) { return row[column].empty() ? 0 : row.integer(column); }

std::map<std::string, double> by_key(const char* file, const std::vector<const char*>& keys, const char* value) {
    std::map<std::string, double> all;
    for (const Row& row : support::parallel_csv(file).rows) {
        std::string key;
        for (const char* column : keys) key += row[column] + '/';
        all[key] = row.number(value);
    }
    return all;
}
const std::map<std::string, double>& figures() {
    static const auto all = by_key("simumax_systems.csv", {"system", "figure"}, "value");
    return all;
}

}  // namespace

const paleo_test::Csv& runs() {
    static const paleo_test::Csv all = support::parallel_csv("simumax_runs.csv.gz");
    return all;
}

Sizes::Sizes(const Row& row)
    : system(row["system"]),
      layers(whole(row, "layer_num")),
      hidden(whole(row, "hidden_size")),
      heads(whole(row, "head_num")),
      kv_heads(whole(row, "kv_head_num")),
      head(whole(row, "head_size")),
      inner(whole(row, "intermediate_size")),
      experts(whole(row, "expert_num")),
      chosen(whole(row, "topk")),
      expert_inner(experts == 0                         ? 0
                   : row["moe_ffn_hidden_size"].empty() ? inner
                                                        : whole(row, "moe_ffn_hidden_size")),
      shared_inner(whole(row, "moe_shared_expert_intermediate_size")),
      vocabulary(whole(row, "padded_vocab")),
      dense_layers(whole(row, "dense_layers")),
      query_rank(whole(row, "q_lora_rank")),
      key_rank(whole(row, "kv_lora_rank")),
      key_head(whole(row, "qk_head_dim")),
      rotated(whole(row, "qk_pos_emb_head_dim")),
      value_head(whole(row, "v_head_dim")),
      gated(whole(row, "use_swiglu") != 0),
      latent(row["attention_type"] == "mla"),
      sequence(whole(row, "enable_sequence_parallel") != 0),
      sharded(whole(row, "zero_state") != 0),
      half_attention(row["attention_sparse_ratio"] == "0.5"),
      positions(whole(row, "seq_len")),
      samples(whole(row, "micro_batch_size")),
      micro_batches(whole(row, "micro_batch_num")),
      tensor(whole(row, "tp_size")),
      pipeline(whole(row, "pp_size")),
      context(whole(row, "cp_size")),
      data(whole(row, "dp_size")),
      expert(whole(row, "ep_size")),
      expert_tensor(whole(row, "etp_size")) {}

/// Latent attention as in a file of Hugging Face's; its blocks are called alike.
NetworkDraft latent_network(const Sizes& s) {
    const auto text = [](std::int64_t n) { return std::to_string(n); };
    auto draft = formats::read_any_network_draft(
        R"({"model_type": "deepseek_v2", "architectures": ["DeepseekV2ForCausalLM"], "tie_word_embeddings": false)"
        R"(, "num_hidden_layers": )" +
            text(s.layers) + R"(, "vocab_size": )" + text(s.vocabulary) + R"(, "hidden_size": )" + text(s.hidden) +
            R"(, "num_attention_heads": )" + text(s.heads) + R"(, "num_key_value_heads": )" + text(s.heads) +
            R"(, "max_position_embeddings": )" + text(s.positions) + R"(, "intermediate_size": )" + text(s.inner) +
            R"(, "first_k_dense_replace": )" + text(s.dense_layers) + R"(, "n_routed_experts": )" + text(s.experts) +
            R"(, "num_experts_per_tok": )" + text(s.chosen) + R"(, "moe_intermediate_size": )" + text(s.expert_inner) +
            R"(, "n_shared_experts": )" + text(s.shared_inner / s.expert_inner) + R"(, "kv_lora_rank": )" +
            text(s.key_rank) + R"(, "qk_nope_head_dim": )" + text(s.key_head) + R"(, "qk_rope_head_dim": )" +
            text(s.rotated) + R"(, "v_head_dim": )" + text(s.value_head) +
            (s.query_rank > 0 ? R"(, "q_lora_rank": )" + text(s.query_rank) : R"(, "q_lora_rank": null)") + '}',
        "config.json");
    if (!draft) qFatal("%s", to_text(draft.error().front()).c_str());
    for (Layer& l : draft->layers)
        for (std::size_t a = 0; a < l.kind->attributes.size(); ++a)
            if (l.kind->attributes[a].name == "causal") l.attributes[a] = s.half_attention;
    return std::move(*draft);
}

std::shared_ptr<const Network> network_of(const Sizes& s) {
    using Key = std::array<std::int64_t, 17>;
    static std::map<Key, std::shared_ptr<const Network>> known;
    auto& network = known[{s.layers, s.hidden, s.heads, s.kv_heads, s.head, s.inner, s.experts, s.chosen,
                           s.expert_inner, s.shared_inner, s.vocabulary, s.gated, s.half_attention, s.positions,
                           s.key_rank, s.query_rank, s.dense_layers}];
    if (network) return network;
    if (s.latent) {
        const std::array sizes{Binding{"sequence", s.positions}};
        auto made = Network::make(latent_network(s), sizes);
        if (!made) qFatal("%s", to_text(made.error().front()).c_str());
        return network = *made;
    }
    NetworkDraft draft;
    using Values = std::vector<std::pair<const char*, AttributeValue>>;
    const auto add = [&](const std::string& name, const char* kind, std::vector<LayerId> inputs,
                         const Values& values = {}) {
        Layer& l = draft.layers.emplace_back();
        l.id = LayerId{static_cast<std::uint32_t>(draft.layers.size())};
        l.name = name;
        l.kind = find_kind(kind);
        l.inputs = std::move(inputs);
        for (const AttributeInfo& a : l.kind->attributes) {
            l.attributes.push_back(a.initial);
            for (const auto& [attribute, value] : values)
                if (a.name == attribute) l.attributes.back() = value;
        }
        return l.id;
    };
    const auto product = [&](const std::string& name, LayerId in, std::int64_t units) {
        return add(name, "dense", {in}, {{"units", units}, {"bias", false}, {"per_position", true}});
    };
    const auto feed_forward = [&](const std::string& at, LayerId in, std::int64_t inner) {
        const LayerId up = product(at + "up", in, s.gated ? 2 * inner : inner);
        const LayerId act = s.gated ? add(at + "glu", "glu", {up}, {{"function", std::string("silu")}})
                                    : add(at + "gelu", "activation", {up}, {{"function", std::string("gelu")}});
        return product(at + "down", act, s.hidden);
    };
    LayerId x = add("embedding", "embedding",
                    {add("input", "input", {}, {{"shape", std::vector<Dim>{{1, "batch"}, {s.positions, ""}}}})},
                    {{"vocabulary", s.vocabulary}, {"width", s.hidden}});
    for (std::int64_t b = 0; b < s.layers; ++b) {
        const std::string at = "h" + std::to_string(b) + '/';
        const LayerId n = add(at + "norm", "rms_norm", {x}), q = product(at + "query", n, s.heads * s.head),
                      k = product(at + "key", n, s.kv_heads * s.head),
                      v = product(at + "value", n, s.kv_heads * s.head);
        const LayerId core =
            add(at + "attention", "attention", {q, k, v},
                {{"heads", s.heads}, {"kv_heads", s.kv_heads}, {"causal", s.half_attention}, {"flash", true}});
        const LayerId y = add(at + "sum", "add", {x, product(at + "projection", core, s.hidden)});
        const LayerId m = add(at + "norm2", "rms_norm", {y});
        if (s.experts == 0) {
            x = add(at + "sum2", "add", {y, feed_forward(at, m, s.inner)});
            continue;
        }
        LayerId experts =
            add(at + "experts", "mixture_of_experts", {m},
                {{"experts", s.experts}, {"top_k", s.chosen}, {"hidden", s.expert_inner}, {"gated", s.gated}});
        if (s.shared_inner > 0)
            experts = add(at + "sum_experts", "add", {experts, feed_forward(at + "shared_", m, s.shared_inner)});
        x = add(at + "sum2", "add", {y, experts});
    }
    const LayerId head = product("head", add("final_norm", "rms_norm", {x}), s.vocabulary);
    add("loss", "cross_entropy", {head});
    auto made = Network::make(std::move(draft));
    if (!made) qFatal("%s", to_text(made.error().front()).c_str());
    return network = *made;
}

Scenario scenario_of(const Sizes& sizes) {
    Scenario s;
    s.workload.push_back({network_of(sizes), {}, 1, {}});
    s.training.batch = sizes.data * sizes.samples * sizes.micro_batches;
    s.training.batch_rule = BatchRule::total;
    s.training.precision = Precision::bf16;
    s.training.optimizer = Optimizer::adam;
    Device& device = s.cluster.device;
    device.name = "device";
    device.peak[static_cast<std::size_t>(Precision::bf16)] = teraflops(312);
    device.memory_bandwidth = gigabytes_per_second(1600);
    s.cluster.inside.bandwidth = gigabytes_per_second(300);
    s.cluster.between.bandwidth = gigabytes_per_second(25);
    s.cluster.devices_per_node = 8;
    s.cluster.nics_per_node = 8;
    s.cluster.workers = sizes.tensor * sizes.pipeline * sizes.context * sizes.data;
    Parallelism& p = s.parallelism;
    p.degrees_given() = {sizes.tensor, sizes.pipeline, sizes.context, sizes.expert,
                         sizes.experts > 0 ? sizes.expert_tensor : 1};
    p.context_scheme = ContextScheme::heads;
    p.sequence = sizes.sequence && sizes.tensor > 1;
    p.sharded = sizes.sharded ? Sharded::optimizer : Sharded::nothing;
    if (sizes.pipeline == 1) {
        s.training.accumulation = sizes.micro_batches;
        return s;
    }
    p.micro_batches = sizes.micro_batches;
    p.order = PipelineOrder::one_f_one_b;
    for (std::int64_t i = 1; i < sizes.pipeline; ++i) {
        const auto at = s.network()->position("h" + std::to_string(i * sizes.layers_of_stage()) +
                                              (sizes.latent ? "/norm_attention" : "/norm"));
        p.boundaries.push_back(s.network()->layers()[static_cast<std::size_t>(*at)].id);
    }
    return s;
}

bool recomputes_blocks(const Row& row) {
    return row["recompute_granularity"] == "full_block" && row["interleaving_size"] == "1" &&
           row.integer("recompute_layer_num") == Sizes(row).layers_of_stage();
}

Estimated::Estimated(const Row& row) : sizes(row) {
    Scenario s = scenario_of(sizes);
    if (recomputes_blocks(row)) s.parallelism.recompute = Recompute::blocks;
    if (row["grad_reduce_in_bf16"] != "1") s.parallelism.gradients = GradientFormat::fp32;
    auto prepared = prepare(s);
    if (!prepared) qFatal("%s: %s", row.where().c_str(), to_text(prepared.error().front()).c_str());
    plan = std::move(*prepared);
    Scratch scratch = make_scratch(plan);
    auto answer = estimate(s, plan, scratch, Remedies::left_out);
    if (!answer) qFatal("%s: %s", row.where().c_str(), to_text(answer.error().front()).c_str());
    e = std::move(*answer);
}

std::vector<const LayerEstimate*> Estimated::stage(bool last) const {
    std::vector<const LayerEstimate*> all;
    const int wanted = last ? e.layers.back().stage : e.layers.front().stage;
    for (const LayerEstimate& row : e.layers)
        if (row.stage == wanted) all.push_back(&row);
    return all;
}

double figure(const std::string& system, const std::string& name) { return figures().at(system + '/' + name + '/'); }
bool has_figure(const std::string& system, const std::string& name) {
    return figures().contains(system + '/' + name + '/');
}

double reached(const std::string& system, const std::string& op, const std::string& shape) {
    static const auto all = by_key("simumax_efficiency.csv", {"system", "operator", "shape"}, "fraction_of_peak");
    const auto known = all.find(system + '/' + op + '/' + shape + '/');
    return known == all.end() ? figure(system, "accelerator.op." + op + ".efficient_factor") : known->second;
}

}  // namespace simumax
