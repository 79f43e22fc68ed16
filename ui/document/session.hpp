// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <optional>
#include <string>

class QLockFile;

namespace scalescope::ui {

/// What a crash must not take: the open document's text and where it belongs.
struct SessionSnapshot {
    std::string scenario_text;
    QString file;  ///< where it was last saved; empty: never
    bool dirty = false;
    bool crashed = false;  ///< left behind by a process that did not end by itself
};

/// Keeps the open document on disk while it is edited: every snapshot is written whole by a thread of its own, the
/// newest wins, and nothing in the window waits for the disk. Each running window has its own file, guarded by a lock
/// that dies with the process, so that a later start finds what a killed one left.
class Session : public QObject {
    Q_OBJECT
public:
    /// `folder` is created if missing.
    explicit Session(const QString& folder, QObject* parent = nullptr);
    ~Session() override;

    /// The newest snapshot of a session whose process is gone, crashed ones first; it is taken over, so that it is
    /// found once only.
    std::optional<SessionSnapshot> take_left_behind();

    void keep(SessionSnapshot snapshot);
    /// Waits until everything kept is on disk.
    void flush();
    /// The process ends by itself: the snapshot stays as the session to go on with next time.
    void close();

private:
    struct Writer;
    QString folder_, path_;
    std::unique_ptr<QLockFile> lock_;
    std::unique_ptr<Writer> writer_;
    SessionSnapshot last_;
};

}  // namespace scalescope::ui
