// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/validate/validate.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "core/base/format.hpp"
#include "core/estimate/estimate.hpp"
#include "core/estimate/memory.hpp"
#include "core/measure/validate/division.hpp"

namespace scalescope::measure {

namespace {

/// At the peaks of the data sheet, all traffic behind arithmetic.
Scenario plain_roofline(Scenario s) {
    s.model.compute = s.model.memory = Fraction{1};
    s.model.overlap_memory = true;
    s.model.launch = Seconds{0};
    s.model.convolution = ConvolutionAlgorithm::gemm;
    return s;
}

std::string why_not(const Problems& problems) {
    return problems.empty() ? std::string("It cannot be predicted.") : problems.front().what;
}

class Validator {
public:
    Validator(const std::vector<PublishedRow>& rows, const formats::Library& library, const Profiles& profiles,
              const ValidateOptions& options, const Watch& watch)
        : rows_(rows), resolver_(library, profiles), options_(options), watch_(watch), computed_(computed_rows(rows)) {}

    Result<Validation> run() {
        for (const PublishedRow& row : rows_) {
            if (!going(0.0, 0.3)) return cancelled();
            resolved_.push_back(resolver_.resolve(row));
            divide_if_needed(row, resolved_.back());
            if (options_.model == ValidationModel::roofline && resolved_.back().scenario)
                resolved_.back().scenario = plain_roofline(std::move(*resolved_.back().scenario));
        }
        settle_counted_flops();
        const bool halves = options_.calibrate == Calibrate::split || options_.calibrate == Calibrate::device;
        if (halves && !learn_halves()) return cancelled();
        done_ = 0;
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            if (!going(halves ? 0.6 : 0.3, 1.0)) return cancelled();
            validation_.rows.push_back(predicted(i));
        }
        validation_.groups = summarise(validation_.rows);
        validation_.reasons = reasons_of(validation_.rows);
        for (const ValidatedRow& row : validation_.rows)
            if (row.predicted) ++validation_.assumptions[row.assumed.size()];
        return std::move(validation_);
    }

private:
    bool going(double from, double to) {
        const double share = static_cast<double>(done_++) / static_cast<double>(rows_.size());
        watch_.progress(from + (to - from) * share, "Predicting published rows");
        return !watch_.cancel.cancelled();
    }
    static tl::unexpected<Problems> cancelled() { return fail(make_error("Validation was cancelled.", {})); }

    const Result<double>& speed_of(std::size_t one) {
        auto known = speeds_.find(one);
        if (known == speeds_.end())
            known = speeds_.emplace(one, fitted_speed(rows_[one], resolved_[one], *resolved_[one].scenario)).first;
        return known->second;
    }

    /// Rows that one factor is learnt for.
    std::string learning_key(std::size_t i) const {
        return options_.calibrate == Calibrate::device ? resolved_[i].scenario->cluster.device.id : split_key(rows_[i]);
    }

    /// What is dealt to the halves: rows, or whole configurations, so that two figures of one run stay together.
    std::string dealt(std::size_t i) const {
        return options_.calibrate == Calibrate::device ? configuration_key(rows_[i]) : std::to_string(i);
    }

    /// The factor of each key: the middle one of every second row or configuration that can be fitted.
    bool learn_halves() {
        std::map<std::string, std::map<std::string, std::size_t>> seen;
        std::map<std::string, std::vector<double>> factors;
        done_ = 0;
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            if (!going(0.3, 0.6)) return false;
            if (!resolved_[i].scenario || computed_[i]) continue;
            const std::string key = learning_key(i);
            auto& known = seen[key];
            if (known.emplace(dealt(i), known.size()).first->second % 2 != 0) continue;
            const auto& speed = speed_of(i);
            if (!speed) continue;
            factors[key].push_back(*speed);
            learnt_.insert({i, true});
        }
        for (auto& [key, all] : factors) {
            std::sort(all.begin(), all.end());
            const std::size_t half = all.size() / 2;
            const double middle = all.size() % 2 == 1 ? all[half] : std::sqrt(all[half - 1] * all[half]);
            halves_[key] = {middle, static_cast<int>(all.size())};
        }
        return true;
    }

    /// The scenario with what was learnt; nothing, and a reason, if that must be known and is not.
    std::optional<Scenario> calibrated(std::size_t i, ValidatedRow& v) {
        const Scenario& s = *resolved_[i].scenario;
        if (options_.calibrate == Calibrate::none) return s;
        if (options_.calibrate == Calibrate::split || options_.calibrate == Calibrate::device) {
            const auto half = halves_.find(learning_key(i));
            v.learnt_from = learnt_.contains(i);
            if (half == halves_.end()) return s;
            v.evidence = Evidence::calibrated;
            v.calibrated_on = half->second.rows;
            return scaled_speed(s, half->second.factor);
        }
        v.learnt_from = rows_[i].workers == 1;
        const auto one = v.learnt_from ? std::optional(i) : one_worker_row(rows_, i);
        if (!one) {
            v.reason = "No row of one worker has the same source, framework, network, device and precision.";
            return std::nullopt;
        }
        if (!resolved_[*one].scenario) {
            v.reason = "The row of one worker cannot be predicted: " + resolved_[*one].reason;
            return std::nullopt;
        }
        const auto& speed = speed_of(*one);
        if (!speed) {
            v.reason = why_not(speed.error());
            return std::nullopt;
        }
        v.evidence = Evidence::calibrated;
        v.calibrated_on = 1;
        return scaled_speed(s, *speed);
    }

    void divide_if_needed(const PublishedRow& row, ResolvedRow& resolved) {
        if (!resolved.undivided || !resolved.scenario || fits(*resolved.scenario)) return;
        if (auto way = divider_.divided(row, resolved)) resolved = std::move(*way);
    }

    /// By how much a run is faster than predicted, by a rate or a time among its figures.
    std::optional<double> speed_of_run(const std::vector<std::size_t>& figures) {
        for (const std::size_t i : figures) {
            const Measured& m = resolved_[i].measured;
            if (!resolved_[i].scenario || counts_flops(m.metric) || is_memory(m.metric)) continue;
            const auto value = figure(i, *resolved_[i].scenario);
            if (value) return is_rate(m.metric) ? rows_[i].value / *value : *value / rows_[i].value;
        }
        return std::nullopt;
    }

    /// Tables do not always say whether their FLOP rates include the recomputed forward pass. Runs that have a time as
    /// well tell: one figure follows from the other. All rates of a table count alike.
    void settle_counted_flops() {
        struct Table {
            int without = 0, with = 0;  ///< runs whose figures agree so
            std::vector<std::size_t> open;
        };
        std::map<std::string, Table> tables;
        std::map<std::string, std::vector<std::size_t>> runs;
        const auto open = [&](std::size_t i) {
            const ResolvedRow& r = resolved_[i];
            return r.scenario && r.measured.metric == PublishedMetric::flop_rate && !r.measured.hardware_flops &&
                   rows_[i].flops_counted.empty() && r.scenario->parallelism.recompute != Recompute::nothing;
        };
        for (std::size_t i = 0; i < rows_.size(); ++i) {
            runs[configuration_key(rows_[i])].push_back(i);
            if (open(i)) tables[rows_[i].file].open.push_back(i);
        }
        constexpr double most_off = 0.1;
        for (auto& [file, table] : tables) {
            for (const std::size_t i : table.open) {
                const auto speed = speed_of_run(runs[configuration_key(rows_[i])]);
                if (!speed) continue;
                Measured measured = resolved_[i].measured;
                const auto off = [&](bool with) {
                    measured.hardware_flops = with;
                    const auto rate = figure(i, *resolved_[i].scenario);
                    if (!rate) return std::numeric_limits<double>::infinity();
                    const double value = figure_of(measured, last_->first, *last_->second);
                    return std::abs(std::log(rows_[i].value / value / *speed));
                };
                const double without = off(false), with = off(true);
                if (std::min(without, with) < most_off) ++(with < without ? table.with : table.without);
            }
            if (table.with > table.without)
                for (const std::size_t i : table.open) resolved_[i].measured.hardware_flops = true;
        }
    }

    ValidatedRow predicted(std::size_t i) {
        ValidatedRow v;
        v.row = rows_[i];
        const ResolvedRow& resolved = resolved_[i];
        v.sources = resolved.sources;
        v.assumed = resolved.assumed;
        v.modelled = computed_[i];
        v.of_memory = is_memory(resolved.measured.metric);
        v.more_is_faster = is_rate(resolved.measured.metric);
        v.evidence = resolved.recalled ? Evidence::recalled : Evidence::data_sheet;
        if (!resolved.scenario) {
            v.reason = resolved.reason;
            return v;
        }
        if (options_.strict && !resolved.assumed.empty()) {
            v.reason = "It is predicted only with assumptions: " + resolved.assumed.front();
            return v;
        }
        v.scenario = calibrated(i, v);
        if (!v.scenario) return v;
        const auto value = figure(i, *v.scenario);
        if (value)
            v.predicted = *value;
        else
            v.reason = why_not(value.error());
        if (!value) return v;
        v.fits = fits_device(*v.scenario, last_->second->memory);
        if (!v.fits && resolved.device_assumed) {
            v.predicted.reset();
            v.reason =
                "The row names no device, and it needs more memory than the one that is assumed; add a column "
                "device.";
            return v;
        }
        if (!v.fits && resolved.undivided && resolved.scenario->cluster.workers > 1) {
            v.predicted.reset();
            v.reason =
                "The table does not say how the network was divided, and neither a whole copy nor the usual ways to "
                "divide it fit into one device; add a column tp, pp, dp or sharding.";
            return v;
        }
        if (v.of_memory) return v;
        const double share = least_utilization(resolved.measured, *v.scenario, *last_->second, rows_[i].value);
        constexpr double most = 1.3;  // of the peak, which boost clocks and fast convolutions can exceed a little
        if (share > most) {
            v.predicted.reset();
            v.reason =
                "It would take " + format_number(std::round(share * 10) / 10) +
                " times the peak of the devices, so it is no figure of this network on them; check its unit, the "
                "network, and the number of devices.";
            return v;
        }
        if (rows_[i].workers == 1) {
            if (const auto plain = predicted_value(resolved, plain_roofline(*resolved.scenario))) v.roofline = *plain;
        } else if (const auto one = one_worker_row(rows_, i); one && is_rate(resolved.measured.metric)) {
            const double workers = resolved.measured.each_device ? 1.0 : static_cast<double>(rows_[i].workers);
            v.linear = workers * rows_[*one].value;
        }
        return v;
    }

    /// predicted_value(), which rows of one run that stand together share.
    Result<double> figure(std::size_t i, const Scenario& scenario) {
        Scenario same = scenario;
        same.description.clear();
        if (!last_ || !(last_->first == same)) last_.emplace(same, estimate(same, Remedies::left_out));
        if (!last_->second) return fail(last_->second.error());
        return figure_of(resolved_[i].measured, same, *last_->second);
    }

    struct Half {
        double factor = 1;
        int rows = 0;
    };

    const std::vector<PublishedRow>& rows_;
    RowResolver resolver_;
    Divider divider_{[this](const PublishedRow& row) { return resolver_.resolve(row); }};
    const ValidateOptions& options_;
    const Watch& watch_;
    std::vector<bool> computed_;
    std::size_t done_ = 0;
    std::vector<ResolvedRow> resolved_;
    std::map<std::size_t, Result<double>> speeds_;
    std::map<std::size_t, bool> learnt_;
    std::map<std::string, Half> halves_;
    std::optional<std::pair<Scenario, Result<Estimate>>> last_;
    Validation validation_;
};

}  // namespace

std::optional<double> ValidatedRow::error() const {
    if (!predicted) return std::nullopt;
    return *predicted / row.value - 1.0;
}

Result<Validation> validate(const std::vector<PublishedRow>& rows, const formats::Library& library,
                            const Profiles& profiles, const ValidateOptions& options, const Watch& watch) {
    return Validator(rows, library, profiles, options, watch).run();
}

}  // namespace scalescope::measure
