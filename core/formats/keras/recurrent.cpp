// SPDX-License-Identifier: GPL-3.0-or-later
// Recurrent layers, in both directions too, with states handed in and out.

#include "core/formats/keras/recurrent.hpp"
#include "core/base/checked.hpp"
#include "core/base/limits.hpp"
#include "core/formats/keras/window.hpp"

namespace scalescope::formats {
namespace {

/// The cells of an RNN: one, or several on top of each other.
std::vector<JsonValue> cells_of(KerasUse& use) {
    const auto cell = use.fields.find({"cell"});
    if (!cell) return {};
    const auto config = cell->find("config");
    const auto several = config ? config->find("cells") : std::nullopt;
    if (!several || !several->is_array()) return {*cell};
    return {several->begin(), several->end()};
}

std::optional<RecurrentCell> cell_of(KerasUse& use, std::string_view type, KerasFields& f) {
    RecurrentCell c;
    const bool fused = type.starts_with("CuDNN");
    if (fused) type.remove_prefix(5);
    if (type.ends_with("Cell")) type.remove_suffix(4);
    if (type == "SimpleRNN")
        c.kind = "rnn";
    else if (type == "LSTM")
        c.kind = "lstm", c.states = 2;
    else if (type == "GRU")
        c.kind = "gru";
    else {
        use.error("A recurrent layer of cells of type " + quoted(type) + " cannot be counted here.",
                  "Use LSTM, GRU or SimpleRNN.");
        return std::nullopt;
    }
    c.units = f.count({"units", "output_dim"});
    const bool bias = f.flag({"use_bias"}, true), twice = fused || f.flag({"reset_after"}, false);
    c.biases = !bias ? 0 : twice && type != "SimpleRNN" ? 2 : 1;
    if (f.failed()) return std::nullopt;
    return c;
}

/// A state a layer hands on, which is as large as a row of its output: that row stands for it.
std::optional<KerasTensor> state_of(KerasUse& use, const KerasTensor& out, bool sequences, std::string_view part) {
    if (!sequences) return out;
    const auto row = use.add("gather", {{"axis", std::int64_t{1}}, {"size", std::int64_t{1}}}, {out}, part);
    return row ? use.view(*row, {out.dims.back()}, false, std::string(part) + "/row") : row;
}

}  // namespace

std::optional<std::vector<RecurrentCell>> recurrent_cells(KerasUse& use) {
    std::vector<RecurrentCell> cells;
    if (use.layer.type != "RNN") {
        auto cell = cell_of(use, use.layer.type, use.fields);
        if (!cell) return std::nullopt;
        return std::vector{*cell};
    }
    for (const JsonValue value : cells_of(use)) {
        const auto layer = read_keras_layer(value, use.where(), use.build.problems);
        if (!layer || cells.size() >= static_cast<std::size_t>(limits::layer_inputs)) return std::nullopt;
        KerasFields f(layer->config, use.where(), use.build.problems);
        auto cell = cell_of(use, layer->type, f);
        if (!cell) return std::nullopt;
        cells.push_back(*cell);
    }
    if (!cells.empty()) return cells;
    use.error("The layer has no cell.", "Write its cell, or use LSTM, GRU or SimpleRNN.");
    return std::nullopt;
}

KerasTensors run_recurrent(KerasUse& use, const std::vector<RecurrentCell>& cells, bool sequences,
                           const KerasTensors& states, std::string_view part) {
    if (!has_axes(use, use.inputs[0], 1)) return {};
    auto in = use.arranged(use.inputs[0], false);
    KerasTensors results;
    for (std::size_t i = 0; in && i < cells.size(); ++i) {
        const bool last = i + 1 == cells.size(), all = sequences || !last;
        KerasTensors from{*in};
        if (cells.size() == 1) from.insert(from.end(), states.begin(), states.end());
        std::string name(part);
        if (cells.size() > 1) name += (part.empty() ? "" : "/") + std::to_string(i + 1);
        in = use.add(cells[i].kind, {{"units", cells[i].units}, {"return_sequences", all}, {"biases", cells[i].biases}},
                     from, name);
    }
    if (!in) return {};
    results.push_back(*in);
    for (std::int64_t s = 0; s < cells.back().states && use.results > 1; ++s) {
        const std::string name = std::string(part) + (part.empty() ? "" : "/") + (s == 0 ? "state" : "cell");
        const auto state = state_of(use, *in, sequences, name);
        if (!state) return {};
        results.push_back(*state);
    }
    return results;
}

bool returns_sequences(KerasUse& use) { return use.fields.flag({"return_sequences"}, false); }

namespace {

KerasTensors keras_recurrent(KerasUse& use) {
    const auto cells = recurrent_cells(use);
    const bool sequences = returns_sequences(use);
    if (!cells || use.fields.failed()) return {};
    return run_recurrent(use, *cells, sequences, {use.inputs.begin() + 1, use.inputs.end()}, {});
}

/// Convolutions instead of products: 4·F·(k·k·(C + F) + 1) weights.
KerasTensors keras_convolutional_lstm(KerasUse& use) {
    const std::size_t axes = keras_axes(use.layer.type);
    KerasFields& f = use.fields;
    const bool first = keras_channels_first(use), sequences = returns_sequences(use), bias = f.flag({"use_bias"}, true);
    const std::int64_t filters = f.count({"filters", "nb_filter"});
    KerasWindow w;
    w.kernel = f.sizes({"kernel_size"}, axes);
    if (w.kernel.empty() && axes == 2)
        w.kernel = {f.count({"nb_row", "kernel_size"}), f.count({"nb_col", "kernel_size"})};
    w.stride = f.sizes({"strides", "subsample"}, axes);
    w.dilation = f.sizes({"dilation_rate"}, axes);
    if (w.kernel.empty()) w.kernel.assign(axes, f.count({"kernel_size"}));
    if (w.stride.empty()) w.stride.assign(axes, 1);
    if (w.dilation.empty()) w.dilation.assign(axes, 1);
    w.padding = f.word({"padding", "border_mode"}, "valid");
    const KerasDims& in = use.inputs[0].dims;
    if (f.failed()) return {};
    if (in.size() != axes + 2) {
        use.error("A " + std::string(use.layer.type) + " reads a sequence of images; its input is " + to_text(in) + ".",
                  "Correct its inbound_nodes.");
        return {};
    }
    // Time stands before the channels where these come first: no tensor here is laid out so.
    if (first) {
        KerasDims out{filters};
        for (std::size_t a = 0; a < axes; ++a) out.push_back(w.out(a, in[a + 2]));
        if (sequences) out.insert(out.begin(), in[0]);
        Checked weights = Checked(in[1]) + filters;
        for (const std::int64_t k : w.kernel) weights = weights * k;
        weights = (weights + (bias ? 1 : 0)) * filters * 4;
        return only(use.unknown(out, weights.ok() ? weights.value() : limits::elements));
    }
    return only(use.add("conv_lstm",
                        {{"filters", filters},
                         {"kernel", w.kernel},
                         {"stride", w.stride},
                         {"dilation", w.dilation},
                         {"padding", w.padded()},
                         {"bias", bias},
                         {"return_sequences", sequences}},
                        {use.inputs[0]}));
}

constexpr KerasType recurrent_types[] = {
    {"SimpleRNN LSTM GRU CuDNNLSTM CuDNNGRU RNN", keras_recurrent},
    {"ConvLSTM1D ConvLSTM2D ConvLSTM3D", keras_convolutional_lstm},
};

}  // namespace

std::span<const KerasType> keras_recurrent_types() { return recurrent_types; }

}  // namespace scalescope::formats
