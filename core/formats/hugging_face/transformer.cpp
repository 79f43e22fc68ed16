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

}  // namespace scalescope::formats::hugging_face
