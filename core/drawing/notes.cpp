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

}  // namespace scalescope::drawing
