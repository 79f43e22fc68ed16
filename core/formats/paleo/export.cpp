// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/paleo/export.hpp"

#include <map>

#include "core/base/listed.hpp"
#include "core/formats/paleo/convert.hpp"
#include "core/formats/paleo/import.hpp"
#include "core/formats/paleo/network.hpp"

namespace scalescope::formats {
namespace {

/// Layers that PALEO's file would not say, by what is wrong with them.
std::map<std::string, std::vector<std::string>> not_said(const Network& network, const paleo::Net& net,
                                                         const Network& back) {
    std::map<std::string, std::vector<std::string>> all;
    for (int p = 0; p < network.size(); ++p) {
        const auto i = static_cast<std::size_t>(p);
        const Layer& layer = network.layers()[i];
        const LayerFacts& facts = network.facts()[i];
        const paleo::Definition& d = net.description.items[i].layer;
        const auto at = back.position(d.name);
        const LayerFacts* read = at ? &back.facts()[static_cast<std::size_t>(*at)] : nullptr;
        if (!read || read->output != facts.output || read->multiply_adds != facts.multiply_adds)
            all["cost something else in PALEO's words"].push_back(layer.name);
        else if (read->parameters() != facts.parameters())
            all[facts.shares                              ? "use the weights of others, which PALEO counts again"
                : read->parameters() > facts.parameters() ? "have no bias, and PALEO counts one for every output"
                                                          : "have weights that PALEO does not count"]
                .push_back(layer.name);
        else if (d.kind == paleo::LayerType::generic && facts.division != Division::view)
            all["are of a kind that PALEO does not know, and cost nothing there"].push_back(layer.name);
    }
    return all;
}

}  // namespace

Result<std::string> export_paleo_network(const Network& network, bool lossy, Problems& warnings) {
    const auto net = to_paleo(network);
    if (!net) {
        Problems problems = net.error();
        for (Problem& p : problems) p.remedy = "export to Scalescope's JSON or to ONNX, or change the layer";
        return fail(std::move(problems));
    }
    std::string text = write_paleo_network(*net);
    auto draft = import_paleo_network(text, {});
    if (!draft) return tl::unexpected(draft.error());
    const auto back = Network::make(std::move(*draft));
    if (!back) return tl::unexpected(back.error());
    Problems lost;
    for (const auto& [what, names] : not_said(network, *net, **back))
        lost.push_back({lossy ? Severity::warning : Severity::error,
                        std::to_string(names.size()) + (names.size() == 1 ? " layer: " : " layers: ") + what + ": " +
                            listed(names, 8) + ".",
                        {},
                        lossy ? "the file says less than the network: keep it in another format too"
                              : "export to Scalescope's JSON or to ONNX, or ask for a file that says less (--lossy)",
                        {}});
    if (!lossy && !lost.empty()) return fail(std::move(lost));
    warnings.insert(warnings.end(), lost.begin(), lost.end());
    return text;
}

}  // namespace scalescope::formats
