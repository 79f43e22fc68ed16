// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/drawing/borders.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/sequences.hpp"

namespace scalescope::drawing {
namespace {

constexpr double nowhere = std::numeric_limits<double>::infinity();

/// Where the line may run over some stretch: below what is in front, above what is behind.
struct Room {
    double top = -nowhere, bottom = nowhere;
    bool free() const { return top == -nowhere && bottom == nowhere; }
};

double height_in(const Room& room, const LineStyle& style) {
    if (room.bottom == nowhere) return room.top + style.above;
    if (room.top == -nowhere) return room.bottom - style.above;
    return room.top == room.bottom ? room.top : std::max(room.bottom - style.above, (room.top + room.bottom) / 2);
}

/// The room that a closed box leaves.
Room room_beside(const Box& box, const Item& item, std::span<const char> behind, std::span<const char> counts) {
    int in_front = 0, all = 0;
    bool first_behind = false;
    for (std::size_t i = 0; i < item.layers.size(); ++i) {
        const auto l = static_cast<std::size_t>(item.layers[i]);
        if (i == 0) first_behind = behind[l] != 0;
        if (counts[l] == 0) continue;
        ++all;
        in_front += behind[l] == 0 ? 1 : 0;
    }
    const double top = box.at.y, bottom = box.at.y + box.size.height;
    if (all == 0 ? first_behind : in_front == 0) return {-nowhere, top};
    if (in_front == all) return {bottom, nowhere};
    constexpr double edge = 3;  // not on the box's own border
    const double through = std::clamp(top + box.size.height * in_front / all, top + edge, bottom - edge);
    return {through, through};
}

}  // namespace

std::vector<Point> border_line(const Drawing& drawing, const Hierarchy& hierarchy, std::span<const char> behind,
                               std::span<const char> counts, const LineStyle& style) {
    struct Column {
        double left, right;
        Room room;
    };
    std::vector<Column> boxes;
    std::vector<double> edges{-style.beyond, drawing.size.width + style.beyond};
    for (const Box& b : drawing.boxes) {
        if (b.open) continue;
        const Item& item = hierarchy.items[static_cast<std::size_t>(b.item)];
        boxes.push_back(
            {b.at.x - style.beside, b.at.x + b.size.width + style.beside, room_beside(b, item, behind, counts)});
        edges.push_back(boxes.back().left);
        edges.push_back(boxes.back().right);
    }
    if (boxes.empty()) return {};
    sort_once(edges);

    // What each stretch between two edges allows; boxes over it are found by sweeping from left to right.
    std::vector<Column> stretches;
    for (std::size_t i = 0; i + 1 < edges.size(); ++i) stretches.push_back({edges[i], edges[i + 1], {}});
    for (const Column& box : boxes) {
        auto at = static_cast<std::size_t>(std::ranges::lower_bound(edges, box.left) - edges.begin());
        for (; at < stretches.size() && stretches[at].left < box.right; ++at) {
            stretches[at].room.top = std::max(stretches[at].room.top, box.room.top);
            stretches[at].room.bottom = std::min(stretches[at].room.bottom, box.room.bottom);
        }
    }
    for (Column& s : stretches)
        if (s.room.top > s.room.bottom) s.room.top = s.room.bottom = s.room.bottom - style.above;

    // As few steps as can be: a stretch goes on as long as some height suits all of it.
    std::vector<Column> runs;
    for (const Column& s : stretches) {
        if (!runs.empty()) {
            const Room both{std::max(runs.back().room.top, s.room.top),
                            std::min(runs.back().room.bottom, s.room.bottom)};
            if (both.top <= both.bottom) {
                runs.back().room = both;
                runs.back().right = s.right;
                continue;
            }
        }
        runs.push_back(s);
    }
    // It steps in the middle of the free way between two columns, where there is one.
    const auto free_way_before = [&](double x) {
        double from = x;
        for (auto s = stretches.rbegin(); s != stretches.rend(); ++s)
            if (s->right == from && s->room.free()) from = s->left;
        return from;
    };
    std::vector<Point> line;
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const double y = runs[i].room.free() ? drawing.size.height / 2 : height_in(runs[i].room, style);
        const double left = i == 0 ? runs[i].left : (free_way_before(runs[i].left) + runs[i].left) / 2;
        if (i > 0) line.back().x = left;
        line.push_back({left, y});
        line.push_back({runs[i].right, y});
    }
    return line;
}

std::vector<Notch> notches(const Drawing& drawing, const Hierarchy& hierarchy, std::span<const int> allowed, int layers,
                           const LineStyle& style) {
    std::vector<Notch> result;
    Notch last{layers, 0, drawing.size.width, 0};
    for (const Box& b : drawing.boxes) {
        if (b.open) continue;
        const Item& item = hierarchy.items[static_cast<std::size_t>(b.item)];
        last.y = std::max(last.y, b.at.y + b.size.height + style.above);
        const auto at = std::ranges::lower_bound(allowed, item.layers.front());
        if (at == allowed.end() || !std::ranges::binary_search(item.layers, *at)) continue;
        result.push_back({*at, b.at.x, b.at.x + b.size.width, b.at.y - style.above});
    }
    if (!allowed.empty() && allowed.back() == layers) result.push_back(last);
    return result;
}

const Notch* nearest(std::span<const Notch> notches, Point hand) {
    constexpr double aside = 0.1;  // of columns far away the row still counts
    const Notch* best = nullptr;
    double least = nowhere;
    for (const Notch& n : notches) {
        const double x = std::max({0.0, n.left - hand.x, hand.x - n.right});
        const double distance = std::abs(n.y - hand.y) + aside * x;
        if (distance >= least) continue;
        least = distance;
        best = &n;
    }
    return best;
}

std::vector<double> spread(std::span<const double> wanted, double height) {
    std::vector<double> places;
    if (wanted.empty()) return places;
    keep_apart(wanted, std::vector<double>(wanted.size(), 1.0), std::vector<double>(wanted.size() - 1, height), places);
    return places;
}

}  // namespace scalescope::drawing
