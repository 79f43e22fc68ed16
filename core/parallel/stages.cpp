// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parallel/stages.hpp"

#include <algorithm>
#include <limits>

namespace scalescope {
namespace {

struct Probe {
    bool fits;
    double largest;        ///< of the ranges taken
    double next_candidate; ///< least sum that would have let some range take one element more
};

/// Fills ranges greedily up to `limit`, but never so far that the remaining stages would be empty.
Probe probe(const std::vector<double>& prefix, int n, int stages, double limit, std::vector<int>* borders) {
    Probe p{true, 0.0, std::numeric_limits<double>::infinity()};
    int begin = 0;
    for (int s = 0; s < stages; ++s) {
        const int last_end = n - (stages - 1 - s);
        const double base = prefix[static_cast<std::size_t>(begin)];
        // gallop to the first end whose sum passes the limit, then bisect
        int lo = begin, step = 1;
        while (lo + step <= last_end && prefix[static_cast<std::size_t>(lo + step)] - base <= limit) lo += step, step *= 2;
        int hi = std::min(lo + step, last_end + 1);
        while (hi - lo > 1) {
            const int mid = lo + (hi - lo) / 2;
            if (prefix[static_cast<std::size_t>(mid)] - base <= limit) lo = mid; else hi = mid;
        }
        const int end = lo;
        if (end == begin) {  // a single element is larger than the limit
            p.next_candidate = std::min(p.next_candidate, prefix[static_cast<std::size_t>(begin + 1)] - base);
            p.fits = false;
            return p;
        }
        if (end < last_end) p.next_candidate = std::min(p.next_candidate, prefix[static_cast<std::size_t>(end + 1)] - base);
        p.largest = std::max(p.largest, prefix[static_cast<std::size_t>(end)] - base);
        if (borders) (*borders)[static_cast<std::size_t>(s)] = begin;
        begin = end;
    }
    p.fits = begin == n;
    if (borders) (*borders)[static_cast<std::size_t>(stages)] = n;
    return p;
}

}  // namespace

Crossings make_crossings(const Work& work) {
    const std::size_t n = static_cast<std::size_t>(work.layers);
    std::vector<std::size_t> last_reader(n, 0);
    for (std::size_t l = 0; l < n; ++l)
        for (int r : work.reads[l]) last_reader[static_cast<std::size_t>(r)] = l;
    Crossings c;
    c.activations.assign(n + 1, 0.0);
    c.gradients.assign(n + 1, 0.0);
    for (std::size_t t = 0; t < n; ++t) {
        if (work.root[t] != static_cast<int>(t) || work.reads[t].empty()) continue;  // views move with their root; input data are free
        for (std::size_t border = t + 1; border <= last_reader[t]; ++border) {
            c.activations[border] += work.out_bytes[t];
            if (work.gradient_needed[t]) c.gradients[border] += work.out_bytes[t];
        }
    }
    return c;
}

double balance_stages(std::span<const double> weights, int stages, std::vector<double>& prefix, std::vector<int>& borders) {
    const int n = static_cast<int>(weights.size());
    prefix.resize(weights.size() + 1);
    prefix[0] = 0;
    double largest = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        prefix[i + 1] = prefix[i] + weights[i];
        largest = std::max(largest, weights[i]);
    }
    borders.resize(static_cast<std::size_t>(stages) + 1);
    // Invariant: the optimum lies in [lo, hi]; hi has been reached by a split. Both ends snap to sums of ranges.
    double lo = 0, hi = prefix.back();
    for (;;) {
        const Probe p = probe(prefix, n, stages, lo, nullptr);
        if (p.fits) {
            hi = p.largest;
            break;
        }
        lo = p.next_candidate;
        if (lo >= hi) break;
        const double mid = lo + (hi - lo) / 2;
        const Probe m = probe(prefix, n, stages, mid, nullptr);
        if (m.fits) hi = m.largest; else lo = m.next_candidate;
        if (lo >= hi) break;
    }
    probe(prefix, n, stages, hi, &borders);
    return hi;
}

}  // namespace scalescope
