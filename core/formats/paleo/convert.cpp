// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/paleo/convert.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "core/base/listed.hpp"
#include "core/formats/json_decoder.hpp"
#include "core/formats/network_json.hpp"
#include "core/formats/paleo/import.hpp"
#include "core/formats/paleo/network.hpp"

namespace scalescope::formats {
namespace {

/// Layers that PALEO's file would not say, by what is wrong with them.
std::map<std::string, std::vector<std::string>> not_said(const Network& network, const paleo::Net& net,
                                                         const Network& back) {
    std::map<std::string, std::vector<std::string>> all;
    for (int p = 0; p < network.size(); ++p) {
        const auto i = static_cast<std::size_t>(p);
        const Layer& layer = network.layers()[i];
        const LayerFacts& facts = network.facts()[i];
        const paleo::Definition& d = net.description.items[i].layer;
        const auto at = back.position(d.name);
        const LayerFacts* read = at ? &back.facts()[static_cast<std::size_t>(*at)] : nullptr;
        if (!read || read->output != facts.output || read->multiply_adds != facts.multiply_adds)
            all["cost something else in PALEO's words"].push_back(layer.name);
        else if (read->parameters() != facts.parameters())
            all[facts.shares                              ? "use the weights of others, which PALEO counts again"
                : read->parameters() > facts.parameters() ? "have no bias, and PALEO counts one for every output"
                                                          : "have weights that PALEO does not count"]
                .push_back(layer.name);
        else if (d.kind == paleo::LayerType::generic && facts.division != Division::view)
            all["are of a kind that PALEO does not know, and cost nothing there"].push_back(layer.name);
    }
    return all;
}

}  // namespace

namespace paleo_convert {
namespace {

using paleo::Definition;
using paleo::LayerType;

constexpr std::string_view generic_names[][2] = {
    {"batch_norm", "BatchNorm"}, {"lrn", "LRN"}, {"activation", "Activation"}, {"softmax", "SpatialSoftmax"}};

class Converter {
public:
    explicit Converter(const Network& network) : network_(network) {}

    Result<paleo::Net> run() {
        name_layers();
        paleo::Description description;
        description.name = network_.name();
        for (int i = 0; i < network_.size(); ++i) {
            paleo::Item item;
            item.layer = define(i);
            description.items.push_back(std::move(item));
        }
        if (problems_.has_errors()) return fail(problems_.take());
        if (!layers()[0].at.file.empty()) description.file = layers()[0].at.file;
        auto net = build_paleo_network(std::move(description));
        if (!net) return net;
        Problems warnings = problems_.take();
        warnings.insert(warnings.end(), net->warnings.begin(), net->warnings.end());
        net->warnings = std::move(warnings);
        return net;
    }

private:
    std::span<const Layer> layers() const { return network_.layers(); }
    const LayerFacts& facts(int i) const { return network_.facts()[static_cast<std::size_t>(i)]; }
    const Shape& input_of(int i) const { return facts(network_.inputs(i)[0]).output; }

    /// PALEO keeps '@' for copies and "data" for the input.
    void name_layers() {
        std::set<std::string, std::less<>> taken{"data"};
        bool has_data = false;
        for (const Layer& layer : layers()) {
            std::string name = layer.name;
            std::ranges::replace(name, '@', '_');
            if (!has_data && layer.kind->name == "input") {
                name = "data";
                has_data = true;
            } else {
                while (!taken.insert(name).second) name += '_';
            }
            names_.push_back(std::move(name));
        }
    }

    void error(const Layer& layer, std::string what) {
        problems_.error(layer.at, join_path("layers", layer.name), std::move(what),
                        "Use the pipeline model for this network.");
    }
    /// Said once for a network, at the first layer it holds for.
    void warn(const Layer& layer, const std::string& what, std::string remedy) {
        if (said_.insert(what).second)
            problems_.warning(layer.at, join_path("layers", layer.name), what, std::move(remedy));
    }

    template <class T>
    static const T& get(const Layer& layer, std::string_view name) {
        return std::get<T>(attribute(layer, name));
    }
    using Sizes = std::vector<std::int64_t>;

    Definition define(int i) {
        const Layer& layer = layers()[static_cast<std::size_t>(i)];
        const std::string_view kind = layer.kind->name;
        Definition d;
        d.name = names_[static_cast<std::size_t>(i)];
        d.at = {layer.at.line, layer.at.column};
        d.parents_at = d.filter_at = d.window_at = d.shape_at = d.at;
        for (const int input : network_.inputs(i)) d.parents.push_back(names_[static_cast<std::size_t>(input)]);
        if (layer.shares_weights_with != LayerId{})
            warn(layer, "PALEO knows no shared weights: each layer has its own.", "Its numbers count them again.");
        if (kind == "input") {
            set(d, LayerType::input, "Input");
            d.shape = with_batch(facts(i).output);
        } else if (kind == "convolution") {
            convolution(d, layer, i);
        } else if (kind == "transposed_convolution") {
            transposed(d, layer, i);
        } else if (kind == "dense") {
            set(d, LayerType::inner_product, "InnerProduct");
            if (get<bool>(layer, "per_position") && input_of(i).size() > 1)
                error(layer, "PALEO knows no dense layer that acts on the last axis alone.");
            d.outputs = facts(i).output.back();
            note_activation(d, layer);
            note_bias(layer);
        } else if (kind == "pooling") {
            pooling(d, layer, i);
        } else if (kind == "global_pooling") {
            set(d, LayerType::pooling, get<std::string>(layer, "mode") == "max" ? "Pooling" : "AvgPool");
            if (input_of(i).size() != 3)
                error(layer, "PALEO knows pooling of images only.");
            else
                d.window = {1, input_of(i)[0], input_of(i)[1], 1};
            d.padding = paleo::Padding::valid;
        } else if (kind == "upsample") {
            set(d, LayerType::upsampling, "UpSampling2D");
            const auto& factor = get<Sizes>(layer, "factor");
            if (factor.size() != 2)
                error(layer, "PALEO knows upsampling of images only.");
            else
                d.window = {1, factor[0], factor[1], 1};
        } else if (kind == "dropout") {
            set(d, LayerType::dropout, "Dropout");
            d.keep_probability = 1.0 - get<double>(layer, "rate");
        } else if (kind == "concat") {
            set(d, LayerType::concatenate, "Concatenate");
            const auto axis = get<std::int64_t>(layer, "axis");
            d.dimension = axis > 0 ? axis : static_cast<std::int64_t>(facts(i).output.size()) + 1 + axis;
        } else if (kind == "add") {
            set(d, LayerType::elementwise, "Elementwise");
            note_activation(d, layer);
        } else if (kind == "softmax" && elements(input_of(i)) == input_of(i).back()) {
            set(d, LayerType::softmax, "Softmax");
        } else if (kind == "flatten" || kind == "reshape") {
            set(d, LayerType::reshape, "Reshape");
            d.shape = with_batch(facts(i).output);
            d.shape[0] = -1;
        } else {
            generic(d, layer, i);
        }
        return d;
    }

    static void set(Definition& d, LayerType kind, std::string_view type) {
        d.kind = kind;
        d.type = type;
    }

    std::vector<std::int64_t> with_batch(const Shape& shape) const {
        std::vector<std::int64_t> result{network_.default_batch()};
        result.insert(result.end(), shape.begin(), shape.end());
        return result;
    }

    void note_bias(const Layer& layer) {
        if (!get<bool>(layer, "bias"))
            warn(layer, "PALEO counts a bias for every output, also where the layer has none.",
                 "Its numbers contain them.");
    }

    static void note_activation(Definition& d, const Layer& layer) {
        if (const auto& activation = get<std::string>(layer, "activation"); activation != "none")
            d.activation = activation;
    }

    void generic(Definition& d, const Layer& layer, int i) {
        d.type = layer.kind->name;  // no PALEO type begins with a small letter
        for (const auto& [kind, type] : generic_names)
            if (layer.kind->name == kind) d.type = type;
        if (layer.inputs.empty() || facts(i).output != input_of(i))
            return error(layer, "PALEO has no layer like " + quoted(layer.kind->title) + ".");
        if (facts(i).weights > 0)
            warn(layer, "PALEO counts no weights for layers of type " + d.type + ".", "Its numbers leave them out.");
    }

    bool is_plain(const Layer& layer, int i) {
        const auto& g = *facts(i).convolution;
        const char* const wrong = facts(i).output.size() != 3              ? "PALEO knows convolutions of images only."
                                  : g.groups != 1                          ? "PALEO knows no convolution with groups."
                                  : g.dilation_h != 1 || g.dilation_w != 1 ? "PALEO knows no convolution with dilation."
                                                                           : nullptr;
        if (wrong) error(layer, wrong);
        return !wrong;
    }

    void convolution(Definition& d, const Layer& layer, int i) {
        set(d, LayerType::convolution, "Convolution");
        if (!facts(i).convolution) return error(layer, "PALEO knows no convolution with filters for each place.");
        const auto& g = *facts(i).convolution;
        if (!is_plain(layer, i)) return;
        d.filter = {g.kernel_h, g.kernel_w, g.in_c, g.out_c};
        d.strides = {1, g.stride_h, g.stride_w, 1};
        const auto& padding = get<Padding>(layer, "padding");
        if (padding.mode == Padding::Mode::same) {
            d.padding = paleo::Padding::same;
        } else if (g.pad_top == 0 && g.pad_bottom == 0 && g.pad_left == 0 && g.pad_right == 0) {
            d.padding = paleo::Padding::valid;
        } else if (g.pad_top == g.pad_bottom && g.pad_left == g.pad_right) {
            d.padding = paleo::Padding::given;
            d.pad = {g.pad_top, g.pad_left};
        } else {
            return error(layer, "PALEO knows no padding that differs between the sides.");
        }
        note_bias(layer);
        note_activation(d, layer);
    }

    /// PALEO knows a transposed convolution by the one it undoes, whose padding is SAME or VALID.
    void transposed(Definition& d, const Layer& layer, int i) {
        set(d, LayerType::deconvolution, "Deconvolution");
        const auto& g = *facts(i).convolution;
        if (!is_plain(layer, i)) return;
        d.filter = {g.kernel_h, g.kernel_w, g.out_c, g.in_c};
        d.strides = {1, g.stride_h, g.stride_w, 1};
        d.shape = with_batch(facts(i).output);
        note_bias(layer);
        note_activation(d, layer);
        if (!choose_padding(d, g.out_h, g.out_w, g.kernel_h, g.kernel_w, g.in_h, g.in_w))
            error(layer, "PALEO knows transposed convolutions only with SAME or VALID padding.");
    }

    void pooling(Definition& d, const Layer& layer, int i) {
        set(d, LayerType::pooling, get<std::string>(layer, "mode") == "max" ? "Pooling" : "AvgPool");
        const auto &kernel = get<Sizes>(layer, "kernel"), &stride = get<Sizes>(layer, "stride");
        if (kernel.size() != 2) return error(layer, "PALEO knows pooling of images only.");
        d.window = {1, kernel[0], kernel[1], 1};
        d.strides = {1, stride[0], stride[1], 1};
        const auto &in = input_of(i), &out = facts(i).output;
        if (!choose_padding(d, in[0], in[1], kernel[0], kernel[1], out[0], out[1]))
            error(layer,
                  "PALEO knows pooling only with SAME or VALID padding; neither gives " + to_text(out) + " here.");
    }

    /// The padding for which a window over h × w gives oh × ow: VALID if it does, else SAME.
    static bool choose_padding(Definition& d, std::int64_t h, std::int64_t w, std::int64_t kh, std::int64_t kw,
                               std::int64_t oh, std::int64_t ow) {
        const auto up = [](std::int64_t a, std::int64_t b) { return a <= 0 ? 0 : (a - 1) / b + 1; };
        const std::int64_t sh = d.strides[1], sw = d.strides[2];
        d.padding = paleo::Padding::valid;
        if (up(h - kh + 1, sh) == oh && up(w - kw + 1, sw) == ow) return true;
        d.padding = paleo::Padding::same;
        return up(h, sh) == oh && up(w, sw) == ow;
    }

    const Network& network_;
    std::vector<std::string> names_;
    std::set<std::string> said_;
    ProblemList problems_;
};

}  // namespace
}  // namespace paleo_convert

Result<paleo::Net> to_paleo(const Network& network) { return paleo_convert::Converter(network).run(); }

Result<paleo::Net> read_as_paleo(std::string_view text, std::string file) {
    if (format_of(text) != network_format.name) return read_paleo_network(text, std::move(file));
    ASSIGN_OR_RETURN(const auto network, read_network(text, std::move(file)));
    return to_paleo(*network);
}

Result<std::string> export_paleo_network(const Network& network, bool lossy, Problems& warnings) {
    const auto net = to_paleo(network);
    if (!net) {
        Problems problems = net.error();
        for (Problem& p : problems) p.remedy = "export to Scalescope's JSON or to ONNX, or change the layer";
        return fail(std::move(problems));
    }
    std::string text = write_paleo_network(*net);
    ASSIGN_OR_RETURN(auto draft, import_paleo_network(text, {}));
    ASSIGN_OR_RETURN(const auto back, Network::make(std::move(draft)));
    Problems lost;
    for (const auto& [what, names] : not_said(network, *net, *back))
        lost.push_back({lossy ? Severity::warning : Severity::error,
                        std::to_string(names.size()) + (names.size() == 1 ? " layer: " : " layers: ") + what + ": " +
                            listed(names, 8) + ".",
                        {},
                        lossy ? "the file says less than the network: keep it in another format too"
                              : "export to Scalescope's JSON or to ONNX, or ask for a file that says less (--lossy)",
                        {}});
    if (!lossy && !lost.empty()) return fail(std::move(lost));
    warnings.insert(warnings.end(), lost.begin(), lost.end());
    return text;
}

}  // namespace scalescope::formats
