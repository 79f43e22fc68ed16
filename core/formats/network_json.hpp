// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/watch.hpp"
#include "core/formats/json_decoder.hpp"
#include "core/formats/json_writer.hpp"
#include "core/formats/versions.hpp"
#include "core/network/editing/fragment.hpp"
#include "core/network/network.hpp"

#include <memory>
#include <optional>
#include <string>
#include <string_view>

/// Scalescope's own network files: "scalescope-network", see presets/schema/network.schema.json. What a layer may say
/// comes from the attribute tables of the layer kinds, so a new kind needs nothing here.
namespace scalescope::formats {

/// The network as the file says it, unchecked but for what a draft cannot hold: unknown kinds, fields and inputs,
/// values of the wrong type, names used twice. Layers get the ids 1, 2, … in file order.
Result<NetworkDraft> read_network_draft(std::string_view text, std::string file, const Watch& watch = {});

/// The same, checked (Network::make).
Result<std::shared_ptr<const Network>> read_network(std::string_view text, std::string file);

/// A whole file: one layer per line, defaults left out. read_network_draft of it gives the draft again, apart from ids.
std::string write_network(const NetworkDraft& draft);

/// Whether a symbol can have this name: letters, digits and _, not beginning with a digit.
bool is_symbol(std::string_view name);

/// A network inside another file: the same object. `path` is its Problem::where, empty for a file of its own. Problems
/// are added to the list; nothing is returned if there was an error.
std::optional<NetworkDraft> decode_network(JsonValue root, const std::string& path, ProblemList& problems);
void encode_network(JsonWriter& out, const NetworkDraft& draft);

extern const FileFormat network_format;

/// Copied layers as text ("scalescope-layers"), for the clipboard: the same rows as in a network's file, and "outer",
/// the names of what they read outside. read_fragment also takes a whole network. Layers get the ids 1, 2, …
Result<editing::Fragment> read_fragment(std::string_view text, std::string file);
std::string write_fragment(const editing::Fragment& fragment);
/// Whether the text says that it is one of the two.
bool holds_layers(std::string_view text);

}  // namespace scalescope::formats
