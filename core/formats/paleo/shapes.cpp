// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/paleo/build.hpp"

#include <algorithm>
#include <optional>
#include <string>

namespace scalescope::formats::paleo_build {

using namespace paleo;

namespace {

/// The product of sizes >= 0, or nothing if it exceeds limits::elements.
std::optional<std::int64_t> product(std::initializer_list<std::int64_t> sizes) {
    std::int64_t result = 1;
    for (const auto size : sizes) {
        if (size != 0 && result > limits::elements / size) return std::nullopt;
        result *= size;
    }
    return result;
}

bool has_bounded_elements(const Shape& shape) {
    std::int64_t result = 1;
    for (int i = 1; i < shape.rank; ++i) {
        if (shape[i] > limits::dimension || result > limits::elements / shape[i]) return false;
        result *= shape[i];
    }
    return true;
}

std::int64_t divide_up(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }

std::int64_t halve_down(std::int64_t a) { return a >= 0 ? a / 2 : -((1 - a) / 2); }

std::string text(const Shape& shape) {
    std::string result;
    for (int i = 1; i < shape.rank; ++i) result += (i > 1 ? "×" : "") + std::to_string(shape[i]);
    return result.empty() ? "nothing" : result;
}

class Deriver {
public:
    Deriver(Layer& layer, const Unfolded& from, const std::vector<Layer>& done, const Reporter& report)
        : layer_(layer), from_(from), definition_(*from.definition), done_(done), report_(report) {}

    bool run() {
        if (!has_plausible_sizes())
            return error(definition_.at, "The layer has a size below 1 or beyond all bounds.",
                         "Write sizes of at least 1.");
        if (!take_input()) return false;
        Shape output;
        if (!infer(output)) return false;
        if (!has_bounded_elements(output))
            return error(definition_.at, "The layer's output " + text(output) + " is too large.", "Use smaller sizes.");
        layer_.output = output;
        return true;
    }

private:
    /// Copies of a layer are alike: the first speaks for all. False, to be returned.
    bool error(Place at, std::string what, std::string remedy) const {
        if (from_.split <= 0) report_.error(layer_.name, at, std::move(what), std::move(remedy));
        return false;
    }
    void warning(Place at, std::string what, std::string remedy) const {
        if (from_.split <= 0) report_.warning(layer_.name, at, std::move(what), std::move(remedy));
    }

    /// The decoder has checked this already, with better words; a description made by a program comes here unchecked.
    bool has_plausible_sizes() const {
        const auto all = [](const auto& sizes, std::int64_t lowest) {
            return std::ranges::all_of(sizes, [&](std::int64_t s) { return s >= lowest && s <= limits::dimension; });
        };
        const bool image = layer_.kind == LayerType::convolution || layer_.kind == LayerType::deconvolution;
        const bool window = layer_.kind == LayerType::pooling || layer_.kind == LayerType::upsampling;
        const bool shape = layer_.kind == LayerType::input || layer_.kind == LayerType::reshape ||
                           layer_.kind == LayerType::deconvolution;
        const auto& d = definition_;
        const std::int64_t inputs = layer_.filter[2] == -1 ? 1 : layer_.filter[2];
        if (shape && (d.shape.empty() || d.shape.size() > static_cast<std::size_t>(limits::rank))) return false;
        if (shape && std::ranges::find(d.shape, 0) != d.shape.end()) return false;
        return all(d.strides, 1) && all(d.pad, 0) && (!window || all(d.window, 1)) && d.outputs >= 0 &&
               d.outputs <= limits::dimension &&
               (!image || all(std::array{d.filter[0], d.filter[1], inputs, d.filter[3]}, 1)) &&
               all(d.shape, layer_.kind == LayerType::input ? 1 : -1) &&
               (d.shape.empty() || d.shape[0] <= limits::batch) &&
               (layer_.kind != LayerType::deconvolution || d.shape.size() == 4) &&
               (layer_.kind != LayerType::inner_product || d.outputs > 0);
    }

    const Layer& parent(std::size_t i) const { return done_[static_cast<std::size_t>(layer_.parents[i])]; }

    bool take_input() {
        for (std::size_t i = 0; i < layer_.parents.size(); ++i) {
            if (parent(i).output.rank == 0) return false;  // the parent's own problem was reported
            layer_.reads_data = layer_.reads_data || parent(i).name == "data";
        }
        if (!layer_.parents.empty()) layer_.input = parent(0).output;
        const bool joins = layer_.kind == LayerType::concatenate || layer_.kind == LayerType::elementwise ||
                           layer_.kind == LayerType::generic || layer_.kind == LayerType::input;
        if (!joins && layer_.parents.size() > 1)
            return error(definition_.parents_at,
                         "A layer of type " + layer_.type + " reads one layer, not " +
                             std::to_string(layer_.parents.size()) + ".",
                         "Join them with a Concatenate or Elementwise layer first.");
        if (layer_.kind == LayerType::elementwise && layer_.parents.size() < 2)
            return error(definition_.parents_at, "An Elementwise layer joins at least two layers.",
                         "Name both parents, or remove the layer.");
        return true;
    }

    bool needs_image() const {
        if (layer_.input.rank == 4) return true;
        return error(definition_.parents_at,
                     "A layer of type " + layer_.type + " needs an image (height, width, channels), but gets " +
                         text(layer_.input) + ".",
                     "Put it before the layers that flatten, or reshape first.");
    }

    bool infer(Shape& output) {
        switch (layer_.kind) {
            case LayerType::input: return input(output);
            case LayerType::convolution: return needs_image() && convolution(output);
            case LayerType::deconvolution: return needs_image() && deconvolution(output);
            case LayerType::pooling: return needs_image() && pooling(output);
            case LayerType::upsampling: return needs_image() && upsampling(output);
            case LayerType::concatenate: return concatenate(output);
            case LayerType::reshape: return reshape(output);
            case LayerType::elementwise: return elementwise(output);
            case LayerType::softmax: return softmax(output);
            case LayerType::sigmoid: output = {layer_.input.batch(), 1}; return true;
            case LayerType::inner_product: return inner_product(output);
            case LayerType::dropout:
            case LayerType::generic: output = layer_.input; return true;
        }
        return false;
    }

    bool input(Shape& output) {
        for (const auto size : definition_.shape) output.size[static_cast<std::size_t>(output.rank++)] = size;
        if (!has_bounded_elements(output)) return true;  // run() says so
        layer_.input = output;
        return true;
    }

    /// Output sizes of a window over an image; sets layer_.pad if `pads`.
    bool slide(const Shape& image, std::int64_t window_h, std::int64_t window_w, std::string_view what, bool pads,
               std::array<std::int64_t, 2>& out) {
        const std::array<std::int64_t, 2> window{window_h, window_w};
        for (std::size_t axis = 0; axis < 2; ++axis) {
            const std::int64_t h = image[static_cast<int>(axis) + 1], k = window[axis], s = layer_.strides[axis + 1];
            std::int64_t pad = 0;
            if (layer_.padding == Padding::valid) {
                out[axis] = h >= k ? divide_up(h - k + 1, s) : 0;
            } else if (layer_.padding == Padding::same) {
                out[axis] = divide_up(h, s);
                pad = halve_down((out[axis] - 1) * s + k - h);
            } else {
                pad = definition_.pad[axis];
                out[axis] = h + 2 * pad >= k ? (h + 2 * pad - k) / s + 1 : 0;
            }
            if (pads) layer_.pad[axis] = pad;
            if (out[axis] >= 1) continue;
            return error(definition_.filter_at.line ? definition_.filter_at : definition_.window_at,
                         "The " + std::string(what) + " " + std::to_string(window_h) + "×" + std::to_string(window_w) +
                             " is larger than its input " + text(image) + ".",
                         "Use a smaller one, or \"padding\": \"SAME\".");
        }
        return true;
    }

    bool split_outputs() {
        if (from_.split == not_split || from_.splits == 1) return true;
        auto& outputs = layer_.filter[3];
        const std::string sentence = "The " + std::to_string(outputs) + " output channels do not divide into " +
                                     std::to_string(from_.splits) + " splits";
        if (outputs < from_.splits)
            return error(definition_.filter_at, sentence + ": not even one for each.",
                         "Use fewer splits or more channels.");
        const auto left_over = outputs % from_.splits;
        if (left_over != 0)
            warning(definition_.filter_at, sentence + ": PALEO drops the remaining " + std::to_string(left_over) + ".",
                    "Use a number of channels that " + std::to_string(from_.splits) + " divides.");
        outputs /= from_.splits;
        return true;
    }

    bool count_parameters(std::int64_t biases) {
        const auto& f = layer_.filter;
        const auto weights = product({f[0], f[1], f[2], f[3]});
        if (weights) {
            layer_.parameters = *weights + biases;
            return true;
        }
        return error(definition_.filter_at, "The filter has too many weights.", "Use smaller sizes.");
    }

    bool convolution(Shape& output) {
        const std::int64_t channels = layer_.input[3];
        if (layer_.filter[2] == -1) layer_.filter[2] = channels;
        if (layer_.filter[2] != channels)
            return error(
                definition_.filter_at,
                "The filter expects " + std::to_string(layer_.filter[2]) + " input channels, " +
                    quoted(parent(0).name) + " gives " + std::to_string(channels) + ".",
                "Write " + std::to_string(channels) + " as the third number of \"filter\", or -1 to take what comes.");
        std::array<std::int64_t, 2> out{};
        if (!split_outputs() || !slide(layer_.input, layer_.filter[0], layer_.filter[1], "filter", true, out))
            return false;
        output = {layer_.input.batch(), out[0], out[1], layer_.filter[3]};
        return count_parameters(layer_.filter[3]);
    }

    bool deconvolution(Shape& output) {
        const auto& s = definition_.shape;
        output = {s[0] == -1 ? layer_.input.batch() : s[0], s[1], s[2], s[3]};
        for (const int axis : {1, 2, 3})
            if (output[axis] < 1)
                return error(definition_.shape_at, "The output_shape of a Deconvolution must be written out.",
                             "Write [batch, height, width, channels].");
        const auto& f = layer_.filter;
        if (f[2] != output[3] || f[3] != layer_.input[3])
            return error(definition_.filter_at,
                         "The filter turns " + std::to_string(f[3]) + " channels into " + std::to_string(f[2]) +
                             ", but the layer turns " + std::to_string(layer_.input[3]) + " into " +
                             std::to_string(output[3]) + ".",
                         "A Deconvolution's filter is [height, width, output channels, input channels].");
        std::array<std::int64_t, 2> back{};
        if (!has_bounded_elements(output)) return true;  // run() says so
        if (!slide(output, f[0], f[1], "filter", true, back)) return false;
        if (back[0] != layer_.input[1] || back[1] != layer_.input[2])
            return error(
                definition_.shape_at,
                "An output of " + text(output) + " belongs to an input of " + std::to_string(back[0]) + "×" +
                    std::to_string(back[1]) + ", but the input is " + text(layer_.input) + ".",
                "Change output_shape or strides: the convolution this layer undoes must give the input's size.");
        return count_parameters(f[3]);
    }

    bool pooling(Shape& output) {
        std::array<std::int64_t, 2> out{};
        if (!slide(layer_.input, layer_.window[1], layer_.window[2], "window", false, out)) return false;
        output = {layer_.input.batch(), out[0], out[1], layer_.input[3]};
        return true;
    }

    bool upsampling(Shape& output) {
        output = {layer_.input.batch(), layer_.input[1], layer_.input[2], layer_.input[3]};
        for (const std::size_t axis : {1u, 2u}) {
            if (output.size[axis] > limits::dimension / layer_.window[axis])
                return error(definition_.window_at, "The enlarged image is too large.", "Use a smaller ksize.");
            output.size[axis] *= layer_.window[axis];
        }
        return true;
    }

    bool concatenate(Shape& output) {
        output = layer_.input;
        const auto dim =
            static_cast<int>(definition_.dimension < 0 ? definition_.dimension + output.rank : definition_.dimension);
        if (dim < 0 || dim >= output.rank)
            return error(definition_.at,
                         "The layer joins dimension " + std::to_string(definition_.dimension) +
                             ", but its inputs have only " + std::to_string(output.rank) + ".",
                         "Write 3 as \"dim\" to join the channels of images.");
        for (std::size_t i = 1; i < layer_.parents.size(); ++i) {
            const Shape& other = parent(i).output;
            bool fits = other.rank == output.rank;
            for (int d = 0; d < output.rank && fits; ++d) fits = d == dim || other[d] == output[d];
            if (!fits) return mismatch(i);
            output.size[static_cast<std::size_t>(dim)] += other[dim];
            if (output[dim] > limits::dimension)
                return error(definition_.at, "The joined tensor is too large.", "Join fewer layers.");
        }
        return true;
    }

    bool mismatch(std::size_t i) const {
        return error(definition_.parents_at,
                     quoted(parent(0).name) + " gives " + text(parent(0).output) + ", but " + quoted(parent(i).name) +
                         " gives " + text(parent(i).output) +
                         (parent(i).output.batch() != parent(0).output.batch() ? " (and another batch)." : "."),
                     layer_.kind == LayerType::elementwise
                         ? "All parents of an Elementwise layer have the same shape."
                         : "Parents of a Concatenate layer differ only in the dimension \"dim\".");
    }

    bool elementwise(Shape& output) {
        output = layer_.input;
        for (std::size_t i = 1; i < layer_.parents.size(); ++i)
            if (parent(i).output != output) return mismatch(i);
        return true;
    }

    bool reshape(Shape& output) {
        const Shape& input = layer_.input;
        for (const auto size : definition_.shape) output.size[static_cast<std::size_t>(output.rank++)] = size;
        if (output[0] == -1) output.size[0] = input.batch();
        // Where the batch stays in front, only what is behind it has to agree.
        const bool same_batch = output[0] == input.batch() && output.rank > 1;
        const auto all = same_batch ? input.per_sample() : product({input.batch(), input.per_sample()});
        std::optional<std::int64_t> wanted = 1;
        for (int i = same_batch ? 1 : 0; i < output.rank - (output[output.rank - 1] == -1 ? 1 : 0) && wanted; ++i)
            wanted = output[i] < 0 ? std::nullopt : product({*wanted, output[i]});
        if (all && wanted && output[output.rank - 1] == -1 && *all % *wanted == 0) {
            output.size[static_cast<std::size_t>(output.rank - 1)] = *all / *wanted;
            return true;
        }
        if (all && wanted && *all == *wanted) return true;
        error(definition_.shape_at,
              "The new shape does not hold the " + text(input) + " elements of " + quoted(parent(0).name) + ".",
              "Its sizes must multiply to the same number; -1 may stand first (batch) or last (the rest).");
        return false;
    }

    bool softmax(Shape& output) {
        const std::int64_t last = layer_.input[layer_.input.rank - 1];
        output = {layer_.input.batch(), definition_.outputs > 0 ? definition_.outputs : last};
        if (definition_.outputs > 0 && definition_.outputs != last)
            warning(definition_.at,
                    "The Softmax has " + std::to_string(definition_.outputs) + " classes, but " +
                        quoted(parent(0).name) + " gives " + std::to_string(last) + " values.",
                    "Make both the same.");
        return true;
    }

    bool inner_product(Shape& output) {
        if (layer_.input.rank != 2) layer_.input = {layer_.input.batch(), layer_.input.per_sample()};
        output = {layer_.input.batch(), definition_.outputs};
        const auto weights = product({layer_.input[1], definition_.outputs});
        if (!weights) return error(definition_.at, "The layer has too many weights.", "Use fewer outputs.");
        layer_.parameters = *weights + definition_.outputs;
        return true;
    }

    Layer& layer_;
    const Unfolded& from_;
    const Definition& definition_;
    const std::vector<Layer>& done_;
    const Reporter& report_;
};

}  // namespace

void derive(Layer& layer, const Unfolded& from, const std::vector<Layer>& done, const Reporter& report) {
    Deriver(layer, from, done, report).run();
}

}  // namespace scalescope::formats::paleo_build
