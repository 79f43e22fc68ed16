// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/live.hpp"

#include <QElapsedTimer>
#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "core/base/format.hpp"
#include "core/estimate/memory.hpp"
#include "core/scenario/hardware.hpp"
#include "ui/language/told.hpp"

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

/// Number of curve points that can be computed within a frame. A point takes about 0.1 µs per layer. The limit is a
/// count rather than a time, so that equal requests have equal answers.
std::int64_t points_in_time(const Scenario& s) {
    constexpr std::int64_t layers_in_time = 60'000;
    std::int64_t layers = 1;
    for (const WorkloadPart& part : s.workload) layers += part.network ? part.network->size() : 0;
    return layers_in_time / layers;
}

/// Worker counts of the curves: `few` of them if a frame has no time for more.
std::vector<std::int64_t> counts_asked(const LiveRequest& request, bool few) {
    const std::int64_t now = request.scenario.cluster.workers, last = std::max(request.last_workers, now);
    constexpr std::int64_t many = 1024;  // beyond, more points make no visible difference
    return worker_counts(last, now, few ? 0 : request.dragging || last > many ? 96 : 320);
}

bool may_show_rates(const LiveRequest& r) { return r.rates && r.scenario.model.method == Method::pipeline; }

}  // namespace

bool shows_rates(const LiveResult& r) {
    if (!may_show_rates(r.request) || r.shown < 0) return false;
    if (r.curves[static_cast<std::size_t>(r.shown)].one_fits) return false;
    const auto fits = [](const CurvePoint& p) { return p.summary.feasible() && p.fits; };
    return std::any_of(r.curves.begin(), r.curves.end(),
                       [&](const Curve& c) { return std::any_of(c.points.begin(), c.points.end(), fits); });
}

QString cannot_run_text(const Scenario& s, const Result<Estimate>& estimate) {
    if (!estimate || fits_device(s, estimate->memory)) return {};
    return tr("Does not fit: needs %1 of %2")
        .arg(told(format_bytes(estimate->memory.peak)), told(format_bytes(*worker_memory(s))));
}

LiveResultPtr answer(const LiveRequest& request) {
    LiveMemory memory;
    return answer(request, memory);
}

LiveResultPtr answer(const LiveRequest& request, LiveMemory& memory, bool hurry, const CancelToken& cancel) {
    QElapsedTimer timer;
    timer.start();
    const Scenario& s = request.scenario;
    auto result = std::make_shared<LiveResult>();
    result->request = request;
    result->evidence = evidence_of(s);
    if (request.paleo) result->paleo = paleo_path(s, *request.paleo);
    const auto shared = plan_for(s, memory);
    auto counts = counts_asked(request, false);
    if (!shared) {
        result->pins = memory.pins.answer(request.pins, counts);
        result->estimate = fail(shared.error());
        return result;
    }
    const auto specs = curve_specs(s, request.curve_set, request.ways);
    // Rates of what does not fit are not shown.
    const Priced priced = may_show_rates(request) ? Priced::what_may_fit : Priced::all;
    if ((hurry || request.dragging) && memory.curves.unpriced(s, **shared, specs, counts, priced) > points_in_time(s)) {
        counts = counts_asked(request, true);
        result->rough = !request.dragging;
    }
    result->pins = memory.pins.answer(request.pins, counts);
    result->plan = memory.plan = *shared;
    const Plan& plan = *memory.plan;
    Scratch scratch = make_scratch(plan);
    result->estimate = estimate(s, plan, scratch);
    if (result->estimate && !request.dragging) result->band = calibrated_band(s, *result->estimate);
    result->shown = shown_curve(s, specs);
    result->curves = memory.curves.make(s, memory.plan, specs, counts, scratch, priced, cancel);
    if (cancel.cancelled()) return nullptr;
    if (result->shown >= 0)
        for (const CurvePoint& p : result->curves[static_cast<std::size_t>(result->shown)].points)
            if ((p.workers & (p.workers - 1)) == 0 || p.workers == s.cluster.workers) result->steps.push_back(p);
    result->milliseconds = static_cast<double>(timer.nsecsElapsed()) / 1e6;
    return result;
}

struct Live::Worker {
    std::mutex mutex;
    std::condition_variable wake, done;
    std::optional<LiveRequest> next;
    LiveResultPtr latest;
    CancelSource newer;  ///< cancels the running computation for a newer request
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
            newer = CancelSource();
            const CancelToken cancel = newer.token();
            busy = true;
            lock.unlock();
            LiveResultPtr result = answer(request, memory, true);
            lock.lock();
            if (result->rough) {
                publish(std::move(result));
                lock.unlock();
                result = answer(request, memory, false, cancel);
                lock.lock();
            }
            busy = false;
            if (result) publish(std::move(result));
            done.notify_all();
        }
    }
    void publish(LiveResultPtr result) {
        latest = std::move(result);
        if (!std::exchange(announced, true))  // at most one event in the queue; it delivers the newest result
            emit owner->answered(QPrivateSignal());
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
        worker_->newer.cancel();
    }
    worker_->wake.notify_all();
    worker_->thread.join();
}

void Live::request(LiveRequest request) {
    {
        std::lock_guard lock(worker_->mutex);
        worker_->next = std::move(request);
        worker_->newer.cancel();
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
    if (!result) return;
    emit ready(result);
}

void Live::finish() {
    Worker& w = *worker_;
    std::unique_lock lock(w.mutex);
    while (w.next || w.busy || w.latest) {
        w.done.wait(lock, [&] { return !w.next && !w.busy; });
        lock.unlock();
        deliver();  // who hears of it may ask again
        lock.lock();
    }
}

}  // namespace scalescope::ui
