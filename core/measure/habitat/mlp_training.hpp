// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/watch.hpp"
#include "core/measure/habitat/mlp.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Training the networks of mlp.hpp as Habitat does, on one core and with the same bits on every run.
namespace scalescope::habitat {

/// One measured configuration on one device: all features, the device's too, and forward and backward time together.
struct MlpSample {
    std::vector<double> features;
    Milliseconds time;  ///< more than 0
};

struct AdamSettings {
    double rate = 5e-4;
    double beta1 = 0.9;
    double beta2 = 0.999;
    double epsilon = 1e-8;
    double weight_decay = 1e-4;  ///< added to the gradient, as Adam was published; not decoupled
};

/// Adam (Kingma and Ba, 2015) on the mean relative error |target − output| / target, in single precision.
class MlpTrainer {
public:
    MlpTrainer(std::vector<MlpLayer> initial, AdamSettings settings);

    /// One step on `inputs` ([samples][width of the first layer]) and `targets` (ms). Gives the loss before the step.
    float step(std::span<const float> inputs, std::span<const float> targets);
    void set_rate(double rate) { settings_.rate = rate; }
    const std::vector<MlpLayer>& layers() const { return layers_; }

private:
    /// As the parameters they belong to.
    struct Slopes {
        std::vector<float> weights, bias;
    };
    void backward(std::size_t sample_layers, float slope);
    void update(std::vector<float>& values, const std::vector<float>& slopes, std::vector<float>& first,
                std::vector<float>& second) const;

    std::vector<MlpLayer> layers_;
    AdamSettings settings_;
    std::vector<Slopes> gradient_, first_, second_;
    std::vector<std::vector<float>> values_;  ///< what goes into each layer, and the output, of the sample at hand
    std::int64_t steps_ = 0;
};

struct MlpTraining {
    std::size_t hidden_blocks = 8;  ///< hidden layers after the first
    std::size_t width = 1024;
    std::int64_t epochs = 80;
    std::size_t batch = 512;
    double train_share = 0.8;
    double later_rate = 1e-4;  ///< from the middle epoch on
    AdamSettings adam;
    std::uint64_t seed = 1337;

    /// Of an epoch, counted from 0.
    double rate_of(std::int64_t epoch) const { return epoch >= epochs / 2 && epoch > 0 ? later_rate : adam.rate; }
};

struct MlpEpoch {
    double loss = 0.0;              ///< mean over the steps of the epoch
    double validation_error = 0.0;  ///< mean |output − target| / target, as Habitat softens it, over the other samples
};

struct TrainedMlp {
    Mlp mlp;  ///< with the parameters of the epoch whose validation error was least
    std::vector<MlpEpoch> epochs;
    std::size_t best_epoch = 0;
    Problems warnings;  ///< features that never vary, a training that was ended early
};

/// Trains a network. mu and sigma are taken over all samples; a feature that never varies gets sigma 1 and a warning
/// (Habitat divides by zero). Ended by `watch`, it gives the best of the epochs that are whole, with a warning. Its
/// progress says after each epoch how large the errors are. Problems: fewer than five samples, samples of different
/// width or without a time, a network of more than limits::model_numbers parameters, a training that does not stay
/// finite, that `watch` ended it within the first epoch.
Result<TrainedMlp> train(std::vector<std::string> features, std::span<const MlpSample> samples,
                         const MlpTraining& how = {}, const Watch& watch = {});

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
