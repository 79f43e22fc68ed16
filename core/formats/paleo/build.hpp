// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/json_decoder.hpp"
#include "core/formats/paleo/net.hpp"

/// The steps between a PALEO file and a net; each reports what is wrong and the next runs only if nothing was.
namespace scalescope::formats::paleo_build {

/// JSON to Description.
paleo::Description decode(const JsonDocument& document, ProblemList& problems);

/// A layer of the unfolded file, parents resolved to places in the same list.
struct Unfolded {
    std::string name;
    const paleo::Definition* definition = nullptr;
    int split = paleo::not_split;
    std::int64_t splits = 1;  ///< of the ModelParallel block it is in
    std::vector<int> parents;
};
std::vector<Unfolded> unfold(const paleo::Description& description, ProblemList& problems);

/// Where messages about one layer go.
struct Reporter {
    ProblemList& problems;
    const std::string& file;
    void error(std::string_view layer, paleo::Place at, std::string what, std::string remedy) const;
    void warning(std::string_view layer, paleo::Place at, std::string what, std::string remedy) const;
};

/// The topological order, and PALEO's walk (places are those of `layers`) if it reaches every layer.
struct Order {
    std::vector<int> order;
    std::vector<paleo::Step> walk;
};
Order order(const std::vector<Unfolded>& layers, const Reporter& report);

/// Filter, padding, shapes and parameters of one layer whose parents are derived already.
void derive(paleo::Layer& layer, const Unfolded& from, const std::vector<paleo::Layer>& done, const Reporter& report);

}  // namespace scalescope::formats::paleo_build
