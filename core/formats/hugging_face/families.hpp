// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/hugging_face/config.hpp"
#include "core/network/network.hpp"

#include <string>
#include <string_view>

/// Families that are no plain decoders. Each reader draws the network and returns the family's name; nothing if the
/// file does not say enough, which is then among the problems.
namespace scalescope::formats::hugging_face {

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

}  // namespace scalescope::formats::hugging_face
