// SPDX-License-Identifier: GPL-3.0-or-later
// Which products a person means by a word.
#include <algorithm>
#include <numeric>

#include "core/base/listed.hpp"
#include "core/base/suggest.hpp"
#include "core/network/editing/adapters.hpp"
#include "core/network/editing/graph.hpp"

namespace scalescope::editing {
namespace {

enum class Family : char { none, other, attention, feed_forward };

/// For each layer that can have an adapter, the part of a block it is in.
class Families {
public:
    explicit Families(const Network& network)
        : network_(network), stream_(at(network.size()), 0), part_(at(network.size())), leads_on_(at(network.size())) {
        std::iota(part_.begin(), part_.end(), 0);
    }

    std::vector<Family> find() {
        find_parts();
        find_outputs();
        const int n = network_.size();
        std::vector<char> attends(at(n), 0), mixes(at(n), 0);
        std::vector<int> products(at(n), 0);
        for (int l = 0; l < n; ++l) {
            const std::size_t part = at(first(l));
            const LayerFacts& f = facts(l);
            const bool attention = f.along(ShardAlong::heads) > 0;
            if (attention) attends[part] = 1;
            if (!attention && !f.linear() && (f.unknown || f.multiply_adds > 0)) mixes[part] = 1;
            if (f.linear()) ++products[part];
        }
        std::vector<Family> families(at(n), Family::none);
        for (int l = 0; l < n; ++l) {
            if (!facts(l).linear() || layer(l).kind->name != "dense" || leads_on_[at(l)] == 0) continue;
            const std::size_t part = at(first(l));
            families[at(l)] = attends[part] != 0                        ? Family::attention
                              : mixes[part] == 0 && products[part] >= 2 ? Family::feed_forward
                                                                        : Family::other;
        }
        return families;
    }

private:
    const Network& network_;
    std::vector<char> stream_;    ///< sums, and what follows from those alone without a product
    std::vector<int> part_;       ///< an earlier layer of the same part, or the layer itself
    std::vector<char> leads_on_;  ///< its output comes to a sum or to another product

    static std::size_t at(int l) { return static_cast<std::size_t>(l); }
    const LayerFacts& facts(int l) const { return network_.facts()[at(l)]; }
    const Layer& layer(int l) const { return network_.layers()[at(l)]; }
    bool is_sum(int l) const { return facts(l).sums || layer(l).kind->name == "add"; }
    bool is_loss(int l) const { return facts(l).weights == 0 && facts(l).along(ShardAlong::vocabulary) > 0; }
    bool works(int l) const { return facts(l).multiply_adds > 0 || facts(l).unknown; }
    int first(int l) const {
        while (part_[at(l)] != l) l = part_[at(l)];
        return l;
    }

    /// Attention and a feed-forward network have nothing in common but sums and the norms that read them.
    void find_parts() {
        // A sum reads the stream itself beside what a branch makes of it.
        std::vector<char> added(at(network_.size()), 0), branches(added);
        for (int l = 0; l < network_.size(); ++l)
            for (const int t : network_.reads(l)) (is_sum(l) ? added : branches)[at(t)] = 1;
        for (int l = 0; l < network_.size(); ++l) {
            const auto reads = network_.reads(l);
            const auto streams = [&](int t) { return stream_[at(t)] != 0 || (added[at(t)] & branches[at(t)]) != 0; };
            stream_[at(l)] = is_sum(l) || (!works(l) && std::all_of(reads.begin(), reads.end(), streams));
            if (stream_[at(l)] != 0) continue;
            for (const int t : reads)
                if (!streams(t)) {
                    const int a = first(l), b = first(t);
                    part_[at(std::max(a, b))] = std::min(a, b);
                }
        }
    }

    void find_outputs() {
        for (int l = network_.size(); l-- > 0;)
            for (const int t : network_.reads(l))
                if (is_sum(l) || facts(l).linear() || facts(l).experts.count > 0 || facts(l).convolution ||
                    (!is_loss(l) && leads_on_[at(l)] != 0))
                    leads_on_[at(t)] = 1;
    }
};

/// Whether a name fits a pattern in which * stands for anything.
bool fits(std::string_view pattern, std::string_view name) {
    // Only the last star may have to take in more: what stands before it fits as early as it can.
    std::size_t p = 0, n = 0, star = std::string_view::npos, taken = 0;
    while (n < name.size()) {
        if (p < pattern.size() && pattern[p] == '*')
            star = p++, taken = n;
        else if (p < pattern.size() && pattern[p] == name[n])
            ++p, ++n;
        else if (star == std::string_view::npos)
            return false;
        else
            p = star + 1, n = ++taken;
    }
    return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

class Choice {
public:
    explicit Choice(const Network& network)
        : network_(network), families_(Families(network).find()), chosen_(families_.size(), 0) {
        for (std::size_t l = 0; l < families_.size(); ++l) {
            if (families_[l] == Family::none) continue;
            std::string name(leaf_name(network.layers()[l].name));
            if (std::ranges::find(names_, name) == names_.end()) names_.push_back(std::move(name));
        }
    }

    Result<void> take(std::string_view word) {
        const auto begin = word.find_first_not_of(' '), end = word.find_last_not_of(' ');
        if (begin == std::string_view::npos) return unknown(word);
        word = word.substr(begin, end + 1 - begin);
        bool any = word == adapter_choices[0].word   ? choose([](Family) { return true; })
                   : word == adapter_choices[1].word ? choose([](Family f) { return f == Family::attention; })
                   : word == adapter_choices[2].word ? choose([](Family f) { return f == Family::feed_forward; })
                                                     : choose_called(word);
        // Model hubs name the same products with a suffix; what stands side by side there may be one product here.
        constexpr std::string_view suffix = "_proj";
        if (!any && word.ends_with(suffix)) {
            const std::string_view stem = word.substr(0, word.size() - suffix.size());
            any = choose_called(stem) || (stem == "o" && choose_called("out")) ||
                  ((stem == "gate" || stem == "up") && choose_called("gate_up"));
        }
        if (!any) return unknown(word);
        return {};
    }

    std::vector<LayerId> products() const {
        std::vector<LayerId> ids;
        for (std::size_t l = 0; l < chosen_.size(); ++l)
            if (chosen_[l] != 0) ids.push_back(network_.layers()[l].id);
        return ids;
    }

private:
    const Network& network_;
    const std::vector<Family> families_;
    std::vector<char> chosen_;
    std::vector<std::string> names_;  ///< last parts of the names of linear layers

    template <class Wanted>
    bool choose(Wanted wanted) {
        bool any = false;
        for (std::size_t l = 0; l < families_.size(); ++l)
            if (families_[l] != Family::none && wanted(families_[l])) chosen_[l] = any = true;
        return any;
    }
    bool choose_called(std::string_view pattern) {
        bool any = false;
        for (std::size_t l = 0; l < families_.size(); ++l) {
            const std::string_view name = network_.layers()[l].name;
            if (families_[l] != Family::none && (fits(pattern, leaf_name(name)) || fits(pattern, name)))
                chosen_[l] = any = true;
        }
        return any;
    }

    tl::unexpected<Problems> unknown(std::string_view word) const {
        if (names_.empty())
            return fail(make_error(network_.name() + " has no linear layers that could have adapters.",
                                   "choose a network that has some, such as a transformer", {}, "adapters"));
        const bool known = std::ranges::find(adapter_choices, word, &AdapterChoice::word) != adapter_choices.end();
        std::vector<std::string> candidates{"none"};
        for (const AdapterChoice& choice : adapter_choices) candidates.emplace_back(choice.word);
        candidates.insert(candidates.end(), names_.begin(), names_.end());
        const auto meant = known ? std::nullopt : closest(word, candidates);
        constexpr std::size_t most_named = 12;
        return fail(make_error(
            known ? network_.name() + " has no linear layers of that kind: " + std::string(word) + "."
                  : "No linear layer is called \"" + std::string(word.substr(0, 60)) + "\".",
            meant ? "did you mean " + *meant + "?"
                  : "use linear, attention, feed-forward, none, or names of layers: " + listed(names_, most_named),
            {}, "adapters"));
    }
};

}  // namespace

Result<std::vector<LayerId>> products_called(const Network& network, std::string_view words) {
    Choice choice(network);
    for (;;) {
        const auto end = words.find_first_of(",+");
        if (auto taken = choice.take(words.substr(0, end)); !taken) return tl::unexpected(taken.error());
        if (end == std::string_view::npos) return choice.products();
        words.remove_prefix(end + 1);
    }
}

}  // namespace scalescope::editing
