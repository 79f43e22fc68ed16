// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/habitat/mlp_json.hpp"

#include "core/formats/json_writer.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace scalescope::habitat {

namespace {

using formats::JsonFields;
using formats::JsonKind;
using formats::JsonValue;
using formats::ProblemList;

/// "fc1", then "mlp.layers.0", ".2" … (the ReLU between them have the odd numbers), then "fc2".
std::string layer_name(std::size_t layer, std::size_t hidden_blocks) {
    if (layer == 0) return "fc1";
    return layer > hidden_blocks ? "fc2" : "mlp.layers." + std::to_string(2 * (layer - 1));
}

template <class T>
bool read_numbers(JsonValue list, std::size_t count, const std::string& path, ProblemList& problems,
                  std::vector<T>& out) {
    if (!list.is_array() || list.size() != count) {
        problems.error(list.at(), path, "This is no list of " + std::to_string(count) + " numbers.",
                       "Give as many as there are.");
        return false;
    }
    for (const JsonValue value : list) {
        const auto number = static_cast<T>(value.number());
        if (!value.is_number() || !std::isfinite(number)) {
            problems.error(value.at(), path, "This is no number that the network can hold.", "Write a finite number.");
            return false;
        }
        out.push_back(number);
    }
    return true;
}

std::optional<JsonValue> parameter(JsonValue all, const std::string& name, const std::string& path,
                                   ProblemList& problems) {
    auto found = all.find(name);
    if (!found) problems.error(all.at(), path, "The parameters " + name + " are missing.", "Add them.");
    return found;
}

bool read_layer(JsonValue all, const std::string& name, const std::string& path, MlpLayer& layer,
                ProblemList& problems) {
    const auto weights = parameter(all, name + ".weight", path, problems);
    const auto bias = parameter(all, name + ".bias", path, problems);
    if (!weights || !bias) return false;
    const std::string here = formats::join_path(path, name);
    if (!weights->is_array() || weights->size() != layer.outputs) {
        problems.error(weights->at(), here, "This is no list of " + std::to_string(layer.outputs) + " rows of weights.",
                       "Give one row for each output.");
        return false;
    }
    for (const JsonValue row : *weights)
        if (!read_numbers(row, layer.inputs, here, problems, layer.weights)) return false;
    return read_numbers(*bias, layer.outputs, here, problems, layer.bias);
}

}  // namespace

std::optional<std::vector<MlpLayer>> read_mlp_layers(JsonValue parameters, const std::string& path,
                                                     std::size_t features, std::size_t hidden_blocks, std::size_t width,
                                                     ProblemList& problems) {
    std::vector<MlpLayer> layers;
    for (std::size_t l = 0; l < hidden_blocks + 2; ++l) {
        MlpLayer layer{l == 0 ? features : width, l > hidden_blocks ? 1 : width, {}, {}};
        if (!read_layer(parameters, layer_name(l, hidden_blocks), path, layer, problems)) return std::nullopt;
        layers.push_back(std::move(layer));
    }
    return layers;
}

std::optional<Mlp> read_mlp(JsonValue value, const std::string& path, ProblemList& problems) {
    JsonFields fields(value, path, problems);
    if (!fields.is_object()) return std::nullopt;
    Mlp mlp;
    const auto names = fields.texts("features");
    const auto hidden = fields.integer("layers", 0, 1000);
    const auto width = fields.integer("layer_size", 1, 1 << 16);
    const auto mu = fields.required("mu", JsonKind::array);
    const auto sigma = fields.required("sigma", JsonKind::array);
    const auto parameters = fields.required("parameters", JsonKind::object);
    if (!names || !hidden || !width || !mu || !sigma || !parameters) return std::nullopt;
    mlp.features = *names;
    const std::size_t count = mlp.features.size();
    if (count <= device_features) {
        fields.error("There are " + std::to_string(count) + " features.",
                     "Name the operation's own, then mem, mem_bw, num_sm and single.");
        return std::nullopt;
    }
    if (!read_numbers(*mu, count, formats::join_path(path, "mu"), problems, mlp.mu) ||
        !read_numbers(*sigma, count, formats::join_path(path, "sigma"), problems, mlp.sigma))
        return std::nullopt;
    if (std::any_of(mlp.sigma.begin(), mlp.sigma.end(), [](double s) { return s <= 0.0; })) {
        problems.error(sigma->at(), formats::join_path(path, "sigma"), "A standard deviation is not above 0.",
                       "Train the network with features that vary.");
        return std::nullopt;
    }
    auto layers = read_mlp_layers(*parameters, formats::join_path(path, "parameters"), count,
                                  static_cast<std::size_t>(*hidden), static_cast<std::size_t>(*width), problems);
    if (!layers) return std::nullopt;
    mlp.layers = std::move(*layers);
    return mlp;
}

Result<MlpModels> read_mlp_models(std::string_view text, std::string file, const Watch& watch) {
    auto document = formats::parse_json(text, std::move(file), watch);
    if (!document) return fail(document.error());
    ProblemList problems;
    MlpModels models;
    if (!document->root().is_object())
        problems.error(document->root().at(), {}, "This is no file of networks.",
                       "Write an object with a network for each operation, such as \"conv2d\".");
    for (const JsonValue value : document->root()) {
        if (!document->root().is_object()) break;
        auto mlp = read_mlp(value, std::string(value.key()), problems);
        if (mlp) models.emplace(std::string(value.key()), std::move(*mlp));
    }
    if (problems.has_errors()) return fail(problems.take());
    return models;
}

std::string write_mlp_models(const MlpModels& models) {
    formats::JsonWriter out;
    const auto list = [&](const auto& numbers) {
        out.begin_inline_list();
        for (const auto number : numbers) out.number(static_cast<double>(number));
        out.end_list();
    };
    out.begin_object();
    for (const auto& [operation, mlp] : models) {
        const std::size_t hidden = mlp.layers.size() - 2;
        out.key(operation);
        out.begin_object();
        out.key("features");
        out.begin_inline_list();
        for (const auto& name : mlp.features) out.text(name);
        out.end_list();
        out.key("layers");
        out.integer(static_cast<std::int64_t>(hidden));
        out.key("layer_size");
        out.integer(static_cast<std::int64_t>(mlp.layers.front().outputs));
        out.key("mu");
        list(mlp.mu);
        out.key("sigma");
        list(mlp.sigma);
        out.key("parameters");
        out.begin_object();
        for (std::size_t l = 0; l < mlp.layers.size(); ++l) {
            const MlpLayer& layer = mlp.layers[l];
            out.key(layer_name(l, hidden) + ".weight");
            out.begin_list();
            for (std::size_t o = 0; o < layer.outputs; ++o)
                list(std::span(layer.weights).subspan(o * layer.inputs, layer.inputs));
            out.end_list();
            out.key(layer_name(l, hidden) + ".bias");
            list(layer.bias);
        }
        out.end_object();
        out.end_object();
    }
    out.end_object();
    return out.take();
}

}  // namespace scalescope::habitat
