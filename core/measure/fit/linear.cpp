// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/fit/linear.hpp"

#include <cmath>

namespace scalescope::measure {

bool solve_positive(std::span<double> matrix, std::span<double> right) {
    const std::size_t n = right.size();
    for (std::size_t j = 0; j < n; ++j) {
        double diagonal = matrix[j * n + j];
        for (std::size_t k = 0; k < j; ++k) diagonal -= matrix[j * n + k] * matrix[j * n + k];
        if (!(diagonal > 0.0) || !std::isfinite(diagonal)) return false;
        const double root = std::sqrt(diagonal);
        matrix[j * n + j] = root;
        for (std::size_t i = j + 1; i < n; ++i) {
            double entry = matrix[i * n + j];
            for (std::size_t k = 0; k < j; ++k) entry -= matrix[i * n + k] * matrix[j * n + k];
            matrix[i * n + j] = entry / root;
        }
    }
    for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < i; ++k) right[i] -= matrix[i * n + k] * right[k];
        right[i] /= matrix[i * n + i];
    }
    for (std::size_t i = n; i-- > 0;) {
        for (std::size_t k = i + 1; k < n; ++k) right[i] -= matrix[k * n + i] * right[k];
        right[i] /= matrix[i * n + i];
    }
    return true;
}

std::size_t independent_columns(std::vector<std::vector<double>> columns, double tolerance, std::vector<bool>& kept) {
    kept.assign(columns.size(), false);
    std::vector<std::size_t> basis;
    for (std::size_t c = 0; c < columns.size(); ++c) {
        auto& column = columns[c];
        const auto length = [&column] {
            double sum = 0.0;
            for (const double x : column) sum += x * x;
            return std::sqrt(sum);
        };
        const double before = length();
        for (int pass = 0; pass < 2; ++pass) {  // the second removes what rounding left
            for (const std::size_t b : basis) {
                double along = 0.0;
                for (std::size_t n = 0; n < column.size(); ++n) along += column[n] * columns[b][n];
                for (std::size_t n = 0; n < column.size(); ++n) column[n] -= along * columns[b][n];
            }
        }
        const double after = length();
        if (!(after > tolerance * before)) continue;
        for (double& x : column) x /= after;
        kept[c] = true;
        basis.push_back(c);
    }
    return basis.size();
}

}  // namespace scalescope::measure
