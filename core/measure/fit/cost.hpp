// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "core/measure/fit/form.hpp"

namespace scalescope::measure {

enum class Loss {
    squared,   ///< r²
    huber,     ///< r² up to δ, then 2δ|r| − δ²: outliers pull less
    absolute,  ///< |r|
};

/// What is made small: J(θ) = mean of ρ((t̂ − t)/t) + λ2·mean((θ/s)²) + λ1·mean(|θ|/s), s the width of a constant's
/// bounds (spec of the generic model, section 2). Constants that are given have no width and no penalty.
struct CostRules {
    Loss loss = Loss::squared;
    double huber_delta = 0.15;
    double l2 = 0.0;
    double l1 = 0.0;
};

double loss_of(const CostRules& rules, double residual);

class Objective {
public:
    /// `evaluator` and the constants must outlive it; `seconds` are the measured times, all positive.
    Objective(const Evaluator& evaluator, const std::vector<Constant>& constants, const std::vector<double>& seconds,
              const CostRules& rules);

    std::size_t size() const { return constants_->size(); }
    std::size_t rows() const { return inverse_.size(); }
    const std::vector<Constant>& constants() const { return *constants_; }

    double cost(std::span<const double> theta, Workspace& space) const;
    /// The cost, its gradient and the Gauss-Newton matrix (n × n, row by row) with residuals weighted by ρ'(r)/(2r), so
    /// that the gradient is exact wherever the cost has one.
    double linearize(std::span<const double> theta, Workspace& space, std::span<double> gradient,
                     std::span<double> matrix) const;
    /// (t̂ − t)/t of every run.
    std::vector<double> residuals(std::span<const double> theta, Workspace& space) const;

private:
    double penalty(std::span<const double> theta) const;

    const Evaluator* evaluator_;
    const std::vector<Constant>* constants_;
    std::vector<double> inverse_;         ///< 1/t
    std::vector<double> inverse_widths_;  ///< 1/s; 0 for a constant that is given
    CostRules rules_;
};

}  // namespace scalescope::measure
