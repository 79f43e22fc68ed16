// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/row_times.hpp"

#include <algorithm>
#include <utility>

namespace scalescope {
namespace {

std::vector<const LayerEstimate*> by_position(const Estimate& estimate, int part, int layers) {
    std::vector<const LayerEstimate*> result(static_cast<std::size_t>(layers));
    for (const LayerEstimate& e : estimate.layers)
        if (e.part == part) result[static_cast<std::size_t>(e.position)] = &e;
    return result;
}

}  // namespace

RowTimes::RowTimes(const Estimate& estimate, int part, int layers)
    : RowTimes(by_position(estimate, part, layers), estimate) {}

RowTimes::RowTimes(std::vector<const LayerEstimate*> layers, const Estimate& estimate)
    : layers_(std::move(layers)), devices_(std::max<std::size_t>(1, estimate.stages.size())) {}

RowTime RowTimes::of(std::span<const int> positions) const {
    std::vector<RowTime> devices(devices_);
    const auto layer = [&](int p) { return layers_[static_cast<std::size_t>(p)]; };
    int longest = -1;
    for (const int p : positions) {
        const LayerEstimate* e = layer(p);
        if (!e) continue;
        // Stages are dealt out in turn where a device has several.
        RowTime& sum = devices[static_cast<std::size_t>(std::max(0, e->stage)) % devices_];
        sum.devices = 1;
        sum.forward += e->forward;
        sum.backward += e->backward();
        sum.update += e->update;
        sum.communication += e->communication;
        sum.hidden += e->hidden;
        sum.kept += e->kept;
        if (longest < 0 || layer(longest)->total() < e->total()) longest = p;
    }
    const auto shorter = [](const RowTime& a, const RowTime& b) { return a.total() < b.total(); };
    RowTime busiest = *std::max_element(devices.begin(), devices.end(), shorter);
    busiest.longest = longest;
    busiest.devices =
        static_cast<int>(std::count_if(devices.begin(), devices.end(), [](const RowTime& d) { return d.devices > 0; }));
    return busiest;
}

RowWork row_work(const Network& network, const Work* work, std::span<const int> positions) {
    RowWork sum;
    for (const int position : positions) {
        const auto p = static_cast<std::size_t>(position);
        sum.parameters += network.facts()[p].parameters();
        if (work) sum.forward += Flops{work->pass[0].flops[p]};
    }
    return sum;
}

}  // namespace scalescope
