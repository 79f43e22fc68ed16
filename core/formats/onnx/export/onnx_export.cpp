// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/onnx/export/onnx_export.hpp"

#include "core/formats/onnx/export/exporter.hpp"
#include "core/formats/onnx/export/kept_network.hpp"

namespace scalescope::formats {

std::string write_onnx_network(const Network& network, Problems* warnings) {
    Problems own;
    onnx::Model model = onnx::Exporter(network).run(own);
    if (warnings) warnings->insert(warnings->end(), own.begin(), own.end());
    // The digest is that of what a reader sees, who makes bytes visible that are no text.
    if (auto seen = onnx::read_model(onnx::write_model(model), {})) {
        onnx::keep_network(*seen, network.draft());
        model.metadata = std::move(seen->metadata);
    }
    return onnx::write_model(model);
}

}  // namespace scalescope::formats
