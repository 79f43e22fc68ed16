// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/pipeline_order.hpp"

#include <algorithm>
#include <limits>

namespace scalescope {

bool can_run(PipelineOrder order, const PipelineShape& shape) {
    if (order != PipelineOrder::interleaved) return shape.chunks == 1 || has_chunks(order);
    const std::int64_t left = shape.micro_batches % shape.group;
    return shape.group >= shape.devices && shape.group <= shape.micro_batches && (left == 0 || left >= shape.devices);
}

WorkList::WorkList(PipelineOrder order, const PipelineShape& shape, int device)
    : shape_(shape),
      device_(device),
      split_(splits_backward(order)),
      count_(shape.micro_batches * shape.chunks),
      turn_(split_ ? Turn::backward : Turn::forward_first) {
    const std::int64_t behind = shape.devices - 1 - device;
    warm_up_ = behind;
    switch (order) {
        case PipelineOrder::fill_drain: warm_up_ = count_; break;
        case PipelineOrder::one_f_one_b: break;
        case PipelineOrder::interleaved: warm_up_ = 2 * behind + (shape.chunks - 1) * shape.group; break;
        case PipelineOrder::breadth_first:
            warm_up_ = count_;
            shape_.group = shape.micro_batches;
            break;
        case PipelineOrder::zero_bubble:
            warm_up_ = behind + 1;
            lag_ = device;
            break;
        case PipelineOrder::zero_bubble_h2:
            warm_up_ = 2 * behind + 1;
            lag_ = 2 * device;
            break;
    }
    warm_up_ = std::min(warm_up_, count_);
    pop();
}

WorkItem WorkList::nth_pass(WorkPhase phase, std::int64_t k) const {
    if (shape_.chunks == 1) return {phase, device_, k};  // divisions are slow
    const std::int64_t in_group = shape_.group * shape_.chunks, first = k / in_group * shape_.group,
                       size = std::min(shape_.group, shape_.micro_batches - first), within = k - first * shape_.chunks;
    int chunk = static_cast<int>(within / size);
    if (phase == WorkPhase::backward) chunk = shape_.chunks - 1 - chunk;
    return {phase, chunk * shape_.devices + device_, first + within % size};
}

void WorkList::pop() {
    const auto forward = [&] { front_ = nth_pass(WorkPhase::forward, forward_++); };
    if (forward_ < warm_up_) return forward();
    while (backward_ < count_ || turn_ != (split_ ? Turn::backward : Turn::forward_first)) switch (turn_) {
            case Turn::forward_first:
                turn_ = Turn::backward;
                if (forward_ < count_) return forward();
                break;
            case Turn::backward:
                turn_ = split_ ? Turn::weights : Turn::forward_first;
                front_ = nth_pass(WorkPhase::backward, backward_++);
                return;
            case Turn::weights:
                turn_ = Turn::forward_after;
                if (backward_ <= weights_ + lag_) break;
                front_ = {WorkPhase::weights, device_, weights_++};
                return;
            case Turn::forward_after:
                turn_ = Turn::backward;
                if (forward_ < count_) return forward();
                break;
        }
    if (split_ && weights_ < count_)
        front_ = {WorkPhase::weights, device_, weights_++};
    else
        done_ = true;
}

namespace {

/// One run. `pieces` is a template parameter because most runs record no pieces, which halves their time.
template <bool pieces>
class Runner {
public:
    Runner(PipelineOrder order, const PipelineShape& shape, const StageTimes& times, PipelineRun& run)
        : shape_(shape),
          times_(times),
          run_(run),
          split_(splits_backward(order)),
          devices_(static_cast<std::size_t>(shape.devices)),
          stages_(static_cast<std::size_t>(shape.stages())),
          batches_(static_cast<std::size_t>(shape.micro_batches)) {
        run.makespan = run.makespan_of_work = Seconds{0};
        run.devices.assign(devices_, {});
        run.done.assign(stages_, 0.0);
        run.in_flight.assign(stages_, 0);
        run.pieces.clear();
        run.states.assign(devices_, {});
        run.arrived.assign(stages_ * batches_, {});
        run.sets.assign(stages_, 0);
        run.awake.assign(devices_, 1);
        std::fill_n(run.arrived.begin(), batches_, PipelineRun::Arrival{0, 0, -1});
        run.lists.clear();
        for (std::size_t d = 0; d < devices_; ++d) run.lists.emplace_back(order, shape, static_cast<int>(d));
    }

    void go() {
        for (bool moved = true; moved;) {
            moved = false;
            for (std::size_t d = awake_from(0); d < devices_; d = awake_from(d + 1)) {
                run_.awake[d] = 0;
                for (WorkList& list = run_.lists[d]; !list.done() && work(d, list.front()); list.pop()) moved = true;
            }
        }
        for (std::size_t d = 0; d < devices_; ++d) {
            // A list that waits for itself: no shape that can run has one.
            if (!run_.lists[d].done())
                run_.makespan = run_.makespan_of_work = Seconds{std::numeric_limits<double>::infinity()};
            run_.makespan = std::max(run_.makespan, Seconds{run_.devices[d].end});
            run_.makespan_of_work = std::max(run_.makespan_of_work, Seconds{run_.states[d].end_of_work});
        }
    }

private:
    const PipelineShape& shape_;
    const StageTimes& times_;
    PipelineRun& run_;
    bool split_;
    std::size_t devices_, stages_, batches_;

    /// Waiting devices are passed over until a message reaches them: there may be a thousand.
    std::size_t awake_from(std::size_t d) const {
        const auto begin = run_.awake.begin();
        return static_cast<std::size_t>(std::find(begin + static_cast<std::ptrdiff_t>(d), run_.awake.end(), 1) - begin);
    }
    void wake(std::size_t stage) { run_.awake[stage < devices_ ? stage : stage % devices_] = 1; }

    static double of(std::span<const double> by_stage, std::size_t k) { return by_stage.empty() ? 0.0 : by_stage[k]; }

    int tell(PieceKind kind, std::size_t stage, const WorkItem& item, double start, double length, int waits_for) {
        if constexpr (!pieces) return -1;
        run_.pieces.push_back({kind, static_cast<int>(stage), item.micro_batch, start, length, waits_for});
        return static_cast<int>(run_.pieces.size()) - 1;
    }

    /// Over the link of device `d`; `free` and `before` are when the link is, and whose message keeps it.
    PipelineRun::Arrival send(PieceKind kind, std::size_t stage, const WorkItem& item, double at, int sender,
                              double of_work, double length, double& free, int& before) {
        if (length <= 0) return {at, of_work, sender};
        const bool queues = times_.one_at_a_time && free > at;
        const double start = queues ? free : at;
        free = start + length;
        before = tell(kind, stage, item, start, length, queues ? before : sender);
        return {free, of_work, before};
    }

    /// Whether the input of `item` is there, so that the device could work on it.
    bool work(std::size_t d, const WorkItem& item) {
        const auto k = static_cast<std::size_t>(item.stage),
                   at = k * batches_ + static_cast<std::size_t>(item.micro_batch);
        PipelineRun::Device& device = run_.devices[d];
        PipelineRun::State& state = run_.states[d];
        double length = 0;
        PipelineRun::Arrival input{0, 0, -1};
        PieceKind kind = PieceKind::forward;
        switch (item.phase) {
            case WorkPhase::forward: length = times_.forward[k], input = run_.arrived[at]; break;
            case WorkPhase::backward:
                kind = PieceKind::backward;
                length = times_.backward[k] + (split_ ? 0.0 : of(times_.weights, k)), input = run_.arrived[at];
                break;
            case WorkPhase::weights: kind = PieceKind::weights, length = of(times_.weights, k); break;
        }
        if (input.at < 0) return false;
        const bool waits = input.at > device.end;
        const double start = waits ? input.at : device.end, end = start + length;
        if (!state.started) device.start = start;
        state.started = true;
        const int piece = tell(kind, k, item, start, length, waits ? input.piece : state.last);
        state.last = piece;
        device.end = end;
        const double of_work = std::max(input.of_work, state.end_of_work) + length;
        state.end_of_work = of_work;
        device.busy += length;
        const bool last_of_set = item.phase == (split_ ? WorkPhase::weights : WorkPhase::backward);
        if (item.phase == WorkPhase::forward) {
            if (k + 1 < stages_) {
                run_.arrived[at].at = -1;
                run_.arrived[at + batches_] = send(PieceKind::activation, k, item, end, piece, of_work,
                                                   of(times_.activation, k), state.forward_link, state.forward_message);
                wake(k + 1);
            } else {
                run_.arrived[at] = {end, of_work, piece};
            }
            ++run_.sets[k];
            state.held += times_.held.empty() ? 1.0 : times_.held[k];
            if (state.held > device.most_held) {
                device.most_held = state.held;
                for (std::size_t s = d; s < stages_; s += devices_) run_.in_flight[s] = run_.sets[s];
            }
        } else if (item.phase == WorkPhase::backward && k > 0) {
            run_.arrived[at - batches_] = send(PieceKind::gradient, k - 1, item, end, piece, of_work,
                                               of(times_.gradient, k - 1), state.backward_link, state.backward_message);
            wake(k - 1);
        }
        if (last_of_set) {
            --run_.sets[k];
            state.held -= times_.held.empty() ? 1.0 : times_.held[k];
            run_.done[k] = end;
        }
        return true;
    }
};

}  // namespace

void run_pipeline(PipelineOrder order, const PipelineShape& shape, const StageTimes& times, bool tell_pieces,
                  PipelineRun& run) {
    if (tell_pieces)
        Runner<true>(order, shape, times, run).go();
    else
        Runner<false>(order, shape, times, run).go();
}

void least_in_flight(PipelineOrder order, const PipelineShape& shape, std::vector<std::int64_t>& sets,
                     std::vector<std::int64_t>& in_flight) {
    sets.assign(static_cast<std::size_t>(shape.stages()), 0);
    in_flight = sets;
    // A device holds most right before its first backward pass, or after a forward pass behind that. Which stages the
    // sets belong to then repeats with the groups.
    const std::int64_t all = shape.micro_batches * shape.chunks, period = shape.chunks == 1 ? 0
                                                                          : shape.micro_batches % shape.group == 0
                                                                              ? shape.group * shape.chunks
                                                                              : all;
    for (int d = 0; d < shape.devices; ++d) {
        bool began = false;
        std::int64_t behind = 0;
        for (WorkList list(order, shape, d); !list.done() && (!began || behind < period); list.pop()) {
            const auto at = static_cast<std::size_t>(list.front().stage);
            const bool forward = list.front().phase == WorkPhase::forward;
            if (forward) ++sets[at];
            if (forward && began) ++behind;
            for (auto i = static_cast<std::size_t>(d); i < sets.size(); i += static_cast<std::size_t>(shape.devices))
                if (!began)
                    in_flight[i] = sets[i];
                else if (forward)
                    in_flight[i] = std::min(in_flight[i], sets[i]);
            if (forward) continue;
            began = true;
            if (list.front().phase == (splits_backward(order) ? WorkPhase::weights : WorkPhase::backward)) --sets[at];
        }
    }
}

std::vector<int> pieces_of_chain(std::span<const PipelinePiece> pieces) {
    std::vector<int> chain;
    int last = -1;
    for (int i = 0; i < static_cast<int>(pieces.size()); ++i)
        if (last < 0 || pieces[static_cast<std::size_t>(i)].end() > pieces[static_cast<std::size_t>(last)].end())
            last = i;
    for (; last >= 0; last = pieces[static_cast<std::size_t>(last)].waits_for) chain.push_back(last);
    return chain;
}

PipelineChain longest_chain(std::span<const PipelinePiece> pieces, int stages) {
    PipelineChain chain;
    for (auto& kind : chain) kind.assign(static_cast<std::size_t>(stages), 0);
    for (const int at : pieces_of_chain(pieces)) {
        const PipelinePiece& piece = pieces[static_cast<std::size_t>(at)];
        ++chain[static_cast<std::size_t>(piece.kind)][static_cast<std::size_t>(piece.stage)];
    }
    return chain;
}

FillDrain fill_drain(const Pipeline& pipeline, std::int64_t micro_batches) {
    const double more = static_cast<double>(micro_batches - 1);
    double work = 0, waiting = 0, transfers = 0;
    auto direction = [&](std::span<const double> stages, std::span<const double> links) {
        double slowest = 0, slowest_link = 0, sum = 0;
        for (double t : stages) {
            work += t;
            slowest = std::max(slowest, t);
        }
        for (double t : links) {
            sum += t;
            slowest_link = std::max(slowest_link, t);
        }
        work += more * slowest;
        const double exposed = sum + more * std::max(0.0, slowest_link - slowest),
                     all = sum * static_cast<double>(micro_batches);
        waiting += exposed;
        transfers += all;
        return exposed < all ? exposed / all : 1.0;
    };
    const double forward = direction(pipeline.forward, pipeline.activation);
    const double backward = direction(pipeline.backward, pipeline.gradient);
    return {Seconds{work + waiting}, Seconds{waiting}, Seconds{transfers}, forward, backward};
}

}  // namespace scalescope
