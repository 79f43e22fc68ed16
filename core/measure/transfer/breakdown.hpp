// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>

#include "core/measure/kineto/digest.hpp"
#include "core/measure/transfer/predict.hpp"

namespace scalescope::transfer {

/// Of the mean step: time of each class of operators in each phase.
using ClassTimes = kineto::PerClass<std::array<Seconds, kineto::phases>>;

/// As recorded, communication too. Operations of no step count nowhere.
ClassTimes class_times(const kineto::Digest& digest);
/// As predicted; communication is not.
ClassTimes class_times(const kineto::Digest& digest, const Prediction& prediction);

/// What NCCL's kernels took of the mean step, as recorded. They wait for other GPUs: what of it is waiting, nobody can
/// say from here.
struct Communication {
    Seconds total;                ///< of all its kernels
    Seconds overlapped, exposed;  ///< while another kernel computed, and while none did
    explicit operator bool() const { return total > Seconds{0}; }
};
Communication communication_of(const kineto::Digest& digest);

/// Steps that a dollar pays for: 3600 / (seconds of a step · dollars an hour). 0 for a step without time.
double steps_per_dollar(Seconds step, double dollars_per_hour);

}  // namespace scalescope::transfer
