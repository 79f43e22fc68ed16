// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/measure/habitat/mlp.hpp"
#include "core/measure/kineto/digest.hpp"
#include "core/measure/transfer/gpus.hpp"
#include "core/measure/transfer/kernel_model.hpp"
#include "core/measure/transfer/work.hpp"

#include <array>
#include <cstddef>
#include <vector>

/// The time of a recorded step on another GPU, operation by operation, each by the best evidence there is.
namespace scalescope::transfer {

/// What carries an operation's time over, the best first. To add one: a value here, its name, and a row in
/// `TracePredictor::one`.
enum class Rule {
    measured,         ///< both GPUs are the same
    network,          ///< the measured time, times the ratio of what a trained network says for both
    corrected_model,  ///< the same as below, with both times corrected by measured operators
    operator_model,   ///< what the shape's model says for both, and what of the model's error here is carried there
    wave_scaling,     ///< kernel by kernel, by Habitat's rules
    unscaled          ///< the kernels cannot run there as they are: the measured time
};
inline constexpr std::size_t rules = 6;
std::string_view name_of(Rule rule);

/// Which products of 32-bit tensors use TF32 where a GPU has it.
enum class Tf32 {
    as_recorded,  ///< as the trace shows it; where its GPU has none, as PyTorch does by itself: convolutions only
    convolutions,
    all,
    none
};

struct Options {
    bool wave_scaling_only = false;  ///< for comparison: Habitat's way for every operation
    Tf32 tf32 = Tf32::as_recorded;
    bool fp16 = false;  ///< products and convolutions of 32-bit tensors take 16 bits where a GPU is faster with them
    const habitat::MlpModels* networks = nullptr;
    KernelModel model = kernel_time;
    const Corrections* corrections = nullptr;  ///< of the model's times
};

struct PredictedOperation {
    std::size_t operation = 0;  ///< a place in Digest::operations
    Seconds measured, predicted;
    Rule rule = Rule::wave_scaling;
    Precision here = Precision::fp32, there = Precision::fp32;  ///< of its multiplications
    double carried = 1.0;                                       ///< of an operation by its model: see `carried`
    std::size_t points = 0;                                     ///< that its correction rests on
    bool inside = true;                                         ///< of what those points cover, on both GPUs
    std::size_t not_runnable = 0;                               ///< kernels that no processor there can hold
};

/// Measured and predicted time, per step.
struct Times {
    Seconds measured, predicted;
    Times& operator+=(const Times& o) {
        measured += o.measured;
        predicted += o.predicted;
        return *this;
    }
};

/// All times are of kernels without NCCL's, which wait for others: how long those take there, nobody can say from here.
struct Prediction {
    std::vector<PredictedOperation> operations;
    std::vector<Times> steps;  ///< as in the digest
    // Of the mean step:
    Times step;
    std::array<Times, kineto::phases> by_phase{};
    kineto::PerClass<std::array<Times, rules>> by_class{};  ///< and by rule
    std::array<Times, rules> by_rule{};
    Layout layout = Layout::channels_first;
    Problems warnings;
};

/// The sum over rules.
Times total(const std::array<Times, rules>& by_rule);

/// What both GPUs multiply an operation of this class at, going by the names of its kernels and PyTorch's defaults:
/// cuDNN's convolutions may use TF32 from capability 8.0 on, matrix products have not since 1.12.
Prediction predict(const kineto::Trace& trace, const kineto::Digest& digest, const std::vector<Work>& works,
                   const Gpu& from, const Gpu& to, const Options& options = {});

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
