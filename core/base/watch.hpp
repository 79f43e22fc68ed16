// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <functional>
#include <memory>
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

/// Asks long work to stop. The work holds a CancelToken and looks at it between steps; whoever started the work holds
/// the CancelSource. Both may be copied, and used from any thread. Work that stops early returns what it has, or a
/// Problem, as its own contract says.
class CancelToken {
public:
    /// A token that never asks: for callers who cannot cancel.
    CancelToken() = default;

    bool cancelled() const { return flag_ && flag_->load(std::memory_order_relaxed); }

private:
    friend class CancelSource;
    explicit CancelToken(std::shared_ptr<const std::atomic<bool>> flag) : flag_(std::move(flag)) {}

    std::shared_ptr<const std::atomic<bool>> flag_;
};

class CancelSource {
public:
    CancelSource() : flag_(std::make_shared<std::atomic<bool>>(false)) {}

    CancelToken token() const { return CancelToken(flag_); }
    /// Cannot be undone: new work needs a new source.
    void cancel() { flag_->store(true, std::memory_order_relaxed); }

private:
    std::shared_ptr<std::atomic<bool>> flag_;
};

/// Somebody who waits for long work: hears how far it is, and may end it. By default nobody does.
struct Watch {
    Progress progress{};
    CancelToken cancel{};
};

}  // namespace scalescope
