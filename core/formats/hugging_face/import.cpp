// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/hugging_face/import.hpp"

#include <algorithm>
#include <optional>

#include "core/base/listed.hpp"
#include "core/base/name_list.hpp"
#include "core/base/sequences.hpp"
#include "core/formats/draft_builder.hpp"
#include "core/formats/hugging_face/drawer.hpp"
#include "core/formats/versions.hpp"

namespace scalescope::formats {
namespace hugging_face {
namespace {

/// What families that nobody described are like, if they have its figures.
constexpr std::string_view plain_decoder = "plain_decoder";

/// How the names of objects end that are models of their own: "vision_config".
constexpr std::string_view part_suffix = "_config";

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

/// What a plain decoder needs of a file.
struct PlainFigures {
    std::string text;  ///< "of the figures of a plain decoder it has …"
    bool all = false;
};

class Importer {
public:
    Importer(const Families& families, JsonValue root, ProblemList& problems)
        : families_(families), config_(root, {}, problems), problems_(problems) {}

    /// `wanted`: the part to draw, such as "vision"; empty: all parts, joined.
    bool import(NetworkDraft& draft, const std::string& file, std::string_view wanted) {
        std::string type = config_.word("model_type");
        const auto architectures = config_.words("architectures");
        std::string architecture = architectures.empty() ? std::string() : architectures.front();
        if (type.empty() && architecture.empty()) type = type_by_keys();
        const Family* family = family_of(type, architecture);
        // Models of several kinds of data keep the figures of their text in an object of its own.
        const bool joined = family && joins_parts(*family);
        const std::string key = std::string(wanted.empty() ? "text" : wanted) + std::string(part_suffix);
        const auto found = config_.value().find(key);
        if (!wanted.empty() && !(found && is_part(*found, family))) return no_part(wanted, family);
        auto part = found ? config_.part(found->key(), key == "text_config") : std::nullopt;
        const bool nested = part && (!wanted.empty() || (part->value().find("model_type") && !joined));
        if (nested) {
            const auto drawn = part_of(family, key);
            type = part->word("model_type");
            architecture.clear();
            family = drawn && drawn->family ? drawn->family : family_of(type, architecture);
        }
        Config& config = nested ? *part : config_;
        if (!family) family = plain(config, type, architecture);
        if (!family || !is_of(config, *family, type, architecture)) return false;
        if (wanted.empty() && !joined) say_what_is_left_out();
        Drawer(families_, draft, problems_).draw(*family, config, architecture);
        if (!config.finish(family->title)) return false;
        draft.name = name(family->title) + (wanted.empty() ? "" : " (" + std::string(wanted) + ")");
        draft.description = config_.word("description");
        if (draft.description.empty())
            draft.description = family->title + " as its configuration says it, with the loss that trains it.";
        draft.source = config_.word("source");
        if (draft.source.empty()) draft.source = "Hugging Face's config.json, " + file;
        return !problems_.has_errors();
    }

private:
    const Family* family_of(const std::string& type, const std::string& architecture) const {
        const Family* of_class = families_.of_class(architecture);
        if (of_class && (type.empty() || of_class->exact == architecture)) return of_class;
        return families_.of_type(type);
    }

    /// A part that a family draws with a family of its own.
    struct Part {
        std::string_view keys;   ///< possible names of its object
        const Family* family{};  ///< nullptr: its own model_type says it
    };

    std::vector<Part> parts_of(const Family& family) const {
        std::vector<Part> all;
        for (const Family* f : families_.lineage(family).families)
            for (const auto& block : f->blocks)
                for (const Statement& s : block.second.statements) {
                    if (s.callee != "part") continue;
                    Part& part = all.emplace_back();
                    for (const Argument& a : s.arguments) {
                        const std::string* word = a.value.value.word();
                        if (word && a.name == "key") part.keys = *word;
                        if (word && a.name == "family") part.family = families_.find(*word);
                    }
                }
        return all;
    }

    /// Whether the family joins parts of the file, and all of them are there.
    bool joins_parts(const Family& family) const {
        const auto all = parts_of(family);
        return !all.empty() && std::all_of(all.begin(), all.end(),
                                           [&](const Part& p) { return config_.part(p.keys, false).has_value(); });
    }

    /// The part of the family with that key, or nothing.
    std::optional<Part> part_of(const Family* family, std::string_view key) const {
        if (family)
            for (const Part& part : parts_of(*family))
                if (is_among(key, part.keys)) return part;
        return std::nullopt;
    }

    /// Whether a member of the file is a model of its own: one for a kind of data, one that the family joins, or one
    /// that says its family. Others, such as "quantization_config", are settings.
    bool is_part(JsonValue member, const Family* family) const {
        if (!member.is_object() || !member.key().ends_with(part_suffix)) return false;
        const auto type = member.find("model_type");
        return is_among(member.key(), "text_config vision_config audio_config") || part_of(family, member.key()) ||
               (type && type->is_string() && !type->text().empty());
    }

    /// Reports that the file has no such part, with those that it has.
    bool no_part(std::string_view wanted, const Family* family) {
        std::vector<std::string_view> names;
        for (const JsonValue member : config_.value())
            if (is_part(member, family))
                names.push_back(member.key().substr(0, member.key().size() - part_suffix.size()));
        const auto at = config_.value().at();
        if (names.empty())
            problems_.error(at, {}, "The file has no parts.", "Open it as a whole.");
        else
            problems_.error(at, {}, "The file has no part " + quoted(wanted) + "; it has " + listed(names) + ".",
                            "Choose one of these, or open them joined.");
        return false;
    }

    /// Whether the class is one of the family; else it is reported.
    bool is_of(Config& config, const Family& family, const std::string& type, const std::string& architecture) const {
        if (type.empty() || architecture.empty() || family.classes.empty() || family.exact == architecture ||
            is_class_of(family.classes, architecture))
            return true;
        config.error("architectures",
                     "The class " + quoted(architecture) + " is none of the family " + family.title +
                         ", which model_type says: its layers may be others; " + figures_of_a_decoder(config).text,
                     "Take \"architectures\" out to read it as a plain " + family.title + ".");
        return false;
    }

    /// Files from before there was a model_type: GPT-2's have its names, GPT's one more of its own.
    std::string type_by_keys() {
        const bool gpt = config_.has("n_embd") && config_.has("n_layer") && config_.has("n_head");
        if (!gpt) return {};
        const std::string type = config_.has("afn") ? "openai-gpt" : "gpt2";
        config_.assume("model_type", type);
        return type;
    }

    void say_what_is_left_out() {
        for (const char* part : {"vision_config", "audio_config"})
            if (const auto found = config_.find(part); found && found->is_object())
                problems_.warning(found->key_at(), part,
                                  "Only the text part is drawn; " + quoted(part) + " is left out.",
                                  "Its parameters and its work come on top.");
    }

    PlainFigures figures_of_a_decoder(const Config& config) const {
        std::string found, missing;
        const Family* plain = families_.find(plain_decoder);
        const Lineage line = plain ? families_.lineage(*plain) : Lineage{};
        for (const auto& [word, name] : {std::pair("layers", "layers"), std::pair("width", "width"),
                                         std::pair("heads", "heads"), std::pair("hidden width", "hidden"),
                                         std::pair("vocabulary", "vocabulary"), std::pair("positions", "positions")}) {
            const Figure* figure = find_in(line.figures, name);
            std::string& list = figure && config.has(figure->keys) ? found : missing;
            list += (list.empty() ? "" : ", ") + std::string(word);
        }
        return {"of the figures of a plain decoder it has " + (found.empty() ? "none" : found) +
                    (missing.empty() ? "." : ", it lacks " + missing + "."),
                missing.empty()};
    }

    /// The family that stands for one that is not described, or nullptr and a problem.
    const Family* plain(Config& config, const std::string& type, const std::string& architecture) {
        const std::string& family = type.empty() ? architecture : type;
        const PlainFigures figures = figures_of_a_decoder(config);
        const bool encoder = config.has("type_vocab_size"),
                   other = config.has("image_size patch_size num_channels num_mel_bins conv_dim encoder_layers"),
                   generates = architecture.empty() || architecture.ends_with("ForCausalLM") ||
                               architecture.ends_with("LMHeadModel") ||
                               architecture.ends_with("ForConditionalGeneration");
        if (figures.all && !encoder && !other && generates && !family.empty()) return families_.find(plain_decoder);
        // A class of the unknown family would be refused next.
        const std::string and_class = config.words("architectures").empty() ? "" : "; then take \"architectures\" out";
        const std::string onnx = "export the model to ONNX and open that.";
        config.error("model_type",
                     (family.empty() ? "The file does not say of which family the model is; "
                                     : "The family " + quoted(family) + " is not known here; ") +
                         figures.text,
                     other ? "Describe it in a file of families, or " + onnx
                           : "If it is built like another one, " +
                                 std::string(figures.all ? "" : "add what is missing and ") +
                                 "write that: \"model_type\": " + (encoder ? "\"bert\"" : "\"llama\"") + and_class +
                                 ". Otherwise describe it in a file of families, or " + onnx);
        return nullptr;
    }

    /// "name", "description" and "source" are words of the shipped files; transformers ignores them.
    std::string name(const std::string& title) const {
        std::string given = config_.word("name _name_or_path");
        if (const auto slash = given.rfind('/'); slash != std::string::npos) given.erase(0, slash + 1);
        constexpr std::size_t longest = 60;
        return given.empty() || given.size() > longest ? title : given;
    }

    const Families& families_;
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
                                                const Watch& watch, const Families* families, std::string_view part) {
    auto finite = hugging_face::without_infinities(text);
    auto document = finite ? parse_json(std::move(*finite), file, watch) : parse_json(text, file, watch);
    if (!document) return tl::unexpected(document.error());
    ProblemList problems;
    NetworkDraft draft;
    if (!document->root().is_object()) {
        problems.error(document->root().at(), {}, "A configuration is an object.", "Choose another file.");
        return fail(problems.take());
    }
    const bool done = hugging_face::Importer(families ? *families : shipped_families(), document->root(), problems)
                          .import(draft, file, part);
    return finished_import(done ? std::optional(std::move(draft)) : std::nullopt, problems, warnings);
}

std::vector<FamilySize> sizes(const Families& families) {
    std::vector<FamilySize> all;
    for (const auto& f : families.all())
        for (const hugging_face::Size& s : f->sizes)
            all.push_back({f->name, f->title, s.name, s.billions, s.source, f->spellings, s.name == f->usual});
    return all;
}

Result<NetworkDraft> hugging_face::network_of(const Families& families, const Family& family, const Size& size) {
    std::string_view types;
    for (const Family* f : families.lineage(family).families)
        if (types.empty()) types = f->types;
    const std::string title = family.title + ' ' + size.name;
    const std::string config = "{\"model_type\": \"" + std::string(next_name(types)) +
                               "\", \"name\": " + quoted(title) + ", " + size.config.substr(1);
    ASSIGN_OR_RETURN(auto draft, import_hugging_face_config(config, title, nullptr, {}, &families));
    draft.source = size.source;
    return draft;
}

Result<NetworkDraft> network_of_size(const Families& families, std::string_view family, std::string_view size) {
    const hugging_face::Family* found = families.find(family);
    if (found)
        if (const hugging_face::Size* s = find_by(found->sizes, size, &hugging_face::Size::name))
            return network_of(families, *found, *s);
    return fail(make_error(
        found ? found->title + " has no size " + quoted(size) + "." : "There is no family " + quoted(family) + ".",
        "Choose one of the sizes that are listed."));
}

}  // namespace scalescope::formats
