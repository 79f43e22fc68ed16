// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/habitat/mlp.hpp"
#include "core/measure/habitat/wave.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// One training iteration as it was measured operation by operation, and its time on another device.
namespace scalescope::habitat {

/// One direction of an operation.
struct RunTime {
    Milliseconds time;  ///< by the clock on the wall; what its kernels do not account for is overhead
    std::vector<Kernel> kernels;
};

struct Operation {
    std::string name;                             ///< as in PyTorch: "conv2d"
    std::optional<std::vector<double>> features;  ///< of a kernel-varying operation, in the order of its network
    RunTime forward;
    std::optional<RunTime> backward;

    Milliseconds time() const { return backward ? forward.time + backward->time : forward.time; }
};

struct Trace {
    std::string name;
    std::string origin;  ///< name of the device it was measured on
    std::vector<Operation> operations;

    Milliseconds time() const;  ///< the plain sum: no overlap, no communication
};

/// What an operation's predicted time rests on.
enum class OperationRule {
    measured,      ///< the destination is the origin
    wave_scaling,  ///< kernel by kernel
    mlp,           ///< the measured time, times the ratio of what a network says for both devices
    unscaled,      ///< gru, rnn_tanh, rnn_relu: no network and no scaling; the measured time
};

std::string_view name_of(OperationRule rule);

struct PredictedOperation {
    Milliseconds forward;  ///< of an operation by network: both directions together
    std::optional<Milliseconds> backward;
    OperationRule rule = OperationRule::wave_scaling;
    bool clamped = false;           ///< the network's ratio was negative: the time is 0
    std::int64_t not_runnable = 0;  ///< kernels that cannot run on the destination; they count with their measured time

    Milliseconds time() const { return backward ? forward + *backward : forward; }
};

struct PredictedTrace {
    Milliseconds time;
    std::vector<PredictedOperation> operations;
    Problems warnings;  ///< what was clamped, left as measured, or cannot run
};

/// All that a prediction draws on besides the trace.
struct Knowledge {
    const RegisterTable& registers;
    const MlpModels& models;
    Edition edition = Edition::habitat;
    Rule rule = Rule::unified;
};

/// An operation that has features, and a network of its name, goes by the network; Habitat's way to treat everything
/// else is in `OperationRule`. Overhead, max(0, wall time − kernels), stays what it was. Problems: an operation with
/// features but without a network, a device without figures for networks, a network that gives 0 for the origin.
Result<PredictedTrace> predict(const Trace& trace, const Device& origin, const Device& destination,
                               const Knowledge& knowledge);

}  // namespace scalescope::habitat
