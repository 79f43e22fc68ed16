// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace scalescope::measure {

/// Solves the symmetric positive definite system `matrix` · x = `right` (n × n, row by row; only the lower half is
/// read) by Cholesky's decomposition. Overwrites both; x stands in `right`. False if the matrix is not positive
/// definite.
bool solve_positive(std::span<double> matrix, std::span<double> right);

/// The number of columns of `columns` (each as long as there are rows) that are independent to `tolerance` of their own
/// length, by Gram and Schmidt, first come first kept. `kept[c]` says which ones they are.
std::size_t independent_columns(std::vector<std::vector<double>> columns, double tolerance, std::vector<bool>& kept);

}  // namespace scalescope::measure
