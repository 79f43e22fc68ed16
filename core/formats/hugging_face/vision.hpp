// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/hugging_face/plain_stack.hpp"

namespace scalescope::formats::hugging_face {

/// An image cut into squares, each a position of a sequence behind trained tokens (ViT, 2020).
struct Patches {
    std::int64_t image = 224, patch = 16, channels = 3;
    bool bias = true;
    std::int64_t tokens = 1;  ///< trained ones before the squares
    std::int64_t side() const { return image / patch; }
};

Patches read_patches(Config& config, std::int64_t otherwise);
/// Image, squares, tokens and the table of positions, `width` wide.
LayerId draw_patches(Graph& graph, const Patches& patches, std::int64_t width);
/// A trained token's position behind the blocks: one vector.
LayerId draw_class_token(Graph& graph, LayerId in, std::int64_t width, std::int64_t token = 0);

}  // namespace scalescope::formats::hugging_face
