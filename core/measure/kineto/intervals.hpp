// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/kineto/trace.hpp"

#include <cstdint>
#include <vector>

namespace scalescope::kineto {

/// A set of times. What is asked of it holds once it is united.
class Intervals {
public:
    void add(const Span& span) { spans_.push_back(span); }
    /// Sorts, and joins what touches.
    void unite();
    const std::vector<Span>& spans() const { return spans_; }
    std::int64_t length() const;
    Span hull() const;  ///< from the first to the last; empty if there is none

private:
    std::vector<Span> spans_;
};

/// How long both run at once; both are united.
std::int64_t common_length(const Intervals& a, const Intervals& b);

}  // namespace scalescope::kineto
