// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parallel/outputs.hpp"

#include <algorithm>

#include "core/base/checked.hpp"

namespace scalescope {
namespace {

using Pieces = std::vector<OutputStructure::Piece>;

/// Joins equal pieces so that a DenseNet's hundred concatenated parts stay a handful. Two parts of the same unit count
/// are dealt out alike, so their weights add.
void merge(Pieces& pieces) {
    std::sort(pieces.begin(), pieces.end(), [](const auto& a, const auto& b) { return a.units < b.units; });
    Pieces out;
    for (const auto& p : pieces) {
        if (!out.empty() && out.back().units == p.units)
            out.back().weight += p.weight;
        else
            out.push_back(p);
    }
    pieces = std::move(out);
}

int class_index(OutputStructure& s, Pieces pieces) {
    // Only the proportions matter for a share; normalising makes pooling keep its input's class.
    double total = 0;
    for (const auto& p : pieces) total += static_cast<double>(p.units) * p.weight;
    if (total > 0)
        for (auto& p : pieces) p.weight /= total;
    for (std::size_t i = 0; i < s.classes.size(); ++i) {
        const auto& c = s.classes[i];
        if (std::equal(c.begin(), c.end(), pieces.begin(), pieces.end(), [](const auto& a, const auto& b) { return a.units == b.units && a.weight == b.weight; }))
            return static_cast<int>(i);
    }
    s.classes.push_back(std::move(pieces));
    return static_cast<int>(s.classes.size()) - 1;
}

}  // namespace

double OutputStructure::busiest_share(int c, std::int64_t g) const {
    double share = 0;
    for (const auto& p : classes[static_cast<std::size_t>(c)]) share += static_cast<double>(ceil_div(p.units, g)) * p.weight;
    return g == 1 ? 1.0 : share;
}

OutputStructure make_output_structure(const Network& network, const Work& work) {
    OutputStructure s;
    const std::size_t n = static_cast<std::size_t>(work.layers);
    s.class_of.assign(n, 0);
    s.readers.resize(n);
    const auto facts = network.facts();
    auto own = [&](const LayerFacts& f) {
        const auto units = std::max<std::int64_t>(1, f.units);
        return Pieces{{units, static_cast<double>(f.out_elements) / static_cast<double>(units)}};
    };
    for (std::size_t l = 0; l < n; ++l) {
        const LayerFacts& f = facts[l];
        s.division.push_back(f.division);
        s.groups.push_back(f.groups);
        if (f.division == Division::weights) {
            if (f.groups > 1) s.grouped = true;
            if (s.fewest_units_layer < 0 || f.units < s.fewest_units) {
                s.fewest_units = f.units;
                s.fewest_units_layer = static_cast<int>(l);
            }
        }
        if (f.division == Division::view) {
            // A reshape that leaves fewer channels lets the tensor be dealt out only by those.
            const auto root = static_cast<std::size_t>(work.root[l]);
            const auto& pieces = s.classes[static_cast<std::size_t>(s.class_of[root])];
            if (pieces.size() == 1 && f.units < pieces[0].units) s.class_of[root] = class_index(s, own(f));
            continue;
        }
        for (int r : work.reads[l]) s.readers[static_cast<std::size_t>(r)].push_back(static_cast<int>(l));
        if (f.division == Division::channelwise && !work.reads[l].empty()) {
            // The output falls apart as the inputs do: a concatenation has the pieces of all of them.
            const auto inputs = network.inputs(static_cast<int>(l));
            if (f.out_elements == f.in_elements && inputs.size() > 1) {
                Pieces pieces;
                for (int in : inputs) {
                    const auto r = static_cast<std::size_t>(work.root[static_cast<std::size_t>(in)]);
                    for (auto p : s.classes[static_cast<std::size_t>(s.class_of[r])]) {
                        p.weight *= static_cast<double>(facts[r].out_elements);
                        pieces.push_back(p);
                    }
                }
                merge(pieces);
                s.class_of[l] = class_index(s, std::move(pieces));
            } else {
                s.class_of[l] = s.class_of[static_cast<std::size_t>(work.reads[l][0])];
            }
        } else {
            s.class_of[l] = class_index(s, own(f));
        }
    }
    return s;
}

void make_output_layout(const OutputStructure& s, const Work& work, int from, std::int64_t g, OutputLayout& layout) {
    const std::size_t n = static_cast<std::size_t>(work.layers);
    layout.divided.assign(n, 0);
    layout.local_input.assign(n, 0);
    for (auto* v : {&layout.gather, &layout.scatter, &layout.all_reduce, &layout.cut}) {
        v->clear();
        v->reserve(n);
    }
    layout.cut_partial.clear();
    layout.cut_partial.reserve(n);
    auto divided = [&](int root) { return layout.divided[static_cast<std::size_t>(root)] != 0; };

    for (std::size_t l = static_cast<std::size_t>(from); l < n; ++l) {
        const bool any_divided = std::any_of(work.reads[l].begin(), work.reads[l].end(), divided);
        switch (s.division[l]) {
            case Division::weights:
                layout.divided[l] = 1;
                // Groups that are dealt out whole need only the channels their worker already holds.
                layout.local_input[l] = any_divided && s.groups[l] > 1 && s.groups[l] % g == 0;
                break;
            case Division::channelwise: layout.divided[l] = layout.local_input[l] = any_divided; break;
            default: break;
        }
    }
    for (std::size_t t = 0; t < n; ++t) {
        if (s.division[t] == Division::view) continue;
        const bool before = static_cast<int>(t) < from;
        bool read = false, whole_reader = false, partial = false;
        for (int reader : s.readers[t]) {
            if (reader < from) continue;
            const auto r = static_cast<std::size_t>(reader);
            read = true;
            const bool passes_gradient = work.pass[index_of(Pass::grad_input)].active[r] > 0 || s.division[r] == Division::channelwise;
            if (layout.local_input[r]) {
                // It uses its slice only. Of a tensor held whole that leaves each worker a piece of the gradient.
                partial |= !layout.divided[t] && passes_gradient;
            } else if (s.division[r] == Division::weights) {
                whole_reader = true;
                partial |= passes_gradient;  // each worker sums over its own outputs only
            } else if (layout.divided[t]) {
                whole_reader = true;  // replicated on the gathered tensor: its gradient is whole, so going back is free
            }
        }
        if (!read) continue;
        const int root = static_cast<int>(t);
        if (before) {
            if (s.division[t] == Division::source) continue;  // input data arrive free where they are needed
            layout.cut.push_back(root);
            layout.cut_partial.push_back(partial && work.gradient_needed[t]);
        } else if (layout.divided[t]) {
            if (whole_reader) layout.gather.push_back(root);
            if (partial && work.gradient_needed[t]) layout.scatter.push_back(root);
        } else if (partial && work.gradient_needed[t]) {
            layout.all_reduce.push_back(root);
        }
    }
}

void fill_shares(const OutputStructure& s, const OutputLayout& layout, int from, std::int64_t g, std::vector<double>& class_share,
                 std::vector<double>& in, std::vector<double>& out) {
    for (std::size_t c = 0; c < s.classes.size(); ++c) class_share[c] = s.busiest_share(static_cast<int>(c), g);
    for (std::size_t l = static_cast<std::size_t>(from); l < s.class_of.size(); ++l) {
        const double share = class_share[static_cast<std::size_t>(s.class_of[l])];
        out[l] = layout.divided[l] ? share : 1.0;
        in[l] = layout.local_input[l] ? share : 1.0;
    }
}

}  // namespace scalescope
