// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/fit/forms.hpp"

#include <algorithm>
#include <cstdint>

#include "core/base/format.hpp"

namespace scalescope::measure {

namespace {

class TiersEvaluator : public Evaluator {
public:
    TiersEvaluator(std::vector<std::uint32_t> tier, std::vector<double> more_threads, std::size_t tiers)
        : tier_(std::move(tier)), more_(std::move(more_threads)), tiers_(tiers) {}

    std::size_t rows() const override { return tier_.size(); }

    void times(std::span<const double> theta, Workspace&, std::span<double> seconds) const override {
        for (std::size_t n = 0; n < tier_.size(); ++n) {
            const double own = theta[tier_[n]] * (1.0 + theta[tiers_] * more_[n]);
            seconds[n] = tier_[n] + 1 == tiers_ ? std::max(own, theta[tiers_ + 1] * (more_[n] + 1.0)) : own;
        }
    }

    void slopes(std::span<const double> theta, Workspace& space, std::span<double> seconds,
                std::span<double> slopes) const override {
        const std::size_t n_rows = tier_.size();
        times(theta, space, seconds);
        std::ranges::fill(slopes, 0.0);
        for (std::size_t n = 0; n < n_rows; ++n) {
            const double contention = 1.0 + theta[tiers_] * more_[n];
            if (tier_[n] + 1 == tiers_ && theta[tiers_ + 1] * (more_[n] + 1.0) > theta[tier_[n]] * contention) {
                slopes[(tiers_ + 1) * n_rows + n] = more_[n] + 1.0;
                continue;
            }
            slopes[tier_[n] * n_rows + n] = contention;
            slopes[tiers_ * n_rows + n] = theta[tier_[n]] * more_[n];
        }
    }

private:
    std::vector<std::uint32_t> tier_;
    std::vector<double> more_;  ///< threads − 1
    std::size_t tiers_;
};

class TiersForm : public Form {
public:
    explicit TiersForm(const FormChoice& choice) : choice_(choice), tiers_(choice.tier_ends.size() + 1) {}

    std::string expression() const override {
        return "t = base[" + choice_.working_set + "]\u00b7(1 + kappa\u00b7(" + choice_.workers +
               " \u2212 1)), in the last tier at least " + format_number(choice_.tier_bytes) + " B\u00b7" +
               choice_.workers + "/bandwidth";
    }
    std::vector<double> raw(std::span<const double> theta) const override {
        std::vector<double> values(theta.begin(), theta.end());
        values[tiers_ + 1] /= choice_.tier_bytes;  // seconds for one byte; shown as bytes per second
        return values;
    }
    std::vector<std::string> factors() const override { return {choice_.working_set, choice_.workers}; }

    Result<std::unique_ptr<Evaluator>> bind(const Runs& runs) const override {
        const RunColumn* sizes = runs.find(choice_.working_set);
        const RunColumn* threads = runs.find(choice_.workers);
        for (const auto& [column, name] :
             {std::pair{sizes, &choice_.working_set}, std::pair{threads, &choice_.workers}})
            if (!column || column->kind != ColumnKind::numbers) return fail(needs_numbers(runs, *name));
        std::vector<std::uint32_t> tier;
        std::vector<double> more;
        for (std::size_t row = 0; row < runs.size(); ++row) {
            std::uint32_t at = 0;
            while (at < choice_.tier_ends.size() && sizes->numbers[row] > choice_.tier_ends[at]) ++at;
            tier.push_back(at);
            more.push_back(threads->numbers[row] - 1.0);
        }
        return std::unique_ptr<Evaluator>(std::make_unique<TiersEvaluator>(std::move(tier), std::move(more), tiers_));
    }

private:
    FormChoice choice_;
    std::size_t tiers_;
};

}  // namespace

Result<std::unique_ptr<Form>> make_tiers_form(const FormChoice& choice, const Runs& runs) {
    auto form = std::make_unique<TiersForm>(choice);
    if (!std::ranges::is_sorted(choice.tier_ends))
        return fail(make_error("The ends of the tiers do not grow.", "give the smallest first"));
    if (auto bound = form->bind(runs); !bound) return fail(bound.error());
    const double typical = median_of(runs.seconds);
    const std::size_t tiers = choice.tier_ends.size() + 1;
    for (std::size_t t = 0; t < tiers; ++t) {
        Constant constant{"base_" + std::to_string(t + 1), ConstantKind::scale, 0.0, 10.0 * typical, ""};
        constant.unit = "s";
        constant.factor = choice.working_set;
        form->constants().push_back(constant);
    }
    form->constants().push_back({"kappa", ConstantKind::slope, 0.0, 1.0, choice.workers});
    Constant memory{"memory", ConstantKind::scale, 0.0, typical, choice.workers};
    memory.shown_inverse = true;
    memory.shown_name = "bandwidth";
    memory.unit = "B/s";
    form->constants().push_back(memory);
    return std::unique_ptr<Form>(std::move(form));
}

}  // namespace scalescope::measure
