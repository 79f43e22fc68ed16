// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "core/estimate/utilization.hpp"
#include "core/measure/validate/published.hpp"
#include "core/network/network.hpp"
#include "core/scenario/scenario.hpp"
#include "core/units/units.hpp"

/// Metrics as the sources spell them, and how each follows from an estimate.
namespace scalescope::measure {

/// The metric of a row.
enum class PublishedMetric {
    samples_per_second,
    tokens_per_second,
    steps_per_second,
    forward,
    backward,
    both_passes,
    step,
    flop_rate,             ///< counted FLOPs of a step, over its time
    model_utilization,     ///< MFU: model FLOPs of a step, over what the devices' peaks would do in its time
    hardware_utilization,  ///< HFU: the same, including recomputed FLOPs
    peak_memory,           ///< of the device that needs most
    reserved_memory,       ///< of that, what its allocator reserves
    allocated_memory,      ///< or has given out
    epoch,                 ///< time in which all samples of the dataset are seen once
    training_time,         ///< of all steps, epochs or tokens
    device_time            ///< the same, of all devices together
};

/// How a row's figure is worked out.
struct Measured {
    PublishedMetric metric = PublishedMetric::samples_per_second;
    double unit = 1;           ///< the row's unit in SI's: a figure in samples, tokens, FLOPs, bytes, seconds times it
    bool each_device = false;  ///< a rate is that of one device, so that it stays as it is where scaling is linear
    bool hardware_flops = false;  ///< flop_rate: FLOPs that the source counts include the recomputed forward pass
    double tokens_per_sample = 1;
    /// training_time, device_time: steps, samples or tokens of the whole training, the first that is given.
    double training_steps = 0, training_samples = 0, training_tokens = 0;
    double epoch_samples = 0;  ///< epoch: of the dataset
    CountedFlops counted;      ///< of one sample
    FlopsPerSecond peak{0};    ///< of one device, by its data sheet, in the scenario's precision
};

/// Finds out from the words of the metric and the unit which figure a row has. A reason if no scenario has such a one.
std::string find_metric(const PublishedRow& row, Measured& measured);

/// Whether the metric needs the FLOPs of a step.
bool counts_flops(PublishedMetric metric);
bool is_memory(PublishedMetric metric);
bool is_training_time(PublishedMetric metric);
/// Whether more is faster. Memory is neither.
bool is_rate(PublishedMetric metric);

/// The highest peak of the device in 16 bits or more, or in `precision`.
FlopsPerSecond fastest(const Device& device, Precision precision = Precision::bf16);
/// The least share of the devices' highest peak that the measured figure takes: two forward passes, with half of the
/// attention, in the step time that it implies. Above 1 it is none of this network on these devices.
double least_utilization(const Measured& measured, const Scenario& scenario, const Estimate& estimate, double value);

/// The figure of an estimate, in the row's unit.
double figure_of(const Measured& measured, const Scenario& scenario, const Estimate& estimate);

}  // namespace scalescope::measure
