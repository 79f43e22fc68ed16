// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/keras/use.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include "core/base/limits.hpp"
#include "core/base/name_list.hpp"

namespace scalescope::formats {

Shape shape_of_keras(const KerasDims& dims, bool first) {
    Shape shape = dims;
    if (first && !shape.empty()) std::rotate(shape.begin(), shape.begin() + 1, shape.end());
    if (shape.empty()) shape.push_back(1);
    return shape;
}

KerasDims keras_dims_of(const Shape& shape, bool first) {
    KerasDims dims = shape;
    if (first && !dims.empty()) std::rotate(dims.begin(), dims.end() - 1, dims.end());
    return dims;
}

void KerasTensor::follow(const KerasTensor& other) {
    for (std::size_t a = 0; a < other.symbols.size() && a < dims.size(); ++a) {
        if (other.symbols[a].empty() || dims[a] != other.dims[a]) continue;
        symbols.resize(std::max(symbols.size(), a + 1));
        symbols[a] = other.symbols[a];
    }
}

std::vector<Dim> KerasTensor::attribute() const {
    std::vector<Dim> sizes = batch_of(dims);
    for (std::size_t a = 0; a < symbols.size() && a < dims.size(); ++a)
        if (!symbols[a].empty()) sizes[a + 1] = {1, symbols[a]};
    if (first && dims.size() > 1) std::rotate(sizes.begin() + 1, sizes.begin() + 2, sizes.end());
    return sizes;
}

std::vector<std::int64_t> permutation_of(const std::vector<std::size_t>& order, bool from_first, bool to_first) {
    const std::size_t n = order.size();
    std::vector<std::int64_t> permutation;
    for (std::size_t i = 0; i < n; ++i) {
        const std::size_t axis = order[to_first ? (i + 1) % n : i], ours = from_first ? (axis + n - 1) % n : axis;
        permutation.push_back(static_cast<std::int64_t>(ours) + 1);
    }
    return permutation;
}

KerasTensors only(std::optional<KerasTensor> tensor) {
    return tensor ? KerasTensors{std::move(*tensor)} : KerasTensors{};
}

KerasUse::KerasUse(KerasBuild& of, const KerasLayer& which, std::string within, KerasTensors from,
                   const KerasCall* called)
    : build(of),
      layer(which),
      prefix(std::move(within)),
      inputs(std::move(from)),
      call(called),
      over_time(of.over_time),
      fields(which.config, join_path("layers", prefix + std::string(which.name)), of.problems) {}

std::optional<KerasTensor> KerasUse::add(std::string_view kind, const DraftBuilder::Givens& given,
                                         const KerasTensors& from, std::string_view part) {
    return add_as(kind, given, from, !from.empty() && from[0].first, part);
}

std::optional<KerasTensor> KerasUse::add_as(std::string_view kind, const DraftBuilder::Givens& given,
                                            const KerasTensors& from, bool first, std::string_view part) {
    std::vector<std::size_t> positions;
    for (const KerasTensor& tensor : from) positions.push_back(tensor.layer);
    std::string name = layer.name.empty() ? std::string() : prefix + std::string(layer.name);
    if (!part.empty() && !name.empty()) name += '/' + std::string(part);
    name = build.draft.unique_name(std::move(name), prefix + std::string(layer.type));
    const auto position = build.draft.add(std::move(name), at(), kind, given, positions);
    if (!position || !owns_or_shares(*position)) return std::nullopt;
    const Shape& shape = build.draft.shape(*position);
    first = first && shape.size() > 1;
    KerasTensor made{*position, keras_dims_of(shape, first), first};
    if (!from.empty()) made.follow(from[0]);
    return made;
}

bool KerasUse::owns_or_shares(std::size_t position) {
    const std::int64_t weights = build.draft.facts(position).weights;
    if (weights == 0) return true;
    auto& before = build.made[layer.at.source().data()];
    if (weighted_++ == before.size()) {
        before.push_back(position);
        if (!fields.flag({"trainable"}, true)) build.notes.frozen.push_back(build.draft.layer(position).name);
        return true;
    }
    const std::size_t owner = before[weighted_ - 1];
    build.draft.share_weights(position, owner);
    if (build.draft.facts(owner).weights == weights) return true;
    error("It is called again with an input that asks for other weights: " + std::to_string(weights) +
              " of them, not " + std::to_string(build.draft.facts(owner).weights) + ".",
          "Give both calls inputs of the same width, or use two layers.");
    return false;
}

std::optional<KerasTensor> KerasUse::unknown(const KerasDims& dims, std::int64_t weights, std::string_view part) {
    const bool first = !inputs.empty() && inputs[0].first && dims.size() == inputs[0].dims.size();
    KerasTensor result{0, dims, first};
    if (!inputs.empty()) result.follow(inputs[0]);
    KerasTensors from = inputs;
    if (weights > 0) {
        const auto trained = trained_tensor(weights);
        if (!trained) return std::nullopt;
        from.push_back(*trained);
    }
    return add_as("unknown", {{"type", std::string(layer.type)}, {"shape", result.attribute()}}, from, first, part);
}

std::optional<KerasTensor> KerasUse::trained_tensor(std::int64_t weights) {
    // The tensor itself serves every call.
    if (const auto& before = build.made[layer.at.source().data()]; weighted_ < before.size())
        return KerasTensor{before[weighted_++], {weights}, false};
    return add_as("parameter", {{"shape", batch_of({weights})}}, {}, false, "weights");
}

std::optional<KerasTensor> KerasUse::arranged(const KerasTensor& tensor, bool first) {
    KerasTensor same = tensor;
    if (tensor.dims.size() < 2) same.first = false;
    if (tensor.dims.size() < 2 || tensor.first == first) return same;
    build.notes.layouts.push_back(prefix + std::string(layer.name));
    std::vector<std::size_t> same_order(tensor.dims.size());
    std::iota(same_order.begin(), same_order.end(), std::size_t{0});
    return add_as("transpose", {{"permutation", permutation_of(same_order, tensor.first, first)}}, {tensor}, first,
                  "layout");
}

std::optional<KerasTensor> KerasUse::view(const KerasTensor& tensor, const KerasDims& dims, bool first,
                                          std::string_view part) {
    first = first && dims.size() > 1;
    KerasTensor result{tensor.layer, dims, first};
    result.follow(tensor);
    if (shape_of_keras(dims, first) == build.draft.shape(tensor.layer)) return result;
    auto made = add_as("reshape", {{"shape", result.attribute()}}, {tensor}, first, part);
    if (made) made->dims = dims;
    return made;
}

KerasNothing KerasUse::error(std::string what, std::string remedy) {
    build.problems.error(at(), where(), std::move(what), std::move(remedy));
    return {};
}

void KerasUse::warning(std::string what, std::string remedy) {
    build.problems.warning(at(), where(), std::move(what), std::move(remedy));
}

const KerasType* find_keras_type(std::string_view name) {
    for (const auto family :
         {keras_convolution_types(), keras_pooling_types(), keras_dense_types(), keras_recurrent_types(),
          keras_merge_types(), keras_normalization_types(), keras_activation_types(), keras_shape_types(),
          keras_attention_types(), keras_wrapper_types()})
        for (const KerasType& type : family)
            if (is_among(name, type.names)) return &type;
    return nullptr;
}

std::size_t keras_axes(std::string_view type) {
    for (std::size_t n = 1; n <= 3; ++n)
        if (type.find(std::to_string(n) + 'D') != std::string_view::npos) return n;
    return 0;
}

bool keras_channels_first(KerasUse& use) {
    const auto order = use.fields.word({"data_format", "dim_ordering"}, "default");
    if (order == "channels_first" || order == "th") return true;
    if (order == "channels_last" || order == "tf") return false;
    if (order != "default")
        use.fields.error(*use.fields.find({"data_format", "dim_ordering"}),
                         "There is no order of the axes called " + quoted(order) + ".",
                         "Write \"channels_last\" or \"channels_first\".");
    return use.build.first && keras_axes(use.layer.type) > 1;
}

std::string_view keras_padding(KerasUse& use, std::string_view known) {
    const auto word = use.fields.word({"padding", "border_mode"}, "valid");
    if (!is_among(word, known))
        use.fields.error(*use.fields.find({"padding", "border_mode"}),
                         "There is no padding called " + quoted(word) + " here.", "Write \"valid\" or \"same\".");
    return word;
}

std::int64_t KerasWindow::out(std::size_t axis, std::int64_t in) const {
    const std::int64_t reach = (kernel[axis] - 1) * dilation[axis] + 1;
    if (padding == "same" || padding == "causal") return (in + stride[axis] - 1) / stride[axis];
    if (padding == "full") in += 2 * (reach - 1);
    return in < reach ? 0 : (in - reach) / stride[axis] + 1;
}

Padding KerasWindow::padded() const {
    Padding p;
    if (padding == "same") p.mode = Padding::Mode::same;
    if (padding != "causal" && padding != "full") return p;
    p.mode = Padding::Mode::explicit_sizes;
    p.axes = static_cast<int>(kernel.size());
    // The last axis is called width, whatever the window moves over.
    std::int64_t* const sides[][2] = {{&p.left, &p.right}, {&p.top, &p.bottom}, {&p.front, &p.back}};
    for (std::size_t a = 0; a < kernel.size() && a < std::size(sides); ++a) {
        const std::size_t axis = kernel.size() - 1 - a;
        *sides[a][0] = (kernel[axis] - 1) * dilation[axis];
        if (padding == "full") *sides[a][1] = *sides[a][0];
    }
    return p;
}

bool has_axes(KerasUse& use, const KerasTensor& tensor, std::size_t axes) {
    if (tensor.dims.size() == axes + 1 + (use.over_time ? 1 : 0)) return true;
    const char* const wants[] = {"", "a sequence: steps and channels", "an image: height, width and channels",
                                 "a volume: three axes and channels"};
    use.error(
        "A " + std::string(use.layer.type) + " reads " + wants[axes] + "; its input is " + to_text(tensor.dims) + ".",
        "Put a Reshape before it, or correct its inbound_nodes.");
    return false;
}

std::vector<std::int64_t> with_time(const KerasUse& use, std::vector<std::int64_t> sizes) {
    if (use.over_time) sizes.insert(sizes.begin(), 1);
    return sizes;
}

}  // namespace scalescope::formats
