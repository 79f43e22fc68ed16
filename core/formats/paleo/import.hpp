// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/watch.hpp"
#include "core/formats/paleo/net.hpp"
#include "core/network/network.hpp"

#include <string>
#include <string_view>

/// PALEO's networks as Scalescope's own: blocks become names with '/', splits become layers of their own, the batch of
/// the input becomes the initial batch.
namespace scalescope::formats {

/// True if the text looks like PALEO's network file: an object without "format", whose "layers" are an object.
bool is_paleo_network(std::string_view text);

/// The nearest layers of this program. What has none exactly (types PALEO does not know, its one-value Sigmoid, unknown
/// activations) becomes what costs the same there, with a warning. A layer that cannot be said at all (one that joins
/// something else than channels, or moves samples into another dimension) is a Problem. All warnings of reading and
/// converting are appended to `warnings` if it is given.
Result<NetworkDraft> convert_paleo_network(const paleo::Net& net, Problems* warnings = nullptr);

Result<NetworkDraft> import_paleo_network(std::string_view text, std::string file, Problems* warnings = nullptr,
                                          const Watch& watch = {});

}  // namespace scalescope::formats
