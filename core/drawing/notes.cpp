// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/drawing/notes.hpp"

#include <algorithm>

#include "core/network/attributes.hpp"

namespace scalescope::drawing {
namespace {

bool among_shapes(const Sketch& sketch, const Fault& fault) {
    return fault.layer >= 0 && sketch.input_shapes(fault.layer).has_value() &&
           !first_without_value(sketch.layers[static_cast<std::size_t>(fault.layer)]);
}

bool named_twice(const Sketch& sketch, const Layer& layer) {
    return std::count_if(sketch.layers.begin(), sketch.layers.end(),
                         [&](const Layer& other) { return other.name == layer.name; }) > 1;
}

/// Axes of the inputs that do not fit each other; none: all may be meant.
std::vector<std::size_t> unlike_axes(const Layer& layer, const std::vector<Shape>& inputs) {
    std::vector<std::size_t> axes;
    if (inputs.size() < 2) return axes;
    const std::size_t rank = inputs.front().size();
    for (const Shape& s : inputs)
        if (s.size() != rank) return axes;
    for (std::size_t a = 0; a < rank; ++a)
        if (std::any_of(inputs.begin(), inputs.end(), [&](const Shape& s) { return s[a] != inputs.front()[a]; }))
            axes.push_back(a);
    if (layer.kind->name == "concat" && axes.size() > 1) {  // along its own axis they may differ
        const auto* axis = std::get_if<std::int64_t>(&attribute(layer, "axis"));
        const std::int64_t own = !axis ? -1 : *axis > 0 ? *axis - 1 : *axis + static_cast<std::int64_t>(rank);
        axes.erase(std::remove(axes.begin(), axes.end(), static_cast<std::size_t>(own)), axes.end());
    }
    return axes;
}

/// Along these axes (none: all) it is as large as its input, whatever that is.
bool passes_shape_on(const Sketch& sketch, int layer, const std::vector<std::size_t>& axes) {
    const auto l = static_cast<std::size_t>(layer);
    if (sketch.inputs[l].size() != 1 || sketch.layers[l].inputs.size() != 1 || !sketch.facts[l]) return false;
    const auto& before = sketch.facts[static_cast<std::size_t>(sketch.inputs[l].front())];
    const Shape& now = sketch.facts[l]->output;
    if (!before || before->output.size() != now.size()) return false;
    const bool makes_channels = sketch.facts[l]->division == Division::weights;
    if (axes.empty()) return !makes_channels && before->output == now;
    return std::all_of(axes.begin(), axes.end(), [&](std::size_t a) {
        return a < now.size() && now[a] == before->output[a] && !(makes_channels && a + 1 == now.size());
    });
}

}  // namespace

std::string heading(const Sketch& sketch, const Fault& fault) {
    if (fault.layer < 0) return "Not a network yet";
    const Layer& layer = sketch.layers[static_cast<std::size_t>(fault.layer)];
    const int inputs = static_cast<int>(layer.inputs.size());
    if (fault.input < 0 && named_twice(sketch, layer)) return "Name used twice";
    if (!about_input_count(*layer.kind, inputs).empty())
        return inputs < layer.kind->min_inputs ? "Input missing" : "Too many inputs";
    if (fault.input >= 0 && fault.input < inputs) {
        const auto source = sketch.position(layer.inputs[static_cast<std::size_t>(fault.input)]);
        if (!source) return "Not connected";
        if (*source >= fault.layer) return "Runs in a circle";
    }
    if (first_without_value(layer)) return "Value missing";
    if (among_shapes(sketch, fault) && inputs > 1) return "Shapes differ";
    return inputs > 0 ? "Shape does not fit" : "Value does not fit";
}

bool about_shapes(const Sketch& sketch, const Fault& fault) {
    if (!among_shapes(sketch, fault)) return false;
    const Layer& layer = sketch.layers[static_cast<std::size_t>(fault.layer)];
    return !layer.inputs.empty() && (fault.input >= 0 || !named_twice(sketch, layer));
}

std::vector<int> makers_of(const Sketch& sketch, const Fault& fault) {
    std::vector<int> makers;
    if (!about_shapes(sketch, fault)) return makers;
    const Layer& layer = sketch.layers[static_cast<std::size_t>(fault.layer)];
    const auto axes = unlike_axes(layer, *sketch.input_shapes(fault.layer));
    for (LayerId input : layer.inputs) {  // where several differ, each may be the one
        auto at = sketch.position(input);
        while (at && passes_shape_on(sketch, *at, axes)) at = sketch.inputs[static_cast<std::size_t>(*at)].front();
        if (at) makers.push_back(*at);
    }
    std::sort(makers.begin(), makers.end());
    makers.erase(std::unique(makers.begin(), makers.end()), makers.end());
    return makers;
}

}  // namespace scalescope::drawing
