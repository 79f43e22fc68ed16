// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parallel/stages.hpp"

#include <algorithm>
#include <limits>

namespace scalescope {
namespace {

struct Probe {
    bool fits;
    double largest;         ///< of the ranges taken
    double next_candidate;  ///< least sum that would have let some range take one element more
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
        while (lo + step <= last_end && prefix[static_cast<std::size_t>(lo + step)] - base <= limit)
            lo += step, step *= 2;
        int hi = std::min(lo + step, last_end + 1);
        while (hi - lo > 1) {
            const int mid = lo + (hi - lo) / 2;
            if (prefix[static_cast<std::size_t>(mid)] - base <= limit)
                lo = mid;
            else
                hi = mid;
        }
        const int end = lo;
        if (end == begin) {  // a single element is larger than the limit
            p.next_candidate = std::min(p.next_candidate, prefix[static_cast<std::size_t>(begin + 1)] - base);
            p.fits = false;
            return p;
        }
        if (end < last_end)
            p.next_candidate = std::min(p.next_candidate, prefix[static_cast<std::size_t>(end + 1)] - base);
        p.largest = std::max(p.largest, prefix[static_cast<std::size_t>(end)] - base);
        if (borders) (*borders)[static_cast<std::size_t>(s)] = begin;
        begin = end;
    }
    p.fits = begin == n;
    if (borders) (*borders)[static_cast<std::size_t>(stages)] = n;
    return p;
}

}  // namespace

Crossings make_crossings(const Network& network, const Work& work) {
    const int n = work.layers;
    Crossings c;
    c.activations.assign(static_cast<std::size_t>(n) + 1, 0.0);
    c.gradients = c.activations;
    // A tensor crosses every border behind its maker up to its last reader: noted at both ends, then summed along. All
    // amounts are whole numbers, so nothing is lost when they are taken off again.
    std::vector<int> last_reader(static_cast<std::size_t>(n), -1);
    for (int l = 0; l < n; ++l)
        for (int r : network.reads(l)) last_reader[static_cast<std::size_t>(r)] = l;
    for (std::size_t t = 0; t < last_reader.size(); ++t) {
        if (last_reader[t] < 0 || network.facts()[t].division == Division::source) continue;  // input data are free
        const std::size_t first = t + 1, end = static_cast<std::size_t>(last_reader[t]) + 1;
        for (auto [sum, bytes] : {std::pair{&c.activations, work.out_bytes[t]},
                                  {&c.gradients, work.gradient_needed[t] ? work.out_bytes[t] : 0.0}}) {
            (*sum)[first] += bytes;
            if (end < sum->size()) (*sum)[end] -= bytes;
        }
    }
    for (auto* sum : {&c.activations, &c.gradients})
        for (std::size_t border = 1; border < sum->size(); ++border) (*sum)[border] += (*sum)[border - 1];
    return c;
}

double balance_stages(std::span<const double> weights, int stages, std::vector<double>& prefix,
                      std::vector<int>& borders) {
    const int n = static_cast<int>(weights.size());
    prefix.resize(weights.size() + 1);
    prefix[0] = 0;
    double largest = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        prefix[i + 1] = prefix[i] + weights[i];
        largest = std::max(largest, prefix[i + 1] - prefix[i]);
    }
    borders.resize(static_cast<std::size_t>(stages) + 1);
    // Invariant: the optimum lies in [lo, hi]; hi has been reached by a split. Both ends snap to sums of ranges.
    // No split is below its largest element, or below the average (less what rounding may take); a greedy one that may
    // pass the average by one element ends in time.
    const double average = prefix.back() / stages;
    double lo = std::max(largest, average * (1 - 1e-12)), hi = prefix.back();
    if (const Probe p = probe(prefix, n, stages, average + largest, nullptr); p.fits) hi = p.largest;
    while (lo < hi) {
        const Probe p = probe(prefix, n, stages, lo, nullptr);
        if (p.fits) {
            hi = p.largest;
            break;
        }
        lo = p.next_candidate;
        if (lo >= hi) break;
        const double mid = lo + (hi - lo) / 2;
        const Probe m = probe(prefix, n, stages, mid, nullptr);
        if (m.fits)
            hi = m.largest;
        else
            lo = m.next_candidate;
        if (lo >= hi) break;
    }
    probe(prefix, n, stages, hi, &borders);
    return hi;
}

}  // namespace scalescope
