// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a network file: a Problem, or a network that can be written, read again, and estimated in every way. The
// same bytes as layers on the clipboard, pasted into a network.
#include "core/formats/library.hpp"
#include "core/formats/network_export.hpp"
#include "core/network/editing/fragment.hpp"
#include "fuzz/checks.hpp"
#include "fuzz/json_mutator.hpp"

using namespace scalescope;

namespace {

/// Every format gives back what it was given, or says that it cannot.
void export_every_way(const Network& network) {
    constexpr int most_layers = 200;
    if (network.size() > most_layers) return;
    const std::string own = formats::write_network(network.draft());
    for (const auto format :
         {formats::NetworkFormat::scalescope, formats::NetworkFormat::onnx, formats::NetworkFormat::paleo}) {
        const auto file = formats::export_network(network, format);
        if (!file) {
            fuzz::check_problems(file.error());
            continue;
        }
        const auto back = formats::read_any_network(file->text, "exported");
        fuzz::require(back.has_value(), "what is exported can be read");
        fuzz::require(
            (*back)->parameters() == network.parameters() && (*back)->multiply_adds() == network.multiply_adds(),
            "what is exported has the same totals");
        if (format != formats::NetworkFormat::paleo)
            fuzz::require(formats::write_network((*back)->draft()) == own, "what is exported reads back equal");
    }
}

void check_fragment(std::string_view text) {
    const auto fragment = formats::read_fragment(text, "fuzz.json");
    if (!fragment) {
        fuzz::check_problems(fragment.error());
        return;
    }
    const std::string written = formats::write_fragment(*fragment);
    const auto again = formats::read_fragment(written, "written.json");
    fuzz::require(again && formats::write_fragment(*again) == written, "layers read back as they were written");
    NetworkDraft draft;
    for (int copies = 0; copies < 2; ++copies) {
        const auto edited = editing::paste_layers(draft, *fragment);
        if (!edited) {
            fuzz::check_problems(edited.error());
            return;
        }
        fuzz::require(edited->draft.layers.size() == draft.layers.size() + fragment->layers.size(),
                      "every layer is pasted");
        draft = edited->draft;
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    if (formats::holds_layers(text)) check_fragment(text);
    Problems warnings;
    const auto draft = formats::read_any_network_draft(text, "fuzz.json", &warnings);
    const auto network = fuzz::check_import(draft, warnings);
    if (!network) return 0;
    export_every_way(*network);
    fuzz::estimate_every_way(fuzz::scenario_of(network));
    return 0;
}
