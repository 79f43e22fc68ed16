// SPDX-License-Identifier: GPL-3.0-or-later
// Any bytes as a network file: a Problem, or a network that can be written, read again, and estimated in every way.
#include "core/formats/library.hpp"
#include "core/formats/network_export.hpp"
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

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    Problems warnings;
    const auto draft = formats::read_any_network_draft(text, "fuzz.json", &warnings);
    const auto network = fuzz::check_import(draft, warnings);
    if (!network) return 0;
    export_every_way(*network);
    fuzz::estimate_every_way(fuzz::scenario_of(network));
    return 0;
}
