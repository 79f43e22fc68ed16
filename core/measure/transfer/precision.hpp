// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/kineto/digest.hpp"
#include "core/measure/transfer/gpus.hpp"
#include "core/measure/transfer/kernel_model.hpp"
#include "core/measure/transfer/predict.hpp"

namespace scalescope::transfer {

/// What the recording shows of its multiplications.
struct RecordedMath {
    kineto::PerClass<bool> tf32{};  ///< some operation of the class used it
    Layout layout = Layout::channels_first;
};
RecordedMath recorded_math(const kineto::Trace& trace, const kineto::Digest& digest);

/// What an operation was computed with: what most of the time of its kernels that say so used; fp32 if none does.
Precision recorded_precision(const kineto::Trace& trace, const kineto::Digest& digest, const kineto::Operation& o);

/// What it would be computed with on another GPU. With `fp16`, what multiplies in 32 bits takes 16 there, if that is
/// faster.
Precision precision_there(Precision here, kineto::WorkClass cls, const RecordedMath& recorded, const Gpu& from,
                          const Gpu& to, Tf32 tf32, bool fp16 = false);

}  // namespace scalescope::transfer
