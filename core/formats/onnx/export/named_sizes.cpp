// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/onnx/export/named_sizes.hpp"

#include <algorithm>
#include <array>

#include "core/base/limits.hpp"

namespace scalescope::formats::onnx {
namespace {

/// How a size is called that is `now` where the symbol is `value`, and `then` where it is twice that.
std::string words_for(const Binding& symbol, std::int64_t now, std::int64_t then) {
    const std::int64_t more = then - now;
    if (more % symbol.value != 0) return symbol.symbol + ": " + std::to_string(now);
    const std::int64_t factor = more / symbol.value, rest = now - more;
    std::string text = factor == 1 ? symbol.symbol : std::to_string(factor) + '*' + symbol.symbol;
    if (rest != 0) text += (rest > 0 ? " + " : " - ") + std::to_string(rest > 0 ? rest : -rest);
    return text;
}

/// Kinds whose nodes hold their own sizes as numbers.
bool writes_sizes(std::string_view kind) {
    constexpr std::array<std::string_view, 4> kinds{"parameter", "constant", "expand", "sort"};
    return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

}  // namespace

NamedSizes::NamedSizes(const Network& network) {
    for (const LayerFacts& f : network.facts()) {
        auto& sizes = sizes_.emplace_back();
        for (const auto d : f.output) sizes.push_back({d, {}});
    }
    for (const Binding& b : network.bindings()) follow(network, b);
}

void NamedSizes::follow(const Network& network, const Binding& symbol) {
    Fixed fixed{symbol.symbol, symbol.value, {}};
    const Binding doubled{symbol.symbol, 2 * symbol.value};
    const auto other = doubled.value > limits::dimension ? Result<std::shared_ptr<const Network>>(nullptr)
                                                         : network.with(std::vector<Binding>{doubled});
    if (!other || !*other || (*other)->size() != network.size()) {
        if (!other && !other.error().empty()) fixed.layer = other.error().front().where;
        fixed_.push_back(std::move(fixed));
        return;
    }
    auto open = sizes_;
    for (std::size_t p = 0; p < open.size(); ++p) {
        const LayerFacts &now = network.facts()[p], &then = (*other)->facts()[p];
        bool any = false, can = now.weights == then.weights && now.output.size() == then.output.size();
        for (std::size_t a = 0; can && a < now.output.size(); ++a) {
            if (now.output[a] == then.output[a]) continue;
            any = true;
            can = open[p][a].open.empty();  // of two symbols at once
            open[p][a].open = words_for(symbol, now.output[a], then.output[a]);
        }
        const Layer& layer = network.layers()[p];
        can = can && !(any && writes_sizes(layer.kind->name));
        if (can && layer.kind->name == "reshape") {
            std::vector<std::int64_t> shape;
            can = resolve(open[static_cast<std::size_t>(network.inputs(static_cast<int>(p))[0])], open[p], shape);
        }
        if (can) continue;
        fixed.layer = layer.name;
        fixed_.push_back(std::move(fixed));
        return;
    }
    sizes_ = std::move(open);
}

bool NamedSizes::resolve(const std::vector<Size>& from, const std::vector<Size>& to, std::vector<std::int64_t>& shape) {
    bool follows = false, all = true;
    for (std::size_t i = 0; i < to.size(); ++i) {
        if (to[i].open.empty()) {
            shape.push_back(to[i].value);
        } else if (i < from.size() && from[i] == to[i]) {
            shape.push_back(0);
        } else if (!follows) {
            shape.push_back(-1);
            follows = true;
        } else {
            shape.push_back(to[i].value);
            all = false;
        }
    }
    return all;
}

}  // namespace scalescope::formats::onnx
