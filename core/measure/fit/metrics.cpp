// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/fit/metrics.hpp"

#include <algorithm>
#include <cmath>

#include "core/measure/fit/forms.hpp"

namespace scalescope::measure {

FitMetrics metrics_of(std::span<const double> predicted, std::span<const double> measured) {
    FitMetrics metrics;
    metrics.runs = measured.size();
    if (measured.empty()) return metrics;
    const auto n = static_cast<double>(measured.size());
    std::vector<double> errors;
    double mean = 0.0, squares = 0.0, spread = 0.0;
    for (const double t : measured) mean += t / n;
    for (std::size_t k = 0; k < measured.size(); ++k) {
        const double off = predicted[k] - measured[k];
        errors.push_back(std::abs(off) / measured[k]);
        metrics.mean_error += errors.back() / n;
        metrics.within_tenth += errors.back() <= 0.1 ? 1.0 / n : 0.0;
        squares += off * off;
        spread += (measured[k] - mean) * (measured[k] - mean);
    }
    metrics.worst_error = *std::ranges::max_element(errors);
    metrics.median_error = median_of(std::move(errors));
    metrics.root_mean_square = Seconds{std::sqrt(squares / n)};
    metrics.r_squared = spread > 0.0 ? 1.0 - squares / spread : 0.0;
    return metrics;
}

std::vector<bool> beyond_training(const Runs& runs, std::string_view workers) {
    std::vector<bool> beyond(runs.size(), false);
    const RunColumn* column = runs.find(workers);
    if (!column || column->kind != ColumnKind::numbers) return beyond;
    double most = 0.0;
    for (const std::size_t row : runs.training()) most = std::max(most, column->numbers[row]);
    for (std::size_t row = 0; row < runs.size(); ++row) beyond[row] = runs.held_out[row] && column->numbers[row] > most;
    return beyond;
}

SplitMetrics split_metrics(const Runs& runs, std::span<const double> predicted, std::string_view workers) {
    const auto beyond = beyond_training(runs, workers);
    const auto of = [&](const std::vector<std::size_t>& rows) {
        std::vector<double> p, m;
        for (const std::size_t row : rows) {
            p.push_back(predicted[row]);
            m.push_back(runs.seconds[row]);
        }
        return metrics_of(p, m);
    };
    std::vector<std::size_t> far;
    for (std::size_t row = 0; row < runs.size(); ++row)
        if (beyond[row]) far.push_back(row);
    return {of(runs.training()), of(runs.testing()), of(far)};
}

}  // namespace scalescope::measure
