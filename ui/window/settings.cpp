// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/settings.hpp"

#include <QFile>
#include <QFileInfo>
#include <QSettings>
#include <QThread>
#include <QVariant>

namespace scalescope::ui {
namespace {

const QString theme_key = QStringLiteral("look/theme");
const QString language_key = QStringLiteral("look/language");
const QString geometry_key = QStringLiteral("window/geometry");
const QString layout_key = QStringLiteral("window/layout");
const QString canvas_layout_key = QStringLiteral("window/canvasLayout");
const QString canvas_workers_key = QStringLiteral("window/canvasWorkers");
const QString trace_gpus_key = QStringLiteral("measure/traceGpus");
const QString hint_key = QStringLiteral("help/firstHintSeen");
const QString recent_key = QStringLiteral("files/recent");

/// A program killed between making the settings' lock and signing it leaves an empty one, for which QSettings waits
/// half a minute. A living one signs it at once.
void forget_abandoned_lock(const QString& file) {
    constexpr int looks = 20, between_looks_ms = 50;
    QFileInfo lock(file + QStringLiteral(".lock"));
    for (int i = 0; i < looks; ++i) {
        lock.refresh();
        if (!lock.exists() || lock.size() > 0) return;
        QThread::msleep(between_looks_ms);
    }
    QFile::remove(lock.filePath());
}

void write(const QString& key, const QVariant& value) {
    QSettings settings;
    forget_abandoned_lock(settings.fileName());
    settings.setValue(key, value);
}

}  // namespace

ThemeChoice Settings::theme() const {
    const QString name = QSettings().value(theme_key).toString();
    return name == QLatin1String("light")  ? ThemeChoice::light
           : name == QLatin1String("dark") ? ThemeChoice::dark
                                           : ThemeChoice::system;
}

void Settings::set_theme(ThemeChoice choice) {
    write(theme_key, choice == ThemeChoice::light  ? QStringLiteral("light")
                     : choice == ThemeChoice::dark ? QStringLiteral("dark")
                                                   : QStringLiteral("system"));
}

Language Settings::language() const { return language_of(QSettings().value(language_key).toString()); }
void Settings::set_language(Language language) { write(language_key, code_of(language)); }

QByteArray Settings::geometry() const { return QSettings().value(geometry_key).toByteArray(); }
QByteArray Settings::layout() const { return QSettings().value(layout_key).toByteArray(); }

void Settings::set_window(const QByteArray& geometry, const QByteArray& layout) {
    write(geometry_key, geometry);
    write(layout_key, layout);
}

QByteArray Settings::canvas_layout() const { return QSettings().value(canvas_layout_key).toByteArray(); }
bool Settings::canvas_workers() const { return QSettings().value(canvas_workers_key).toBool(); }

void Settings::set_canvas(const QByteArray& layout, bool workers) {
    write(canvas_layout_key, layout);
    write(canvas_workers_key, workers);
}

std::optional<QStringList> Settings::trace_gpus() const {
    const QSettings settings;
    if (!settings.contains(trace_gpus_key)) return std::nullopt;
    return settings.value(trace_gpus_key).toString().split(QLatin1Char('\n'), Qt::SkipEmptyParts);
}

void Settings::set_trace_gpus(const std::optional<QStringList>& ids) {
    if (ids) return write(trace_gpus_key, ids->join(QLatin1Char('\n')));
    QSettings settings;
    forget_abandoned_lock(settings.fileName());
    settings.remove(trace_gpus_key);
}

bool Settings::hint_seen() const { return QSettings().value(hint_key).toBool(); }
void Settings::set_hint_seen() { write(hint_key, true); }

QStringList Settings::recent() const { return QSettings().value(recent_key).toStringList(); }

void Settings::add_recent(const QString& file) {
    QStringList files = recent();
    files.removeAll(file);
    files.prepend(file);
    write(recent_key, QStringList(files.mid(0, 10)));
}

void Settings::remove_recent(const QString& file) {
    QStringList files = recent();
    files.removeAll(file);
    write(recent_key, files);
}

}  // namespace scalescope::ui
