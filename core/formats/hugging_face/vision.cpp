// SPDX-License-Identifier: GPL-3.0-or-later
// ViT (Dosovitskiy et al. 2020) and its kin: an encoder over the squares of an image.

#include <algorithm>
#include <array>

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
    LayerId all = sequence;
    if (p.tokens > 0) {
        const LayerId token = g.parameter("embeddings/class_token", {p.tokens, width});
        all = g.add("embeddings/tokens", "concat", {token, sequence}, {{"axis", 1}});
    }
    const LayerId table = g.parameter("embeddings/positions", {cells + p.tokens, width});
    return g.add("embeddings/sum", "elementwise", {all, table}, {{"operation", "add"}});
}

LayerId draw_class_token(Graph& g, LayerId in, std::int64_t width, std::int64_t token) {
    const std::string name = token == 0 ? "pooled" : "pooled" + std::to_string(token + 1);
    const LayerId one = g.add(name + "/token", "slice", {in}, {{"axis", 1}, {"start", token}, {"size", 1}});
    return g.reshape(name + "/vector", one, sample_shape({{width, {}}}));
}

namespace {

/// What the families have that ViT has not.
struct ImageFamily {
    std::string_view type, title, classes;
    std::int64_t tokens;  ///< DeiT's second one learns from a teacher
    bool pooler, scaled;
    bool squares_too;    ///< labels are read from the token and the mean of the squares
    std::int64_t ratio;  ///< of the hidden width, which the file says so; 0: as a width
};
constexpr std::array<ImageFamily, 3> image_families{{
    {"vit", "ViT", "ViT", 1, true, false, false, 0},
    {"deit", "DeiT", "DeiT", 2, true, false, false, 0},
    {"dinov2", "DINOv2", "Dinov2", 1, false, true, true, 4},
}};

/// The token's vector, and beside it the mean of the squares where the labels are read from both.
LayerId draw_seen(Graph& g, const ImageFamily& f, const Patches& p, LayerId in, std::int64_t width, bool classifies) {
    const LayerId token = draw_class_token(g, in, width);
    if (!classifies || !f.squares_too) return token;
    const std::int64_t cells = p.side() * p.side();
    LayerId squares = g.add("pooled/squares", "slice", {in}, {{"axis", 1}, {"start", f.tokens}, {"size", cells}});
    squares =
        g.add("pooled/mean", "reduce", {squares}, {{"operation", "mean"}, {"axes", std::vector<std::int64_t>{1}}});
    return g.add("pooled/both", "concat", {token, squares});
}

}  // namespace

bool is_vit(std::string_view type) { return family_called(type, image_families) != nullptr; }

std::string read_vit(Config& c, std::string_view type, NetworkDraft& draft) {
    const ImageFamily& family = *family_called(type, image_families);
    const std::string title(family.title), classes(family.classes);
    PlainStack plain{768, 12, 12, 3072};
    if (family.ratio > 0) plain.hidden = family.ratio, plain.hidden_names = "mlp_ratio";
    Stack s = read_plain_stack(c, plain, Stack::Order::before);
    s.dropout = c.number(names::dropout, 0.0);
    s.scaled = family.scaled;
    const bool bias = c.flag("qkv_bias", true);
    for (Block& b : s.blocks) {
        b.attention.qkv_bias = bias;
        if (family.ratio > 0) b.mlp.hidden *= s.width;
    }
    if (c.flag("use_swiglu_ffn", false))
        c.error("use_swiglu_ffn", "A gated feed-forward network is not known here.",
                "Write false to read the model with two matrices.");
    Patches patches = read_patches(c, 16);
    patches.tokens = family.tokens;
    const auto named = c.words("architectures");
    const std::string architecture = named.empty() ? classes + "Model" : named.front();
    const bool taught = family.tokens > 1 && architecture == classes + "ForImageClassificationWithTeacher";
    const bool classifies = taught || architecture == classes + "ForImageClassification";
    if (!classifies && architecture != classes + "Model")
        c.error("architectures", "The class " + quoted(architecture) + " is none that is known of a " + title + ".",
                "Write \"" + classes + "ForImageClassification\", or \"" + classes +
                    "Model\" for the model without a task.");
    const std::int64_t labels = classifies ? read_labels(c) : 0;
    const bool pooler = family.pooler && !classifies && c.flag("add_pooling_layer", true);
    if (!c.finish(title)) return {};

    draft.symbols = {{"batch", 1, "images per step"}};
    Graph g(draft, c.value().at());
    LayerId x = draw_patches(g, patches, s.width);
    x = g.norm("final_norm", draw(g, s, g.dropout("embeddings/dropout", x, s.dropout), "h"), Norm::layer);
    if (taught)
        g.add("head/teacher_loss", "cross_entropy",
              {g.dense("head/teacher_logits", draw_class_token(g, x, s.width, 1), labels, true)});
    x = draw_seen(g, family, patches, x, s.width, classifies);
    if (pooler) x = g.activation("pooler/activation", g.dense("pooler/dense", x, s.width, true), "tanh");
    if (classifies)
        g.add("head/loss", "cross_entropy", {g.dense("head/logits", x, labels, true)});
    else
        g.add("head/loss", "loss", {x}, {{"function", "other"}});
    if (!classifies)
        c.warn("The class " + quoted(architecture) + " has no task of its own: its loss reads the vector of the image.",
               "Write \"" + classes + "ForImageClassification\" and \"num_labels\" to train it to name images.");
    return title;
}

}  // namespace scalescope::formats::hugging_face
