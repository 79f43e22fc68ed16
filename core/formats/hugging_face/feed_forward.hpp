// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/hugging_face/graph.hpp"

namespace scalescope::formats::hugging_face {

struct Mlp {
    std::int64_t hidden = 1;
    bool gated = false, bias = false;
    std::string activation = "gelu";
};

struct Experts {
    std::int64_t count = 0, used = 1, hidden = 1;
    std::int64_t shared_hidden = 0;  ///< of the expert that every position goes through, a network beside; 0: none
    bool shared_gate = false;        ///< a trained number for each position weighs it
    bool bias = false;               ///< of the router and of every matrix (gpt-oss)
    bool choice_bias = false;        ///< a number for each expert that moves the choice (DeepSeek-V3)
    bool scaled = false;             ///< trained factors of the router's input and of each expert (Gemma 4)
    /// The mlp is there too, and their outputs are added, each normalized (Gemma 4).
    bool beside = false;
};

/// The layers behind `in`, as wide as it: `width`.
LayerId draw_mlp(Graph& graph, const Mlp& mlp, std::int64_t width, LayerId in);
/// Experts are gated as `mlp` is.
LayerId draw_experts(Graph& graph, const Experts& experts, const Mlp& mlp, std::int64_t width, LayerId in);

}  // namespace scalescope::formats::hugging_face
