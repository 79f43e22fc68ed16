// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/operators/correction.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/measure/fit/forms.hpp"
#include "core/measure/fit/linear.hpp"

namespace scalescope::operators {
namespace {

const double largest = std::log(2.0);    ///< part of the slopes, and level of a device nobody measured, either way
constexpr double fade = 0.5;             ///< of the seen width: so far beyond it nothing of the slopes is left
constexpr int passes = 15;               ///< of re-weighting
constexpr double least_residual = 0.05;  ///< weights are 1/max(|residual|, this)
constexpr std::size_t few = 12;          ///< samples with which slopes are not tried
constexpr std::size_t parts = 5;         ///< of a cross-validation
constexpr double alone = std::numeric_limits<double>::infinity();
constexpr std::array<double, 6> ridges{0.1, 1, 10, 100, 1000, alone};

double residual_of(const Sample& s) { return s.log_seconds - s.features.log_base; }

double linear_part(const Features& f, const Correction& c) {
    double sum = 0.0;
    for (std::size_t i = 1; i < c.slope.size(); ++i) sum += c.slope[i] * (f.values[i] - c.mean[i]) / c.scale[i];
    return sum;
}

void standardise(std::span<const Sample* const> samples, Correction& c) {
    const std::size_t count = samples.front()->features.count;
    const double n = static_cast<double>(samples.size());
    c.mean.assign(count, 0.0);
    c.scale.assign(count, 1.0);
    c.low.assign(count, 0.0);
    c.high.assign(count, 0.0);
    c.slope.assign(count, 0.0);
    for (std::size_t i = 0; i < count; ++i) {
        double low = alone, high = -alone, sum = 0.0, squares = 0.0;
        for (const Sample* s : samples) {
            const double x = s->features.values[i];
            low = std::min(low, x);
            high = std::max(high, x);
            sum += x;
        }
        c.mean[i] = sum / n;
        for (const Sample* s : samples) squares += std::pow(s->features.values[i] - c.mean[i], 2);
        const double deviation = std::sqrt(squares / n);
        if (deviation > 1e-9 * std::max(1.0, std::abs(c.mean[i]))) c.scale[i] = deviation;
        c.low[i] = low;
        c.high[i] = high;
    }
}

/// Middles of the devices' values.
std::vector<double> device_middles(std::span<const Sample* const> samples, std::span<const double> values) {
    std::vector<std::vector<double>> by_device;
    for (std::size_t r = 0; r < samples.size(); ++r) {
        if (samples[r]->device >= by_device.size()) by_device.resize(samples[r]->device + 1);
        by_device[samples[r]->device].push_back(values[r]);
    }
    std::vector<double> middles;
    for (auto& of_one : by_device) middles.push_back(measure::median_of(std::move(of_one)));
    return middles;
}

/// What is to be expected of one more device: the mean of the others, drawn to 0 as far as it could be chance.
double level_elsewhere(const std::vector<double>& levels) {
    const double n = static_cast<double>(levels.size());
    const double mean = std::accumulate(levels.begin(), levels.end(), 0.0) / n;
    if (levels.size() < 2 || mean == 0.0) return std::clamp(0.5 * mean, -largest, largest);
    double squares = 0.0;
    for (const double level : levels) squares += (level - mean) * (level - mean);
    const double chance = squares / (n - 1.0) / n;
    return std::clamp(mean * std::max(0.0, 1.0 - chance / (mean * mean)), -largest, largest);
}

/// Slopes by re-weighted least squares of what the devices' levels leave.
void fit_slopes(std::span<const Sample* const> samples, std::span<const double> left, Correction& c) {
    const std::size_t size = c.slope.size();  // the first feature is 1
    std::vector<double> x(samples.size() * size), weight(samples.size(), 1.0), matrix(size * size), right(size);
    for (std::size_t r = 0; r < samples.size(); ++r)
        for (std::size_t i = 0; i < size; ++i)
            x[r * size + i] = i == 0 ? 1.0 : (samples[r]->features.values[i] - c.mean[i]) / c.scale[i];
    for (int pass = 0; pass < passes; ++pass) {
        std::ranges::fill(matrix, 0.0);
        std::ranges::fill(right, 0.0);
        for (std::size_t r = 0; r < samples.size(); ++r) {
            const double* row = &x[r * size];
            for (std::size_t i = 0; i < size; ++i) {
                const double weighted = weight[r] * row[i];
                right[i] += weighted * left[r];
                for (std::size_t j = 0; j <= i; ++j) matrix[i * size + j] += weighted * row[j];
            }
        }
        for (std::size_t i = 0; i < size; ++i) matrix[i * size + i] += i == 0 ? 1e-6 : c.ridge;
        if (!measure::solve_positive(matrix, right)) break;  // the last solution stays
        for (std::size_t i = 1; i < size; ++i) c.slope[i] = right[i];
        for (std::size_t r = 0; r < samples.size(); ++r) {
            double fitted = 0.0;
            for (std::size_t i = 0; i < size; ++i) fitted += x[r * size + i] * right[i];
            weight[r] = 1.0 / std::max(std::abs(left[r] - fitted), least_residual);
        }
    }
}

Correction solved(std::span<const Sample* const> samples, double ridge) {
    Correction c;
    c.points = samples.size();
    c.ridge = ridge;
    standardise(samples, c);
    std::vector<double> residuals;
    for (const Sample* s : samples) residuals.push_back(residual_of(*s));
    c.levels = device_middles(samples, residuals);
    if (std::isfinite(ridge)) {
        std::vector<double> left(residuals.size());
        for (std::size_t r = 0; r < left.size(); ++r) left[r] = residuals[r] - c.levels[samples[r]->device];
        fit_slopes(samples, left, c);
        for (std::size_t r = 0; r < left.size(); ++r) left[r] = residuals[r] - linear_part(samples[r]->features, c);
        c.levels = device_middles(samples, left);
    }
    c.level = level_elsewhere(c.levels);
    return c;
}

double log_error(const Sample& s, const Correction& c) {
    const double level = s.device < c.levels.size() ? c.levels[s.device] : c.level;
    return s.log_seconds - std::log(corrected(s.features, c, level).time.value);
}

/// ln(measured/predicted) of every sample by a fit without its part.
std::vector<double> left_out(std::span<const Sample* const> samples, double ridge) {
    std::vector<double> errors;
    std::vector<const Sample*> in;
    for (std::size_t part = 0; part < parts; ++part) {
        in.clear();
        for (std::size_t r = 0; r < samples.size(); ++r)
            if (r % parts != part) in.push_back(samples[r]);
        const Correction c = solved(in, ridge);
        for (std::size_t r = part; r < samples.size(); r += parts) errors.push_back(log_error(*samples[r], c));
    }
    return errors;
}

double mean_size(const std::vector<double>& errors) {
    double sum = 0.0;
    for (const double e : errors) sum += std::abs(e);
    return sum / static_cast<double>(errors.size());
}

double deviation_of(const std::vector<double>& errors) {
    double sum = 0.0;
    for (const double e : errors) sum += e * e;
    return std::sqrt(sum / static_cast<double>(errors.size()));
}

}  // namespace

Correction levels_of(std::span<const Sample> samples) {
    std::vector<const Sample*> all;
    for (const Sample& s : samples) all.push_back(&s);
    Correction c;
    if (all.empty()) return c;
    c = solved(all, alone);
    std::vector<double> errors;
    for (const Sample& s : samples) errors.push_back(log_error(s, c));
    c.deviation = deviation_of(errors);
    return c;
}

Result<Correction> fit_correction(std::span<const Sample> samples) {
    if (samples.empty())
        return fail(make_error("There is no measured time to correct the model by.", "add rows of measured operators"));
    if (samples.size() < few) return levels_of(samples);
    std::vector<const Sample*> all;
    for (const Sample& s : samples) all.push_back(&s);
    double best = alone;
    std::vector<double> errors;
    for (const double ridge : ridges) {
        auto tried = left_out(all, ridge);
        if (!errors.empty() && mean_size(tried) >= mean_size(errors)) continue;
        errors = std::move(tried);
        best = ridge;
    }
    Correction c = solved(all, best);
    c.deviation = deviation_of(errors);
    return c;
}

Corrected corrected(const Features& f, const Correction& c, double level) {
    double beyond = 0.0;
    for (std::size_t i = 1; i < c.slope.size(); ++i) {
        const double width = c.high[i] - c.low[i];
        const double out = std::max(c.low[i] - f.values[i], f.values[i] - c.high[i]);
        if (out > 1e-9) beyond = std::max(beyond, width > 0.0 ? out / width : 1.0);
    }
    const double kept = std::max(0.0, 1.0 - beyond / fade);
    const double slopes = kept > 0.0 ? std::clamp(kept * linear_part(f, c), -largest, largest) : 0.0;
    return {Seconds{std::exp(f.log_base + level + slopes)}, beyond == 0.0};
}

Errors errors_of(std::vector<double> absolute) {
    Errors errors;
    errors.points = absolute.size();
    if (absolute.empty()) return errors;
    errors.mean = std::accumulate(absolute.begin(), absolute.end(), 0.0) / static_cast<double>(absolute.size());
    errors.median = measure::median_of(std::move(absolute));
    return errors;
}

}  // namespace scalescope::operators
