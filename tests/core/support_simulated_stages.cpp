// SPDX-License-Identifier: GPL-3.0-or-later
#include <map>
#include <set>

#include "support_dealing.hpp"
#include "support_simulation.hpp"

namespace support {

using namespace dealing;

std::vector<BorderBytes> simulate_stages(const Network& network, const std::vector<int>& borders, double samples,
                                         double element_bytes) {
    const Graph g(network);
    const std::size_t stages = borders.size() - 1;
    auto stage_of = [&](int l) {
        std::size_t s = 0;
        while (l >= borders[s + 1]) ++s;
        return s;
    };
    std::vector<char> wanted(at(g.n), 0);
    for (int l = 0; l < g.n; ++l) {
        wanted[at(l)] = g.trainable(l);
        for (int in : network.inputs(l)) wanted[at(l)] |= wanted[at(in)];
    }
    // A stage holds what it made and what it was handed; it asks the one before for what it lacks.
    std::vector<std::set<int>> held(stages);
    std::vector<BorderBytes> bytes(stages > 0 ? stages - 1 : 0);
    for (int l = 0; l < g.n; ++l)
        if (!g.view(l)) held[stage_of(l)].insert(l);
    for (int l = 0; l < g.n; ++l) {
        for (int in : network.inputs(l)) {  // a view too needs what it looks at
            const int t = g.tensor[at(in)];
            if (g.source(t) || g.trained(t)) continue;  // free, and held wherever it is needed
            for (std::size_t s = stage_of(l); !held[s].contains(t); --s) {
                held[s].insert(t);
                const double size = static_cast<double>(g.elements_of[at(t)]) * samples * element_bytes;
                bytes[s - 1].forward += size;
                if (wanted[at(t)]) bytes[s - 1].backward += size;
            }
        }
    }
    return bytes;
}

std::map<int, std::set<int>> weight_holders(const Network& network, const std::vector<int>& borders) {
    const Graph g(network);
    std::map<int, std::set<int>> holders;
    for (int l = 0; l < g.n; ++l) {
        int stage = 0;
        while (l >= borders[at(stage + 1)]) ++stage;
        if (g.trainable(l)) holders[g.owner(l)].insert(stage);
        if (g.view(l)) continue;
        for (int in : network.inputs(l))
            if (g.trained(in) && g.trainable(g.tensor[at(in)])) holders[g.tensor[at(in)]].insert(stage);
    }
    return holders;
}

}  // namespace support
