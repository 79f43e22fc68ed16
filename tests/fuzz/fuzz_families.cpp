// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a file of families: Problems, or families that draw a network or say why not.
#include "core/formats/hugging_face/families.hpp"
#include "fuzz/checks.hpp"
#include "fuzz/json_mutator.hpp"

using namespace scalescope;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto families = formats::read_families(text, "families.json", formats::shipped_families());
    if (!families) return fuzz::check_problems(families.error());
    for (const auto& family : families->all()) {
        // Those of the file, not the shipped ones.
        if (family->types.empty() || family->at.file != "families.json") continue;
        const std::string type = family->types.substr(0, family->types.find(' '));
        const std::string config = "{\"model_type\": \"" + type + R"(", "vocab_size": 16, "hidden_size": 8,
            "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 8, "max_position_embeddings": 8,
            "layer_types": ["full_attention", "mamba"], "vision_config": {"hidden_size": 4, "num_attention_heads": 1}})";
        Problems warnings;
        const auto draft = formats::import_hugging_face_config(config, "config.json", &warnings, {}, &*families);
        fuzz::check_import(draft, warnings);
    }
    for (const formats::FamilySize& one : formats::sizes(*families))
        if (families->find(one.family)->at.file == "families.json") {
            const auto sized = formats::network_of_size(*families, one.family, one.size);
            if (!sized) fuzz::check_problems(sized.error());
        }
    return 0;
}
