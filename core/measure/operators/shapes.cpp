// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/operators/shapes.hpp"

#include <initializer_list>

namespace scalescope::operators {
namespace {

/// Elements of a tensor as large as a shape may ask for; times stay far from where doubles lose integers.
constexpr double most_elements = 1e15;

bool fits(std::initializer_list<std::int64_t> dimensions) {
    double product = 1.0;
    for (const std::int64_t d : dimensions) {
        if (d < 1) return false;
        product *= static_cast<double>(d);
    }
    return product <= most_elements;
}

}  // namespace

bool usable(const Matmul& s) {
    return fits({s.batch, s.m, s.n}) && fits({s.batch, s.m, s.k}) && fits({s.batch, s.k, s.n});
}

bool usable(const Convolution& s) {
    if (!fits({s.batch, s.channels, s.height, s.width}) ||
        !fits({s.filters, s.channels, s.kernel_height, s.kernel_width}) ||
        !fits({s.stride_height, s.stride_width, s.groups}) || s.padding_height < 0 || s.padding_width < 0 ||
        s.padding_height > s.kernel_height * 64 || s.padding_width > s.kernel_width * 64)
        return false;
    if (s.channels % s.groups != 0 || s.filters % s.groups != 0) return false;
    // The rows of the product, before it multiplies them: much padding makes more outputs than there are inputs.
    return fits({s.batch, s.out_height(), s.out_width()}) && usable(product_of(s, Pass::forward));
}

bool usable(const Elementwise& s) { return fits({s.read}) && fits({s.written}); }

Matmul product_of(const Matmul& s, Pass pass) {
    switch (pass) {
        case Pass::forward: return s;
        case Pass::input_gradient: return {s.m, s.k, s.n, s.batch};
        case Pass::weight_gradient: return {s.k, s.n, s.m, s.batch};
    }
    return s;
}

Matmul product_of(const Convolution& s, Pass pass) {
    return product_of(Matmul{s.batch * s.out_height() * s.out_width(), s.filters / s.groups,
                             s.channels / s.groups * s.kernel_height * s.kernel_width, s.groups},
                      pass);
}

}  // namespace scalescope::operators
