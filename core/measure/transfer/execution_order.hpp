// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/network/network.hpp"

#include <functional>
#include <optional>
#include <vector>

namespace scalescope::transfer {

/// Runs a network layer by layer as operations of a trace appear: says which layers could come next. Layers of no
/// interest run by themselves.
class ExecutionOrder {
public:
    /// `tracked`: by position, whether a layer waits for its operation.
    ExecutionOrder(const Network& network, std::vector<bool> tracked);

    /// The layer that comes next among those that `fits`: the one that the latest step made possible, of several the
    /// first in the network's order.
    std::optional<int> next(const std::function<bool(int)>& fits) const;
    void run(int position);
    bool finished() const { return ready_.empty(); }

private:
    struct Ready {
        int position;
        int since;
    };
    void done(int position);

    const Network& network_;
    std::vector<bool> tracked_;
    std::vector<int> waits_for_;
    std::vector<std::vector<int>> readers_;
    std::vector<Ready> ready_;
    int now_ = 0;
};

}  // namespace scalescope::transfer
