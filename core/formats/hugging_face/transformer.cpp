// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/hugging_face/transformer.hpp"

#include <algorithm>

namespace scalescope::formats::hugging_face {
namespace {

class BlockDrawer {
public:
    BlockDrawer(Graph& graph, const Stack& stack, const Memory* memory)
        : graph_(graph), stack_(stack), memory_(memory) {}

    LayerId block(const Block& b, LayerId x) {
        switch (stack_.order) {
            case Stack::Order::before: {
                if (b.mixes) x = add("sum_attention", x, mix(b, b.normed ? norm("norm_attention", x) : x));
                x = cross(x);
                return b.feeds ? add("sum_mlp", x, feed_forward(b, norm("norm_mlp", x))) : x;
            }
            case Stack::Order::after: {
                x = cross_after(norm("norm_attention", add("sum_attention", x, mix(b, x))));
                return norm("norm_mlp", add("sum_mlp", x, feed_forward(b, x)));
            }
            case Stack::Order::around: {
                const LayerId a = mix(b, norm("norm_attention", x));
                x = add("sum_attention", x, norm("norm_after_attention", a));
                LayerId f = feed_forward(b, norm("norm_mlp", x));
                if (b.experts && b.experts->beside) {
                    const LayerId e = experts(b, norm("norm_experts", x));
                    f = add("sum_experts", norm("norm_after_dense", f), norm("norm_after_experts", e));
                }
                return add("sum_mlp", x, norm("norm_after_mlp", f));
            }
            case Stack::Order::behind: {
                x = add("sum_attention", x, norm("norm_attention", mix(b, x)));
                return add("sum_mlp", x, norm("norm_mlp", feed_forward(b, x)));
            }
            case Stack::Order::parallel: {
                const LayerId n = norm("norm", x);
                const LayerId a = mix(b, n);
                return graph_.sum("sum", {x, a, feed_forward(b, n)});
            }
            case Stack::Order::parallel_norms: {
                const LayerId a = mix(b, norm("norm_attention", x));
                return graph_.sum("sum", {x, a, feed_forward(b, norm("norm_mlp", x))});
            }
        }
        return x;
    }

private:
    LayerId norm(const char* name, LayerId in) { return graph_.norm(name, in, stack_.norm); }
    LayerId add(const char* name, LayerId a, LayerId b) { return graph_.sum(name, {a, b}); }

    /// The layers of `part` in a block of their own, and the dropout behind them.
    template <class Part>
    LayerId within(const char* part, Part draw_part) {
        const std::string before = graph_.prefix;
        graph_.prefix += std::string(part) + '/';
        LayerId out = draw_part();
        if (stack_.scaled) out = graph_.add("scale", "scale", {out}, {{"scale", true}, {"bias", false}});
        out = graph_.dropout("dropout", out, stack_.dropout);
        graph_.prefix = before;
        return out;
    }

    LayerId cross(LayerId x) { return memory_ ? add("sum_cross", x, read_memory(norm("norm_cross", x))) : x; }
    LayerId cross_after(LayerId x) { return memory_ ? norm("norm_cross", add("sum_cross", x, read_memory(x))) : x; }
    LayerId read_memory(LayerId x) {
        return within("cross",
                      [&] { return draw_attention(graph_, memory_->attention, stack_.width, 0, x, memory_->layer); });
    }

    LayerId mix(const Block& b, LayerId x) {
        if (b.state_space)
            return within("state_space", [&] { return draw_state_space(graph_, *b.state_space, stack_.width, x); });
        return within("attention", [&] { return draw_attention(graph_, b.attention, stack_.width, b.window, x); });
    }

    LayerId experts(const Block& b, LayerId x) {
        return within("experts", [&] { return draw_experts(graph_, *b.experts, b.mlp, stack_.width, x); });
    }

    LayerId feed_forward(const Block& b, LayerId x) {
        if (b.experts && !b.experts->beside) return experts(b, x);
        return within("mlp", [&] { return draw_mlp(graph_, b.mlp, stack_.width, x); });
    }

    Graph& graph_;
    const Stack& stack_;
    const Memory* memory_;
};

}  // namespace

Memory memory_of(LayerId layer, const Stack& stack) {
    Memory memory{layer, stack.blocks.front().attention};
    memory.attention.causal = false;
    return memory;
}

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

Stack read_plain_stack(Config& c, const PlainStack& family, Stack::Order order) {
    Stack s;
    s.order = order;
    s.width = c.size_or(names::width, family.width, most_width);
    Block b;
    Attention& a = b.attention;
    a.causal = family.causal;
    a.heads = a.kv_heads = c.size_or(family.head_names, family.heads, most_heads);
    a.qkv_bias = a.out_bias = b.mlp.bias = true;
    if (s.width % a.heads != 0)
        c.error(
            family.head_names,
            "The width of " + std::to_string(s.width) + " does not divide by " + std::to_string(a.heads) + " heads.",
            "Correct one of them.");
    a.head_width = std::max<std::int64_t>(1, s.width / a.heads);
    b.mlp.hidden = c.size_or(family.hidden_names, family.hidden > 0 ? family.hidden : 4 * s.width, most_width);
    const std::string activation = c.word(names::activation, family.activation);
    b.mlp.activation = activation_called(activation);
    if (b.mlp.activation.empty())
        c.error(names::activation, "There is no activation " + quoted(activation) + " here.",
                "Write one such as \"gelu\" or \"relu\".");
    s.blocks.assign(static_cast<std::size_t>(c.size_or(family.layer_names, family.layers, most_layers)), b);
    return s;
}

LayerId draw_mlp(Graph& g, const Mlp& m, std::int64_t width, LayerId x) {
    LayerId h;
    if (m.gated) {
        h = g.dense("gate_up", x, 2 * m.hidden, m.bias);
        h = g.add("gate", "glu", {h}, {{"function", m.activation}});
    } else {
        h = g.activation("activation", g.dense("up", x, m.hidden, m.bias), m.activation);
    }
    return g.dense("down", h, width, m.bias);
}

LayerId draw_experts(Graph& g, const Experts& e, const Mlp& m, std::int64_t width, LayerId x) {
    const LayerId routed = g.add("routed", "mixture_of_experts", {x},
                                 {{"experts", e.count},
                                  {"top_k", e.used},
                                  {"hidden", e.hidden},
                                  {"gated", m.gated},
                                  {"expert_groups", e.groups},
                                  {"top_groups", e.used_groups}});
    // weights whose arithmetic is part of another layer's
    if (e.bias) g.parameter("biases", {e.count + e.count * ((m.gated ? 2 : 1) * e.hidden + width)});
    if (e.choice_bias) g.parameter("choice_bias", {e.count});
    if (e.scaled) g.parameter("router_scale", {width + e.count});
    if (e.shared_hidden == 0) return routed;
    const std::string before = g.prefix;
    g.prefix += "shared/";
    Mlp shared = m;
    shared.hidden = e.shared_hidden;
    LayerId y = draw_mlp(g, shared, width, x);
    if (e.shared_gate) {
        const LayerId weight = g.activation("weight", g.dense("weigh", x, 1, false), "sigmoid");
        y = g.add("weighted", "elementwise", {y, weight}, {{"operation", "multiply"}});
    }
    g.prefix = before;
    return g.sum("sum", {routed, y});
}

}  // namespace scalescope::formats::hugging_face
