// SPDX-License-Identifier: GPL-3.0-or-later
#include "support_library.hpp"

#include <QtGlobal>

#include "core/formats/scenario_json.hpp"

namespace support {

const scalescope::formats::Library& library() {
    static const scalescope::formats::Library shipped = scalescope::formats::load_shipped();
    return shipped;
}

scalescope::Scenario preset_scenario(const std::string& id) {
    const scalescope::formats::Preset* preset = library().find_scenario(id);
    if (preset == nullptr) qFatal("no scenario \"%s\" is shipped", id.c_str());
    auto read = scalescope::formats::read_scenario(preset->text, preset->file, library());
    if (!read) qFatal("%s", messages(read.error()).c_str());
    return std::move(read->scenario);
}

std::shared_ptr<const scalescope::Network> gpt(std::int64_t blocks, std::int64_t hidden, std::int64_t heads,
                                               std::int64_t positions, bool flash) {
    using namespace scalescope;
    const auto text = [](std::int64_t n) { return std::to_string(n); };
    auto network = formats::read_any_network(
        R"({"model_type": "gpt2", "architectures": ["GPT2LMHeadModel"], "vocab_size": 512, "n_positions": )" +
            text(positions) + R"(, "n_embd": )" + text(hidden) + R"(, "n_layer": )" + text(blocks) + R"(, "n_head": )" +
            text(heads) + R"(, "activation_function": "gelu_new"})",
        "gpt.json");
    if (!network) qFatal("%s", messages(network.error()).c_str());
    NetworkDraft draft = (*network)->draft();
    for (Layer& l : draft.layers)
        for (std::size_t a = 0; a < l.kind->attributes.size(); ++a)
            if (l.kind->attributes[a].name == "flash") l.attributes[a] = flash;
    auto made = Network::make(std::move(draft));
    if (!made) qFatal("%s", messages(made.error()).c_str());
    return *made;
}

std::shared_ptr<const scalescope::Network> mixture(std::int64_t blocks, std::int64_t hidden, std::int64_t heads,
                                                   std::int64_t positions, bool shared) {
    const auto text = [](std::int64_t n) { return std::to_string(n); };
    const std::string families[] = {
        R"("model_type": "mixtral", "architectures": ["MixtralForCausalLM"], "num_local_experts": 4)",
        R"("model_type": "qwen2_moe", "architectures": ["Qwen2MoeForCausalLM"], "num_experts": 4,
           "moe_intermediate_size": 48, "shared_expert_intermediate_size": 96, "tie_word_embeddings": true)"};
    auto network = scalescope::formats::read_any_network(
        '{' + families[shared ? 1 : 0] + R"(, "vocab_size": 512, "max_position_embeddings": )" + text(positions) +
            R"(, "hidden_size": )" + text(hidden) + R"(, "num_hidden_layers": )" + text(blocks) +
            R"(, "num_attention_heads": )" + text(heads) + R"(, "num_key_value_heads": 2, "intermediate_size": 96,
               "num_experts_per_tok": 2, "hidden_act": "silu"})",
        "mixture.json");
    if (!network) qFatal("%s", messages(network.error()).c_str());
    return *network;
}

std::shared_ptr<const scalescope::Network> with_attribute(const std::shared_ptr<const scalescope::Network>& network,
                                                          std::string_view name,
                                                          const scalescope::AttributeValue& value) {
    scalescope::NetworkDraft draft = network->draft();
    for (scalescope::Layer& l : draft.layers)
        for (std::size_t a = 0; a < l.kind->attributes.size(); ++a)
            if (l.kind->attributes[a].name == name) l.attributes[a] = value;
    auto made = scalescope::Network::make(std::move(draft));
    if (!made) qFatal("%s", messages(made.error()).c_str());
    return *made;
}

std::vector<std::pair<std::string, std::shared_ptr<const scalescope::Network>>> transformers() {
    std::vector<std::pair<std::string, std::shared_ptr<const scalescope::Network>>> all;
    for (const auto& p : library().networks) {
        auto network = library().network(p.id);
        if (!network) qFatal("%s", messages(network.error()).c_str());
        const auto facts = (*network)->facts();
        if (std::any_of(facts.begin(), facts.end(),
                        [](const scalescope::LayerFacts& f) { return f.along(scalescope::ShardAlong::heads) > 0; }))
            all.emplace_back(p.id, *network);
    }
    return all;
}

std::string messages(const scalescope::Problems& problems) {
    std::string all;
    for (const scalescope::Problem& p : problems) all += to_text(p) + '\n';
    return all;
}

}  // namespace support
