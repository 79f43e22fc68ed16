// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/drawing/outline.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "core/base/format.hpp"
#include "core/drawing/block_parts.hpp"
#include "core/drawing/blocks.hpp"

namespace scalescope::drawing {
namespace {

class Writer {
public:
    explicit Writer(const Network& network) : network_(network), sketch_(network), hierarchy_(make_hierarchy(sketch_)) {
        transformer_ = std::any_of(network.facts().begin(), network.facts().end(),
                                   [](const LayerFacts& f) { return f.query_heads > 0 || f.experts.count > 0; });
    }

    Outline build() {
        add_items(hierarchy_.top, -1);
        // Parts of a block say enough at first.
        const auto is_part = [this](const OutlineRow& row) {
            return row.parent >= 0 && row.is_word && this->row(row.parent).is_word;
        };
        open([&](const OutlineRow& row) { return !row.is_word || (row.repeat > 1 && !is_part(row)); });
        open([](const OutlineRow& row) { return row.repeat > 1; });
        return std::move(outline_);
    }

private:
    const Network& network_;
    const Sketch sketch_;
    const Hierarchy hierarchy_;
    bool transformer_ = false;  ///< its layers outside of blocks have words too
    Outline outline_;

    struct Title {
        std::string text;
        bool is_word;
    };

    const Item& item(int i) const { return hierarchy_.items[static_cast<std::size_t>(i)]; }
    const Layer& layer(int l) const { return network_.layers()[static_cast<std::size_t>(l)]; }
    const LayerFacts& facts(int l) const { return network_.facts()[static_cast<std::size_t>(l)]; }
    OutlineRow& row(int r) { return outline_.rows[static_cast<std::size_t>(r)]; }

    /// Opens all such rows, unless something is open or that would be too much to read.
    template <class Wanted>
    void open(Wanted wanted) {
        auto& rows = outline_.rows;
        if (std::any_of(rows.begin(), rows.end(), [](const OutlineRow& r) { return r.open_at_first; })) return;
        for (OutlineRow& row : rows) row.open_at_first = row.has_children && wanted(row);
        if (outline_.visible({}).size() <= most_rows_at_first) return;
        for (OutlineRow& row : rows) row.open_at_first = false;
    }

    int add(std::string path, Title title, const std::vector<int>& layers, int parent, int repeat = 1) {
        OutlineRow made{
            std::move(path), std::move(title.text), title.is_word, parent, 0, repeat, layers, {}, false, false};
        if (made.is_word) made.size = size_of(layers);
        made.depth = parent < 0 ? 0 : row(parent).depth + 1;
        if (parent >= 0) row(parent).has_children = true;
        outline_.rows.push_back(std::move(made));
        return static_cast<int>(outline_.rows.size()) - 1;
    }

    std::int64_t width(int l) const { return facts(l).output.empty() ? 0 : facts(l).output.back(); }
    /// Attention: its number of heads. Experts: how many there are. The projections in front of attention: the sum of
    /// their widths. Anything else: the width of its widest product.
    std::string size_of(const std::vector<int>& layers) const {
        const auto has = [&](int l) { return std::binary_search(layers.begin(), layers.end(), l); };
        std::int64_t widest = 0, of_rest = 0;
        for (const int l : layers) {
            if (layers.size() == 1 && facts(l).query_heads > 0) return format_count(facts(l).query_heads) + " heads";
            if (facts(l).experts.count > 0 && layers.size() < 4)
                return format_count(facts(l).experts.count) + " experts";
            std::int64_t& most = facts(l).linear() ? widest : of_rest;
            most = std::max(most, width(l));
        }
        for (int reader = layers.back() + 1; reader < network_.size() && reader < layers.back() + 3; ++reader) {
            if (facts(reader).query_heads == 0) continue;
            std::int64_t all = 0;
            for (const int in : network_.inputs(reader)) all += has(in) ? width(in) : 0;
            if (all > 0) return format_count(all);
        }
        return format_count(widest > 0 ? widest : of_rest);
    }

    /// What stands in a list of its own: rows of blocks, and runs that no name holds together, are taken apart.
    void spread(const std::vector<int>& items, std::vector<int>& single) const {
        for (const int i : items) {
            const bool holds = item(i).repeat > 1 || !item(i).named;
            if (!item(i).is_layer() && holds)
                spread(item(i).children, single);
            else
                single.push_back(i);
        }
    }

    void add_items(const std::vector<int>& items, int parent) {
        std::vector<int> single;
        spread(items, single);
        std::vector<std::vector<int>> groups;  // of equal blocks, each by its first one
        std::multimap<std::size_t, std::size_t> by_size;
        for (const int i : single) {
            const Item& it = item(i);
            bool known = false;
            if (!it.is_layer()) {
                auto [at, end] = by_size.equal_range(it.layers.size());
                for (; at != end && !known; ++at)
                    if (alike(sketch_, item(groups[at->second].front()), it))
                        groups[at->second].push_back(i), known = true;
                if (!known) by_size.emplace(it.layers.size(), groups.size());
            }
            if (!known) groups.push_back({i});
        }
        for (const std::vector<int>& group : groups)
            item(group.front()).is_layer() ? add_layer(item(group.front()), parent) : add_blocks(group, parent);
    }

    void add_layer(const Item& it, int parent) {
        add(it.path, parent < 0 ? title_of(it) : Title{it.title, false}, it.layers, parent);
    }

    /// Of what stands outside of all blocks: in a transformer, what it does.
    Title title_of(const Item& it) const {
        const auto kind = [&](int l) { return layer(l).kind->name; };
        const auto any = [&](auto is) { return std::any_of(it.layers.begin(), it.layers.end(), is); };
        const bool loss = any([&](int l) { return kind(l) == "cross_entropy" || kind(l) == "loss"; });
        const bool norm =
            it.is_layer() && (kind(it.layers.front()) == "layer_norm" || kind(it.layers.front()) == "rms_norm");
        if (!transformer_) return {it.title, false};
        if (any([&](int l) { return kind(l) == "embedding"; })) return {"Embedding", true};
        if (loss) return {any([&](int l) { return facts(l).linear(); }) ? "Logits, loss" : "Loss", true};
        if (norm) return {"Norm", true};
        return {it.title, false};
    }

    void add_blocks(const std::vector<int>& group, int parent) {
        const Item& first = item(group.front());
        const auto parts = holds_rows(first) ? std::vector<BlockPart>{} : parts_of_block(network_, first.layers);
        Title title = !parts.empty() ? Title{title_of_block(network_, parts), true}
                      : parent < 0   ? title_of(first)
                                     : Title{first.title, false};
        const int made = add(first.path, std::move(title), first.layers, parent, static_cast<int>(group.size()));
        if (!parts.empty()) row(made).size = format_count(width(first.layers.back()));
        if (parts.empty())
            add_items(first.children, made);
        else
            for (std::size_t p = 0; p < parts.size(); ++p) add_part(parts[p], p, made);
        if (group.size() == 1) return;
        for (std::size_t r = static_cast<std::size_t>(made); r < outline_.rows.size(); ++r)
            outline_.rows[r].layers = in_all(outline_.rows[r].layers, group);
    }

    void add_part(const BlockPart& part, std::size_t number, int block) {
        const std::string title(part.title);
        const int made =
            add(row(block).path + '/' + title + '#' + std::to_string(number), {title, true}, part.layers, block);
        if (part.layers.size() < 2) return;
        const std::string block_path = row(block).path + '/';
        for (const int l : part.layers) {
            std::string name = layer(l).name;
            if (name.starts_with(block_path)) name.erase(0, block_path.size());
            add(layer(l).name, {std::move(name), false}, {l}, made);
        }
    }

    /// Whether there are blocks in it that repeat, as in an encoder.
    bool holds_rows(const Item& it) const {
        return std::any_of(it.children.begin(), it.children.end(),
                           [&](int c) { return item(c).repeat > 1 || (!item(c).is_layer() && holds_rows(item(c))); });
    }

    /// The same layers in each of some equal blocks.
    std::vector<int> in_all(const std::vector<int>& of_first, const std::vector<int>& group) const {
        const std::vector<int>& first = item(group.front()).layers;
        std::vector<int> all;
        for (const int l : of_first) {
            const auto at = std::lower_bound(first.begin(), first.end(), l) - first.begin();
            for (const int block : group) all.push_back(item(block).layers[static_cast<std::size_t>(at)]);
        }
        std::sort(all.begin(), all.end());
        return all;
    }
};

Outline make_outline(const Network& network) { return Writer(network).build(); }

}  // namespace

std::vector<int> Outline::visible(const std::set<std::string>& toggled) const {
    std::vector<int> shown;
    std::vector<char> unfolded(rows.size());
    for (std::size_t r = 0; r < rows.size(); ++r) {
        const int parent = rows[r].parent;
        if (parent >= 0 && !unfolded[static_cast<std::size_t>(parent)]) continue;
        shown.push_back(static_cast<int>(r));
        unfolded[r] = is_open(static_cast<int>(r), toggled);
    }
    return shown;
}

const Outline& outline_of(const Network& network) { return network.found(make_outline); }

}  // namespace scalescope::drawing
