// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QPointer>
#include <functional>
#include <vector>

class QLabel;
class QPushButton;

namespace scalescope::ui {

/// One hint of the tour, and what it points at.
struct TourStop {
    QPointer<QWidget> at;
    QString title, text;
    /// A button of its own, which ends the tour; none without a word.
    QString offer = {};
    std::function<void()> take = {};
};

/// Hints that point at parts of a window, one after the other. It lies over the window and blocks nothing: everything
/// can be used while it stands there. Escape or "Skip" ends it.
class Tour final : public QFrame {
    Q_OBJECT
public:
    explicit Tour(QWidget* window);
    /// From the first stop; stops whose widget is gone or hidden are left out.
    void begin(std::vector<TourStop> stops);
    void end();
    bool running() const { return !stops_.empty(); }
    /// Index of the stop on show; -1 while it does not run.
    int stop() const { return running() ? stop_ : -1; }
    QWidget* target() const;

signals:
    void ended();

protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* object, QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    class Ring;
    void go_to(int stop);
    void place();

    std::vector<TourStop> stops_;
    int stop_ = 0;
    QWidget* ring_;
    QLabel *title_, *text_, *count_;
    QPushButton *back_, *next_, *skip_, *offer_;
};

}  // namespace scalescope::ui
