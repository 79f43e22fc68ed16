// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QMargins>
#include <QObject>
#include <QPointer>
#include <QRect>

class QAction;
class QKeyEvent;
class QToolBar;

namespace scalescope::ui {

class CursorHalo;
class LessonDesk;
class MainWindow;

/// The window before an audience: full screen, large type, the pointer made visible, only what is talked about. The
/// keys of a presenter's remote go to the lesson. Escape brings everything back as it was.
class Presentation final : public QObject {
    Q_OBJECT
public:
    /// How large the type is on a screen of that width, in pixels of the desktop: what can be read from the last row is
    /// a matter of the picture's width. 1 up to 1280, where larger type would leave no room beside what a step shows.
    static double scale_for(int screen_width);

    Presentation(MainWindow& window, LessonDesk& desk);
    ~Presentation() override;
    bool is_on() const { return on_; }
    void set_on(bool on);

signals:
    void changed(bool on);

protected:
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    MainWindow& window_;
    LessonDesk& desk_;
    bool on_ = false;
    Qt::WindowStates state_;
    QRect geometry_;
    QMargins margins_;
    QList<QToolBar*> bars_;
    QList<QAction*> actions_;
    QPointer<CursorHalo> halo_;

    bool use_key(const QKeyEvent& event, const QWidget& focus);
};

}  // namespace scalescope::ui
