// SPDX-License-Identifier: GPL-3.0-or-later
// What a person chooses of the program's looks: at once, and for every later start.
#include <QActionGroup>
#include <QApplication>
#include <QMenu>

#include "ui/preferences/preferences_dialog.hpp"
#include "ui/theme/comfort.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/window/main_window.hpp"

namespace scalescope::ui {

void MainWindow::build_appearance(QMenu& menu) {
    QMenu* looks = menu.addMenu(tr("&Appearance"));
    looks->setToolTipsVisible(true);
    const auto choice = [this, looks](QActionGroup* group, const QString& title, auto chosen, auto choose) {
        QAction* action = looks->addAction(title);
        action->setCheckable(true);
        group->addAction(action);
        action->setChecked(chosen());
        connect(looks, &QMenu::aboutToShow, action, [action, chosen] { action->setChecked(chosen()); });
        connect(action, &QAction::triggered, this, [this, choose] {
            choose();
            apply_appearance();
        });
        return action;
    };
    auto* themes = new QActionGroup(this);
    const auto theme = [&](ThemeChoice value, const QString& title, const char* name) {
        choice(
            themes, title, [this, value] { return settings_.theme() == value; },
            [this, value] { settings_.set_theme(value); })
            ->setObjectName(QLatin1String(name));
    };
    looks->addSection(tr("Theme"));
    theme(ThemeChoice::system, tr("As the &desktop"), "themeSystem");
    theme(ThemeChoice::light, tr("&Light"), "themeLight");
    theme(ThemeChoice::dark, tr("Dar&k"), "themeDark");
    theme(ThemeChoice::high_contrast, tr("&High contrast"), "themeHighContrast");
    auto* motions = new QActionGroup(this);
    const auto motion = [&](Motion value, const QString& title, const char* name) {
        choice(
            motions, title, [this, value] { return settings_.motion() == value; },
            [this, value] { settings_.set_motion(value); })
            ->setObjectName(QLatin1String(name));
    };
    looks->addSection(tr("Motion"));
    motion(Motion::as_desktop, tr("Motion as the desk&top has it"), "motionDesktop");
    motion(Motion::full, tr("&All motion"), "motionFull");
    motion(Motion::less, tr("L&ess motion"), "motionLess");
    looks->addSection(tr("Controls"));
    QAction* large = looks->addAction(tr("Large &controls, for fingers"));
    large->setObjectName(QStringLiteral("largeControls"));
    large->setCheckable(true);
    large->setChecked(settings_.large_controls());
    connect(looks, &QMenu::aboutToShow, large, [this, large] { large->setChecked(settings_.large_controls()); });
    connect(large, &QAction::toggled, this, [this](bool on) {
        if (on == settings_.large_controls()) return;
        settings_.set_large_controls(on);
        apply_appearance();
    });
}

void MainWindow::add_preferences(QMenu& menu) {
    QAction* action = menu.addAction(tr("Pre&ferences…"));
    action->setObjectName(QStringLiteral("preferencesAction"));
    action->setMenuRole(QAction::PreferencesRole);
    action->setToolTip(tr("Appearance, language and other settings of the program"));
    connect(action, &QAction::triggered, this, [this] {
        auto* dialog = findChild<PreferencesDialog*>(QString(), Qt::FindDirectChildrenOnly);
        if (!dialog) {
            dialog = new PreferencesDialog(settings_, own_folder_, this);
            dialog->setAttribute(Qt::WA_DeleteOnClose);  // the next time it shows what holds then
            connect(dialog, &PreferencesDialog::appearance_changed, this, &MainWindow::apply_appearance);
            connect(dialog, &PreferencesDialog::tour_asked, this, &MainWindow::take_tour);
            connect(dialog, &PreferencesDialog::layout_reset_asked, this, &MainWindow::reset_layout);
            connect(dialog, &PreferencesDialog::recent_cleared, files_.get(), &Files::fill_recent);
            connect(dialog, &PreferencesDialog::all_settings_asked, this, [this] { focus_field({}); });
        }
        bring_forward(*dialog);
    });
}

void MainWindow::apply_appearance() {
    set_comfort(*qApp, settings_.motion(), settings_.large_controls());
    apply_theme(*qApp, settings_.theme());
    presenter_.show_again();                                                        // rows have other heights
    QMetaObject::invokeMethod(this, &MainWindow::size_rows, Qt::QueuedConnection);  // once all know their new heights
}

}  // namespace scalescope::ui
