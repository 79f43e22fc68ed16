// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/drawing/notes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/network/attributes.hpp"

namespace scalescope::drawing {
namespace {

constexpr double note_edge = 8;   // free along the edges of the sheet and between notes
constexpr double note_gap = 18;   // from the anchor: room for the line to be seen
constexpr double box_margin = 4;  // free around boxes
constexpr double note_step = 10;  // of the places that are tried
constexpr double farthest = 160;  // a note farther than this looks for a better place
constexpr double left_penalty = 6, crossing_penalty = 120, cover_penalty = 1e5;

bool among_shapes(const Sketch& sketch, const Fault& fault) {
    return fault.layer >= 0 && sketch.input_shapes(fault.layer).has_value() &&
           !first_without_value(sketch.layers[static_cast<std::size_t>(fault.layer)]);
}

bool named_twice(const Sketch& sketch, const Layer& layer) {
    return std::count_if(sketch.layers.begin(), sketch.layers.end(),
                         [&](const Layer& other) { return other.name == layer.name; }) > 1;
}

double note_overlap(const Area& a, const Area& b) {
    const double w = std::min(a.at.x + a.size.width, b.at.x + b.size.width) - std::max(a.at.x, b.at.x);
    const double h = std::min(a.at.y + a.size.height, b.at.y + b.size.height) - std::max(a.at.y, b.at.y);
    return w > 0 && h > 0 ? w * h : 0;
}

Area note_grown(const Area& a, double by) {
    return {{a.at.x - by, a.at.y - by}, {a.size.width + 2 * by, a.size.height + 2 * by}};
}

bool note_inside(const Area& a, const Area& sheet) {
    return a.at.x >= sheet.at.x && a.at.y >= sheet.at.y && a.at.x + a.size.width <= sheet.at.x + sheet.size.width &&
           a.at.y + a.size.height <= sheet.at.y + sheet.size.height;
}

/// Whether the line from `from` to `to` passes through the area (Liang and Barsky, 1984).
bool note_crossed(Point from, Point to, const Area& area) {
    double begin = 0, end = 1;
    const double dx = to.x - from.x, dy = to.y - from.y;
    const auto clip = [&](double p, double q) {
        if (p == 0) return q > 0;
        const double t = q / p;
        if (p < 0)
            begin = std::max(begin, t);
        else
            end = std::min(end, t);
        return begin < end;
    };
    return clip(-dx, from.x - area.at.x) && clip(dx, area.at.x + area.size.width - from.x) &&
           clip(-dy, from.y - area.at.y) && clip(dy, area.at.y + area.size.height - from.y);
}

class NoteSheet {
public:
    NoteSheet(std::span<const Note> notes, const Area& sheet, std::span<const Area> boxes, std::span<const Area> taken)
        : sheet_(note_grown(sheet, -note_edge)), boxes_(boxes), taken_(taken.begin(), taken.end()) {
        for (const Note& n : notes) anchors_.push_back(n.anchor);
    }

    std::optional<Point> place(const Note& note) {
        std::optional<Point> best;
        double least = std::numeric_limits<double>::infinity();
        const auto attempt = [&](Point at) {
            const double price = price_of(note, {at, note.size}, least);
            if (price < least) least = price, best = at;
        };
        if (note.beside) {
            const Point at{note.anchor.x + note.beside->x, note.anchor.y + note.beside->y};
            attempt(at);
            if (least < farthest) return take(note, at);
        }
        const double right = sheet_.at.x + sheet_.size.width - note.size.width;
        const double bottom = sheet_.at.y + sheet_.size.height - note.size.height;
        const double level =
            std::clamp(note.anchor.y - note.size.height / 2, sheet_.at.y, std::max(sheet_.at.y, bottom));
        for (double x : {note.anchor.x + note_gap, note.anchor.x - note_gap - note.size.width}) attempt({x, level});
        for (double y = sheet_.at.y; y <= bottom; y += note_step)
            for (double x = sheet_.at.x; x <= right; x += note_step) attempt({x, y});
        for (double x = sheet_.at.x; x <= right; x += note_step) attempt({x, level});
        if (!best) return std::nullopt;
        return take(note, *best);
    }

private:
    Area sheet_;
    std::span<const Area> boxes_;
    std::vector<Area> taken_;
    std::vector<Point> anchors_;

    Point take(const Note& note, Point at) {
        taken_.push_back(note_grown({at, note.size}, note_edge));
        return at;
    }

    /// Infinite where it must not stand. Counting ends at `enough`.
    double price_of(const Note& note, const Area& area, double enough) const {
        constexpr double never = std::numeric_limits<double>::infinity();
        if (!note_inside(area, sheet_)) return never;
        const Point near = nearest_point(area, note.anchor);
        const double away = std::hypot(near.x - note.anchor.x, near.y - note.anchor.y);
        double price = away < note_gap ? farthest + note_gap - away : away;
        if (area.at.x < note.anchor.x) price += left_penalty;
        if (price >= enough) return price;
        for (const Area& t : taken_)
            if (note_overlap(area, t) > 0) return never;
        for (const Point& a : anchors_)
            if (note_overlap(area, {{a.x - 1, a.y - 1}, {2, 2}}) > 0) return never;
        for (const Area& b : boxes_) {
            if (const double covered = note_overlap(area, note_grown(b, box_margin)); covered > 0)
                price += cover_penalty + covered;
            else if (note_crossed(note.anchor, near, b))
                price += crossing_penalty;
            if (price >= enough) return price;
        }
        return price;
    }
};

}  // namespace

std::string heading(const Sketch& sketch, const Fault& fault) {
    if (fault.layer < 0) return "Not a network yet";
    const Layer& layer = sketch.layers[static_cast<std::size_t>(fault.layer)];
    const int inputs = static_cast<int>(layer.inputs.size());
    if (fault.input < 0 && named_twice(sketch, layer)) return "Name used twice";
    if (!about_input_count(*layer.kind, inputs).empty())
        return inputs < layer.kind->min_inputs ? "Input missing" : "Too many inputs";
    if (fault.input >= 0 && fault.input < inputs) {
        const auto source = sketch.position(layer.inputs[static_cast<std::size_t>(fault.input)]);
        if (!source) return "Not connected";
        if (*source >= fault.layer) return "Runs in a circle";
    }
    if (first_without_value(layer)) return "Value missing";
    if (among_shapes(sketch, fault) && inputs > 1) return "Shapes differ";
    return inputs > 0 ? "Shape does not fit" : "Value does not fit";
}

bool about_shapes(const Sketch& sketch, const Fault& fault) {
    if (!among_shapes(sketch, fault)) return false;
    const Layer& layer = sketch.layers[static_cast<std::size_t>(fault.layer)];
    return !layer.inputs.empty() && (fault.input >= 0 || !named_twice(sketch, layer));
}

std::vector<std::optional<Point>> place_notes(std::span<const Note> notes, const Area& sheet,
                                              std::span<const Area> boxes, std::span<const Area> taken) {
    NoteSheet place(notes, sheet, boxes, taken);
    std::vector<std::optional<Point>> places;
    for (const Note& n : notes) places.push_back(place.place(n));
    return places;
}

Point nearest_point(const Area& area, Point to) {
    return {std::clamp(to.x, area.at.x, area.at.x + area.size.width),
            std::clamp(to.y, area.at.y, area.at.y + area.size.height)};
}

}  // namespace scalescope::drawing
