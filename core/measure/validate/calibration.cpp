// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/validate/validate.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/estimate/estimate.hpp"

namespace scalescope::measure {

namespace {

bool same_series(const PublishedRow& a, const PublishedRow& b) {
    return a.source == b.source && a.framework == b.framework && a.network == b.network && a.device == b.device &&
           a.precision == b.precision && a.metric == b.metric && a.unit == b.unit;
}

std::ptrdiff_t common_phrases(const std::vector<std::string>& a, const std::vector<std::string>& b) {
    return std::count_if(a.begin(), a.end(),
                         [&](const std::string& phrase) { return std::find(b.begin(), b.end(), phrase) != b.end(); });
}

}  // namespace

std::optional<std::size_t> one_worker_row(const std::vector<PublishedRow>& rows, std::size_t row) {
    const PublishedRow& r = rows[row];
    const auto phrases = phrases_of(r.notes);
    std::optional<std::size_t> best;
    std::tuple<std::ptrdiff_t, double, int> least;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const PublishedRow& one = rows[i];
        if (one.workers != 1 || i == row || !one.wrong.empty() || one.file != r.file || !same_series(one, r)) continue;
        if (one.batch_per_worker == 0 || r.batch_per_worker == 0) continue;
        const double ratio = static_cast<double>(one.batch_per_worker) / static_cast<double>(r.batch_per_worker);
        const std::tuple<std::ptrdiff_t, double, int> distance{-common_phrases(phrases, phrases_of(one.notes)),
                                                               std::abs(std::log(ratio)), std::abs(one.line - r.line)};
        if (!best || distance < least) {
            best = i;
            least = distance;
        }
    }
    return best;
}

Result<double> predicted_value(const ResolvedRow& resolved, const Scenario& scenario) {
    const auto e = estimate(scenario, Remedies::left_out);
    if (!e) return fail(e.error());
    return figure_of(resolved.measured, scenario, *e);
}

Scenario scaled_speed(Scenario scenario, double factor) {
    Device& device = scenario.cluster.device;
    bool faster = false;
    // Where nobody set a share, the device is scaled: what has a share of its own keeps it.
    const auto scale = [&](Fraction& share, auto scale_device) {
        const double scaled = share.value * factor;
        if (share.value > 0) share = Fraction{std::min(1.0, scaled)};
        if (share.value == 0 || scaled > 1) scale_device(Fraction{share.value == 0 ? factor : scaled});
        faster = faster || scaled > 1 || (share.value == 0 && factor > 1);
    };
    scale(scenario.model.compute, [&](Fraction by) {
        for (auto& peak : device.peak)
            if (peak) peak = *peak * by;
    });
    scale(scenario.model.memory, [&](Fraction by) { device.memory_bandwidth = device.memory_bandwidth * by; });
    if (faster) device.name += " (faster than its data sheet)";
    return scenario;
}

Result<double> fitted_speed(const PublishedRow& row, const ResolvedRow& resolved, const Scenario& scenario) {
    // log(predicted/measured) against log(factor): secant steps; the first guess is exact where all time is work.
    if (is_memory(resolved.measured.metric)) return fail(make_error("Memory says nothing of speed.", {}));
    const double direction = is_rate(resolved.measured.metric) ? 1.0 : -1.0;
    const auto miss = [&](double log_factor) -> Result<double> {
        const auto value = predicted_value(resolved, scaled_speed(scenario, std::exp(log_factor)));
        if (!value) return fail(value.error());
        return direction * std::log(*value / row.value);
    };
    double before = 0.0;
    auto miss_before = miss(before);
    if (!miss_before) return fail(miss_before.error());
    double now = before - *miss_before;
    for (int i = 0; i < 60; ++i) {
        const auto miss_now = miss(now);
        if (!miss_now) return fail(miss_now.error());
        if (std::abs(*miss_now) < 1e-10) return std::exp(now);
        const double slope = (*miss_now - *miss_before) / (now - before);
        if (!(slope > 1e-6)) break;
        const double next = now - *miss_now / slope;
        before = now;
        miss_before = miss_now;
        now = std::clamp(next, before - 3.0, before + 3.0);
    }
    return fail(make_error("No speed of the device gives what one worker measured.", {}));
}

std::string configuration_key(const PublishedRow& row) {
    std::string key;
    for (const std::string* text : {&row.file, &row.source, &row.framework, &row.network, &row.device,
                                    &row.interconnect, &row.precision, &row.recompute, &row.notes})
        key += *text + '\n';
    for (const std::int64_t count :
         {row.workers, row.devices_per_node, row.batch_per_worker, row.accumulation, row.batch_global, row.micro_batch,
          row.tensor, row.pipeline, row.replicas, row.interleave, row.sequence, row.layers, row.hidden, row.heads,
          row.kv_heads, row.feed_forward, row.vocabulary})
        key += std::to_string(count) + ' ';
    return key;
}

std::string split_key(const PublishedRow& row) {
    return row.source + '\n' + row.framework + '\n' + row.device + '\n' + row.precision + '\n' + row.metric;
}

}  // namespace scalescope::measure
