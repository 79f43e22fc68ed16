// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/hugging_face/import.hpp"

#include <algorithm>
#include <array>
#include <optional>

#include "core/base/name_list.hpp"
#include "core/formats/hugging_face/decoder.hpp"
#include "core/formats/hugging_face/families.hpp"
#include "core/formats/versions.hpp"

namespace scalescope::formats {
namespace hugging_face {
namespace {

/// A class such as "LlamaForCausalLM": a family's beginning and one of the usual tasks.
bool is_class_of(std::string_view beginnings, std::string_view name) {
    constexpr std::string_view tasks =
        "ForCausalLM LMHeadModel Model DoubleHeadsModel ForMaskedLM ForPreTraining ForSequenceClassification "
        "ForTokenClassification ForQuestionAnswering ForConditionalGeneration ForMultipleChoice "
        "ForNextSentencePrediction TextModel HeadModel LMHead WithLMHeadModel";
    return any_name(beginnings, [&](std::string_view beginning) {
        return name.starts_with(beginning) && is_among(name.substr(beginning.size()), tasks);
    });
}

const DecoderFamily* decoder_family(std::string_view type, std::string_view architecture) {
    const auto tables = {gpt_families(), llama_families(), open_families(), expert_families(), hybrid_families()};
    for (const auto& table : tables)
        for (const DecoderFamily& f : table)
            if (type.empty() ? !architecture.empty() && is_class_of(f.called.classes, architecture)
                             : is_among(type, f.called.types))
                return &f;
    return nullptr;
}

struct OwnReader {
    bool (*is)(std::string_view type);
    std::string (*read)(Config& config, std::string_view type, NetworkDraft& draft);
};
constexpr std::array<OwnReader, 6> own_readers{{{is_encoder, read_bert},
                                                {is_t5, read_t5},
                                                {is_bart, read_bart},
                                                {is_vit, read_vit},
                                                {is_clip, read_clip},
                                                {is_whisper, read_whisper}}};

/// The reader of a family that is no plain decoder, or nullptr.
const OwnReader* own_reader(std::string_view type) {
    const auto it =
        std::find_if(own_readers.begin(), own_readers.end(), [&](const OwnReader& r) { return r.is(type); });
    return it == own_readers.end() ? nullptr : &*it;
}

/// Python writes Infinity and NaN, which JSON has not: no figure that is read here is one of them. Places stay.
std::optional<std::string> without_infinities(std::string_view text) {
    if (text.find("Infinity") == std::string_view::npos && text.find("NaN") == std::string_view::npos)
        return std::nullopt;
    std::string out(text);
    bool inside = false;
    for (std::size_t i = 0; i < out.size(); ++i) {
        if (out[i] == '"') inside = !inside;
        if (inside && out[i] == '\\') ++i;
        if (inside || (out[i] != 'I' && out[i] != 'N' && out[i] != '-')) continue;
        for (const std::string_view word : {"-Infinity", "Infinity", "NaN"})
            if (std::string_view(out).substr(i, word.size()) == word)
                for (std::size_t k = 0; k < word.size(); ++k) out[i + k] = k == 0 ? '0' : ' ';
    }
    return out;
}

class Importer {
public:
    Importer(JsonValue root, ProblemList& problems) : config_(root, {}, problems), problems_(problems) {}

    bool import(NetworkDraft& draft, const std::string& file) {
        std::string type = config_.word("model_type", "");
        const auto architectures = config_.words("architectures");
        const std::string architecture = architectures.empty() ? std::string() : architectures.front();
        // Models of several kinds of data keep the figures of their text in an object of its own.
        auto text = config_.part("text_config");
        const bool nested = text && text->value().find("model_type") && !own_reader(type);
        if (nested) type = text->word("model_type", "");
        if (nested || decoder_family(type, architecture)) say_what_is_left_out();
        if (type.empty() && architecture.empty()) type = type_by_keys();
        Config& config = nested ? *text : config_;
        const std::string title = read(config, type, nested ? std::string() : architecture, draft);
        if (title.empty()) return false;
        draft.name = name(title);
        draft.description =
            config_.word("description", title + " as its configuration says it, with the loss that trains it.");
        draft.source = config_.word("source", "Hugging Face's config.json, " + file);
        return !problems_.has_errors();
    }

private:
    std::string read(Config& config, const std::string& type, const std::string& architecture, NetworkDraft& draft) {
        if (const OwnReader* reader = own_reader(type)) return reader->read(config, type, draft);
        if (is_draft_head(architecture)) return read_draft_head(config, *decoder_family("llama", {}), draft);
        const DecoderFamily* family = decoder_family(type, architecture);
        if (!family) {
            refuse(config, type.empty() ? architecture : type);
            return {};
        }
        if (!architecture.empty() && !is_class_of(family->called.classes, architecture)) {
            const std::string title(family->called.title);
            config.error("architectures",
                         "The class " + quoted(architecture) + " is none of the family " + title +
                             ", which model_type says: its layers may be others; " + figures_of_a_decoder(config).first,
                         "Take \"architectures\" out to read it as a plain " + title + ".");
            return {};
        }
        const Decoder decoder = read_decoder(config, *family);
        if (!config.finish(family->called.title)) return {};
        draw_decoder(draft, decoder, config.value().at());
        return std::string(family->called.title);
    }

    /// Files from before there was a model_type: GPT-2's have its names, GPT's one more of its own.
    std::string type_by_keys() {
        const bool gpt = config_.has("n_embd") && config_.has("n_layer") && config_.has("n_head");
        if (!gpt) return {};
        const std::string type = config_.has("afn") ? "openai-gpt" : "gpt2";
        config_.assume("model_type = " + type);
        return type;
    }

    void say_what_is_left_out() {
        for (const char* part : {"vision_config", "audio_config"})
            if (const auto found = config_.find(part); found && found->is_object())
                problems_.warning(found->key_at(), part,
                                  "Only the text part is drawn; " + quoted(part) + " is left out.",
                                  "Its parameters and its work come on top.");
    }

    /// What a plain decoder would need of the file, and whether all of it is there.
    static std::pair<std::string, bool> figures_of_a_decoder(const Config& config) {
        std::string found, missing;
        for (const auto& [word, names] :
             {std::pair("layers", names::layers), std::pair("width", names::width), std::pair("heads", names::heads),
              std::pair("hidden width", names::hidden), std::pair("vocabulary", names::vocabulary),
              std::pair("positions", names::positions)}) {
            std::string& list = config.has(names) ? found : missing;
            list += (list.empty() ? "" : ", ") + std::string(word);
        }
        return {"of the figures of a plain decoder it has " + (found.empty() ? "none" : found) +
                    (missing.empty() ? "." : ", it lacks " + missing + "."),
                missing.empty()};
    }

    static void refuse(Config& config, const std::string& family) {
        const auto [figures, all] = figures_of_a_decoder(config);
        // A class of the unknown family would be refused next.
        const std::string and_class = config.words("architectures").empty() ? "" : "; then take \"architectures\" out";
        const std::string like = config.has("type_vocab_size") ? "\"bert\"" : "\"llama\"";
        const bool other = config.has("image_size patch_size num_channels num_mel_bins conv_dim encoder_layers");
        const std::string onnx = "export the model to ONNX and open that.";
        config.error(
            "model_type",
            (family.empty() ? "The file does not say of which family the model is; "
                            : "The family " + quoted(family) + " is not known here; ") +
                figures,
            other ? "None that is known stands for a model of images or sound, or of encoder and decoder: " + onnx
                  : "If it is built like another one, " + std::string(all ? "" : "add what is missing and ") +
                        "write that: \"model_type\": " + like + and_class + ". Otherwise " + onnx);
    }

    /// "name", "description" and "source" are words of the shipped files; transformers ignores them.
    std::string name(const std::string& title) {
        std::string given = config_.word("name _name_or_path", "");
        if (const auto slash = given.rfind('/'); slash != std::string::npos) given.erase(0, slash + 1);
        constexpr std::size_t longest = 60;
        return given.empty() || given.size() > longest ? title : given;
    }

    Config config_;
    ProblemList& problems_;
};

}  // namespace
}  // namespace hugging_face

bool is_hugging_face_config(std::string_view text) {
    const auto is = [&](const char* name, JsonKind kind) { return peek_kind(text, name) == kind; };
    if (is("format", JsonKind::string) || is("layers", JsonKind::object) || is("layers", JsonKind::array)) return false;
    if (is("model_type", JsonKind::string) || is("architectures", JsonKind::array)) return true;
    const auto number = [&](const char* name) { return is(name, JsonKind::number); };
    return (number("n_embd") && number("n_layer")) || (number("hidden_size") && number("num_hidden_layers"));
}

Result<NetworkDraft> import_hugging_face_config(std::string_view text, std::string file, Problems* warnings,
                                                const Watch& watch) {
    auto finite = hugging_face::without_infinities(text);
    auto document = finite ? parse_json(std::move(*finite), file, watch) : parse_json(text, file, watch);
    if (!document) return tl::unexpected(document.error());
    ProblemList problems;
    NetworkDraft draft;
    if (!document->root().is_object()) {
        problems.error(document->root().at(), {}, "A configuration is an object.", "Choose another file.");
        return fail(problems.take());
    }
    const bool done = hugging_face::Importer(document->root(), problems).import(draft, file);
    return finished_import(done ? std::optional(std::move(draft)) : std::nullopt, problems, warnings);
}

}  // namespace scalescope::formats
