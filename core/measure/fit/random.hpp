// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <utility>
#include <vector>

namespace scalescope::measure {

/// Random numbers by counting: the n-th draw of a stream depends on the seed, the names of the stream and n only. So
/// every member of a population has a stream of its own, and no number of threads or order of work changes a draw. The
/// mixing is that of SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014).
class Draws {
public:
    explicit Draws(std::uint64_t seed, std::initializer_list<std::uint64_t> stream = {}) : key_(mixed(seed + golden)) {
        for (const std::uint64_t name : stream) key_ = mixed(key_ ^ mixed(name + golden));
    }

    std::uint64_t bits() { return mixed(key_ + golden * ++count_); }
    /// Uniform in [0, 1), 53 bits.
    double uniform() { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }
    double uniform(double low, double high) { return low + (high - low) * uniform(); }
    /// Uniform in 0 … n − 1; n > 0. The bias of at most n / 2^53 does not matter here.
    std::size_t below(std::size_t n) {
        const auto drawn = static_cast<std::size_t>(uniform() * static_cast<double>(n));
        return drawn < n ? drawn : n - 1;
    }

    std::vector<std::size_t> permutation(std::size_t n) {
        std::vector<std::size_t> order(n);
        for (std::size_t i = 0; i < n; ++i) order[i] = i;
        for (std::size_t i = n; i > 1; --i) std::swap(order[i - 1], order[below(i)]);
        return order;
    }

private:
    static constexpr std::uint64_t golden = 0x9e3779b97f4a7c15ULL;
    static std::uint64_t mixed(std::uint64_t z) {
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31);
    }

    std::uint64_t key_;
    std::uint64_t count_ = 0;
};

/// `count` points in the unit cube of `dimensions`, one in each slice of every axis (Latin hypercube), row by row.
inline std::vector<double> latin_hypercube(std::size_t count, std::size_t dimensions, Draws draws) {
    std::vector<double> points(count * dimensions);
    for (std::size_t d = 0; d < dimensions; ++d) {
        const auto slices = draws.permutation(count);
        for (std::size_t i = 0; i < count; ++i)
            points[i * dimensions + d] =
                (static_cast<double>(slices[i]) + draws.uniform()) / static_cast<double>(count);
    }
    return points;
}

}  // namespace scalescope::measure
