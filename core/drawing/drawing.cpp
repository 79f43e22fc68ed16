// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/drawing/drawing.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "core/base/format.hpp"

namespace scalescope::drawing {
namespace {

class Draughtsman {
public:
    Draughtsman(const Sketch& sketch, const Hierarchy& hierarchy, const std::set<std::string>& open,
                const Metrics& metrics)
        : sketch_(sketch), h_(hierarchy), open_(open), m_(metrics) {}

    Drawing draw() {
        std::vector<int> all(static_cast<std::size_t>(sketch_.size()));
        for (std::size_t l = 0; l < all.size(); ++l) all[l] = static_cast<int>(l);
        d_.size = level(h_.top, all, -1).size;
        return std::move(d_);
    }

private:
    const Sketch& sketch_;
    const Hierarchy& h_;
    const std::set<std::string>& open_;
    const Metrics& m_;
    Drawing d_;

    const Item& item(int i) const { return h_.items[static_cast<std::size_t>(i)]; }

    /// Draws items side by side with the upper left corner at 0, 0. `layers`: all that are in them. Returns where lines
    /// from outside reach them, too.
    Node level(const std::vector<int>& items, const std::vector<int>& layers, int parent) {
        // The borders are nodes too, so that lines from outside have their lanes: the upper one first, the lower last.
        const std::size_t n = items.size();
        const bool inside = parent >= 0;
        std::vector<int> boxes;
        std::vector<Node> nodes;
        std::vector<std::pair<std::size_t, std::size_t>> ranges, wire_ranges;  // of what is in each
        if (inside) nodes.push_back(border(Node::Stands::first));
        for (int i : items) {
            boxes.push_back(static_cast<int>(d_.boxes.size()));
            const std::size_t first = d_.boxes.size(), first_wire = d_.wires.size();
            nodes.push_back(add_box(i, parent));
            ranges.emplace_back(first, d_.boxes.size());
            wire_ranges.emplace_back(first_wire, d_.wires.size());
        }
        if (inside) nodes.push_back(border(Node::Stands::last));

        const std::size_t shift = inside ? 1 : 0;
        std::map<int, std::size_t> node_of;  // by layer
        for (std::size_t i = 0; i < n; ++i)
            for (int l : item(items[i]).layers) node_of[l] = i + shift;
        std::map<std::pair<std::size_t, std::size_t>, std::vector<int>> tensors;
        const auto send = [&](std::size_t from, std::size_t to, int tensor) {
            if (from == to) return;
            auto& known = tensors[{from, to}];
            if (std::ranges::find(known, tensor) == known.end()) known.push_back(tensor);
        };
        const std::size_t upper = 0, lower = n + 1;
        for (int l : layers)
            for (int in : sketch_.inputs[static_cast<std::size_t>(l)]) {
                const auto from = node_of.find(in);
                if (from != node_of.end())
                    send(from->second, node_of[l], in);
                else if (inside)
                    send(upper, node_of[l], in);
            }
        if (inside)
            for (int l : layers)
                if (leaves(l, layers)) send(node_of[l], lower, l);
        std::vector<Edge> edges;
        for (const auto& [ends, unused] : tensors)
            edges.push_back({static_cast<int>(ends.first), static_cast<int>(ends.second)});

        std::map<std::size_t, std::string> labels;  // by node, until a line has it; what leaves is told outside
        for (const auto& [ends, sent] : tensors)
            if (!inside || (ends.first != upper && ends.second != lower)) add_shapes(sent, labels[ends.first]);
        for (const auto& [node, label] : labels) nodes[node].label = m_.letter * letters(label);

        const Placement placed = place_in_layers(nodes, edges, m_.gaps);
        for (std::size_t i = 0; i < n; ++i) {
            const auto [dx, dy] = placed.corners[i + shift];
            Box& box = d_.boxes[static_cast<std::size_t>(boxes[i])];
            box.size = placed.sizes[i + shift];
            box.out = placed.outs[i + shift];
            for (std::size_t b = ranges[i].first; b < ranges[i].second; ++b) {
                d_.boxes[b].at.x += dx;
                d_.boxes[b].at.y += dy;
            }
            for (std::size_t w = wire_ranges[i].first; w < wire_ranges[i].second; ++w) move(d_.wires[w], dx, dy);
        }
        const auto box_at = [&](std::size_t node) {
            if (inside && (node == upper || node == lower)) return Wire::border;
            return boxes[node - shift];
        };
        std::size_t k = 0;
        for (auto& [ends, sent] : tensors) {
            std::ranges::sort(sent);
            const auto& bends = placed.bends[k++];
            const Point from = bends.front();
            d_.wires.push_back({box_at(ends.first),
                                box_at(ends.second),
                                parent,
                                std::move(sent),
                                bends,
                                ends.second == lower && inside ? std::string() : std::exchange(labels[ends.first], {}),
                                {from.x + label_gap, from.y + label_drop}});
        }
        if (!inside) return {placed.size, 0, 0};
        return {placed.size, placed.corners[upper].x, placed.corners[lower].x};
    }

    static Node border(Node::Stands stands) {
        Node node(Size{});
        node.stands = stands;
        return node;
    }

    static void move(Wire& wire, double dx, double dy) {
        for (Point& p : wire.bends) p = {p.x + dx, p.y + dy};
        wire.label_at = {wire.label_at.x + dx, wire.label_at.y + dy};
    }

    /// Adds the shapes that are not said yet; of a block's many results, two.
    void add_shapes(const std::vector<int>& sent, std::string& label) const {
        static constexpr std::string_view more = ", …";
        for (int tensor : sent) {
            const auto& facts = sketch_.facts[static_cast<std::size_t>(tensor)];
            if (!facts || label.ends_with(more)) continue;
            const std::string shape = format_shape(facts->output);
            const auto comma = label.find(", ");
            if (label == shape || label.substr(0, comma) == shape) continue;
            if (comma == std::string::npos)
                label += (label.empty() ? "" : ", ") + shape;
            else if (label.substr(comma + 2) != shape)
                label += more;
        }
    }
    /// Of a text in UTF-8.
    static double letters(std::string_view text) {
        return static_cast<double>(
            std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
    }

    /// Whether a layer outside `layers` reads the output of `l`, or nobody does.
    bool leaves(int l, const std::vector<int>& layers) {
        if (readers_.empty()) {
            readers_.resize(static_cast<std::size_t>(sketch_.size()));
            for (int r = 0; r < sketch_.size(); ++r)
                for (int in : sketch_.inputs[static_cast<std::size_t>(r)])
                    readers_[static_cast<std::size_t>(in)].push_back(r);
        }
        const auto& readers = readers_[static_cast<std::size_t>(l)];
        return std::ranges::any_of(readers, [&](int r) { return !std::ranges::binary_search(layers, r); });
    }
    std::vector<std::vector<int>> readers_;

    Node add_box(int i, int parent) {
        const Item& it = item(i);
        const bool open = !it.is_layer() && open_.contains(it.path);
        const std::size_t b = d_.boxes.size(), w = d_.wires.size();
        d_.boxes.push_back({i, parent, open, {}, it.is_layer() ? m_.layer : m_.block, 0});
        if (!open) {
            Node node(d_.boxes[b].size);
            node.gathers = true;
            return node;
        }
        const Node inner = level(it.children, it.layers, static_cast<int>(b));
        const double width = std::max(inner.size.width + 2 * m_.padding, m_.block.width);
        const double dx = (width - inner.size.width) / 2, dy = m_.header;
        for (std::size_t k = b + 1; k < d_.boxes.size(); ++k) {
            d_.boxes[k].at.x += dx;
            d_.boxes[k].at.y += dy;
        }
        const Size size{width, inner.size.height + m_.header + m_.padding};
        for (std::size_t k = w; k < d_.wires.size(); ++k) {
            Wire& wire = d_.wires[k];
            move(wire, dx, dy);
            if (wire.parent == static_cast<int>(b) && wire.to == Wire::border) wire.bends.back().y = size.height;
        }
        d_.boxes[b].size = size;
        return {size, inner.in + dx, inner.out + dx};
    }
};

}  // namespace

Drawing draw(const Sketch& sketch, const Hierarchy& hierarchy, const std::set<std::string>& open,
             const Metrics& metrics) {
    return Draughtsman(sketch, hierarchy, open, metrics).draw();
}

std::set<std::string> open_at_first(const Hierarchy& hierarchy, int boxes) {
    std::set<std::string> open;
    if (static_cast<int>(hierarchy.items.size()) > boxes) return open;
    for (const Item& i : hierarchy.items)
        if (!i.is_layer()) open.insert(i.path);
    return open;
}

}  // namespace scalescope::drawing
