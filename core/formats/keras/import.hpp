// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/watch.hpp"
#include "core/network/network.hpp"

#include <string>
#include <string_view>

/// Models of Keras 1, 2 and 3 as their to_json() writes them, which is also the config.json within a .keras archive.
/// What the format leaves open and what was chosen: docs/decisions/keras.md.
namespace scalescope::formats {

/// What an archive of Keras's has the model in.
inline constexpr std::string_view keras_archive_member = "config.json";

/// True if the text is an object with the class_name and config of a Keras model, or one that TensorFlow.js wrote
/// around it.
bool is_keras_network(std::string_view text);

/// The model as layers of this program. Layers of classes that have no kind here become layers of kind "unknown". All
/// warnings are appended to `warnings` if it is given.
Result<NetworkDraft> import_keras_network(std::string_view text, std::string file, Problems* warnings = nullptr,
                                          const Watch& watch = {});

}  // namespace scalescope::formats
