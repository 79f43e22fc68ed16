// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hardware/device.hpp"

namespace scalescope {

const PrecisionTraits& traits_of(Precision p) {
    using enum Precision;
    // Scales have 4 bytes, of mxfp8 and nvfp4 1 byte. Those of tensors and rows do not count.
    static constexpr std::array<PrecisionTraits, all_precisions.size()> all{{
        {"fp64", 8, fp64, fp64, fp64},
        {"fp32", 4, fp32, fp32, fp64},
        {"tf32", 4, tf32, tf32, fp32},  // stored as fp32
        {"fp16", 2, fp16, fp16, fp32},
        {"bf16", 2, bf16, bf16, fp32},
        {"fp8", 2, bf16, fp8, bf16, 1, 2, 1},
        {"fp8_row", 2, bf16, fp8, bf16, 1, 2, 2},  // rows and columns have scales of their own
        {"fp8_block", 2, bf16, fp8, bf16, 1 + 4.0 / 128, 1, 2},
        {"mxfp8", 2, bf16, mxfp8, fp8_block, 1 + 1.0 / 32, 1, 2},
        {"nvfp4", 2, bf16, nvfp4, mxfp8, 0.5 + 1.0 / 16, 2, 2},
    }};
    return all[static_cast<std::size_t>(p)];
}

}  // namespace scalescope
