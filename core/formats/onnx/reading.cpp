// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/onnx/reading.hpp"

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

struct Traced {
    Plan plan;
    Trace trace;
    ProblemList problems;
};

Traced trace_at(const Model& model, const std::string& file, std::span<const Binding> sizes, bool batched,
                const Watch& watch) {
    Traced t;
    t.plan = make_plan(model, batched, sizes);
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
    r.counts = converter.counts();
    r.draft = std::move(converter.draft());
    r.draft.name = name_of_model(model.graph.name, file);
    r.draft.source = "ONNX model, " + file;
    r.draft.description = model.producer.empty() ? "An ONNX model." : "An ONNX model made by " + model.producer + ".";
    r.open = std::move(t.plan.open);
    for (Symbol& s : t.trace.rounds) r.open.push_back(std::move(s));
    r.shortened = t.trace.shortened.size();
    r.warnings = t.problems.take();
    return r;
}

constexpr double traced = 0.5;  // of the time

}  // namespace

Result<Reading> read_at(const Model& model, const std::string& file, std::span<const Binding> sizes, bool batched,
                        const Watch& watch) {
    Traced t = trace_at(model, file, sizes, batched, {watch.progress.part(0, traced), watch.cancel});
    auto reading = converted(std::move(t), model, file, {watch.progress.part(traced, 1), watch.cancel});
    if (reading) reading->batched = batched;
    return reading;
}

Result<Reading> read_at(const Model& model, const std::string& file, std::span<const Binding> sizes,
                        const Watch& watch) {
    const Watch first{watch.progress.part(0, traced), watch.cancel}, rest{watch.progress.part(traced, 1), watch.cancel};
    Traced t = trace_at(model, file, sizes, true, first);
    bool batched = true;
    if (t.problems.has_errors() && !t.plan.fixed_batch && !watch.cancel.cancelled()) {
        // Where a few samples do not fit, the open dimension may be time.
        Traced whole = trace_at(model, file, sizes, false, first);
        if (!whole.problems.has_errors()) {
            t = std::move(whole);
            batched = false;
        }
    }
    auto reading = converted(std::move(t), model, file, rest);
    if (reading) reading->batched = batched;
    return reading;
}

}  // namespace scalescope::formats::onnx
