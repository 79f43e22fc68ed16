// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/hugging_face/transformer.hpp"

namespace scalescope::formats::hugging_face {
namespace {

class BlockDrawer {
public:
    BlockDrawer(Graph& graph, const Stack& stack, const Memory* memory)
        : graph_(graph), stack_(stack), memory_(memory) {}

    LayerId block(const Block& b, LayerId x) {
        switch (stack_.order) {
            case Stack::Order::before: {
                x = add("sum_attention", x, attention(b, "attention", norm("norm_attention", x)));
                x = cross(x);
                return add("sum_mlp", x, feed_forward(b, norm("norm_mlp", x)));
            }
            case Stack::Order::after: {
                x = norm("norm_attention", add("sum_attention", x, attention(b, "attention", x)));
                return norm("norm_mlp", add("sum_mlp", x, feed_forward(b, x)));
            }
            case Stack::Order::around: {
                const LayerId a = attention(b, "attention", norm("norm_attention", x));
                x = add("sum_attention", x, norm("norm_after_attention", a));
                const LayerId f = feed_forward(b, norm("norm_mlp", x));
                return add("sum_mlp", x, norm("norm_after_mlp", f));
            }
            case Stack::Order::parallel: {
                const LayerId n = norm("norm", x);
                const LayerId a = attention(b, "attention", n);
                return graph_.sum("sum", {x, a, feed_forward(b, n)});
            }
            case Stack::Order::parallel_norms: {
                const LayerId a = attention(b, "attention", norm("norm_attention", x));
                return graph_.sum("sum", {x, a, feed_forward(b, norm("norm_mlp", x))});
            }
        }
        return x;
    }

private:
    LayerId norm(const char* name, LayerId in) { return graph_.norm(name, in, stack_.norm); }
    LayerId add(const char* name, LayerId a, LayerId b) { return graph_.sum(name, {a, b}); }

    LayerId cross(LayerId x) {
        if (!memory_) return x;
        Block b;
        b.attention = memory_->attention;
        return add("sum_cross", x, attention(b, "cross", norm("norm_cross", x), memory_->layer));
    }

    /// Attention to `memory`, or to itself.
    LayerId attention(const Block& b, const std::string& part, LayerId x, std::optional<LayerId> memory = {}) {
        const Attention& a = b.attention;
        const std::string before = graph_.prefix;
        graph_.prefix += part + '/';
        const LayerId from = memory.value_or(x);
        LayerId q, k, v;
        if (a.latent) {
            latent(a, x, q, k, v);
        } else {
            q = qk_norm(a, "q_norm", graph_.dense("q", x, a.heads * a.head_width, a.qkv_bias), a.heads);
            k = qk_norm(a, "k_norm", graph_.dense("k", from, a.kv_heads * a.head_width, a.qkv_bias && a.key_bias),
                        a.kv_heads);
            v = graph_.dense("v", from, a.kv_heads * a.head_width, a.qkv_bias);
        }
        Graph::Attributes attributes{{"heads", a.heads}, {"causal", a.causal}};
        if (a.kv_heads != a.heads) attributes.emplace_back("kv_heads", a.kv_heads);
        if (b.window > 0) attributes.emplace_back("window", b.window);
        const LayerId core = graph_.add("core", "attention", {q, k, v}, attributes);
        if (a.sinks) trained("sinks", a.heads);
        const LayerId out = graph_.dense("out", core, stack_.width, a.out_bias);
        const LayerId dropped = graph_.dropout("dropout", out, stack_.dropout);
        graph_.prefix = before;
        return dropped;
    }

    LayerId qk_norm(const Attention& a, const std::string& name, LayerId in, std::int64_t heads) {
        if (a.qk_norm == Attention::QkNorm::none) return in;
        if (a.qk_norm == Attention::QkNorm::whole) return graph_.norm(name, in, Norm::rms);
        const Dim length{1, "sequence"};
        const LayerId split =
            graph_.reshape(name + "_heads", in, sample_shape({length, {heads, {}}, {a.head_width, {}}}));
        const LayerId normed = graph_.norm(name, split, Norm::rms);
        return graph_.reshape(name + "_joined", normed, sample_shape({length, {heads * a.head_width, {}}}));
    }

    void latent(const Attention& a, LayerId x, LayerId& q, LayerId& k, LayerId& v) {
        const LatentAttention& l = *a.latent;
        LayerId narrow = x;
        if (l.query_rank > 0)
            narrow = graph_.norm("q_norm", graph_.dense("q_down", x, l.query_rank, a.qkv_bias), Norm::rms);
        q = graph_.dense("q", narrow, a.heads * (l.plain_width + l.rotary_width), false);
        const LayerId kv = graph_.norm("kv_norm", graph_.dense("kv_down", x, l.kv_rank, a.qkv_bias), Norm::rms);
        const LayerId rotary = graph_.dense("k_rotary", x, l.rotary_width, a.qkv_bias);
        // every head's key ends with the same rotary part
        Graph::Inputs parts{graph_.dense("k_up", kv, a.heads * l.plain_width, false)};
        parts.insert(parts.end(), static_cast<std::size_t>(a.heads), rotary);
        k = graph_.add("k", "concat", std::move(parts));
        v = graph_.dense("v", kv, a.heads * l.value_width, false);
    }

    LayerId feed_forward(const Block& b, LayerId x) {
        const std::string before = graph_.prefix;
        graph_.prefix += b.experts ? "experts/" : "mlp/";
        LayerId out = b.experts ? experts(*b.experts, b.mlp, x) : mlp(b.mlp, x);
        out = graph_.dropout("dropout", out, stack_.dropout);
        graph_.prefix = before;
        return out;
    }

    LayerId mlp(const Mlp& m, LayerId x) {
        LayerId h;
        if (m.gated) {
            h = graph_.dense("gate_up", x, 2 * m.hidden, m.bias);
            h = graph_.add("gate", "glu", {h}, {{"function", m.activation}});
        } else {
            h = graph_.activation("activation", graph_.dense("up", x, m.hidden, m.bias), m.activation);
        }
        return graph_.dense("down", h, stack_.width, m.bias);
    }

    LayerId experts(const Experts& e, const Mlp& m, LayerId x) {
        const LayerId routed =
            graph_.add("routed", "mixture_of_experts", {x},
                       {{"experts", e.count}, {"top_k", e.used}, {"hidden", e.hidden}, {"gated", m.gated}});
        if (e.bias) trained("biases", e.count + e.count * ((m.gated ? 2 : 1) * e.hidden + stack_.width));
        if (e.choice_bias) trained("choice_bias", e.count);
        if (e.shared_hidden == 0) return routed;
        const std::string before = graph_.prefix;
        graph_.prefix += "shared/";
        Mlp shared = m;
        shared.hidden = e.shared_hidden;
        LayerId y = mlp(shared, x);
        if (e.shared_gate) {
            const LayerId weight = graph_.activation("weight", graph_.dense("weigh", x, 1, false), "sigmoid");
            y = graph_.add("weighted", "elementwise", {y, weight}, {{"operation", std::string("multiply")}});
        }
        graph_.prefix = before;
        return add("sum", routed, y);
    }

    /// Weights whose arithmetic is part of another layer's.
    void trained(const char* name, std::int64_t elements) { graph_.parameter(name, {elements}); }

    Graph& graph_;
    const Stack& stack_;
    const Memory* memory_;
};

}  // namespace

LayerId draw(Graph& graph, const Stack& stack, LayerId in, const std::string& name, const Memory* memory) {
    BlockDrawer drawer(graph, stack, memory);
    const std::string before = graph.prefix;
    std::size_t begin = graph.size(), length = 0;
    for (std::size_t b = 0; b < stack.blocks.size(); ++b) {
        const std::size_t first = graph.size();
        graph.prefix = before + name + std::to_string(b) + '/';
        in = drawer.block(stack.blocks[b], in);
        if (b == 0) {
            begin = first;
            length = graph.size() - first;
        } else if (stack.shared) {
            graph.share_all(first, begin, length);
        }
    }
    graph.prefix = before;
    return in;
}

}  // namespace scalescope::formats::hugging_face
