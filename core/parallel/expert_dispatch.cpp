// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parallel/expert_dispatch.hpp"

#include <cmath>

namespace scalescope {

double ExpertDispatch::copies() const {
    const auto n = static_cast<double>(ranks);
    return static_cast<double>(tokens * chosen) * (n - 1) / n;
}

/// One in each part where a token has at least one of its experts: they are chosen without putting back.
double ExpertDispatch::once_per(std::int64_t parts) const {
    double none = 1;
    for (std::int64_t i = 0; i < chosen; ++i)
        none *= static_cast<double>(experts - experts / parts - i) / static_cast<double>(experts - i);
    return static_cast<double>(tokens * (parts - 1)) * (1 - none);
}

std::int64_t ExpertDispatch::capacity(double factor) const {
    return static_cast<std::int64_t>(
        std::ceil(factor * static_cast<double>(chosen * tokens) / static_cast<double>(experts)));
}

}  // namespace scalescope
