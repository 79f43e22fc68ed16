// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPointF>
#include <QRect>
#include <QTimer>
#include <functional>
#include <optional>
#include <vector>

#include "core/drawing/notes.hpp"
#include "core/network/editing/fixes.hpp"

class QPainter;

namespace scalescope::ui {

class CanvasScene;
class CanvasView;
class NoteCard;
class NoteMarker;

/// What is wrong with the drawn network, beside the edges it is about: a few notes with what mends it, and a marker for
/// each of the others, which opens it. Notes keep clear of boxes and of each other, and follow the drawing.
class CanvasNotes final : public QObject {
    Q_OBJECT
public:
    CanvasNotes(CanvasView& view, CanvasScene& scene);

    /// Ways to mend a fault, and what applies one of them; both are the editor's.
    using Finder = std::function<std::vector<editing::Fix>(const Fault&)>;
    using Applier = std::function<void(const editing::Fix&)>;
    void set_editor(Finder find, Applier apply);
    /// What lies over the canvas already, in its coordinates.
    void set_taken(std::function<std::vector<QRect>()> taken) { taken_ = std::move(taken); }

    /// To the next one behind what is on show, in the order of the network; opens it and gives it the keyboard.
    void go_to_next();
    /// The same, to that one.
    void go_to(const Fault& fault);
    /// Lines from the notes to what they are about; in pixels of the view.
    void draw_lines(QPainter& painter) const;
    /// After the drawing or the part of it in sight has changed.
    void place();
    /// Ways to mend what is on show are still to be looked for.
    bool is_looking() const { return look_soon_.isActive(); }

    static constexpr int most_open = 3;

private:
    struct Entry {
        Fault fault;
        LayerId layer;
        NoteCard* card = nullptr;
        NoteMarker* marker = nullptr;
        bool wanted = false, closed = false;  ///< by a hand
        int asked = 0;                        ///< when it was opened: the latest stay
        std::vector<editing::Fix> fixes;
        bool looked = false;     ///< for fixes
        std::vector<int> wires;  ///< that it is about
        std::optional<drawing::Point> beside;
        std::optional<QPointF> anchor;  ///< in the view; nothing: out of sight
    };
    CanvasView& view_;
    CanvasScene& scene_;
    std::vector<Entry> entries_;
    std::shared_ptr<const Sketch> sketch_;
    QTimer look_soon_;
    Finder find_;
    Applier apply_;
    std::function<std::vector<QRect>()> taken_;
    int asked_ = 0, current_ = -1;

    void take_faults();
    void look_for_fixes();
    void make_widgets(Entry& entry);
    void drop(Entry& entry);
    void open(int index);
    void close(int index);
    void press(int index);
    void show(int index);
    void order_tabs();
    int index_of(const QObject* widget) const;
    std::optional<QPointF> anchor_of(const Entry& entry) const;
    QPointF line_start(const Entry& entry) const;
};

}  // namespace scalescope::ui
