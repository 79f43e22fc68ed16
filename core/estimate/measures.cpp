// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/measures.hpp"

#include <algorithm>

namespace scalescope {

Bound LayerMeasures::bound() const {
    const double longest = std::max({arithmetic.value, transfer.value, communication.value});
    if (!(longest > 0)) return Bound::none;
    return arithmetic.value == longest ? Bound::compute
           : transfer.value == longest ? Bound::memory
                                       : Bound::communication;
}

double LayerMeasures::bound_share() const {
    const double all = arithmetic.value + transfer.value + communication.value;
    return all > 0 ? std::max({arithmetic.value, transfer.value, communication.value}) / all : 0;
}

LayerMeasures& LayerMeasures::operator+=(const LayerMeasures& o) {
    forward = forward + o.forward;
    backward = backward + o.backward;
    update = update + o.update;
    communication = communication + o.communication;
    hidden = hidden + o.hidden;
    flops += o.flops;
    traffic = traffic + o.traffic;
    kept = kept + o.kept;
    parameters += o.parameters;
    arithmetic = arithmetic + o.arithmetic;
    transfer = transfer + o.transfer;
    return *this;
}

std::vector<LayerMeasures> measure_layers(const Plan& plan, const Estimate& estimate, int part) {
    const PlanPart& of = plan.parts[static_cast<std::size_t>(part)];
    std::vector<LayerMeasures> result(static_cast<std::size_t>(of.network->size()));
    for (const LayerEstimate& e : estimate.layers) {
        if (e.part != part) continue;
        const auto l = static_cast<std::size_t>(e.position);
        LayerMeasures& m = result[l];
        m.forward = e.forward;
        m.backward = e.backward();
        m.update = e.update;
        m.communication = e.communication;
        m.hidden = e.hidden;
        m.kept = e.kept;
        m.parameters = static_cast<double>(of.network->facts()[l].parameters()) * e.shares.weights;
        double bytes = 0, priced = 0;
        for (const PassWork& w : of.work.pass) {
            m.flops += w.flops[l] * e.shares.flops * e.samples * e.repeat;
            priced += w.priced[l] * e.shares.flops * e.samples * e.repeat;
            bytes += ((w.inputs[l] * e.shares.inputs + w.outputs[l] * e.shares.outputs) * e.samples +
                      w.weights[l] * e.shares.weights) *
                     e.repeat;
        }
        m.traffic = Bytes{bytes};
        m.arithmetic = Flops{priced} / plan.device.arithmetic;
        m.transfer = m.traffic / plan.device.memory_elsewhere();
    }
    return result;
}

LayerMeasures sum_over(const std::vector<LayerMeasures>& layers, const std::vector<int>& positions) {
    LayerMeasures sum;
    for (int p : positions)
        if (static_cast<std::size_t>(p) < layers.size()) sum += layers[static_cast<std::size_t>(p)];
    return sum;
}

}  // namespace scalescope
