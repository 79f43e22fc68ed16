// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/limits.hpp"
#include "core/base/problem.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

/// PALEO's own idea of a network (github.com/TalwalkarLab/paleo): plain values, first as the file writes them, then
/// unfolded. Independent of core/network, so that the room `paleo` stays an exact copy of what PALEO knows.
namespace scalescope::paleo {

enum class LayerType : std::uint8_t {
    input,
    convolution,
    deconvolution,
    pooling,  ///< maximum or average: they cost the same
    upsampling,
    dropout,
    concatenate,
    reshape,
    elementwise,
    softmax,
    sigmoid,
    inner_product,
    generic,  ///< a type PALEO does not know: shape unchanged, no cost, no weights
};

enum class Padding : std::uint8_t { same, valid, given };

/// Sizes of a tensor, outermost first; images are batch, height, width, channels.
struct Shape {
    int rank = 0;
    std::array<std::int64_t, limits::rank> size{};

    Shape() = default;
    Shape(std::initializer_list<std::int64_t> sizes) {
        for (const auto s : sizes) size[static_cast<std::size_t>(rank++)] = s;
    }
    std::int64_t operator[](int i) const { return size[static_cast<std::size_t>(i)]; }
    std::int64_t batch() const { return rank > 0 ? size[0] : 1; }
    std::int64_t per_sample() const {  ///< elements without the batch; the builder keeps it within limits::elements
        std::int64_t product = 1;
        for (int i = 1; i < rank; ++i) product *= (*this)[i];
        return product;
    }
    bool operator==(const Shape&) const = default;
};

/// A place in the file the definition came from; 0 if it came from none.
struct Place {
    int line = 0;
    int column = 0;
};

/// What a layer is called and does. Fields its type does not use keep their defaults.
struct Figures {
    std::string name;
    std::string type;  ///< as written: "AvgPool", "BatchNorm", ...
    LayerType kind = LayerType::generic;
    std::array<std::int64_t, 4> filter{};  ///< height, width, in, out; in = -1: as many as come
    std::array<std::int64_t, 4> strides{1, 1, 1, 1};
    std::array<std::int64_t, 4> window{};  ///< ksize
    Padding padding = Padding::same;
    std::string activation, normalizer;  ///< activation_fn, normalizer_fn; empty: none. No influence on time.
    Place at;                            ///< of the layer's name
};

/// A layer as the file writes it.
struct Definition : Figures {
    std::vector<std::string> parents;
    std::array<std::int64_t, 2> pad{};  ///< with Padding::given: height, width
    std::vector<std::int64_t> shape;    ///< `tensor` of an Input, `output_shape` of a Reshape or Deconvolution
    std::int64_t outputs = 0;           ///< num_outputs or num_classes; 0: not given
    std::int64_t dimension = 3;         ///< `dim` of a Concatenate
    double keep_probability = 0.5;      ///< of a Dropout
    std::vector<std::pair<std::string, std::string>> extras;  ///< other members: name, and value as JSON text
    Place parents_at, filter_at, window_at, shape_at;         ///< of those fields, for messages
};

/// One member of `layers`: a layer, or a block of layers under a common name.
struct Item {
    enum class Kind : std::uint8_t { layer, block, model_parallel };
    Kind kind = Kind::layer;
    Definition layer;  ///< Kind::layer

    std::string name;  ///< of the block; the rest is empty for Kind::layer
    std::vector<std::string> parents;
    std::string endpoint;
    std::int64_t splits = 1;
    std::vector<Definition> layers;
    std::vector<std::pair<std::string, std::string>> extras;
    Place at;
    Place parents_at;

    const std::string& own_name() const { return kind == Kind::layer ? layer.name : name; }
};

/// What a file says.
struct Description {
    std::string name;
    std::vector<Item> items;
    std::string file;  ///< for messages
};

inline constexpr int not_split = -1;

/// A layer after unfolding, "block/sublayer@2", with everything derived from its inputs: channels of the filter are
/// resolved, its outputs divided by the splits.
struct Layer : Figures {
    std::vector<int> parents;  ///< places in Net::layers, each smaller than this layer's own
    int split = not_split;     ///< number of the copy in a ModelParallel block
    bool reads_data = false;   ///< `data` is among the parents: no gradient with respect to the input
    std::array<std::int64_t, 2>
        pad{};    ///< height, width; HEAD's rule; of a Deconvolution: of the convolution it transposes
    Shape input;  ///< of the first parent, flattened for an InnerProduct; own tensor for an Input
    Shape output;
    std::int64_t parameters = 0;  ///< weights and biases
};

/// PALEO's walk through the graph: layers one after another, and groups of branches that can run side by side.
struct Step {
    int layer = -1;                           ///< place in Net::layers; -1 for a group
    std::vector<std::vector<Step>> branches;  ///< of a group; never empty then, nor is any branch
};

struct Net {
    std::string name;
    std::vector<Layer> layers;  ///< in topological order: the order of PALEO's walk where that reaches every layer
    std::vector<Step> walk;  ///< empty where PALEO's walk would drop layers (a bug of its own; Net::warnings says so)
    Description description;
    Problems warnings;

    std::int64_t parameters() const {
        std::int64_t sum = 0;
        for (const auto& layer : layers) sum += layer.parameters;
        return sum;
    }
    bool is_split() const {
        for (const auto& layer : layers)
            if (layer.split != not_split) return true;
        return false;
    }
};

/// PALEO's own short name of what the layer is priced as: "conv2d", "pool2d", "generic_BatchNorm", ...
std::string priced_as(const Layer& layer);

}  // namespace scalescope::paleo
