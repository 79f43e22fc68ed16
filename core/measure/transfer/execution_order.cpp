// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/transfer/execution_order.hpp"

#include <algorithm>
#include <utility>

namespace scalescope::transfer {

ExecutionOrder::ExecutionOrder(const Network& network, std::vector<bool> tracked)
    : network_(network),
      tracked_(std::move(tracked)),
      waits_for_(static_cast<std::size_t>(network.size())),
      readers_(static_cast<std::size_t>(network.size())) {
    std::vector<int> sources;
    for (int p = 0; p < network_.size(); ++p) {
        const auto inputs = network_.inputs(p);
        waits_for_[static_cast<std::size_t>(p)] = static_cast<int>(inputs.size());
        for (const int input : inputs) readers_[static_cast<std::size_t>(input)].push_back(p);
        if (inputs.empty()) sources.push_back(p);
    }
    for (const int p : sources) {
        if (tracked_[static_cast<std::size_t>(p)])
            ready_.push_back({p, now_});
        else
            done(p);
    }
}

void ExecutionOrder::done(int position) {
    std::vector<int> open{position};
    while (!open.empty()) {
        const int p = open.back();
        open.pop_back();
        for (const int reader : readers_[static_cast<std::size_t>(p)]) {
            const auto r = static_cast<std::size_t>(reader);
            if (--waits_for_[r] > 0) continue;
            if (tracked_[r])
                ready_.push_back({reader, now_});
            else
                open.push_back(reader);
        }
    }
}

std::optional<int> ExecutionOrder::next(const std::function<bool(int)>& fits) const {
    const Ready* best = nullptr;
    for (const Ready& r : ready_)
        if (fits(r.position) &&
            (!best || r.since > best->since || (r.since == best->since && r.position < best->position)))
            best = &r;
    return best ? std::optional(best->position) : std::nullopt;
}

void ExecutionOrder::run(int position) {
    ++now_;
    const auto at = std::find_if(ready_.begin(), ready_.end(), [&](const Ready& r) { return r.position == position; });
    if (at == ready_.end()) return;
    ready_.erase(at);
    done(position);
}

}  // namespace scalescope::transfer
