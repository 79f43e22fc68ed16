// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/live.hpp"

#include <QElapsedTimer>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace scalescope::ui {
namespace {

Result<std::shared_ptr<const Plan>> plan_for(const Scenario& scenario, const LiveMemory& memory) {
    if (memory.plan && memory.curves.same_plan(scenario)) {
        auto moved = std::make_shared<Plan>(*memory.plan);  // the last answer keeps its own
        if (auto done = move_plan(*moved, scenario); !done) return tl::unexpected(done.error());
        return std::shared_ptr<const Plan>(std::move(moved));
    }
    auto plan = prepare(scenario);
    if (!plan) return tl::unexpected(plan.error());
    return std::make_shared<const Plan>(std::move(*plan));
}

}  // namespace

LiveResultPtr answer(const LiveRequest& request) {
    LiveMemory memory;
    return answer(request, memory);
}

LiveResultPtr answer(const LiveRequest& request, LiveMemory& memory) {
    QElapsedTimer timer;
    timer.start();
    auto result = std::make_shared<LiveResult>();
    result->request = request;
    result->evidence = evidence_of(request.scenario);
    if (request.paleo) result->paleo = paleo_path(request.scenario, *request.paleo);
    const std::int64_t now = request.scenario.cluster.workers, last = std::max(request.last_workers, now);
    constexpr std::int64_t many = 1024;  // beyond, a point more shows nothing
    const auto counts = worker_counts(last, now, request.dragging || last > many ? 96 : 320);
    result->pins = memory.pins.answer(request.pins, counts);
    const auto shared = plan_for(request.scenario, memory);
    if (!shared) {
        result->estimate = fail(shared.error());
        return result;
    }
    result->plan = memory.plan = *shared;
    const Plan& plan = *memory.plan;
    Scratch scratch = make_scratch(plan);
    result->estimate = estimate(request.scenario, plan, scratch);
    if (result->estimate && !request.dragging) result->band = calibrated_band(request.scenario, *result->estimate);
    const auto specs = curve_specs(request.scenario, request.curve_set, request.ways);
    result->shown = shown_curve(request.scenario, specs);
    result->curves = memory.curves.make(request.scenario, memory.plan, specs, counts, scratch);
    if (result->shown >= 0)
        for (const CurvePoint& p : result->curves[static_cast<std::size_t>(result->shown)].points)
            if ((p.workers & (p.workers - 1)) == 0 || p.workers == request.scenario.cluster.workers)
                result->steps.push_back(p);
    result->milliseconds = static_cast<double>(timer.nsecsElapsed()) / 1e6;
    return result;
}

struct Live::Worker {
    std::mutex mutex;
    std::condition_variable wake, done;
    std::optional<LiveRequest> next;
    LiveResultPtr latest;
    bool busy = false, quit = false, announced = false;
    Live* owner = nullptr;
    std::thread thread;

    void run() {
        LiveMemory memory;
        std::unique_lock lock(mutex);
        while (true) {
            wake.wait(lock, [&] { return quit || next.has_value(); });
            if (quit) return;
            LiveRequest request = std::move(*next);
            next.reset();
            busy = true;
            lock.unlock();
            LiveResultPtr result = answer(request, memory);
            lock.lock();
            busy = false;
            latest = std::move(result);
            if (!announced) {  // one event in the queue at most; it fetches whatever is newest then
                announced = true;
                emit owner->answered(QPrivateSignal());
            }
            done.notify_all();
        }
    }
};

Live::Live(QObject* parent) : QObject(parent), worker_(std::make_unique<Worker>()) {
    worker_->owner = this;
    // A connection, not a call that the thread makes: what Qt would keep of that could be seen by two threads at once.
    connect(this, &Live::answered, this, &Live::deliver, Qt::QueuedConnection);
    worker_->thread = std::thread([w = worker_.get()] { w->run(); });
}

Live::~Live() {
    {
        std::lock_guard lock(worker_->mutex);
        worker_->quit = true;
    }
    worker_->wake.notify_all();
    worker_->thread.join();
}

void Live::request(LiveRequest request) {
    request.number = ++asked_;
    {
        std::lock_guard lock(worker_->mutex);
        worker_->next = std::move(request);
    }
    worker_->wake.notify_all();
}

void Live::deliver() {
    LiveResultPtr result;
    {
        std::lock_guard lock(worker_->mutex);
        result = std::move(worker_->latest);
        worker_->latest = nullptr;
        worker_->announced = false;
    }
    if (!result || result->request.number <= delivered_) return;
    delivered_ = result->request.number;
    emit ready(result);
}

void Live::finish() {
    {
        std::unique_lock lock(worker_->mutex);
        worker_->done.wait(lock, [&] { return !worker_->next && !worker_->busy; });
    }
    deliver();
}

}  // namespace scalescope::ui
