// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/pricing/time_lines.hpp"

namespace scalescope {

TimeLines::TimeLines(const Work& work, const DeviceRates& rates) {
    const bool shaped = (rates.products || rates.attention) && !work.products.empty();
    if (rates.overlap_memory || rates.convolution != ConvolutionAlgorithm::gemm || shaped) return;
    const auto n = static_cast<std::size_t>(work.layers);
    const double per_flop = 1.0 / rates.arithmetic.value, per_byte = rates.traffic / rates.memory.value;
    for (auto* v : {&out_, &in_, &weights_, &launch_, &backward_slope_, &backward_start_}) v->assign(n, 0.0);
    for (auto* v : {&forward_, &backward_, &grad_input_}) v->resize(n + 1);
    if (!work.again.empty()) recompute_.resize(n + 1);
    for (std::size_t l = 0; l < n; ++l) {
        Line line[3], again;
        const auto count = [&](const PassWork& w) {
            const double out = w.priced[l] * per_flop + w.outputs[l] * per_byte, in = w.inputs[l] * per_byte,
                         weights = w.weights[l] * per_byte, launch = w.active[l] * rates.launch.value;
            out_[l] += out;
            in_[l] += in;
            weights_[l] += weights;
            launch_[l] += launch;
            return Line{out + in, weights + launch};
        };
        for (std::size_t p = 0; p < 3; ++p) {
            line[p] = count(work.pass[p]);
            if (p == 0 && !work.again.empty() && work.again[l].any())
                again = count(work.again[l].all ? work.pass[0] : work.part);
        }
        backward_slope_[l] = line[1].slope + line[2].slope + again.slope;
        backward_start_[l] = line[1].start + line[2].start + again.start;
        const auto add = [&](std::vector<Line>& sums, const Line& x) {
            sums[l + 1] = {sums[l].slope + x.slope, sums[l].start + x.start};
        };
        add(forward_, line[0]);
        add(grad_input_, line[1]);
        add(backward_, {backward_slope_[l], backward_start_[l]});
        if (!recompute_.empty()) add(recompute_, again);
    }
}

void TimeLines::fill_backward(int from, int to, double samples, std::span<double> seconds) const {
    for (auto l = static_cast<std::size_t>(from); l < static_cast<std::size_t>(to); ++l)
        seconds[l] = backward_slope_[l] * samples + backward_start_[l];
}

}  // namespace scalescope
