// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/preferences/settings.hpp"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QSettings>
#include <QThread>
#include <QTimer>
#include <QUrl>
#include <QVariant>
#include <functional>
#include <string>
#include <utility>

#include "core/base/atomic_file.hpp"
#include "ui/document/keeping.hpp"

namespace scalescope::ui {
namespace {

const QString theme_key = QStringLiteral("look/theme");
const QString language_key = QStringLiteral("look/language");
const QString motion_key = QStringLiteral("look/motion");
const QString large_key = QStringLiteral("look/largeControls");
const QString geometry_key = QStringLiteral("window/geometry");
const QString layout_key = QStringLiteral("window/layout");
const QString canvas_layout_key = QStringLiteral("window/canvasLayout");
const QString canvas_workers_key = QStringLiteral("window/canvasWorkers");
const QString trace_gpus_key = QStringLiteral("measure/traceGpus");
const QString hint_key = QStringLiteral("help/firstHintSeen");
const QString last_lesson_key = QStringLiteral("lessons/last");
const QString lessons_group = QStringLiteral("lessons");
const QString recent_key = QStringLiteral("files/recent");
const QString version_key = QStringLiteral("help/versionSeen");
const QString commands_key = QStringLiteral("commands/recent");

constexpr int kept_recent = 10;
const QString settings_writer = QStringLiteral("settings");  ///< as Keeping knows it
constexpr int retry_after_ms = 2000;

/// A change that somebody would miss could not be written.
bool missed = false;

struct Words {
    Q_DECLARE_TR_FUNCTIONS(Settings)
};

template <class E>
using Names = std::initializer_list<std::pair<E, const char*>>;
const Names<ThemeChoice> theme_names{{ThemeChoice::system, "system"},
                                     {ThemeChoice::light, "light"},
                                     {ThemeChoice::dark, "dark"},
                                     {ThemeChoice::high_contrast, "high_contrast"}};
const Names<Motion> motion_names{{Motion::as_desktop, "as_desktop"}, {Motion::full, "full"}, {Motion::less, "less"}};

template <class E>
E value_called(const QString& name, const Names<E>& names, E otherwise) {
    for (const auto& one : names)
        if (name == QLatin1String(one.second)) return one.first;
    return otherwise;
}
template <class E>
QString name_in(E value, const Names<E>& names) {
    for (const auto& one : names)
        if (one.first == value) return QLatin1String(one.second);
    return {};
}

/// Keys may be paths of files: slashes would make groups of them.
QString lesson_key(const QString& lesson, const char* what) {
    return QStringLiteral("lessons/%1/%2")
        .arg(QString::fromLatin1(QUrl::toPercentEncoding(lesson)), QLatin1String(what));
}

/// While something is not written, the window tries again by itself.
void retry_later() {
    static bool waiting = false;
    if (!QCoreApplication::instance() || std::exchange(waiting, true)) return;
    QTimer::singleShot(retry_after_ms, &Keeping::instance(), [] {
        waiting = false;
        Settings::try_again();
    });
}

/// Writes a change. One that cannot be written holds until the program ends, and goes with the next that can.
void change(const std::function<void(QSettings&)>& how, bool matters) {
    static QSettings* unwritten = nullptr;  // while there is one, Qt remembers what it could not write
    QSettings settings;
    forget_abandoned_lock(settings.fileName());
    how(settings);
    settings.sync();
    std::string reason;
    if (settings.status() != QSettings::NoError) {
        const std::string file = settings.fileName().toStdString();
        reason = Words::tr("The file cannot be written.").toStdString();
        // Qt does not say why; core does, who tries the same.
        const auto text = QFile::exists(settings.fileName()) ? read_file(file) : Result<std::string>(std::string());
        if (!text)
            reason = text.error().front().what;
        else if (const auto written = write_file(file, *text); !written)
            reason = written.error().front().what;
        if (!unwritten) unwritten = new QSettings;
        missed |= matters;
        retry_later();
    } else {
        missed = false;
        delete std::exchange(unwritten, nullptr);
    }
    Keeping::instance().report(settings_writer, Words::tr("Settings"), reason);
}

void write(const QString& key, const QVariant& value) {
    const bool matters = !key.startsWith(QLatin1String("window/")) && !key.startsWith(QLatin1String("help/"));
    change([&](QSettings& settings) { settings.setValue(key, value); }, matters);
}

/// Moves or adds `entry` to the front of the list stored under `key`.
void put_first(const QString& key, const QString& entry) {
    QStringList all = QSettings().value(key).toStringList();
    all.removeAll(entry);
    all.prepend(entry);
    write(key, QStringList(all.mid(0, kept_recent)));
}

void remove(const QString& key) {
    change([&](QSettings& settings) { settings.remove(key); }, true);
}

}  // namespace

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

ThemeChoice Settings::theme() const {
    const QString name = QSettings().value(theme_key).toString();
    return value_called(name, theme_names, ThemeChoice::system);
}

void Settings::set_theme(ThemeChoice choice) { write(theme_key, name_in(choice, theme_names)); }

Motion Settings::motion() const {
    return value_called(QSettings().value(motion_key).toString(), motion_names, Motion::as_desktop);
}
void Settings::set_motion(Motion motion) { write(motion_key, name_in(motion, motion_names)); }

bool Settings::large_controls() const { return QSettings().value(large_key).toBool(); }
void Settings::set_large_controls(bool large) { write(large_key, large); }

/// As the desktop until somebody chooses.
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
    remove(trace_gpus_key);
}

bool Settings::hint_seen() const { return QSettings().value(hint_key).toBool(); }
void Settings::set_hint_seen() { write(hint_key, true); }

LessonMark Settings::lesson_mark(const QString& key) const {
    const QSettings settings;
    LessonMark mark;
    mark.step = settings.value(lesson_key(key, "step"), -1).toInt();
    mark.furthest = settings.value(lesson_key(key, "furthest"), -1).toInt();
    for (const QString& step : settings.value(lesson_key(key, "done")).toStringList()) mark.done << step.toInt();
    return mark;
}

void Settings::set_lesson_mark(const QString& key, const LessonMark& mark) {
    QStringList done;
    for (const int step : mark.done) done << QString::number(step);
    write(lesson_key(key, "step"), mark.step);
    write(lesson_key(key, "furthest"), mark.furthest);
    write(lesson_key(key, "done"), done);
}

QString Settings::last_lesson() const { return QSettings().value(last_lesson_key).toString(); }
void Settings::set_last_lesson(const QString& key) { write(last_lesson_key, key); }

bool Settings::has_lessons() const {
    QSettings settings;
    settings.beginGroup(lessons_group);
    return !settings.allKeys().isEmpty();
}

void Settings::forget_lessons() { remove(lessons_group); }

QStringList Settings::recent() const { return QSettings().value(recent_key).toStringList(); }

void Settings::add_recent(const QString& file) { put_first(recent_key, file); }

QString Settings::version_seen() const { return QSettings().value(version_key).toString(); }
void Settings::set_version_seen(const QString& version) { write(version_key, version); }

QStringList Settings::recent_commands() const { return QSettings().value(commands_key).toStringList(); }

void Settings::add_recent_command(const QString& id) { put_first(commands_key, id); }

void Settings::remove_recent(const QString& file) {
    QStringList files = recent();
    files.removeAll(file);
    write(recent_key, files);
}

void Settings::clear_recent() { write(recent_key, QStringList()); }

bool Settings::try_again() {
    if (!Keeping::instance().is_in_trouble(settings_writer)) return true;
    change([](QSettings&) {}, false);
    return !missed;
}

}  // namespace scalescope::ui
