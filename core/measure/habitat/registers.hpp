// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/habitat/device.hpp"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace scalescope::habitat {

/// Registers per thread that the same kernel was compiled to for each architecture.
class RegisterTable {
public:
    /// `architecture` as digits: 75. Of two entries for the same kernel and architecture the first counts.
    void add(std::string_view kernel, int architecture, std::int64_t registers);

    /// The entry of the newest architecture that is not newer than the device's: a GPU runs code compiled for an older
    /// one. Nothing if there is none; then the registers measured on the origin are the best guess.
    std::optional<std::int64_t> find(std::string_view kernel, ComputeCapability capability) const;

private:
    std::map<std::string, std::map<int, std::int64_t>, std::less<>> kernels_;
};

}  // namespace scalescope::habitat
