// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <array>
#include <optional>
#include <vector>

#include "core/scenario/hardware.hpp"
#include "core/units/units.hpp"

/// What the charts are fed with: plain values, so that a chart knows neither networks nor estimates. Equal data given
/// twice draws nothing.
namespace scalescope::ui {

/// What a worker does with its time, in the order bars are stacked. Exchange stands on the pass it belongs to.
enum class Part {
    forward,
    forward_exchange,
    backward,
    backward_exchange,
    update,
    update_exchange,
    communication,
    idle
};
inline constexpr std::array<Part, 8> all_parts{
    Part::forward, Part::forward_exchange, Part::backward,      Part::backward_exchange,
    Part::update,  Part::update_exchange,  Part::communication, Part::idle};
constexpr bool is_exchange(Part p) {
    return p == Part::forward_exchange || p == Part::backward_exchange || p == Part::update_exchange;
}

enum class Marker { disc, square, triangle, diamond };

/// The time of one bar. `communication` is what is exposed; `hidden` runs behind the computation and is shown hatched,
/// never added.
struct TimeParts {
    Seconds forward{}, backward{}, update{}, communication{}, idle{}, hidden{};
    Seconds forward_exchange{}, backward_exchange{}, update_exchange{};  ///< where it is told pass by pass

    constexpr Seconds operator[](Part part) const {
        switch (part) {
            case Part::forward: return forward;
            case Part::backward: return backward;
            case Part::update: return update;
            case Part::communication: return communication;
            case Part::idle: return idle;
            case Part::forward_exchange: return forward_exchange;
            case Part::backward_exchange: return backward_exchange;
            case Part::update_exchange: return update_exchange;
        }
        return {};
    }
    constexpr Seconds exchange() const { return forward_exchange + backward_exchange + update_exchange; }
    constexpr Seconds total() const { return forward + backward + update + communication + idle + exchange(); }
    constexpr TimeParts& operator+=(const TimeParts& o) {
        forward += o.forward, backward += o.backward, update += o.update;
        communication += o.communication, idle += o.idle, hidden += o.hidden;
        forward_exchange += o.forward_exchange, backward_exchange += o.backward_exchange;
        update_exchange += o.update_exchange;
        return *this;
    }
    bool operator==(const TimeParts&) const = default;
};

/// A pinned scenario beside bars: one total per bar, in the order of the bars; nothing where it has none.
struct BarPin {
    QString name;
    std::vector<std::optional<Seconds>> totals;
    std::vector<bool> misfits{};  ///< bars whose step does not fit into memory; empty: all fit
    std::optional<Seconds> total(std::size_t bar) const { return bar < totals.size() ? totals[bar] : std::nullopt; }
    bool misfit(std::size_t bar) const { return bar < misfits.size() && misfits[bar]; }
    bool operator==(const BarPin&) const = default;
};

/// Which optional parts the scenario has at all: they take room in the legend and beside the bars even while zero, so
/// that nothing jumps while a hand drags.
struct BarParts {
    bool hidden = false;  ///< communication may run behind the computation
    bool idle = false;
    bool exchanges = false;  ///< communication is told pass by pass
    bool operator==(const BarParts&) const = default;
};

/// A bar over layers: of one, or of several that are shown as one.
struct LayerTime {
    int id = 0;      ///< stable id of the layer, as selections use it; of several, the one that stands for them
    QString name;    ///< "Mixed_5b/Branch_0/conv", "Q, K, V"
    QString detail;  ///< "conv 3×3, 192": second line of the tooltip, may be empty
    TimeParts time;
    QString block{};            ///< "Block × 80"; empty: what stands before the first '/' of the name
    QString path{};             ///< of a box of the drawing: names it there
    std::vector<int> layers{};  ///< ids of all of them; empty: `id` alone
    bool operator==(const LayerTime&) const = default;
};

struct LayerTimeData {
    std::vector<LayerTime> layers;  ///< in network order
    bool last_valid = false;        ///< the drawn network is not valid; these are the layers of the last valid one
    Seconds step{};                 ///< time of the whole step, of which layers are shares
    BarParts parts;
    std::vector<BarPin> pins;  ///< at most four: A to D
    QString title;             ///< what the bars are, where they are not layers; empty: "Time per layer"
    WorkerWords words;         ///< on one of which the times are
    QString unit_of;           ///< of what they are else: "for one sample on one thread"
    QString whole;             ///< of what the layers are shares; empty: the step
    QString empty_reason;      ///< shown when there are no layers
    bool operator==(const LayerTimeData&) const = default;
};

struct StepTime {
    int workers = 1;
    TimeParts time;
    QString reason;    ///< not empty: this count cannot be run, and why
    bool fits = true;  ///< the step, into memory
    bool operator==(const StepTime&) const = default;
};

struct StepTimeData {
    std::vector<StepTime> bars;  ///< any order; the count shown is among them
    int current = 0;             ///< workers of the scenario shown
    BarParts parts;
    std::vector<BarPin> pins;
    WorkerWords words;  ///< of what the counts are
    QString empty_reason;
    bool operator==(const StepTimeData&) const = default;
};

struct SpeedupPoint {
    int workers = 1;
    double speedup = 0.0;  ///< NaN where the count cannot be run
    QString reason;        ///< why not
    bool fits = true;      ///< the step, into memory
    bool operator==(const SpeedupPoint& o) const {
        // A gap equals a gap, although NaN does not equal NaN.
        return workers == o.workers && reason == o.reason && fits == o.fits &&
               (speedup == o.speedup || (speedup != speedup && o.speedup != o.speedup));
    }
};

/// Look of the curve of the best meshes: the colour of text, which no way has.
inline constexpr int best_look = -1;

struct SpeedupCurve {
    QString name;
    std::vector<SpeedupPoint> points;  ///< rising worker counts
    int look = 0;                      ///< colour and marker: of the way, whichever others are shown
    bool operator==(const SpeedupCurve&) const = default;
};

struct FittedPoint {
    double workers = 1.0, speedup = 1.0;
    double low = 0.0, high = 0.0;  ///< 90 % band; both 0 without one
    bool extrapolated = false;     ///< beyond what was measured
    bool operator==(const FittedPoint&) const = default;
};

/// What a model fitted to measured runs says, beside what the analytical one does.
struct FittedCurve {
    QString name;
    std::vector<FittedPoint> points;    ///< rising worker counts
    std::vector<FittedPoint> measured;  ///< the runs themselves, without bands
    bool operator==(const FittedCurve&) const = default;
};

/// What is shown where one worker cannot hold the design, so that a speedup over it would mean nothing: rates.
struct RateAxis {
    QString unit, key;      ///< "tokens/s", and in the name of a column "tokens_per_s"
    int first = 1;          ///< left end of the chart
    int fits_from = 1;      ///< the first count at which any way fits
    double per_worker = 1;  ///< of the ideal line
    QString nothing_fits;   ///< said below that count
    bool operator==(const RateAxis&) const = default;
};

struct SpeedupData {
    std::optional<RateAxis> rate;  ///< the curves tell rates, not speedups
    std::vector<SpeedupCurve> curves;
    int shown = 0;    ///< the curve of the scenario: drawn thick, read by the crosshair
    int current = 1;  ///< workers of the scenario
    int max_workers = 1024;
    WorkerWords words;  ///< of what the counts are
    QString caption;    ///< "workers (log) · 1× = one worker, 128 images per worker"
    std::vector<SpeedupCurve> pins;
    std::optional<FittedCurve> fitted;
    QString empty_reason;
    bool operator==(const SpeedupData&) const = default;
};

/// What is told in another unit than time.
struct Quantity {
    QString name;          ///< "Throughput"
    QString unit, suffix;  ///< of the numbers given: "samples/s", and in the name of a column "samples_per_s"
    bool larger_is_better = false;
    bool operator==(const Quantity&) const = default;
};

struct WaterfallStep {
    QString name;
    double change = 0.0;  ///< signed
    QString detail;       ///< tooltip: what the step does
    QString id;           ///< what signals carry; empty: it leads nowhere
    bool operator==(const WaterfallStep&) const = default;
};

struct WaterfallData {
    QString start_name;
    double start = 0.0;
    std::vector<WaterfallStep> steps;
    QString end_name;
    double end = 0.0;
    bool start_fits = true, end_fits = true;  ///< the steps of the designs at both ends, into memory
    std::optional<Quantity> quantity;         ///< what the numbers are; nothing: times in seconds
    QString title;                            ///< empty: that of the chart stays
    QString foot;                             ///< what sums it up, below the rows
    QString empty_reason;
    bool operator==(const WaterfallData&) const = default;
};

enum class BoxKind { forward, recomputation, backward, weight_gradients, update, communication, hidden, idle };

struct TimelineBox {
    int row = 0;
    Seconds start{}, length{};
    QString label;
    BoxKind kind = BoxKind::forward;
    int layer = -1;         ///< layer to select on a click, -1 for none
    bool on_chain = false;  ///< part of the longest chain of passes and messages that wait for each other
    int micro_batch = -1;   ///< of a pipeline, from 0; -1: none or all
    bool operator==(const TimelineBox&) const = default;
};

struct TimelineData {
    std::vector<QString> rows;
    std::vector<TimelineBox> boxes;
    Seconds length{};     ///< of the whole step
    QString hidden_name;  ///< what BoxKind::hidden is here; empty: "Hidden"
    QString empty_reason;
    bool operator==(const TimelineData&) const = default;
};

}  // namespace scalescope::ui
