// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/fit/design.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>

#include "core/measure/fit/linear.hpp"

namespace scalescope::measure {

std::vector<std::vector<double>> log_features(const Runs& runs, const std::vector<std::string>& factors) {
    std::vector<std::vector<double>> features{std::vector<double>(runs.size(), 1.0)};
    for (const auto& factor : factors) {
        const RunColumn* column = runs.find(factor);
        if (!column) continue;
        if (column->kind == ColumnKind::numbers) {
            if (std::ranges::any_of(column->numbers, [](double x) { return !(x > 0.0); })) continue;
            auto& feature = features.emplace_back();
            for (const double x : column->numbers) feature.push_back(std::log(x));
            continue;
        }
        std::set<std::string> levels;
        for (const std::size_t row : runs.training()) levels.insert(column->words[row]);
        for (auto level = levels.begin(); level != levels.end(); ++level) {
            if (level == levels.begin()) continue;
            auto& feature = features.emplace_back();
            for (const auto& word : column->words) feature.push_back(word == *level ? 1.0 : 0.0);
        }
    }
    return features;
}

namespace {

std::size_t fitted_constants(const Form& form) {
    std::size_t fitted = 0;
    for (const Constant& constant : form.constants()) fitted += constant.width() > 0.0 ? 1 : 0;
    return fitted;
}

/// Runs that differ in a factor.
std::size_t different_runs(const Runs& training, const Form& form) {
    std::set<std::vector<std::string_view>> different;
    const auto factors = form.factors();
    for (std::size_t row = 0; row < training.size(); ++row) different.insert(cells_of(training, factors, row));
    return different.size();
}

}  // namespace

bool leaves_freedom(const Runs& training, const Form& form) {
    const std::size_t fitted = fitted_constants(form);
    return training.size() > fitted && different_runs(training, form) >= fitted;
}

Problems check_design(const Runs& training, const Form& form) {
    Problems warnings;
    const auto warn = [&warnings](std::string what, std::string remedy) {
        warnings.push_back(make_warning(std::move(what), std::move(remedy)));
    };
    const std::size_t fitted = fitted_constants(form), different = different_runs(training, form);
    const std::string enough = "measure at least " + std::to_string(3 * fitted) + ", or take fewer factors";
    if (!leaves_freedom(training, form))
        warn(std::to_string(different) + " different runs for " + std::to_string(fitted) +
                 " constants leave nothing to judge the fit by: none of its constants is determined.",
             enough);
    else if (training.size() < 3 * fitted)
        warn(std::to_string(training.size()) + " runs are few for " + std::to_string(fitted) + " constants.", enough);
    std::vector<std::string> varying;
    for (const auto& factor : form.factors()) {
        const RunColumn* column = training.find(factor);
        if (!column) continue;
        const std::set<std::string> values(column->words.begin(), column->words.end());
        const bool power = std::ranges::any_of(form.constants(), [&factor](const auto& c) {
            return c.kind == ConstantKind::exponent && c.factor == factor && c.width() > 0.0;
        });
        if (values.size() < 2)
            warn("\"" + factor + "\" has the same value in every run that is fitted.",
                 "leave it out: nothing can be learned about it");
        else if (power && column->kind == ColumnKind::numbers && values.size() < 3)
            warn("\"" + factor + "\" has only two values, too few for a power.",
                 "measure a third value, or take it as levels");
        if (values.size() >= 2) varying.push_back(factor);
    }
    Runs copy = training;  // to be seen as wholly fitted
    copy.held_out.assign(copy.size(), false);
    std::vector<std::string> known;
    for (const auto& factor : varying) {
        std::vector<bool> kept;
        known.push_back(factor);
        const auto features = log_features(copy, known);
        if (independent_columns(features, 1e-6, kept) == features.size()) continue;
        known.pop_back();
        warn("\"" + factor + "\" varies only together with the factors before it.",
             "leave it out, or measure runs that vary it by itself");
    }
    return warnings;
}

}  // namespace scalescope::measure
