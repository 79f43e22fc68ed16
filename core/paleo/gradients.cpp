// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/paleo/gradients.hpp"

#include <algorithm>
#include <cmath>

namespace scalescope::paleo {

namespace {

double half_rounded_down(double x) { return std::floor(x / 2.0); }

/// One axis of a gradient's stand-in: the extent of the output gradient with the stride's holes, and the padding.
struct Axis {
    double extent = 0;
    double pad = 0;
};

Axis stand_in_axis(double h, double k, double stride, double out, double pad, Era era) {
    Axis axis;
    axis.extent = (out - 1) * stride + 1;
    const double before = k - 1 - pad;
    const double after = h + k - 1 - axis.extent - before;
    if (era == Era::head) {
        if (std::abs(before - after) == 1) axis.extent += 1;
        axis.pad = std::min(before, after);
    } else {
        if (before == after - 1) axis.extent += 1;
        axis.pad = before;
    }
    return axis;
}

double share_of_holes(const Axis& y, const Axis& x, const Convolution& own) {
    return (y.extent * x.extent - own.oh * own.ow) / y.extent / x.extent;
}

struct Axes {
    Axis y, x;
};

Axes axes_of(const Layer& layer, const Convolution& own, Era era) {
    const auto sy = static_cast<double>(layer.strides[1]);
    const auto sx = static_cast<double>(layer.strides[2]);
    return {stand_in_axis(own.h, own.kh, sy, own.oh, own.ph, era),
            stand_in_axis(own.w, own.kw, sx, own.ow, own.pw, era)};
}

}  // namespace

Convolution own_convolution(const Layer& layer, Era era) {
    const bool transposed = layer.kind == LayerType::deconvolution;
    const Shape& image = transposed ? layer.output : layer.input;
    const Shape& result = transposed ? layer.input : layer.output;
    const auto number = [](std::int64_t i) { return static_cast<double>(i); };
    Convolution c;
    c.n = 1;
    c.h = number(image[1]), c.w = number(image[2]), c.in = number(image[3]);
    c.kh = number(layer.filter[0]), c.kw = number(layer.filter[1]), c.out = number(layer.filter[3]);
    c.ph = number(layer.pad[0]), c.pw = number(layer.pad[1]);
    c.oh = number(result[1]), c.ow = number(result[2]);
    if (era == Era::paper && layer.padding == Padding::same) {
        // The first commit took the input for the output here: wrong for strides above 1.
        c.ph = half_rounded_down((c.h - 1) * number(layer.strides[1]) + c.kh - c.h);
        c.pw = half_rounded_down((c.w - 1) * number(layer.strides[2]) + c.kw - c.w);
    }
    return c;
}

StandIn data_gradient_of(const Layer& layer, const Convolution& own, Era era) {
    const auto [y, x] = axes_of(layer, own, era);
    StandIn s;
    auto& c = s.convolution;
    c.n = own.n, c.h = y.extent, c.w = x.extent, c.in = own.out;
    c.kh = own.kh, c.kw = own.kw, c.out = own.in;
    c.ph = y.pad, c.pw = x.pad;
    c.oh = own.h, c.ow = own.w;
    s.holes = share_of_holes(y, x, own);
    s.is_exact = y.extent + 2 * y.pad - c.kh + 1 == own.h && x.extent + 2 * x.pad - c.kw + 1 == own.w;
    return s;
}

StandIn filter_gradient_of(const Layer& layer, const Convolution& own, Era era) {
    const auto [y, x] = axes_of(layer, own, era);
    StandIn s;
    auto& c = s.convolution;
    c.n = own.in, c.h = own.h, c.w = own.w, c.in = own.n;
    c.kh = y.extent, c.kw = x.extent, c.out = own.out;
    if (era == Era::paper) {
        c.ph = own.ph, c.pw = own.pw;
    } else if (layer.padding != Padding::valid) {
        c.ph = y.pad, c.pw = x.pad;
    }
    c.oh = own.kh, c.ow = own.kw;
    c.batch_is_in = true;
    s.holes = share_of_holes(y, x, own);
    s.is_exact = c.h + 2 * c.ph - c.kh + 1 == own.kh && c.w + 2 * c.pw - c.kw + 1 == own.kw;
    return s;
}

StandIn deconvolution_filter_gradient(const StandIn& forward) {
    const auto& f = forward.convolution;
    StandIn s;
    auto& c = s.convolution;
    c.n = f.in, c.h = f.h, c.w = f.w, c.in = f.n;
    c.kh = f.oh, c.kw = f.ow, c.out = f.out;
    c.ph = f.ph, c.pw = f.pw;
    c.oh = f.kh, c.ow = f.kw;
    c.batch_is_in = true;
    s.holes = forward.holes;
    s.is_exact = forward.is_exact;
    return s;
}

}  // namespace scalescope::paleo
