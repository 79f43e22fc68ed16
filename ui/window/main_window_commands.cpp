// SPDX-License-Identifier: GPL-3.0-or-later
// The command palette: what it finds, and where that leads.
#include <QMenuBar>
#include <QSplitter>
#include <QToolButton>

#include "ui/canvas/canvas.hpp"
#include "ui/commands/command_palette.hpp"
#include "ui/commands/command_sources.hpp"
#include "ui/design/cluster_panel.hpp"
#include "ui/design/network_panel.hpp"
#include "ui/design/settings_panel.hpp"
#include "ui/design/workers_panel.hpp"
#include "ui/gallery/gallery_dialog.hpp"
#include "ui/language/told.hpp"
#include "ui/lessons/lesson_language.hpp"
#include "ui/theme/icons.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/search_field.hpp"
#include "ui/widgets/tabs.hpp"
#include "ui/window/centre_rows.hpp"
#include "ui/window/lesson_desk.hpp"
#include "ui/window/main_window.hpp"

namespace scalescope::ui {

void MainWindow::add_command_action(QMenu& menu) {
    QAction* find = menu.addAction(icon("search"), tr("&Commands…"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P),
                                   this, &MainWindow::open_commands);
    find->setObjectName(QStringLiteral("commands"));
    find->setToolTip(tr("Find a command, a preset or a setting, or set one: “workers 16” (Ctrl+Shift+P)"));
    // At the end of the menu bar, for who does not know the keys yet.
    auto* button = new QToolButton;
    button->setObjectName(QStringLiteral("commandsButton"));
    button->setIcon(icon("search", Tint::secondary));
    button->setText(tr("Search commands"));
    button->setToolTip(find->toolTip());
    button->setAccessibleName(tr("Search commands"));
    button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    button->setAutoRaise(true);
    button->setFocusPolicy(Qt::TabFocus);
    connect(button, &QToolButton::clicked, find, &QAction::trigger);
    menuBar()->setCornerWidget(button);
}

void MainWindow::open_commands() {
    Commands all;
    add_actions(all, *menuBar());
    for (const auto& preset : library_.scenarios) {
        Command c;
        c.id = QStringLiteral("scenario:") + told(preset.id);
        c.title = told(preset.name);
        c.place = preset.own ? tr("Own scenario") : tr("Scenario");
        c.about = told(preset.description);
        c.run = [this, id = told(preset.id)] { open_scenario_preset(id); };
        all.push_back(std::move(c));
    }
    for (const auto& lesson : library_.lessons) {
        Command c;
        c.id = QStringLiteral("lesson:") + told(lesson.id);
        c.title = title_in_language(lesson);
        c.place = tr("Lesson");
        c.run = [this, id = told(lesson.id)] { lessons().open_shipped(id); };
        all.push_back(std::move(c));
    }
    for (const QWidget* panel : std::initializer_list<QWidget*>{network_, cluster_, model_, workers_})
        add_choices(all, *panel);
    add_charts(all, charts(), [this](Chart* chart) { go_to_chart(chart); });
    add_fields(all, document_, [this](const QString& path) { focus_field(path); });
    if (!commands_) {
        commands_ = new CommandPalette(this);
        connect(commands_, &CommandPalette::used, this,
                [this](const QString& id) { settings_.add_recent_command(id); });
    }
    commands_->open(std::move(all), settings_.recent_commands(),
                    [this](const QString& typed) { return setting_commands(typed, document_, library_.catalogue); });
}

void MainWindow::open_gallery() {
    auto* gallery = findChild<GalleryDialog*>();
    if (!gallery) {
        gallery = new GalleryDialog(library_, this);
        connect(gallery, &GalleryDialog::chosen, this, [this](GalleryDialog::Kind kind, const QString& id) {
            // The lists of the panels know what else goes with a choice.
            if (kind == GalleryDialog::Kind::scenario) return open_scenario_preset(id);
            auto* list = findChild<Combo*>(kind == GalleryDialog::Kind::network ? QStringLiteral("network")
                                                                                : QStringLiteral("device"));
            if (list) emit list->chosen(id);
        });
    }
    bring_forward(*gallery);
    gallery->search()->setFocus();
}

void MainWindow::go_to_chart(Chart* chart) {
    for (const Page& page : pages_)
        if (page.widget == chart || page.widget->isAncestorOf(chart)) show_bottom(page.id);
    if (lower_->isAncestorOf(chart)) canvas_action_->setChecked(false);  // the canvas stands in their place
    centre_->unfold(chart);
    chart->setFocus(Qt::OtherFocusReason);
}

}  // namespace scalescope::ui
