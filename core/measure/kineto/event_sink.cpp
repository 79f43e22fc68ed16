// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/kineto/event_sink.hpp"

#include "core/base/format.hpp"
#include "core/base/limits.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace scalescope::kineto {

namespace {

enum class EventKind { none, cpu_operator, annotation, runtime, kernel, memory };

struct Category {
    std::string_view name;
    EventKind kind;
};

/// Names of today, and of recordings before 2022.
constexpr Category categories[] = {
    {"cpu_op", EventKind::cpu_operator},
    {"Operator", EventKind::cpu_operator},
    {"user_annotation", EventKind::annotation},
    {"cuda_runtime", EventKind::runtime},
    {"cuda_driver", EventKind::runtime},
    {"Runtime", EventKind::runtime},
    {"kernel", EventKind::kernel},
    {"Kernel", EventKind::kernel},
    {"gpu_memcpy", EventKind::memory},
    {"Memcpy", EventKind::memory},
    {"gpu_memset", EventKind::memory},
    {"Memset", EventKind::memory},
};

/// In nanoseconds. With as many events as a trace may have, no sum of them leaves 64 bits.
constexpr std::int64_t longest_kernel = 400'000'000'000, longest_span = 1'000'000'000'000'000'000;

/// What a table entry costs beside its text.
constexpr std::size_t entry_bytes = 128;

/// No launch is larger; what is, is broken.
constexpr std::int64_t most_registers = 65'535, most_shared = std::int64_t{1} << 40, most_in_grid = (1LL << 31) - 1;

std::array<std::int64_t, 3> kept(std::array<std::int64_t, 3> sizes) {
    for (auto& size : sizes) size = std::clamp<std::int64_t>(size, 0, most_in_grid);
    return sizes;
}

bool marks_step(const RawEvent& event) { return event.name.starts_with("ProfilerStep#"); }

EventKind kind_of(const RawEvent& event) {
    if (event.phase != "X") return EventKind::none;
    for (const Category& c : categories)
        if (c.name == event.category) {
            // Before 2022 annotations were operators.
            const bool marked = marks_step(event) || event.name.starts_with("Optimizer.");
            return c.kind == EventKind::cpu_operator && marked ? EventKind::annotation : c.kind;
        }
    return EventKind::none;
}

/// Whose inputs tell the shapes of its kernels' work.
bool shapes_matter(std::string_view name) {
    return name.find("conv") != std::string_view::npos || name.find("mm") != std::string_view::npos ||
           name.find("linear") != std::string_view::npos;
}

}  // namespace

void RawEvent::clear() {
    for (auto* text : {&phase, &category, &name, &process, &thread}) text->clear();
    begin.reset();
    length.reset();
    external_id = correlation = unknown;
    device = stream = registers = shared = 0;
    grid = block = {1, 1, 1};
    inputs.sizes.clear();
    inputs.values.clear();
}

std::optional<NameId> EventSink::name(std::string_view text) {
    key_ = text.substr(0, limits::name_bytes);
    if (const auto found = names_.find(key_); found != names_.end()) return found->second;
    text_bytes_ += 2 * key_.size() + entry_bytes;
    if (text_bytes_ > limits::trace_text_bytes) return std::nullopt;
    const auto id = static_cast<NameId>(trace_.names.size());
    trace_.names.push_back(key_);
    names_.emplace(key_, id);
    return id;
}

std::int64_t EventSink::inputs(const OperatorInputs& in) {
    key_.clear();
    for (const auto& sizes : in.sizes) {
        for (const auto size : sizes) key_ += std::to_string(size) + ',';
        key_ += ';';
    }
    for (const auto& value : in.values) key_ += value + '\n';
    if (const auto found = inputs_.find(key_); found != inputs_.end()) return found->second;
    text_bytes_ += 2 * key_.size() + (1 + in.sizes.size() + in.values.size()) * entry_bytes;
    if (text_bytes_ > limits::trace_text_bytes) return unknown;
    const auto id = static_cast<std::int64_t>(trace_.inputs.size());
    trace_.inputs.push_back(in);
    inputs_.emplace(key_, id);
    return id;
}

bool EventSink::keeps(std::string_view category) {
    return std::any_of(std::begin(categories), std::end(categories),
                       [&](const Category& c) { return c.name == category; });
}

bool EventSink::add(const RawEvent& event) {
    const EventKind kind = kind_of(event);
    if (kind == EventKind::none) return true;
    const bool on_device = kind == EventKind::kernel || kind == EventKind::memory;
    if (!event.begin || !event.length || *event.length < 0 || (on_device && *event.length > longest_kernel) ||
        *event.length > longest_span) {
        ++skipped_;
        return true;
    }
    if (++events_ > limits::trace_events || (on_device && ++device_events_ > limits::trace_device_events)) {
        problem_ = events_ > limits::trace_events
                       ? "The trace has more than " + format_count(limits::trace_events) + " events."
                       : "The trace has more than " + format_count(limits::trace_device_events) +
                             " kernels, copies and fills of GPUs.";
        return false;
    }
    if (kind == EventKind::annotation && marks_step(event) && ++steps_ > limits::trace_steps) {
        problem_ = "The trace has more than " + format_count(limits::trace_steps) + " marks of steps (ProfilerStep).";
        return false;
    }
    const auto id = name(event.name);
    const auto thread = name(event.process + '/' + event.thread);
    if (!id || !thread) {
        problem_ = "The different names of the trace take more than " + std::to_string(limits::trace_text_bytes >> 20) +
                   " MiB.";
        return false;
    }
    const Span span{*event.begin, *event.length};
    switch (kind) {
        case EventKind::none: break;
        case EventKind::cpu_operator:
        case EventKind::annotation: {
            CpuEvent e{*id, *thread, span, event.external_id, unknown};
            if (!event.inputs.sizes.empty() && shapes_matter(event.name)) e.inputs = inputs(event.inputs);
            (kind == EventKind::annotation ? trace_.annotations : trace_.operators).push_back(e);
            break;
        }
        case EventKind::runtime: trace_.calls.push_back({event.correlation, event.external_id, *thread, span}); break;
        case EventKind::kernel:
            trace_.kernels.push_back({*id, span, event.device, event.stream, event.correlation, event.external_id,
                                      kept(event.grid), kept(event.block),
                                      std::clamp<std::int64_t>(event.registers, 0, most_registers),
                                      std::clamp<std::int64_t>(event.shared, 0, most_shared)});
            break;
        case EventKind::memory:
            trace_.memory.push_back({*id, span, event.device, event.stream, event.correlation, event.external_id});
            break;
    }
    return true;
}

void EventSink::finish() {
    const auto by_thread = [](const CpuEvent& a, const CpuEvent& b) {
        return std::tuple(a.thread, a.span.begin, -a.span.length) < std::tuple(b.thread, b.span.begin, -b.span.length);
    };
    const auto by_begin = [](const auto& a, const auto& b) { return a.span.begin < b.span.begin; };
    std::ranges::stable_sort(trace_.operators, by_thread);
    std::ranges::stable_sort(trace_.annotations, by_thread);
    std::ranges::stable_sort(trace_.calls, {}, &RuntimeCall::correlation);
    std::ranges::stable_sort(trace_.kernels, by_begin);
    std::ranges::stable_sort(trace_.memory, by_begin);
}

}  // namespace scalescope::kineto
