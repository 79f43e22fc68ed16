// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/fit/metrics.hpp"

#include <algorithm>
#include <cmath>

#include "core/measure/fit/design.hpp"
#include "core/measure/fit/linear.hpp"

namespace scalescope::measure {

namespace {

/// exp of a linear function of the features, by least squares of ln t over the runs of the fit.
std::vector<double> log_linear(const Runs& runs, const std::vector<std::vector<double>>& features) {
    const std::size_t size = features.size();
    std::vector<double> matrix(size * size), right(size);
    for (const std::size_t row : runs.training())
        for (std::size_t i = 0; i < size; ++i) {
            right[i] += features[i][row] * std::log(runs.seconds[row]);
            for (std::size_t j = 0; j < size; ++j) matrix[i * size + j] += features[i][row] * features[j][row];
        }
    // So little that it decides only where the features do not.
    for (std::size_t i = 0; i < size; ++i) matrix[i * size + i] *= 1.0 + 1e-10;
    if (!solve_positive(matrix, right)) return {};
    std::vector<double> predicted(runs.size());
    for (std::size_t row = 0; row < runs.size(); ++row) {
        double sum = 0.0;
        for (std::size_t i = 0; i < size; ++i) sum += right[i] * features[i][row];
        predicted[row] = std::exp(sum);
    }
    return predicted;
}

std::vector<double> nearest(const Runs& runs, const std::vector<std::vector<double>>& features) {
    constexpr std::size_t neighbours = 3;
    const auto training = runs.training();
    std::vector<double> weights;
    for (const auto& feature : features) {
        double mean = 0.0, spread = 0.0;
        for (const std::size_t row : training) mean += feature[row];
        mean /= static_cast<double>(training.size());
        for (const std::size_t row : training) spread += (feature[row] - mean) * (feature[row] - mean);
        weights.push_back(spread > 0.0 ? static_cast<double>(training.size()) / spread : 0.0);
    }
    std::vector<double> predicted(runs.size());
    for (std::size_t row = 0; row < runs.size(); ++row) {
        std::vector<std::pair<double, std::size_t>> near;
        for (const std::size_t other : training) {
            if (other == row) continue;  // a run is no neighbour of itself
            double distance = 0.0;
            for (std::size_t f = 0; f < features.size(); ++f) {
                const double apart = features[f][row] - features[f][other];
                distance += weights[f] * apart * apart;
            }
            near.emplace_back(distance, other);
        }
        const std::size_t count = std::min(neighbours, near.size());
        if (count == 0) return {};
        std::partial_sort(near.begin(), near.begin() + static_cast<std::ptrdiff_t>(count), near.end());
        double sum = 0.0;
        for (std::size_t i = 0; i < count; ++i) sum += std::log(runs.seconds[near[i].second]);
        predicted[row] = std::exp(sum / static_cast<double>(count));
    }
    return predicted;
}

}  // namespace

std::vector<Baseline> baselines_of(const Runs& runs, const std::vector<std::string>& factors,
                                   const std::string& workers) {
    std::vector<Baseline> baselines;
    const auto add = [&](std::string name, std::vector<double> predicted) {
        if (predicted.empty()) return;
        const auto metrics = split_metrics(runs, predicted, workers);
        baselines.push_back({std::move(name), std::move(predicted), metrics});
    };
    if (const auto alone = log_features(runs, {workers}); alone.size() == 2)
        add("power law in " + workers, log_linear(runs, alone));
    auto features = log_features(runs, factors);
    if (features.size() < 2) return baselines;
    add("log-linear regression", log_linear(runs, features));
    features.erase(features.begin());  // the constant
    add("nearest runs", nearest(runs, features));
    return baselines;
}

}  // namespace scalescope::measure
