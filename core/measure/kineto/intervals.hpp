// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/kineto/trace.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace scalescope::kineto {

/// A set of times. What is asked of it holds once it is united.
class Intervals {
public:
    void add(const Span& span) { spans_.push_back(span); }
    /// Sorts, and joins what touches.
    void unite() {
        std::ranges::sort(spans_, {}, &Span::begin);
        std::vector<Span> joined;
        for (const Span& s : spans_) {
            if (joined.empty() || s.begin > joined.back().end())
                joined.push_back(s);
            else
                joined.back().length = std::max(joined.back().end(), s.end()) - joined.back().begin;
        }
        spans_ = std::move(joined);
    }
    const std::vector<Span>& spans() const { return spans_; }
    std::int64_t length() const {
        std::int64_t sum = 0;
        for (const Span& s : spans_) sum += s.length;
        return sum;
    }
    /// From the first to the last; empty if there is none.
    Span hull() const {
        if (spans_.empty()) return {};
        return {spans_.front().begin, spans_.back().end() - spans_.front().begin};
    }

private:
    std::vector<Span> spans_;
};

/// How long both run at once; both are united.
inline std::int64_t common_length(const Intervals& a, const Intervals& b) {
    std::int64_t sum = 0;
    auto x = a.spans().begin(), y = b.spans().begin();
    while (x != a.spans().end() && y != b.spans().end()) {
        sum += std::max<std::int64_t>(0, std::min(x->end(), y->end()) - std::max(x->begin, y->begin));
        (x->end() < y->end() ? x : y)++;
    }
    return sum;
}

}  // namespace scalescope::kineto
