// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/watch.hpp"
#include "core/measure/habitat/mlp_training.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace scalescope::habitat {

/// The features of Habitat's network for an operation, without the device's: of conv2d, linear, bmm and lstm; nothing
/// for any other.
std::vector<std::string> usual_features(std::string_view operation);

/// mem, mem_bw, num_sm, single: what follows them in every network.
std::vector<std::string> device_feature_names();

struct MlpSamples {
    std::vector<std::string> features;  ///< the operation's own, then the device's
    std::vector<MlpSample> samples;
    Problems warnings;
};

/// The samples of one operation: its `features`, then either device, one of `devices`, or the device's figures
/// themselves, mem (GB), mem_bw (GB/s), num_sm and single (TFLOP/s); run_time_ms. Of a table with a column `operation`
/// only its rows are read. Where there is a column `is_forward` (1 or 0), a sample is the mean of the forward times
/// plus the mean of the backward times of equal features, as in Habitat's recordings; one without the other is left
/// out, with a warning. Problems: as of every table here; no row for the operation.
Result<MlpSamples> read_mlp_samples(std::string_view text, std::string file, std::string_view operation,
                                    std::vector<std::string> features, std::span<const Device> devices,
                                    const Watch& watch = {});

}  // namespace scalescope::habitat
