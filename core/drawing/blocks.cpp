// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/drawing/blocks.hpp"

#include <algorithm>
#include <map>
#include <span>
#include <string_view>

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
    explicit Builder(const Sketch& sketch) : sketch_(sketch) {
        folders_.emplace_back();
        for (int l = 0; l < sketch.size(); ++l) put(l);
    }

    Hierarchy build() {
        h_.top = add_children(0, -1, {});
        return std::move(h_);
    }

private:
    const Sketch& sketch_;
    std::vector<Folder> folders_;
    Hierarchy h_;

    const Layer& layer(int l) const { return sketch_.layers[static_cast<std::size_t>(l)]; }
    Item& item(int i) { return h_.items[static_cast<std::size_t>(i)]; }

    void put(int l) {
        std::string_view name = layer(l).name;
        std::size_t at = 0;
        folders_[at].all.push_back(l);
        for (auto slash = name.find('/'); slash != std::string_view::npos; slash = name.find('/')) {
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
        std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.first < b.first; });
        std::vector<int> children;
        for (const Entry& e : entries)
            children.push_back(e.is_layer ? add_layer(e.first, parent, path) : add_folder(e.folder, parent, path));
        return in_rows(children, parent);
    }

    int add_layer(int l, int parent, const std::string& path) {
        const std::string& name = layer(l).name;
        return add({name, name.substr(path.size()), parent, 1, {}, {l}});
    }

    int add_folder(std::size_t f, int parent, const std::string& path) {
        std::string inside = path + folders_[f].name;
        while (folders_[f].layers.empty() && folders_[f].folders.size() == 1) {
            f = folders_[f].folders.front();
            inside += '/' + folders_[f].name;
        }
        const std::vector<int> all = folders_[f].all;
        if (all.size() == 1) return add_layer(all.front(), parent, path);
        const int block = add({inside, inside.substr(path.size()), parent, 1, {}, all});
        auto children = add_children(f, block, inside + '/');
        item(block).children = std::move(children);
        return block;
    }

    /// Puts blocks that follow each other and are alike into rows.
    std::vector<int> in_rows(const std::vector<int>& children, int parent) {
        std::vector<int> result;
        for (std::size_t first = 0; first < children.size();) {
            std::size_t end = first + 1;
            while (end < children.size() && alike(item(children[first]), item(children[end]))) ++end;
            const std::span<const int> same(children.data() + first, end - first);
            first = end;
            if (same.size() < fewest_in_a_row || (parent >= 0 && same.size() == children.size())) {
                result.insert(result.end(), same.begin(), same.end());
                continue;
            }
            Item row;
            row.path = item(same.front()).path + " … " + item(same.back()).path;
            row.title = item(same.front()).title + " … " + item(same.back()).title;
            row.parent = parent;
            row.repeat = static_cast<int>(same.size());
            row.children.assign(same.begin(), same.end());
            for (int c : same) row.layers.insert(row.layers.end(), item(c).layers.begin(), item(c).layers.end());
            std::sort(row.layers.begin(), row.layers.end());
            const int r = add(std::move(row));
            for (int c : same) item(c).parent = r;
            result.push_back(r);
        }
        return result;
    }

    bool alike(const Item& a, const Item& b) const {
        if (a.is_layer() || b.is_layer() || a.layers.size() != b.layers.size()) return false;
        for (std::size_t i = 0; i < a.layers.size(); ++i) {
            const Layer &x = layer(a.layers[i]), &y = layer(b.layers[i]);
            if (x.kind != y.kind || x.attributes != y.attributes || x.inputs.size() != y.inputs.size()) return false;
            const auto p = static_cast<std::size_t>(a.layers[i]), q = static_cast<std::size_t>(b.layers[i]);
            const auto &f = sketch_.facts[p], &g = sketch_.facts[q];
            if (f.has_value() != g.has_value() || (f && f->output != g->output)) return false;
            const auto &from = sketch_.inputs[p], &to = sketch_.inputs[q];
            for (std::size_t k = 0; k < from.size(); ++k)
                if (place_in(a, from[k]) != place_in(b, to[k])) return false;
        }
        return true;
    }
    /// Which of the item's layers it is; -1 for one outside.
    static std::ptrdiff_t place_in(const Item& of, int l) {
        const auto it = std::lower_bound(of.layers.begin(), of.layers.end(), l);
        return it != of.layers.end() && *it == l ? it - of.layers.begin() : -1;
    }
};

}  // namespace

int Hierarchy::find(const std::string& path) const {
    const auto it = std::find_if(items.begin(), items.end(), [&](const Item& i) { return i.path == path; });
    return it == items.end() ? -1 : static_cast<int>(it - items.begin());
}

Hierarchy make_hierarchy(const Sketch& sketch) { return Builder(sketch).build(); }

}  // namespace scalescope::drawing
