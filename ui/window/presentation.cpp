// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/presentation.hpp"

#include <QAbstractButton>
#include <QAbstractSpinBox>
#include <QApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenuBar>
#include <QScreen>
#include <QTextEdit>
#include <QToolBar>
#include <algorithm>

#include "ui/lessons/cursor_halo.hpp"
#include "ui/lessons/lesson_panel.hpp"
#include "ui/lessons/lesson_run.hpp"
#include "ui/theme/theme.hpp"
#include "ui/window/lesson_desk.hpp"
#include "ui/window/lesson_stage.hpp"
#include "ui/window/main_window.hpp"

namespace scalescope::ui {
namespace {

bool takes_text(const QWidget* w) {
    return qobject_cast<const QLineEdit*>(w) || qobject_cast<const QAbstractSpinBox*>(w) ||
           qobject_cast<const QTextEdit*>(w);
}

}  // namespace

double Presentation::scale_for(int screen_width) {
    constexpr double usual_width = 1280, least = 1, most = 2.5;
    return std::clamp(screen_width / usual_width, least, most);
}

Presentation::Presentation(MainWindow& window, LessonDesk& desk) : QObject(&window), window_(window), desk_(desk) {}

Presentation::~Presentation() {
    if (on_) set_type_scale(*qApp, 1);
}

void Presentation::set_on(bool on) {
    if (on_ == on) return;
    on_ = on;
    if (on) {
        state_ = window_.windowState();
        geometry_ = window_.geometry();
        margins_ = window_.contentsMargins();
        desk_.stage().set_presenting(true);
        bars_.clear();
        for (QToolBar* bar : window_.findChildren<QToolBar*>(QString(), Qt::FindDirectChildrenOnly))
            if (!bar->isHidden()) {
                bars_ << bar;
                bar->hide();
            }
        // The keys of a menu that is hidden do nothing: its actions become the window's own.
        actions_.clear();
        for (QAction* action : window_.menuBar()->findChildren<QAction*>())
            if (!action->shortcut().isEmpty() && !window_.actions().contains(action)) actions_ << action;
        window_.addActions(actions_);
        window_.menuBar()->hide();
        set_type_scale(*qApp, scale_for(std::max(window_.screen()->size().width(), geometry_.width())));
        window_.setWindowState(state_ | Qt::WindowFullScreen);
        window_.setContentsMargins(space::gap, space::gap, space::gap, space::gap);
        desk_.stage().fit_dock();
        if (desk_.is_open()) desk_.panel()->set_run(desk_.run());  // formulas and pictures keep their size
        if (QWidget* focus = QApplication::focusWidget()) focus->clearFocus();
        halo_ = new CursorHalo(&window_);
        qApp->installEventFilter(this);
    } else {
        qApp->removeEventFilter(this);
        delete halo_.data();
        window_.setContentsMargins(margins_);
        set_type_scale(*qApp, 1);
        window_.setWindowState(state_);
        if (!state_.testAnyFlags(Qt::WindowMaximized | Qt::WindowFullScreen)) window_.setGeometry(geometry_);
        window_.menuBar()->show();
        for (QAction* action : actions_) window_.removeAction(action);
        for (QToolBar* bar : bars_) bar->show();
        desk_.stage().set_presenting(false);
        if (desk_.is_open()) desk_.panel()->set_run(desk_.run());
    }
    emit changed(on);
}

bool Presentation::eventFilter(QObject* object, QEvent* event) {
    if (event->type() != QEvent::KeyPress || !on_) return QObject::eventFilter(object, event);
    auto* widget = qobject_cast<QWidget*>(object);
    if (!widget || widget->window() != &window_ || QApplication::activePopupWidget()) return false;
    return use_key(*static_cast<QKeyEvent*>(event), *widget);
}

/// A remote sends the page keys or the arrows, some the space bar. Who took a control by the keyboard keeps its keys;
/// page keys belong to the lesson.
bool Presentation::use_key(const QKeyEvent& event, const QWidget& focus) {
    if ((event.modifiers() & ~Qt::KeypadModifier) != Qt::NoModifier) return false;
    if (event.key() == Qt::Key_Escape) {
        if (QGuiApplication::mouseButtons() != Qt::NoButton) return false;  // a drag is given up first
        set_on(false);
        return true;
    }
    if (!desk_.is_open()) return false;
    const bool by_keyboard = focus.hasFocus() && window_.testAttribute(Qt::WA_KeyboardFocusChange);
    const bool keeps = takes_text(&focus) || by_keyboard;
    const auto on = [this] {  // the last step is not left by a key too many
        if (!desk_.run()->is_last()) desk_.panel()->go_on();
    };
    switch (event.key()) {
        case Qt::Key_PageDown: on(); return true;
        case Qt::Key_PageUp: desk_.panel()->go_back(); return true;
        case Qt::Key_Right:
        case Qt::Key_Space:
            if (keeps || (event.key() == Qt::Key_Space && qobject_cast<const QAbstractButton*>(&focus))) return false;
            on();
            return true;
        case Qt::Key_Left:
            if (keeps) return false;
            desk_.panel()->go_back();
            return true;
        default: return false;
    }
}

}  // namespace scalescope::ui
