// SPDX-License-Identifier: GPL-3.0-or-later
// The formulas behind core/pricing/collectives, as text (docs/decisions/collectives.md).
#include "core/estimate/explain_page.hpp"

namespace scalescope::explaining {

const char* source_of(Collective algorithm) {
    switch (algorithm) {
        case Collective::ring:
        case Collective::automatic: return "Ring: Patarasuk and Yuan, JPDC 2009";
        case Collective::recursive: return "Recursive halving and doubling: Thakur et al., IJHPCA 2005";
        case Collective::tree: return "Double binary tree, pipelined: Sanders et al., Parallel Computing 2009";
        case Collective::parameter_server: return "Parameter servers in the hosts' memory: Li et al., OSDI 2014";
        case Collective::one_to_all:
        case Collective::paleo_tree:
        case Collective::butterfly:
        case Collective::butterfly_mixing: break;
    }
    return "PALEO, Qi et al., ICLR 2017; start-up time per hop added";
}

std::string flat_formula(Message message, Collective algorithm, std::int64_t ranks, const std::string& n,
                         const std::string& s, const std::string& a, const std::string& w) {
    const std::string transfer = s + "/" + w, part = "(" + n + " - 1)/" + n, hops = "ceil(log2(" + n + "))",
                      others = "(" + n + " - 1)";
    const bool logarithmic = algorithm == Collective::recursive || algorithm == Collective::tree;
    switch (message) {
        case Message::all_reduce:
            switch (algorithm) {
                case Collective::ring:
                case Collective::automatic: return "2*" + others + "*" + a + " + 2*" + part + "*" + transfer;
                case Collective::recursive: {
                    const bool power = (ranks & (ranks - 1)) == 0;
                    const std::string core = "2^floor(log2(" + n + "))", floor = "floor(log2(" + n + "))";
                    if (power) return "2*log2(" + n + ")*" + a + " + 2*" + part + "*" + transfer;
                    return "2*" + floor + "*" + a + " + 2*(" + core + " - 1)/" + core + "*" + transfer + " + 2*(" + a +
                           " + " + transfer + ")";
                }
                case Collective::tree: return "2*" + hops + "*" + a + " + 2*" + transfer;
                case Collective::one_to_all: return "2*" + others + "*(" + a + " + " + transfer + ")";
                case Collective::paleo_tree: return "2*" + hops + "*(" + a + " + " + transfer + ")";
                case Collective::butterfly: return hops + "*(" + a + " + " + transfer + ")";
                case Collective::parameter_server: return "2*(" + a + " + " + transfer + ")";
                case Collective::butterfly_mixing: break;
            }
            break;
        case Message::reduce_scatter:
        case Message::all_gather: return (logarithmic ? hops : others) + "*" + a + " + " + part + "*" + transfer;
        case Message::broadcast:
        case Message::reduce:
            if (logarithmic) return hops + "*(" + a + " + " + transfer + ")";
            return others + "*" + a + " + " + transfer;
        case Message::point_to_point:
        case Message::push:
        case Message::pull: break;
    }
    return a + " + " + transfer;
}

}  // namespace scalescope::explaining
