// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/hugging_face/graph.hpp"

#include <variant>

/// Layers that carry a state along the sequence in place of attention. Their products, convolution and gates are layers
/// like any other; the scan itself is a layer of unknown kind, priced by its bytes and counted as such.
namespace scalescope::formats::hugging_face {

/// Mamba (Gu and Dao 2023), as in Jamba (2024), which normalizes what steers the scan.
struct Mamba {
    std::int64_t inner = 1, state = 1, kernel = 1, rank = 1;
    bool convolution_bias = true, bias = false;
};

/// Mamba 2 (Dao and Gu 2024): heads, of which those of a group share what steers the scan.
struct Mamba2 {
    std::int64_t heads = 1, head_width = 1, groups = 1, state = 1, kernel = 1;
    bool convolution_bias = true, bias = false;
};

/// Gated delta rule (Yang et al. 2024), as in Qwen3-Next.
struct DeltaNet {
    std::int64_t key_heads = 1, key_width = 1, value_heads = 1, value_width = 1, kernel = 1;
};

using StateSpace = std::variant<Mamba, Mamba2, DeltaNet>;

/// The layers behind `in`, as wide as it: `width`.
LayerId draw_state_space(Graph& graph, const StateSpace& kind, std::int64_t width, LayerId in);

}  // namespace scalescope::formats::hugging_face
