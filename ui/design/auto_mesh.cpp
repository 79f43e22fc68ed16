// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/auto_mesh.hpp"

#include <QUndoStack>
#include <utility>

#include "ui/document/document.hpp"
#include "ui/live/analysis.hpp"

namespace scalescope::ui {

AutoMesh::AutoMesh(Document& document, std::function<search::Locks()> locks, QObject* parent)
    : QObject(parent), document_(document), locks_(std::move(locks)) {
    connect(&solver_, &MeshSolver::solved, this, &AutoMesh::take);
    connect(&document_, &Document::changed, this, &AutoMesh::follow_edit);
}

void AutoMesh::set_on(bool on) {
    const bool before = on_;
    restore(on);
    if (on_) ask(Waits::edit);
    if (on_ || before) emit changed();
}

void AutoMesh::restore(bool on) {
    solver_.give_up();
    waits_ = Waits::nothing;
    settled_.reset();
    on_ = on && has_meshes(document_.scenario());
}

void AutoMesh::take_locks() {
    if (on_) ask(Waits::edit);
}

void AutoMesh::take_workers(Scenario next) {
    if (!on_) return document_.edit(std::move(next));
    waits_ = Waits::workers;
    solver_.ask(std::move(next), locks_());
}

bool AutoMesh::behind_the_hand() const { return on_ && solver_.running() && document_.dragging(); }

void AutoMesh::ask(Waits waits) {
    waits_ = waits;
    solver_.ask(document_.scenario(), locks_());
}

void AutoMesh::take(const Scenario& asked, const Scenario& best) {
    if (!on_) return;
    // While the hand goes on, its answers on the way are shown; others are out of date.
    if (solver_.running() && waits_ != Waits::workers) return;
    const Waits waits = solver_.running() ? waits_ : std::exchange(waits_, Waits::nothing);
    if (waits != Waits::workers && !(asked == document_.scenario())) return;
    if (waits == Waits::check && !(best == asked)) {
        on_ = false;
        emit changed();
        return;
    }
    settled_ = std::make_shared<const Scenario>(best);
    if (waits == Waits::amend)
        document_.amend(best);
    else
        document_.edit(best);
}

void AutoMesh::follow_edit() {
    const QUndoStack& history = document_.history();
    const bool undone =
        history.index() < last_index_ || (history.count() == last_count_ && history.index() > last_index_);
    last_index_ = history.index();
    last_count_ = history.count();
    if (!on_) return;
    if (!has_meshes(document_.scenario())) {
        on_ = false;
        emit changed();
        return;
    }
    if (settled_) {
        Scenario best = *settled_;
        best.name = document_.scenario().name;  // follows the number of workers
        if (best == document_.scenario()) return;
    }
    ask(undone ? Waits::check : Waits::amend);
}

}  // namespace scalescope::ui
