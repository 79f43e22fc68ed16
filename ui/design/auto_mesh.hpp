// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <functional>
#include <memory>

#include "ui/live/mesh_solver.hpp"

namespace scalescope::ui {

class Document;

/// The way Auto: as long as it is on, each edit of the document is followed by the best mesh for it, in the same undo
/// step. Undoing an edit down to a mesh that a person chose turns it off.
class AutoMesh final : public QObject {
    Q_OBJECT
public:
    /// `locks`: what a person keeps at the moment.
    AutoMesh(Document& document, std::function<search::Locks()> locks, QObject* parent = nullptr);

    bool on() const { return on_; }
    /// A person chose it, or another way. The best mesh is an undo step of its own.
    void set_on(bool on);
    /// As a file had it: nothing is edited until something else is.
    void restore(bool on);
    /// `next` has another number of workers: it and its best mesh are one edit.
    void take_workers(Scenario next);
    void take_locks();
    /// The document does not have the number of workers yet that the hand is at.
    bool behind_the_hand() const;
    /// Blocks until the mesh that was asked for is there. For those without an event loop.
    void finish() { solver_.finish(); }

signals:
    void changed();  ///< on()

private:
    /// What becomes of the mesh that is being found.
    enum class Waits {
        nothing,
        workers,  ///< it is edited together with another number of workers
        edit,     ///< it is a step of its own
        amend,    ///< it belongs to the step before
        check     ///< after undo or redo: Auto stays on only if this is still the best mesh
    };
    void ask(Waits waits);
    void follow_edit();
    void take(const Scenario& asked, const Scenario& best);

    Document& document_;
    std::function<search::Locks()> locks_;
    MeshSolver solver_;
    bool on_ = false;
    Waits waits_ = Waits::nothing;
    std::shared_ptr<const Scenario> settled_;  ///< whose mesh is known to be the best
    int last_index_ = 0, last_count_ = 0;      ///< of the history
};

}  // namespace scalescope::ui
