// SPDX-License-Identifier: GPL-3.0-or-later
// Recurrent layers: one product after the other along the sequence, each reading all weights. Behind the sequence they
// may read the state to begin with, and an LSTM the cell
// (docs/decisions/layer-kinds.md).
#include <algorithm>
#include <array>

#include "core/network/kinds/kinds.hpp"
#include "core/network/wording.hpp"

namespace scalescope::kinds {
namespace {

const std::array<AttributeInfo, 5> recurrent_attributes{{
    {"units", AttributeType::integer, {}, {}, 1, "width of the state, of each direction"},
    {"layers", AttributeType::integer, std::int64_t{1}, {}, 1, "layers on top of each other"},
    {"bidirectional", AttributeType::boolean, false, {}, 0, "a second pass from the end, side by side"},
    {"return_sequences", AttributeType::boolean, true, {}, 0, "the state after every step; else after the last"},
    {"biases", AttributeType::integer, std::int64_t{2}, {}, 0, "biases of a gate: 2 as in cuDNN and PyTorch, 1 or 0"},
}};

/// `gates` products of the same size a step; `within`: what a step keeps beside its state, in widths of the state.
template <std::int64_t gates, std::int64_t within>
Result<LayerFacts> infer_recurrent(const Layer& layer, std::span<const Shape> inputs) {
    if (inputs[0].size() != 2)
        return wrong(a_layer(*layer.kind) + " needs sequence × width, its input is " + to_text(inputs[0]) + ".",
                     "put a reshape before it");
    const std::int64_t steps = inputs[0][0], units = get<std::int64_t>(layer, "units"),
                       layers = get<std::int64_t>(layer, "layers"), biases = get<std::int64_t>(layer, "biases"),
                       directions = get<bool>(layer, "bidirectional") ? 2 : 1;
    const bool all = get<bool>(layer, "return_sequences");
    const Checked state_elements = Checked(units) * layers * directions;
    for (const Shape& state : inputs.subspan(1))
        if (!state_elements.ok() || elements(state) != state_elements.value())
            return wrong("A state to begin with holds " + std::to_string(units) +
                             " numbers for each layer and direction; this one is " + to_text(state) + ".",
                         "make them as many, or leave the state out");
    if (biases > 2) return wrong("A gate has at most two biases.", "write 0, 1 or 2");
    const Checked width = Checked(units) * directions, of_gates = width * gates,
                  first = of_gates * (Checked(inputs[0][1]) + units), later = of_gates * (width + units),
                  products = first + later * (layers - 1), weights = products + of_gates * biases * layers,
                  macs = products * steps, runs = Checked(steps) * layers * directions,
                  states = runs * units * (within + 1),
                  // the states of the last layer are the output, if all of them are
        kept = states + (all ? width * steps * -1 : Checked(0));
    if (!macs.ok() || !weights.ok() || !runs.ok() || !kept.ok()) return work_overflows();
    LayerFacts f =
        product(all ? Shape{steps, width.value()} : Shape{width.value()}, width.value(), macs.value(), weights.value());
    f.division = Division::mixing;
    f.forward.weights = f.grad_input.weights = static_cast<double>(steps);
    f.keeps_output = all;
    f.kept_elements = kept.value();
    f.launches = {runs.value(), runs.value(), 1};  // the gradient to the weights is one product over all steps
    f.gradients_together = true;                   // it needs that of every state
    f.along(ShardAlong::outputs) = 0;              // each state needs all of the one before it
    f.along(ShardAlong::units) = units;
    return finish(std::move(f), inputs);
}

const std::array<AttributeInfo, 7> conv_lstm_attributes{{
    {"filters", AttributeType::integer, {}, {}, 1, "channels of the state"},
    {"kernel", AttributeType::sizes, {}, {}, 1, "size of the filters along each axis behind the sequence"},
    {"stride", AttributeType::sizes, Sizes{1, 1}, {}, 1, "step of the filters over the input"},
    {"padding", AttributeType::padding, Padding{}, {}, 0, "of the input: valid, same, or sizes"},
    {"dilation", AttributeType::sizes, Sizes{1, 1}, {}, 1, "distance between filter taps over the input"},
    {"bias", AttributeType::boolean, true, {}, 0, "one bias for each filter of a gate"},
    {"return_sequences", AttributeType::boolean, true, {}, 0, "the state after every step; else after the last"},
}};

/// Work of a convolution over `image` that makes the four gates of a step.
Result<LayerFacts> gates_of(const Layer& layer, const Shape& image, bool of_the_state) {
    Layer gates;
    gates.kind = &convolution;
    for (const AttributeInfo& info : convolution.attributes) {
        const auto& own = layer.kind->attributes;
        const bool known = std::ranges::any_of(own, [&](const AttributeInfo& a) { return a.name == info.name; });
        // the state keeps its size: no stride, and padded
        gates.attributes.push_back(known && (!of_the_state || info.name == "kernel") ? attribute(layer, info.name)
                                                                                     : info.initial);
    }
    const auto put = [&](std::string_view name, AttributeValue value) {
        for (std::size_t a = 0; a < gates.attributes.size(); ++a)
            if (convolution.attributes[a].name == name) gates.attributes[a] = std::move(value);
    };
    const Checked filters = Checked(get<std::int64_t>(layer, "filters")) * 4;
    if (!filters.ok()) return work_overflows();
    put("filters", filters.value());
    if (of_the_state) {
        put("padding", Padding{Padding::Mode::same});
        put("bias", false);
    }
    return convolution.infer(gates, std::array<Shape, 1>{image});
}

/// An LSTM whose products are convolutions (Shi et al., NeurIPS 2015): of the step's image and of the state, which is
/// one.
Result<LayerFacts> infer_conv_lstm(const Layer& layer, std::span<const Shape> inputs) {
    const Shape& in = inputs[0];
    if (in.size() < 3)
        return wrong("A conv_lstm layer needs sequence × axes × channels, its input is " + to_text(in) + ".",
                     "put a reshape before it");
    const std::int64_t steps = in[0], filters = get<std::int64_t>(layer, "filters");
    const bool all = get<bool>(layer, "return_sequences");
    const auto of_input = gates_of(layer, Shape(in.begin() + 1, in.end()), false);
    if (!of_input) return of_input;
    Shape state = of_input->output;
    state.back() = filters;
    const auto of_state = gates_of(layer, state, true);
    if (!of_state) return of_state;
    const Checked macs = (Checked(of_input->multiply_adds) + of_state->multiply_adds) * steps,
                  weights = Checked(of_input->weights) + of_state->weights, states = Checked(steps) * elements(state),
                  kept = states * 6 + (all ? states * -1 : Checked(0));  // gates, cells and states, as of an LSTM
    if (!macs.ok() || !weights.ok() || !states.ok() || !kept.ok()) return work_overflows();
    if (all) state.insert(state.begin(), steps);
    LayerFacts f = product(std::move(state), filters, macs.value(), weights.value());
    f.division = Division::mixing;
    f.forward.weights = f.grad_input.weights = static_cast<double>(steps);
    f.keeps_output = all;
    f.kept_elements = kept.value();
    f.launches = {steps, steps, 1};
    f.gradients_together = true;
    f.along(ShardAlong::outputs) = 0;  // each state needs all of the one before it
    return finish(std::move(f), inputs);
}

}  // namespace

const Kind rnn{"rnn", "Recurrent", recurrent_attributes, 1, 2, infer_recurrent<1, 0>};
/// Keeps the four gates and the cell.
const Kind lstm{"lstm", "LSTM", recurrent_attributes, 1, 3, infer_recurrent<4, 5>};
/// Keeps the three gates, and the state's part of the candidate before it is reset.
const Kind gru{"gru", "GRU", recurrent_attributes, 1, 2, infer_recurrent<3, 4>};
const Kind conv_lstm{"conv_lstm", "Convolutional LSTM", conv_lstm_attributes, 1, 1, infer_conv_lstm};

}  // namespace scalescope::kinds
