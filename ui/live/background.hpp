// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <chrono>
#include <functional>
#include <memory>
#include <vector>

#include "core/base/watch.hpp"

class QTimer;

namespace scalescope::ui {

/// Runs one piece of long work at a time on a thread of its own, so that the window answers meanwhile. A newer one
/// takes the place of the one before, whose result nobody hears of.
class Background : public QObject {
    Q_OBJECT
public:
    /// What is done with the result, on this thread; never, if the work was cancelled.
    using Delivery = std::function<void()>;
    /// Called on the other thread, with all it needs: it must not touch what the window may change. It looks at
    /// `watch.cancel` every few milliseconds, since closing the window waits for it.
    using Work = std::function<Delivery(const Watch& watch)>;

    /// What is done sooner needs no word about it.
    static constexpr std::chrono::milliseconds patience{150};

    explicit Background(QObject* parent = nullptr);
    /// Cancels, and waits for the threads.
    ~Background() override;

    /// `name` is what the person who waits is told.
    void run(const QString& name, Work work);
    /// Forgets what is being done.
    void cancel();
    bool running() const { return current_ != nullptr; }
    /// Blocks until the newest is done, for `limit` at most, and delivers it. False: it takes longer.
    bool finish(std::chrono::milliseconds limit = std::chrono::hours(24));

signals:
    void slow(const QString& name);  ///< it takes longer than `patience`: worth showing
    void progressed(double fraction, const QString& what);
    void ended();                 ///< done, failed or cancelled: nothing to show any more
    void worked(QPrivateSignal);  ///< by the other thread, at its end

private:
    struct Job;
    using JobPtr = std::shared_ptr<Job>;
    void collect();
    void deliver();
    void set_aside();

    JobPtr current_;
    std::vector<JobPtr> cancelled_;  ///< until they notice
    QTimer *patience_, *look_;
};

}  // namespace scalescope::ui
