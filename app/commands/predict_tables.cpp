// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/predict_tables.hpp"

#include <cmath>

namespace scalescope::app {

namespace {

double shown_ms(Seconds t) { return in_milliseconds(t); }
double shown_ms(std::int64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1e6; }

/// "operator model 97 %, wave scaling 3 %": of the predicted time.
std::string rules_of(const std::array<transfer::Times, transfer::rules>& by_rule) {
    const double all = total(by_rule).predicted.value;
    std::string text;
    for (std::size_t r = 0; r < transfer::rules; ++r) {
        if (by_rule[r].measured.value <= 0.0) continue;
        const double share = all > 0.0 ? 100.0 * by_rule[r].predicted.value / all : 0.0;
        text += (text.empty() ? "" : ", ") + std::string(name_of(static_cast<transfer::Rule>(r))) + ' ' +
                (share >= 0.5 ? std::to_string(std::lround(share)) : std::string("<1")) + " %";
    }
    return text;
}

std::string_view word_of(transfer::ShapeSource source) {
    switch (source) {
        case transfer::ShapeSource::recorded: return "recorded";
        case transfer::ShapeSource::aligned: return "aligned";
        case transfer::ShapeSource::none: break;
    }
    return {};
}

}  // namespace

Table recorded_table(const kineto::Digest& digest) {
    Table table;
    table.columns = {"step",       "kernels",           "kernel_ms", "nccl_kernels", "nccl_ms",
                     "overlap_ms", "memory_operations", "memory_ms", "idle_ms",      "device_ms"};
    for (const kineto::Step& s : digest.steps)
        table.rows.push_back({s.name, static_cast<std::int64_t>(s.kernels), shown_ms(s.kernel_time),
                              static_cast<std::int64_t>(s.communication_kernels), shown_ms(s.communication_time),
                              shown_ms(s.overlapped), static_cast<std::int64_t>(s.memory_operations),
                              shown_ms(s.memory_time), shown_ms(s.idle), shown_ms(s.device.length)});
    return table;
}

Table summary_header() {
    Table table;
    table.columns = {"from", "to", "part", "name", "measured_ms", "predicted_ms", "speedup", "rules"};
    return table;
}

void add_summary(Table& table, const kineto::Digest& digest, const transfer::Gpu& from, const transfer::Gpu& to,
                 const transfer::Prediction& prediction) {
    const auto row = [&](const char* part, std::string name, const transfer::Times& t, std::string rules) {
        Cell speedup;
        if (t.predicted.value > 0.0) speedup = t.measured / t.predicted;
        table.rows.push_back({from.device.id, to.device.id, std::string(part), std::move(name), shown_ms(t.measured),
                              shown_ms(t.predicted), std::move(speedup), std::move(rules)});
    };
    for (std::size_t i = 0; i < prediction.steps.size(); ++i)
        row("step", digest.steps[i].name, prediction.steps[i], {});
    row("mean step", "without NCCL", prediction.step, rules_of(prediction.by_rule));
    for (std::size_t p = 0; p < kineto::phases; ++p)
        if (prediction.by_phase[p].measured.value > 0.0)
            row("phase", std::string(name_of(static_cast<kineto::Phase>(p))), prediction.by_phase[p], {});
    for (std::size_t c = 0; c < kineto::work_classes; ++c)
        if (const auto t = total(prediction.by_class[c]); t.measured.value > 0.0)
            row("class", std::string(name_of(static_cast<kineto::WorkClass>(c))), t, rules_of(prediction.by_class[c]));
    for (std::size_t r = 0; r < transfer::rules; ++r)
        if (prediction.by_rule[r].measured.value > 0.0)
            row("rule", std::string(name_of(static_cast<transfer::Rule>(r))), prediction.by_rule[r], {});
}

Table operations_header() {
    Table table;
    table.columns = {"to",          "step",         "phase",       "class", "operator",      "layer",
                     "shape",       "shape_from",   "kernels",     "rule",  "measured_with", "predicted_with",
                     "measured_ms", "predicted_ms", "not_runnable"};
    return table;
}

void add_operations(Table& table, const kineto::Trace& trace, const kineto::Digest& digest,
                    const std::vector<transfer::Work>& works, const transfer::Gpu& to,
                    const transfer::Prediction& prediction) {
    for (const transfer::PredictedOperation& p : prediction.operations) {
        const kineto::Operation& o = digest.operations[p.operation];
        const transfer::Work& work = works[p.operation];
        table.rows.push_back({to.device.id, digest.steps[static_cast<std::size_t>(o.step)].name,
                              std::string(name_of(o.phase)), std::string(name_of(o.cls)), trace.name(o.name),
                              work.layer, text_of(work), std::string(word_of(work.source)),
                              static_cast<std::int64_t>(o.kernels), std::string(name_of(p.rule)),
                              std::string(name_of(p.here)), std::string(name_of(p.there)), shown_ms(p.measured),
                              shown_ms(p.predicted), static_cast<std::int64_t>(p.not_runnable)});
    }
}

}  // namespace scalescope::app
