// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/transfer/tables.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/format.hpp"
#include "core/base/sequences.hpp"

namespace scalescope::transfer {

namespace {

void add_to(ClassTimes& times, const kineto::Digest& digest, const kineto::Operation& operation, Seconds time) {
    if (operation.step == kineto::unknown || digest.steps.empty()) return;
    times[static_cast<std::size_t>(operation.cls)][static_cast<std::size_t>(operation.phase)] +=
        time / static_cast<double>(digest.steps.size());
}

}  // namespace

ClassTimes class_times(const kineto::Digest& digest) {
    ClassTimes times{};
    for (const auto& operation : digest.operations)
        add_to(times, digest, operation, Seconds{static_cast<double>(operation.kernel_time) * 1e-9});
    return times;
}

ClassTimes class_times(const kineto::Digest& digest, const Prediction& prediction) {
    ClassTimes times{};
    for (const auto& predicted : prediction.operations)
        add_to(times, digest, digest.operations[predicted.operation], predicted.predicted);
    return times;
}

Communication communication_of(const kineto::Digest& digest) {
    Communication mean;
    const double each = 1e-9 / static_cast<double>(std::max<std::size_t>(1, digest.steps.size()));
    for (const kineto::Step& s : digest.steps) {
        mean.total += Seconds{static_cast<double>(s.communication_time) * each};
        mean.overlapped += Seconds{static_cast<double>(s.overlapped) * each};
        mean.exposed += Seconds{static_cast<double>(s.exposed) * each};
    }
    return mean;
}

double steps_per_dollar(Seconds step, double dollars_per_hour) {
    const double dollars = step.value * dollars_per_hour / 3600.0;
    return dollars > 0.0 ? 1.0 / dollars : 0.0;
}

namespace {

double shown_ms(Seconds t) { return in_milliseconds(t); }
double shown_ms(std::int64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1e6; }

std::string_view word_of(ShapeSource source) { return one_of(source, "", "recorded", "aligned"); }

}  // namespace

std::string rules_of(const std::array<Times, rules>& by_rule) {
    const double all = total(by_rule).predicted.value;
    std::string text;
    for (std::size_t r = 0; r < rules; ++r) {
        if (by_rule[r].measured.value <= 0.0) continue;
        const double share = all > 0.0 ? 100.0 * by_rule[r].predicted.value / all : 0.0;
        text += (text.empty() ? "" : ", ") + std::string(name_of(static_cast<Rule>(r))) + ' ' +
                (share >= 0.5 ? std::to_string(std::lround(share)) : std::string("<1")) + " %";
    }
    return text;
}

std::string evidence_of(const PredictedOperation& p) {
    switch (p.rule) {
        case Rule::measured: return "the same GPU";
        case Rule::network: return "ratio of a trained network's times on both GPUs";
        case Rule::corrected_model:
            return "corrected on " + format_count(static_cast<std::int64_t>(p.points)) + " points" +
                   (p.inside ? "" : ", outside of what was measured");
        case Rule::operator_model:
            return p.carried > 0.0 ? "ratio of the model's times on both GPUs"
                                   : "the model's time there: other units multiply";
        case Rule::wave_scaling: return "kernel by kernel, by the GPUs' bandwidths and waves";
        case Rule::unscaled: return "as measured: no processor there holds a block";
    }
    return {};
}

FigureTable recorded_table(const kineto::Digest& digest) {
    FigureTable table;
    table.columns = {"step",       "kernels",           "kernel_ms", "nccl_kernels", "nccl_ms",  "overlap_ms",
                     "exposed_ms", "memory_operations", "memory_ms", "idle_ms",      "device_ms"};
    for (const kineto::Step& s : digest.steps)
        table.rows.push_back({s.name, static_cast<std::int64_t>(s.kernels), shown_ms(s.kernel_time),
                              static_cast<std::int64_t>(s.communication_kernels), shown_ms(s.communication_time),
                              shown_ms(s.overlapped), shown_ms(s.exposed),
                              static_cast<std::int64_t>(s.memory_operations), shown_ms(s.memory_time), shown_ms(s.idle),
                              shown_ms(s.device.length)});
    return table;
}

FigureTable summary_header() {
    FigureTable table;
    table.columns = {"from", "to", "part", "name", "measured_ms", "predicted_ms", "speedup", "rules"};
    return table;
}

void add_summary(FigureTable& table, const kineto::Digest& digest, const Gpu& from, const Gpu& to,
                 const Prediction& prediction) {
    const auto row = [&](const char* part, std::string name, const Times& t, std::string by) {
        TableCell speedup;
        if (t.predicted.value > 0.0) speedup = t.measured / t.predicted;
        table.rows.push_back({from.device.id, to.device.id, std::string(part), std::move(name), shown_ms(t.measured),
                              shown_ms(t.predicted), std::move(speedup), std::move(by)});
    };
    for (std::size_t i = 0; i < prediction.steps.size(); ++i)
        row("step", digest.steps[i].name, prediction.steps[i], {});
    row("mean step", "without NCCL", prediction.step, rules_of(prediction.by_rule));
    if (const Communication c = communication_of(digest)) {
        // NCCL's kernels wait for other GPUs, so that no figure of this one says how long they take there.
        const auto kept = [&](const char* name, Seconds time) {
            row("communication", name, {time, time}, "as measured");
        };
        kept("NCCL", c.total);
        kept("overlapped", c.overlapped);
        kept("exposed", c.exposed);
    }
    for (std::size_t p = 0; p < kineto::phases; ++p)
        if (prediction.by_phase[p].measured.value > 0.0)
            row("phase", std::string(name_of(static_cast<kineto::Phase>(p))), prediction.by_phase[p], {});
    for (std::size_t c = 0; c < kineto::work_classes; ++c)
        if (const auto t = total(prediction.by_class[c]); t.measured.value > 0.0)
            row("class", std::string(name_of(static_cast<kineto::WorkClass>(c))), t, rules_of(prediction.by_class[c]));
    for (std::size_t r = 0; r < rules; ++r)
        if (prediction.by_rule[r].measured.value > 0.0)
            row("rule", std::string(name_of(static_cast<Rule>(r))), prediction.by_rule[r], {});
}

FigureTable operations_header() {
    FigureTable table;
    table.columns = {"to",          "step",          "phase",          "class",       "operator",
                     "layer",       "shape",         "shape_from",     "kernels",     "rule",
                     "evidence",    "measured_with", "predicted_with", "measured_ms", "predicted_ms",
                     "not_runnable"};
    return table;
}

void add_operations(FigureTable& table, const kineto::Trace& trace, const kineto::Digest& digest,
                    const std::vector<Work>& works, const Gpu& to, const Prediction& prediction) {
    for (const PredictedOperation& p : prediction.operations)
        table.rows.push_back(operation_row(trace, digest, works, to, p));
}

std::vector<TableCell> operation_row(const kineto::Trace& trace, const kineto::Digest& digest,
                                     const std::vector<Work>& works, const Gpu& to, const PredictedOperation& p) {
    const kineto::Operation& o = digest.operations[p.operation];
    const Work& work = works[p.operation];
    return {to.device.id,
            digest.steps[static_cast<std::size_t>(o.step)].name,
            std::string(name_of(o.phase)),
            std::string(name_of(o.cls)),
            trace.name(o.name),
            work.layer,
            text_of(work),
            std::string(word_of(work.source)),
            static_cast<std::int64_t>(o.kernels),
            std::string(name_of(p.rule)),
            evidence_of(p),
            std::string(name_of(p.here)),
            std::string(name_of(p.there)),
            shown_ms(p.measured),
            shown_ms(p.predicted),
            static_cast<std::int64_t>(p.not_runnable)};
}

}  // namespace scalescope::transfer
