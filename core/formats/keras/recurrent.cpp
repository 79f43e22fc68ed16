// SPDX-License-Identifier: GPL-3.0-or-later
// Recurrent layers, with states handed in and out; and layers around another one: both directions of a sequence, and
// each step of it.
#include <algorithm>

#include "core/base/checked.hpp"
#include "core/base/limits.hpp"
#include "core/formats/keras/use.hpp"

namespace scalescope::formats {
namespace {

struct RecurrentCell {
    std::string_view kind;  ///< of ours
    std::int64_t units = 1;
    std::int64_t biases = 1;  ///< of a gate
    std::int64_t states = 1;  ///< handed on: an LSTM's output and cell
};

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
    else
        return use.error("A recurrent layer of cells of type " + quoted(type) + " cannot be counted here.",
                         "Use LSTM, GRU or SimpleRNN.");
    c.units = f.count({"units", "output_dim"});
    const bool bias = f.flag({"use_bias"}, true), twice = fused || f.flag({"reset_after"}, false);
    c.biases = !bias ? 0 : twice && type != "SimpleRNN" ? 2 : 1;
    if (f.failed()) return std::nullopt;
    return c;
}

/// A state a layer hands on, which is as large as a row of its output: that row stands for it.
std::optional<KerasTensor> state_of(KerasUse& use, const KerasTensor& out, bool sequences, std::string_view part) {
    if (!sequences) return out;
    const auto row = use.add("gather", {{"axis", 1}, {"size", 1}}, {out}, part);
    return row ? use.view(*row, {out.dims.back()}, false, std::string(part) + "/row") : row;
}

/// The cells on top of each other, or nothing after a problem.
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
    return use.error("The layer has no cell.", "Write its cell, or use LSTM, GRU or SimpleRNN.");
}

/// Its output, then its states if anybody reads them; `states` are those it starts from.
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

/// The layer inside, under the wrapper's name. Nothing if there is none, which is reported.
std::optional<KerasLayer> inner_of(KerasUse& use) {
    const auto value = use.fields.find({"layer"});
    if (!value)
        return use.error("A " + std::string(use.layer.type) + " wraps a layer, and this one has none.",
                         "Write its \"layer\".");
    auto layer = read_keras_layer(*value, use.where(), use.build.problems);
    if (layer) layer->name = use.layer.name;
    return layer;
}

/// Both directions as two layers: where they are joined otherwise than side by side, or hand on their states.
KerasTensors two_directions(KerasUse& in, const std::vector<RecurrentCell>& cells, bool sequences,
                            std::string_view mode) {
    const KerasTensors states(in.inputs.begin() + 1, in.inputs.end());
    const auto half = states.begin() + static_cast<std::ptrdiff_t>(states.size() / 2);
    const KerasTensors forward = run_recurrent(in, cells, sequences, {states.begin(), half}, "forward");
    if (forward.empty()) return {};
    const KerasTensors backward = run_recurrent(in, cells, sequences, {half, states.end()}, "backward");
    if (backward.empty()) return {};
    in.inputs = {forward[0], backward[0]};
    KerasTensors results = mode.empty()    ? in.inputs
                           : mode == "sum" ? merged(in, "add", "sum")
                           : mode == "mul" ? merged(in, "multiply", "product")
                           : mode == "ave" ? merged(in, "mean", "mean")
                                           : concatenated(in, -1, "joined");
    if (results.empty()) return {};
    results.insert(results.end(), forward.begin() + 1, forward.end());
    results.insert(results.end(), backward.begin() + 1, backward.end());
    return results;
}

KerasTensors keras_bidirectional(KerasUse& use) {
    const auto layer = inner_of(use);
    if (!layer) return {};
    const auto mode = use.fields.value().find("merge_mode");
    const std::string_view word = !mode ? "concat" : mode->text();  // null: both results apart
    KerasUse in(use.build, *layer, use.prefix, use.inputs, use.call);
    in.results = use.results;
    const auto* type = find_keras_type(layer->type);
    if (type && (layer->type.starts_with("ConvLSTM")))
        return use.error("A layer of convolutions in both directions cannot be counted here.", "Use one direction.");
    const auto cells = recurrent_cells(in);
    const bool sequences = returns_sequences(in);
    if (!cells || in.fields.failed()) return {};
    const bool plain = cells->size() == 1 && use.inputs.size() == 1 && use.results == 1 && word == "concat" &&
                       use.inputs[0].dims.size() == 2;
    if (!plain) return two_directions(in, *cells, sequences, word);
    const auto from = in.arranged(in.inputs[0], false);
    if (!from) return {};
    const RecurrentCell& cell = cells->front();
    const DraftBuilder::Givens given{
        {"units", cell.units}, {"bidirectional", true}, {"return_sequences", sequences}, {"biases", cell.biases}};
    return only(in.add(cell.kind, given, {*from}));
}

/// What the layer makes of one step, tried out apart: its result's dimensions and its weights.
struct Step {
    KerasDims dims;
    std::int64_t weights = 0;
};

std::optional<Step> one_step(KerasUse& use, const KerasLayer& layer) {
    KerasBuild& all = use.build;
    KerasBuild apart{all.problems, DraftBuilder(all.problems), {}, all.first, {}, all.calls, all.watch, {}};
    KerasUse outer(apart, layer, use.prefix, {}, use.call);
    for (const KerasTensor& t : use.inputs) {
        const KerasDims dims(t.dims.begin() + 1, t.dims.end());
        const bool first = all.first && dims.size() > 2;
        const auto in =
            outer.add_as("input", {{"shape", KerasTensor{0, dims, first, {}}.attribute()}}, {}, first, "step");
        if (!in) return std::nullopt;
        outer.inputs.push_back(*in);
    }
    const KerasTensors results = convert_keras_call(outer);
    all.calls = apart.calls;
    if (results.empty()) return std::nullopt;
    Step step{results[0].dims, 0};
    Checked weights = 0;
    for (std::size_t i = 0; i < apart.draft.size(); ++i) weights = weights + apart.draft.facts(i).weights;
    step.weights = weights.ok() ? weights.value() : limits::elements;
    return step;
}

/// Whether a layer, or all those of a model, can be told to happen at every step: time stands before the channels where
/// these come first, and no tensor here is laid out so.
bool at_every_step(KerasUse& use, const KerasLayer& layer, int depth = 0) {
    if (is_keras_model(layer)) {
        ProblemList unheard;  // what is wrong with it is said by who converts it
        const auto model = depth < limits::json_depth ? read_keras_model(layer, {}, unheard) : std::nullopt;
        return model && !model->layers.empty() && std::ranges::all_of(model->layers, [&](const KerasLayer& inner) {
                   return inner.type == "InputLayer" || at_every_step(use, inner, depth + 1);
               });
    }
    const KerasType* type = find_keras_type(layer.type);
    if (!type || !type->anywhere || !layer.config.is_object()) return false;
    KerasUse in(use.build, layer, use.prefix, use.inputs, use.call);
    return keras_axes(layer.type) == 0 || !keras_channels_first(in);
}

KerasTensors keras_time_distributed(KerasUse& use) {
    const auto layer = inner_of(use);
    if (!layer) return {};
    for (const KerasTensor& t : use.inputs)
        if (t.dims.size() < 2) {
            use.error("A TimeDistributed reads a sequence; its input is " + to_text(t.dims) + ".",
                      "Correct its inbound_nodes.");
            return {};
        }
    if (at_every_step(use, *layer)) {
        if (is_keras_model(*layer)) {
            use.build.over_time = true;
            KerasTensors results =
                convert_keras_model(use.build, *layer, use.prefix + std::string(layer->name) + '/', use.inputs);
            use.build.over_time = false;
            return results;
        }
        KerasUse in(use.build, *layer, use.prefix, use.inputs, use.call);
        in.over_time = true;
        return find_keras_type(layer->type)->make(in);
    }
    const auto step = one_step(use, *layer);
    if (!step) return {};
    KerasDims dims = step->dims;
    dims.insert(dims.begin(), use.inputs[0].dims[0]);
    if (dims.size() >= static_cast<std::size_t>(limits::rank))
        return use.error("Its result has too many axes.", "Use at most " + std::to_string(limits::rank - 1) + ".");
    return only(use.unknown(dims, step->weights));
}

constexpr KerasType wrapper_types[] = {
    {"Bidirectional", keras_bidirectional},
    {"TimeDistributed", keras_time_distributed},
};

}  // namespace

std::span<const KerasType> keras_recurrent_types() { return recurrent_types; }

std::span<const KerasType> keras_wrapper_types() { return wrapper_types; }

}  // namespace scalescope::formats
