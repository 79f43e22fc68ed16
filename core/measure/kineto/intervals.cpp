// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/kineto/intervals.hpp"

#include <algorithm>

namespace scalescope::kineto {

void Intervals::unite() {
    std::sort(spans_.begin(), spans_.end(), [](const Span& a, const Span& b) { return a.begin < b.begin; });
    std::vector<Span> joined;
    for (const Span& s : spans_) {
        if (joined.empty() || s.begin > joined.back().end())
            joined.push_back(s);
        else
            joined.back().length = std::max(joined.back().end(), s.end()) - joined.back().begin;
    }
    spans_ = std::move(joined);
}

std::int64_t Intervals::length() const {
    std::int64_t sum = 0;
    for (const Span& s : spans_) sum += s.length;
    return sum;
}

Span Intervals::hull() const {
    if (spans_.empty()) return {};
    return {spans_.front().begin, spans_.back().end() - spans_.front().begin};
}

std::int64_t common_length(const Intervals& a, const Intervals& b) {
    std::int64_t sum = 0;
    auto x = a.spans().begin(), y = b.spans().begin();
    while (x != a.spans().end() && y != b.spans().end()) {
        sum += std::max<std::int64_t>(0, std::min(x->end(), y->end()) - std::max(x->begin, y->begin));
        (x->end() < y->end() ? x : y)++;
    }
    return sum;
}

}  // namespace scalescope::kineto
