// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/words/configured.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include "core/base/letters.hpp"
#include "core/base/listed.hpp"
#include "core/formats/hugging_face/import.hpp"
#include "core/formats/json_writer.hpp"
#include "core/formats/scenario_text.hpp"
#include "core/scenario/clusters.hpp"
#include "core/scenario/fields.hpp"
#include "core/scenario/recompute_choice.hpp"
#include "core/scenario/symbol_fields.hpp"
#include "core/words/network_words.hpp"
#include "core/words/written_values.hpp"

namespace scalescope {
namespace {

using formats::trainers::Reading;
using NetworkPointer = std::shared_ptr<const Network>;

constexpr std::string_view usual_cluster = "dgx-h100", usual_network = "transformers/llama-3-8b";

/// Figures whose value is that of a field as it stands.
struct SameField {
    std::string_view figure, path;
};
constexpr std::array same_fields{
    SameField{"tensor", "parallelism.tensor"},
    SameField{"pipeline", "parallelism.pipeline"},
    SameField{"context", "parallelism.context"},
    SameField{"expert", "parallelism.expert"},
    SameField{"expert_tensor", "parallelism.expert_tensor"},
    SameField{"context_scheme", "parallelism.context_scheme"},
    SameField{"schedule", "parallelism.order"},
    SameField{"gradient_dtype", "parallelism.gradients"},
    SameField{"precision", "training.precision"},
    SameField{"bucket_mb", "parallelism.bucket_mb"},
    SameField{"hybrid_shard", "parallelism.shard_group"},
};
/// … and whose truth is that of a field.
constexpr std::array same_flags{
    SameField{"sequence_parallel", "parallelism.sequence"},
    SameField{"reshard", "parallelism.reshard_after_forward"},
    SameField{"overlap_gathers", "parallelism.overlap_gathers"},
    SameField{"scatter_gather", "parallelism.scatter_gather"},
};
/// Figures of a network, and their keys in a configuration of Hugging Face.
constexpr std::array network_keys{
    SameField{"layers", "num_hidden_layers"},
    SameField{"hidden", "hidden_size"},
    SameField{"ffn", "intermediate_size"},
    SameField{"heads", "num_attention_heads"},
    SameField{"kv_heads", "num_key_value_heads"},
    SameField{"head_dim", "head_dim"},
    SameField{"vocab", "vocab_size"},
    SameField{"sequence", "max_position_embeddings"},
    SameField{"experts", "n_routed_experts"},
    SameField{"top_k", "num_experts_per_tok"},
    SameField{"expert_ffn", "moe_intermediate_size"},
    SameField{"dense_layers", "first_k_dense_replace"},
    SameField{"q_rank", "q_lora_rank"},
    SameField{"kv_rank", "kv_lora_rank"},
    SameField{"qk_head", "qk_nope_head_dim"},
    SameField{"qk_rope", "qk_rope_head_dim"},
    SameField{"v_head", "v_head_dim"},
};

class ScenarioOfReading {
public:
    ScenarioOfReading(const Reading& reading, const formats::Library& library) : reading_(reading), library_(library) {}

    Result<formats::ReadScenario> made() {
        result_.warnings = reading_.notes;
        Scenario& s = result_.scenario;
        ASSIGN_OR_RETURN(auto network, network_of_reading());
        const std::int64_t devices = reading_.whole("devices").value_or(reading_.whole("least_devices").value_or(1));
        s.cluster.workers = std::clamp<std::int64_t>(devices, 1, limits::workers);
        if (const auto* cluster = library_.catalogue.cluster(usual_cluster))
            s.cluster = built_as(*cluster, library_.catalogue, s.cluster);
        s.cluster.workers = std::clamp<std::int64_t>(devices, 1, limits::workers);
        // Fewer devices than a node has do not mean smaller nodes.
        if (const auto each = reading_.whole("devices_per_node");
            each && (*each < devices || *each > s.cluster.devices_per_node))
            set("cluster.devices_per_node", std::to_string(*each));
        note("The configuration names no hardware: " + s.cluster.device.name + " in nodes of " +
                 std::to_string(s.cluster.devices_per_node) + " is assumed.",
             "Choose the cluster that you use.");
        WorkloadPart part;
        part.network = std::move(network);
        s.workload.push_back(std::move(part));
        if (const auto sequence = reading_.whole("sequence"))
            if (const auto done = set_symbol(s, "sequence", *sequence); !done) add(done.error());
        set_division();
        set_batch();
        s.name = s.network()->name() + " on " + std::to_string(s.cluster.workers) + " GPUs (" + reading_.title + ")";
        return std::move(result_);
    }

private:
    void note(std::string what, std::string remedy) {
        result_.warnings.push_back(make_warning(std::move(what), std::move(remedy), {file(), 0, 0}));
    }
    std::string file() const { return reading_.notes.empty() ? std::string() : reading_.notes.front().at.file; }
    /// What a field does not take is a warning, and the field keeps its value.
    void add(Problems problems) {
        for (Problem& p : problems) {
            p.severity = Severity::warning;
            if (p.at.file.empty()) p.at.file = file();
            result_.warnings.push_back(std::move(p));
        }
    }
    void set(std::string_view path, const std::string& value) {
        Scenario& s = result_.scenario;
        const std::string meant = value_meant(library_, s, path, value);
        if (const auto done = set_field(s, path, meant, library_.catalogue); !done) add(done.error());
    }

    Result<NetworkPointer> network_of_reading() {
        const bool sized = reading_.whole("layers") && reading_.whole("hidden") && reading_.whole("heads");
        const std::string named = reading_.text("network");
        if (sized) return network_of_sizes();
        if (!named.empty()) {
            const NetworkReading read = read_network(library_, named);
            if (!read.assumed.empty()) note(read.assumed, "Choose another network if it is not this one.");
            if (!read.id.empty()) return library_.network(read.id);
            if (!read.family.empty() && !read.size.empty()) {
                ASSIGN_OR_RETURN(auto draft,
                                 formats::network_of_size(library_.known_families(), read.family, read.size));
                return Network::make(std::move(draft));
            }
        }
        note(named.empty() ? "The network is not in the file; Llama 3 8B stands for it."
                           : "There is no network called \"" + named + "\"; Llama 3 8B stands for it.",
             "Choose or open the network that is trained.");
        return library_.network(usual_network);
    }

    /// A decoder with the stated sizes, drawn by a family of Hugging Face.
    Result<NetworkPointer> network_of_sizes() {
        const bool experts = reading_.whole("experts").value_or(1) > 1, latent = reading_.whole("kv_rank").has_value();
        const auto heads = reading_.whole("heads"), kv_heads = reading_.whole("kv_heads");
        const bool gated = reading_.text("gated").empty() ? experts || kv_heads != heads : reading_.truth("gated");
        formats::JsonWriter json;
        json.begin_object();
        json.text("model_type", latent ? "deepseek_v3" : experts ? "deepseek" : gated ? "llama" : "gpt2");
        for (const auto& [figure, key] : network_keys) {
            if (!experts && key.find("expert") != std::string_view::npos) continue;
            if (figure == "head_dim" && latent) continue;
            if (const auto value = reading_.whole(figure)) json.integer(key, *value);
        }
        if (!reading_.whole("vocab")) {
            constexpr std::int64_t vocabulary = 32000;
            json.integer("vocab_size", vocabulary);
            note("The vocabulary is not in the file: " + std::to_string(vocabulary) + " tokens are assumed.",
                 "Set it in the embedding and in the head.");
        }
        const auto shared = reading_.whole("shared_ffn"), each = reading_.whole("expert_ffn");
        if (experts && shared && each && *each > 0) json.integer("n_shared_experts", *shared / *each);
        json.boolean("tie_word_embeddings", reading_.truth("tied"));
        if (!gated) json.integer("resid_pdrop", 0);
        json.text("hidden_act", gated ? "silu" : "gelu");
        json.end_object();
        auto draft = formats::import_hugging_face_config(json.take(), file(), nullptr, {}, library_.families.get());
        if (!draft) return tl::unexpected(std::move(draft.error()));
        draft->name = reading_.text("model").empty()
                          ? std::to_string(*reading_.whole("layers")) + " layers of " + reading_.text("hidden")
                          : reading_.text("model");
        return Network::make(std::move(*draft));
    }

    void set_division() {
        Parallelism& p = result_.scenario.parallelism;
        for (const auto& [figure, path] : same_fields)
            if (figure == "context_scheme" && reading_.whole("context").value_or(1) == 1)
                continue;
            else if (const std::string value = reading_.text(figure); !value.empty())
                set(path, value);
        for (const auto& [figure, path] : same_flags)
            if (!reading_.text(figure).empty()) set(path, reading_.truth(figure) ? "true" : "false");
        if (const auto stage = reading_.whole("zero_stage"); stage && *stage >= 0 && *stage <= 3)
            p.sharded = static_cast<Sharded>(*stage);
        if (const auto chunks = reading_.whole("virtual_stages"); chunks && *chunks > 1)
            set("parallelism.chunks", std::to_string(*chunks));
        if (!reading_.text("overlap").empty()) p.overlap = reading_.truth("overlap") ? Overlap::buckets : Overlap::off;
        if (const auto found = reading_.figures.find("offload");
            found != reading_.figures.end() && found->second.value.truth()) {
            const auto* whole = found->second.value.whole();
            const auto* part = std::get_if<double>(&found->second.value.is);
            p.offload_states = Fraction{std::clamp(whole ? 1.0 : part ? *part : 0.0, 0.0, 1.0)};
        }
        set_recompute(reading_.text("recompute"));
        set_optimizer(reading_.text("optimizer"));
        result_.scenario.training.fused_update = true;
    }

    /// "full uniform 2", "selective op", "selective core_attn mlp", "minimal".
    void set_recompute(const std::string& text) {
        if (text.empty() || text == "none") return;
        std::vector<std::string> words;
        for (std::size_t at = 0; at <= text.size();) {
            const auto end = std::min(text.find(' ', at), text.size());
            if (end > at) words.push_back(text.substr(at, end - at));
            at = end + 1;
        }
        const bool counted =
            words.size() == 3 && (words[1] == "uniform" || words[1] == "block" || words[1] == "every_nth");
        if (words[0] == "full" && !counted) return set("parallelism.recompute", "blocks");
        if (counted) {
            set("parallelism.recompute_count", words[2]);
            const bool each = words[1] == "uniform" && words[2] == "1";
            return set("parallelism.recompute", each ? "blocks" : words[1]);
        }
        if (words[0] == "selective" && words.size() == 1) {  // torchtitan's default
            set("parallelism.recompute_count", "2");
            return set("parallelism.recompute", "every_nth");
        }
        if (words[0] != "selective") {
            note("\"" + text +
                     "\" keeps other activations than Scalescope knows; op (every second product) stands for it.",
                 "Choose another recomputation.");
            return set("parallelism.recompute", "op");
        }
        std::string modules;
        for (std::size_t i = 1; i < words.size(); ++i) {
            if (recompute_called(words[i])) {
                modules += (modules.empty() ? "" : "+") + words[i];
            } else {
                note("Recomputation of \"" + words[i] + "\" is left out.", "Choose another recomputation.");
            }
        }
        if (modules == "core_attn") modules = "attention";
        if (!modules.empty()) set("parallelism.recompute", modules);
    }

    void set_optimizer(const std::string& name) {
        if (name.empty()) {
            result_.scenario.training.optimizer = Optimizer::adam;
            return note("The optimizer is not in the file: Adam is assumed.", "Choose another optimizer.");
        }
        const std::string lower = in_small_letters(name);
        Optimizer& optimizer = result_.scenario.training.optimizer;
        const bool sgd = lower.find("sgd") != std::string::npos, lamb = lower.find("lamb") != std::string::npos;
        optimizer = lamb ? Optimizer::lamb : sgd ? Optimizer::momentum : Optimizer::adam;
        if (!sgd && !lamb && lower.find("adam") == std::string::npos &&
            lower.find("distributed_optim") == std::string::npos)
            note("The optimizer \"" + name + "\" is priced as Adam.", "Choose another optimizer.");
    }

    void set_batch() {
        Scenario& s = result_.scenario;
        const auto degrees = degrees_of(s);
        const std::int64_t data = reading_.whole("data").value_or(degrees ? degrees->data : 1);
        const std::int64_t micro = std::max<std::int64_t>(reading_.whole("micro_batch").value_or(1), 1);
        std::int64_t steps = std::max<std::int64_t>(reading_.whole("accumulation").value_or(0), 0);
        const auto global = reading_.whole("global_batch");
        if (steps == 0)
            steps = global ? std::max<std::int64_t>(*global / std::max<std::int64_t>(micro * data, 1), 1) : 1;
        Checked batch = Checked(micro) * data * steps;
        if (global) batch = *global;
        if (!global)
            note("The global batch is not in the file: " + std::to_string(batch.ok() ? batch.value() : 0) +
                     " samples are assumed (micro-batch " + std::to_string(micro) + ", data " + std::to_string(data) +
                     ", accumulation " + std::to_string(steps) + ").",
                 "Set the batch.");
        s.training.batch_rule = BatchRule::total;
        set("training.batch", std::to_string(batch.ok() ? batch.value() : 1));
        const std::int64_t flushes = std::max<std::int64_t>(reading_.whole("flushes").value_or(1), 1);
        const bool staged = s.parallelism.pipeline > 1;
        set("parallelism.micro_batches", std::to_string(staged ? std::max<std::int64_t>(steps / flushes, 1) : 1));
        set("training.accumulation", std::to_string(staged ? flushes : steps));
    }

    const Reading& reading_;
    const formats::Library& library_;
    formats::ReadScenario result_;
};

}  // namespace

Result<formats::ReadScenario> scenario_configured(const Reading& reading, const formats::Library& library) {
    return ScenarioOfReading(reading, library).made();
}

bool is_configured_scenario(std::string_view text) {
    return formats::format_of(text).empty() && formats::trainers::is_configuration(text);
}

Result<ConfiguredScenario> read_configured_scenario(std::string_view text, const std::string& file,
                                                    const formats::Library& library, std::string_view trainer) {
    ASSIGN_OR_RETURN(const auto reading, formats::trainers::read_configuration(text, file, trainer));
    auto scenario = scenario_configured(reading, library);
    if (!scenario) {
        for (Problem& p : scenario.error())
            if (p.at.file.empty()) p.at.file = file;
        return fail(std::move(scenario.error()));
    }
    ConfiguredScenario opened{std::move(*scenario), {reading.trainer, reading.title}, reading.others};
    std::string what = "This was read as a configuration of " + reading.title + ".";
    if (!reading.others.empty()) {
        std::vector<std::string> titles;
        for (const auto& other : reading.others) titles.push_back(other.title);
        what += " It could also be one of " + listed(titles) + ".";
    }
    Problem note = make_warning(
        std::move(what),
        reading.others.empty() ? "Nothing needs to be done." : "Check the values if it is meant for another trainer.",
        {file, 0, 0}, "trainer");
    opened.read.warnings.insert(opened.read.warnings.begin(), std::move(note));
    const std::filesystem::path path(file);
    if (const std::string run = reading.text("run"); !run.empty())
        opened.read.scenario.name = run;
    else if (path.has_extension() || path.has_parent_path())
        opened.read.scenario.name = path.stem().string();
    return opened;
}

bool is_scenario_text(std::string_view text) { return formats::is_link(text) || is_configured_scenario(text); }

Result<formats::ReadScenario> scenario_from_text(std::string_view text, const std::string& name,
                                                 const formats::Library& library, const Watch& watch) {
    if (!is_configured_scenario(text)) return formats::from_link(text, library, watch);
    ASSIGN_OR_RETURN(auto opened, read_configured_scenario(text, name, library));
    return std::move(opened.read);
}

}  // namespace scalescope
