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
    static constexpr double scale = 1.5;

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
