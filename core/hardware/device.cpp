// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/device.hpp"

namespace scalescope {

std::string_view name_of(Precision p) {
    constexpr std::array<std::string_view, 5> names{"fp64", "fp32", "tf32", "fp16", "bf16"};
    return names[static_cast<std::size_t>(p)];
}

double bytes_per_element(Precision p) {
    constexpr std::array<double, 5> bytes{8, 4, 4, 2, 2};  // tf32 is stored as fp32
    return bytes[static_cast<std::size_t>(p)];
}

}  // namespace scalescope
