// SPDX-License-Identifier: GPL-3.0-or-later
// Reads files of networks as a stream: a full-size one has millions of numbers, far more than a JsonDocument holds.
#include "core/base/file_window.hpp"
#include "core/measure/habitat/mlp.hpp"
#include "core/measure/habitat/mlp_draft.hpp"
#include "core/measure/habitat/mlp_json.hpp"

#include <algorithm>

namespace scalescope::habitat {

namespace {

using namespace drafts;
using formats::ByteStream;

constexpr formats::StreamBounds model_bounds{limits::model_bytes, limits::name_bytes + (1u << 16),
                                             "reading the networks"};

/// Whether a list of `width` numbers, or `rows` of them if not 0, is there; said if not.
template <class T>
bool has_size(ModelHandler& in, const std::string& path, const Numbers<T>& numbers, std::size_t rows,
              std::size_t width) {
    const bool right = rows == 0 ? !numbers.nested && numbers.values.size() == width
                                 : numbers.nested && numbers.rows == rows && numbers.width == width;
    if (right) return true;
    in.error(numbers.at, path,
             rows == 0
                 ? "This is no list of " + std::to_string(width) + " numbers."
                 : "This is no list of " + std::to_string(rows) + " rows of " + std::to_string(width) + " weights.",
             rows == 0 ? "Give as many as there are." : "Give one row for each output, as wide as the inputs.");
    return false;
}

bool take_layer(ModelHandler& in, ModelDraft& draft, std::size_t l, std::size_t hidden, MlpLayer& layer) {
    for (const Parameter which : {Parameter::weight, Parameter::bias}) {
        const std::string name = parameter_name(l, hidden, which);
        const std::string path = join_path(join_path(draft.name, "parameters"), name);
        const auto found = draft.parameters.find(name);
        if (found == draft.parameters.end()) {
            in.error(draft.at, path, "The parameters " + name + " are missing.", "Add them.");
            return false;
        }
        if (!has_size(in, path, found->second, which == Parameter::weight ? layer.outputs : 0,
                      which == Parameter::weight ? layer.inputs : layer.outputs))
            return false;
        (which == Parameter::weight ? layer.weights : layer.bias) = std::move(found->second.values);
    }
    return true;
}

bool is_complete(ModelHandler& in, const ModelDraft& draft) {
    const auto missing = [&](bool there, const char* name) {
        if (!there)
            in.error(draft.at, draft.name, std::string("There is no usable \"") + name + "\" here.",
                     "Add it; a network has features, layers, layer_size, mu, sigma and parameters.");
        return !there;
    };
    if (missing(draft.features.has_value(), "features") || missing(draft.layers.has_value(), "layers") ||
        missing(draft.layer_size.has_value(), "layer_size") || missing(draft.mu.has_value(), "mu") ||
        missing(draft.sigma.has_value(), "sigma") || missing(draft.has_parameters, "parameters"))
        return false;
    if (draft.layers->value > most_hidden_layers || draft.layer_size->value > most_layer_width ||
        draft.layer_size->value < 1) {
        in.error(draft.layers->at, draft.name, "No network has so many layers, or so wide ones.",
                 "Give at most " + std::to_string(most_hidden_layers) + " layers of 1 to " +
                     std::to_string(most_layer_width) + '.');
        return false;
    }
    const std::size_t count = draft.features->size();
    if (count <= device_features) {
        in.error(draft.at, draft.name, "There are " + std::to_string(count) + " features.",
                 "Name the operation's own, then mem, mem_bw, num_sm and single.");
        return false;
    }
    if (!has_size(in, join_path(draft.name, "mu"), *draft.mu, 0, count) ||
        !has_size(in, join_path(draft.name, "sigma"), *draft.sigma, 0, count))
        return false;
    const auto& sigma = draft.sigma->values;
    if (std::ranges::any_of(sigma, [](double s) { return s <= 0.0; })) {
        in.error(draft.sigma->at, join_path(draft.name, "sigma"), "A standard deviation is not above 0.",
                 "Train the network with features that vary.");
        return false;
    }
    return true;
}

/// The network, its numbers moved out of the draft; nothing, and problems, if it is broken.
std::optional<Mlp> finished(ModelHandler& in, ModelDraft& draft) {
    if (!is_complete(in, draft)) return std::nullopt;
    const auto hidden = static_cast<std::size_t>(draft.layers->value);
    const auto width = static_cast<std::size_t>(draft.layer_size->value);
    Mlp mlp{std::move(*draft.features), std::move(draft.mu->values), std::move(draft.sigma->values), {}};
    for (std::size_t l = 0; l < hidden + 2; ++l) {
        MlpLayer layer{l == 0 ? mlp.features.size() : width, l > hidden ? 1 : width, {}, {}};
        if (!take_layer(in, draft, l, hidden, layer)) return std::nullopt;
        mlp.layers.push_back(std::move(layer));
    }
    return mlp;
}

/// Why the scan ended early, if nothing else has been said.
void say_what_stopped(ModelHandler& in, formats::ScanEnd end, const ByteStream& stream) {
    const bool behind = stream.at_end() && stream.column() > 1;
    const Place here{stream.offset(), stream.line(), stream.column() - (behind ? 1 : 0)};
    switch (stream.ended()) {
        case formats::StreamEnd::cancelled:
            return in.error(here, {}, "Reading was cancelled here.", "Read the file again.");
        case formats::StreamEnd::damaged:
            return in.error(here, {}, "The packed file is damaged, or cut off.", "Copy it again.");
        case formats::StreamEnd::too_long:
            return in.error(here, {}, "The file has more than " + std::to_string(limits::model_bytes >> 20) + " MiB.",
                            "Split it into files with fewer networks.");
        case formats::StreamEnd::token_too_long:
            return in.error(here, {}, "A text of the file is too long.", "Check that this is a file of networks.");
        case formats::StreamEnd::whole:
        case formats::StreamEnd::none: break;
    }
    if (end == formats::ScanEnd::too_deep)
        return in.error(here, {}, "Lists are more than " + std::to_string(limits::json_depth) + " inside each other.",
                        "Check that this is a file of networks.");
    if (stream.at_end() && stream.offset() == 0)
        return in.error(here, {}, "The file is empty.", "Choose a file of networks.");
    in.error(here, {}, "What begins here is no JSON, or the file is cut off.",
             "Check " + formats::quoted(stream.rest().substr(0, 20)) + ", or copy the file again.");
}

Result<MlpModels> read_model_stream(formats::ReadPiece read, std::uint64_t size, std::string file, const Watch& watch) {
    ByteStream stream(std::move(read), size, model_bounds, watch);
    ModelHandler handler(stream, std::move(file));
    const formats::ScanEnd end = handler.run();
    if ((end != formats::ScanEnd::whole || stream.ended() != formats::StreamEnd::whole) && !handler.stopped())
        say_what_stopped(handler, end, stream);
    MlpModels models;
    if (!handler.problems().has_errors())
        for (ModelDraft& draft : handler.drafts())
            if (auto mlp = finished(handler, draft)) models.emplace(draft.name, std::move(*mlp));
    if (handler.problems().has_errors()) return fail(handler.problems().take());
    return models;
}

}  // namespace

Result<MlpModels> read_mlp_models(const std::filesystem::path& path, const Watch& watch) {
    auto window = FileWindow::open(path);
    if (!window) return fail(window.error());
    const auto size = window->size();
    return read_model_stream(formats::pieces_of(*window), size, path.string(), watch);
}

Result<MlpModels> parse_mlp_models(std::string_view text, std::string file, const Watch& watch) {
    return read_model_stream(formats::pieces_of(text), text.size(), std::move(file), watch);
}

}  // namespace scalescope::habitat
