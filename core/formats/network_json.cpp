// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/network_json.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "core/base/limits.hpp"
#include "core/base/listed.hpp"
#include "core/formats/attribute_json.hpp"
#include "core/formats/shared_experts.hpp"

namespace scalescope::formats {

const FileFormat network_format{"scalescope-network", "network", {}};
const FileFormat layers_format{"scalescope-layers", "copied layers", {}};

namespace {

constexpr std::size_t most_suggestions =
    20;  // looking for likely names costs time: a broken file gets some, not thousands

class NetworkReader {
public:
    /// With a `fragment`, reads copied layers: what is around them goes there.
    NetworkReader(std::string path, ProblemList& problems, editing::Fragment* fragment = nullptr)
        : path_(std::move(path)), problems_(problems), fragment_(fragment) {}

    std::optional<NetworkDraft> read(JsonValue root) {
        const std::size_t errors = problems_.errors();
        JsonFields fields(root, path_, problems_);
        if (!fields.is_object()) return std::nullopt;
        fields.ignore("format");
        fields.ignore("version");
        fields.ignore("$schema");
        if (fragment_)
            read_surroundings(fields);
        else
            draft_.name = fields.text("name").value_or("");
        draft_.description = fields.optional_text("description").value_or("");
        draft_.source = fields.optional_text("source").value_or("");
        if (const auto symbols = fields.optional("symbols", JsonKind::object)) read_symbols(*symbols);
        if (std::ranges::none_of(draft_.symbols, [](const Symbol& s) { return s.name == "batch"; }))
            draft_.symbols.insert(draft_.symbols.begin(), Symbol{"batch", 1, {}});
        for (const Symbol& s : draft_.symbols) symbols_.push_back(s.name);
        if (const auto layers = fields.required("layers", JsonKind::array)) read_layers(*layers);
        fields.finish();
        if (problems_.errors() == errors) draw_shared_experts(draft_, shared_experts_, path_, problems_);
        if (problems_.errors() > errors) return std::nullopt;
        return std::move(draft_);
    }

private:
    void read_surroundings(JsonFields& fields) {
        fragment_->block = fields.optional_text("block").value_or("");
        if (fields.value().find("outer"))
            for (std::string& name : fields.texts("outer").value_or(std::vector<std::string>{}))
                fragment_->outer.push_back({{}, std::move(name)});
    }

    void read_symbols(JsonValue symbols) {
        for (const JsonValue s : symbols) {
            const std::string where = join_path(join_path(path_, "symbols"), s.key());
            if (!is_symbol(s.key()))
                problems_.error(s.key_at(), where,
                                "A symbol is named with letters, digits and _, and does not begin with a digit.",
                                "Rename it.");
            JsonFields fields(s, where, problems_);
            Symbol symbol;
            symbol.name = s.key();
            symbol.initial = fields.integer("default", 1, limits::dimension).value_or(1);
            symbol.description = fields.optional_text("description").value_or("");
            fields.finish();
            draft_.symbols.push_back(std::move(symbol));
            if (too_many()) return;
        }
    }

    void read_layers(JsonValue layers) {
        if (layers.size() > limits::layers) {
            problems_.error(layers.at(), join_path(path_, "layers"),
                            "The network has " + std::to_string(layers.size()) + " layers.",
                            "This program accepts up to " + std::to_string(limits::layers) + ".");
            return;
        }
        // Names first: a layer may read one that stands further down.
        draft_.layers.reserve(layers.size());
        for (const JsonValue l : layers) {
            Layer layer;
            layer.id = LayerId{static_cast<std::uint32_t>(draft_.layers.size() + 1)};
            layer.at = l.at();
            if (const auto name = l.is_object() ? l.find("name") : std::nullopt; name && name->is_string())
                layer.name = name->text();
            draft_.layers.push_back(std::move(layer));
        }
        for (const Layer& l : draft_.layers) {
            if (l.name.empty()) continue;  // said below
            const auto [it, fresh] = by_name_.emplace(l.name, &l);
            if (!fresh)
                problems_.error(l.at, layer_path(l.name), "Two layers are called " + formats::quoted(l.name) + ".",
                                "Rename one; the other is on line " + std::to_string(it->second->at.line) + ".");
            else
                names_.push_back(l.name);
        }
        if (fragment_) add_outer_layers();
        std::size_t i = 0;
        for (const JsonValue l : layers) {
            read_layer(l, draft_.layers[i++]);
            if (too_many()) return;
        }
    }

    /// Layers that are not in the text but may be named in it.
    void add_outer_layers() {
        outer_.reserve(fragment_->outer.size());
        for (auto& outer : fragment_->outer) {
            outer.id = LayerId{static_cast<std::uint32_t>(draft_.layers.size() + outer_.size() + 1)};
            outer_.emplace_back().id = outer.id;
            if (by_name_.emplace(outer.name, &outer_.back()).second) names_.push_back(outer.name);
        }
    }

    void read_layer(JsonValue value, Layer& layer) {
        const std::string where =
            layer.name.empty() ? layer_path(std::to_string(layer.id.value)) : layer_path(layer.name);
        JsonFields fields(value, where, problems_);
        if (!fields.is_object()) return;
        if (const auto name = fields.text("name"); name && (name->empty() || name->size() > limits::name_bytes))
            fields.error("name", *value.find("name"),
                         "A layer's name has 1 to " + std::to_string(limits::name_bytes) + " bytes.",
                         "Give it a name, such as \"conv1\".");
        const auto kind = fields.text("kind");
        if (!kind) return;  // without it no field can be judged
        layer.kind = find_kind(*kind);
        if (!layer.kind) {
            std::vector<std::string_view> known;
            for (const Kind* k : all_kinds()) known.push_back(k->name);
            fields.error("kind", *value.find("kind"), "There is no layer of kind " + quoted(*kind) + ".",
                         did_you_mean(*kind, known, "Use one of " + listed(known) + "."));
            return;
        }
        if (const auto inputs = layer.kind->max_inputs == 0 ? fields.optional("inputs", JsonKind::array)
                                                            : fields.required("inputs", JsonKind::array))
            read_inputs(fields, *inputs, layer);
        if (const auto other = fields.optional_text("shares_weights_with")) read_sharing(fields, *other, layer);
        layer.assumed = fields.optional_text("assumed").value_or("");
        layer.attributes.reserve(layer.kind->attributes.size());
        for (const AttributeInfo& info : layer.kind->attributes)
            layer.attributes.push_back(decode_attribute(fields, info, symbols_));
        if (layer.kind->name == "mixture_of_experts" && !fragment_)  // of older files
            if (const auto n = fields.optional_integer("shared_experts", 0, limits::dimension); n.value_or(0) > 0)
                shared_experts_.emplace(layer.id.value, *n);
        fields.finish();
    }

    void read_inputs(JsonFields& fields, JsonValue inputs, Layer& layer) {
        if (inputs.size() > limits::layer_inputs) {
            fields.error("inputs", inputs, "The layer has " + std::to_string(inputs.size()) + " inputs.",
                         "This program accepts up to " + std::to_string(limits::layer_inputs) + ".");
            return;
        }
        for (const JsonValue in : inputs) {
            if (in.is_null()) {  // nothing is connected there yet
                layer.inputs.push_back(LayerId{});
                continue;
            }
            if (!in.is_string()) {
                fields.error("inputs", in,
                             "An input is the name of a layer, not " + std::string(describe(in.kind())) + ".",
                             "Write a layer's name in double quotes.");
            } else if (const auto it = by_name_.find(in.text()); it != by_name_.end()) {
                layer.inputs.push_back(it->second->id);
                continue;
            } else {
                const std::string otherwise = "Name a layer of this network, or add one of that name.";
                fields.error(
                    "inputs", in, "There is no layer called " + quoted(in.text()) + ".",
                    problems_.errors() < most_suggestions ? did_you_mean(in.text(), names_, otherwise) : otherwise);
            }
            if (too_many()) return;
        }
    }

    void read_sharing(JsonFields& fields, std::string_view other, Layer& layer) {
        const JsonValue at = *fields.value().find("shares_weights_with");
        if (const auto it = by_name_.find(other); it != by_name_.end()) {
            layer.shares_weights_with = it->second->id;
            return;
        }
        const std::string otherwise = "Name the layer whose weights it uses, or leave the field out.";
        fields.error("shares_weights_with", at, "There is no layer called " + quoted(other) + ".",
                     problems_.errors() < most_suggestions ? did_you_mean(other, names_, otherwise) : otherwise);
    }

    std::string layer_path(std::string_view name) const {
        return join_path(join_path(path_, "layers"), name.size() <= 100 ? name : std::string_view("…"));
    }
    bool too_many() const { return problems_.all().size() > limits::problems; }

    std::string path_;
    ProblemList& problems_;
    editing::Fragment* fragment_;
    NetworkDraft draft_;
    std::vector<Layer> outer_;
    SharedExperts shared_experts_;
    std::unordered_map<std::string_view, const Layer*> by_name_;
    std::vector<std::string_view> names_, symbols_;
};

}  // namespace

bool is_symbol(std::string_view name) {
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    if (name.empty() || !letter(name[0]) || name.size() > limits::name_bytes) return false;
    return std::ranges::all_of(name, [&](char c) { return letter(c) || (c >= '0' && c <= '9'); });
}

std::optional<NetworkDraft> decode_network(JsonValue root, const std::string& path, ProblemList& problems) {
    return NetworkReader(path, problems).read(root);
}

Result<NetworkDraft> read_network_draft(std::string_view text, std::string file, const Watch& watch) {
    ASSIGN_OR_RETURN(auto document, open_document(text, std::move(file), network_format, watch));
    ProblemList problems;
    auto draft = decode_network(document.root(), {}, problems);
    if (!draft) return fail(problems.take());
    return std::move(*draft);
}

Result<std::shared_ptr<const Network>> read_network(std::string_view text, std::string file) {
    ASSIGN_OR_RETURN(auto draft, read_network_draft(text, std::move(file)));
    return Network::make(std::move(draft));
}

namespace {

using NamesById = std::unordered_map<std::uint32_t, std::string_view>;

/// Sizes that only a draft's source could change are numbers in its layers: a file has no use for their names.
void encode_symbols(JsonWriter& out, std::vector<Symbol> symbols, bool batch_alone = false) {
    if (batch_alone) std::erase_if(symbols, [](const Symbol& s) { return s.name != "batch"; });
    const bool plain = symbols.empty() || (symbols.size() == 1 && symbols[0].name == "batch" &&
                                           symbols[0].initial == 1 && symbols[0].description.empty());
    if (!plain) {
        out.begin_object("symbols");
        for (const Symbol& s : symbols) {
            out.begin_inline_object(s.name);
            out.integer("default", s.initial);
            out.optional_text("description", s.description);
            out.end_object();
        }
        out.end_object();
    }
}

/// One row for each layer; an input without a name is an open one.
void encode_layers(JsonWriter& out, const std::vector<Layer>& layers, const NamesById& names) {
    out.begin_list("layers");
    for (const Layer& l : layers) {
        out.begin_inline_object();
        out.text("name", l.name);
        out.text("kind", l.kind->name);
        if (l.kind->max_inputs != 0 || !l.inputs.empty()) {
            out.begin_inline_list("inputs");
            for (LayerId in : l.inputs) {
                const auto it = names.find(in.value);
                if (it == names.end())
                    out.null();
                else
                    out.text(it->second);
            }
            out.end_list();
        }
        if (l.shares_weights_with != LayerId{}) {
            const auto it = names.find(l.shares_weights_with.value);
            out.text("shares_weights_with", it == names.end() ? std::string_view{} : it->second);
        }
        out.optional_text("assumed", l.assumed);
        for (std::size_t a = 0; a < l.attributes.size(); ++a) {
            const AttributeInfo& info = l.kind->attributes[a];
            if (l.attributes[a] == info.initial) continue;
            out.key(info.name);
            encode_attribute(out, l.attributes[a]);
        }
        out.end_object();
    }
    out.end_list();
}

}  // namespace

void encode_network(JsonWriter& out, const NetworkDraft& draft) {
    begin_file(out, network_format);
    out.text("name", draft.name);
    out.optional_text("description", draft.description);
    out.optional_text("source", draft.source);
    encode_symbols(out, draft.symbols, draft.remade_by != nullptr);
    NamesById names;
    for (const Layer& l : draft.layers) names.emplace(l.id.value, l.name);
    encode_layers(out, draft.layers, names);
    out.end_object();
}

std::string write_network(const NetworkDraft& draft) {
    JsonWriter out;
    encode_network(out, draft);
    return out.take();
}

bool holds_layers(std::string_view text) {
    const std::string format = format_of(text);
    return format == layers_format.name || format == network_format.name;
}

Result<editing::Fragment> read_fragment(std::string_view text, std::string file) {
    if (format_of(text) == network_format.name) {
        ASSIGN_OR_RETURN(auto draft, read_network_draft(text, std::move(file)));
        return editing::Fragment{std::move(draft.layers), {}, std::move(draft.symbols), {}};
    }
    ASSIGN_OR_RETURN(auto document, open_document(text, std::move(file), layers_format));
    ProblemList problems;
    editing::Fragment fragment;
    auto draft = NetworkReader({}, problems, &fragment).read(document.root());
    if (!draft) return fail(problems.take());
    fragment.layers = std::move(draft->layers);
    fragment.symbols = std::move(draft->symbols);
    return fragment;
}

std::string write_fragment(const editing::Fragment& fragment) {
    JsonWriter out;
    begin_file(out, layers_format);
    NamesById names;
    for (const Layer& l : fragment.layers) names.emplace(l.id.value, l.name);
    out.optional_text("block", fragment.block);
    if (!fragment.outer.empty()) {
        out.begin_inline_list("outer");
        for (const auto& outer : fragment.outer) {
            names.emplace(outer.id.value, outer.name);
            out.text(outer.name);
        }
        out.end_list();
    }
    encode_symbols(out, fragment.symbols);
    encode_layers(out, fragment.layers, names);
    out.end_object();
    return out.take();
}

}  // namespace scalescope::formats
