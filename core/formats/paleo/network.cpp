// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/paleo/network.hpp"

#include "core/formats/paleo/build.hpp"

#include <utility>

namespace scalescope::formats {

namespace paleo_build {
namespace {

using namespace paleo;

Layer start(const paleo_build::Unfolded& from, const std::vector<int>& place_of) {
    const auto& d = *from.definition;
    Layer layer;
    layer.name = from.name;
    layer.type = d.type;
    layer.kind = d.kind;
    for (const int parent : from.parents) layer.parents.push_back(place_of[static_cast<std::size_t>(parent)]);
    layer.split = from.split;
    layer.filter = d.filter;
    layer.strides = d.strides;
    layer.window = d.window;
    layer.padding = d.padding;
    layer.activation = d.activation;
    layer.normalizer = d.normalizer;
    layer.at = d.at;
    return layer;
}

void renumber(std::vector<Step>& walk, const std::vector<int>& place_of) {
    for (auto& step : walk) {
        if (step.layer >= 0) step.layer = place_of[static_cast<std::size_t>(step.layer)];
        for (auto& branch : step.branches) renumber(branch, place_of);
    }
}

Result<Net> build(Description description, ProblemList problems) {
    const auto unfolded = paleo_build::unfold(description, problems);
    if (problems.has_errors()) return fail(problems.take());
    const paleo_build::Reporter report{problems, description.file};
    auto order = paleo_build::order(unfolded, report);
    if (problems.has_errors()) return fail(problems.take());

    Net net;
    std::vector<int> place_of(unfolded.size(), 0);
    for (std::size_t i = 0; i < order.order.size(); ++i)
        place_of[static_cast<std::size_t>(order.order[i])] = static_cast<int>(i);
    net.layers.reserve(unfolded.size());
    for (const int place : order.order) {
        const auto& from = unfolded[static_cast<std::size_t>(place)];
        Layer layer = start(from, place_of);
        paleo_build::derive(layer, from, net.layers, report);
        net.layers.push_back(std::move(layer));
    }
    if (problems.has_errors()) return fail(problems.take());
    renumber(order.walk, place_of);
    net.walk = std::move(order.walk);
    net.name = description.name;
    net.description = std::move(description);
    net.warnings = problems.take();
    return net;
}

}  // namespace
}  // namespace paleo_build

Result<paleo::Net> build_paleo_network(paleo::Description description) {
    return paleo_build::build(std::move(description), {});
}

Result<paleo::Net> read_paleo_network(std::string_view text, std::string file, const Watch& watch) {
    const auto document = parse_json(text, std::move(file), watch);
    if (!document) return fail(document.error());
    ProblemList problems;
    auto description = paleo_build::decode(*document, problems);
    if (problems.has_errors()) return fail(problems.take());
    return paleo_build::build(std::move(description), std::move(problems));
}

}  // namespace scalescope::formats
