// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/drawing/blocks.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <span>
#include <string_view>
#include <utility>

#include "core/base/format.hpp"
#include "core/drawing/folding.hpp"

namespace scalescope::drawing {
namespace {

constexpr std::size_t fewest_in_a_row = 3;

/// A folder of the names, before it is known what becomes an item.
struct Folder {
    std::map<std::string, std::size_t, std::less<>> by_name;  ///< index into `folders`
    std::vector<std::size_t> folders;                         ///< below it, by their first layers
    std::vector<int> layers;                                  ///< right in it
    std::vector<int> all;                                     ///< in it or below
    std::string name;
};

class Builder {
public:
    explicit Builder(const Sketch& sketch) : sketch_(sketch), separator_(separator(sketch)) {
        folders_.emplace_back();
        for (int l = 0; l < sketch.size(); ++l) layers_.insert(layer(l).name);
        for (int l = 0; l < sketch.size(); ++l) put(l);
    }

    Hierarchy build() {
        h_.top = add_children(0, -1, {});
        return std::move(h_);
    }

private:
    const Sketch& sketch_;
    const char separator_;
    std::vector<Folder> folders_;
    std::set<std::string_view> layers_;  ///< names
    Hierarchy h_;
    std::map<std::string_view, std::vector<std::pair<int, const Layer*>>> classes_;  ///< by kind: one layer of each
    std::map<std::vector<int>, int> class_of_blocks_;
    int class_count_ = 0;

    static char separator(const Sketch& sketch) {
        const auto have = [&](char c) {
            return std::ranges::count_if(sketch.layers,
                                         [&](const Layer& l) { return l.name.find(c) != std::string::npos; });
        };
        return have('/') == 0 && 2 * have('.') > sketch.size() ? '.' : '/';
    }

    const Layer& layer(int l) const { return sketch_.layers[static_cast<std::size_t>(l)]; }
    Item& item(int i) { return h_.items[static_cast<std::size_t>(i)]; }

    void put(int l) {
        std::string_view name = layer(l).name;
        std::size_t at = 0;
        folders_[at].all.push_back(l);
        for (auto slash = name.find(separator_); slash != std::string_view::npos; slash = name.find(separator_)) {
            const std::string_view part = name.substr(0, slash);
            name.remove_prefix(slash + 1);
            const auto known = folders_[at].by_name.find(part);
            std::size_t next = folders_.size();
            if (known != folders_[at].by_name.end()) {
                next = known->second;
            } else {
                folders_[at].by_name.emplace(part, next);
                folders_[at].folders.push_back(next);
                folders_.emplace_back();
                folders_[next].name = part;
            }
            at = next;
            folders_[at].all.push_back(l);
        }
        folders_[at].layers.push_back(l);
    }

    int add(Item item) {
        h_.items.push_back(std::move(item));
        return static_cast<int>(h_.items.size()) - 1;
    }

    /// Items for what is in a folder; `path` is that of the folder, with a slash at its end.
    std::vector<int> add_children(std::size_t folder, int parent, const std::string& path) {
        struct Entry {
            int first;  ///< layer
            std::size_t folder;
            bool is_layer;
        };
        std::vector<Entry> entries;
        for (int l : folders_[folder].layers) entries.push_back({l, 0, true});
        for (std::size_t f : folders_[folder].folders) entries.push_back({folders_[f].all.front(), f, false});
        std::ranges::sort(entries, {}, &Entry::first);
        std::vector<int> children;
        for (const Entry& e : entries)
            children.push_back(e.is_layer ? add_layer(e.first, parent, path) : add_folder(e.folder, parent, path));
        return in_runs(in_rows(children, parent), parent);
    }

    int add_layer(int l, int parent, const std::string& path) {
        const std::string& name = layer(l).name;
        return add({name, name.substr(path.size()), parent, 1, true, {}, {l}});
    }

    int add_folder(std::size_t f, int parent, const std::string& path) {
        std::string inside = path + folders_[f].name;
        while (folders_[f].layers.empty() && folders_[f].folders.size() == 1) {
            f = folders_[f].folders.front();
            inside += separator_ + folders_[f].name;
        }
        const std::vector<int> all = folders_[f].all;
        if (all.size() == 1) return add_layer(all.front(), parent, path);
        // Some call a block as they call a layer: "Split", and "Split/view" that reads it.
        const bool own_name = !layers_.contains(inside);
        const int block = add({own_name ? inside : inside + separator_,
                               inside.substr(path.size()),
                               parent,
                               1,
                               own_name && separator_ == '/',
                               {},
                               all});
        auto children = add_children(f, block, inside + separator_);
        item(block).children = std::move(children);
        return block;
    }

    /// Puts blocks that follow each other and are alike into rows.
    std::vector<int> in_rows(const std::vector<int>& children, int parent) {
        std::vector<int> result;
        for (std::size_t first = 0; first < children.size();) {
            std::size_t end = first + 1;
            while (end < children.size() && alike(sketch_, item(children[first]), item(children[end]))) ++end;
            const std::span<const int> same(children.data() + first, end - first);
            first = end;
            if (same.size() < fewest_in_a_row || (parent >= 0 && same.size() == children.size())) {
                result.insert(result.end(), same.begin(), same.end());
                continue;
            }
            result.push_back(put_together({same.begin(), same.end()}, parent));
            item(result.back()).repeat = static_cast<int>(same.size());
        }
        return result;
    }

    int put_together(std::vector<int> children, int parent) {
        Item run;
        run.path = begin_of(item(children.front()).path) + dots + end_of(item(children.back()).path);
        run.title = begin_of(item(children.front()).title) + dots + end_of(item(children.back()).title);
        run.parent = parent;
        for (int c : children) run.layers.insert(run.layers.end(), item(c).layers.begin(), item(c).layers.end());
        std::ranges::sort(run.layers);
        run.children = std::move(children);
        const int r = add(std::move(run));
        for (int c : item(r).children) item(c).parent = r;
        return r;
    }

    static constexpr const char* dots = " … ";
    static std::string begin_of(const std::string& title) { return title.substr(0, title.find(dots)); }
    static std::string end_of(const std::string& title) {
        const auto at = title.rfind(dots);
        return at == std::string::npos ? title : title.substr(at + std::string_view(dots).size());
    }

    /// Folds what is too long to be read.
    std::vector<int> in_runs(const std::vector<int>& children, int parent) {
        if (children.size() <= static_cast<std::size_t>(most_with_blocks)) return children;
        std::map<int, int> piece_of;  // by layer
        for (std::size_t i = 0; i < children.size(); ++i)
            for (int l : item(children[i]).layers) piece_of[l] = static_cast<int>(i);
        std::vector<Piece> pieces;
        for (int c : children) {
            const Item& it = item(c);
            Piece p;
            p.is_layer = it.is_layer();
            p.layers = static_cast<int>(it.layers.size());
            p.alike = class_of(it);
            p.resolution = resolution(it.layers.back());
            for (int l : it.layers)
                for (int in : sketch_.inputs[static_cast<std::size_t>(l)]) {
                    const auto from = piece_of.find(in);
                    const int piece = from == piece_of.end() ? -1 : from->second;
                    if (piece != static_cast<int>(pieces.size())) p.inputs.push_back(piece);
                }
            pieces.push_back(std::move(p));
        }
        std::vector<int> result;
        for (const Part& p : fold_long(pieces)) result.push_back(add_part(p, children, parent));
        return result;
    }

    int add_part(const Part& part, const std::vector<int>& children, int parent) {
        if (part.piece >= 0) return children[static_cast<std::size_t>(part.piece)];
        std::vector<int> inner;
        for (const Part& p : part.parts) inner.push_back(add_part(p, children, parent));
        const int run = put_together(std::move(inner), parent);
        item(run).named = false;
        item(run).repeat = part.repeat;
        if (!part.resolution.empty()) item(run).title = part.resolution + ", " + item(run).title;
        return run;
    }

    /// Equal for what has the same kinds and attributes in the same order.
    int class_of(const Item& it) {
        std::vector<int> all;
        for (int l : it.layers) all.push_back(class_of(layer(l)));
        return all.size() == 1 ? all.front() : class_of_blocks_.emplace(std::move(all), ++class_count_).first->second;
    }
    int class_of(const Layer& l) {
        auto& known = classes_[l.kind->name];
        const auto it =
            std::ranges::find_if(known, [&](const auto& k) { return k.second->attributes == l.attributes; });
        if (it != known.end()) return it->first;
        constexpr std::size_t enough = 1000;  // of one kind; more differ from each other by definition
        if (known.size() < enough) known.emplace_back(++class_count_, &l);
        return known.size() < enough ? known.back().first : ++class_count_;
    }

    /// A shape without its channels: "56×56". Empty where nothing is known.
    std::string resolution(int l) const {
        const auto& facts = sketch_.facts[static_cast<std::size_t>(l)];
        if (!facts || facts->output.size() < 3) return {};
        return format_shape(std::span(facts->output).first(facts->output.size() - 1));
    }
};

/// Which of the item's layers it is; -1 for one outside.
std::ptrdiff_t place_in(const Item& of, int l) {
    const auto it = std::ranges::lower_bound(of.layers, l);
    return it != of.layers.end() && *it == l ? it - of.layers.begin() : -1;
}

}  // namespace

bool alike(const Sketch& sketch, const Item& a, const Item& b) {
    if (a.is_layer() || b.is_layer() || a.layers.size() != b.layers.size()) return false;
    for (std::size_t i = 0; i < a.layers.size(); ++i) {
        const auto p = static_cast<std::size_t>(a.layers[i]), q = static_cast<std::size_t>(b.layers[i]);
        const Layer &x = sketch.layers[p], &y = sketch.layers[q];
        if (x.kind != y.kind || x.attributes != y.attributes || x.inputs.size() != y.inputs.size()) return false;
        const auto &f = sketch.facts[p], &g = sketch.facts[q];
        if (f.has_value() != g.has_value() || (f && f->output != g->output)) return false;
        const auto &from = sketch.inputs[p], &to = sketch.inputs[q];
        for (std::size_t k = 0; k < from.size(); ++k)
            if (place_in(a, from[k]) != place_in(b, to[k])) return false;
    }
    return true;
}

int Hierarchy::find(const std::string& path) const {
    const auto it = std::ranges::find(items, path, &Item::path);
    return it == items.end() ? -1 : static_cast<int>(it - items.begin());
}

Hierarchy make_hierarchy(const Sketch& sketch) { return Builder(sketch).build(); }

}  // namespace scalescope::drawing
