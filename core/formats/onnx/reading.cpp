// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/onnx/reading.hpp"

#include <algorithm>
#include <filesystem>

#include "core/formats/onnx/converter.hpp"

namespace scalescope::formats::onnx {
namespace {

/// Graphs are called by their exporter, where nobody gave them a name; then the file's name says more.
std::string name_of_model(const std::string& graph, const std::string& file) {
    for (const std::string_view exporter :
         {"", "torch_jit", "torch-jit-export", "main_graph", "main", "graph", "model", "tf2onnx", "onnx_graph"})
        if (graph == exporter) {
            const std::string stem = std::filesystem::path(file).stem().string();
            return stem.empty() ? "ONNX model" : stem;
        }
    return graph;
}

constexpr double traced_share = 0.5;  // of the time

}  // namespace

Traced trace_at(const Model& model, const std::string& file, std::span<const Binding> sizes, std::int64_t batch,
                const Watch& watch) {
    Traced t;
    t.batch = batch;
    t.plan = make_plan(model, batch, sizes);
    t.plan.inputs.rounds.assign(sizes.begin(), sizes.end());
    t.trace = trace_model(model, t.plan.inputs, file, t.problems, watch);
    return t;
}

Result<Reading> converted(Traced t, const Model& model, const std::string& file, const Watch& watch) {
    if (t.problems.has_errors()) return fail(t.problems.take());
    Converter converter(t.trace, t.plan, file, t.problems, watch);
    if (!converter.convert() && !t.problems.has_errors())
        t.problems.error({file, 0, 0}, {},
                         model.graph.nodes.empty() ? "The graph has no nodes."
                                                   : "No node of the graph works on data of a known size.",
                         "Open the model that computes; this one only passes values on.");
    if (t.problems.has_errors()) return fail(t.problems.take());
    Reading r;
    r.batch = t.batch;
    r.counts = converter.counts();
    r.draft = std::move(converter.draft());
    r.draft.name = name_of_model(model.graph.name, file);
    r.draft.source = "ONNX model, " + file;
    r.draft.description = model.producer.empty() ? "An ONNX model." : "An ONNX model made by " + model.producer + ".";
    r.open = std::move(t.plan.open);
    r.following = std::move(t.plan.following);
    for (Symbol& s : t.trace.rounds) r.open.push_back(std::move(s));
    r.shortened = t.trace.shortened.size();
    r.warnings = t.problems.take();
    return r;
}

Result<Reading> read_at(const Model& model, const std::string& file, std::span<const Binding> sizes, std::int64_t batch,
                        const Watch& watch) {
    Traced t = trace_at(model, file, sizes, batch, {watch.progress.part(0, traced_share), watch.cancel});
    return converted(std::move(t), model, file, {watch.progress.part(traced_share, 1), watch.cancel});
}

bool is_given(std::span<const Binding> given, const Symbol& s) {
    return std::ranges::any_of(given, [&](const Binding& b) { return b.symbol == s.name; });
}

std::vector<Binding> overlaid(std::vector<Binding> base, std::span<const Binding> sizes) {
    for (const Binding& b : sizes) {
        const auto it = std::ranges::find(base, b.symbol, &Binding::symbol);
        if (it == base.end())
            base.push_back(b);
        else
            it->value = b.value;
    }
    return base;
}

}  // namespace scalescope::formats::onnx
