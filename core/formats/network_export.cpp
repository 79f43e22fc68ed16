// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/network_export.hpp"

#include <algorithm>
#include <array>

#include "core/formats/network_json.hpp"
#include "core/formats/onnx/export/onnx_export.hpp"
#include "core/formats/paleo/convert.hpp"

namespace scalescope::formats {
namespace {

constexpr std::array<std::string_view, 3> format_words{"scalescope", "paleo", "onnx"};

/// Today's value of each symbol as its default.
Result<std::shared_ptr<const Network>> with_defaults(const Network& network) {
    NetworkDraft draft = settled(network.draft());
    for (Symbol& s : draft.symbols)
        for (const Binding& b : network.bindings())
            if (b.symbol == s.name) s.initial = b.value;
    return Network::make(std::move(draft));
}

}  // namespace

std::string_view word_for(NetworkFormat format) { return format_words[static_cast<std::size_t>(format)]; }

std::optional<NetworkFormat> network_format_called(std::string_view word) {
    const auto it = std::ranges::find(format_words, word);
    if (it == format_words.end()) return std::nullopt;
    return static_cast<NetworkFormat>(it - format_words.begin());
}

std::optional<NetworkFormat> network_format_for(std::string_view file) {
    std::string end(file.substr(file.size() - std::min<std::size_t>(file.size(), 5)));
    for (char& c : end)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (end == ".json") return NetworkFormat::scalescope;
    if (end == ".onnx") return NetworkFormat::onnx;
    return std::nullopt;
}

Result<ExportedNetwork> export_network(const Network& network, NetworkFormat format, bool lossy) {
    ASSIGN_OR_RETURN(const auto own, with_defaults(network));
    ExportedNetwork out;
    switch (format) {
        case NetworkFormat::scalescope: out.text = write_network(own->draft()); return out;
        case NetworkFormat::onnx: out.text = write_onnx_network(*own, &out.warnings); return out;
        case NetworkFormat::paleo: break;
    }
    ASSIGN_OR_RETURN(out.text, export_paleo_network(*own, lossy, out.warnings));
    return out;
}

}  // namespace scalescope::formats
