// SPDX-License-Identifier: GPL-3.0-or-later
// The Help menu, and which page is about what.
#include <QApplication>
#include <QMenuBar>

#include "ui/canvas/canvas.hpp"
#include "ui/canvas/palette.hpp"
#include "ui/canvas/property_panel.hpp"
#include "ui/design/cluster_panel.hpp"
#include "ui/design/network_panel.hpp"
#include "ui/design/settings_panel.hpp"
#include "ui/design/workers_panel.hpp"
#include "ui/help/help_book.hpp"
#include "ui/help/help_guide.hpp"
#include "ui/help/help_window.hpp"
#include "ui/help/shortcuts_dialog.hpp"
#include "ui/inspect/numbers_panel.hpp"
#include "ui/inspect/why_panel.hpp"
#include "ui/measure/measure_window.hpp"
#include "ui/search/search_window.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/card.hpp"
#include "ui/window/help_dialogs.hpp"
#include "ui/window/lesson_desk.hpp"
#include "ui/window/main_window.hpp"

namespace scalescope::ui {
namespace {

/// Shows a window beside this one, once.
template <class W, class Make>
W& shown_beside(QWidget& window, Make make) {
    W* dialog = window.findChild<W*>(QString(), Qt::FindDirectChildrenOnly);
    if (!dialog) dialog = make();
    bring_forward(*dialog);
    return *dialog;
}

}  // namespace

void MainWindow::build_help(QMenu& menu) {
    guide_ = new HelpGuide(this);
    QAction* here =
        menu.addAction(tr("&Help"), QKeySequence(Qt::Key_F1), this, [this] { show_help(guide_->page_here()); });
    here->setObjectName(QStringLiteral("help"));
    here->setShortcutContext(Qt::ApplicationShortcut);  // in the other windows too
    here->setToolTip(tr("Help for the control under the pointer or with the focus (F1)"));
    add_command_action(menu);
    menu.addAction(tr("&Shortcuts"), QKeySequence(Qt::CTRL | Qt::Key_Question), this,
                   [this] {
                       shown_beside<ShortcutsDialog>(*this, [this] {
                           return new ShortcutsDialog({{QString(), menuBar()},
                                                       {tr("Measurements"), measurements().menuBar()},
                                                       {tr("Find the best"), finder().menuBar()}},
                                                      this);
                       });
                   })
        ->setObjectName(QStringLiteral("shortcutsAction"));
    menu.addSeparator();
    menu.addAction(tr("Take the &tour"), this, &MainWindow::take_tour)->setObjectName(QStringLiteral("takeTour"));
    menu.addAction(tr("What is &new"), this, &MainWindow::show_news)->setObjectName(QStringLiteral("news"));
    menu.addAction(tr("&About Scalescope"), this, [this] { show_about(this); });
    assign_help();
}

void MainWindow::show_help(const QString& page) {
    shown_beside<HelpWindow>(*this, [this] { return new HelpWindow(this); }).show_page(page);
}

void MainWindow::show_news() {
    shown_beside<NewsDialog>(*this, [this] { return new NewsDialog(this); });
}

/// A sentence where sentences stand, once after an update; who starts for the first time has seen nothing older.
void MainWindow::say_what_is_new() {
    const QString now = QApplication::applicationVersion(), before = settings_.version_seen();
    if (now.isEmpty() || now == before) return;
    settings_.set_version_seen(now);
    if (before.isEmpty() || !messages_->empty()) return;
    messages_->say(tr("Scalescope is now version %1.").arg(now));
    messages_->offer(tr("What is new"), [this] {
        messages_->clear();
        show_news();
    });
}

void MainWindow::assign_help() {
    for (const auto& entry : charts()) set_help(*entry.second, QStringLiteral("chart-") + entry.first);
    const std::initializer_list<std::pair<QWidget*, const char*>> places{
        {this, "start"},
        {network_, "panel-network"},
        {cluster_, "panel-cluster"},
        {model_, "panel-settings"},
        {workers_, "panel-workers"},
        {numbers_, "panel-numbers"},
        {why_, "panel-why"},
        {canvas_, "canvas"},
        {palette_, "panel-palette"},
        {properties_, "panel-properties"},
        {network_dock_, "panel-network"},
        {cluster_dock_, "panel-cluster"},
        {model_dock_, "panel-settings"},
        {design_dock_, "panel-cluster"},
        {why_dock_, "panel-why"},
        {numbers_dock_, "panel-numbers"},
        {palette_dock_, "panel-palette"},
        {properties_dock_, "panel-properties"},
        {lessons_->dock(), "panel-lesson"},
    };
    for (const auto& place : places) set_help(*place.first, QLatin1String(place.second));
    for (const Page& page : pages_)
        if (!dynamic_cast<const Chart*>(page.widget)) set_help(*page.widget, QStringLiteral("page-") + page.id);
}

}  // namespace scalescope::ui
