// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <memory>
#include <optional>
#include <vector>

#include "core/estimate/calibrated_band.hpp"
#include "core/estimate/curves.hpp"
#include "core/estimate/paleo_method.hpp"
#include "core/scenario/calibrated.hpp"
#include "ui/live/pinned.hpp"

namespace scalescope::ui {

/// What the window asks for: a scenario, and how it wants to look at it.
struct LiveRequest {
    Scenario scenario;
    int lineage = 0;  ///< of its network: another number, another network and no edited one
    Pins pins{};      ///< designs to be shown beside it
    CurveSet curve_set = CurveSet::ways;
    std::vector<Way> ways{};             ///< to divide the work, for the curves of that set
    std::int64_t last_workers = 1024;    ///< right end of the charts over worker counts
    std::optional<PaleoQuestion> paleo;  ///< set if PALEO prices the step and its chart is open
    bool rates = true;                   ///< may take the place of speedups; a lesson speaks of those
    bool dragging = false;               ///< fewer points while the hand moves, refined at rest
};

/// The answer: one immutable object that every chart and panel reads.
struct LiveResult {
    LiveRequest request;
    std::shared_ptr<const Plan> plan;
    Result<Estimate> estimate = Estimate{};
    ScenarioEvidence evidence;
    std::optional<TimeBand> band;   ///< of the step, if it is calibrated; at rest, not while dragging
    std::vector<Curve> curves;      ///< for the speedup chart
    int shown = -1;                 ///< the scenario's own among them
    std::vector<CurvePoint> steps;  ///< for the step chart: powers of two and the current count
    PinAnswers pins;                ///< in the order of the request's
    std::optional<Result<PaleoPath>> paleo;
    bool rough = false;       ///< curves with few points; a result with all points follows
    double milliseconds = 0;  ///< spent computing
};
using LiveResultPtr = std::shared_ptr<const LiveResult>;

/// Whether one worker cannot hold the design and any number of them can, so that rates are shown instead of speedups
/// over it, from the smallest count that fits, and ways at one count instead of one way at all counts.
bool shows_rates(const LiveResult& result);
/// "Does not fit: needs 1.31 TB of 80 GB"; empty for a design that can run.
QString cannot_run_text(const Scenario& scenario, const Result<Estimate>& estimate);

/// What one request leaves for the next: a drag changes one field, and most of the answer stays.
struct LiveMemory {
    std::shared_ptr<const Plan> plan;  ///< of the scenario that `curves` had last
    KeptCurves curves;
    KeptPins pins;
};

/// Computes the result of a request on the calling thread. `memory` speeds it up but changes only the number of points
/// during a drag. In a `hurry`, the result is rough if its points would take longer than a frame. Null if cancelled.
LiveResultPtr answer(const LiveRequest& request, LiveMemory& memory, bool hurry = false,
                     const CancelToken& cancel = {});
LiveResultPtr answer(const LiveRequest& request);

/// Computes off the GUI thread: the newest request wins, there is never a backlog, and an answer nobody has fetched yet
/// is replaced by the next one. If a request takes longer than a frame, a rough answer comes first.
class Live : public QObject {
    Q_OBJECT
public:
    explicit Live(QObject* parent = nullptr);
    ~Live() override;

    /// Replaces whatever was waiting.
    void request(LiveRequest request);
    /// Blocks until the newest request is answered and delivered, and those that this leads to (for rendering without a
    /// window, and tests).
    void finish();

signals:
    void ready(const scalescope::ui::LiveResultPtr& result);
    void answered(QPrivateSignal);  ///< by the other thread

private:
    struct Worker;
    std::unique_ptr<Worker> worker_;
    void deliver();
};

}  // namespace scalescope::ui
