// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/fit/grouped_form.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/listed.hpp"

namespace scalescope::measure {

namespace {

std::string term_text(const GroupedForm& form, const GroupTerm& term) {
    const auto& constants = form.constants();
    if (term.kind == GroupTerm::Kind::base) return constants[term.scale].name;
    if (term.kind == GroupTerm::Kind::levels) return "d[" + term.column + "]";
    return constants[term.scale].name + "\u00b7" + form.powers[term.power].column + "^" + constants[term.exponent].name;
}

}  // namespace

std::string GroupedForm::expression() const {
    std::vector<std::string> sums;
    for (const Group& group : groups) {
        std::vector<std::string> terms, product;
        for (const auto& term : group.terms) terms.push_back(term_text(*this, term));
        const bool alone = terms.size() == 1;
        const std::string sum = joined(terms, " + ");
        const bool scaled = !group.scaling.empty() || group.multiplier;
        product.push_back(alone || !scaled ? sum : "(" + sum + ")");
        for (const auto& scaling : group.scaling)
            product.push_back(powers[scaling.power].column + "^" + constants_[scaling.exponent].name);
        if (group.multiplier) product.push_back(group.multiplier->text);
        sums.push_back(joined(product, "\u00b7"));
    }
    return "t = " + joined(sums, " + ");
}

std::vector<std::string> GroupedForm::factors() const {
    std::vector<std::string> names;
    const auto add = [&names](const std::string& name) {
        if (std::ranges::find(names, name) == names.end()) names.push_back(name);
    };
    for (const auto& group : groups) {
        for (const auto& term : group.terms) {
            if (term.kind == GroupTerm::Kind::power) add(powers[term.power].column);
            if (term.kind == GroupTerm::Kind::levels) add(term.column);
        }
        for (const auto& scaling : group.scaling) add(powers[scaling.power].column);
        if (group.multiplier)
            for (const auto& column : group.multiplier->columns) add(column);
    }
    return names;
}

std::vector<double> GroupedForm::raw(std::span<const double> theta) const {
    std::vector<double> values(theta.begin(), theta.end());
    for (const Group& group : groups) {
        double shared = 1.0 / group.multiplier_median;
        for (const auto& scaling : group.scaling)
            shared *= std::pow(powers[scaling.power].median, -theta[scaling.exponent]);
        for (const auto& term : group.terms) {
            if (term.kind == GroupTerm::Kind::power)
                values[term.scale] *= shared * std::pow(powers[term.power].median, -theta[term.exponent]);
            else if (term.kind == GroupTerm::Kind::base)
                values[term.scale] *= shared;
            else
                for (std::size_t level = 1; level < term.levels.size(); ++level)
                    values[term.scale + level - 1] *= shared;
        }
    }
    return values;
}

}  // namespace scalescope::measure
