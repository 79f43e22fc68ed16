// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/network/editing/connect.hpp"

#include <algorithm>
#include <string>

#include "core/base/limits.hpp"
#include "core/network/editing/graph.hpp"

namespace scalescope::editing {
namespace {

bool has_input(const Layer& l, int input) { return input >= 0 && static_cast<std::size_t>(input) < l.inputs.size(); }

tl::unexpected<Problems> no_such_input(const Layer& l) {
    return refuse("The layer has no such input.", "it has " + std::to_string(l.inputs.size()), l.name);
}

}  // namespace

Edit connect_layers(const NetworkDraft& draft, LayerId from, LayerId to, std::optional<int> input) {
    const int source = index_of(draft, from), reader = index_of(draft, to);
    if (source < 0 || reader < 0) return no_such_layer();
    const std::string& name = layer_at(draft, reader).name;
    const Kind& kind = *layer_at(draft, reader).kind;
    if (kind.max_inputs == 0)
        return refuse("A layer of kind " + std::string(kind.name) + " reads nothing.",
                      "connect \"" + layer_at(draft, source).name + "\" to another layer", name);
    if (leads_to(draft, to, from))
        return refuse("\"" + name + "\" comes before \"" + layer_at(draft, source).name +
                          "\": the connection would make a cycle.",
                      "connect to a layer that does not lead to its own input", name);
    Edited edited{draft, {to}};
    auto& inputs = layer_at(edited.draft, reader).inputs;
    const auto size = static_cast<int>(inputs.size());
    const auto open = std::find(inputs.begin(), inputs.end(), LayerId{});
    const bool full = kind.max_inputs >= 0 && size >= kind.max_inputs;
    const int at = input                  ? *input
                   : open != inputs.end() ? static_cast<int>(open - inputs.begin())
                   : full                 ? size - 1
                                          : size;
    if (at < 0 || at > size || (at == size && full)) return no_such_input(layer_at(draft, reader));
    if (inputs.size() >= limits::layer_inputs && at == size)
        return refuse("The layer has " + std::to_string(size) + " inputs already.", "this program accepts no more",
                      name);
    if (at == size)
        inputs.push_back(from);
    else
        inputs[static_cast<std::size_t>(at)] = from;
    return edited;
}

Edit disconnect_input(const NetworkDraft& draft, LayerId to, int input) {
    const int reader = index_of(draft, to);
    if (reader < 0) return no_such_layer();
    if (!has_input(layer_at(draft, reader), input)) return no_such_input(layer_at(draft, reader));
    Edited edited{draft, {to}};
    take_input(layer_at(edited.draft, reader), static_cast<std::size_t>(input));
    return edited;
}

Edit reorder_inputs(const NetworkDraft& draft, LayerId layer, int from, int to) {
    const int reader = index_of(draft, layer);
    if (reader < 0) return no_such_layer();
    const Layer& l = layer_at(draft, reader);
    if (!has_input(l, from) || !has_input(l, to)) return no_such_input(l);
    Edited edited{draft, {layer}};
    auto& inputs = layer_at(edited.draft, reader).inputs;
    const LayerId moved = inputs[static_cast<std::size_t>(from)];
    inputs.erase(inputs.begin() + from);
    inputs.insert(inputs.begin() + to, moved);
    return edited;
}

}  // namespace scalescope::editing
