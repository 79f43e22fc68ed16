// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/onnx/onnx_import.hpp"

#include "core/formats/network_json.hpp"
#include "core/formats/onnx/export/onnx_export.hpp"
#include "core/formats/onnx/reading.hpp"

namespace scalescope::formats {

namespace {

/// The network that this program kept beside the operators it wrote, if they are still the same.
std::optional<NetworkDraft> kept_draft(const onnx::Model& model, const std::string& file, Problems* warnings,
                                       const Watch& watch) {
    bool changed = false;
    const auto text = onnx::kept_network(model, changed);
    if (changed && warnings)
        warnings->push_back(
            make_warning("The model was changed after Scalescope wrote it: its operators are read, not the layers "
                         "kept beside them.",
                         "nothing needs to be done", {file, 0, 0}));
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
                                         const Watch& watch, OnnxCounts* counts, std::span<const Binding> sizes) {
    constexpr double reading = 0.4, converting = 0.9;  // of the time
    ASSIGN_OR_RETURN(auto read, onnx::read_model(bytes, file, {watch.progress.part(0, reading), watch.cancel}));
    if (auto kept = kept_draft(read, file, warnings, watch)) return std::move(*kept);
    const auto model = std::make_shared<const onnx::Model>(std::move(read));
    auto made = onnx::read_fitting(*model, file, sizes, {watch.progress.part(reading, converting), watch.cancel});
    if (!made) return tl::unexpected(made.error());
    onnx::open_sizes(*made, model, file, sizes, watch);
    if (counts) *counts = made->counts;
    if (warnings)
        for (Problem& p : made->warnings) warnings->push_back(std::move(p));
    return std::move(made->draft);
}

}  // namespace scalescope::formats
