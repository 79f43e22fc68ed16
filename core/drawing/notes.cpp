// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/drawing/notes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/sequences.hpp"
#include "core/network/attributes.hpp"

namespace scalescope::drawing {
namespace {

bool among_shapes(const Sketch& sketch, const Fault& fault) {
    return fault.layer >= 0 && sketch.input_shapes(fault.layer).has_value() &&
           !first_without_value(sketch.layers[static_cast<std::size_t>(fault.layer)]);
}

bool named_twice(const Sketch& sketch, const Layer& layer) {
    return std::ranges::count_if(sketch.layers, [&](const Layer& other) { return other.name == layer.name; }) > 1;
}

/// Axes of the inputs that do not fit each other; none: all may be meant.
std::vector<std::size_t> unlike_axes(const Layer& layer, const std::vector<Shape>& inputs) {
    std::vector<std::size_t> axes;
    if (inputs.size() < 2) return axes;
    const std::size_t rank = inputs.front().size();
    for (const Shape& s : inputs)
        if (s.size() != rank) return axes;
    for (std::size_t a = 0; a < rank; ++a)
        if (std::ranges::any_of(inputs, [&](const Shape& s) { return s[a] != inputs.front()[a]; })) axes.push_back(a);
    if (layer.kind->name == "concat" && axes.size() > 1) {  // along its own axis they may differ
        const auto* axis = std::get_if<std::int64_t>(&attribute(layer, "axis"));
        const std::int64_t own = !axis ? -1 : *axis > 0 ? *axis - 1 : *axis + static_cast<std::int64_t>(rank);
        std::erase(axes, static_cast<std::size_t>(own));
    }
    return axes;
}

/// Along these axes (none: all) it is as large as its input, whatever that is.
bool passes_shape_on(const Sketch& sketch, int layer, const std::vector<std::size_t>& axes) {
    const auto l = static_cast<std::size_t>(layer);
    if (sketch.inputs[l].size() != 1 || sketch.layers[l].inputs.size() != 1 || !sketch.facts[l]) return false;
    const auto& before = sketch.facts[static_cast<std::size_t>(sketch.inputs[l].front())];
    const Shape& now = sketch.facts[l]->output;
    if (!before || before->output.size() != now.size()) return false;
    const bool makes_channels = sketch.facts[l]->division == Division::weights;
    if (axes.empty()) return !makes_channels && before->output == now;
    return std::ranges::all_of(axes, [&](std::size_t a) {
        return a < now.size() && now[a] == before->output[a] && !(makes_channels && a + 1 == now.size());
    });
}

constexpr double note_edge = 8;   // free along the edges of the sheet and between notes
constexpr double note_gap = 18;   // from the anchor: room for the line to be seen
constexpr double box_margin = 4;  // free around boxes
constexpr double note_step = 10;  // of the places that are tried
constexpr double farthest = 160;  // a note farther than this looks for a better place
constexpr double left_penalty = 6, crossing_penalty = 200, cover_penalty = 1e5;
constexpr double worth_a_move = 40;  // so much better another place must be for a note to leave its own
constexpr double never = std::numeric_limits<double>::infinity();

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

struct NoteLine {
    Point from, to;
};

/// On which side of the line the point is.
double side_of(const NoteLine& line, Point p) {
    return (line.to.x - line.from.x) * (p.y - line.from.y) - (line.to.y - line.from.y) * (p.x - line.from.x);
}

bool lines_cross(const NoteLine& a, const NoteLine& b) {
    return side_of(a, b.from) * side_of(a, b.to) < 0 && side_of(b, a.from) * side_of(b, a.to) < 0;
}

class NoteSheet {
public:
    NoteSheet(std::span<const Note> notes, const Area& sheet, std::span<const Area> boxes, std::span<const Area> taken)
        : notes_(notes), sheet_(note_grown(sheet, -note_edge)), boxes_(boxes), taken_(taken), places_(notes.size()) {}

    /// Those that stand well stay; the others take what is left, or, if that leaves an earlier one without a place, all
    /// take what the earlier ones leave.
    std::vector<std::optional<Point>> place() {
        for (std::size_t n = 0; n < notes_.size(); ++n)
            if (const auto& beside = notes_[n].beside) {
                const Point at{notes_[n].anchor.x + beside->x, notes_[n].anchor.y + beside->y};
                if (price_of(n, at, farthest) < farthest) places_[n] = at;
            }
        std::vector<char> moves(notes_.size());
        bool in_order = true, one_missing = false;
        for (std::size_t n = 0; n < notes_.size(); ++n) {
            const bool stays = places_[n].has_value();
            if (!stays) moves[n] = 1, places_[n] = find(n);
            one_missing |= !places_[n];
            in_order &= !(one_missing && stays);
        }
        if (!in_order) {
            places_.assign(notes_.size(), std::nullopt);
            std::ranges::fill(moves, char{1});
            for (std::size_t n = 0; n < notes_.size(); ++n) places_[n] = find(n);
        }
        swap_crossed(moves);
        return places_;
    }

private:
    std::span<const Note> notes_;
    Area sheet_;
    std::span<const Area> boxes_, taken_;
    std::vector<std::optional<Point>> places_;  ///< of notes that have one by now

    NoteLine line_of(std::size_t note, Point at) const {
        return {notes_[note].anchor, nearest_point({at, notes_[note].size}, notes_[note].anchor)};
    }

    std::optional<Point> find(std::size_t n) const {
        const Note& note = notes_[n];
        std::optional<Point> best;
        const double most = note.may_cover ? never : cover_penalty;
        double least = most;
        const auto attempt = [&](double x, double y, double bonus = 0) {
            const double price = price_of(n, {x, y}, std::min(most, least + bonus));
            if (price < most && price - bonus < least) least = price - bonus, best = Point{x, y};
        };
        if (note.beside) attempt(note.anchor.x + note.beside->x, note.anchor.y + note.beside->y, worth_a_move);
        const double right = sheet_.at.x + sheet_.size.width - note.size.width;
        const double bottom = sheet_.at.y + sheet_.size.height - note.size.height;
        const double level =
            std::clamp(note.anchor.y - note.size.height / 2, sheet_.at.y, std::max(sheet_.at.y, bottom));
        for (double x : {note.anchor.x + note_gap, note.anchor.x - note_gap - note.size.width}) attempt(x, level);
        // All over the sheet, and right beside whatever stands there: a gap may be just wide enough.
        std::vector<double> across, down{level, bottom};
        for (double x = sheet_.at.x; x <= right; x += note_step) across.push_back(x);
        for (double y = sheet_.at.y; y <= bottom; y += note_step) down.push_back(y);
        const auto beside = [&](const Area& a, double gap) {
            for (double x : {a.at.x - gap - note.size.width, a.at.x + a.size.width + gap}) across.push_back(x);
            for (double y : {a.at.y - gap - note.size.height, a.at.y + a.size.height + gap}) down.push_back(y);
        };
        constexpr std::size_t most_boxes = 40;  // of many, the grid finds the gaps
        if (boxes_.size() <= most_boxes)
            for (const Area& b : boxes_) beside(b, box_margin);
        for (const Area& t : taken_) beside(t, note_edge);
        for (double y : down)
            for (double x : across) attempt(x, y);
        return best;
    }

    /// Infinite where it must not stand. Counting ends at `enough`.
    double price_of(std::size_t n, Point at, double enough) const {
        const Note& note = notes_[n];
        const Area area{at, note.size};
        if (!note_inside(area, sheet_)) return never;
        const NoteLine line = line_of(n, at);
        const double away = std::hypot(line.to.x - note.anchor.x, line.to.y - note.anchor.y);
        double price = away < note_gap ? farthest + note_gap - away : away;
        if (at.x < note.anchor.x) price += left_penalty;
        if (price >= enough) return price;
        for (const Area& t : taken_) {
            if (note_overlap(area, note_grown(t, note_edge)) > 0) return never;
            if (note_crossed(line.from, line.to, t)) price += crossing_penalty;
        }
        for (const Note& other : notes_)
            if (note_overlap(area, note_grown({other.anchor, {}}, 1)) > 0) return never;
        for (std::size_t o = 0; o < notes_.size(); ++o) {
            if (o == n || !places_[o]) continue;
            const Area there{*places_[o], notes_[o].size};
            if (note_overlap(area, note_grown(there, note_edge)) > 0) return never;
            const NoteLine its = line_of(o, *places_[o]);
            if (lines_cross(line, its) || note_crossed(line.from, line.to, there) ||
                note_crossed(its.from, its.to, area))
                price += crossing_penalty;
        }
        for (const Area& b : boxes_) {
            if (const double covered = note_overlap(area, note_grown(b, box_margin)); covered > 0)
                price += cover_penalty + covered;
            else if (note_crossed(line.from, line.to, b))
                price += crossing_penalty;
            if (price >= enough) return price;
        }
        return price;
    }

    /// The first note takes the best place, although the two might stand better the other way round.
    void swap_crossed(const std::vector<char>& moves) {
        for (std::size_t a = 0; a < notes_.size(); ++a)
            for (std::size_t b = a + 1; b < notes_.size(); ++b) {
                if (!moves[a] || !moves[b] || !places_[a] || !places_[b]) continue;
                const auto both = [&] { return price_of(a, *places_[a], never) + price_of(b, *places_[b], never); };
                const double before = both();
                std::swap(places_[a], places_[b]);
                if (!(both() < before)) std::swap(places_[a], places_[b]);
            }
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

std::vector<int> makers_of(const Sketch& sketch, const Fault& fault) {
    std::vector<int> makers;
    if (!about_shapes(sketch, fault)) return makers;
    const Layer& layer = sketch.layers[static_cast<std::size_t>(fault.layer)];
    const auto axes = unlike_axes(layer, *sketch.input_shapes(fault.layer));
    for (LayerId input : layer.inputs) {  // where several differ, each may be the one
        auto at = sketch.position(input);
        while (at && passes_shape_on(sketch, *at, axes)) at = sketch.inputs[static_cast<std::size_t>(*at)].front();
        if (at) makers.push_back(*at);
    }
    sort_once(makers);
    return makers;
}

std::vector<std::optional<Point>> place_notes(std::span<const Note> notes, const Area& sheet,
                                              std::span<const Area> boxes, std::span<const Area> taken) {
    return NoteSheet(notes, sheet, boxes, taken).place();
}

Point nearest_point(const Area& area, Point to) {
    return {std::clamp(to.x, area.at.x, area.at.x + area.size.width),
            std::clamp(to.y, area.at.y, area.at.y + area.size.height)};
}

}  // namespace scalescope::drawing
