// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <optional>
#include <utility>

#include "core/base/limits.hpp"
#include "core/base/sequences.hpp"
#include "core/formats/caffe/converter.hpp"

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
    std::ranges::transform(path, path.begin(),
                           [](unsigned char c) { return static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c); });
    return find_where(known_sets, [&](const KnownSet& set) { return path.find(set.part) != std::string::npos; });
}

std::int64_t bounded_product(std::int64_t a, std::int64_t b) {
    return a > limits::dimension / b ? limits::dimension : a * b;
}

/// What a layer that brings data gives: its text often says only part of it.
struct CaffeData {
    std::vector<std::int64_t> dims;  ///< batch first; empty: the text does not say
    std::string assumed;             ///< what was taken for granted, as a sentence; empty: all is written
};

/// The first tensor of a layer that reads a data set (Data, ImageData, MemoryData, …, and those of forks), from its
/// crop size, sizes and batch size wherever in its blocks they stand. Channels that stand nowhere are three; the sizes
/// of MNIST and CIFAR are known by the name of the data set.
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

/// All tensors of an Input or DummyData layer, each with its own or the one common shape.
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

}  // namespace

void CaffeConverter::set_batch(const CaffeDims& with_batch) {
    if (!batch_ && !with_batch.empty()) batch_ = std::min(with_batch[0], limits::batch);
}

void CaffeConverter::add_data(const std::string& top, const std::string& name, const SourcePosition& at,
                              const CaffeDims& with_batch) {
    set_batch(with_batch);
    const CaffeDims dims(with_batch.begin() + (with_batch.empty() ? 0 : 1), with_batch.end());
    const auto position = add(build_.unique_name(name, "data"), at, "input", {{"shape", shape_value(dims)}}, {});
    Blob blob;
    if (position) {
        blob.layer = *position;
        blob.dims = theirs_of(build_.shape(*position));
    } else {
        blob.state = Blob::State::broken;
    }
    put(top, std::move(blob));
}

void CaffeConverter::add_label(const std::string& top) {
    labels_.push_back(top);
    put_side(top);
}

void CaffeConverter::add_given(const CaffeInput& input) {
    if (is_target(input.name)) return add_label(input.name);
    if (!input.dims.empty()) return add_data(input.name, input.name, input.at, input.dims);
    problems_.error(input.at, input.name, "The file states no size of the input " + quoted(input.name) + ".",
                    "Write input_shape { dim: 1 dim: 3 dim: 224 dim: 224 } behind it, with the size of your data.");
    put(input.name, Blob{Blob::State::broken, 0, {}, 1});
}

void CaffeConverter::source(const CaffeLayer& l) {
    const bool given = l.type == "Input" || l.type == "DummyData";
    const auto shapes = given ? caffe_given_shapes(l, where(l), problems_) : std::vector<std::vector<std::int64_t>>{};
    for (std::size_t t = 0; t < l.tops.size(); ++t) {
        const std::string& top = l.tops[t];
        if (is_target(top) || (t > 0 && !given)) {
            add_label(top);
            continue;
        }
        const std::string name = l.tops.size() == 1 || t == 0 ? l.name : top;
        if (given && t < shapes.size() && !shapes[t].empty()) {
            add_data(top, name, l.field.name_at(), shapes[t]);
            continue;
        }
        CaffeData data;
        if (!given) data = caffe_data(l);
        if (data.dims.empty()) {
            no_size(l, top);
            put(top, Blob{Blob::State::broken, 0, {}, 1});
            continue;
        }
        if (!data.assumed.empty())
            warning(l, data.assumed, "Replace the layer by " + input_like(top) + " if they are not.");
        add_data(top, name, l.field.name_at(), data.dims);
    }
}

std::string CaffeConverter::input_like(const std::string& top) {
    return "layer { type: \"Input\" top: " + quoted(top) +
           " input_param { shape { dim: 1 dim: 3 dim: 224 dim: 224 } } } with the size of your data";
}

void CaffeConverter::no_size(const CaffeLayer& l, const std::string& top) {
    const bool own = l.type == "Python" || l.type == "HDF5Data" || l.type == "Input" || l.type == "DummyData";
    error(l, "The file states no size of the data " + quoted(top) + ".",
          (own ? std::string("Replace the layer by ")
               : "Write the crop, such as transform_param { crop_size: 224 }, or replace the layer by ") +
              input_like(top) + ".");
}

}  // namespace scalescope::formats
