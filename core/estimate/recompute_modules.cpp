// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/recompute_modules.hpp"

#include <algorithm>

#include "core/network/adapters.hpp"

namespace scalescope {
namespace {

using enum RecomputeModule;

class ModuleFinder {
public:
    explicit ModuleFinder(const Network& network)
        : network_(network),
          last_keeper_(static_cast<std::size_t>(network.size()), -1),
          mark_(last_keeper_.size(), -1),
          residual_(last_keeper_.size(), 0),
          of_adapter_(last_keeper_.size(), 0),
          part_(last_keeper_.size(), -1) {
        for (const Adapter& a : network.found(find_adapters)) of_adapter_[at(a.sum)] = 1;
    }

    std::vector<ModulePiece> find() {
        for (int l = 0; l < network_.size(); ++l) {
            if (is_attention(l)) add({core_attn, {l}});
            if (facts(l).experts.count > 0) {
                add({moe, {l}, 0, true});
                add({moe_act, {l}, 0, false, true});
            }
            if (facts(l).keeps_input)
                for (const int t : network_.reads(l)) last_keeper_[at(t)] = l;
        }
        for (int l = 0; l < network_.size(); ++l)
            if (facts(l).sums && network_.reads(l).size() > 1) look_at_sum(l);
        return std::move(found_);
    }

private:
    const Network& network_;
    std::vector<int> last_keeper_;  ///< by tensor: the last layer that keeps it as its input, or -1
    std::vector<int> mark_;         ///< by layer: the last sum that it was reached from
    std::vector<char> residual_;    ///< sums whose inputs are a tensor and what a branch makes of it
    std::vector<char> of_adapter_;  ///< sums of a product and its adapter
    std::vector<int> part_;         ///< by layer: of the branch looked at, the first layer of its part
    std::vector<int> branch_;
    std::vector<ModulePiece> found_;

    static std::size_t at(int l) { return static_cast<std::size_t>(l); }
    const LayerFacts& facts(int l) const { return network_.facts()[at(l)]; }
    bool is_attention(int l) const { return facts(l).along(ShardAlong::heads) > 0; }
    bool is_norm(int l) const {
        const std::string_view kind = network_.layers()[at(l)].kind->name;
        return kind == "layer_norm" || kind == "rms_norm";
    }
    bool is_product(int l) const { return facts(l).linear(); }
    bool reads(int l, int tensor) const {
        const auto all = network_.reads(l);
        return std::find(all.begin(), all.end(), tensor) != all.end();
    }
    void add(ModulePiece piece) {
        if (piece.layers.empty()) return;
        piece.to = std::max(piece.to, piece.layers.back() + 1);
        found_.push_back(std::move(piece));
    }

    /// The layers between the first input of a sum and the sum, if it is a residual one that holds no other.
    void look_at_sum(int sum) {
        const auto inputs = network_.reads(sum);
        const int stream = *std::min_element(inputs.begin(), inputs.end());
        branch_.clear();
        std::vector<int> open;
        for (const int t : inputs)
            if (t != stream) open.push_back(t);
        while (!open.empty()) {
            const int l = open.back();
            open.pop_back();
            if (l <= stream || mark_[at(l)] == sum) continue;
            mark_[at(l)] = sum;
            branch_.push_back(l);
            for (const int t : network_.reads(l)) open.push_back(t);
        }
        std::sort(branch_.begin(), branch_.end());
        for (int& l : branch_) {  // what does not follow from the stream is none of it
            const auto all = network_.reads(l);
            const auto follows = [&](int t) { return t == stream || (t > stream && mark_[at(t)] == sum); };
            if (std::none_of(all.begin(), all.end(), follows)) mark_[at(l)] = -1;
        }
        std::erase_if(branch_, [&](int l) { return mark_[at(l)] != sum; });
        const bool all =
            std::all_of(inputs.begin(), inputs.end(), [&](int t) { return t == stream || mark_[at(t)] == sum; });
        if (!all || branch_.empty()) return;
        residual_[at(sum)] = 1;
        if (std::none_of(branch_.begin(), branch_.end(), [&](int l) { return residual_[at(l)] != 0; }))
            look_at_branch(stream);
    }

    void look_at_branch(int stream) {
        const auto opens = [&](int l) { return is_norm(l) && reads(l, stream); };
        for (const int l : branch_)
            if (opens(l) && last_keeper_[at(l)] >= 0) add({layernorm, {l}, last_keeper_[at(l)] + 1});
        // Parts side by side, such as attention and a feed-forward network, or routed and shared experts, have nothing
        // in common but the norm in front and the sum behind.
        const auto between = [&](int l) { return !opens(l) && (!facts(l).sums || of_adapter_[at(l)] != 0); };
        for (const int l : branch_) part_[at(l)] = l;
        const auto first = [&](int l) {
            while (part_[at(l)] != l) l = part_[at(l)];
            return l;
        };
        for (const int l : branch_)
            for (const int t : network_.reads(l))
                if (t > stream && part_[at(t)] >= 0 && between(l) && between(t)) {
                    const int a = first(l), b = first(t);
                    part_[at(std::max(a, b))] = std::min(a, b);
                }
        const bool routes =
            std::any_of(branch_.begin(), branch_.end(), [&](int l) { return facts(l).experts.count > 0; });
        for (const int head : branch_) {
            if (!between(head) || first(head) != head) continue;
            std::vector<int> layers;
            for (const int l : branch_)
                if (between(l) && first(l) == head) layers.push_back(l);
            look_at_part(layers, routes);
        }
        for (const int l : branch_) part_[at(l)] = -1;
    }

    void look_at_part(std::vector<int>& layers, bool routes) {
        const auto any = [&](auto is) { return std::any_of(layers.begin(), layers.end(), is); };
        if (any([&](int l) { return is_attention(l); })) return look_at_attention(layers);
        const auto other = [&](int l) {
            const LayerFacts& f = facts(l);
            return f.unknown || (f.multiply_adds > 0 && !is_product(l));
        };
        while (!layers.empty() && !is_product(layers.back())) layers.pop_back();
        if (any(other) || std::count_if(layers.begin(), layers.end(), [&](int l) { return is_product(l); }) < 2) return;
        add({routes ? shared_experts : mlp, layers, 0, true});
    }

    /// Latent attention has norms between two products. Behind them: the products that make heads, and what follows up
    /// to the attention. A product that narrows its input is one in front.
    void look_at_attention(const std::vector<int>& layers) {
        std::vector<int> in_front, again;  // of latent norms, with them; and of attention
        const auto has = [](const std::vector<int>& all, int l) {
            return std::find(all.begin(), all.end(), l) != all.end();
        };
        const auto read_by = [&](int tensor, auto is) {
            return std::any_of(layers.begin(), layers.end(), [&](int l) { return is(l) && reads(l, tensor); });
        };
        int attention = -1;
        for (auto l = layers.rbegin(); l != layers.rend(); ++l) {
            const bool latent = is_norm(*l) && read_by(*l, [&](int r) { return is_product(r); });
            if (latent || read_by(*l, [&](int r) { return has(in_front, r); }))
                in_front.push_back(*l);
            else if (is_attention(*l))
                attention = std::max(attention, *l);
            else if (read_by(*l, [&](int r) { return is_attention(r) || has(again, r); }) &&
                     !(is_product(*l) && facts(*l).out_elements < facts(*l).in_elements))
                again.push_back(*l);
        }
        std::reverse(again.begin(), again.end());
        if (!in_front.empty()) add({mla_up_proj, again, attention + 1});
    }
};

}  // namespace

std::vector<ModulePiece> find_modules(const Network& network) { return ModuleFinder(network).find(); }

}  // namespace scalescope
