// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <optional>

#include "core/search/best_mesh.hpp"
#include "ui/live/background.hpp"

namespace scalescope::ui {

/// Finds the best mesh on a thread of its own while a hand drags. What is being worked out is finished, so that there
/// are answers on the way; of what is asked meanwhile the newest counts.
class MeshSolver final : public QObject {
    Q_OBJECT
public:
    explicit MeshSolver(QObject* parent = nullptr);

    void ask(Scenario scenario, search::Locks locks);
    void give_up();
    bool running() const { return work_.running(); }
    /// Blocks until the newest question is answered, and delivers it.
    void finish();

signals:
    /// `asked` with its best mesh, or as it is where there is none.
    void solved(const scalescope::Scenario& asked, const scalescope::Scenario& best);

private:
    struct Asked {
        Scenario scenario;
        search::Locks locks;
    };
    void begin(Asked asked);

    Background work_;
    std::optional<Asked> next_;
};

}  // namespace scalescope::ui
