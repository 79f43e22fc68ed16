// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/hugging_face/state_space.hpp"

namespace scalescope::formats::hugging_face {
namespace {

std::vector<Dim> along_sequence(std::vector<std::int64_t> dims) {
    std::vector<Dim> all{{1, "sequence"}};
    for (const std::int64_t d : dims) all.push_back({d, {}});
    return sample_shape(std::move(all));
}

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
    return g.add("scan", "unknown", std::move(inputs),
                 {{"type", std::string(type)}, {"shape", along_sequence({width})}});
}

LayerId times(Graph& g, const char* name, LayerId a, LayerId b) {
    return g.add(name, "elementwise", {a, b}, {{"operation", std::string("multiply")}});
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
        y = g.norm("norm", g.reshape("heads", y, along_sequence({d.value_heads, d.value_width})), Norm::rms);
        y = times(g, "gated", g.reshape("joined", y, along_sequence({values})), gate);
        return g.dense("out", y, width, false);
    }
};

}  // namespace

LayerId draw_state_space(Graph& graph, const StateSpace& kind, std::int64_t width, LayerId in) {
    return std::visit(Drawer{graph, width, in}, kind);
}

}  // namespace scalescope::formats::hugging_face
