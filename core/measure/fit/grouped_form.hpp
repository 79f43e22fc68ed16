// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/measure/fit/form.hpp"

namespace scalescope::measure {

/// What a group of terms is multiplied with beside its factors: a function of the run without constants of its own.
struct Multiplier {
    std::string text;                  ///< for the expression: "(1 − 1/workers)"
    std::vector<std::string> columns;  ///< what it reads, all of them numbers
    double (*of)(std::span<const double> values) = nullptr;
};

/// A numeric factor: x^p, x divided by its median over the runs of the fit.
struct PowerFactor {
    std::string column;
    double median = 1.0;
};

struct GroupTerm {
    enum class Kind { power, levels, base } kind = Kind::base;
    std::size_t scale = 0;     ///< constant; of levels the constant of the second level, the others follow
    std::size_t exponent = 0;  ///< constant
    std::size_t power = 0;     ///< index of the PowerFactor
    std::string column;        ///< of levels
    std::vector<std::string> levels;
};

struct GroupScaling {
    std::size_t power = 0;
    std::size_t exponent = 0;
};

/// (sum of terms) · product of powers · multiplier
struct Group {
    std::vector<GroupTerm> terms;
    std::vector<GroupScaling> scaling;
    std::optional<Multiplier> multiplier;
    double multiplier_median = 1.0;
};

/// t = Σ over groups of (Σ a·x^p + levels + base) · Π E^q · m(run): the product form, the two-term form and the
/// physical form are all of this shape, so that one evaluator serves them. See docs/decisions/fitting.md.
class GroupedForm : public Form {
public:
    std::string expression() const override;
    Result<std::unique_ptr<Evaluator>> bind(const Runs& runs) const override;
    std::vector<double> raw(std::span<const double> theta) const override;
    std::vector<std::string> factors() const override;

    /// For whoever builds one (forms.cpp).
    std::vector<PowerFactor> powers;
    std::vector<Group> groups;
};

}  // namespace scalescope::measure
