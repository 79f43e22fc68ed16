// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/settings.hpp"

#include <QSettings>

namespace scalescope::ui {
namespace {

const QString theme_key = QStringLiteral("look/theme");
const QString geometry_key = QStringLiteral("window/geometry");
const QString layout_key = QStringLiteral("window/layout");
const QString hint_key = QStringLiteral("help/firstHintSeen");
const QString recent_key = QStringLiteral("files/recent");

}  // namespace

ThemeChoice Settings::theme() const {
    const QString name = QSettings().value(theme_key).toString();
    return name == QLatin1String("light")  ? ThemeChoice::light
           : name == QLatin1String("dark") ? ThemeChoice::dark
                                           : ThemeChoice::system;
}

void Settings::set_theme(ThemeChoice choice) {
    QSettings().setValue(theme_key, choice == ThemeChoice::light  ? QStringLiteral("light")
                                    : choice == ThemeChoice::dark ? QStringLiteral("dark")
                                                                  : QStringLiteral("system"));
}

QByteArray Settings::geometry() const { return QSettings().value(geometry_key).toByteArray(); }
QByteArray Settings::layout() const { return QSettings().value(layout_key).toByteArray(); }

void Settings::set_window(const QByteArray& geometry, const QByteArray& layout) {
    QSettings settings;
    settings.setValue(geometry_key, geometry);
    settings.setValue(layout_key, layout);
}

bool Settings::hint_seen() const { return QSettings().value(hint_key).toBool(); }
void Settings::set_hint_seen() { QSettings().setValue(hint_key, true); }

QStringList Settings::recent() const { return QSettings().value(recent_key).toStringList(); }

void Settings::add_recent(const QString& file) {
    QStringList files = recent();
    files.removeAll(file);
    files.prepend(file);
    QSettings().setValue(recent_key, QStringList(files.mid(0, 10)));
}

void Settings::remove_recent(const QString& file) {
    QStringList files = recent();
    files.removeAll(file);
    QSettings().setValue(recent_key, files);
}

}  // namespace scalescope::ui
