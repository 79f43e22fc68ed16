// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/keras/import.hpp"

#include "core/base/listed.hpp"
#include "core/formats/keras/use.hpp"
#include "core/formats/versions.hpp"

namespace scalescope::formats {
namespace {

constexpr std::int64_t keras_batch = 32;  ///< of Model.fit, unless it is told another

/// The model's object: the root, or what TensorFlow.js puts around it.
std::optional<JsonValue> model_in(JsonValue root) {
    if (root.find("class_name")) return root;
    auto inner = root.find("modelTopology");
    if (!inner) inner = root;
    if (inner->find("class_name")) return inner;
    const auto config = inner->find("model_config");
    return config && config->is_object() && config->find("class_name") ? config : std::nullopt;
}

/// How many layers have the channels last, less those that have them first.
void count_orders(JsonValue value, std::int64_t& first, std::int64_t& last) {
    if (!value.is_array() && !value.is_object()) return;
    if (const auto type = value.find("class_name"); type && keras_axes(type->text()) > 1)
        if (const auto config = value.find("config"))
            for (const std::string_view name : {"data_format", "dim_ordering"})
                if (const auto order = config->find(name)) {
                    first += order->text() == "channels_first" || order->text() == "th" ? 1 : 0;
                    last += order->text() == "channels_last" || order->text() == "tf" ? 1 : 0;
                }
    for (const JsonValue part : value) count_orders(part, first, last);
}

std::string named(const std::vector<std::string>& names) { return listed(names, 6, quoted); }

void say(const KerasNotes& notes, const SourcePosition& at, ProblemList& problems) {
    const auto warn = [&](std::string what, std::string remedy) {
        problems.warning(at, {}, std::move(what), std::move(remedy));
    };
    if (!notes.assumed.empty())
        warn("The file leaves sizes of its inputs open; assumed: " + named(notes.assumed) + ".",
             "Set the network's symbols to have others, or write the sizes into the file.");
    if (!notes.same_shape.empty())
        warn("Not known here, and the file does not say what comes out of them: " + named(notes.same_shape) +
                 "; their output is taken to be as large as their input.",
             "Replace them by layers of Keras's own if that is not so.");
    if (!notes.layouts.empty())
        warn("The channels stand elsewhere than " + named(notes.layouts) +
                 " looks for them; a layer that moves them was put before.",
             "Use one data_format for the whole model.");
    if (!notes.differs.empty())
        warn("Shapes worked out here are others than the file states: " + named(notes.differs) + ".",
             "Read the layers behind them with that in mind.");
    if (!notes.frozen.empty())
        warn("The file keeps the weights of " + named(notes.frozen) +
                 " as they are (trainable: false); here they learn.",
             "Freeze these layers in the training to price them so.");
    if (!notes.data_types.empty())
        warn("The file's data types (" + named(notes.data_types) +
                 ") are not taken over: the precision belongs to the training.",
             "Choose the precision in the training.");
}

std::optional<NetworkDraft> convert(JsonValue root, const std::string& file, ProblemList& problems,
                                    const Watch& watch) {
    const auto found = model_in(root);
    const auto layer = found ? read_keras_layer(*found, {}, problems) : std::nullopt;
    if (!layer) return std::nullopt;
    if (!is_keras_model(*layer)) {
        problems.error(
            found->at(), {},
            "The model is of a class of its author's own, " + quoted(layer->type) + ", whose file lists no layers.",
            "Build the model from layers (functional or Sequential) and save it again, or export it to ONNX.");
        return std::nullopt;
    }
    KerasBuild build{problems, DraftBuilder(problems), {}, false, {}, 0, watch, {}};
    std::int64_t first = 0, last = 0;
    count_orders(*found, first, last);
    build.first = first > last;
    const std::size_t errors = problems.errors();
    const KerasTensors results = convert_keras_model(build, *layer, {}, {});
    if (problems.errors() > errors || results.empty()) return std::nullopt;
    NetworkDraft& draft = build.draft.draft();
    draft.name = layer->name.empty() ? "Keras model" : std::string(layer->name);
    draft.source = "Keras's model, " + file;
    const auto version = root.find("keras_version");
    draft.description = version && version->is_string() ? "Saved by Keras " + std::string(version->text()) + "." : "";
    draft.symbols.insert(draft.symbols.begin(), {"batch", build.batch.value_or(keras_batch), "samples per step"});
    say(build.notes, found->at(), problems);
    return std::move(draft);
}

}  // namespace

bool is_keras_network(std::string_view text) {
    const auto is_model = [](JsonKind config) { return config == JsonKind::object || config == JsonKind::array; };
    if (peek_kind(text, "class_name") == JsonKind::string && is_model(peek_kind(text, "config"))) return true;
    return peek_kind(text, "modelTopology") == JsonKind::object || peek_kind(text, "model_config") == JsonKind::object;
}

Result<NetworkDraft> import_keras_network(std::string_view text, std::string file, Problems* warnings,
                                          const Watch& watch) {
    constexpr double parsing = 0.6;  // of the time
    ASSIGN_OR_RETURN(const auto document, parse_json(text, file, {watch.progress.part(0, parsing), watch.cancel}));
    ProblemList problems;
    auto draft = convert(document.root(), file, problems, {watch.progress.part(parsing, 1), watch.cancel});
    if (!draft && !problems.has_errors())
        problems.error(document.root().at(), {}, "There is no Keras model in this file.",
                       "Open what model.to_json() writes, or a .keras file.");
    return finished_import(std::move(draft), problems, warnings);
}

}  // namespace scalescope::formats
