// SPDX-License-Identifier: GPL-3.0-or-later
// Scenarios as configurations of trainers.
#include <algorithm>
#include <map>
#include <set>

#include "core/formats/json_decoder.hpp"
#include "core/network/kinds/kinds.hpp"
#include "core/scenario/names.hpp"
#include "core/scenario/recompute_choice.hpp"
#include "core/scenario/symbol_fields.hpp"
#include "core/words/configured.hpp"

namespace scalescope {
namespace {

using formats::trainers::Figure;
using formats::trainers::Figures;
using formats::trainers::Origin;
using formats::trainers::Value;

class FiguresOfScenario {
public:
    explicit FiguresOfScenario(const Scenario& scenario) : scenario_(scenario) {}

    Figures all() {
        if (const Network* network = scenario_.network()) put_network(*network);
        put_mesh();
        put_training();
        put_recompute();
        return std::move(figures_);
    }

private:
    void put(const char* name, Value value) { figures_[name] = Figure{std::move(value), Origin::stated, {}}; }
    void put(const char* name, std::int64_t value) { put(name, Value{value}); }
    void put(const char* name, std::string_view value) { put(name, Value{std::string(value)}); }

    /// The sizes of a decoder. Those that differ between its layers are left out.
    void put_network(const Network& network) {
        using kinds::get;
        std::map<const char*, std::set<std::int64_t>> sizes;
        std::int64_t blocks = 0, dense = 0, vocabulary = 0, width = 0;
        bool gated = false, tied = false, latent = false;
        for (int i = 0; i < network.size(); ++i) {
            const Layer& layer = network.layers()[static_cast<std::size_t>(i)];
            const auto maker = [&] {  // of the first input
                return network.layers()[static_cast<std::size_t>(network.root(network.inputs(i).front()))];
            };
            const std::string_view kind = layer.kind->name;
            if (kind == "attention") {
                ++blocks;
                const auto heads = get<std::int64_t>(layer, "heads"), kv_heads = get<std::int64_t>(layer, "kv_heads");
                sizes["heads"].insert(heads);
                sizes["kv_heads"].insert(kv_heads == 0 ? heads : kv_heads);
                const std::int64_t queries = network.facts()[static_cast<std::size_t>(network.inputs(i).front())].units;
                if (heads > 0 && queries % heads == 0) sizes["head_dim"].insert(queries / heads);
            } else if (kind == "embedding" && get<std::int64_t>(layer, "vocabulary") > vocabulary) {
                vocabulary = get<std::int64_t>(layer, "vocabulary");
                width = get<std::int64_t>(layer, "width");
            } else if (kind == "mixture_of_experts") {
                sizes["experts"].insert(get<std::int64_t>(layer, "experts"));
                sizes["top_k"].insert(get<std::int64_t>(layer, "top_k"));
                sizes["expert_ffn"].insert(get<std::int64_t>(layer, "hidden"));
            } else if ((kind == "glu" || kind == "activation") && maker().kind->name == "dense") {
                const bool shared = layer.name.find("shared") != std::string::npos;
                const std::int64_t units = get<std::int64_t>(maker(), "units") / (kind == "glu" ? 2 : 1);
                sizes[shared ? "shared_ffn" : "ffn"].insert(units);
                gated |= kind == "glu";
                dense += shared ? 0 : 1;
            } else if (kind == "dense" && layer.shares_weights_with.value != 0) {
                tied = true;
            }
            latent |= layer.name.find("latent") != std::string::npos;
        }
        if (blocks == 0) return;
        put("layers", blocks);
        put("hidden", width);
        put("vocab", vocabulary);
        put("tied", tied);
        put("gated", gated || sizes.contains("experts"));
        put("latent_attention", latent);
        for (const auto& [name, values] : sizes)
            if (values.size() == 1) put(name, *values.begin());
        if (sizes.contains("experts")) {
            put("dense_layers", dense);
            if (!sizes.contains("ffn")) put("ffn", *sizes["expert_ffn"].begin());
        }
        if (const auto sequence = symbol_value(scenario_, "sequence")) put("sequence", *sequence);
    }

    void put_mesh() {
        const Parallelism& p = scenario_.parallelism;
        const Cluster& c = scenario_.cluster;
        const auto degrees = degrees_of(scenario_);
        put("segments", std::int64_t{p.segments});
        put("devices", c.workers);
        put("nodes", ceil_div(c.workers, c.devices_per_node));
        put("devices_per_node", std::min(c.devices_per_node, c.workers));
        put("device", c.device.name);
        if (degrees) {
            put("tensor", degrees->tensor);
            put("pipeline", degrees->pipeline);
            put("context", degrees->context);
            put("data", degrees->data);
        }
        put("expert", p.expert);
        put("expert_tensor", p.expert_tensor);
        put("virtual_stages", has_stages(scenario_) && has_chunks(p.order) ? p.chunks : 1);
        put("sequence_parallel", p.sequence);
        put("context_scheme", choice_name(p.context_scheme));
        if (has_stages(scenario_)) put("schedule", choice_name(p.order));
        put("zero_stage", static_cast<std::int64_t>(p.sharded));
        if (p.sharded != Sharded::nothing && p.shard_group > 0) put("hybrid_shard", p.shard_group);
        put("reshard", p.reshard_after_forward);
        put("overlap", p.overlap != Overlap::off);
        put("overlap_gathers", p.overlap_gathers);
        put("bucket_mb", static_cast<std::int64_t>(p.bucket.value / 1e6));
        put("bucket_bytes", static_cast<std::int64_t>(p.bucket.value));
        put("gradient_dtype", choice_name(p.gradients));
        put("asynchronous_updates", p.updates == Updates::asynchronous);
        put("offload", p.offload_states.value > 0 ? Value{p.offload_states.value} : Value{std::int64_t{0}});
        put("offload_activations", p.offload_activations != Recompute::nothing);
    }

    void put_training() {
        const Training& t = scenario_.training;
        put("precision", choice_name(t.precision));
        put("optimizer", choice_name(t.optimizer));
        const auto data = figures_.find("data");
        const std::int64_t replicas = data == figures_.end() ? 1 : *data->second.value.whole();
        const Batch batch = batch_for(t.batch, t.batch_rule, scenario_.cluster.workers, replicas);
        const bool staged = has_stages(scenario_);
        const std::int64_t steps = t.accumulation * (staged ? scenario_.parallelism.micro_batches : 1);
        put("global_batch", batch.effective);
        put("accumulation", steps);
        put("micro_batch", std::max<std::int64_t>(ceil_div(batch.per_replica, steps), 1));
        put("flushes", staged ? t.accumulation : 1);
        put("frozen", std::int64_t{!t.frozen.empty()});
    }

    void put_recompute() {
        const Parallelism& p = scenario_.parallelism;
        const unsigned modules = modules_of(p.recompute);
        std::string names = p.recompute == Recompute::attention ? "core_attn" : "";
        for (std::size_t i = 0; i < choice_names<RecomputeModule>.size(); ++i)
            if ((modules >> i) & 1U)
                names += (names.empty() ? "" : " ") + std::string(choice_names<RecomputeModule>[i]);
        const std::string method = recompute_text(p.recompute);
        put("recompute_kind", names.empty() ? std::string_view(method) : "modules");
        put("recompute_modules", names);
        put("recompute_count", p.recompute_count);
    }

    const Scenario& scenario_;
    Figures figures_;
};

}  // namespace

Figures figures_of(const Scenario& scenario) { return FiguresOfScenario(scenario).all(); }

std::vector<std::string> written_trainers() {
    std::vector<std::string> ids;
    for (const auto& trainer : formats::trainers::shipped_descriptions())
        if (!trainer.written.empty()) ids.push_back(trainer.id);
    return ids;
}

Result<formats::trainers::Written> configuration_for(std::string_view trainer, const Scenario& scenario,
                                                     std::string_view program) {
    const auto& all = formats::trainers::shipped_descriptions();
    const auto found = std::ranges::find(all, trainer, &formats::trainers::Description::id);
    if (found == all.end() || found->written.empty())
        return fail(make_error("Configurations of " + formats::quoted(trainer) + " are not written.",
                               "Choose megatron, torchtitan, deepspeed or accelerate."));
    const Figures figures = figures_of(scenario);
    if (!figures.contains("layers") || !figures.contains("data"))
        return fail(make_error(figures.contains("layers")
                                   ? "The workers do not divide by the degrees of parallelism."
                                   : "The network has no attention: trainers of language models cannot run it.",
                               "Change the scenario."));
    const auto number = [&](const char* name) { return text_of(figures.find(name)->second.value); };
    std::vector<std::string> about{"Written by " + std::string(program) + ": " + scenario.name,
                                   number("devices") + " devices = data " + number("data") + " x pipeline " +
                                       number("pipeline") + " x context " + number("context") + " x tensor " +
                                       number("tensor") + ", " + scenario.cluster.device.name};
    return write_configuration(*found, figures, std::move(about));
}

}  // namespace scalescope
