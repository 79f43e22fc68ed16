// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/fit/cost.hpp"

#include <algorithm>
#include <cmath>

namespace scalescope::measure {

namespace {

/// Where |r| has its corner, the weight of a residual is bounded.
constexpr double corner = 1e-7;

double weight_of(const CostRules& rules, double residual) {
    const double size = std::abs(residual);
    switch (rules.loss) {
        case Loss::squared: return 1.0;
        case Loss::huber: return size <= rules.huber_delta ? 1.0 : rules.huber_delta / size;
        case Loss::absolute: return 0.5 / std::max(size, corner);
    }
    return 1.0;
}

}  // namespace

double loss_of(const CostRules& rules, double residual) {
    const double size = std::abs(residual);
    switch (rules.loss) {
        case Loss::squared: return residual * residual;
        case Loss::huber:
            return size <= rules.huber_delta ? residual * residual
                                             : rules.huber_delta * (2.0 * size - rules.huber_delta);
        case Loss::absolute: return size;
    }
    return 0.0;
}

Objective::Objective(const Evaluator& evaluator, const std::vector<Constant>& constants,
                     const std::vector<double>& seconds, const CostRules& rules)
    : evaluator_(&evaluator), constants_(&constants), rules_(rules) {
    for (const double t : seconds) inverse_.push_back(1.0 / t);
    for (const Constant& constant : constants)
        inverse_widths_.push_back(constant.width() > 0.0 ? 1.0 / constant.width() : 0.0);
}

double Objective::penalty(std::span<const double> theta) const {
    if (rules_.l2 == 0.0 && rules_.l1 == 0.0) return 0.0;
    double squares = 0.0, sizes = 0.0;
    for (std::size_t d = 0; d < theta.size(); ++d) {
        const double share = theta[d] * inverse_widths_[d];
        squares += share * share;
        sizes += std::abs(share);
    }
    return (rules_.l2 * squares + rules_.l1 * sizes) / static_cast<double>(theta.size());
}

double Objective::cost(std::span<const double> theta, Workspace& space) const {
    const std::size_t n = rows();
    space.part.resize(n);
    evaluator_->times(theta, space, space.part);
    const double* seconds = space.part.data();
    const double* inverse = inverse_.data();
    double sum = 0.0;
    if (rules_.loss == Loss::squared) {
        for (std::size_t k = 0; k < n; ++k) {
            const double r = seconds[k] * inverse[k] - 1.0;
            sum += r * r;
        }
    } else {
        for (std::size_t k = 0; k < n; ++k) sum += loss_of(rules_, seconds[k] * inverse[k] - 1.0);
    }
    const double cost = sum / static_cast<double>(n) + penalty(theta);
    return std::isfinite(cost) ? cost : HUGE_VAL;
}

double Objective::linearize(std::span<const double> theta, Workspace& space, std::span<double> gradient,
                            std::span<double> matrix) const {
    const std::size_t n = rows(), size = theta.size();
    std::vector<double> seconds(n), slopes(n * size), weights(n);
    evaluator_->slopes(theta, space, seconds, slopes);
    double sum = 0.0;
    for (std::size_t k = 0; k < n; ++k) {
        const double r = seconds[k] * inverse_[k] - 1.0;
        sum += loss_of(rules_, r);
        weights[k] = weight_of(rules_, r);
        seconds[k] = r;
    }
    for (std::size_t d = 0; d < size; ++d)
        for (std::size_t k = 0; k < n; ++k) slopes[d * n + k] *= inverse_[k];
    const double share = 2.0 / static_cast<double>(n);
    for (std::size_t d = 0; d < size; ++d) {
        const double* left = slopes.data() + d * n;
        double along = 0.0;
        for (std::size_t k = 0; k < n; ++k) along += weights[k] * seconds[k] * left[k];
        gradient[d] = share * along;
        for (std::size_t e = 0; e <= d; ++e) {
            const double* right = slopes.data() + e * n;
            double product = 0.0;
            for (std::size_t k = 0; k < n; ++k) product += weights[k] * left[k] * right[k];
            matrix[d * size + e] = matrix[e * size + d] = share * product;
        }
    }
    const double each = 1.0 / static_cast<double>(size);
    for (std::size_t d = 0; d < size; ++d) {
        const double scale = inverse_widths_[d], value = theta[d] * scale;
        gradient[d] += 2.0 * each * rules_.l2 * value * scale;
        matrix[d * size + d] += 2.0 * each * rules_.l2 * scale * scale;
        if (value != 0.0) gradient[d] += each * rules_.l1 * scale * (value > 0.0 ? 1.0 : -1.0);
        matrix[d * size + d] += each * rules_.l1 * scale * scale / std::max(std::abs(value), corner);
    }
    const double cost = sum / static_cast<double>(n) + penalty(theta);
    return std::isfinite(cost) ? cost : HUGE_VAL;
}

std::vector<double> Objective::residuals(std::span<const double> theta, Workspace& space) const {
    std::vector<double> values(rows());
    evaluator_->times(theta, space, values);
    for (std::size_t k = 0; k < values.size(); ++k) values[k] = values[k] * inverse_[k] - 1.0;
    return values;
}

}  // namespace scalescope::measure
