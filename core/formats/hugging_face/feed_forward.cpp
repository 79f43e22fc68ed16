// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/hugging_face/feed_forward.hpp"

namespace scalescope::formats::hugging_face {

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
                                 {{"experts", e.count}, {"top_k", e.used}, {"hidden", e.hidden}, {"gated", m.gated}});
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
        y = g.add("weighted", "elementwise", {y, weight}, {{"operation", std::string("multiply")}});
    }
    g.prefix = before;
    return g.sum("sum", {routed, y});
}

}  // namespace scalescope::formats::hugging_face
