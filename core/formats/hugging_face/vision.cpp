// SPDX-License-Identifier: GPL-3.0-or-later
// ViT (Dosovitskiy et al. 2020): an encoder over the squares of an image.
#include "core/formats/hugging_face/vision.hpp"

#include <algorithm>

#include "core/formats/hugging_face/families.hpp"

namespace scalescope::formats::hugging_face {
namespace {

constexpr std::int64_t most_cells = 1 << 16;

/// The labels of a file that names them.
std::int64_t read_labels(Config& c) {
    std::int64_t named = 0;
    if (const auto names = c.find("id2label"); names && names->is_object())
        for ([[maybe_unused]] const JsonValue label : *names) ++named;
    return c.size_or("num_labels", named > 0 ? named : 2, most_rows, 1, named > 0);
}

}  // namespace

Patches read_patches(Config& c, std::int64_t otherwise) {
    Patches p;
    p.image = c.size_or("image_size", 224, most_cells);
    p.patch = c.size_or("patch_size", otherwise, most_cells);
    p.channels = c.size_or("num_channels", 3, most_cells, 1, true);
    if (p.side() == 0)
        c.error("patch_size", "A patch of " + std::to_string(p.patch) + " cells is larger than the image.",
                "Choose at most " + std::to_string(p.image) + ".");
    return p;
}

LayerId draw_patches(Graph& g, const Patches& p, std::int64_t width) {
    using Sizes = std::vector<std::int64_t>;
    const LayerId image = g.input("image", sample_shape({{p.image, {}}, {p.image, {}}, {p.channels, {}}}));
    const LayerId squares = g.add("embeddings/patches", "convolution", {image},
                                  {{"filters", width},
                                   {"kernel", Sizes{p.patch, p.patch}},
                                   {"stride", Sizes{p.patch, p.patch}},
                                   {"bias", p.bias}});
    const std::int64_t cells = p.side() * p.side();
    const LayerId sequence = g.reshape("embeddings/sequence", squares, sample_shape({{cells, {}}, {width, {}}}));
    const LayerId token = g.parameter("embeddings/class_token", {1, width});
    const LayerId all = g.add("embeddings/tokens", "concat", {token, sequence}, {{"axis", std::int64_t{1}}});
    const LayerId table = g.parameter("embeddings/positions", {cells + 1, width});
    return g.add("embeddings/sum", "elementwise", {all, table}, {{"operation", std::string("add")}});
}

LayerId draw_class_token(Graph& g, LayerId in, std::int64_t width) {
    const LayerId one = g.add("pooled/token", "slice", {in}, {{"axis", std::int64_t{1}}, {"size", std::int64_t{1}}});
    return g.reshape("pooled/vector", one, sample_shape({{width, {}}}));
}

bool is_vit(std::string_view type) { return type == "vit"; }

std::string read_vit(Config& c, std::string_view, NetworkDraft& draft) {
    constexpr PlainStack family{768, 12, 12, 3072};
    Stack s = read_plain_stack(c, family, Stack::Order::before);
    s.dropout = c.number(names::dropout, 0.0);
    const bool bias = c.flag("qkv_bias", true);
    for (Block& b : s.blocks) b.attention.qkv_bias = bias;
    const Patches patches = read_patches(c, 16);
    const auto classes = c.words("architectures");
    const std::string architecture = classes.empty() ? std::string("ViTModel") : classes.front();
    const bool classifies = architecture == "ViTForImageClassification";
    if (!classifies && architecture != "ViTModel")
        c.error("architectures", "The class " + quoted(architecture) + " is none that is known of a ViT.",
                "Write \"ViTForImageClassification\", or \"ViTModel\" for the model without a task.");
    const std::int64_t labels = classifies ? read_labels(c) : 0;
    const bool pooler = !classifies && c.flag("add_pooling_layer", true);
    if (!c.finish("ViT")) return {};

    draft.symbols = {{"batch", 1, "images per step"}};
    Graph g(draft, c.value().at());
    LayerId x = draw_patches(g, patches, s.width);
    x = draw(g, s, g.dropout("embeddings/dropout", x, s.dropout), "h");
    x = draw_class_token(g, g.norm("final_norm", x, Norm::layer), s.width);
    if (pooler) x = g.activation("pooler/activation", g.dense("pooler/dense", x, s.width, true), "tanh");
    if (classifies)
        g.add("head/loss", "cross_entropy", {g.dense("head/logits", x, labels, true)});
    else
        g.add("head/loss", "loss", {x}, {{"function", std::string("other")}});
    if (!classifies)
        c.warn("The class \"ViTModel\" has no task of its own: its loss reads the vector of the image.",
               "Write \"ViTForImageClassification\" and \"num_labels\" to train it to name images.");
    return "ViT";
}

}  // namespace scalescope::formats::hugging_face
