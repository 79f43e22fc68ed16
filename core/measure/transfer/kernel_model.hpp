// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/evidence/calibration.hpp"
#include "core/hardware/device.hpp"
#include "core/measure/calibration/operator_calibration.hpp"
#include "core/measure/transfer/work.hpp"

#include <cstddef>
#include <functional>
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

/// How tensors of images lie in memory. PyTorch's default is channels first.
enum class Layout { channels_first, channels_last };

/// What an operation's kernels wait for: products on vector units or on tensor cores, or memory alone.
enum class Unit { memory, vector, matrix };

inline constexpr Seconds kernel_start{2e-6};  ///< of a kernel alone, without the framework's part

struct KernelTime {
    Seconds time;
    Unit unit = Unit::memory;
};

/// How long the kernels of an operation run on a device that multiplies at a precision; nothing if it cannot say.
using KernelModel = std::function<std::optional<KernelTime>(const Work&, const Device&, Precision, Layout)>;

/// Products by tiles and waves (core/measure/operators). A convolution takes the fastest of the ways that a library
/// has: the implicit product; Winograd's, on vector units; a product for each sample, for 1×1 filters with channels
/// first. Tensor cores want channels last: tensors that lie otherwise are transposed before and after, and where the
/// channels are no multiple of what they take at once (4 of TF32, 8 of 16 bits), vector units compute
/// (docs/decisions/traces.md).
std::optional<KernelTime> kernel_time(const Work& work, const Device& device, Precision precision, Layout layout);

/// The time there = model there · (measured here / model here)^carried: how much of what the model is off by here holds
/// there, too. Kernels that only move memory are the same everywhere: all of it. Products on the same kind of unit:
/// 0.85. From vector units to tensor cores and back: nothing, other kernels run there, and what the model says is all
/// there is (docs/decisions/traces.md).
double carried(Unit here, Unit there);

}  // namespace scalescope::transfer
