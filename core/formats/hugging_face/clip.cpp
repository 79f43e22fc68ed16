// SPDX-License-Identifier: GPL-3.0-or-later
// CLIP (Radford et al. 2021) and SigLIP (Zhai et al. 2023): an encoder of images and one of texts, trained so that what
// belongs together looks alike.
#include "core/formats/hugging_face/families.hpp"

namespace scalescope::formats::hugging_face {
namespace {

struct ImageTower {
    Stack stack;
    Patches patches;
    bool query = false;  ///< a trained one reads the squares (SigLIP), no token is among them
};

struct TextTower {
    Stack stack;
    std::int64_t vocabulary = 1, positions = 77;
    std::int64_t projection = 0;  ///< with a bias, part of the tower (SigLIP); 0: none
};

/// What the files leave out.
struct TwoTowers {
    PlainStack images, texts;
    std::int64_t patch, vocabulary, positions;
    bool sigmoid;
};
constexpr TwoTowers clip{
    {768, 12, 12, 3072, "quick_gelu"}, {512, 12, 8, 2048, "quick_gelu", true}, 32, 49408, 77, false},
    siglip{{768, 12, 12, 3072, "gelu_pytorch_tanh"}, {768, 12, 12, 3072, "gelu_pytorch_tanh"}, 16, 32000, 64, true};

ImageTower read_images(Config& c, const TwoTowers& family) {
    ImageTower t;
    t.stack = read_plain_stack(c, family.images, Stack::Order::before);
    t.patches = read_patches(c, family.patch);
    t.query = t.patches.bias = family.sigmoid;
    t.patches.tokens = t.query ? 0 : 1;
    return t;
}

TextTower read_texts(Config& c, const TwoTowers& family) {
    TextTower t;
    t.stack = read_plain_stack(c, family.texts, Stack::Order::before);
    t.vocabulary = c.size_or(names::vocabulary, family.vocabulary, most_rows);
    t.positions = c.size_or(names::positions, family.positions, most_rows);
    if (family.sigmoid) t.projection = c.size_or("projection_size", t.stack.width, most_width, 1, true);
    return t;
}

/// One query attends to the squares; a network follows, with a norm and a sum.
LayerId draw_query(Graph& g, const ImageTower& t, LayerId squares) {
    const std::string before = g.prefix;
    g.prefix += "pooled/";
    const Block& b = t.stack.blocks.front();
    const LayerId query = g.parameter("query", {1, t.stack.width});
    LayerId x = draw_attention(g, b.attention, t.stack.width, 0, query, squares);
    x = g.sum("sum", {x, draw_mlp(g, b.mlp, t.stack.width, g.norm("norm", x, Norm::layer))});
    g.prefix = before;
    return g.reshape("pooled/vector", x, sample_shape({{t.stack.width, {}}}));
}

/// The vector of an image; of CLIP's only the trained token's is normalized.
LayerId draw_images(Graph& g, const ImageTower& t) {
    LayerId x = draw_patches(g, t.patches, t.stack.width);
    if (t.query) return draw_query(g, t, g.norm("final_norm", draw(g, t.stack, x, "h"), Norm::layer));
    x = draw(g, t.stack, g.norm("embeddings/norm", x, Norm::layer), "h");
    return g.norm("pooled/norm", draw_class_token(g, x, t.stack.width), Norm::layer);
}

/// The vector of a text: that of its last token.
LayerId draw_texts(Graph& g, const TextTower& t) {
    const auto shape = sample_shape({{1, "sequence"}});
    LayerId x = g.sum("embeddings/sum",
                      {g.embedding("embeddings/tokens", g.input("tokens", shape), t.vocabulary, t.stack.width),
                       g.embedding("embeddings/positions", g.input("positions", shape), t.positions, t.stack.width)});
    x = g.norm("final_norm", draw(g, t.stack, x, "h"), Norm::layer);
    x = g.add("pooled/token", "gather", {x}, {{"axis", 1}, {"size", 1}});
    x = g.reshape("pooled/vector", x, sample_shape({{t.stack.width, {}}}));
    return t.projection > 0 ? g.dense("pooled/projection", x, t.projection, true) : x;
}

Symbol text_symbol(const TextTower& t) {
    return {"sequence", t.positions, "tokens of a text; the table of positions has " + std::to_string(t.positions)};
}

/// One tower alone, which its classes train as part of something else.
std::string read_tower(Config& c, bool images, NetworkDraft& draft) {
    const auto classes = c.words("architectures");
    const bool projects = !classes.empty() && classes.front().ends_with("WithProjection");
    const std::int64_t shared = projects ? c.size_or("projection_dim", 512, most_width) : 0;
    ImageTower of_images;
    TextTower of_texts;
    if (images)
        of_images = read_images(c, clip);
    else
        of_texts = read_texts(c, clip);
    const std::string title = images ? "CLIP's encoder of images" : "CLIP's encoder of texts";
    if (!c.finish(title)) return {};
    draft.symbols = {{"batch", 1, "samples per step"}};
    if (!images) draft.symbols.push_back(text_symbol(of_texts));
    Graph g(draft, c.value().at());
    LayerId x = images ? draw_images(g, of_images) : draw_texts(g, of_texts);
    if (projects) x = g.dense("projection", x, shared, false);
    g.add("head/loss", "loss", {x}, {{"function", "other"}});
    c.warn("This part of CLIP has no task of its own: its loss reads the vector at its end.",
           "Open the configuration of the whole model to see both encoders and their loss.");
    return title;
}

}  // namespace

bool is_clip(std::string_view type) {
    return type == "clip" || type == "clip_text_model" || type == "clip_vision_model" || type == "siglip";
}

std::string read_clip(Config& c, std::string_view type, NetworkDraft& draft) {
    const TwoTowers& family = type == "siglip" ? siglip : clip;
    const std::string title = family.sigmoid ? "SigLIP" : "CLIP";
    if (type != "clip" && type != "siglip") return read_tower(c, type == "clip_vision_model", draft);
    auto of_images = c.part("vision_config vision_config_dict", false),
         of_texts = c.part("text_config text_config_dict", false);
    if (!of_images || !of_texts) {
        c.error("model_type",
                "A " + title + " has the figures of its two encoders in \"vision_config\" and \"text_config\".",
                "Add both objects; they may be empty, {}, for the figures of " +
                    std::string(family.sigmoid ? "the base model." : "ViT-B/32."));
        return {};
    }
    const ImageTower images = read_images(*of_images, family);
    const TextTower texts = read_texts(*of_texts, family);
    const std::int64_t shared = family.sigmoid ? texts.projection : c.size_or("projection_dim", 512, most_width);
    if (family.sigmoid && images.stack.width != shared)
        c.error("model_type", "The vectors of images and texts are not equally wide.",
                "Write \"projection_size\": " + std::to_string(images.stack.width) + " into \"text_config\".");
    if (!c.finish(title)) return {};

    draft.symbols = {{"batch", 1, "pairs of an image and a text per step"}, text_symbol(texts)};
    Graph g(draft, c.value().at());
    const auto unit = [&](LayerId x) {
        return g.add("unit", "l2_normalize", {family.sigmoid ? x : g.dense("projection", x, shared, false)});
    };
    g.prefix = "image/";
    const LayerId image = unit(draw_images(g, images));
    g.prefix = "text/";
    LayerId text = unit(draw_texts(g, texts));
    g.prefix = "head/";
    text = g.add("scaled", "elementwise", {text, g.parameter("scale", {1})}, {{"operation", "multiply"}});
    if (family.sigmoid) g.parameter("shift", {1});  // of every score
    g.add("loss", "loss", {image, text}, {{"function", "contrastive"}});
    c.warn("The loss compares every image with every text of the batch; these products are left out.",
           "They are batch × batch × " + std::to_string(shared) + " multiply-adds a step.");
    return title;
}

}  // namespace scalescope::formats::hugging_face
