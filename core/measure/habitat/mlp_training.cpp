// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/habitat/mlp_training.hpp"

#include "core/base/format.hpp"
#include "core/base/limits.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace scalescope::habitat {

namespace {

/// SplitMix64 (Steele, Lea and Flood, 2014): the standard library's distributions differ between libraries.
class Dice {
public:
    explicit Dice(std::uint64_t seed) : state_(seed) {}
    std::uint64_t next() {
        state_ += 0x9e3779b97f4a7c15u;
        std::uint64_t z = state_;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }
    double share() { return static_cast<double>(next() >> 11) * 0x1p-53; }
    std::size_t below(std::size_t n) { return static_cast<std::size_t>(next() % n); }
    void shuffle(std::span<std::size_t> order) {
        for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[below(i)]);
    }

private:
    std::uint64_t state_;
};

/// Weights and biases uniform within ±1/√inputs.
MlpLayer fresh_layer(std::size_t inputs, std::size_t outputs, Dice& dice) {
    MlpLayer layer{inputs, outputs, std::vector<float>(inputs * outputs), std::vector<float>(outputs)};
    const double bound = 1.0 / std::sqrt(static_cast<double>(inputs));
    const auto draw = [&] { return static_cast<float>((2.0 * dice.share() - 1.0) * bound); };
    std::ranges::generate(layer.weights, draw);
    std::ranges::generate(layer.bias, draw);
    return layer;
}

Problems unfit(std::size_t width, std::span<const MlpSample> samples, const MlpTraining& how) {
    Problems problems;
    if (samples.size() < 5)
        problems.push_back(make_error("There are " + std::to_string(samples.size()) + " samples.",
                                      "Give at least five, better thousands."));
    if (how.width == 0 || how.batch == 0 || how.epochs < 1 || how.train_share <= 0.0 || how.train_share >= 1.0)
        problems.push_back(make_error("The training has no width, batch, epochs or share of samples.",
                                      "Choose more than zero of each, and a share below one."));
    const auto wide = static_cast<double>(how.width);
    const double numbers =
        wide * (static_cast<double>(width) + 2.0 + static_cast<double>(how.hidden_blocks) * (wide + 1.0));
    if (numbers > static_cast<double>(limits::model_numbers))
        problems.push_back(
            make_error("The network would have more than " + std::to_string(limits::model_numbers) + " parameters.",
                       "Choose fewer layers, or narrower ones; Habitat's have 8 hidden blocks, 1024 wide."));
    for (std::size_t i = 0; i < samples.size(); ++i) {
        const MlpSample& sample = samples[i];
        const bool whole = std::ranges::all_of(sample.features, [](double value) { return std::isfinite(value); });
        if (sample.features.size() == width && whole && sample.time.value > 0.0 && std::isfinite(sample.time.value))
            continue;
        problems.push_back(
            make_error("Sample " + std::to_string(i + 1) + " cannot be learnt from.",
                       "It needs " + std::to_string(width) + " finite features and a time of more than 0."));
        break;
    }
    return problems;
}

/// Mean and population standard deviation of each feature.
Problems measure_features(Mlp& mlp, std::span<const MlpSample> samples) {
    Problems warnings;
    const auto count = static_cast<double>(samples.size());
    for (std::size_t f = 0; f < mlp.features.size(); ++f) {
        double mean = 0.0;
        for (const MlpSample& s : samples) mean += s.features[f];
        mean /= count;
        double square = 0.0;
        for (const MlpSample& s : samples) square += (s.features[f] - mean) * (s.features[f] - mean);
        double deviation = std::sqrt(square / count);
        if (deviation == 0.0) {
            warnings.push_back(make_warning("Feature " + mlp.features[f] + " never varies in the samples.",
                                            "What the network says where it has another value means nothing."));
            deviation = 1.0;
        }
        mlp.mu.push_back(mean);
        mlp.sigma.push_back(deviation);
    }
    return warnings;
}

/// Samples as the network sees them.
struct Batch {
    std::vector<float> inputs, targets;
    void add(const Mlp& mlp, const MlpSample& sample) {
        const auto row = normalised(mlp, sample.features);
        inputs.insert(inputs.end(), row.begin(), row.end());
        targets.push_back(static_cast<float>(sample.time.value));
    }
};

double validation_error(const std::vector<MlpLayer>& layers, const Batch& held_out) {
    constexpr double softening = 1e-6;
    const std::size_t width = layers.front().inputs;
    double sum = 0.0;
    for (std::size_t i = 0; i < held_out.targets.size(); ++i) {
        const double output = run(layers, std::span(held_out.inputs).subspan(i * width, width));
        const double target = held_out.targets[i];
        sum += (std::abs(output - target) + softening) / (target + softening);
    }
    return sum / static_cast<double>(held_out.targets.size());
}

}  // namespace

MlpTrainer::MlpTrainer(std::vector<MlpLayer> initial, AdamSettings settings)
    : layers_(std::move(initial)), settings_(settings), values_(layers_.size() + 1) {
    for (const MlpLayer& layer : layers_)
        gradient_.push_back({std::vector<float>(layer.weights.size()), std::vector<float>(layer.bias.size())});
    first_ = gradient_;
    second_ = gradient_;
}

float MlpTrainer::step(std::span<const float> inputs, std::span<const float> targets) {
    for (Slopes& g : gradient_) {
        std::ranges::fill(g.weights, 0.0f);
        std::ranges::fill(g.bias, 0.0f);
    }
    const std::size_t width = layers_.front().inputs;
    const auto count = static_cast<float>(targets.size());
    double loss = 0.0;
    for (std::size_t s = 0; s < targets.size(); ++s) {
        const auto sample = inputs.subspan(s * width, width);
        values_[0].assign(sample.begin(), sample.end());
        for (std::size_t l = 0; l < layers_.size(); ++l) {
            const MlpLayer& layer = layers_[l];
            values_[l + 1].assign(layer.bias.begin(), layer.bias.end());
            for (std::size_t o = 0; o < layer.outputs; ++o) {
                const float* row = layer.weights.data() + o * layer.inputs;
                float sum = 0.0f;
                for (std::size_t i = 0; i < layer.inputs; ++i) sum += row[i] * values_[l][i];
                float& value = values_[l + 1][o];
                value += sum;
                if (l + 1 < layers_.size() && value < 0.0f) value = 0.0f;
            }
        }
        const float error = (targets[s] - values_.back().front()) / targets[s];
        loss += std::abs(error);
        const float sign = error > 0.0f ? 1.0f : error < 0.0f ? -1.0f : 0.0f;
        backward(layers_.size(), -sign / targets[s] / count);
    }
    ++steps_;
    for (std::size_t l = 0; l < layers_.size(); ++l) {
        update(layers_[l].weights, gradient_[l].weights, first_[l].weights, second_[l].weights);
        update(layers_[l].bias, gradient_[l].bias, first_[l].bias, second_[l].bias);
    }
    return static_cast<float>(loss / static_cast<double>(targets.size()));
}

void MlpTrainer::backward(std::size_t sample_layers, float slope) {
    std::vector<float> above{slope};
    for (std::size_t l = sample_layers; l-- > 0;) {
        const MlpLayer& layer = layers_[l];
        std::vector<float> below(layer.inputs, 0.0f);
        for (std::size_t o = 0; o < layer.outputs; ++o) {
            if (above[o] == 0.0f) continue;
            gradient_[l].bias[o] += above[o];
            float* slopes = gradient_[l].weights.data() + o * layer.inputs;
            const float* row = layer.weights.data() + o * layer.inputs;
            for (std::size_t i = 0; i < layer.inputs; ++i) {
                slopes[i] += above[o] * values_[l][i];
                below[i] += above[o] * row[i];
            }
        }
        // Where ReLU gave zero, nothing comes through.
        if (l > 0)
            for (std::size_t i = 0; i < layer.inputs; ++i)
                if (values_[l][i] <= 0.0f) below[i] = 0.0f;
        above = std::move(below);
    }
}

void MlpTrainer::update(std::vector<float>& values, const std::vector<float>& slopes, std::vector<float>& first,
                        std::vector<float>& second) const {
    const auto steps = static_cast<double>(steps_);
    const auto rate = static_cast<float>(settings_.rate / (1.0 - std::pow(settings_.beta1, steps)));
    const auto root = static_cast<float>(std::sqrt(1.0 - std::pow(settings_.beta2, steps)));
    const auto beta1 = static_cast<float>(settings_.beta1), rest1 = static_cast<float>(1.0 - settings_.beta1);
    const auto beta2 = static_cast<float>(settings_.beta2), rest2 = static_cast<float>(1.0 - settings_.beta2);
    const auto epsilon = static_cast<float>(settings_.epsilon);
    const auto decay = static_cast<float>(settings_.weight_decay);
    for (std::size_t i = 0; i < values.size(); ++i) {
        const float slope = slopes[i] + decay * values[i];
        first[i] = beta1 * first[i] + rest1 * slope;
        second[i] = beta2 * second[i] + rest2 * slope * slope;
        values[i] -= rate * (first[i] / (std::sqrt(second[i]) / root + epsilon));
    }
}

Result<TrainedMlp> train(std::vector<std::string> features, std::span<const MlpSample> samples, const MlpTraining& how,
                         const Watch& watch) {
    if (auto problems = unfit(features.size(), samples, how); !problems.empty()) return fail(std::move(problems));
    TrainedMlp result;
    result.mlp.features = std::move(features);
    result.warnings = measure_features(result.mlp, samples);

    Dice dice(how.seed);
    std::vector<MlpLayer> layers{fresh_layer(result.mlp.features.size(), how.width, dice)};
    for (std::size_t i = 0; i < how.hidden_blocks; ++i) layers.push_back(fresh_layer(how.width, how.width, dice));
    layers.push_back(fresh_layer(how.width, 1, dice));
    MlpTrainer trainer(std::move(layers), how.adam);

    std::vector<std::size_t> order(samples.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    dice.shuffle(order);
    const auto share = static_cast<std::size_t>(how.train_share * static_cast<double>(samples.size()));
    const std::size_t trained = std::clamp<std::size_t>(share, 1, samples.size() - 1);
    Batch held_out;
    for (std::size_t i = trained; i < order.size(); ++i) held_out.add(result.mlp, samples[order[i]]);

    double best = std::numeric_limits<double>::infinity();
    std::string said = "Training";
    for (std::int64_t epoch = 0; epoch < how.epochs && !watch.cancel.cancelled(); ++epoch) {
        trainer.set_rate(how.rate_of(epoch));
        dice.shuffle(std::span(order).first(trained));
        MlpEpoch report;
        std::size_t steps = 0;
        for (std::size_t first = 0; first < trained; first += how.batch, ++steps) {
            const double done = static_cast<double>(first) / static_cast<double>(trained);
            watch.progress((static_cast<double>(epoch) + done) / static_cast<double>(how.epochs), said);
            if (watch.cancel.cancelled()) break;
            Batch batch;
            for (std::size_t i = first; i < std::min(trained, first + how.batch); ++i)
                batch.add(result.mlp, samples[order[i]]);
            report.loss += static_cast<double>(trainer.step(batch.inputs, batch.targets));
        }
        if (watch.cancel.cancelled()) break;
        report.loss /= static_cast<double>(steps);
        report.validation_error = validation_error(trainer.layers(), held_out);
        result.epochs.push_back(report);
        if (report.validation_error < best) {
            best = report.validation_error;
            result.best_epoch = result.epochs.size() - 1;
            result.mlp.layers = trainer.layers();
        }
        said = "Epoch " + std::to_string(epoch + 1) + " of " + std::to_string(how.epochs) + ": loss " +
               format_percent(Fraction{report.loss}) + ", validation error " +
               format_percent(Fraction{report.validation_error});
        watch.progress(static_cast<double>(epoch + 1) / static_cast<double>(how.epochs), said);
    }
    const auto whole = static_cast<std::int64_t>(result.epochs.size());
    if (whole == 0) return fail(make_error("The training was given up.", "Start it again."));
    if (whole < how.epochs)
        result.warnings.push_back(make_warning(
            "The training was ended after " + std::to_string(whole) + " of " + std::to_string(how.epochs) + " epochs.",
            "The network is the best so far; train longer to be sure."));
    if (result.mlp.layers.empty())
        return fail(make_error("The training does not stay finite.", "Choose a smaller learning rate."));
    return result;
}

}  // namespace scalescope::habitat
