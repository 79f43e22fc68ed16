// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/canvas_notes.hpp"

#include <QGraphicsView>
#include <QPainter>
#include <QPushButton>
#include <algorithm>
#include <utility>

#include "ui/canvas/box_item.hpp"
#include "ui/canvas/canvas_scene.hpp"
#include "ui/canvas/canvas_view.hpp"
#include "ui/canvas/note_card.hpp"
#include "ui/canvas/wire_item.hpp"
#include "ui/language/told.hpp"
#include "ui/theme/theme.hpp"

namespace scalescope::ui {
namespace {

constexpr int patience = 60;  // ms after an edit until it is looked for what mends it
constexpr std::size_t most_buttons = 2;

QString remedy_of(const Problem& problem) {
    QString words = told(problem.remedy);
    if (words.isEmpty()) return words;
    words[0] = words[0].toUpper();
    return words.endsWith(QLatin1Char('.')) ? words : words + QLatin1Char('.');
}

drawing::Area area(const QRectF& r) { return {{r.x(), r.y()}, {r.width(), r.height()}}; }

bool same(const Fault& a, const Fault& b) {
    return a.input == b.input && a.problem.what == b.problem.what && a.problem.where == b.problem.where;
}

}  // namespace

CanvasNotes::CanvasNotes(CanvasView& view, CanvasScene& scene) : QObject(&view), view_(view), scene_(scene) {
    look_soon_.setSingleShot(true);
    look_soon_.setInterval(patience);
    connect(&look_soon_, &QTimer::timeout, this, &CanvasNotes::look_for_fixes);
    connect(&scene, &CanvasScene::laid_out, this, &CanvasNotes::take_faults);
    connect(&view, &CanvasView::seen_changed, this, &CanvasNotes::place);
}

void CanvasNotes::set_editor(Finder find, Applier apply) {
    find_ = std::move(find);
    apply_ = std::move(apply);
}

/// A fault that was there before keeps its note, and where that stands.
void CanvasNotes::take_faults() {
    if (scene_.sketch() == sketch_) {  // folded or unfolded
        for (Entry& e : entries_) e.wires = scene_.wires_of(e.fault);
        return place();
    }
    sketch_ = scene_.sketch();
    std::vector<Entry> before = std::exchange(entries_, {});
    for (const Fault& f : sketch_->faults) {
        if (f.layer < 0) continue;  // of the whole, which the problems below tell
        Entry now;
        now.fault = f;
        now.layer = sketch_->layers[static_cast<std::size_t>(f.layer)].id;
        now.wires = scene_.wires_of(f);
        const auto it = std::find_if(before.begin(), before.end(),
                                     [&](const Entry& e) { return e.layer == now.layer && same(e.fault, f); });
        if (it != before.end()) {
            now.card = std::exchange(it->card, nullptr);
            now.marker = std::exchange(it->marker, nullptr);
            now.wanted = it->wanted, now.closed = it->closed, now.asked = it->asked, now.beside = it->beside;
            if (now.card) now.card->set_busy(true);  // what mends it would bring the state before back
        }
        entries_.push_back(std::move(now));
    }
    for (Entry& e : before) drop(e);
    current_ = -1;
    place();
    if (!entries_.empty()) look_soon_.start();
}

void CanvasNotes::drop(Entry& entry) {
    for (QWidget* w : {static_cast<QWidget*>(entry.card), static_cast<QWidget*>(entry.marker)})
        if (w) {
            if (w->isAncestorOf(w->window()->focusWidget()) || w->hasFocus()) view_.setFocus(Qt::OtherFocusReason);
            w->hide();
            w->deleteLater();
        }
    entry.card = nullptr;
    entry.marker = nullptr;
}

/// Of the notes that are open; the others are asked when they are.
void CanvasNotes::look_for_fixes() {
    bool changed = false;
    for (Entry& e : entries_) {
        if (!find_ || !e.card || e.card->isHidden() || e.looked) continue;
        e.fixes = find_(e.fault);
        e.looked = true;
        if (e.fixes.size() > most_buttons) e.fixes.resize(most_buttons);  // the properties have all
        QStringList titles;
        for (const editing::Fix& f : e.fixes) titles << told(f.title);
        QString reason = told(e.fault.problem.what);
        if (titles.isEmpty()) reason += QLatin1Char(' ') + remedy_of(e.fault.problem);
        e.card->set_text(told(drawing::heading(*sketch_, e.fault)), reason);
        e.card->set_fixes(titles);
        e.card->fit();
        changed = true;
    }
    if (!changed) return;
    order_tabs();
    place();
}

void CanvasNotes::make_widgets(Entry& e) {
    if (e.card) return;
    e.card = new NoteCard(&view_);
    e.marker = new NoteMarker(&view_);
    const QString heading = told(drawing::heading(*sketch_, e.fault)), reason = told(e.fault.problem.what);
    e.card->set_text(heading, reason);
    e.card->fit();
    e.marker->setAccessibleName(heading + QStringLiteral(". ") + reason);
    e.marker->setToolTip(heading + QStringLiteral(": ") + reason);
    e.card->hide();
    e.marker->hide();
    NoteCard* card = e.card;
    NoteMarker* marker = e.marker;
    connect(marker, &NoteMarker::clicked, this, [this, marker] { open(index_of(marker)); });
    connect(card, &NoteCard::closed, this, [this, card] { close(index_of(card)); });
    connect(card, &NoteCard::pressed, this, [this, card] { press(index_of(card)); });
    connect(card, &NoteCard::fix_chosen, this, [this, card](int fix) {
        const int i = index_of(card);
        if (i < 0 || !apply_) return;
        const Entry& of = entries_[static_cast<std::size_t>(i)];
        if (static_cast<std::size_t>(fix) >= of.fixes.size()) return;
        const editing::Fix chosen = of.fixes[static_cast<std::size_t>(fix)];  // the entry goes with what it mends
        apply_(chosen);
    });
}

int CanvasNotes::index_of(const QObject* widget) const {
    for (std::size_t i = 0; i < entries_.size(); ++i)
        if (entries_[i].card == widget || entries_[i].marker == widget) return static_cast<int>(i);
    return -1;
}

void CanvasNotes::open(int index) {
    if (index < 0) return;
    Entry& e = entries_[static_cast<std::size_t>(index)];
    const bool by_key = e.marker && e.marker->hasFocus();
    e.wanted = true;
    e.closed = false;
    e.asked = ++asked_;
    current_ = index;
    place();
    look_soon_.stop();
    look_for_fixes();
    if (by_key) entries_[static_cast<std::size_t>(index)].card->take_focus(Qt::TabFocusReason);
}

void CanvasNotes::close(int index) {
    if (index < 0) return;
    Entry& e = entries_[static_cast<std::size_t>(index)];
    e.closed = true;
    e.wanted = false;
    e.beside.reset();
    view_.setFocus(Qt::OtherFocusReason);
    place();
}

/// What the note is about is selected, so that the properties show it.
void CanvasNotes::press(int index) {
    if (index < 0) return;
    const auto layer = static_cast<std::size_t>(entries_[static_cast<std::size_t>(index)].fault.layer);
    const std::string path = sketch_->layers[layer].name;
    scene_.reveal(path);
    scene_.select({path});
}

void CanvasNotes::go_to_next() {
    if (entries_.empty()) return;
    show((current_ + 1) % static_cast<int>(entries_.size()));
}

void CanvasNotes::go_to(const Fault& fault) {
    const auto it = std::find_if(entries_.begin(), entries_.end(),
                                 [&](const Entry& e) { return e.fault.layer == fault.layer && same(e.fault, fault); });
    if (it != entries_.end()) show(static_cast<int>(it - entries_.begin()));
}

void CanvasNotes::show(int index) {
    const auto layer = static_cast<std::size_t>(entries_[static_cast<std::size_t>(index)].fault.layer);
    const std::string path = sketch_->layers[layer].name;
    scene_.reveal(path);
    scene_.select({path});
    if (const BoxItem* box = scene_.box(path)) view_.show_box(*box);
    open(index);
    if (NoteCard* card = entries_[static_cast<std::size_t>(index)].card; card && card->isVisible())
        card->take_focus(Qt::ShortcutFocusReason);
}

/// Behind the shape that is written at the faulty edge, if that is in sight, else some other point of it; at the side
/// of the layer's box, or of the block it is folded into, where there is no edge.
std::optional<QPointF> CanvasNotes::anchor_of(const Entry& entry) const {
    const QRectF seen(view_.viewport()->rect());
    for (const int w : entry.wires) {
        if (static_cast<std::size_t>(w) >= scene_.wires().size()) return std::nullopt;  // being drawn anew
        const WireItem& wire = *scene_.wires()[static_cast<std::size_t>(w)];
        std::vector<QPointF> points{wire.label_end()};
        for (double part : {0.5, 0.3, 0.7, 0.1, 0.9}) points.push_back(wire.path().pointAtPercent(part));
        for (const QPointF& p : points)
            if (const QPointF on_view = view_.mapFromScene(p); seen.contains(on_view)) return on_view;
    }
    const BoxItem* box = scene_.box_of_layer(entry.fault.layer);
    if (!box || !entry.wires.empty()) return std::nullopt;
    const double half = std::min(20.0, box->size().height() / 2);
    const QPointF side = view_.mapFromScene(box->pos() + QPointF(box->size().width(), half));
    const QPointF other = view_.mapFromScene(box->pos() + QPointF(0, half));
    if (seen.contains(side)) return side;
    return seen.contains(other) ? std::optional(other) : std::nullopt;
}

void CanvasNotes::place() {
    if (entries_.empty()) return;
    const bool readable = view_.zoom() >= BoxItem::readable;
    // Those that somebody has opened come first, the latest before the others.
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        Entry& e = entries_[i];
        e.anchor = anchor_of(e);
        if (e.anchor && !e.closed && (e.wanted || readable)) open.push_back(i);
    }
    std::stable_sort(open.begin(), open.end(),
                     [&](std::size_t a, std::size_t b) { return entries_[a].asked > entries_[b].asked; });
    if (open.size() > most_open) open.resize(most_open);

    std::vector<drawing::Note> notes;
    for (std::size_t i : open) {
        Entry& e = entries_[i];
        make_widgets(e);
        notes.push_back({{e.anchor->x(), e.anchor->y()},
                         {static_cast<double>(e.card->width()), static_cast<double>(e.card->height())},
                         e.beside,
                         e.wanted});
    }
    std::vector<drawing::Area> boxes, taken;
    const QRectF sheet(view_.viewport()->rect());
    if (!open.empty())
        for (const BoxItem* b : scene_.boxes()) {
            if (b->shown().kind == BoxLook::Kind::open) continue;
            const QRectF on_view = view_.mapFromScene(QRectF(b->pos(), b->size())).boundingRect();
            if (on_view.intersects(sheet)) boxes.push_back(area(on_view));
        }
    if (taken_)
        for (const QRect& r : taken_()) taken.push_back(area(r));
    const auto places = drawing::place_notes(notes, area(sheet), boxes, taken);
    bool asks = false;
    std::vector<char> shown(entries_.size(), 0);
    for (std::size_t n = 0; n < open.size(); ++n) {
        Entry& e = entries_[open[n]];
        if (!places[n]) continue;
        shown[open[n]] = 1;
        e.beside = drawing::Point{places[n]->x - e.anchor->x(), places[n]->y - e.anchor->y()};
        e.card->move(qRound(places[n]->x), qRound(places[n]->y));
        e.card->show();
        asks |= !e.looked;
    }
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        Entry& e = entries_[i];
        if (!shown[i] && e.anchor) make_widgets(e);
        if (!e.card) continue;
        if (!shown[i]) e.card->hide();
        e.marker->setVisible(!shown[i] && e.anchor);
        if (e.anchor) e.marker->move((*e.anchor - QPointF(NoteMarker::side / 2.0, NoteMarker::side / 2.0)).toPoint());
    }
    if (asks && !look_soon_.isActive()) look_soon_.start();
    view_.viewport()->update();
}

void CanvasNotes::order_tabs() {
    QWidget* before = &view_;
    for (const Entry& e : entries_) {
        if (!e.card) continue;
        QWidget::setTabOrder(before, e.marker);
        before = e.card->follow(e.marker);
    }
}

/// A line to a note on the left begins before the shape's words, so that it does not cross them out.
QPointF CanvasNotes::line_start(const Entry& entry) const {
    for (const int w : entry.wires) {
        if (static_cast<std::size_t>(w) >= scene_.wires().size()) break;
        const WireItem& wire = *scene_.wires()[static_cast<std::size_t>(w)];
        const QPointF start = view_.mapFromScene(wire.label_start()), end = view_.mapFromScene(wire.label_end());
        if (end == *entry.anchor && entry.card->geometry().right() < start.x()) return start;
    }
    return *entry.anchor;
}

void CanvasNotes::draw_lines(QPainter& painter) const {
    painter.setPen(QPen(scene_.look().error, 1));
    for (const Entry& e : entries_) {
        if (!e.card || e.card->isHidden() || !e.anchor) continue;
        const QPointF from = line_start(e);
        const auto to = drawing::nearest_point(area(QRectF(e.card->geometry())), {from.x(), from.y()});
        painter.drawLine(from, QPointF(to.x, to.y));
    }
}

}  // namespace scalescope::ui
