// SPDX-License-Identifier: GPL-3.0-or-later
// Embeddings and recurrent layers.

#include "core/formats/onnx/converter.hpp"

namespace scalescope::formats::onnx {
namespace {

/// Rows of a stored table, by numbers that come from the data.
bool looked_up(Converter& c) {
    const int table = c.input(0), index = c.input(1);
    if (table >= 0 && c.is_data(table)) return pick(c);
    if (table < 0 || index < 0 || !c.is_data(index)) return false;
    const Dims& d = c.value(table).dims;
    if (d.size() != 2 || c.integer("axis", 0) != 0 || !c.value(table).is_real()) return false;
    if (!c.become("embedding", {{"vocabulary", d[0]}, {"width", d[1]}}, {c.natural(index)})) return false;
    c.weights({table});
    c.table(table);
    return true;
}

/// Words, positions and segments, their sum, and its normalization.
bool embedded(Converter& c) {
    const int words = c.input(0), segments = c.input(1), table = c.input(2), positions = c.input(3), kinds = c.input(4),
              scale = c.input(5), bias = c.input(6);
    if (!c.is_data(words) || table < 0 || c.is_data(table)) return false;
    const auto rows = [&](std::string_view name, int from, int numbers) -> std::optional<std::size_t> {
        const Dims& d = c.value(from).dims;
        if (d.size() != 2) return std::nullopt;
        const auto made = c.helper(name, "embedding", {{"vocabulary", d[0]}, {"width", d[1]}}, {c.natural(numbers)});
        if (made) c.weights({from});
        if (made) c.table(from);
        return made;
    };
    std::vector<std::size_t> parts;
    const auto first = rows("words", table, words);
    if (!first) return false;
    parts.push_back(*first);
    // Positions are counted from the words where no numbers are given: as many rows are looked up.
    if (positions >= 0)
        if (const auto more =
                rows("positions", positions, c.input(8) >= 0 && c.is_data(c.input(8)) ? c.input(8) : words))
            parts.push_back(*more);
    if (kinds >= 0 && segments >= 0 && c.is_data(segments))
        if (const auto more = rows("segments", kinds, segments)) parts.push_back(*more);
    std::size_t sum = *first;
    if (parts.size() > 1) {
        const auto added = c.helper("sum", "add", {}, parts);
        if (!added) return false;
        sum = *added;
    }
    if (c.output(2) >= 0) c.set_place(c.output(2), sum);
    return c.become("layer_norm", {{"scale", scale >= 0}, {"bias", bias >= 0}}, {sum}) && c.weights({scale, bias});
}

bool recurrent(Converter& c) {
    const int in = c.input(0), w = c.input(1), r = c.input(2), b = c.input(3);
    if (w < 0 || r < 0 || c.is_data(w) || c.is_data(r) || c.value(r).dims.size() != 3) return false;
    const Sample is = c.sample(in);
    const std::string& op = c.node().op;
    const std::string kind = op == "LSTM" ? "lstm" : op == "GRU" ? "gru" : "rnn";
    const std::int64_t units = c.value(r).dims[2];
    const bool both = c.value(r).dims[0] == 2, batch_first = c.integer("layout", 0) != 0;
    if (is.dims.size() != 3 || is.batch != (batch_first ? 0 : 1) || is.dims[static_cast<std::size_t>(is.batch)] != 1)
        return false;
    const bool all = c.output(0) >= 0;
    const Converter::Givens given{
        {"units", units}, {"bidirectional", both}, {"return_sequences", all}, {"biases", std::int64_t{b >= 0 ? 2 : 0}}};
    const std::size_t layer = c.natural(in);
    // Steps, directions, batch, width; with the batch left out they lie as steps × both directions side by side.
    const Order order = all ? (batch_first ? Order{0, 1, 2, 3} : Order{2, 0, 1, 3}) : natural_order(3);
    bool made = false;
    if (all) {
        const Sample out = c.sample(c.output(0));
        const std::int64_t steps = is.dims[batch_first ? 1 : 0];
        if (const auto run = c.helper("", kind, given, {layer})) {
            c.weights({w, r, b});
            c.rename(*run);
            c.set_place(c.output(0), c.shown_as(*run, out.shape(order)), order);
            made = steps > 0;
        }
    } else if (const std::size_t last = c.output(1) >= 0 ? 1 : 2; c.output(last) >= 0) {
        made = c.become(kind, given, {layer}, order, last) && c.weights({w, r, b});
    }
    if (!made) return false;
    if (c.input(7) >= 0) c.note("its peephole weights are not counted.", "Add three for each unit.");
    // The last states are parts of all of them.
    for (std::size_t o = all ? 1 : 2; o < 3; ++o)
        if (c.output(o) >= 0 && c.is_read(c.output(o)) && (all || c.output(1) >= 0))
            c.become("unknown",
                     {{"type", std::string(op + " state")}, {"shape", batch_of(c.sample_shape(c.output(o)))}},
                     {c.place(c.output(all ? 0 : 1)).layer}, natural_order(3), o);
    return true;
}

constexpr ConversionRow sequence_rows[] = {
    {looked_up, "Gather"},
    {embedded, "EmbedLayerNormalization"},
    {recurrent, "LSTM GRU RNN"},
};

}  // namespace

std::span<const ConversionRow> sequence_conversions() { return sequence_rows; }

}  // namespace scalescope::formats::onnx
