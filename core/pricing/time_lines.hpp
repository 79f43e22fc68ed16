// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <vector>

#include "core/pricing/pass_times.hpp"

namespace scalescope {

/// Times of layers as straight lines over the samples, for pricing many points of one plan. Where arithmetic and memory
/// traffic add up and convolutions are matrix products, a layer's time for `b` samples, with the share `o` of its
/// outputs and `i` of its inputs, is (out·o + in·i)·b + weights·o + launch. Backward includes the forward passes that
/// it runs once more. Elsewhere a time is a maximum or a choice,
/// no line: then this is empty, and price_passes is asked instead.
class TimeLines {
public:
    TimeLines() = default;
    TimeLines(const Work& work, const DeviceRates& rates);

    explicit operator bool() const { return !launch_.empty(); }
    /// Forward and backward of the layers [from, to), whole, in constant time.
    PassTotals totals(int from, int to, double samples) const {
        const auto a = static_cast<std::size_t>(from), b = static_cast<std::size_t>(to);
        const auto between = [&](const std::vector<Line>& sums) {
            return (sums[b].slope - sums[a].slope) * samples + (sums[b].start - sums[a].start);
        };
        const double grad_input = between(grad_input_), backward = between(backward_),
                     recompute = recompute_.empty() ? 0.0 : between(recompute_);
        return {between(forward_), grad_input, backward - grad_input - recompute, recompute};
    }
    /// All passes of the layers [0, to), whole.
    double until(int to, double samples) const {
        const auto k = static_cast<std::size_t>(to);
        return (forward_[k].slope + backward_[k].slope) * samples + (forward_[k].start + backward_[k].start);
    }
    /// Of one sample more.
    double slope_until(int to) const {
        const auto k = static_cast<std::size_t>(to);
        return forward_[k].slope + backward_[k].slope;
    }
    double backward_until(int to, double samples) const { return backward_[static_cast<std::size_t>(to)].at(samples); }
    /// All passes of one layer.
    double layer(int l, double samples, double in, double out) const {
        const auto k = static_cast<std::size_t>(l);
        return (out_[k] * out + in_[k] * in) * samples + weights_[k] * out + launch_[k];
    }
    /// The same as a line: seconds of each sample, and of none.
    double layer_slope(int l, double in, double out) const {
        const auto k = static_cast<std::size_t>(l);
        return out_[k] * out + in_[k] * in;
    }
    double layer_start(int l, double out) const {
        const auto k = static_cast<std::size_t>(l);
        return weights_[k] * out + launch_[k];
    }
    /// Backward of each of the layers [from, to), whole.
    void fill_backward(int from, int to, double samples, std::span<double> seconds) const;

private:
    struct Line {
        double slope = 0, start = 0;
        double at(double samples) const { return slope * samples + start; }
    };
    std::vector<double> out_, in_, weights_, launch_;          ///< all passes, by layer
    std::vector<double> backward_slope_, backward_start_;      ///< by layer
    std::vector<Line> forward_{}, backward_{}, grad_input_{};  ///< of all layers before this one
    std::vector<Line> recompute_{};                            ///< the same, part of backward_; empty: of none
};

}  // namespace scalescope
