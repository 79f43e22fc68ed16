// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/base/problem.hpp"
#include "core/measure/runs/runs.hpp"

/// Forms: expressions for the time of a run with constants to be found. A form is made for the runs that it is fitted
/// to, from which it takes medians, levels and bounds; it is then bound to any runs whose times are wanted.
namespace scalescope::measure {

enum class ConstantKind {
    scale,     ///< seconds that a term contributes where all its factors are at their medians
    level,     ///< seconds that a level of a factor of words adds to what the first level costs
    exponent,  ///< power of a factor
    offset,    ///< seconds that no factor changes
    slope,     ///< a share without a unit
};

/// One number to be found.
struct Constant {
    std::string name;  ///< "a_filters", "p_filters", "q_workers", "C"
    ConstantKind kind = ConstantKind::scale;
    double low = 0.0, high = 0.0;  ///< bounds; equal for a constant that is given, not fitted
    std::string factor{};          ///< the column it belongs to; empty if none
    bool shown_inverse = false;    ///< people want 1 / raw: a rate, not a time
    std::string shown_name{};      ///< what people call it: "peak"; empty: as `name`
    std::string unit{};            ///< of what is shown; empty: as it is

    double width() const { return high - low; }
};

/// Room for intermediate results, one for each thread; grown by whoever uses it.
struct Workspace {
    std::vector<double> table, sum, product, part;
};

/// A form bound to runs, ready to be evaluated very often. Immutable, so that threads may share it.
class Evaluator {
public:
    virtual ~Evaluator() = default;
    virtual std::size_t rows() const = 0;
    /// Seconds of every run for the constants `theta`.
    virtual void times(std::span<const double> theta, Workspace& space, std::span<double> seconds) const = 0;
    /// The same, and the derivative of run n's time by constant d at `slopes[d * rows() + n]`.
    virtual void slopes(std::span<const double> theta, Workspace& space, std::span<double> seconds,
                        std::span<double> slopes) const = 0;
};

class Form {
public:
    virtual ~Form() = default;
    const std::vector<Constant>& constants() const { return constants_; }
    std::vector<Constant>& constants() { return constants_; }
    std::size_t size() const { return constants_.size(); }
    /// The expression with the names of its constants, for people.
    virtual std::string expression() const = 0;
    /// A run with a level that no run of the fit had is a problem, and so is a factor that is not positive.
    virtual Result<std::unique_ptr<Evaluator>> bind(const Runs& runs) const = 0;
    /// The constants without normalization, so that the expression holds for the factors as they stand in the table.
    virtual std::vector<double> raw(std::span<const double> theta) const = 0;
    /// Columns that are factors, in the order of the choice.
    virtual std::vector<std::string> factors() const = 0;

protected:
    std::vector<Constant> constants_;
};

}  // namespace scalescope::measure
