// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string_view>

namespace scalescope {

/// Where long work tells how far it is. Copied freely; an empty sink costs one test. The function given is called on
/// the thread that works, so it must be quick, and hand over to another thread by itself if it needs to.
class Progress {
public:
    using Report = std::function<void(double fraction, std::string_view text)>;

    Progress() = default;
    explicit Progress(Report report) : report_(std::move(report)) {}

    /// `fraction` of all the work is done (0 … 1, kept inside those bounds); `text` says what is being done now.
    void operator()(double fraction, std::string_view text = {}) const {
        if (report_) report_(first_ + (last_ - first_) * inside(fraction), text);
    }

    /// A sink for a part of the work: its 0 … 1 is `first` … `last` of this one.
    Progress part(double first, double last) const {
        Progress result(report_);
        result.first_ = first_ + (last_ - first_) * inside(first);
        result.last_ = first_ + (last_ - first_) * inside(last);
        return result;
    }

private:
    static double inside(double fraction) { return fraction > 0.0 ? (fraction < 1.0 ? fraction : 1.0) : 0.0; }

    Report report_;
    double first_ = 0.0;
    double last_ = 1.0;
};

}  // namespace scalescope
