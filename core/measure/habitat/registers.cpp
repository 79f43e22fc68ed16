// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/habitat/registers.hpp"

#include <iterator>

namespace scalescope::habitat {

void RegisterTable::add(std::string_view kernel, int architecture, std::int64_t registers) {
    auto found = kernels_.find(kernel);
    if (found == kernels_.end()) found = kernels_.try_emplace(std::string(kernel)).first;
    found->second.try_emplace(architecture, registers);
}

std::optional<std::int64_t> RegisterTable::find(std::string_view kernel, ComputeCapability capability) const {
    const auto found = kernels_.find(kernel);
    if (found == kernels_.end()) return std::nullopt;
    const auto after = found->second.upper_bound(capability.digits());
    if (after == found->second.begin()) return std::nullopt;
    return std::prev(after)->second;
}

}  // namespace scalescope::habitat
