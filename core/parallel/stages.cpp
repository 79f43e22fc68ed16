// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parallel/stages.hpp"

#include <algorithm>
#include <limits>

namespace scalescope {
namespace {

/// The first of [from, to) that does not fit, if those before it all do; `to` if all fit. It is near `from`.
template <class Fits>
int first_beyond(int from, int to, Fits fits) {
    int step = 1;
    while (from + step <= to && fits(from + step - 1)) from += step, step *= 2;
    int end = std::min(from + step - 1, to);
    while (from < end) {
        const int mid = from + (end - from) / 2;
        if (fits(mid))
            from = mid + 1;
        else
            end = mid;
    }
    return from;
}

struct Probe {
    bool fits;
    double largest;         ///< of the ranges taken
    double next_candidate;  ///< least sum that would have let some range take one element more
};

/// Fills ranges greedily up to `limit`, but never so far that the remaining stages would be empty.
Probe probe(const std::vector<double>& prefix, int n, int stages, double limit) {
    Probe p{true, 0.0, std::numeric_limits<double>::infinity()};
    int begin = 0;
    for (int s = 0; s < stages; ++s) {
        const int last_end = n - (stages - 1 - s);
        const double base = prefix[static_cast<std::size_t>(begin)];
        const int end = first_beyond(begin + 1, last_end + 1,
                                     [&](int i) { return prefix[static_cast<std::size_t>(i)] - base <= limit; }) -
                        1;
        if (end == begin) {  // a single element is larger than the limit
            p.next_candidate = std::min(p.next_candidate, prefix[static_cast<std::size_t>(begin + 1)] - base);
            p.fits = false;
            return p;
        }
        if (end < last_end)
            p.next_candidate = std::min(p.next_candidate, prefix[static_cast<std::size_t>(end + 1)] - base);
        p.largest = std::max(p.largest, prefix[static_cast<std::size_t>(end)] - base);
        begin = end;
    }
    p.fits = begin == n;
    return p;
}

/// Sums that differ by less are alike: a faster device scales every layer's time, each with a rounding of its own, and
/// must not move a border.
constexpr double alike = 1e-9;
constexpr double rounding = 1e-13;  // of a sum of a few thousand times

/// First end in [from, to] where `prefix` is nearest to `wanted`.
int nearest_end(const std::vector<double>& prefix, int from, int to, double wanted) {
    const int above =
        first_beyond(from, to, [&](int i) { return prefix[static_cast<std::size_t>(i)] < wanted * (1 - alike); });
    if (above == from) return from;
    const double over = prefix[static_cast<std::size_t>(above)] - wanted,
                 under = wanted - prefix[static_cast<std::size_t>(above) - 1];
    return over < under * (1 - alike) ? above : above - 1;
}

/// Layers longer than a limit, and the time of all others.
struct LongAndShort {
    int longer = 0;
    double rest = 0;
};
LongAndShort longer_than(const std::vector<double>& prefix, double limit) {
    LongAndShort found;
    for (std::size_t i = 0; i + 1 < prefix.size(); ++i) {
        const double w = prefix[i + 1] - prefix[i];
        found.rest += w > limit ? 0.0 : w;
        found.longer += w > limit ? 1 : 0;
    }
    return found;
}

/// The time a stage gets if all get the same, except for layers that take longer: each of those has one for itself.
double even_share(const std::vector<double>& prefix, int stages) {
    double share = prefix.back() / stages;
    for (;;) {
        const auto [longer, rest] = longer_than(prefix, share * (1 + alike));
        if (longer >= stages) return share;
        const double next = rest / (stages - longer);
        if (next >= share * (1 - 1e-9)) return share;
        share = next;
    }
}

/// Of all splits whose largest sum is at most `limit` (there is one), one whose stages are much alike. `borders` has
/// the right size. No stage is without time if there are as many layers with time as stages: each takes the next of
/// them, and leaves one for each stage behind.
void spread_stages(const std::vector<double>& prefix, int stages, double limit, std::vector<int>& borders) {
    const int n = static_cast<int>(prefix.size()) - 1;
    const auto sum_at = [&](int i) { return prefix[static_cast<std::size_t>(i)]; };
    const auto border = [&](int s) -> int& { return borders[static_cast<std::size_t>(s)]; };
    const auto takes_time = [&](int i) { return sum_at(i + 1) > sum_at(i); };
    // Where a stage may begin at the earliest: those from it to the end are as full as the limit lets them be.
    border(stages) = n;
    for (int s = stages - 1; s > 0; --s) {
        const int end = border(s + 1);  // its last layer fits
        border(s) =
            end -
            first_beyond(2, end - s + 1, [&](int layers) { return sum_at(end) - sum_at(end - layers) <= limit; }) + 1;
    }
    border(0) = 0;
    int with_time = 0;
    for (int i = 0; i < n; ++i) with_time += takes_time(i) ? 1 : 0;
    const bool enough = with_time >= stages;
    int kept_back = n;  // the layers with time from here on are one for each stage behind
    for (int left = stages - 1; enough && left > 0;)
        if (takes_time(--kept_back)) --left;

    const double large = even_share(prefix, stages) * (1 + alike);
    auto [large_left, small_left] = longer_than(prefix, large);  // the second shares stages
    for (int s = 1; s < stages; ++s) {
        const int begin = border(s - 1);
        int from = std::max(border(s), begin + 1), to = n - (stages - s);
        if (enough) {
            int next = begin;
            while (!takes_time(next)) ++next;
            from = std::max(from, next + 1);
            to = kept_back;
            for (++kept_back; kept_back < n && !takes_time(kept_back);) ++kept_back;
        }
        to = first_beyond(from, to + 1, [&](int i) { return sum_at(i) - sum_at(begin) <= limit; }) - 1;
        int first = begin;
        while (first < to && !takes_time(first)) ++first;
        const double one = sum_at(first + 1) - sum_at(first);
        const int shared_by = stages - (s - 1) - large_left;
        const double share = one > large ? one : shared_by > 0 ? small_left / shared_by : limit;
        border(s) = nearest_end(prefix, from, to, sum_at(begin) + share);
        for (int i = begin; i < border(s); ++i) {
            const double w = sum_at(i + 1) - sum_at(i);
            if (w > large)
                --large_left;
            else
                small_left -= w;
        }
    }
    // Two neighbours share evenly what they have: the larger of them never grows.
    constexpr int rounds = 3;
    bool moved = true;
    for (int round = 0; moved && round < rounds; ++round) {
        moved = false;
        for (int s = 1; s < stages; ++s) {
            const int begin = border(s - 1), end = border(s + 1);
            const auto larger = [&](int at) { return std::max(sum_at(at) - sum_at(begin), sum_at(end) - sum_at(at)); };
            const int at = nearest_end(prefix, begin + 1, end - 1, (sum_at(begin) + sum_at(end)) / 2);
            if (larger(at) < larger(border(s)) * (1 - alike)) border(s) = at, moved = true;
        }
    }
}

}  // namespace

Crossings make_crossings(const Network& network, const Work& work, std::span<const double> activations,
                         std::span<const double> gradients) {
    const auto part_of = [&](std::size_t t, std::span<const double> shares) {
        return shares.empty() ? work.out_bytes[t] : work.out_bytes[t] * shares[t];
    };
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
        for (auto [sum, bytes] : {std::pair{&c.activations, part_of(t, activations)},
                                  {&c.gradients, work.gradient_needed[t] ? part_of(t, gradients) : 0.0}}) {
            (*sum)[first] += bytes;
            if (end < sum->size()) (*sum)[end] -= bytes;
        }
    }
    for (auto* sum : {&c.activations, &c.gradients})
        for (std::size_t border = 1; border < sum->size(); ++border) (*sum)[border] += (*sum)[border - 1];
    // Shares are no whole numbers: less than a byte is what rounding leaves where nothing crosses.
    for (auto* sum : {&c.activations, &c.gradients})
        for (double& bytes : *sum) bytes = bytes < 0.5 ? 0.0 : bytes;
    return c;
}

double balance_stages(const std::vector<double>& prefix, int stages, std::vector<int>& borders) {
    const int n = static_cast<int>(prefix.size()) - 1;
    double largest = 0;
    for (std::size_t i = 0; i + 1 < prefix.size(); ++i) largest = std::max(largest, prefix[i + 1] - prefix[i]);
    borders.resize(static_cast<std::size_t>(stages) + 1);
    // Invariant: the optimum lies in [lo, hi]; hi has been reached by a split. Both ends snap to sums of ranges.
    // No split is below its largest element, or below the average (less what rounding may take); a greedy one that may
    // pass the average by one element ends in time.
    const double average = prefix.back() / stages;
    double lo = std::max(largest, average * (1 - 1e-12)), hi = prefix.back();
    if (const Probe p = probe(prefix, n, stages, average + largest); p.fits) hi = p.largest;
    while (lo < hi) {
        const Probe p = probe(prefix, n, stages, lo);
        if (p.fits) {
            hi = p.largest;
            break;
        }
        lo = p.next_candidate;
        if (lo >= hi) break;
        const double mid = lo + (hi - lo) / 2;
        const Probe m = probe(prefix, n, stages, mid);
        if (m.fits)
            hi = m.largest;
        else
            lo = m.next_candidate;
        if (lo >= hi) break;
    }
    // Sums that are hi but for their rounding are hi, for the reason above.
    spread_stages(prefix, stages, hi * (1 + rounding), borders);
    double slowest = 0;
    for (std::size_t s = 1; s < borders.size(); ++s)
        slowest = std::max(
            slowest, prefix[static_cast<std::size_t>(borders[s])] - prefix[static_cast<std::size_t>(borders[s - 1])]);
    return slowest;
}

}  // namespace scalescope
