// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/live/live.hpp"

class QLabel;
class QPushButton;

namespace scalescope::search {
struct BestMesh;
}

namespace scalescope::ui {

class ElidedLabel;

/// One line: what the way Auto would gain or, where it is on, what it would gain without the locks.
class AutoHint final : public QWidget {
    Q_OBJECT
public:
    explicit AutoHint(QWidget* parent = nullptr);

    /// `best` keeps the locks, `free` does not; null while they are being found.
    void show_best(const LiveResult& result, const search::BestMesh* best, const search::BestMesh* free,
                   bool automatic);
    /// Whether there is anything to say about a design: it has a mesh of several workers, and it fits.
    static bool applies(const LiveResult& result);

signals:
    void use_asked();

private:
    ElidedLabel* text_;
    QPushButton* use_;
    QLabel* tried_;
};

}  // namespace scalescope::ui
