// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/scenario/scenario.hpp"

#include <algorithm>

#include "core/base/checked.hpp"

namespace scalescope {

bool WorkloadPart::operator==(const WorkloadPart& other) const {
    if (!(passes == other.passes) || count != other.count || origin != other.origin) return false;
    if (network == other.network) return true;
    return network && other.network && network->same_draft(*other.network) &&
           std::ranges::equal(network->bindings(), other.network->bindings());
}

Batch batch_for(const Training& t, std::int64_t n) {
    if (t.batch_rule == BatchRule::per_worker) return {t.batch, t.batch * n, n};
    // The busiest worker has the rounded-up share; with more workers than samples some stay without work.
    return {ceil_div(t.batch, n), t.batch, std::min(n, t.batch)};
}

}  // namespace scalescope
