// SPDX-License-Identifier: GPL-3.0-or-later
// Rows of blocks, one behind the other.
#include <algorithm>
#include <map>
#include <optional>
#include <unordered_set>
#include <utility>

#include "core/base/limits.hpp"
#include "core/base/sequences.hpp"
#include "core/network/editing/edit.hpp"
#include "core/network/editing/graph.hpp"
#include "core/network/editing/names.hpp"

namespace scalescope::editing {
namespace {

/// A block with its borders.
struct Block {
    std::string path;
    std::vector<int> layers;     ///< indices, ascending
    std::vector<LayerId> reads;  ///< layers outside that it reads, each once
    std::vector<LayerId> gives;  ///< its layers that are read outside; if none is, those that nobody reads
    bool has_borders() const { return reads.size() == 1 && gives.size() == 1; }
};

void add_once(std::vector<LayerId>& ids, LayerId id) {
    if (std::find(ids.begin(), ids.end(), id) == ids.end()) ids.push_back(id);
}

/// The blocks side by side with one of them.
class Siblings {
public:
    Siblings(const NetworkDraft& draft, const std::string& path) : draft_(draft), indices_(indices_of(draft)) {
        const std::string around(parent_path(path));
        std::map<std::string, std::size_t, std::less<>> by_path;
        block_of_.assign(draft.layers.size(), none);
        for (std::size_t i = 0; i < draft.layers.size(); ++i) {
            const std::string& name = draft.layers[i].name;
            if (!is_inside(name, around)) continue;
            const auto slash = name.find('/', around.empty() ? 0 : around.size() + 1);
            if (slash == std::string::npos) continue;
            const auto [it, fresh] = by_path.emplace(name.substr(0, slash), blocks_.size());
            if (fresh) blocks_.push_back({it->first, {}, {}, {}});
            blocks_[it->second].layers.push_back(static_cast<int>(i));
            block_of_[i] = it->second;
        }
        find_borders();
    }

    const Block* find(const std::string& path) const { return find_by(blocks_, path, &Block::path); }

    std::vector<const Block*> row(const Block& block) const {
        std::vector<const Block*> row{&block};
        const auto add = [&](const Block* b) {
            const bool more = b && std::find(row.begin(), row.end(), b) == row.end();
            return more ? b : nullptr;
        };
        while (const Block* b = add(only(block, [&](const Block& other) { return follows(*row.front(), other); })))
            row.insert(row.begin(), b);
        while (const Block* b = add(only(block, [&](const Block& other) { return follows(other, *row.back()); })))
            row.push_back(b);
        return row;
    }

private:
    static constexpr std::size_t none = static_cast<std::size_t>(-1);
    const NetworkDraft& draft_;
    std::unordered_map<std::uint32_t, int> indices_;
    std::vector<Block> blocks_;
    std::vector<std::size_t> block_of_;  ///< of each layer

    void find_borders() {
        std::vector<char> read(draft_.layers.size(), 0);
        for (std::size_t i = 0; i < draft_.layers.size(); ++i)
            for (LayerId in : draft_.layers[i].inputs) {
                const auto it = indices_.find(in.value);
                if (it == indices_.end()) continue;
                const auto source = static_cast<std::size_t>(it->second);
                read[source] = 1;
                if (block_of_[i] == block_of_[source]) continue;
                if (block_of_[i] != none) add_once(blocks_[block_of_[i]].reads, in);
                if (block_of_[source] != none) add_once(blocks_[block_of_[source]].gives, in);
            }
        for (Block& b : blocks_)
            if (b.gives.empty())
                for (int l : b.layers)
                    if (!read[static_cast<std::size_t>(l)]) b.gives.push_back(layer_at(draft_, l).id);
    }

    /// The one block like `like` for which `fits`; nothing if there are several.
    template <class Fits>
    const Block* only(const Block& like, Fits&& fits) const {
        const Block* found = nullptr;
        for (const Block& b : blocks_) {
            if (!fits(b) || !alike(like, b)) continue;
            if (found) return nullptr;
            found = &b;
        }
        return found;
    }

    static bool follows(const Block& b, const Block& before) {
        return b.has_borders() && before.has_borders() && b.reads.front() == before.gives.front();
    }

    bool alike(const Block& a, const Block& b) const {
        if (a.layers.size() != b.layers.size()) return false;
        for (std::size_t i = 0; i < a.layers.size(); ++i) {
            const Layer &x = layer_at(draft_, a.layers[i]), &y = layer_at(draft_, b.layers[i]);
            if (x.kind != y.kind || x.attributes != y.attributes || x.inputs.size() != y.inputs.size() ||
                std::string_view(x.name).substr(a.path.size()) != std::string_view(y.name).substr(b.path.size()))
                return false;
            for (std::size_t k = 0; k < x.inputs.size(); ++k)
                if (place_in(a, x.inputs[k]) != place_in(b, y.inputs[k])) return false;
        }
        return true;
    }
    /// Which of the block's layers it is; -1 for one outside.
    std::ptrdiff_t place_in(const Block& block, LayerId id) const {
        const auto it = indices_.find(id.value);
        if (it == indices_.end()) return -1;
        const auto at = std::lower_bound(block.layers.begin(), block.layers.end(), it->second);
        return at != block.layers.end() && *at == it->second ? at - block.layers.begin() : -1;
    }
};

std::string list_of(const NetworkDraft& draft, const std::vector<LayerId>& ids) {
    constexpr std::size_t most = 4;
    std::string list;
    for (std::size_t i = 0; i < ids.size() && i < most; ++i) {
        if (i > 0) list += i + 1 == ids.size() ? " and " : ", ";
        list += '"' + layer_at(draft, index_of(draft, ids[i])).name + '"';
    }
    return ids.size() > most ? list + " and " + std::to_string(ids.size() - most) + " more" : list;
}

std::optional<Problem> about_borders(const NetworkDraft& draft, const Block& b) {
    const auto wrong = [&](std::string what, std::string remedy) {
        return Problem{Severity::error, std::move(what), b.path, std::move(remedy), {}};
    };
    if (b.reads.empty())
        return wrong("The block reads nothing outside: there is no way to put it behind itself.",
                     "connect its first layer, and leave the network's inputs outside");
    if (b.reads.size() > 1)
        return wrong(
            "The block reads several layers, " + list_of(draft, b.reads) + ": a copy of it could not follow it.",
            "let it read one layer only");
    if (b.gives.size() > 1)
        return wrong("The block is read at several layers, " + list_of(draft, b.gives) +
                         ": a copy would not know which to follow.",
                     "let it end in one layer, such as a sum or a concatenation");
    if (b.gives.empty()) return wrong("The block has no layer that could be read.", "take the cycle out of it");
    return std::nullopt;
}

/// Copies of `block` behind each other, the first reading what it gives out. `last`: what the last of them gives out.
std::vector<Layer> copies_of(const NetworkDraft& draft, const Block& block, int count, LayerId& last) {
    Names names(draft);
    std::uint32_t next = next_id(draft).value;
    std::vector<Layer> copies;
    last = block.gives.front();
    for (std::string path = block.path; count > 0; --count) {
        path = names.fresh(path);
        names.add(path);
        std::unordered_map<std::uint32_t, LayerId> now{{block.reads.front().value, last}};
        for (int l : block.layers) now.emplace(layer_at(draft, l).id.value, LayerId{next++});
        for (int i : block.layers) {
            Layer l = layer_at(draft, i);
            l.id = now.at(l.id.value);
            l.name = path + l.name.substr(block.path.size());
            l.at = {};
            for (LayerId& in : l.inputs)
                if (const auto it = now.find(in.value); it != now.end()) in = it->second;
            // Weights of a layer outside stay those; the layer before the block lends none to its copies.
            if (l.shares_weights_with != block.reads.front())
                if (const auto it = now.find(l.shares_weights_with.value); it != now.end())
                    l.shares_weights_with = it->second;
            copies.push_back(std::move(l));
        }
        last = now.at(block.gives.front().value);
    }
    return copies;
}

}  // namespace

std::vector<std::string> row_of(const NetworkDraft& draft, const std::string& path) {
    const Siblings siblings(draft, path);
    std::vector<std::string> paths;
    if (const Block* block = siblings.find(path))
        for (const Block* b : siblings.row(*block)) paths.push_back(b->path);
    return paths;
}

Edit repeat_block(const NetworkDraft& draft, const std::string& path, int count) {
    const Siblings siblings(draft, path);
    const Block* block = siblings.find(path);
    if (!block) return refuse("There is no block \"" + path + "\".", "group the layers into a block first");
    if (count < 1) return refuse("A row has at least one block.", "remove the block if there shall be none", path);
    if (auto p = about_borders(draft, *block)) return fail(std::move(*p));
    const auto row = siblings.row(*block);
    const auto present = static_cast<int>(row.size());
    if (auto p = about_borders(draft, *row.back())) return fail(std::move(*p));
    Edited edited{draft, {}};
    if (count > present) {
        const auto more = static_cast<std::size_t>(count - present);
        if (more > (limits::layers - std::min(limits::layers, draft.layers.size())) / block->layers.size())
            return refuse("The network would have more than " + std::to_string(limits::layers) + " layers.",
                          "repeat the block less often", path);
        const Block& end = *row.back();
        LayerId last;
        auto copies = copies_of(draft, end, count - present, last);
        const std::unordered_set<int> own(end.layers.begin(), end.layers.end());
        auto& layers = edited.draft.layers;
        for (std::size_t i = 0; i < layers.size(); ++i)
            if (!own.contains(static_cast<int>(i)))
                std::replace(layers[i].inputs.begin(), layers[i].inputs.end(), end.gives.front(), last);
        for (const Layer& l : copies) edited.selected.push_back(l.id);
        layers.insert(layers.begin() + end.layers.back() + 1, std::make_move_iterator(copies.begin()),
                      std::make_move_iterator(copies.end()));
    } else if (count < present) {
        const LayerId last = row[static_cast<std::size_t>(count) - 1]->gives.front();
        std::vector<LayerId> gone;
        std::unordered_set<std::uint32_t> outputs, without;
        for (auto b = row.begin() + count; b != row.end(); ++b) {
            outputs.insert((*b)->gives.front().value);
            for (int l : (*b)->layers) gone.push_back(layer_at(draft, l).id);
        }
        for (LayerId id : gone) without.insert(id.value);
        for (Layer& l : edited.draft.layers)
            for (LayerId& in : l.inputs)
                if (outputs.contains(in.value) && !without.contains(l.id.value)) in = last;
        auto rest = remove_layers(edited.draft, gone);
        if (!rest) return rest;
        edited.draft = std::move(rest->draft);
    }
    for (auto b = row.begin(); b != row.begin() + std::min(count, present); ++b)
        for (int l : (*b)->layers) edited.selected.push_back(layer_at(draft, l).id);
    std::sort(edited.selected.begin(), edited.selected.end());
    return edited;
}

Edit group_layers(const NetworkDraft& draft, std::span<const LayerId> layers, const std::string& name) {
    if (auto p = about_name(name)) return fail(std::move(*p));
    std::unordered_set<std::uint32_t> wanted;
    for (LayerId id : layers) wanted.insert(id.value);
    std::vector<std::string> names;
    for (const Layer& l : draft.layers)
        if (wanted.contains(l.id.value)) names.push_back(l.name);
    if (names.empty()) return refuse("No layers are selected.", "select what the block shall hold");
    if (names.size() != wanted.size()) return no_such_layer();
    const std::string around = common_path(names), path = joined(around, name);
    if (Names(draft).taken(path))
        return refuse("There is a layer or a block called \"" + path + "\" already.", "choose another name", path);
    Edited edited{draft, {}};
    for (Layer& l : edited.draft.layers) {
        if (!wanted.contains(l.id.value)) continue;
        l.name = joined(path, std::string_view(l.name).substr(around.empty() ? 0 : around.size() + 1));
        if (auto p = about_name(l.name)) return fail(std::move(*p));
        edited.selected.push_back(l.id);
    }
    return edited;
}

Edit ungroup_block(const NetworkDraft& draft, const std::string& path) {
    NetworkDraft others;
    for (const Layer& l : draft.layers)
        if (path.empty() || !is_inside(l.name, path)) others.layers.push_back(l);
    if (others.layers.size() == draft.layers.size())
        return refuse("There is no block \"" + path + "\".", "choose a block of this network");
    Names names(others);
    const std::string around(parent_path(path));
    std::map<std::string, std::string, std::less<>> moved;  // layers and blocks right in it
    Edited edited{draft, {}};
    for (Layer& l : edited.draft.layers) {
        if (!is_inside(l.name, path)) continue;
        const std::string rest = l.name.substr(path.size() + 1), head = rest.substr(0, rest.find('/'));
        auto it = moved.find(head);
        if (it == moved.end()) {
            it = moved.emplace(head, names.fresh(joined(around, head))).first;
            names.add(it->second);
        }
        l.name = it->second + rest.substr(head.size());
        edited.selected.push_back(l.id);
    }
    return edited;
}

}  // namespace scalescope::editing
