// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <functional>
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
    bool crashed = false;                     ///< left behind by a process that did not end by itself
    QString found_at{};                       ///< of a snapshot that was left behind
    QByteArray file_digest{};                 ///< of what the file held; empty: unknown (FileOnDisk)
    std::shared_ptr<QLockFile> found_lock{};  ///< keeps it from other windows that start meanwhile
    int waiting = 0;                          ///< other sessions with unsaved work that were left behind
};

/// Keeps the open document on disk while it is edited: a snapshot is written whole by a thread of its own, at once,
/// or in the middle of a drag a moment later; the newest wins, and nothing in the window waits for the disk.
/// Each running window has its own file, guarded by a lock that dies with the process, so that a later start finds what
/// a killed one left.
class Session : public QObject {
    Q_OBJECT
public:
    /// `folder` is created if missing.
    explicit Session(const QString& folder, QObject* parent = nullptr);
    ~Session() override;

    enum class Which { newest, oldest };
    /// The snapshot of a session whose process is gone: those with unsaved work first, then crashed ones, then the
    /// newest or the oldest. Of a file that is not a session, all text is the scenario's. May be called on any thread.
    std::optional<SessionSnapshot> find_left_behind(Which which = Which::newest) const;
    /// It was taken over, and is not to be found again.
    void forget_left_behind(const SessionSnapshot& snapshot);
    /// It cannot be read: it is not found again, but stays under another name, which is returned. Empty if it could not
    /// be renamed.
    static QString set_aside(const SessionSnapshot& snapshot);
    /// Both at once.
    std::optional<SessionSnapshot> take_left_behind();

    void keep(SessionSnapshot snapshot);
    /// The same with a text that the writing thread makes, so that a hand that drags need not wait for it; `text` must
    /// not read what changes meanwhile. `about` says the rest. `soon`: a moment later will do, since more is coming.
    void keep(std::function<std::string()> text, SessionSnapshot about, bool soon = false);
    /// Waits until everything kept is on disk, or could not be written.
    void flush();
    /// The newest snapshot is on disk; asked after flush(). What cannot be written is tried again, and Keeping knows
    /// why.
    bool kept() const;
    /// The process ends by itself: the snapshot stays as the session to go on with next time.
    void close();

private:
    struct Writer;
    void hand_over(bool soon);
    QString folder_, path_;
    std::unique_ptr<QLockFile> lock_;
    std::unique_ptr<Writer> writer_;
    SessionSnapshot last_;
    std::function<std::string()> last_text_;
};

}  // namespace scalescope::ui
