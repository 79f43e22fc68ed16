// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMap>
#include <QObject>
#include <QString>
#include <mutex>
#include <string>

namespace scalescope::ui {

/// What the program keeps by itself (sessions, settings) and could not write. Whoever writes it reports here; the main
/// window shows the trouble in its status line until it is over.
class Keeping final : public QObject {
    Q_OBJECT
public:
    /// Made on the thread of the window.
    static Keeping& instance();
    /// `what` could not be written, and why; an empty reason: it was written. `key`: of which writer. From any thread.
    void report(const QString& key, const QString& what, const std::string& reason);
    bool is_in_trouble(const QString& key) const;
    /// A sentence; empty if everything is written.
    QString trouble() const;

signals:
    void changed();  ///< on the thread that reported

private:
    struct Trouble {
        QString what;
        std::string reason;
        bool operator==(const Trouble&) const = default;
    };
    mutable std::mutex mutex_;
    QMap<QString, Trouble> troubles_;
};

}  // namespace scalescope::ui
