// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/hugging_face/transformer.hpp"

namespace scalescope::formats::hugging_face {
namespace {

/// "sequence" × these; only a decoder's own tensors are cut into heads, and only it carries a state along.
std::vector<Dim> at_positions(std::vector<std::int64_t> dims) {
    std::vector<Dim> all{{1, "sequence"}};
    for (const std::int64_t d : dims) all.push_back({d, {}});
    return sample_shape(std::move(all));
}

struct Tensors {
    LayerId q, k, v;
};

class AttentionDrawer {
public:
    AttentionDrawer(Graph& graph, const Attention& attention, std::int64_t width)
        : g_(graph), a_(attention), width_(width) {}

    Tensors plain(LayerId x, std::optional<LayerId> memory) {
        const LayerId mixed = a_.filtered ? neighbours(x) : x, from = memory.value_or(mixed);
        Tensors t;
        t.q =
            turned("q_rotary", normed("q_norm", g_.dense("q", mixed, a_.heads * a_.head_width, a_.qkv_bias), a_.heads));
        const LayerId keys = g_.dense("k", from, a_.kv_heads * a_.head_width, a_.qkv_bias && a_.key_bias);
        t.k = turned("k_rotary", normed("k_norm", keys, a_.kv_heads));
        t.v = a_.values_are_keys ? keys : g_.dense("v", memory.value_or(x), a_.kv_heads * a_.head_width, a_.qkv_bias);
        if (a_.values_normed)
            t.v = by_heads("v_norm", t.v, a_.kv_heads, [&](LayerId v) {
                return g_.add("v_norm", "rms_norm", {v}, {{"scale", false}});
            });
        return t;
    }

    /// A key's part that carries the position is made once and repeated for every head.
    Tensors latent(LayerId x) {
        const LatentAttention& l = *a_.latent;
        LayerId narrow = x;
        if (l.query_rank > 0) narrow = g_.norm("q_norm", g_.dense("q_down", x, l.query_rank, a_.qkv_bias), Norm::rms);
        Tensors t;
        t.q = turned("q_rotary", g_.dense("q", narrow, a_.heads * (l.plain_width + l.rotary_width), false));
        const LayerId kv = g_.norm("kv_norm", g_.dense("kv_down", x, l.kv_rank, a_.qkv_bias), Norm::rms);
        LayerId position = turned("k_rotary", g_.dense("k_position", x, l.rotary_width, a_.qkv_bias));
        position = g_.reshape("k_position_head", position, at_positions({1, l.rotary_width}));
        position =
            g_.add("k_position_heads", "expand", {position}, {{"shape", at_positions({a_.heads, l.rotary_width})}});
        LayerId up = g_.dense("k_up", kv, a_.heads * l.plain_width, false);
        up = g_.reshape("k_up_heads", up, at_positions({a_.heads, l.plain_width}));
        t.k = g_.reshape("k", g_.add("k_heads", "concat", {up, position}),
                         at_positions({a_.heads * (l.plain_width + l.rotary_width)}));
        t.v = g_.dense("v", kv, a_.heads * l.value_width, false);
        return t;
    }

    LayerId gated(LayerId x, LayerId out) {
        const LayerId gate =
            g_.activation("gate_activation", g_.dense("gate", x, a_.heads * a_.head_width, a_.qkv_bias), "sigmoid");
        return g_.add("gated", "elementwise", {out, gate}, {{"operation", "multiply"}});
    }

private:
    LayerId turned(const char* name, LayerId in) { return a_.rotary ? g_.add(name, "rotary", {in}) : in; }

    template <class Norming>
    LayerId by_heads(const std::string& name, LayerId in, std::int64_t heads, Norming norming) {
        const LayerId split = g_.reshape(name + "_heads", in, at_positions({heads, a_.head_width}));
        return g_.reshape(name + "_joined", norming(split), at_positions({heads * a_.head_width}));
    }

    LayerId normed(const char* name, LayerId in, std::int64_t heads) {
        if (a_.qk_norm == Attention::QkNorm::none) return in;
        if (a_.qk_norm == Attention::QkNorm::whole) return g_.norm(name, in, a_.qk_form);
        const bool own = a_.qk_norm == Attention::QkNorm::each_head;
        const Norm form = own ? Norm::layer_without_weights : a_.qk_form;
        const LayerId out = by_heads(name, in, heads, [&](LayerId split) { return g_.norm(name, split, form); });
        return own ? g_.add(std::string(name) + "_scale", "scale", {out}, {{"scale", true}, {"bias", false}}) : out;
    }

    /// Two convolutions over a position and the one before it, through half the width (Wu et al. 2023, Yuan 2.0).
    LayerId neighbours(LayerId x) {
        const Padding before{Padding::Mode::explicit_sizes, 0, 0, 1, 0, 0, 0, 1};
        LayerId y = x;
        const std::int64_t half = width_ / 2;
        for (const auto& [name, filters] : {std::pair("filter1", half), std::pair("filter2", width_)})
            y = g_.add(name, "convolution", {y},
                       {{"filters", filters}, {"kernel", std::vector<std::int64_t>{2}}, {"padding", before}});
        return g_.norm("filter_norm", g_.sum("filter_sum", {y, x}), Norm::rms);
    }

    Graph& g_;
    const Attention& a_;
    std::int64_t width_;
};

/// Each channel by itself, over the last `kernel` positions; then SiLU.
LayerId causal_convolution(Graph& g, LayerId in, std::int64_t channels, std::int64_t kernel, bool bias) {
    const Padding before{Padding::Mode::explicit_sizes, 0, 0, kernel - 1, 0, 0, 0, 1};
    const LayerId x = g.add("convolution", "convolution", {in},
                            {{"filters", channels},
                             {"kernel", std::vector<std::int64_t>{kernel}},
                             {"padding", before},
                             {"groups", channels},
                             {"bias", bias}});
    return g.activation("convolution_activation", x, "silu");
}

LayerId scan(Graph& g, const char* type, Graph::Inputs inputs, std::int64_t width) {
    return g.add("scan", "unknown", std::move(inputs), {{"type", std::string(type)}, {"shape", at_positions({width})}});
}

LayerId times(Graph& g, const char* name, LayerId a, LayerId b) {
    return g.add(name, "elementwise", {a, b}, {{"operation", "multiply"}});
}

struct Drawer {
    Graph& g;
    std::int64_t width;
    LayerId in;

    LayerId operator()(const Mamba& m) const {
        LayerId x = g.dense("x", in, m.inner, m.bias);
        const LayerId gate = g.activation("gate_activation", g.dense("gate", in, m.inner, m.bias), "silu");
        x = causal_convolution(g, x, m.inner, m.kernel, m.convolution_bias);
        const LayerId narrow = g.norm("step_norm", g.dense("step_low", x, m.rank, false), Norm::rms);
        const LayerId step = g.dense("step", narrow, m.inner, true);
        const LayerId b = g.norm("b_norm", g.dense("b", x, m.state, false), Norm::rms);
        const LayerId c = g.norm("c_norm", g.dense("c", x, m.state, false), Norm::rms);
        const LayerId y =
            scan(g, "selective scan",
                 {x, step, b, c, g.parameter("decay", {m.inner, m.state}), g.parameter("skip", {m.inner})}, m.inner);
        return g.dense("out", times(g, "gated", y, gate), width, m.bias);
    }

    LayerId operator()(const Mamba2& m) const {
        const std::int64_t inner = m.heads * m.head_width, mixed = inner + 2 * m.groups * m.state;
        const LayerId gate = g.activation("gate_activation", g.dense("gate", in, inner, m.bias), "silu");
        const LayerId x = causal_convolution(g, g.dense("xbc", in, mixed, m.bias), mixed, m.kernel, m.convolution_bias);
        const LayerId step = g.dense("step", in, m.heads, m.bias);
        const LayerId y = scan(g, "state space scan",
                               {x, step, g.parameter("step_bias", {m.heads}), g.parameter("decay", {m.heads}),
                                g.parameter("skip", {m.heads})},
                               inner);
        return g.dense("out", g.norm("norm", times(g, "gated", y, gate), Norm::rms), width, m.bias);
    }

    LayerId operator()(const DeltaNet& d) const {
        const std::int64_t values = d.value_heads * d.value_width, mixed = 2 * d.key_heads * d.key_width + values;
        const LayerId qkv = causal_convolution(g, g.dense("qkv", in, mixed, false), mixed, d.kernel, false);
        const LayerId gate = g.activation("gate_activation", g.dense("gate", in, values, false), "silu");
        const LayerId steps = g.dense("steps", in, 2 * d.value_heads, false);
        LayerId y = scan(g, "gated delta rule",
                         {qkv, steps, g.parameter("decay", {d.value_heads}), g.parameter("step_bias", {d.value_heads})},
                         values);
        y = g.norm("norm", g.reshape("heads", y, at_positions({d.value_heads, d.value_width})), Norm::rms);
        y = times(g, "gated", g.reshape("joined", y, at_positions({values})), gate);
        return g.dense("out", y, width, false);
    }
};

}  // namespace

LayerId draw_attention(Graph& g, const Attention& a, std::int64_t width, std::int64_t window, LayerId x,
                       std::optional<LayerId> memory) {
    AttentionDrawer drawer(g, a, width);
    const Tensors t = a.latent ? drawer.latent(x) : drawer.plain(x, memory);
    Graph::Attributes attributes{{"heads", a.heads}, {"causal", a.causal}};
    if (a.kv_heads != a.heads) attributes.push_back({"kv_heads", a.kv_heads});
    if (window > 0) attributes.push_back({"window", window});
    LayerId out = g.add("core", "attention", {t.q, t.k, t.v}, attributes);
    if (a.sinks) g.parameter("sinks", {a.heads});
    if (a.gated) out = drawer.gated(x, out);
    return g.dense("out", out, width, a.out_bias);
}

LayerId draw_state_space(Graph& graph, const StateSpace& kind, std::int64_t width, LayerId in) {
    return std::visit(Drawer{graph, width, in}, kind);
}

}  // namespace scalescope::formats::hugging_face
