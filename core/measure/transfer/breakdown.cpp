// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/transfer/breakdown.hpp"

#include <algorithm>

namespace scalescope::transfer {

namespace {

void add_to(ClassTimes& times, const kineto::Digest& digest, const kineto::Operation& operation, Seconds time) {
    if (operation.step == kineto::unknown || digest.steps.empty()) return;
    times[static_cast<std::size_t>(operation.cls)][static_cast<std::size_t>(operation.phase)] +=
        time / static_cast<double>(digest.steps.size());
}

}  // namespace

ClassTimes class_times(const kineto::Digest& digest) {
    ClassTimes times{};
    for (const auto& operation : digest.operations)
        add_to(times, digest, operation, Seconds{static_cast<double>(operation.kernel_time) * 1e-9});
    return times;
}

ClassTimes class_times(const kineto::Digest& digest, const Prediction& prediction) {
    ClassTimes times{};
    for (const auto& predicted : prediction.operations)
        add_to(times, digest, digest.operations[predicted.operation], predicted.predicted);
    return times;
}

Communication communication_of(const kineto::Digest& digest) {
    Communication mean;
    const double each = 1e-9 / static_cast<double>(std::max<std::size_t>(1, digest.steps.size()));
    for (const kineto::Step& s : digest.steps) {
        mean.total += Seconds{static_cast<double>(s.communication_time) * each};
        mean.overlapped += Seconds{static_cast<double>(s.overlapped) * each};
        mean.exposed += Seconds{static_cast<double>(s.exposed) * each};
    }
    return mean;
}

double steps_per_dollar(Seconds step, double dollars_per_hour) {
    const double dollars = step.value * dollars_per_hour / 3600.0;
    return dollars > 0.0 ? 1.0 / dollars : 0.0;
}

}  // namespace scalescope::transfer
