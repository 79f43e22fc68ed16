// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/session.hpp"

#include <QDateTime>
#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLockFile>
#include <QUuid>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "core/base/atomic_file.hpp"

namespace scalescope::ui {
namespace {

std::string to_file_text(const SessionSnapshot& s) {
    QJsonObject o;
    o[QStringLiteral("format")] = QStringLiteral("scalescope-session");
    o[QStringLiteral("version")] = 1;
    o[QStringLiteral("file")] = s.file;
    o[QStringLiteral("dirty")] = s.dirty;
    o[QStringLiteral("crashed")] = s.crashed;
    o[QStringLiteral("scenario")] = QString::fromStdString(s.scenario_text);
    return QJsonDocument(o).toJson(QJsonDocument::Compact).toStdString();
}

std::optional<SessionSnapshot> from_file(const QString& path) {
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly)) return std::nullopt;
    const QJsonObject o = QJsonDocument::fromJson(file.readAll()).object();
    if (o[QStringLiteral("format")].toString() != QLatin1String("scalescope-session")) return std::nullopt;
    SessionSnapshot s;
    s.file = o[QStringLiteral("file")].toString();
    s.dirty = o[QStringLiteral("dirty")].toBool();
    s.crashed = o[QStringLiteral("crashed")].toBool();
    s.scenario_text = o[QStringLiteral("scenario")].toString().toStdString();
    return s;
}

}  // namespace

struct Session::Writer {
    std::string path;
    std::mutex mutex;
    std::condition_variable wake, done;
    std::optional<std::string> next;
    bool busy = false, quit = false;
    std::thread thread{[this] { run(); }};

    void run() {
        std::unique_lock lock(mutex);
        while (true) {
            wake.wait(lock, [&] { return quit || next.has_value(); });
            if (!next) return;
            const std::string text = std::move(*next);
            next.reset();
            busy = true;
            lock.unlock();
            // A full disk must not stop the work in the window; the next snapshot tries again.
            (void)write_file(path, text);
            lock.lock();
            busy = false;
            done.notify_all();
        }
    }
};

Session::Session(const QString& folder, QObject* parent) : QObject(parent), folder_(folder) {
    QDir().mkpath(folder_);
    path_ = QStringLiteral("%1/session-%2.json").arg(folder_, QUuid::createUuid().toString(QUuid::WithoutBraces));
    lock_ = std::make_unique<QLockFile>(path_ + QStringLiteral(".lock"));
    lock_->setStaleLockTime(0);
    lock_->tryLock(0);
    writer_ = std::make_unique<Writer>();
    writer_->path = path_.toStdString();
}

Session::~Session() {
    {
        std::lock_guard lock(writer_->mutex);
        writer_->quit = true;
    }
    writer_->wake.notify_all();
    writer_->thread.join();
}

std::optional<SessionSnapshot> Session::take_left_behind() {
    std::optional<SessionSnapshot> best;
    QString best_path;
    QDateTime best_time;
    const auto files = QDir(folder_).entryInfoList({QStringLiteral("session-*.json")}, QDir::Files);
    for (const QFileInfo& info : files) {
        if (info.filePath() == path_) continue;
        QLockFile other(info.filePath() + QStringLiteral(".lock"));
        other.setStaleLockTime(0);
        if (!other.tryLock(0)) continue;  // its window is open
        const auto s = from_file(info.filePath());
        const bool better = s && (!best || (s->crashed && !best->crashed) ||
                                  (s->crashed == best->crashed && info.lastModified() > best_time));
        if (better) {
            best = s;
            best_path = info.filePath();
            best_time = info.lastModified();
        }
    }
    if (!best_path.isEmpty()) {
        QFile::remove(best_path);
        // Sessions that ended by themselves before this one are of no more use.
        for (const QFileInfo& info : files) {
            QLockFile other(info.filePath() + QStringLiteral(".lock"));
            other.setStaleLockTime(0);
            if (info.filePath() == path_ || info.filePath() == best_path || !other.tryLock(0)) continue;
            const auto s = from_file(info.filePath());
            if (!s || !s->crashed) QFile::remove(info.filePath());
        }
    }
    return best;
}

void Session::keep(SessionSnapshot snapshot) {
    snapshot.crashed = true;  // true unless close() says otherwise
    last_ = snapshot;
    {
        std::lock_guard lock(writer_->mutex);
        writer_->next = to_file_text(snapshot);
    }
    writer_->wake.notify_all();
}

void Session::flush() {
    std::unique_lock lock(writer_->mutex);
    writer_->done.wait(lock, [&] { return !writer_->next && !writer_->busy; });
}

void Session::close() {
    if (last_.scenario_text.empty()) return;
    last_.crashed = false;
    {
        std::lock_guard lock(writer_->mutex);
        writer_->next = to_file_text(last_);
    }
    writer_->wake.notify_all();
    flush();
}

}  // namespace scalescope::ui
