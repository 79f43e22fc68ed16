// SPDX-License-Identifier: GPL-3.0-or-later
// Models of layers: one after the other, or by what each call of a layer reads.
#include <algorithm>
#include <queue>
#include <unordered_map>
#include <utility>

#include "core/base/limits.hpp"
#include "core/formats/keras/use.hpp"

namespace scalescope::formats {
namespace {

std::optional<KerasDims> dims_stated(const std::optional<JsonValue>& shape) {
    if (!shape || !shape->is_array() || shape->size() < 2 || shape->size() > static_cast<std::size_t>(limits::rank))
        return std::nullopt;
    KerasDims dims;
    for (const JsonValue d : *shape) {
        const auto n = whole_number(d);
        const bool batch = dims.empty();
        if (!batch && (!n || *n < 1 || *n > limits::dimension)) return std::nullopt;
        dims.push_back(n.value_or(0));
    }
    dims.erase(dims.begin());
    return dims;
}

bool too_many(KerasBuild& build, JsonValue at) {
    if (++build.calls <= limits::layers && build.draft.size() <= limits::layers) return false;
    if (build.problems.errors() == 0)
        build.problems.error(
            at.at(), {},
            "With its models within models, this model calls more than " + std::to_string(limits::layers) + " layers.",
            "Open a part of it.");
    return true;
}

/// A model whose layers say what they read.
class FunctionalModel {
public:
    FunctionalModel(KerasBuild& build, const KerasModel& model, std::string prefix, const KerasTensors& given)
        : build_(build), model_(model), prefix_(std::move(prefix)), given_(given) {}

    KerasTensors convert() {
        if (!find_nodes() || !find_edges()) return {};
        for (std::size_t n = 0; n < nodes_.size(); ++n)
            if (nodes_[n].waits == 0) ready_.push(n);
        std::size_t done = 0;
        for (; !ready_.empty(); ++done) {
            const std::size_t n = ready_.top();
            ready_.pop();
            convert_node(nodes_[n]);
            if (stopped_) return {};
            for (const std::size_t r : nodes_[n].readers)
                if (--nodes_[r].waits == 0) ready_.push(r);
        }
        if (done < nodes_.size()) {
            const auto it = std::ranges::find_if(nodes_, [](const Node& n) { return n.waits > 0; });
            error(*it->layer, "The layer reads its own result, through others.", "Correct its inbound_nodes.");
            return {};
        }
        KerasTensors results;
        for (const KerasReference& output : model_.outputs) {
            const auto n = node_of(output, nullptr);
            if (!n || nodes_[*n].results.empty()) return {};
            const auto& all = nodes_[*n].results;
            results.push_back(
                all[std::min(static_cast<std::size_t>(std::max<std::int64_t>(output.result, 0)), all.size() - 1)]);
        }
        if (results.empty() && !nodes_.empty()) results = nodes_.back().results;
        return results;
    }

private:
    /// One call of one layer.
    struct Node {
        const KerasLayer* layer;
        const KerasCall* call;  ///< null for an input
        std::vector<std::size_t> reads, readers;
        std::size_t waits = 0;
        std::int64_t results_read = 1;
        std::optional<JsonValue> shape;  ///< of its first result, as a reader states it
        KerasTensors results;
    };

    void error(const KerasLayer& l, std::string what, std::string remedy) {
        build_.problems.error(l.at.at(), join_path("layers", prefix_ + std::string(l.name)), std::move(what),
                              std::move(remedy));
    }

    bool find_nodes() {
        const std::size_t errors = build_.problems.errors();
        for (const KerasLayer& l : model_.layers) {
            if (!first_node_.emplace(l.name, nodes_.size()).second) {
                error(l, "Two layers are called " + quoted(l.name) + ".", "Rename one of them.");
                continue;
            }
            if (l.calls.empty() || l.type == "InputLayer") {
                if (l.type != "InputLayer")
                    error(l, "Nothing is said of what the layer reads.", "Write its inbound_nodes, or take it out.");
                nodes_.push_back({&l, nullptr, {}, {}, 0, 1, {}, {}});
            } else
                for (const KerasCall& c : l.calls) nodes_.push_back({&l, &c, {}, {}, 0, 1, {}, {}});
            if (build_.problems.errors() > limits::problems) break;
        }
        return build_.problems.errors() == errors;
    }

    /// Of `reference`, which `reader` reads; what is wrong is reported.
    std::optional<std::size_t> node_of(const KerasReference& reference, const KerasLayer* reader) {
        const auto wrong = [&](std::string what, std::string remedy) {
            build_.problems.error(reference.at.at(),
                                  reader ? join_path("layers", prefix_ + std::string(reader->name)) : prefix_,
                                  std::move(what), std::move(remedy));
            return std::nullopt;
        };
        const auto it = first_node_.find(reference.layer);
        if (it == first_node_.end()) {
            std::vector<std::string_view> known;
            for (const KerasLayer& l : model_.layers) known.push_back(l.name);
            return wrong("There is no layer called " + quoted(reference.layer) + " in the model.",
                         did_you_mean(reference.layer, known, "Name one of the model's layers."));
        }
        const std::size_t calls = std::max<std::size_t>(1, nodes_[it->second].layer->calls.size());
        // Files of a layer that is called once are found to count from another call.
        const auto call = calls == 1 ? 0 : reference.call;
        if (call >= 0 && static_cast<std::size_t>(call) < calls) return it->second + static_cast<std::size_t>(call);
        return wrong("The layer " + quoted(reference.layer) + " is called " + std::to_string(calls) +
                         " times; there is no call " + std::to_string(reference.call) + ", counted from 0.",
                     "Correct the number behind its name.");
    }

    bool find_edges() {
        const std::size_t errors = build_.problems.errors();
        for (std::size_t n = 0; n < nodes_.size(); ++n) {
            if (!nodes_[n].call) continue;
            for (const KerasReference& reference : nodes_[n].call->inputs) {
                const auto from = node_of(reference, nodes_[n].layer);
                if (build_.problems.errors() > limits::problems) return false;
                if (!from) continue;
                Node& made = nodes_[*from];
                made.results_read = std::max(made.results_read, std::min<std::int64_t>(reference.result, 1000) + 1);
                if (reference.result == 0 && !made.shape) made.shape = reference.shape;
                made.readers.push_back(n);
                nodes_[n].reads.push_back(*from);
                ++nodes_[n].waits;
            }
        }
        for (const KerasReference& output : model_.outputs)
            if (const auto n = node_of(output, nullptr))
                nodes_[*n].results_read =
                    std::max(nodes_[*n].results_read, std::min<std::int64_t>(output.result, 1000) + 1);
        return build_.problems.errors() == errors;
    }

    void convert_node(Node& node) {
        if (build_.watch.cancel.cancelled()) {
            error(*node.layer, "Reading was cancelled here.", "Open the file again to read all of it.");
            stopped_ = true;
        }
        if (stopped_ || too_many(build_, node.layer->at) || build_.problems.errors() > limits::problems) {
            stopped_ = true;
            return;
        }
        if (!node.call) {
            node.results = input(*node.layer);
            return;
        }
        KerasTensors inputs;
        for (std::size_t i = 0; i < node.reads.size(); ++i) {
            const Node& from = nodes_[node.reads[i]];
            const std::int64_t result = node.call->inputs[i].result;
            if (from.results.empty()) return;  // it had a problem of its own
            if (result < 0 || static_cast<std::size_t>(result) >= from.results.size()) {
                build_.problems.error(
                    node.call->inputs[i].at.at(), join_path("layers", prefix_ + std::string(node.layer->name)),
                    "The layer " + quoted(from.layer->name) + " has " + std::to_string(from.results.size()) +
                        " results; there is no result " + std::to_string(result) + ", counted from 0.",
                    "Correct the last number behind its name.");
                return;
            }
            inputs.push_back(from.results[static_cast<std::size_t>(result)]);
        }
        KerasUse use(build_, *node.layer, prefix_, std::move(inputs), node.call);
        use.results = node.results_read;
        if (!use.over_time) use.stated = dims_stated(node.shape);  // that of one step
        node.results = convert_keras_call(use);
    }

    KerasTensors input(const KerasLayer& l) {
        if (!given_.empty()) {
            // Those of a model within another are what it is called with, in the order it names them.
            std::size_t i = 0;
            for (const KerasReference& reference : model_.inputs) {
                if (reference.layer == l.name && i < given_.size()) return {given_[i]};
                ++i;
            }
            if (model_.inputs.empty()) return {given_[0]};
        }
        const auto shape = stated_input_shape(l);
        if (!shape) {
            error(l, "The input states no shape.", "Write its batch_input_shape, for example [null, 224, 224, 3].");
            return {};
        }
        KerasUse use(build_, l, prefix_, {}, nullptr);
        return only(keras_input(use, *shape, length_hint(model_, l.name)));
    }

    KerasBuild& build_;
    const KerasModel& model_;
    const std::string prefix_;
    const KerasTensors& given_;
    std::vector<Node> nodes_;
    std::unordered_map<std::string_view, std::size_t> first_node_;
    std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> ready_;  ///< in the file's order
    bool stopped_ = false;
};

/// Keras 1 let a sequential model begin with several, joined.
KerasTensors branches(KerasBuild& build, const KerasLayer& merge, const std::string& prefix) {
    KerasTensors all;
    const auto models = merge.config.find("layers");
    if (!models || !models->is_array()) return all;
    for (const JsonValue value : *models) {
        const auto model =
            read_keras_layer(value, join_path("layers", prefix + std::string(merge.name)), build.problems);
        if (!model || too_many(build, value)) return {};
        if (!is_keras_model(*model)) {
            build.problems.error(
                value.at(), join_path("layers", prefix + std::string(merge.name)),
                "A Merge at the beginning joins models; this is a layer of class " + quoted(model->type) + ".",
                "Put it into a Sequential.");
            return {};
        }
        auto results = convert_keras_model(build, *model, prefix + std::string(model->name) + '/', {});
        if (results.empty()) return {};
        all.push_back(results[0]);
    }
    return all;
}

/// The tensor a sequential model begins with, when nobody calls it.
KerasTensors beginning(KerasBuild& build, const KerasModel& model, const std::string& prefix) {
    const KerasLayer& first = model.layers[0];
    if (is_keras_model(first)) return {};
    auto shape = stated_input_shape(first);
    if (!shape) shape = model.input_shape;
    if (!shape) {
        build.problems.error(first.at.at(), join_path("layers", prefix + std::string(first.name)),
                             "The first layer does not say what it reads, and the model has no input_shape.",
                             "Write \"batch_input_shape\": [null, 784] into its config, with the size of your data.");
        return {};
    }
    KerasLayer input = first;
    if (first.type != "InputLayer") input.name = "input";
    std::optional<std::int64_t> length;
    if (const auto n = first.config.find("input_length"); n && n->is_integer() && n->integer() > 0)
        length = n->integer();
    KerasUse use(build, input, prefix, {}, nullptr);
    return only(keras_input(use, *shape, length ? length : length_hint(model, first.name)));
}

KerasTensors convert_sequential(KerasBuild& build, const KerasModel& model, const std::string& prefix,
                                const KerasTensors& given) {
    KerasTensors now = given;
    for (std::size_t i = 0; i < model.layers.size(); ++i) {
        const KerasLayer& l = model.layers[i];
        if (build.watch.cancel.cancelled()) {
            build.problems.error(l.at.at(), {}, "Reading was cancelled here.",
                                 "Open the file again to read all of it.");
            return {};
        }
        if (too_many(build, l.at)) return {};
        if (i == 0 && now.empty()) {
            if (l.type == "Merge" && l.config.find("layers")) {
                now = branches(build, l, prefix);
            } else if (is_keras_model(l)) {
                now = convert_keras_model(build, l, prefix + std::string(l.name) + '/', {});
                if (now.empty()) return {};
                continue;
            } else {
                now = beginning(build, model, prefix);
            }
            if (now.empty()) return {};
        }
        if (l.type == "InputLayer") continue;
        KerasUse use(build, l, prefix, std::move(now), nullptr);
        now = convert_keras_call(use);
        if (now.empty()) return {};
        if (l.type != "Merge") now.resize(1);
    }
    return now;
}

void note_type(KerasBuild& build, const KerasLayer& l) {
    const auto type = l.config.is_object() ? l.config.find("dtype") : std::nullopt;
    std::string_view word = type ? type->text() : std::string_view{};
    if (type && type->is_object())  // a policy, of Keras 3
        if (const auto config = type->find("config"); config && config->is_object())
            if (const auto name = config->find("name")) word = name->text();
    auto& all = build.notes.data_types;
    if (word.empty() || word.starts_with("float32") || word == "float" || l.type == "InputLayer") return;
    if (std::ranges::find(all, word) == all.end()) all.emplace_back(word);
}

}  // namespace

KerasTensors convert_keras_model(KerasBuild& build, const KerasLayer& layer, const std::string& prefix,
                                 const KerasTensors& given) {
    const auto model =
        read_keras_model(layer, prefix.empty() ? std::string() : join_path("layers", prefix), build.problems);
    if (!model) return {};
    if (model->layers.empty()) {
        build.problems.error(layer.config.at(), prefix, "The model has no layers.", "Add layers to it.");
        return {};
    }
    if (model->sequential) return convert_sequential(build, *model, prefix, given);
    return FunctionalModel(build, *model, prefix, given).convert();
}

KerasTensors convert_keras_call(KerasUse& use) {
    note_type(use.build, use.layer);
    if (is_keras_model(use.layer)) {
        if (use.inputs.empty()) return use.error("The model is called with nothing.", "Correct its inbound_nodes.");
        return convert_keras_model(use.build, use.layer, use.prefix + std::string(use.layer.name) + '/', use.inputs);
    }
    const bool is_operation = use.layer.module.find(".ops.") != std::string_view::npos;
    const KerasType* type = find_keras_type(is_operation ? "Operation" : use.layer.type);
    if (!use.layer.config.is_object())
        return use.error("The config of this layer is none.", "Write an object of its fields.");
    const auto least = static_cast<std::size_t>(type ? type->least_inputs : 0);
    if (use.inputs.size() < least) {
        use.error("A " + std::string(use.layer.type) + " reads " + (least == 1 ? "a tensor" : "two tensors") +
                      "; this one reads " + (use.inputs.empty() ? "none." : "one."),
                  "Correct its inbound_nodes.");
        return {};
    }
    KerasTensors results = type ? type->make(use) : unknown_result(use);
    if (results.empty()) {
        // Whatever went wrong was said; a family that forgot must not make a layer vanish.
        if (use.build.problems.errors() == 0) use.error("This layer cannot be read.", "Take it out of the model.");
        return {};
    }
    if (!type)
        while (results.size() < static_cast<std::size_t>(use.results)) results.push_back(results[0]);
    if (use.stated && results[0].dims != *use.stated)
        use.build.notes.differs.push_back(use.prefix + std::string(use.layer.name) + ": " + to_text(results[0].dims) +
                                          " for " + to_text(*use.stated));
    return results;
}

}  // namespace scalescope::formats
