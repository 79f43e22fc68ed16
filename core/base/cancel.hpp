// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <memory>

namespace scalescope {

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
    /// There is no way back: new work takes a new source.
    void cancel() { flag_->store(true, std::memory_order_relaxed); }

private:
    std::shared_ptr<std::atomic<bool>> flag_;
};

}  // namespace scalescope
