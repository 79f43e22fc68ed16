// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/evidence/calibration.hpp"
#include "core/measure/calibration/operator_calibration.hpp"
#include "core/measure/transfer/work.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace scalescope::transfer {

/// A time by the operator model, corrected by measured operators.
struct CorrectedTime {
    Seconds time;
    std::size_t points = 0;  ///< of the correction; the smallest, where an operation computes several products
    bool inside = true;      ///< of what was measured: this device, and shapes like this one
};

/// What a saved calibration says of the times of operators, ready for arithmetic.
class Corrections {
public:
    /// A problem if the calibration has none, or was saved by a version that looked at other features.
    static Result<Corrections> from(const Calibration& calibration);

    /// Of an operation's kernels, all passes together: the time of its shape by the model that the correction was
    /// fitted to (core/measure/operators/times.hpp), with a kernel's launch, times what the measured operators say it
    /// is off by. Nothing if a pass was not measured at that precision.
    std::optional<CorrectedTime> time(const Work& work, const Device& device, Precision precision) const;

    const std::string& name() const { return name_; }
    std::size_t points() const;  ///< in all

private:
    struct Entry {
        std::string kind, pass, precision;
        std::vector<std::string> devices;  ///< with a level of their own
        operators::Correction correction;
    };
    const Entry* find(operators::OperatorKind kind, operators::Pass pass, Precision precision) const;
    template <class Shape>
    std::optional<CorrectedTime> pass_time(const Shape& shape, operators::OperatorKind kind, operators::Pass pass,
                                           const Device& device, Precision precision) const;

    std::string name_;
    std::vector<Entry> entries_;
};

}  // namespace scalescope::transfer
