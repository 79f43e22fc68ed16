// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <chrono>
#include <functional>
#include <memory>
#include <vector>

#include "core/base/watch.hpp"
#include "ui/document/files.hpp"

class QTimer;

namespace scalescope::ui {

/// Runs one reader at a time on a thread of its own, so that the window answers meanwhile. A newer one takes the place
/// of the one before, whose result nobody hears of. What a reader reads, and from where, is its own affair.
class Loader : public QObject {
    Q_OBJECT
public:
    /// Called on the other thread, with all it needs: it must not touch what the window may change. It looks at
    /// `watch.cancel` every few milliseconds, since closing the window waits for it.
    using Reader = std::function<Result<OpenedFile>(const Watch& watch)>;
    /// Called on this thread with what the reader returned, unless it was cancelled.
    using Done = std::function<void(Result<OpenedFile>)>;

    /// What is read sooner needs no word about it.
    static constexpr std::chrono::milliseconds patience{150};

    explicit Loader(QObject* parent = nullptr);
    /// Cancels, and waits for the threads.
    ~Loader() override;

    /// `name` is what the person who waits is told: the file's name.
    void load(const QString& name, Reader reader, Done done);
    /// Forgets what is being read; `done` is not called.
    void cancel();
    bool loading() const { return current_ != nullptr; }
    /// Blocks until the newest is read, for `limit` at most, and delivers it. False: it takes longer.
    bool finish(std::chrono::milliseconds limit = std::chrono::hours(24));

signals:
    void slow(const QString& name);  ///< it takes longer than `patience`: worth showing
    void progressed(double fraction, const QString& what);
    void ended();  ///< read, failed or cancelled: nothing to show any more

private:
    struct Job;
    using JobPtr = std::shared_ptr<Job>;
    void deliver();
    void set_aside();

    quint64 started_ = 0;
    JobPtr current_;
    std::vector<JobPtr> cancelled_;  ///< until they notice
    QTimer *patience_, *look_;
};

}  // namespace scalescope::ui
