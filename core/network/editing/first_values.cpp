// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/network/editing/first_values.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>

#include "core/network/attributes.hpp"
#include "core/network/editing/graph.hpp"
#include "core/network/editing/names.hpp"

namespace scalescope::editing {
namespace {

using Sizes = std::vector<std::int64_t>;

constexpr std::int64_t usual_filters = 64, usual_units = 1000, usual_vocabulary = 32'000, usual_width = 512,
                       usual_experts = 8, usual_head = 64, usual_groups = 32, usual_side = 7;
constexpr std::int64_t few_channels = 8;  ///< an input with fewer is an image, whose channels are no model for filters

std::vector<Dim> dims_of(const Shape& shape) {
    std::vector<Dim> dims{{1, "batch"}};
    for (std::int64_t d : shape) dims.push_back({d, {}});
    if (dims.size() == 1) dims.push_back({1, {}});
    return dims;
}

bool is(const Layer& layer, std::string_view kind) { return layer.kind->name == kind; }

/// Axes of a window over the input: those before the channels, of an image where nothing is known; steps are none.
std::size_t axes_of(const Layer& layer, const Shape* in) {
    const std::size_t others = is(layer, "conv_lstm") ? 2 : 1;
    return in && in->size() > others && in->size() <= others + 3 ? in->size() - others : 2;
}

/// What is usual for the one attribute, whatever the kind: the names say what they mean.
AttributeValue usual(const AttributeInfo& info, const Layer& layer, const Shape* in) {
    const std::string_view name = info.name;
    const std::int64_t last = in && !in->empty() ? in->back() : 0;
    if (info.type == AttributeType::shape) return dims_of(in ? *in : Shape{224, 224, 3});
    if (info.type == AttributeType::sizes) {
        if (name == "permutation") {  // the other way round
            Sizes order(in ? in->size() : 2);
            std::iota(order.rbegin(), order.rend(), 1);
            return order;
        }
        if (name == "before" || name == "after") {
            Sizes sizes(in ? in->size() : 2, 1);
            if (!sizes.empty()) sizes.back() = 0;
            return sizes;
        }
        if (name == "output") return Sizes(axes_of(layer, in), usual_side);
        const bool large = name == "kernel" && !is(layer, "pooling") && !is(layer, "transposed_convolution");
        return Sizes(axes_of(layer, in), large ? 3 : 2);
    }
    if (info.type == AttributeType::integer) {
        if (name == "filters") return last >= few_channels ? last : usual_filters;
        if (name == "units") return in && in->size() == 2 ? last : usual_units;
        if (name == "heads")
            for (std::int64_t heads : {last / usual_head, std::int64_t{8}, std::int64_t{4}, std::int64_t{2}})
                if (heads > 0 && last % heads == 0) return heads;
        if (name == "groups" && last > 0) return std::gcd(usual_groups, last);
        if (name == "vocabulary") return usual_vocabulary;
        if (name == "width") return usual_width;
        if (name == "experts") return usual_experts;
        if (name == "hidden") return 4 * (last > 0 ? last : usual_width);
        return std::max<std::int64_t>(info.minimum, 1);
    }
    if (info.type == AttributeType::boolean) return false;
    if (info.type == AttributeType::number) return 0.0;
    if (info.type == AttributeType::choice) return std::string(choices_of(info).front());
    if (info.type == AttributeType::padding) return Padding{};
    if (name == "equation") {  // the input as it is
        const std::string letters = std::string("ijklmnop").substr(0, in ? in->size() : 2);
        return letters + "->" + letters;
    }
    return std::string();
}

const Padding same{Padding::Mode::same, 0, 0, 0, 0};

/// Beside what must be given: a window that leaves the size, or halves it; products that act on each position.
void put_usual_options(Layer& layer, const Shape* in) {
    if (is(layer, "convolution") || is(layer, "conv_lstm")) put_value(layer, "padding", same);
    if (is(layer, "pooling") || is(layer, "transposed_convolution"))
        put_value(layer, "stride", Sizes(axes_of(layer, in), 2));
    if (is(layer, "resize")) put_value(layer, "factor", Sizes(axes_of(layer, in), 2));
    if (in && in->size() == 2) put_value(layer, "per_position", true);
    if (is(layer, "matmul")) put_value(layer, "transpose_b", true);
}

void keep_shape(Layer& layer, const Shape& in) {
    put_value(layer, "padding", same);
    const std::size_t axes = axes_of(layer, &in);
    put_value(layer, "stride", Sizes(axes, 1));
    put_value(layer, "factor", Sizes(axes, 1));
    if (attribute_index(*layer.kind, "padding") >= 0) put_value(layer, "kernel", Sizes(axes, 3));
    put_value(layer, "block", std::int64_t{1});
    Sizes order(in.size());
    std::iota(order.begin(), order.end(), 1);
    put_value(layer, "permutation", order);
    for (const char* side : {"before", "after"}) put_value(layer, side, Sizes(in.size(), 0));
    if (in.empty()) return;
    if (!is(layer, "resize")) put_value(layer, "output", Sizes(in.begin(), in.end() - 1));
    for (const char* all : {"size", "k"}) put_value(layer, all, in.back());
    put_value(layer, "filters", in.back());
    put_value(layer, "units", in.back());
    put_value(layer, "per_position", in.size() > 1);
}

/// What a new layer takes over from one of its kind beside the attributes that must be given.
constexpr std::array<std::string_view, 5> taken_over{"bias", "activation", "per_position", "causal", "flash"};

void take_over(Layer& layer, const Layer& model, const Shape* in) {
    for (std::size_t a = 0; a < layer.attributes.size(); ++a) {
        const AttributeInfo& info = layer.kind->attributes[a];
        const bool open = std::holds_alternative<std::monostate>(info.initial);
        // Windows differ from layer to layer, and a shape says the size of its own input.
        if (open && (info.type == AttributeType::sizes || (info.type == AttributeType::shape && in))) continue;
        if (open || std::find(taken_over.begin(), taken_over.end(), info.name) != taken_over.end())
            layer.attributes[a] = model.attributes[a];
    }
}

}  // namespace

Surroundings surroundings_of(const Sketch& sketch, const Kind& kind, std::span<const LayerId> sources) {
    Surroundings around;
    std::unordered_map<std::uint32_t, int> positions;
    for (int l = 0; l < sketch.size(); ++l) positions.emplace(sketch.layers[static_cast<std::size_t>(l)].id.value, l);
    std::vector<int> next;
    for (LayerId id : sources) {
        const auto it = positions.find(id.value);
        if (it == positions.end()) continue;
        next.push_back(it->second);
        if (const auto& f = sketch.facts[static_cast<std::size_t>(it->second)]) around.inputs.push_back(f->output);
    }
    std::vector<char> seen(sketch.layers.size(), 0);
    for (std::size_t i = 0; i < next.size() && !around.model; ++i) {  // the nearest first
        const auto l = static_cast<std::size_t>(next[i]);
        if (std::exchange(seen[l], 1)) continue;
        if (sketch.layers[l].kind == &kind) around.model = &sketch.layers[l];
        next.insert(next.end(), sketch.inputs[l].begin(), sketch.inputs[l].end());
    }
    for (auto l = sketch.layers.rbegin(); l != sketch.layers.rend() && !around.model; ++l)
        if (l->kind == &kind) around.model = &*l;
    return around;
}

std::vector<Layer> with_first_values(const Layer& blank, const Surroundings& around) {
    const Shape* in = around.inputs.empty() ? nullptr : &around.inputs.front();
    Layer usually = blank;
    for (std::size_t a = 0; a < usually.attributes.size(); ++a)
        if (std::holds_alternative<std::monostate>(usually.attributes[a]))
            usually.attributes[a] = usual(usually.kind->attributes[a], usually, in);
    put_usual_options(usually, in);
    std::vector<Layer> ways;
    if (around.model) {
        ways.push_back(usually);
        take_over(ways.back(), *around.model, in);
    }
    ways.push_back(std::move(usually));
    if (in) {
        Layer keeping = ways.front();
        keep_shape(keeping, *in);
        ways.push_back(std::move(keeping));
    }
    return ways;
}

std::string name_stem(const Kind& kind, const Layer* model) {
    if (model)
        if (const auto split = split_number(leaf_name(model->name));
            split && std::none_of(split->stem.begin(), split->stem.end(), [](char c) { return c >= '0' && c <= '9'; }))
            return std::string(split->stem);
    constexpr std::array<std::pair<std::string_view, std::string_view>, 8> short_names{
        {{"convolution", "conv"},
         {"transposed_convolution", "deconv"},
         {"pooling", "pool"},
         {"dense", "fc"},
         {"batch_norm", "bn"},
         {"dropout", "drop"},
         {"activation", "relu"},
         {"mixture_of_experts", "experts"}}};
    for (const auto& [name, stem] : short_names)
        if (name == kind.name) return std::string(stem);
    return std::string(kind.name);
}

}  // namespace scalescope::editing
