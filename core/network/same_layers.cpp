// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/network/same_layers.hpp"

#include <algorithm>

namespace scalescope {

bool same_layers(const Network& a, const Network& b) {
    if (&a == &b || a.same_draft(b)) return true;
    const auto &p = a.draft().symbols, &q = b.draft().symbols;
    if (!std::ranges::equal(
            p, q, [](const Symbol& x, const Symbol& y) { return x.name == y.name && x.initial == y.initial; }))
        return false;
    const auto name = [](const Network& n, LayerId id) -> std::string_view {
        const auto at = n.position(id);
        return at ? std::string_view(n.layers()[static_cast<std::size_t>(*at)].name) : std::string_view();
    };
    const auto same = [&](const Layer& x, const Layer& y) {
        return x.kind == y.kind && x.name == y.name && x.attributes == y.attributes &&
               name(a, x.shares_weights_with) == name(b, y.shares_weights_with) &&
               std::ranges::equal(x.inputs, y.inputs, [&](LayerId i, LayerId k) { return name(a, i) == name(b, k); });
    };
    const auto la = a.layers(), lb = b.layers();
    return std::ranges::equal(la, lb, same);
}

}  // namespace scalescope
