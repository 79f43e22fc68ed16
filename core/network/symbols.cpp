// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/network/symbols.hpp"

#include <algorithm>

#include "core/base/checked.hpp"
#include "core/base/limits.hpp"
#include "core/base/suggest.hpp"

namespace scalescope {
namespace {

std::string list_of(const std::vector<std::string>& symbols) {
    std::string all;
    for (std::size_t i = 0; i < symbols.size(); ++i)
        all += (i == 0 ? "" : i + 1 == symbols.size() ? " or " : ", ") + symbols[i];
    return all;
}

Problem about_symbol(const std::string& symbol, std::string what, std::string remedy) {
    return make_error(std::move(what), std::move(remedy), {}, "symbols." + symbol.substr(0, 60));
}

bool open_dim(const Dim& d) { return !d.symbol.empty() && d.symbol != batch_symbol; }

/// The size that an open dimension has.
Result<std::int64_t> value_of(const Dim& d, std::span<const Binding> bindings) {
    const auto b =
        std::find_if(bindings.begin(), bindings.end(), [&](const Binding& known) { return known.symbol == d.symbol; });
    if (b == bindings.end())
        return fail(make_error("The dimension \"" + d.symbol + "\" has no value.",
                               "write a number, or name it among the network's symbols with a default"));
    const Checked size = Checked(d.factor) * b->value;
    if (!size.ok() || size.value() > limits::dimension)
        return fail(make_error(
            "The dimension " + std::to_string(d.factor) + "*" + d.symbol + " is beyond what this program accepts.",
            "use a smaller value for " + d.symbol + ", here " + std::to_string(b->value)));
    return size.value();
}

}  // namespace

std::vector<Binding> initial_bindings(std::span<const Symbol> symbols) {
    std::vector<Binding> bindings;
    for (const Symbol& s : symbols)
        if (s.name != batch_symbol) bindings.push_back({s.name, s.initial});
    return bindings;
}

Result<void> bind(std::vector<Binding>& bindings, std::span<const Binding> wanted, const std::string& network) {
    Problems problems;
    for (const Binding& w : wanted) {
        const auto it = std::ranges::find(bindings, w.symbol, &Binding::symbol);
        if (it != bindings.end()) {
            it->value = w.value;
        } else if (w.symbol == batch_symbol) {
            problems.push_back(
                about_symbol(w.symbol, "The batch is no size of the network.", "set training.batch instead"));
        } else {
            std::vector<std::string> known;
            for (const Binding& b : bindings) known.push_back(b.symbol);
            const auto near = closest(w.symbol, known);
            problems.push_back(about_symbol(w.symbol, network + " has no symbol \"" + w.symbol.substr(0, 60) + "\".",
                                            near            ? "did you mean \"" + *near + "\"?"
                                            : known.empty() ? "leave it out; this network has sizes in numbers only"
                                                            : "use " + list_of(known)));
        }
        if (problems.size() >= limits::problems) break;
    }
    for (const Binding& b : bindings)
        if (b.value < 1 || b.value > limits::dimension)
            problems.push_back(
                about_symbol(b.symbol, "The symbol \"" + b.symbol + "\" cannot be " + std::to_string(b.value) + ".",
                             "use a whole number from 1 to " + std::to_string(limits::dimension)));
    if (!problems.empty()) return fail(std::move(problems));
    return {};
}

Result<std::optional<Layer>> with_values(const Layer& layer, std::span<const Binding> bindings) {
    std::optional<Layer> bound;
    for (std::size_t a = 0; a < layer.attributes.size(); ++a) {
        const auto* dims = std::get_if<std::vector<Dim>>(&layer.attributes[a]);
        const auto* one = std::get_if<Dim>(&layer.attributes[a]);
        if (!one && (!dims || std::none_of(dims->begin(), dims->end(), open_dim))) continue;
        if (!bound) bound = layer;
        if (one) {
            ASSIGN_OR_RETURN(bound->attributes[a], value_of(*one, bindings));
            continue;
        }
        for (Dim& d : std::get<std::vector<Dim>>(bound->attributes[a])) {
            if (!open_dim(d)) continue;
            ASSIGN_OR_RETURN(const auto size, value_of(d, bindings));
            d = Dim{size, {}};
        }
    }
    return bound;
}

}  // namespace scalescope
