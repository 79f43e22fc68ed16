// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/compare/key_values.hpp"

#include <cmath>

#include "core/base/sequences.hpp"
#include "core/estimate/goodput.hpp"
#include "core/estimate/utilization.hpp"
#include "core/scenario/hardware.hpp"

namespace scalescope::compare {
namespace {

/// Half of what one decimal of a percentage can show.
constexpr double invisible = 0.0005;

}  // namespace

std::vector<KeyValue> key_values(const Scenario& s, const Estimate& e) {
    std::vector<KeyValue> all;
    const auto add = [&](std::string_view id, double value, Wanted wanted, bool share = false) {
        all.push_back({id, value, wanted, share});
    };
    add("step", e.summary.step.value, Wanted::less);
    add("throughput", e.throughput.value, Wanted::more);
    const auto used = utilization_of(s, e);
    const bool tokens = used && used->tokens_per_second > 0;
    if (tokens) add("tokens", used->tokens_per_second, Wanted::more);
    if (tokens && used->model) add("mfu", used->model->value, Wanted::more, true);
    if (tokens) add("flops", used->each_device.value, Wanted::more);
    add("speedup", e.speedup, Wanted::more);
    add("efficiency", e.efficiency, Wanted::more, true);
    add("forward", e.summary.forward.value, Wanted::less);
    add("backward", e.summary.backward.value, Wanted::less);
    add("update", e.summary.update.value, Wanted::less);
    add("communication", e.summary.communication.value, Wanted::less);
    add("hidden", e.summary.hidden.value, Wanted::neither);
    add("idle", e.summary.idle.value, Wanted::less);
    if (e.cpu) {
        add("replicas", static_cast<double>(e.cpu->configuration.replicas), Wanted::neither);
        add("machines", static_cast<double>(all_machines(s)), Wanted::neither);
        if (!e.cpu->configuration.synchronous) add("cpu_staleness", e.cpu->staleness, Wanted::less);
    }
    if (e.servers) {
        add("staleness", e.servers->state.staleness, Wanted::less);
        add("knee", e.servers->state.knee, Wanted::more);
        add("statistical_cost", e.servers->statistical_cost, Wanted::less);
    }
    add("memory", e.memory.peak.value, Wanted::less);
    add("epoch", e.epoch.value, Wanted::less);
    if (e.epoch_cost) add("cost", *e.epoch_cost, Wanted::less);
    if (tokens) add("token_time", used->trillion_tokens->value, Wanted::less);
    if (tokens && used->trillion_tokens_cost) add("token_cost", *used->trillion_tokens_cost, Wanted::less);
    if (const auto goodput = goodput_of(s, e)) {
        add("goodput", goodput->trains.value, Wanted::more, true);
        add("checkpoint_interval", goodput->interval.value, Wanted::neither);
    }
    return all;
}

const KeyValue* find_value(const std::vector<KeyValue>& values, std::string_view id) {
    return find_by(values, id, &KeyValue::id);
}

ValueChange change_of(const KeyValue& now, const KeyValue& then) {
    ValueChange change;
    change.absolute = now.value - then.value;
    if (then.value != 0) change.relative = change.absolute / std::abs(then.value);
    const double seen = now.share ? change.absolute : change.relative.value_or(change.absolute == 0 ? 0 : 1);
    if (std::abs(seen) < invisible) return change;
    const bool more = change.absolute > 0;
    change.verdict = now.wanted == Wanted::neither          ? Verdict::neither
                     : more == (now.wanted == Wanted::more) ? Verdict::better
                                                            : Verdict::worse;
    return change;
}

}  // namespace scalescope::compare
