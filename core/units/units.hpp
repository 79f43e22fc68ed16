// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <compare>

/// Quantities that cannot be mixed up. Each holds a double in the unit its name says; arithmetic between them gives the
/// right type or does not compile. GB is 10^9 and GiB 2^30 bytes, Gb/s is bits: conversions are spelled out here only.
namespace scalescope {

template <class Tag>
struct Quantity {
    double value = 0.0;

    constexpr Quantity() = default;
    constexpr explicit Quantity(double v) : value(v) {}

    constexpr auto operator<=>(const Quantity&) const = default;
    constexpr Quantity& operator+=(Quantity o) {
        value += o.value;
        return *this;
    }
    constexpr Quantity& operator-=(Quantity o) {
        value -= o.value;
        return *this;
    }
    friend constexpr Quantity operator+(Quantity a, Quantity b) { return Quantity{a.value + b.value}; }
    friend constexpr Quantity operator-(Quantity a, Quantity b) { return Quantity{a.value - b.value}; }
    friend constexpr Quantity operator*(Quantity a, double s) { return Quantity{a.value * s}; }
    friend constexpr Quantity operator*(double s, Quantity a) { return Quantity{s * a.value}; }
    friend constexpr Quantity operator/(Quantity a, double s) { return Quantity{a.value / s}; }
    friend constexpr double operator/(Quantity a, Quantity b) { return a.value / b.value; }
};

using Seconds = Quantity<struct SecondsTag>;
using Hours = Quantity<struct HoursTag>;
using Bytes = Quantity<struct BytesTag>;
using Flops = Quantity<struct FlopsTag>;  ///< floating-point operations; a multiply-add is 2
using BytesPerSecond = Quantity<struct BytesPerSecondTag>;
using FlopsPerSecond = Quantity<struct FlopsPerSecondTag>;
using Samples = Quantity<struct SamplesTag>;
using SamplesPerSecond = Quantity<struct SamplesPerSecondTag>;
using Fraction = Quantity<struct FractionTag>;  ///< share of a whole: 1 is 100 %
using Weights = Quantity<struct WeightsTag>;    ///< a count of trainable parameters
using WeightsPerSecond = Quantity<struct WeightsPerSecondTag>;

constexpr Seconds operator/(Bytes b, BytesPerSecond r) { return Seconds{b.value / r.value}; }
constexpr Seconds operator/(Flops f, FlopsPerSecond r) { return Seconds{f.value / r.value}; }
constexpr SamplesPerSecond operator/(Samples n, Seconds t) { return SamplesPerSecond{n.value / t.value}; }
constexpr Seconds operator/(Samples n, SamplesPerSecond r) { return Seconds{n.value / r.value}; }
constexpr Seconds operator/(Weights n, WeightsPerSecond r) { return Seconds{n.value / r.value}; }
constexpr BytesPerSecond operator*(BytesPerSecond r, Fraction f) { return BytesPerSecond{r.value * f.value}; }
constexpr FlopsPerSecond operator*(FlopsPerSecond r, Fraction f) { return FlopsPerSecond{r.value * f.value}; }

constexpr Seconds milliseconds(double v) { return Seconds{v / 1e3}; }
constexpr Seconds microseconds(double v) { return Seconds{v / 1e6}; }
constexpr Seconds in_seconds(Hours h) { return Seconds{h.value * 3600}; }
constexpr double in_milliseconds(Seconds t) { return t.value * 1e3; }
constexpr BytesPerSecond gigabytes_per_second(double v) { return BytesPerSecond{v * 1e9}; }
constexpr BytesPerSecond gigabits_per_second(double v) { return BytesPerSecond{v * 1e9 / 8.0}; }
constexpr FlopsPerSecond teraflops(double v) { return FlopsPerSecond{v * 1e12}; }
constexpr FlopsPerSecond gigaflops(double v) { return FlopsPerSecond{v * 1e9}; }
constexpr Bytes gigabytes(double v) { return Bytes{v * 1e9}; }
constexpr Bytes gibibytes(double v) { return Bytes{v * 1073741824.0}; }

}  // namespace scalescope
