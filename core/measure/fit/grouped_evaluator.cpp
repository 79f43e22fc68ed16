// SPDX-License-Identifier: GPL-3.0-or-later
// The inner loop of every fit. Runs on a grid repeat their factors: each distinct value's power is computed once per
// evaluation and then looked up, x^p = exp(p ln x) with the logarithms computed once and for all.
#include <algorithm>
#include <cmath>
#include <map>

#include "core/measure/fit/grouped_form.hpp"

namespace scalescope::measure {

namespace {

/// A column as distinct values and, for every run, which of them it has.
struct Coded {
    std::vector<double> logs;  ///< of the distinct values, divided by the median; empty for levels
    std::vector<std::uint32_t> index;
};

struct BoundTerm {
    GroupTerm::Kind kind;
    std::size_t scale, exponent;
    const Coded* coded;  ///< none for a base
    std::size_t levels;
};

struct BoundScaling {
    const Coded* coded;
    std::size_t exponent;
};

struct BoundGroup {
    std::vector<BoundTerm> terms;
    std::vector<BoundScaling> scaling;
    std::vector<double> multiplier;  ///< of every run; empty if there is none
};

Problem bind_problem(const Runs& runs, std::size_t row, const std::string& what, const std::string& remedy) {
    Problem problem = make_error(what, remedy);
    problem.at.line = row < runs.lines.size() ? runs.lines[row] : 0;
    return problem;
}

class GroupedEvaluator : public Evaluator {
public:
    std::size_t rows() const override { return rows_; }

    void times(std::span<const double> theta, Workspace& space, std::span<double> seconds) const override {
        double constant = 0.0;
        std::ranges::fill(seconds, 0.0);
        for (const BoundGroup& group : groups_) {
            if (is_constant(group)) {
                constant += theta[group.terms.front().scale];
                continue;
            }
            sum_of(group, theta, space);
            product_of(group, theta, space);
            const double* sum = space.sum.data();
            const double* product = space.product.data();
            double* out = seconds.data();
            for (std::size_t n = 0; n < rows_; ++n) out[n] += sum[n] * product[n];
        }
        if (constant != 0.0)
            for (double& t : seconds) t += constant;
    }

    void slopes(std::span<const double> theta, Workspace& space, std::span<double> seconds,
                std::span<double> slopes) const override {
        std::ranges::fill(seconds, 0.0);
        std::ranges::fill(slopes, 0.0);
        for (const BoundGroup& group : groups_) {
            sum_of(group, theta, space);
            product_of(group, theta, space);
            for (std::size_t n = 0; n < rows_; ++n) seconds[n] += space.sum[n] * space.product[n];
            for (const BoundTerm& term : group.terms) term_slopes(term, theta, space, slopes);
            for (const BoundScaling& scaling : group.scaling) {
                double* out = slopes.data() + scaling.exponent * rows_;
                const Coded& coded = *scaling.coded;
                for (std::size_t n = 0; n < rows_; ++n)
                    out[n] += space.sum[n] * space.product[n] * coded.logs[coded.index[n]];
            }
        }
    }

private:
    friend class EvaluatorBuilder;

    static bool is_constant(const BoundGroup& group) {
        return group.scaling.empty() && group.multiplier.empty() && group.terms.size() == 1 && !group.terms[0].coded;
    }

    /// exp(exponent · log) of every distinct value, times `scale`.
    static const double* powers_of(const Coded& coded, double scale, double exponent, Workspace& space) {
        space.table.resize(std::max(space.table.size(), coded.logs.size()));
        for (std::size_t k = 0; k < coded.logs.size(); ++k) space.table[k] = scale * std::exp(exponent * coded.logs[k]);
        return space.table.data();
    }

    void sum_of(const BoundGroup& group, std::span<const double> theta, Workspace& space) const {
        space.sum.resize(rows_);
        double* sum = space.sum.data();
        bool begun = false;
        double base = 0.0;
        for (const BoundTerm& term : group.terms)
            if (!term.coded) base += theta[term.scale];
        for (const BoundTerm& term : group.terms) {
            if (!term.coded) continue;
            const double* table = nullptr;
            if (term.kind == GroupTerm::Kind::power) {
                table = powers_of(*term.coded, theta[term.scale], theta[term.exponent], space);
            } else {
                space.table.resize(std::max(space.table.size(), term.levels));
                space.table[0] = 0.0;
                for (std::size_t k = 1; k < term.levels; ++k) space.table[k] = theta[term.scale + k - 1];
                table = space.table.data();
            }
            const std::uint32_t* index = term.coded->index.data();
            if (begun)
                for (std::size_t n = 0; n < rows_; ++n) sum[n] += table[index[n]];
            else
                for (std::size_t n = 0; n < rows_; ++n) sum[n] = base + table[index[n]];
            begun = true;
        }
        if (!begun) std::fill_n(sum, rows_, base);
    }

    void product_of(const BoundGroup& group, std::span<const double> theta, Workspace& space) const {
        space.product.resize(rows_);
        double* product = space.product.data();
        bool begun = !group.multiplier.empty();
        if (begun) std::ranges::copy(group.multiplier, space.product.begin());
        for (const BoundScaling& scaling : group.scaling) {
            const double* table = powers_of(*scaling.coded, 1.0, theta[scaling.exponent], space);
            const std::uint32_t* index = scaling.coded->index.data();
            if (begun)
                for (std::size_t n = 0; n < rows_; ++n) product[n] *= table[index[n]];
            else
                for (std::size_t n = 0; n < rows_; ++n) product[n] = table[index[n]];
            begun = true;
        }
        if (!begun) std::fill_n(product, rows_, 1.0);
    }

    void term_slopes(const BoundTerm& term, std::span<const double> theta, Workspace& space,
                     std::span<double> slopes) const {
        const double* product = space.product.data();
        double* scale = slopes.data() + term.scale * rows_;
        if (!term.coded) {
            for (std::size_t n = 0; n < rows_; ++n) scale[n] += product[n];
            return;
        }
        const std::uint32_t* index = term.coded->index.data();
        if (term.kind == GroupTerm::Kind::levels) {
            for (std::size_t n = 0; n < rows_; ++n)
                if (index[n] > 0) scale[(index[n] - 1) * rows_ + n] += product[n];
            return;
        }
        const double* table = powers_of(*term.coded, 1.0, theta[term.exponent], space);
        double* exponent = slopes.data() + term.exponent * rows_;
        for (std::size_t n = 0; n < rows_; ++n) {
            const double power = table[index[n]] * product[n];
            scale[n] += power;
            exponent[n] += theta[term.scale] * power * term.coded->logs[index[n]];
        }
    }

    std::size_t rows_ = 0;
    std::vector<std::unique_ptr<Coded>> coded_;  // pointers into it must last
    std::vector<BoundGroup> groups_;
};

class EvaluatorBuilder {
public:
    EvaluatorBuilder(const GroupedForm& form, const Runs& runs) : form_(form), runs_(runs) {}

    Result<std::unique_ptr<Evaluator>> build() {
        auto made = std::make_unique<GroupedEvaluator>();
        made->rows_ = runs_.size();
        std::vector<const Coded*> powers;
        for (const PowerFactor& factor : form_.powers) powers.push_back(coded_power(factor, *made));
        for (const Group& group : form_.groups) {
            BoundGroup bound;
            for (const GroupTerm& term : group.terms) {
                const Coded* coded = nullptr;
                if (term.kind == GroupTerm::Kind::power) coded = powers[term.power];
                if (term.kind == GroupTerm::Kind::levels) coded = coded_levels(term, *made);
                bound.terms.push_back({term.kind, term.scale, term.exponent, coded, term.levels.size()});
            }
            for (const GroupScaling& scaling : group.scaling)
                bound.scaling.push_back({powers[scaling.power], scaling.exponent});
            if (group.multiplier) bound.multiplier = multiplier(group);
            made->groups_.push_back(std::move(bound));
        }
        if (!problems_.empty()) return fail(std::move(problems_));
        return std::unique_ptr<Evaluator>(std::move(made));
    }

private:
    const std::vector<double>* numbers(const std::string& column) {
        const RunColumn* found = runs_.find(column);
        if (found && found->kind == ColumnKind::numbers) return &found->numbers;
        problems_.push_back(make_error("The runs have no column of numbers \"" + column + "\".",
                                       "choose another factor, or mend the column"));
        return nullptr;
    }

    const Coded* coded_power(const PowerFactor& factor, GroupedEvaluator& made) {
        auto coded = std::make_unique<Coded>();
        std::map<double, std::uint32_t> known;
        if (const auto* values = numbers(factor.column)) {
            for (std::size_t row = 0; row < values->size(); ++row) {
                const double x = (*values)[row];
                if (!(x > 0.0)) {
                    problems_.push_back(bind_problem(runs_, row, "\"" + factor.column + "\" is not above zero here.",
                                                     "leave such runs out, or do not use this column as a power"));
                    break;
                }
                const auto [at, added] = known.emplace(x, static_cast<std::uint32_t>(coded->logs.size()));
                if (added) coded->logs.push_back(std::log(x / factor.median));
                coded->index.push_back(at->second);
            }
        }
        made.coded_.push_back(std::move(coded));
        return made.coded_.back().get();
    }

    const Coded* coded_levels(const GroupTerm& term, GroupedEvaluator& made) {
        auto coded = std::make_unique<Coded>();
        const RunColumn* column = runs_.find(term.column);
        for (std::size_t row = 0; column && row < column->words.size(); ++row) {
            const auto at = std::ranges::find(term.levels, column->words[row]);
            if (at == term.levels.end()) {
                problems_.push_back(bind_problem(
                    runs_, row, "No run of the fit has \"" + column->words[row] + "\" as its " + term.column + ".",
                    "leave this run out, or put one like it among the runs that are fitted"));
                break;
            }
            coded->index.push_back(static_cast<std::uint32_t>(at - term.levels.begin()));
        }
        if (!column)
            problems_.push_back(
                make_error("The runs have no column \"" + term.column + "\".", "choose another factor"));
        made.coded_.push_back(std::move(coded));
        return made.coded_.back().get();
    }

    std::vector<double> multiplier(const Group& group) {
        std::vector<const std::vector<double>*> columns;
        for (const auto& name : group.multiplier->columns) columns.push_back(numbers(name));
        if (std::ranges::find(columns, nullptr) != columns.end()) return {};
        std::vector<double> values(columns.size()), products(runs_.size());
        for (std::size_t row = 0; row < runs_.size(); ++row) {
            for (std::size_t c = 0; c < columns.size(); ++c) values[c] = (*columns[c])[row];
            products[row] = group.multiplier->of(values) / group.multiplier_median;
        }
        return products;
    }

    const GroupedForm& form_;
    const Runs& runs_;
    Problems problems_;
};

}  // namespace

Result<std::unique_ptr<Evaluator>> GroupedForm::bind(const Runs& runs) const {
    return EvaluatorBuilder(*this, runs).build();
}

}  // namespace scalescope::measure
