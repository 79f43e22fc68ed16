// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/network/editing/adapters.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "core/base/limits.hpp"
#include "core/network/editing/graph.hpp"
#include "core/network/editing/names.hpp"

namespace scalescope::editing {
namespace {

const AttributeValue& value_of(const Layer& layer, std::string_view name) { return attribute(layer, name); }

/// Builds the three layers of each adapter.
class Adding {
public:
    Adding(NetworkDraft draft, LayerId first) : draft_(std::move(draft)), names_(draft_), next_(first.value) {}

    void add(std::span<const LayerId> products) {
        for (const LayerId id : products) made_[id.value] = {take_id(), take_id(), take_id()};
        std::vector<Layer> layers;
        for (Layer& l : draft_.layers) {
            const auto made = made_.find(l.id.value);
            if (made == made_.end()) {
                layers.push_back(read_sums(std::move(l)));
                continue;
            }
            Layer product = read_sums(std::move(l));
            auto [down, up, sum] = beside(product, made->second);
            put_value(product, "activation", std::string("none"));
            for (Layer* one : {&product, &down, &up, &sum}) layers.push_back(std::move(*one));
        }
        draft_.layers = std::move(layers);
    }

    Edited take() {
        std::vector<LayerId> sums;
        for (const Layer& l : draft_.layers)
            if (const auto made = made_.find(l.id.value); made != made_.end()) sums.push_back(made->second.sum);
        return {std::move(draft_), std::move(sums)};
    }

private:
    struct Ids {
        LayerId down, up, sum;
    };
    NetworkDraft draft_;
    Names names_;
    std::uint32_t next_;
    std::unordered_map<std::uint32_t, Ids> made_;  ///< by product

    LayerId take_id() { return LayerId{next_++}; }

    Layer read_sums(Layer layer) const {
        for (LayerId& in : layer.inputs)
            if (const auto made = made_.find(in.value); made != made_.end()) in = made->second.sum;
        return layer;
    }

    Layer named(const Layer& product, std::string_view kind, LayerId id, const char* suffix, LayerId input) {
        const std::string name = names_.fresh(product.name + suffix);
        names_.add(name);
        Layer layer = blank_layer(*find_kind(kind), id, name);
        layer.inputs = {input};
        return layer;
    }

    std::array<Layer, 3> beside(const Layer& product, const Ids& ids) {
        Layer down = named(product, "dense", ids.down, "_lora_a", product.inputs.front()),
              up = named(product, "dense", ids.up, "_lora_b", ids.down),
              sum = named(product, "add", ids.sum, "_lora_sum", product.id);
        put_value(down, "units", Dim{1, std::string(rank_symbol)});
        put_value(up, "units", value_of(product, "units"));
        for (Layer* one : {&down, &up}) {
            put_value(*one, "bias", false);
            put_value(*one, "per_position", value_of(product, "per_position"));
        }
        if (const auto owner = made_.find(product.shares_weights_with.value); owner != made_.end()) {
            down.shares_weights_with = owner->second.down;
            up.shares_weights_with = owner->second.up;
        }
        sum.inputs.push_back(ids.up);
        put_value(sum, "activation", value_of(product, "activation"));
        return {std::move(down), std::move(up), std::move(sum)};
    }
};

}  // namespace

Edit add_adapters(const Network& network, std::span<const LayerId> products, std::int64_t rank, LayerId first) {
    NetworkDraft draft = settled(network.draft());
    if (draft.layers.size() + 3 * products.size() > limits::layers)
        return refuse("With adapters the network has more layers than this program accepts.",
                      "choose fewer products for adapters");
    const auto known = std::ranges::find(draft.symbols, rank_symbol, &Symbol::name);
    if (known == draft.symbols.end())
        draft.symbols.push_back({std::string(rank_symbol), rank, "of the low-rank adapters"});
    Adding adding(std::move(draft), first);
    adding.add(products);
    return adding.take();
}

NetworkDraft without_adapters(const Network& network) {
    NetworkDraft draft = network.draft();
    std::unordered_map<std::uint32_t, LayerId> instead;  // of sums: their products
    std::vector<LayerId> gone;
    for (const Adapter& a : find_adapters(network)) {
        if (!has_open_rank(network, a)) continue;
        Layer& product = layer_at(draft, a.product);
        put_value(product, "activation", value_of(layer_at(draft, a.sum), "activation"));
        instead.emplace(layer_at(draft, a.sum).id.value, product.id);
        for (const int l : {a.down, a.up, a.sum}) gone.push_back(layer_at(draft, l).id);
    }
    if (gone.empty()) return draft;
    std::sort(gone.begin(), gone.end());
    std::erase_if(draft.layers, [&](const Layer& l) { return std::binary_search(gone.begin(), gone.end(), l.id); });
    bool ranks = false;
    for (Layer& l : draft.layers) {
        for (LayerId& in : l.inputs)
            if (const auto product = instead.find(in.value); product != instead.end()) in = product->second;
        for (const AttributeValue& value : l.attributes)
            if (const auto* size = std::get_if<Dim>(&value)) ranks = ranks || size->symbol == rank_symbol;
    }
    if (!ranks) std::erase_if(draft.symbols, [](const Symbol& s) { return s.name == rank_symbol; });
    return draft;
}

}  // namespace scalescope::editing
