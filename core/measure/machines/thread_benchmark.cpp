// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/machines/thread_benchmark.hpp"

#include <array>

#include "core/measure/fit/fit.hpp"
#include "core/measure/runs/import.hpp"

namespace scalescope::measure {

namespace {

constexpr double kibibyte = 1024.0;

/// What the runs can tell: a tier's time if one of them lies in it, contention from two numbers of threads, bandwidth
/// from a run that waits for it.
class BenchmarkReading {
public:
    BenchmarkReading(const Runs& runs, const Fit& fit, const FormChoice& form, const CpuMachine& base)
        : theta_(fit.theta), raw_(fit.form->raw(fit.theta)), base_(base) {
        const auto& threads = runs.find(form.workers)->numbers;
        const auto& sizes = runs.find(form.working_set)->numbers;
        for (std::size_t r = 0; r < runs.size(); ++r) {
            const std::size_t tier = sizes[r] <= form.tier_ends[0] ? 0 : sizes[r] <= form.tier_ends[1] ? 1 : 2;
            seen_[tier] = true;
            contended_ = contended_ || threads[r] != threads[0];
            const double own = theta_[tier] * (1.0 + theta_[3] * (threads[r] - 1.0));
            walled_ = walled_ || (tier == 2 && theta_[4] * threads[r] > own);
        }
    }

    CpuMachine machine() {
        CpuMachine m = base_;
        const auto take = [&](bool known, auto& figure, auto value, const char* field, const char* what,
                              const char* remedy) {
            if (!known) {
                warnings_.push_back(make_warning(
                    std::string("The benchmark does not tell ") + what + ": that of " + base_.name + " stands for it.",
                    remedy));
                return;
            }
            figure = value;
            std::erase(m.unverified, field);
        };
        take(seen_[0], m.multiply_add_l2, Seconds{raw_[0]}, "multiply_add_l2_ns", "the time in the second-level cache",
             "add runs with a small working set");
        take(seen_[1], m.multiply_add_l3, Seconds{raw_[1]}, "multiply_add_l3_ns", "the time in the last-level cache",
             "add runs with a working set between the caches");
        take(seen_[2], m.multiply_add_memory, Seconds{raw_[2]}, "multiply_add_memory_ns", "the time in memory",
             "add runs with a working set beyond the last-level cache");
        take(contended_, m.contention, raw_[3], "contention", "how threads slow each other",
             "add runs with other numbers of threads");
        take(walled_, m.memory_bandwidth, BytesPerSecond{1.0 / raw_[4]}, "memory_bandwidth_gb_s",
             "the bandwidth of memory", "add runs with more threads beyond the last-level cache");
        return m;
    }
    Problems take_warnings() { return std::move(warnings_); }

private:
    std::vector<double> theta_, raw_;
    const CpuMachine& base_;
    std::array<bool, 3> seen_{};
    bool contended_ = false, walled_ = false;
    Problems warnings_;
};

}  // namespace

Result<MeasuredMachine> machine_from_threads(std::string_view text, const std::string& file, const CpuMachine& base,
                                             const ThreadBenchmark& benchmark, const Watch& watch) {
    ColumnMap map;
    map.time = benchmark.time;
    map.unit = "s";
    ASSIGN_OR_RETURN(const auto imported, import_runs(text, file, map));
    FitOptions options;
    FormChoice& form = options.form;
    form.kind = FormKind::tiers;
    form.workers = benchmark.threads;
    form.working_set = benchmark.working_set;
    form.tier_ends = {base.l2.value / kibibyte, base.l3.value / kibibyte};
    form.tier_bytes = base.weight_bytes.value;
    options.refits = 0;
    const auto fit = fit_runs(imported.runs, options, watch);
    if (!fit) return fail(located(fit.error(), imported.runs));
    MeasuredMachine measured;
    BenchmarkReading reading(imported.runs, *fit, form, base);
    CpuMachine& m = measured.machine = reading.machine();
    m.id = benchmark.id;
    m.name = benchmark.name;
    m.sources.push_back("Threads measured, table " + imported.data_hash);
    m.note = "Measured threads; the rest is that of " + base.name + ".";
    measured.runs = imported.runs.size();
    measured.mean_error = fit->metrics.training.mean_error;
    measured.warnings = imported.warnings;
    for (Problem& p : located(reading.take_warnings(), imported.runs)) measured.warnings.push_back(std::move(p));
    return measured;
}

}  // namespace scalescope::measure
