// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/loader.hpp"

#include <QMetaObject>
#include <QTimer>
#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace scalescope::ui {
namespace {

constexpr std::chrono::milliseconds between_looks{50};

}  // namespace

struct Loader::Job {
    quint64 number = 0;
    QString name;
    Reader reader;
    Done done;
    CancelSource cancel;
    std::mutex mutex;  ///< guards what follows, until the thread is joined
    std::condition_variable finished;
    std::optional<Result<OpenedFile>> result;
    double fraction = 0;
    std::string what;
    std::thread thread;

    Watch watch() {
        return {Progress([this](double so_far, std::string_view now) {
                    std::lock_guard lock(mutex);
                    fraction = so_far;
                    if (what != now) what = now;
                }),
                cancel.token()};
    }
};

Loader::Loader(QObject* parent) : QObject(parent), patience_(new QTimer(this)), look_(new QTimer(this)) {
    patience_->setSingleShot(true);
    patience_->setInterval(patience);
    look_->setInterval(between_looks);
    connect(patience_, &QTimer::timeout, this, [this] {
        look_->start();
        emit slow(current_->name);
    });
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

Loader::~Loader() {
    set_aside();
    for (const JobPtr& job : cancelled_) job->thread.join();
}

void Loader::load(const QString& name, Reader reader, Done done) {
    cancel();
    current_ = std::make_shared<Job>();
    current_->number = ++started_;
    current_->name = name;
    current_->reader = std::move(reader);
    current_->done = std::move(done);
    patience_->start();
    current_->thread = std::thread([this, job = current_.get()] {
        auto result = job->reader(job->watch());
        std::lock_guard lock(job->mutex);
        job->result = std::move(result);
        // Whoever destroys the loader joins this thread first.
        QMetaObject::invokeMethod(
            this,
            [this, number = job->number] {
                if (current_ && current_->number == number) return deliver();
                const auto old = std::find_if(cancelled_.begin(), cancelled_.end(),
                                              [number](const JobPtr& other) { return other->number == number; });
                if (old == cancelled_.end()) return;  // delivered by finish()
                (*old)->thread.join();
                cancelled_.erase(old);
            },
            Qt::QueuedConnection);
        job->finished.notify_all();
    });
}

void Loader::set_aside() {
    patience_->stop();
    look_->stop();
    if (!current_) return;
    current_->cancel.cancel();
    cancelled_.push_back(std::exchange(current_, nullptr));
}

void Loader::cancel() {
    if (!current_) return;
    set_aside();
    emit ended();
}

void Loader::deliver() {
    const JobPtr job = std::exchange(current_, nullptr);
    job->thread.join();
    patience_->stop();
    look_->stop();
    emit ended();
    job->done(std::move(*job->result));  // may load the next one
}

bool Loader::finish(std::chrono::milliseconds limit) {
    if (!current_) return true;
    {
        std::unique_lock lock(current_->mutex);
        if (!current_->finished.wait_for(lock, limit, [this] { return current_->result.has_value(); })) return false;
    }
    deliver();
    return true;
}

}  // namespace scalescope::ui
