// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/session.hpp"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLockFile>
#include <QUuid>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <tuple>

#include "core/base/atomic_file.hpp"
#include "ui/document/keeping.hpp"

namespace scalescope::ui {
namespace {

/// Between two writings: a drag makes a hundred snapshots a second, and the disk and the other threads have better to
/// do.
constexpr std::chrono::milliseconds pause_between{200};
/// After one that could not be written.
constexpr std::chrono::milliseconds pause_before_retry{2000};

std::string to_file_text(const SessionSnapshot& s) {
    QJsonObject o;
    o[QStringLiteral("format")] = QStringLiteral("scalescope-session");
    o[QStringLiteral("version")] = 1;
    o[QStringLiteral("file")] = s.file;
    o[QStringLiteral("fileDigest")] = QString::fromLatin1(s.file_digest.toHex());
    o[QStringLiteral("dirty")] = s.dirty;
    o[QStringLiteral("crashed")] = s.crashed;
    o[QStringLiteral("scenario")] = QString::fromStdString(s.scenario_text);
    return QJsonDocument(o).toJson(QJsonDocument::Compact).toStdString();
}

std::optional<SessionSnapshot> from_file(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return std::nullopt;
    const QByteArray text = file.readAll();
    const QJsonObject o = QJsonDocument::fromJson(text).object();
    SessionSnapshot s;
    if (o[QStringLiteral("format")].toString() != QLatin1String("scalescope-session")) {
        s.scenario_text = text.toStdString();
        s.dirty = true;  // for all that is known
        return s;
    }
    s.file = o[QStringLiteral("file")].toString();
    s.file_digest = QByteArray::fromHex(o[QStringLiteral("fileDigest")].toString().toLatin1());
    s.dirty = o[QStringLiteral("dirty")].toBool();
    s.crashed = o[QStringLiteral("crashed")].toBool();
    s.scenario_text = o[QStringLiteral("scenario")].toString().toStdString();
    return s;
}

}  // namespace

struct Session::Writer {
    std::string path;
    QLockFile* lock_file = nullptr;
    QString what;  ///< as Keeping calls it
    std::mutex mutex;
    std::condition_variable wake, done;
    std::optional<std::function<std::string()>> next, again;  ///< again: could not be written
    bool busy = false, quit = false, urgent = false, failed = false;
    bool soon = true;  ///< what waits may wait a moment
    std::thread thread{[this] { run(); }};

    void run() {
        std::unique_lock lock(mutex);
        while (true) {
            const auto wanted = [&] { return quit || next.has_value(); };
            if (!again)
                wake.wait(lock, wanted);
            else if (!wake.wait_for(lock, pause_before_retry, wanted))
                next = std::move(again);
            if (!next) return;
            const std::function<std::string()> text = std::move(*next);
            next.reset();
            again.reset();
            soon = true;
            busy = true;
            lock.unlock();
            // A full disk must not stop the work in the window.
            const std::string reason = write(text());
            lock.lock();
            busy = false;
            failed = !reason.empty();
            if (failed) again = text;
            Keeping::instance().report(QString::fromStdString(path), what, reason);
            done.notify_all();
            wake.wait_for(lock, pause_between, [&] { return quit || urgent || !soon; });
        }
    }
    /// Why it could not be written; empty: it was.
    std::string write(const std::string& text) const {
        const QFileInfo info(QString::fromStdString(path));
        if (!info.dir().exists()) QDir().mkpath(info.path());
        // Its folder may have become writable: without the lock, another window would take the session over.
        if (!lock_file->isLocked()) lock_file->tryLock(0);
        const auto written = write_file(path, text);
        return written ? std::string() : written.error().front().what;
    }
};

Session::Session(const QString& folder, QObject* parent) : QObject(parent), folder_(folder) {
    QDir().mkpath(folder_);
    path_ = QStringLiteral("%1/session-%2.json").arg(folder_, QUuid::createUuid().toString(QUuid::WithoutBraces));
    lock_ = std::make_unique<QLockFile>(path_ + QStringLiteral(".lock"));
    lock_->setStaleLockTime(0);
    lock_->tryLock(0);
    Keeping::instance();  // on this thread
    writer_ = std::make_unique<Writer>();
    writer_->path = path_.toStdString();
    writer_->lock_file = lock_.get();
    writer_->what = tr("Unsaved work");
}

Session::~Session() {
    {
        std::lock_guard lock(writer_->mutex);
        writer_->quit = true;
    }
    writer_->wake.notify_all();
    writer_->thread.join();
    Keeping::instance().report(path_, {}, {});
}

std::optional<SessionSnapshot> Session::find_left_behind(Which which) const {
    std::optional<SessionSnapshot> best;
    qint64 best_time = 0;
    int unsaved = 0;
    for (const QFileInfo& info : QDir(folder_).entryInfoList({QStringLiteral("session-*.json")}, QDir::Files)) {
        if (info.filePath() == path_) continue;
        auto lock = std::make_shared<QLockFile>(info.filePath() + QStringLiteral(".lock"));
        lock->setStaleLockTime(0);
        if (!lock->tryLock(0)) continue;  // its window is open
        auto s = from_file(info.filePath());
        if (!s) continue;
        // A window that is killed while it takes over a session leaves one of its own, in which nothing is unsaved.
        const auto rank = [](const SessionSnapshot& of, qint64 time) {
            return std::make_tuple(of.dirty, of.crashed, time);
        };
        if (s->dirty) ++unsaved;
        qint64 time = info.lastModified().toMSecsSinceEpoch();
        if (which == Which::oldest && s->dirty) time = -time;
        if (best && !(rank(*best, best_time) < rank(*s, time))) continue;
        best = std::move(s);
        best->found_at = info.filePath();
        best->found_lock = std::move(lock);
        best_time = time;
    }
    if (best) best->waiting = unsaved - (best->dirty ? 1 : 0);
    return best;
}

void Session::forget_left_behind(const SessionSnapshot& snapshot) {
    QFile::remove(snapshot.found_at);
    // Older sessions in which nothing is unsaved are of no more use.
    for (const QFileInfo& info : QDir(folder_).entryInfoList({QStringLiteral("session-*.json")}, QDir::Files)) {
        QLockFile other(info.filePath() + QStringLiteral(".lock"));
        other.setStaleLockTime(0);
        if (info.filePath() == path_ || !other.tryLock(0)) continue;
        const auto s = from_file(info.filePath());
        if (s && !s->dirty) QFile::remove(info.filePath());
    }
}

QString Session::set_aside(const SessionSnapshot& snapshot) {
    const QFileInfo found(snapshot.found_at);
    const QString name = found.dir().filePath(QStringLiteral("unreadable-") + found.fileName());
    return QFile::rename(snapshot.found_at, name) ? name : QString();
}

std::optional<SessionSnapshot> Session::take_left_behind() {
    auto found = find_left_behind();
    if (!found) return found;
    forget_left_behind(*found);
    found->found_lock.reset();
    return found;
}

void Session::keep(SessionSnapshot snapshot) {
    std::string text = std::move(snapshot.scenario_text);
    keep([text = std::move(text)] { return text; }, std::move(snapshot));
}

void Session::keep(std::function<std::string()> text, SessionSnapshot about, bool soon) {
    about.crashed = true;  // true unless close() says otherwise
    last_ = std::move(about);
    last_text_ = std::move(text);
    hand_over(soon);
}

void Session::hand_over(bool soon) {
    {
        std::lock_guard lock(writer_->mutex);
        writer_->next = [about = last_, text = last_text_] {
            SessionSnapshot whole = about;
            whole.scenario_text = text();
            return to_file_text(whole);
        };
        writer_->soon = writer_->soon && soon;
    }
    writer_->wake.notify_all();
}

void Session::flush() {
    std::unique_lock lock(writer_->mutex);
    writer_->urgent = true;
    writer_->wake.notify_all();
    writer_->done.wait(lock, [&] { return !writer_->next && !writer_->busy; });
    writer_->urgent = false;
}

bool Session::kept() const {
    std::lock_guard lock(writer_->mutex);
    return !writer_->failed;
}

void Session::close() {
    if (!last_text_) return;
    last_.crashed = false;
    hand_over(false);
    flush();
}

}  // namespace scalescope::ui
