// SPDX-License-Identifier: GPL-3.0-or-later
// Recurrent layers: ONNX has one layer of each, steps before the batch.

#include "core/formats/onnx/export/exporter.hpp"

namespace scalescope::formats::onnx {
namespace {

struct Recurrence {
    std::int64_t units, directions, layers;
    std::string op;
};

/// What the layer `l` of them begins with: its part of a state given for all.
Edge first_state(Exporter& e, const Recurrence& r, std::size_t input, std::int64_t l) {
    const Edge given = e.natural(input);
    Edge all = e.reshape(given, {Size{r.layers * r.directions, {}}, Size{r.units, {}}});
    Edge own = all;
    own.sizes[0] = {r.directions, {}};
    if (r.layers > 1)
        own = e.node("Slice",
                     {all.name, e.integers({l * r.directions}), e.integers({(l + 1) * r.directions}), e.integers({1})},
                     {}, own);
    const std::string from = own.name;
    return e.node("Transpose", {from}, {list_attribute("perm", {1, 0, 2})}, own);
}

std::optional<Edge> recurrent_nodes(Exporter& e, const char* op, std::int64_t gates) {
    const std::int64_t biases = e.get<std::int64_t>("biases");
    const Recurrence r{e.get<std::int64_t>("units"), e.is("bidirectional") ? 2 : 1, e.get<std::int64_t>("layers"), op};
    const bool all = e.is("return_sequences");
    for (std::size_t i = 0; i < e.inputs(); ++i)
        if (!e.in(i).batched) return std::nullopt;  // ONNX wants a state for each sample
    const Edge x = e.natural(0);
    std::int64_t width = e.shape_in(0)[1];
    const Size steps = x.sizes[0];
    std::string sequence = e.node("Transpose", {x.name}, {list_attribute("perm", {1, 0, 2})}, x).name;
    Edge made;
    for (std::int64_t l = 0; l < r.layers; ++l) {
        const std::string n = r.layers > 1 ? '_' + std::to_string(l + 1) : std::string();
        const std::int64_t rows = gates * r.units;
        std::vector<std::string> inputs{sequence, e.weight("weight" + n, {r.directions, rows, width}),
                                        e.weight("recurrence" + n, {r.directions, rows, r.units})};
        Edge loose;
        loose.batched = false;
        if (biases == 2) inputs.push_back(e.weight("bias" + n, {r.directions, 2 * rows}));
        if (biases == 1)  // ONNX adds two: the second is nothing
            inputs.push_back(
                e.node("Concat",
                       {e.weight("bias" + n, {r.directions, rows}), e.blank("no_bias" + n, {r.directions, rows})},
                       {whole_attribute("axis", 1)}, loose)
                    .name);
        if (e.inputs() > 1) {
            inputs.resize(5);
            for (std::size_t i = 1; i < e.inputs(); ++i) inputs.push_back(first_state(e, r, i, l).name);
        }
        std::vector<Attribute> attributes{whole_attribute("hidden_size", r.units)};
        if (r.directions == 2) attributes.push_back(word_attribute("direction", "bidirectional"));
        const bool last = l + 1 == r.layers;
        Edge states = x;
        states.sizes = {steps, Size{r.directions, {}}, Size{r.units, {}}};
        const auto outputs = e.nodes(r.op, std::move(inputs), std::move(attributes), states, last && !all ? 2 : 1);
        width = r.units * r.directions;
        states.sizes = {Size{r.directions, {}}, Size{r.units, {}}};
        if (last && !all) {  // directions, batch, units
            const Edge turned = e.node("Transpose", {outputs[1].name}, {list_attribute("perm", {1, 0, 2})}, states);
            made = e.reshape(turned, {Size{width, {}}});
            break;
        }
        // steps, directions, batch, units
        if (last) {
            states.sizes.insert(states.sizes.begin(), steps);
            const Edge turned = e.node("Transpose", {outputs[0].name}, {list_attribute("perm", {2, 0, 1, 3})}, states);
            made = e.reshape(turned, {steps, Size{width, {}}});
            break;
        }
        const Edge turned = e.node("Transpose", {outputs[0].name}, {list_attribute("perm", {0, 2, 1, 3})}, states);
        sequence = e.node("Reshape", {turned.name, e.integers({0, 0, width})}, {}, states).name;
    }
    return made;
}

std::optional<Edge> rnn_nodes(Exporter& e) { return recurrent_nodes(e, "RNN", 1); }
std::optional<Edge> lstm_nodes(Exporter& e) { return recurrent_nodes(e, "LSTM", 4); }
std::optional<Edge> gru_nodes(Exporter& e) { return recurrent_nodes(e, "GRU", 3); }

constexpr ExportRow recurrent_export_rows[] = {{rnn_nodes, "rnn"}, {lstm_nodes, "lstm"}, {gru_nodes, "gru"}};

}  // namespace

std::span<const ExportRow> recurrent_exports() { return recurrent_export_rows; }

}  // namespace scalescope::formats::onnx
