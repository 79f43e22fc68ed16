// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

#include "core/formats/hugging_face/config.hpp"
#include "core/formats/hugging_face/transformer.hpp"
#include "core/network/network.hpp"

/// Families that are no plain decoders. Each reader draws the network and returns the family's name; nothing if the
/// file does not say enough, which is then among the problems.
namespace scalescope::formats::hugging_face {

/// The row of a table of families for that model_type, or nullptr.
template <class Rows>
const typename Rows::value_type* family_called(std::string_view type, const Rows& rows) {
    for (const auto& row : rows)
        if (row.type == type) return &row;
    return nullptr;
}

bool is_encoder(std::string_view type);
std::string read_bert(Config& config, std::string_view type, NetworkDraft& draft);

bool is_t5(std::string_view type);
std::string read_t5(Config& config, std::string_view type, NetworkDraft& draft);

bool is_bart(std::string_view type);
std::string read_bart(Config& config, std::string_view type, NetworkDraft& draft);

bool is_vit(std::string_view type);
std::string read_vit(Config& config, std::string_view type, NetworkDraft& draft);

bool is_clip(std::string_view type);
std::string read_clip(Config& config, std::string_view type, NetworkDraft& draft);

bool is_whisper(std::string_view type);
std::string read_whisper(Config& config, std::string_view type, NetworkDraft& draft);

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
