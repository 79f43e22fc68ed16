// SPDX-License-Identifier: GPL-3.0-or-later
// Recurrent networks: every state, and the last one.

#include "core/formats/onnx/step.hpp"

namespace scalescope::formats::onnx {
namespace {

void recurrent(Step& s) {
    const Value &in = s.in(0), &weights = s.in(2);
    const int element = in.element;
    std::int64_t width = s.integer("hidden_size", open_dimension);
    if (width < 0 && weights.ranked && weights.dims.size() == 3) width = weights.dims[2];
    const std::int64_t directions = s.text("direction", "forward") == "bidirectional" ? 2 : 1;
    if (!in.ranked) return;
    if (in.dims.size() != 3) return s.wrong("its input has not three dimensions");
    const bool batch_first = s.integer("layout", 0) != 0;
    const Value& filter = s.in(1);
    const bool turned = s.node().op == "DynamicQuantizeLSTM";
    if (!turned && filter.rank() == 3 && in.dims[2] >= 0 && filter.dims[2] >= 0 && in.dims[2] != filter.dims[2])
        return s.wrong("its input has " + std::to_string(in.dims[2]) + " channels, its weights are for " +
                       std::to_string(filter.dims[2]));
    const std::size_t batch_axis = batch_first ? 0 : 1;
    for (const std::size_t state : {std::size_t{5}, std::size_t{6}}) {
        const Value& v = s.in(state);
        if (v.rank() != 3 || v.dims[batch_axis] < 0 || in.dims[batch_axis] < 0) continue;
        // Where the file has the batch as a number, the second run doubles the data alone.
        if (v.dims[batch_axis] != in.dims[batch_axis] && 2 * v.dims[batch_axis] != in.dims[batch_axis])
            return s.wrong("its state is of " + std::to_string(v.dims[batch_axis]) + " samples, its input of " +
                           std::to_string(in.dims[batch_axis]));
    }
    const std::int64_t steps = in.dims[batch_first ? 1 : 0], batch = in.dims[batch_first ? 0 : 1];
    s.set(0, tensor_value(element,
                          batch_first ? Dims{batch, steps, directions, width} : Dims{steps, directions, batch, width}));
    for (std::size_t i = 1; i < 3; ++i)
        s.set(i, tensor_value(element, batch_first ? Dims{batch, directions, width} : Dims{directions, batch, width}));
}

constexpr RuleRow rules_of_recurrence[] = {
    {recurrent, "LSTM GRU RNN DynamicQuantizeLSTM"},
};

}  // namespace

std::span<const RuleRow> recurrent_rules() { return rules_of_recurrence; }

}  // namespace scalescope::formats::onnx
