// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/paleo/import.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>

#include "core/formats/draft_builder.hpp"
#include "core/formats/json_decoder.hpp"
#include "core/formats/paleo/network.hpp"
#include "core/formats/versions.hpp"
#include "core/formats/word_table.hpp"

namespace scalescope::formats {
namespace {

using paleo::LayerType;
using Sizes = std::vector<std::int64_t>;

class Converter {
public:
    explicit Converter(const paleo::Net& net) : net_(net) {}

    Result<NetworkDraft> convert() {
        draft_.name = net_.name;
        draft_.source =
            "PALEO's network file" + (net_.description.file.empty() ? std::string() : ", " + net_.description.file);
        std::int64_t batch = 1;
        for (const auto& l : net_.layers)
            if (l.kind == LayerType::input) {
                batch = l.output.batch();
                break;
            }
        draft_.symbols.push_back({"batch", batch, "samples per step"});
        for (const auto& item : net_.description.items) {
            if (item.kind == paleo::Item::Kind::layer) kept_.emplace(item.layer.name, item.layer.keep_probability);
            for (const auto& d : item.layers) kept_.emplace(item.name + '/' + d.name, d.keep_probability);
        }
        for (const auto& l : net_.layers) {
            Layer layer;
            layer.id = LayerId{static_cast<std::uint32_t>(draft_.layers.size() + 1)};
            layer.name = l.name;
            layer.at = SourcePosition{net_.description.file, l.at.line, l.at.column};
            for (int p : l.parents) layer.inputs.push_back(LayerId{static_cast<std::uint32_t>(p + 1)});
            convert_layer(l, layer);
            draft_.layers.push_back(std::move(layer));
        }
        if (problems_.has_errors()) return fail(problems_.take());
        return std::move(draft_);
    }

    Problems warnings() { return problems_.take(); }

private:
    void convert_layer(const paleo::Layer& l, Layer& layer) {
        switch (l.kind) {
            case LayerType::input: return become(layer, "input", {{"shape", shape(l.output)}});
            case LayerType::convolution:
                return become(layer, "convolution",
                              {{"filters", l.filter[3]},
                               {"kernel", Sizes{l.filter[0], l.filter[1]}},
                               {"stride", Sizes{l.strides[1], l.strides[2]}},
                               {"padding", padding(l)},
                               {"activation", activation(l)}});
            case LayerType::deconvolution: return deconvolution(l, layer);
            case LayerType::pooling: {
                const bool average =
                    l.type.find("Avg") != std::string::npos || l.type.find("Average") != std::string::npos;
                return become(layer, "pooling",
                              {{"mode", average ? "average" : "max"},
                               {"kernel", Sizes{l.window[1], l.window[2]}},
                               {"stride", Sizes{l.strides[1], l.strides[2]}},
                               {"padding", padding(l)}});
            }
            case LayerType::upsampling: return become(layer, "upsample", {{"factor", Sizes{l.window[1], l.window[2]}}});
            case LayerType::dropout: return dropout(l, layer);
            case LayerType::concatenate: return concatenate(l, layer);
            case LayerType::reshape:
                if (!l.input.rank || l.output.batch() != l.input.batch() || l.output.rank < 2)
                    error(l, "The layer moves samples into another dimension.",
                          "Keep the batch as the first dimension of \"output_shape\".");
                return become(layer, "reshape", {{"shape", shape(l.output)}});
            case LayerType::elementwise: return become(layer, "add", {{"activation", activation(l)}});
            case LayerType::softmax: return become(layer, "softmax", {});
            case LayerType::sigmoid:
                if (l.input.per_sample() != 1)
                    warning(l,
                            "PALEO's Sigmoid gives one value for each sample whatever it reads; here it keeps its "
                            "input's " +
                                std::to_string(l.input.per_sample()) + ".",
                            "Put an InnerProduct with one output before it if one value is meant.");
                return become(layer, "activation", {{"function", "sigmoid"}});
            case LayerType::inner_product:
                return become(layer, "dense", {{"units", l.output[1]}, {"activation", activation(l)}});
            case LayerType::generic:
                // A view of its input costs nothing and keeps the shape: just what PALEO makes of such a layer.
                if (l.output.rank < 2 || l.parents.size() != 1)
                    return error(l, "A layer of type " + quoted(std::string_view(l.type)) + " has no counterpart here.",
                                 "Remove it, or use a type that PALEO knows.");
                return become(layer, "reshape", {{"shape", shape(l.output)}});
        }
    }

    /// Gives the layer its kind, the attributes named, and the initial values of all others.
    static void become(Layer& layer, std::string_view kind, const DraftBuilder::Givens& given) {
        layer.kind = find_kind(kind);
        layer.attributes = attributes_of(*layer.kind, given);
    }

    static std::vector<Dim> shape(const paleo::Shape& s) {
        std::vector<Dim> dims{{1, "batch"}};
        for (int i = 1; i < s.rank; ++i) dims.push_back({s[i], {}});
        if (dims.size() == 1) dims.push_back({1, {}});  // PALEO allows a tensor of nothing but samples
        return dims;
    }

    static Padding padding(const paleo::Layer& l) {
        if (l.padding == paleo::Padding::same) return {Padding::Mode::same, 0, 0, 0, 0};
        if (l.padding == paleo::Padding::valid) return {};
        return {Padding::Mode::explicit_sizes, l.pad[0], l.pad[0], l.pad[1], l.pad[1]};
    }

    std::string activation(const paleo::Layer& l) {
        if (!l.normalizer.empty())
            warning(l,
                    "The normalization " + quoted(std::string_view(l.normalizer)) +
                        " is left out: PALEO counts no work for it.",
                    "Add a batch_norm layer after it if it is meant to be counted.");
        constexpr WordRow words[] = {{"none", "none linear"}, {"relu", "relu"}, {"leaky_relu", "leaky_relu lrelu"},
                                     {"sigmoid", "sigmoid"},  {"tanh", "tanh"}, {"softmax", "softmax"}};
        if (l.activation.empty()) return "none";
        if (const auto ours = ours_for(l.activation, words)) return std::string(*ours);
        warning(l,
                "The activation " + quoted(std::string_view(l.activation)) +
                    " is not known here and is left out; it costs nothing in either program.",
                "Nothing needs to be done.");
        return "none";
    }

    /// A transposed convolution of exactly the output size that the file asks for.
    void deconvolution(const paleo::Layer& l, Layer& layer) {
        std::array<std::int64_t, 4> pad{};
        Sizes extra{0, 0};
        bool same = l.padding == paleo::Padding::same;
        for (std::size_t axis = 0; axis < 2; ++axis) {
            const int d = static_cast<int>(axis) + 1;
            const std::int64_t full = (l.input[d] - 1) * l.strides[axis + 1] + l.filter[axis];
            std::int64_t cut = l.padding == paleo::Padding::given   ? 2 * l.pad[axis]
                               : l.padding == paleo::Padding::valid ? 0
                                                                    : std::max<std::int64_t>(0, full - l.output[d]);
            pad[2 * axis] = cut / 2;
            pad[2 * axis + 1] = cut - cut / 2;
            extra[axis] = l.output[d] - (full - cut);
            same = same && l.output[d] == l.input[d] * l.strides[axis + 1];
        }
        const Padding given = same ? Padding{Padding::Mode::same, 0, 0, 0, 0}
                                   : Padding{Padding::Mode::explicit_sizes, pad[0], pad[1], pad[2], pad[3]};
        if (same) extra = {0, 0};
        become(layer, "transposed_convolution",
               {{"filters", l.filter[2]},
                {"kernel", Sizes{l.filter[0], l.filter[1]}},
                {"stride", Sizes{l.strides[1], l.strides[2]}},
                {"padding", given},
                {"output_padding", extra},
                {"activation", activation(l)}});
    }

    void dropout(const paleo::Layer& l, Layer& layer) {
        const auto it = kept_.find(l.name.substr(0, l.name.find('@')));
        const double keep = it == kept_.end() ? 0.5 : it->second;
        if (keep <= 0)
            warning(l, "The layer keeps nothing; a rate below 1 is used.", "Write a \"dropout_keep_prob\" above 0.");
        become(layer, "dropout", {{"rate", keep > 0 ? 1 - keep : 0.5}});
    }

    void concatenate(const paleo::Layer& l, Layer& layer) {
        const int last = l.output.rank - 1;
        bool channels = l.parents.size() < 2;
        if (!channels) {
            std::int64_t sum = 0;
            for (int p : l.parents) sum += net_.layers[static_cast<std::size_t>(p)].output[last];
            channels = sum == l.output[last];
        }
        if (!channels)
            error(l, "The layer joins its inputs along another dimension than the channels.",
                  "Join channels: \"dim\": " + std::to_string(last) + ".");
        if (l.parents.size() < 2)
            become(layer, "reshape", {{"shape", shape(l.output)}});
        else
            become(layer, "concat", {});
    }

    SourcePosition at(const paleo::Layer& l) const { return {net_.description.file, l.at.line, l.at.column}; }
    void error(const paleo::Layer& l, std::string what, std::string remedy) {
        problems_.error(at(l), join_path("layers", l.name), std::move(what), std::move(remedy));
    }
    void warning(const paleo::Layer& l, std::string what, std::string remedy) {
        problems_.warning(at(l), join_path("layers", l.name), std::move(what), std::move(remedy));
    }

    const paleo::Net& net_;
    NetworkDraft draft_;
    ProblemList problems_;
    std::unordered_map<std::string, double> kept_;  ///< by a dropout layer's name: only the definition knows
};

}  // namespace

bool is_paleo_network(std::string_view text) {
    return peek_kind(text, "format") == JsonKind::null && peek_kind(text, "layers") == JsonKind::object;
}

Result<NetworkDraft> convert_paleo_network(const paleo::Net& net, Problems* warnings) {
    Converter converter(net);
    auto draft = converter.convert();
    if (draft && warnings) {
        warnings->insert(warnings->end(), net.warnings.begin(), net.warnings.end());
        for (Problem& p : converter.warnings()) warnings->push_back(std::move(p));
    }
    return draft;
}

Result<NetworkDraft> import_paleo_network(std::string_view text, std::string file, Problems* warnings,
                                          const Watch& watch) {
    ASSIGN_OR_RETURN(const auto net, read_paleo_network(text, std::move(file), watch));
    return convert_paleo_network(net, warnings);
}

}  // namespace scalescope::formats
