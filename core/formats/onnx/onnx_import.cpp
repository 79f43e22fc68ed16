// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/onnx/onnx_import.hpp"

#include "core/formats/network_json.hpp"
#include "core/formats/onnx/converter.hpp"
#include "core/formats/onnx/export/kept_network.hpp"

namespace scalescope::formats {

namespace {

/// The network that this program kept beside the operators it wrote, if they are still the same.
std::optional<NetworkDraft> kept_draft(const onnx::Model& model, const std::string& file, Problems* warnings,
                                       const Watch& watch) {
    bool changed = false;
    const auto text = onnx::kept_network(model, changed);
    if (changed && warnings)
        warnings->push_back({Severity::warning,
                             "The model was changed after Scalescope wrote it: its operators are read, not the layers "
                             "kept beside them.",
                             {},
                             "nothing needs to be done",
                             {file, 0, 0}});
    if (!text) return std::nullopt;
    auto draft = read_network_draft(*text, file, watch);
    if (!draft) return std::nullopt;
    for (Layer& l : draft->layers) l.at = {file, 0, 0};
    return std::move(*draft);
}

}  // namespace

bool is_onnx_network(std::string_view bytes) {
    constexpr std::size_t telling = 4096;
    return onnx::looks_like_onnx(bytes.substr(0, telling));
}

Result<NetworkDraft> import_onnx_network(std::string_view bytes, std::string file, Problems* warnings,
                                         const Watch& watch, OnnxCounts* counts) {
    constexpr double reading = 0.4, tracing = 0.7;  // of the time
    const auto model = onnx::read_model(bytes, file, {watch.progress.part(0, reading), watch.cancel});
    if (!model) return tl::unexpected(model.error());
    if (auto kept = kept_draft(*model, file, warnings, watch)) return std::move(*kept);
    ProblemList problems;
    const SourcePosition at{file, 0, 0};
    const Watch rest{watch.progress.part(reading, tracing), watch.cancel};
    onnx::Plan plan = onnx::make_plan(*model);
    onnx::Trace trace = onnx::trace_model(*model, plan.inputs, file, problems, rest);
    if (problems.has_errors() && !plan.fixed_batch && !watch.cancel.cancelled()) {
        // Where a few samples do not fit, the open dimension may be time.
        ProblemList others;
        onnx::Plan whole = onnx::make_plan(*model, false);
        onnx::Trace traced = onnx::trace_model(*model, whole.inputs, file, others, rest);
        if (!others.has_errors()) {
            plan = std::move(whole);
            trace = std::move(traced);
            problems = std::move(others);
        }
    }
    if (problems.has_errors()) return fail(problems.take());
    onnx::Converter converter(trace, plan, file, problems, {watch.progress.part(tracing, 1), watch.cancel});
    const bool made = converter.convert();
    if (!made && !problems.has_errors())
        problems.error(at, {},
                       model->graph.nodes.empty() ? "The graph has no nodes."
                                                  : "No node of the graph works on data of a known size.",
                       "Open the model that computes; this one only passes values on.");
    if (problems.has_errors()) return fail(problems.take());
    NetworkDraft draft = std::move(converter.draft());
    draft.name = model->graph.name.empty() ? "ONNX model" : model->graph.name;
    draft.source = "ONNX model, " + file;
    draft.description = model->producer.empty() ? "An ONNX model." : "An ONNX model made by " + model->producer + ".";
    if (counts) *counts = converter.counts();
    if (warnings)
        for (Problem& p : problems.take()) warnings->push_back(std::move(p));
    return draft;
}

}  // namespace scalescope::formats
