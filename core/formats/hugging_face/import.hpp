// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/watch.hpp"
#include "core/network/network.hpp"

#include <string>
#include <string_view>

/// config.json of a model in the form of Hugging Face's transformers: figures from which the layers follow. What the
/// format leaves open and what is assumed: docs/decisions/hugging-face.md.
namespace scalescope::formats {

/// True if the text is an object with what such a file says of itself (model_type, architectures), or with the figures
/// of one from before there were these.
bool is_hugging_face_config(std::string_view text);

/// The model as layers of this program, with the loss that trains it. All warnings are appended to `warnings` if it is
/// given.
Result<NetworkDraft> import_hugging_face_config(std::string_view text, std::string file, Problems* warnings = nullptr,
                                                const Watch& watch = {});

}  // namespace scalescope::formats
