// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/fit/interpret.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "core/base/decimal.hpp"
#include "core/measure/fit/design.hpp"
#include "core/measure/fit/forms.hpp"

namespace scalescope::measure {

namespace {

bool covers_zero(const Interval& interval, double tolerance) {
    return interval.low <= tolerance && interval.high >= -tolerance;
}

/// One run as two: a factor a little lower, and a little higher; and a third time doubled.
Runs varied(const Runs& run, const std::string& factor, double step) {
    Runs three = rows_of(run, {0, 0, 0});
    for (auto& column : three.columns) {
        if (column.name != factor || column.kind != ColumnKind::numbers) continue;
        column.numbers[0] *= std::exp(-step);
        column.numbers[1] *= std::exp(step);
        column.numbers[2] *= 2.0;
    }
    return three;
}

ConstantFinding finding_of(const Constant& constant, double normalized, double raw, const Bootstrap& boot,
                           std::size_t d, const std::vector<Interval>& intervals) {
    ConstantFinding finding;
    finding.name = constant.shown_name.empty() ? constant.name : constant.shown_name;
    finding.unit = constant.unit;
    finding.given = constant.width() <= 0.0;
    const double near = 1e-6 * constant.width();
    finding.at_bound = !finding.given && (normalized <= constant.low + near || normalized >= constant.high - near);
    finding.value = constant.shown_inverse && raw != 0.0 ? 1.0 / raw : raw;
    if (boot.thetas.empty()) return finding;
    finding.interval = intervals[d];
    double mean = 0.0, spread = 0.0;
    const auto n = static_cast<double>(boot.thetas.size());
    std::vector<double> values;
    for (const auto& theta : boot.thetas) values.push_back(theta[d]);
    for (const double value : values) mean += value / n;
    for (const double value : values) spread += (value - mean) * (value - mean) / n;
    const Interval own{quantile(values, 0.025), quantile(values, 0.975)};
    finding.identified = !finding.given && !covers_zero(own, near) && std::sqrt(spread) <= std::abs(mean);
    if (constant.shown_inverse && intervals[d].low > 0.0)
        finding.interval = {1.0 / intervals[d].high, 1.0 / intervals[d].low};
    return finding;
}

}  // namespace

Runs median_run(const Runs& training) {
    Runs run = rows_of(training, {0});
    run.lines = {0};
    run.held_out = {false};
    run.seconds = {median_of(training.seconds)};
    for (std::size_t c = 0; c < run.columns.size(); ++c) {
        const RunColumn& measured = training.columns[c];
        if (measured.kind == ColumnKind::numbers) {
            run.columns[c].numbers = {median_of(measured.numbers)};
            run.columns[c].words = {shortest_decimal(run.columns[c].numbers[0])};
            continue;
        }
        std::map<std::string, std::size_t> counts;
        for (const auto& word : measured.words) ++counts[word];
        std::size_t most = 0;
        for (const auto& [word, count] : counts) {
            if (count <= most) continue;
            most = count;
            run.columns[c].words = {word};
        }
    }
    return run;
}

Result<Findings> interpret(const Form& form, const std::vector<double>& theta, const Bootstrap& boot,
                           const Runs& training) {
    constexpr double step = 1e-4;
    const Runs middle = median_run(training);
    ASSIGN_OR_RETURN(const auto evaluator, form.bind(middle));
    Findings findings;
    findings.determined = leaves_freedom(training, form);
    Workspace space;
    std::vector<double> seconds(1), slopes(form.size());
    evaluator->slopes(theta, space, seconds, slopes);
    // Every form is linear in scales, levels and offsets: constant times slope is what it contributes.
    std::map<std::string, double> shares;
    const auto raw = form.raw(theta);
    const auto intervals = constant_intervals(form, boot, 0.95);
    for (std::size_t d = 0; d < form.size(); ++d) {
        const Constant& constant = form.constants()[d];
        findings.constants.push_back(finding_of(constant, theta[d], raw[d], boot, d, intervals));
        const double share = theta[d] * slopes[d] / seconds[0];
        if (constant.kind == ConstantKind::scale || constant.kind == ConstantKind::level) {
            if (constant.factor.empty())
                findings.terms.push_back({constant.name, share});
            else
                shares[constant.factor] += share;
        }
        if (constant.kind == ConstantKind::offset) findings.offset_share += share;
    }
    for (const auto& factor : form.factors()) {
        FactorFinding finding;
        finding.factor = factor;
        if (const auto own = shares.find(factor); own != shares.end()) {
            finding.share = own->second;
            finding.own_terms = true;
        }
        const RunColumn* column = training.find(factor);
        finding.numeric = column && column->kind == ColumnKind::numbers;
        for (std::size_t d = 0; d < form.size(); ++d)
            if (form.constants()[d].factor == factor && form.constants()[d].kind == ConstantKind::level &&
                findings.constants[d].identified)
                finding.significant = true;
        if (finding.numeric) {
            const auto [low, high] = std::ranges::minmax_element(column->numbers);
            finding.lowest = *low;
            finding.highest = *high;
            ASSIGN_OR_RETURN(const auto near, form.bind(varied(middle, factor, step)));
            std::vector<double> three(3), elasticities;
            const auto elasticity = [&](const std::vector<double>& constants) {
                near->times(constants, space, three);
                return std::log(three[1] / three[0]) / (2.0 * step);
            };
            for (const auto& refit : boot.thetas) elasticities.push_back(elasticity(refit));
            finding.elasticity = elasticity(theta);
            finding.doubling = three[2] / seconds[0] - 1.0;
            if (!elasticities.empty()) {
                finding.elasticity_interval = {quantile(elasticities, 0.025), quantile(elasticities, 0.975)};
                finding.significant = !covers_zero(finding.elasticity_interval, 1e-9);
            }
        }
        findings.factors.push_back(std::move(finding));
    }
    findings.trade_offs = trade_offs(boot);
    return findings;
}

std::vector<std::vector<std::string>> outside_of_measured(const Form& form, const Runs& training, const Runs& runs) {
    std::vector<std::vector<std::string>> outside(runs.size());
    for (const auto& factor : form.factors()) {
        const RunColumn *measured = training.find(factor), *asked = runs.find(factor);
        if (!measured || !asked || measured->kind != ColumnKind::numbers || asked->kind != ColumnKind::numbers)
            continue;
        const auto [low, high] = std::ranges::minmax_element(measured->numbers);
        for (std::size_t row = 0; row < runs.size(); ++row)
            if (asked->numbers[row] < *low || asked->numbers[row] > *high) outside[row].push_back(factor);
    }
    return outside;
}

}  // namespace scalescope::measure
