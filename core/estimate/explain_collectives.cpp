// SPDX-License-Identifier: GPL-3.0-or-later
// The formulas behind core/pricing/collectives, as text (docs/decisions/collectives.md).
#include "core/estimate/explain_page.hpp"

namespace scalescope::explaining {

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
