// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/comfort.hpp"

#include <QAbstractButton>
#include <QApplication>
#include <QHeaderView>
#include <QLabel>
#include <QMainWindow>
#include <QProgressBar>
#include <QScrollBar>
#include <QSettings>
#include <QStandardPaths>
#include <QTableView>
#include <QTreeView>

#include "ui/theme/theme.hpp"

namespace scalescope::ui {
namespace {

bool motion_is_less = false, controls_are_large = false;

constexpr const char *usual_height = "usualHeight", *usual_width = "usualWidth", *usual_row = "usualRow";
constexpr int least_usual = 18;  // what is lower is a rule or a bar, and nothing to hit

/// Heights are kept as they were when the widget was first met, and given back.
int kept(QWidget& widget, const char* name, int now) {
    const QVariant before = widget.property(name);
    if (before.isValid()) return before.toInt();
    widget.setProperty(name, now);
    return now;
}

/// What a length would be if type were drawn as usual.
int at_100(int px) { return qRound(px / type_scale()); }

void fit_rows(QWidget& view, QHeaderView& rows) {
    const int usual = kept(view, usual_row, at_100(rows.defaultSectionSize()));
    const int wanted = Px{controls_are_large ? std::max(usual, touch_size) : usual};
    if (rows.defaultSectionSize() != wanted) rows.setDefaultSectionSize(wanted);
}

}  // namespace

bool less_motion() { return motion_is_less; }
bool large_controls() { return controls_are_large; }

void set_comfort(QApplication& app, Motion motion, bool large) {
    Q_UNUSED(app);
    motion_is_less =
        motion == Motion::less ||
        (motion == Motion::as_desktop &&
         desktop_wants_less_motion(QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation)));
    for (const Qt::UIEffect effect : {Qt::UI_AnimateMenu, Qt::UI_FadeMenu, Qt::UI_AnimateCombo, Qt::UI_AnimateTooltip,
                                      Qt::UI_FadeTooltip, Qt::UI_AnimateToolBox})
        if (motion_is_less) QApplication::setEffectEnabled(effect, false);
    controls_are_large = large;
    const auto pick = [large](int usual) { return large ? touch_size : usual; };
    space::control_height = pick(28), space::table_row = pick(21), space::layer_row = pick(20);
    space::menu_height = pick(28), space::toolbar_height = large ? touch_size + 4 : 40, space::bottom_tabs = pick(30);
    space::status_height = pick(26), space::card_title = pick(34), space::chart_title = pick(36);
}

bool desktop_wants_less_motion(const QString& config) {
    const QSettings kde(config + QStringLiteral("/kdeglobals"), QSettings::IniFormat);
    const QVariant factor = kde.value(QStringLiteral("KDE/AnimationDurationFactor"));
    if (factor.isValid()) return factor.toDouble() == 0.0;
    for (const char* gtk : {"/gtk-4.0/settings.ini", "/gtk-3.0/settings.ini"}) {
        const QSettings file(config + QLatin1String(gtk), QSettings::IniFormat);
        const QString wanted = file.value(QStringLiteral("Settings/gtk-enable-animations")).toString().toLower();
        if (!wanted.isEmpty()) return wanted == QLatin1String("0") || wanted == QLatin1String("false");
    }
    return false;
}

void fit_to_hand(QWidget& widget) {
    if (auto* window = qobject_cast<QMainWindow*>(&widget)) window->setAnimated(!motion_is_less);
    if (auto* tree = qobject_cast<QTreeView*>(&widget)) tree->setAnimated(false);
    if (auto* table = qobject_cast<QTableView*>(&widget)) return fit_rows(widget, *table->verticalHeader());
    if (qobject_cast<QLabel*>(&widget) || qobject_cast<QHeaderView*>(&widget) || qobject_cast<QScrollBar*>(&widget) ||
        qobject_cast<QProgressBar*>(&widget) || widget.isWindow())
        return;
    // Only what has one height; all else follows from what it asks for.
    const bool fixed = widget.minimumHeight() == widget.maximumHeight();
    if (!fixed && !widget.property(usual_height).isValid()) {
        widget.updateGeometry();
        return;
    }
    const int height = kept(widget, usual_height, at_100(widget.minimumHeight()));
    if (height < least_usual || height >= touch_size) return;
    if (qobject_cast<QAbstractButton*>(&widget) && widget.minimumWidth() == widget.maximumWidth()) {
        const int width = kept(widget, usual_width, at_100(widget.minimumWidth()));
        widget.setFixedWidth(Px{controls_are_large ? std::max(width, touch_size) : width});
    }
    widget.setFixedHeight(Px{controls_are_large ? touch_size : height});
}

QString sheet_for_fingers() {
    return QStringLiteral(R"(
QPushButton, QPushButton[kind~="small"] { min-height: 42px; max-height: 42px; padding: 0 16px; }
QPushButton[kind="link"], QPushButton[kind="title"] { min-height: 44px; max-height: 44px; }
QMenuBar { min-height: 44px; max-height: 44px; }
QMenuBar::item { padding: 12px 12px; }
QMenu::item { min-height: 44px; }
QTabBar::tab { min-height: 42px; }
QCheckBox, QRadioButton { min-height: 44px; }
QListView::item, QTreeView::item { min-height: 44px; }
QHeaderView::section { min-height: 44px; }
QScrollBar:vertical { width: 24px; }
QScrollBar:horizontal { height: 24px; }
QScrollBar::handle:vertical { min-height: 44px; }
QScrollBar::handle:horizontal { min-width: 44px; }
QScrollBar[kind="overlay"]::handle:vertical { min-height: 44px; }
QMainWindow::separator { width: 16px; height: 16px; }
)");
}

}  // namespace scalescope::ui
