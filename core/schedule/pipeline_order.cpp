// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/pipeline_order.hpp"

#include <algorithm>
#include <limits>

namespace scalescope {
namespace {

/// Micro-batch and stage of the `k`-th forward pass of a device, or backward pass, which takes the chunks from the end.
WorkItem nth_pass(const PipelineShape& shape, int device, WorkPhase phase, std::int64_t k) {
    const std::int64_t in_group = shape.group * shape.chunks, first = k / in_group * shape.group,
                       size = std::min(shape.group, shape.micro_batches - first), within = k - first * shape.chunks;
    int chunk = static_cast<int>(within / size);
    if (phase == WorkPhase::backward) chunk = shape.chunks - 1 - chunk;
    return {phase, chunk * shape.devices + device, first + within % size};
}

}  // namespace

std::string why_not(PipelineOrder order, const PipelineShape& shape) {
    const auto text = [](std::int64_t n) { return std::to_string(n); };
    if (order != PipelineOrder::interleaved)
        return shape.chunks == 1 ? "" : "only the interleaved schedule has several stages on a device";
    const std::int64_t left = shape.micro_batches % shape.group;
    if (shape.group < shape.devices || shape.group > shape.micro_batches || (left != 0 && left < shape.devices))
        return "interleaved stages on " + text(shape.devices) +
               " devices need micro-batches in groups of at least as "
               "many: " +
               text(shape.micro_batches) + " do not divide into groups of " + text(shape.group);
    return "";
}

void list_items(PipelineOrder order, const PipelineShape& shape, int device, std::vector<WorkItem>& items) {
    const std::int64_t count = shape.micro_batches * shape.chunks, behind = shape.devices - 1 - device;
    const bool split = splits_backward(order);
    // Forward passes before the first backward, and by how many micro-batches weight gradients lag behind.
    std::int64_t warm_up = behind, lag = 0;
    switch (order) {
        case PipelineOrder::fill_drain: warm_up = count; break;
        case PipelineOrder::one_f_one_b: break;
        case PipelineOrder::interleaved: warm_up = 2 * behind + (shape.chunks - 1) * shape.group; break;
        case PipelineOrder::zero_bubble:
            warm_up = behind + 1;
            lag = device;
            break;
        case PipelineOrder::zero_bubble_h2:
            warm_up = 2 * behind + 1;
            lag = 2 * device;
            break;
    }
    warm_up = std::min(warm_up, count);
    items.clear();
    std::int64_t forward = 0, backward = 0, weights = 0;
    while (forward < warm_up) items.push_back(nth_pass(shape, device, WorkPhase::forward, forward++));
    while (backward < count) {
        if (!split && forward < count) items.push_back(nth_pass(shape, device, WorkPhase::forward, forward++));
        items.push_back(nth_pass(shape, device, WorkPhase::backward, backward++));
        if (!split) continue;
        if (backward > weights + lag) items.push_back({WorkPhase::weights, device, weights++});
        if (forward < count) items.push_back(nth_pass(shape, device, WorkPhase::forward, forward++));
    }
    while (split && weights < count) items.push_back({WorkPhase::weights, device, weights++});
}

PipelineRun run_pipeline(PipelineOrder order, const PipelineShape& shape, const StageTimes& times) {
    const auto devices = static_cast<std::size_t>(shape.devices), stages = static_cast<std::size_t>(shape.stages()),
               batches = static_cast<std::size_t>(shape.micro_batches);
    const bool split = splits_backward(order);
    constexpr double not_yet = -1;
    // When the input of each pass is there, by stage and micro-batch.
    std::vector<double> forward_in(stages * batches, not_yet), backward_in(stages * batches, not_yet);
    std::fill_n(forward_in.begin(), batches, 0.0);
    const double message = shape.devices > 1 ? times.message : 0;
    std::vector<std::vector<WorkItem>> lists(devices);
    std::vector<std::size_t> next(devices, 0);
    std::vector<std::int64_t> held(devices, 0);
    PipelineRun run;
    run.devices.resize(devices);
    for (std::size_t d = 0; d < devices; ++d) list_items(order, shape, static_cast<int>(d), lists[d]);
    const auto work = [&](std::size_t d, const WorkItem& item) {
        const auto k = static_cast<std::size_t>(item.stage),
                   at = k * batches + static_cast<std::size_t>(item.micro_batch);
        DeviceRun& device = run.devices[d];
        double length = 0, input = 0;
        switch (item.phase) {
            case WorkPhase::forward: length = times.forward[k], input = forward_in[at]; break;
            case WorkPhase::backward:
                length = times.backward[k] + (split ? 0.0 : times.weights[k]), input = backward_in[at];
                break;
            case WorkPhase::weights: length = times.weights[k]; break;
        }
        if (input == not_yet) return false;
        const double start = std::max(device.end, input), end = start + length;
        if (next[d] == 0) device.start = start;
        device.end = end;
        device.busy += length;
        if (item.phase == WorkPhase::forward) {
            if (k + 1 < stages)
                forward_in[at + batches] = end + message;
            else
                backward_in[at] = end;
            device.most_held = std::max(device.most_held, ++held[d]);
        } else if (item.phase == WorkPhase::backward && k > 0) {
            backward_in[at - batches] = end + message;
        }
        if (item.phase == (split ? WorkPhase::weights : WorkPhase::backward)) --held[d];
        return true;
    };
    for (bool moved = true; moved;) {
        moved = false;
        for (std::size_t d = 0; d < devices; ++d)
            for (; next[d] < lists[d].size() && work(d, lists[d][next[d]]); ++next[d]) moved = true;
    }
    for (std::size_t d = 0; d < devices; ++d) {
        // A list that waits for itself: no shape that can run has one.
        if (next[d] < lists[d].size()) run.makespan = Seconds{std::numeric_limits<double>::infinity()};
        run.makespan = std::max(run.makespan, Seconds{run.devices[d].end});
    }
    return run;
}

}  // namespace scalescope
