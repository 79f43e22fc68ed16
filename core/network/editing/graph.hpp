// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/network/editing/edit.hpp"

/// Questions that several edits ask about a draft. For the files of this folder.
namespace scalescope::editing {

tl::unexpected<Problems> refuse(std::string what, std::string remedy, std::string where = {});
/// The same, for a layer that is not (or no longer) there.
tl::unexpected<Problems> no_such_layer();

/// Index in the draft, or -1. In linear time.
int index_of(const NetworkDraft& draft, LayerId id);
/// Indices of all layers, for edits that ask often.
std::unordered_map<std::uint32_t, int> indices_of(const NetworkDraft& draft);
Layer& layer_at(NetworkDraft& draft, int index);
const Layer& layer_at(const NetworkDraft& draft, int index);

LayerId next_id(const NetworkDraft& draft);

/// Whether what `from` gives out comes, over other layers or not, into `to`; a layer comes into itself.
bool leads_to(const NetworkDraft& draft, LayerId from, LayerId to);

/// Whether the places of a kind's inputs mean something, so that one that is taken away leaves its place open.
bool inputs_have_places(const Kind& kind);
/// Takes the connection away: the place stays open if it is one that the kind needs.
void take_input(Layer& layer, std::size_t input);

std::vector<std::string_view> symbols_of(const NetworkDraft& draft);
/// Sets an attribute that the kind has; does nothing if it has none of that name.
void put_value(Layer& layer, std::string_view name, AttributeValue value);

/// A layer of the kind with its initial values; those without one are left empty. Inputs that have places are open.
Layer blank_layer(const Kind& kind, LayerId id, std::string name);

}  // namespace scalescope::editing
