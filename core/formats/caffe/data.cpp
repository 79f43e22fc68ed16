// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/caffe/data.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/base/limits.hpp"

namespace scalescope::formats {
namespace {

bool is_block_of_parameters(std::string_view name) { return name.ends_with("_param"); }

/// The first field called so in the layer's parameter blocks, and in blocks called *_param inside those.
std::optional<ProtoField> anywhere(ProtoField message, std::string_view name, int depth = 0) {
    for (const ProtoField f : message) {
        if (depth > 0 && f.name() == name && !f.is_message()) return f;
        if (f.is_message() && is_block_of_parameters(f.name()) && depth < 2)
            if (const auto found = anywhere(f, name, depth + 1)) return found;
    }
    return std::nullopt;
}

std::optional<std::int64_t> size_of(ProtoField layer, std::string_view name) {
    const auto f = anywhere(layer, name);
    const auto value = f ? f->integer() : std::nullopt;
    return value && *value >= 1 && *value <= limits::dimension ? value : std::nullopt;
}

bool says(ProtoField layer, std::string_view name, bool wanted) {
    const auto f = anywhere(layer, name);
    return f && f->boolean() == wanted;
}

std::int64_t means(ProtoField layer) {
    std::int64_t n = 0;
    if (const auto transform = layer.find("transform_param"))
        for (const ProtoField f : *transform) n += f.name() == "mean_value" ? 1 : 0;
    return n;
}

/// Data sets whose samples all have one size, by a part of the path of their source.
struct KnownSet {
    std::string_view part, title;
    std::int64_t height, width, channels;
};
constexpr KnownSet known_sets[] = {
    {"mnist_siamese", "pairs of MNIST", 28, 28, 2}, {"mnist", "MNIST", 28, 28, 1}, {"cifar", "CIFAR", 32, 32, 3}};

const KnownSet* known_set(ProtoField layer) {
    const auto source = anywhere(layer, "source");
    if (!source) return nullptr;
    std::string path(source->text());
    std::transform(path.begin(), path.end(), path.begin(),
                   [](unsigned char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c); });
    for (const KnownSet& set : known_sets)
        if (path.find(set.part) != std::string::npos) return &set;
    return nullptr;
}

std::int64_t bounded_product(std::int64_t a, std::int64_t b) {
    return a > limits::dimension / b ? limits::dimension : a * b;
}

}  // namespace

CaffeData caffe_data(const CaffeLayer& layer) {
    const ProtoField f = layer.field;
    const std::int64_t batch = size_of(f, "batch_size").value_or(1);
    const KnownSet* set = known_set(f);
    std::optional<std::int64_t> height, width;
    for (const auto& [h, w] :
         {std::pair("crop_size", "crop_size"), std::pair("crop_h", "crop_w"), std::pair("crop_height", "crop_width"),
          std::pair("new_height", "new_width"), std::pair("height", "width")}) {
        height = size_of(f, h), width = size_of(f, w);
        if (height && width) break;
    }
    const bool from_set = !(height && width) && set;
    if (from_set) height = set->height, width = set->width;
    CaffeData data;
    if (!height || !width) return data;

    std::string assumed;
    auto channels = size_of(f, "channels");
    if (!channels && (says(f, "is_color", false) || says(f, "force_gray", true))) channels = 1;
    if (!channels && says(f, "force_color", true)) channels = 3;
    if (!channels && means(f) > 1) channels = means(f);
    if (!channels && layer.type == "VideoData") {
        const auto modality = anywhere(f, "modality");
        const std::int64_t each = modality && modality->text() == "FLOW" ? 2 : 3;
        channels = bounded_product(bounded_product(size_of(f, "num_segments").value_or(1), each),
                                   size_of(f, "new_length").value_or(1));
    }
    if (from_set) {
        channels = channels.value_or(set->channels);
        assumed = "The file states no size of the data; by the name of their source they are " +
                  std::string(set->title) + ": " + std::to_string(*height) + " × " + std::to_string(*width) + " × " +
                  std::to_string(*channels) + ".";
    } else if (!channels) {
        channels = 3;
        assumed = "The file states no channels of the data; three are assumed: " + std::to_string(*height) + " × " +
                  std::to_string(*width) + " × 3.";
    }
    data.dims = {batch, *channels, *height, *width};
    data.assumed = std::move(assumed);
    return data;
}

std::vector<std::vector<std::int64_t>> caffe_given_shapes(const CaffeLayer& layer, const std::string& where,
                                                          ProblemList& problems) {
    std::vector<std::vector<std::int64_t>> shapes;
    const auto size = [&](ProtoField d) {
        const auto value = d.integer();
        if (value && *value >= 1 && *value <= limits::dimension) return *value;
        problems.error(d.at(), where, "A dimension is a whole number from 1 to 2^31.", "Correct the size.");
        return std::int64_t{1};
    };
    for (const ProtoField block : layer.field) {
        if (!block.is_message() || !is_block_of_parameters(block.name())) continue;
        std::vector<std::vector<std::int64_t>> old(4);  // DummyData's older form: num, channels, height, width
        for (const ProtoField f : block) {
            if (f.name() == "shape") {
                shapes.emplace_back();
                for (const ProtoField d : f)
                    if (d.name() == "dim" && shapes.back().size() <= limits::rank) shapes.back().push_back(size(d));
            }
            std::size_t i = 0;
            for (const std::string_view name : {"num", "channels", "height", "width"}) {
                if (f.name() == name) old[i].push_back(size(f));
                ++i;
            }
            if (shapes.size() > limits::layer_inputs) break;
        }
        if (!shapes.empty()) break;
        for (std::size_t t = 0; t < old[0].size() && t < limits::layer_inputs; ++t) {
            shapes.emplace_back();
            for (const auto& all : old)
                if (!all.empty()) shapes.back().push_back(all[std::min(t, all.size() - 1)]);
        }
        if (!shapes.empty()) break;
    }
    if (shapes.size() == 1) {
        const auto common = shapes[0];
        shapes.assign(std::max<std::size_t>(1, layer.tops.size()), common);
    }
    return shapes;
}

}  // namespace scalescope::formats
