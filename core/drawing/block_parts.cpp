// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/drawing/block_parts.hpp"

#include <algorithm>
#include <optional>

namespace scalescope::drawing {
namespace {

/// What a branch of a block turns on.
enum class Core { attention, scan, experts, gated, function };

struct Words {
    std::string_view before, itself, after;  ///< `itself` empty: it belongs to what is before it
};
Words words_of(Core core, bool beside_experts) {
    if (beside_experts && (core == Core::gated || core == Core::function))
        return {"Shared experts", {}, "Shared experts"};
    switch (core) {
        case Core::attention: return {"Q, K, V", "Attention", "Output"};
        case Core::scan: return {"Input", "Scan", "Output"};
        case Core::experts: return {"Router", "Experts", "Experts"};
        case Core::gated: return {"Gate, up", {}, "Down"};
        case Core::function: return {"Up", {}, "Down"};
    }
    return {};
}

bool is_norm(const Layer& l) { return l.kind->name == "layer_norm" || l.kind->name == "rms_norm"; }

class Parts {
public:
    Parts(const Network& network, const std::vector<int>& layers) : network_(network), layers_(layers) {}

    std::vector<BlockPart> find() {
        std::size_t begin = 0;
        bool any = false;
        for (std::size_t i = 0; i < layers_.size(); ++i)
            if (i + 1 == layers_.size() || joins(i, behind_norms(begin))) {
                any = branch(begin, i + 1) || any;
                begin = i + 1;
            }
        return any ? std::move(parts_) : std::vector<BlockPart>{};
    }

private:
    const Network& network_;
    const std::vector<int>& layers_;
    std::vector<BlockPart> parts_;

    const Layer& layer(std::size_t i) const { return network_.layers()[static_cast<std::size_t>(layers_[i])]; }
    const LayerFacts& facts(std::size_t i) const { return network_.facts()[static_cast<std::size_t>(layers_[i])]; }
    std::optional<std::size_t> place(int position) const {
        const auto at = std::ranges::lower_bound(layers_, position);
        if (at == layers_.end() || *at != position) return std::nullopt;
        return static_cast<std::size_t>(at - layers_.begin());
    }

    /// A branch begins with a norm of what goes round it, or goes round it as a norm has made it (BERT).
    std::size_t behind_norms(std::size_t begin) const {
        while (begin < layers_.size() && is_norm(layer(begin))) ++begin;
        return begin;
    }

    /// Whether it is a sum of what the branch from `begin` on made and of something older.
    bool joins(std::size_t i, std::size_t begin) const {
        if (!facts(i).sums) return false;
        bool inside = false, outside = false;
        for (const int in : network_.inputs(layers_[i])) {
            const auto at = place(in);
            (at && *at >= begin ? inside : outside) = true;
        }
        return inside && outside;
    }

    /// For each layer from `begin` to `end`: whether it is `from`, or reads it, or what reads it …
    std::vector<char> behind(std::size_t from, std::size_t begin, std::size_t end) const {
        std::vector<char> is(end - begin);
        is[from - begin] = 1;
        for (std::size_t i = from + 1; i < end; ++i)
            for (const int in : network_.inputs(layers_[i]))
                if (const auto at = place(in); at && *at >= begin && is[*at - begin]) is[i - begin] = 1;
        return is;
    }

    struct Turn {
        Core core;
        std::size_t at;
        std::vector<char> behind;
    };

    std::optional<Core> strong(std::size_t i) const {
        if (facts(i).query_heads > 0) return Core::attention;
        if (facts(i).experts.count > 0) return Core::experts;
        if (facts(i).unknown) return Core::scan;  // what nobody described is what the block turns on
        return std::nullopt;
    }
    std::optional<Core> weak(std::size_t i) const {
        if (layer(i).kind->name == "glu") return Core::gated;
        if (layer(i).kind->name == "activation") return Core::function;
        return std::nullopt;
    }

    std::vector<Turn> turns(std::size_t begin, std::size_t end) const {
        std::vector<Turn> all;
        for (std::size_t i = begin; i < end; ++i)
            if (const auto core = strong(i)) all.push_back({*core, i, behind(i, begin, end)});
        const std::size_t strong_ones = all.size();
        for (std::size_t i = begin; i < end; ++i) {
            const auto core = weak(i);
            if (!core) continue;
            // A function on the way to the attention, or of a gate on its output, is part of that. So is one that
            // another function of the same branch leads to, as where a gate is drawn as layers of its own.
            const std::vector<char> after = behind(i, begin, end);
            const auto led_to = [&](const Turn& t) { return t.behind[i - begin] != 0; };
            if (std::any_of(all.begin(), all.end(), led_to)) continue;
            bool own_product = false;
            for (std::size_t k = i + 1; k < end; ++k)
                own_product =
                    own_product || (after[k - begin] && facts(k).linear() &&
                                    std::none_of(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(strong_ones),
                                                 [&](const Turn& t) { return t.behind[k - begin] != 0; }));
            const bool leads_on =
                std::any_of(all.begin(), all.end(), [&](const Turn& t) { return after[t.at - begin] != 0; });
            if (own_product && !leads_on) all.push_back({*core, i, after});
        }
        // The function may be part of the product in front of it.
        std::vector<std::size_t> products;
        for (std::size_t i = begin; i < end; ++i)
            if (facts(i).linear()) products.push_back(i);
        if (all.empty() && products.size() > 1)
            all.push_back({Core::function, products.front(), behind(products.front(), begin, end)});
        return all;
    }

    void put(std::string_view title, std::size_t i) {
        if (parts_.empty() || parts_.back().title != title) {
            // Parts of parallel branches take turns in the list of layers.
            const auto known = std::find_if(parts_.begin() + static_cast<std::ptrdiff_t>(first_), parts_.end(),
                                            [&](const BlockPart& p) { return p.title == title; });
            if (known != parts_.end()) return known->layers.push_back(layers_[i]);
            parts_.push_back({title, {}});
        }
        parts_.back().layers.push_back(layers_[i]);
    }
    std::size_t first_ = 0;  ///< part that the branch began with

    /// Whether it turns on attention, experts or a scan. Layers of which nothing says what they are for are a part,
    /// too.
    bool branch(std::size_t begin, std::size_t end) {
        first_ = parts_.size();
        const std::vector<Turn> all = turns(begin, end);
        const bool experts = std::any_of(all.begin(), all.end(), [](const Turn& t) { return t.core == Core::experts; });
        std::size_t i = begin;
        for (const std::size_t norms = std::min(behind_norms(begin), end); i < norms; ++i) put("Norm", i);
        if (all.empty()) {
            for (; i < end; ++i) put(parts_.size() > first_ ? parts_.back().title : "Rest", i);
            return false;
        }
        std::vector<std::vector<char>> leads(all.size());
        for (std::size_t t = 0; t < all.size(); ++t) {  // backwards, from the turn
            leads[t].assign(end - begin, 0);
            leads[t][all[t].at - begin] = 1;
            for (std::size_t k = all[t].at + 1; k-- > begin;)
                if (leads[t][k - begin])
                    for (const int in : network_.inputs(layers_[k]))
                        if (const auto at = place(in); at && *at >= begin) leads[t][*at - begin] = 1;
        }
        for (; i < end; ++i) {
            std::string_view title;
            for (std::size_t t = 0; t < all.size() && title.empty(); ++t) {
                const Words words = words_of(all[t].core, experts);
                if (all[t].at == i)
                    title = words.itself.empty() ? words.before : words.itself;
                else if (leads[t][i - begin])
                    title = words.before;
            }
            for (std::size_t t = all.size(); t-- > 0 && title.empty();)
                if (all[t].behind[i - begin]) title = words_of(all[t].core, experts).after;
            // Neither here nor there: a gate of the output, which is made where the inputs are, or what experts have
            // for their choice.
            if (title.empty()) title = experts ? "Experts" : words_of(all.front().core, false).before;
            put(title, i);
        }
        return std::any_of(all.begin(), all.end(), [&](const Turn& t) { return strong(t.at).has_value(); });
    }
};

}  // namespace

std::vector<BlockPart> parts_of_block(const Network& network, const std::vector<int>& layers) {
    return Parts(network, layers).find();
}

std::string title_of_block(const Network& network, const std::vector<BlockPart>& parts) {
    const auto have = [&](std::string_view title) {
        return std::count_if(parts.begin(), parts.end(), [&](const BlockPart& p) { return p.title == title; });
    };
    // One that sees a part of the sequence only, beside others that see all of it.
    const auto slides = [&](const BlockPart& p) {
        const Layer& first = network.layers()[static_cast<std::size_t>(p.layers.front())];
        return p.title == "Attention" && first.kind->name == "attention" &&
               std::get<std::int64_t>(attribute(first, "window")) > 0;
    };
    const bool window = std::any_of(parts.begin(), parts.end(), slides);
    if (have("Scan") > 0) return "State-space block";
    if (have("Experts") > 0) return window ? "Expert block, sliding window" : "Expert block";
    if (have("Attention") > 1) return "Decoder block";
    return window ? "Block, sliding window" : "Block";
}

}  // namespace scalescope::drawing
