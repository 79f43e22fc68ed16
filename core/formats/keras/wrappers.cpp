// SPDX-License-Identifier: GPL-3.0-or-later
// Layers around another layer: both directions of a sequence, and each step of it.
#include <algorithm>

#include "core/base/checked.hpp"
#include "core/base/limits.hpp"
#include "core/formats/keras/merge.hpp"
#include "core/formats/keras/recurrent.hpp"
#include "core/formats/keras/window.hpp"

namespace scalescope::formats {
namespace {

/// The layer inside, under the wrapper's name. Nothing if there is none, which is reported.
std::optional<KerasLayer> inner_of(KerasUse& use) {
    const auto value = use.fields.find({"layer"});
    if (!value) {
        use.error("A " + std::string(use.layer.type) + " wraps a layer, and this one has none.",
                  "Write its \"layer\".");
        return std::nullopt;
    }
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
    if (type && (layer->type.starts_with("ConvLSTM"))) {
        use.error("A layer of convolutions in both directions cannot be counted here.", "Use one direction.");
        return {};
    }
    const auto cells = recurrent_cells(in);
    const bool sequences = returns_sequences(in);
    if (!cells || in.fields.failed()) return {};
    const bool plain = cells->size() == 1 && use.inputs.size() == 1 && use.results == 1 && word == "concat" &&
                       use.inputs[0].dims.size() == 2;
    if (!plain) return two_directions(in, *cells, sequences, word);
    const auto from = in.arranged(in.inputs[0], false);
    if (!from) return {};
    return only(in.add((*cells)[0].kind,
                       {{"units", (*cells)[0].units},
                        {"bidirectional", true},
                        {"return_sequences", sequences},
                        {"biases", (*cells)[0].biases}},
                       {*from}));
}

/// What the layer makes of one step, tried out apart: its result's dimensions and its weights.
struct Step {
    KerasDims dims;
    std::int64_t weights = 0;
};

std::optional<Step> one_step(KerasUse& use, const KerasLayer& layer) {
    KerasBuild apart{use.build.problems,
                     DraftBuilder(use.build.problems),
                     {},
                     use.build.first,
                     {},
                     use.build.calls,
                     use.build.watch,
                     {}};
    KerasUse outer(apart, layer, use.prefix, {}, use.call);
    for (const KerasTensor& t : use.inputs) {
        const KerasDims dims(t.dims.begin() + 1, t.dims.end());
        const bool first = use.build.first && dims.size() > 2;
        const auto in =
            outer.add_as("input", {{"shape", KerasTensor{0, dims, first, {}}.attribute()}}, {}, first, "step");
        if (!in) return std::nullopt;
        outer.inputs.push_back(*in);
    }
    const KerasTensors results = convert_keras_call(outer);
    use.build.calls = apart.calls;
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
        return model && !model->layers.empty() &&
               std::all_of(model->layers.begin(), model->layers.end(), [&](const KerasLayer& inner) {
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
    if (dims.size() >= static_cast<std::size_t>(limits::rank)) {
        use.error("Its result has too many axes.", "Use at most " + std::to_string(limits::rank - 1) + ".");
        return {};
    }
    return only(use.unknown(dims, step->weights));
}

constexpr KerasType wrapper_types[] = {
    {"Bidirectional", keras_bidirectional},
    {"TimeDistributed", keras_time_distributed},
};

}  // namespace

std::span<const KerasType> keras_wrapper_types() { return wrapper_types; }

}  // namespace scalescope::formats
