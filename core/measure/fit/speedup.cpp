// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <map>
#include <set>

#include "core/measure/fit/interpret.hpp"

namespace scalescope::measure {

namespace {

/// The run at one worker and then at each of `workers`. A batch that does not follow from the form's own factors stays.
Runs over_workers(const Runs& run, const std::vector<double>& workers, const std::string& column) {
    Runs many = rows_of(run, std::vector<std::size_t>(workers.size() + 1, 0));
    for (auto& c : many.columns) {
        if (c.name != column) continue;
        c.numbers.assign(1, 1.0);
        c.numbers.insert(c.numbers.end(), workers.begin(), workers.end());
    }
    return many;
}

std::vector<std::string> factors_beside(const Form& form, const std::string& column) {
    auto factors = form.factors();
    std::erase(factors, column);
    return factors;
}

}  // namespace

Result<SpeedupCurve> speedup_curve(const Form& form, const std::vector<double>& theta, const Bootstrap& boot,
                                   const Runs& training, const Runs& run, const std::vector<double>& workers,
                                   const std::string& column) {
    const RunColumn* measured = training.find(column);
    const auto factors = form.factors();
    const auto is_factor = [&factors](std::string_view name) {
        return std::ranges::find(factors, name) != factors.end();
    };
    if (!measured || measured->kind != ColumnKind::numbers || !is_factor(column))
        return fail(
            make_error("\"" + column + "\" is no factor of this fit, so there is no speedup.", "make it a factor"));
    ASSIGN_OR_RETURN(const auto evaluator, form.bind(over_workers(run, workers, column)));
    SpeedupCurve curve;
    curve.of_throughput = is_factor("batch_per_worker") && !is_factor("batch_size");
    Workspace space;
    std::vector<double> seconds(workers.size() + 1);
    std::vector<std::vector<double>> speedups(workers.size()), times(workers.size());
    const auto speedup = [&](std::size_t i) {
        return seconds[0] / seconds[i + 1] * (curve.of_throughput ? workers[i] : 1.0);
    };
    for (const auto& refit : boot.thetas) {
        evaluator->times(refit, space, seconds);
        for (std::size_t i = 0; i < workers.size(); ++i) {
            speedups[i].push_back(speedup(i));
            times[i].push_back(seconds[i + 1]);
        }
    }
    evaluator->times(theta, space, seconds);
    const auto [low, high] = std::ranges::minmax_element(measured->numbers);
    for (std::size_t i = 0; i < workers.size(); ++i) {
        SpeedupPoint point{workers[i], Seconds{seconds[i + 1]}, speedup(i), speedup(i) / workers[i], {}, {}, false};
        if (!speedups[i].empty()) {
            point.speedup_interval = {quantile(speedups[i], 0.05), quantile(speedups[i], 0.95)};
            point.time_interval = {quantile(times[i], 0.05), quantile(times[i], 0.95)};
        }
        point.extrapolated = workers[i] < *low || workers[i] > *high;
        curve.points.push_back(point);
    }
    for (std::size_t d = 0; d < form.size(); ++d)
        if (form.constants()[d].kind == ConstantKind::offset) curve.floor += theta[d] / seconds[0];
    return curve;
}

std::vector<std::size_t> runs_over(const Form& form, const Runs& runs, std::size_t row, const std::string& column) {
    const auto others = factors_beside(form, column);
    const auto cells = cells_of(runs, others, row);
    std::vector<std::size_t> alike;
    for (std::size_t other = 0; other < runs.size(); ++other)
        if (cells_of(runs, others, other) == cells) alike.push_back(other);
    return alike;
}

std::size_t most_varied_run(const Form& form, const Runs& runs, const std::string& column) {
    std::map<std::vector<std::string_view>, std::pair<std::size_t, std::set<std::string_view>>> groups;
    const auto others = factors_beside(form, column);
    const RunColumn* varied = runs.find(column);
    std::size_t best = 0, most = 0;
    for (std::size_t row = 0; row < runs.size() && varied; ++row) {
        auto& [first, counts] =
            groups.try_emplace(cells_of(runs, others, row), row, std::set<std::string_view>{}).first->second;
        counts.insert(varied->words[row]);
        if (counts.size() > most || (counts.size() == most && first < best)) {
            most = counts.size();
            best = first;
        }
    }
    return best;
}

}  // namespace scalescope::measure
