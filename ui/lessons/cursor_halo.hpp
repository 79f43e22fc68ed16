// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTimer>
#include <QWidget>

namespace scalescope::ui {

/// A disc around the pointer, so that a room sees where it is; smaller while a button is held.
class CursorHalo final : public QWidget {
    Q_OBJECT
public:
    explicit CursorHalo(QWidget* window);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void follow();
    QTimer timer_;
    bool held_ = false;
};

}  // namespace scalescope::ui
