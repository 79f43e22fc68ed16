// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/background.hpp"

#include <QTimer>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace scalescope::ui {
namespace {

constexpr std::chrono::milliseconds between_looks{50};

}  // namespace

struct Background::Job {
    QString name;
    Work work;
    CancelSource cancel;
    std::mutex mutex;  ///< guards what follows, until the thread is joined
    std::condition_variable finished;
    std::optional<Delivery> delivery;
    double fraction = 0;
    std::string what;
    std::thread thread;

    bool done();
    Watch watch() {
        return {Progress([this](double so_far, std::string_view now) {
                    std::lock_guard lock(mutex);
                    fraction = so_far;
                    if (what != now) what = now;
                }),
                cancel.token()};
    }
};

Background::Background(QObject* parent) : QObject(parent), patience_(new QTimer(this)), look_(new QTimer(this)) {
    patience_->setSingleShot(true);
    patience_->setInterval(patience);
    look_->setInterval(between_looks);
    connect(patience_, &QTimer::timeout, this, [this] {
        look_->start();
        emit slow(current_->name);
    });
    // A connection, not a call that the thread makes: what Qt would keep of that could be seen by two threads at once.
    connect(this, &Background::worked, this, &Background::collect, Qt::QueuedConnection);
    connect(look_, &QTimer::timeout, this, [this] {
        double fraction = 0;
        QString what;
        {
            std::lock_guard lock(current_->mutex);
            fraction = current_->fraction;
            what = QString::fromStdString(current_->what);
        }
        emit progressed(fraction, what);
    });
}

Background::~Background() {
    set_aside();
    for (const JobPtr& job : cancelled_) job->thread.join();
}

void Background::run(const QString& name, Work work) {
    cancel();
    current_ = std::make_shared<Job>();
    current_->name = name;
    current_->work = std::move(work);
    patience_->start();
    current_->thread = std::thread([this, job = current_.get()] {
        auto delivery = job->work(job->watch());
        std::lock_guard lock(job->mutex);
        job->delivery = std::move(delivery);
        // Whoever destroys this joins this thread first.
        emit worked(QPrivateSignal());
        job->finished.notify_all();
    });
}

bool Background::Job::done() {
    std::lock_guard lock(mutex);
    return delivery.has_value();
}

/// The thread of some job has come to its end, which may have been delivered by finish().
void Background::collect() {
    std::erase_if(cancelled_, [](const JobPtr& job) {
        if (!job->done()) return false;
        job->thread.join();
        return true;
    });
    if (current_ && current_->done()) deliver();
}

void Background::set_aside() {
    patience_->stop();
    look_->stop();
    if (!current_) return;
    current_->cancel.cancel();
    cancelled_.push_back(std::exchange(current_, nullptr));
}

void Background::cancel() {
    if (!current_) return;
    set_aside();
    emit ended();
}

void Background::deliver() {
    const JobPtr job = std::exchange(current_, nullptr);
    job->thread.join();
    patience_->stop();
    look_->stop();
    emit ended();
    (*job->delivery)();  // may begin the next one
}

bool Background::finish(std::chrono::milliseconds limit) {
    if (!current_) return true;
    {
        std::unique_lock lock(current_->mutex);
        if (!current_->finished.wait_for(lock, limit, [this] { return current_->delivery.has_value(); })) return false;
    }
    deliver();
    return true;
}

}  // namespace scalescope::ui
