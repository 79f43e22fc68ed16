// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parallel/experts.hpp"

#include <algorithm>
#include <cmath>

namespace scalescope {
namespace {

/// How likely none of `chosen` of `all` is among `marked` of them: C(all − marked, chosen)/C(all, chosen).
double none_of(std::int64_t marked, std::int64_t all, std::int64_t chosen) {
    double likely = 1;
    for (std::int64_t i = 0; i < chosen && likely > 1e-18; ++i)
        likely *= static_cast<double>(std::max<std::int64_t>(0, all - marked - i)) / static_cast<double>(all - i);
    return likely;
}

double binomial(std::int64_t n, std::int64_t k) {
    if (k < 0 || k > n) return 0;
    double all = 1;
    for (std::int64_t i = 0; i < k; ++i) all *= static_cast<double>(n - i) / static_cast<double>(i + 1);
    return all;
}

}  // namespace

double places(const ExpertFacts& e, double positions) {
    const double chosen = static_cast<double>(e.chosen) * positions, count = static_cast<double>(e.count);
    // The rounding error of a factor such as 1.1 must not add a place.
    return e.capacity == 0 ? chosen : count * std::ceil(e.capacity * chosen / count * (1 - 1e-12));
}

double parts_reached(const ExpertFacts& e, std::int64_t parts) {
    // A part begins with a group: it has whole ones, and a piece of one more.
    const std::int64_t in_part = e.count / parts, in_group = e.count / e.groups, whole = in_part / in_group,
                       piece = in_part % in_group, split = piece > 0 ? 1 : 0;
    double none = 0;
    for (std::int64_t w = 0; w <= std::min(whole, e.chosen_groups); ++w)
        for (std::int64_t s = 0; s <= split; ++s)
            none += binomial(whole, w) * binomial(e.groups - whole - split, e.chosen_groups - w - s) /
                    binomial(e.groups, e.chosen_groups) *
                    none_of(w * in_group + s * piece, e.chosen_groups * in_group, e.chosen);
    return static_cast<double>(parts) * (1 - none);
}

double copies_sent(const ExpertFacts& e, Dispatch dispatch, std::int64_t ranks, double positions) {
    const double chosen = static_cast<double>(e.chosen),
                 room = e.capacity == 0 ? chosen : places(e, positions) / positions;
    return dispatch == Dispatch::each_expert ? room : parts_reached(e, ranks) * std::min(1.0, room / chosen);
}

}  // namespace scalescope
