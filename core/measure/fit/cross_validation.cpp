// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/fit/cross_validation.hpp"

#include "core/measure/fit/least_squares.hpp"
#include "core/measure/fit/random.hpp"

namespace scalescope::measure {

std::vector<LambdaScore> cross_validate(const Form& form, const Runs& training, const CostRules& rules,
                                        std::uint64_t seed, const Watch& watch) {
    constexpr std::size_t folds = 5;
    if (training.size() < 2 * folds) return {};
    std::vector<LambdaScore> scores = {{0.0, 0.0}, {1e-5, 0.0}, {1e-4, 0.0}, {1e-3, 0.0}};
    const auto order = Draws(seed, {0xf01d}).permutation(training.size());
    Workspace space;
    for (std::size_t fold = 0; fold < folds; ++fold) {
        std::vector<std::size_t> fitted, left;
        for (std::size_t i = 0; i < order.size(); ++i) (i % folds == fold ? left : fitted).push_back(order[i]);
        const Runs known = rows_of(training, fitted), unknown = rows_of(training, left);
        const auto from = form.bind(known), to = form.bind(unknown);
        if (!from || !to) return {};
        for (LambdaScore& score : scores) {
            if (watch.cancel.cancelled()) return {};
            CostRules weighed = rules;
            weighed.l2 *= score.lambda;
            weighed.l1 *= score.lambda;
            MultistartOptions starts;
            starts.seed = seed;
            const auto found =
                multistart(Objective(**from, form.constants(), known.seconds, weighed), starts, {{}, watch.cancel});
            const Objective judge(**to, form.constants(), unknown.seconds, weighed);
            for (const double r : judge.residuals(found.theta, space))
                score.loss += loss_of(weighed, r) / static_cast<double>(training.size());
        }
    }
    return scores;
}

}  // namespace scalescope::measure
