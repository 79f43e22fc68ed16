// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/walls.hpp"

#include <array>
#include <cmath>

#include "core/base/format.hpp"
#include "core/base/limits.hpp"
#include "core/estimate/memory_walk.hpp"
#include "core/scenario/hardware.hpp"

namespace scalescope::search {
namespace {

constexpr std::array<std::string_view, 8> wall_names{"communication", "efficiency",     "memory_full",
                                                     "memory_enough", "batch",          "strategy_ends",
                                                     "shortest_step", "peak_throughput"};

constexpr double rounding = 1e-12;

/// Of a scan over rising counts: where something holds first, and from where on without a break.
struct Crossing {
    std::int64_t first = 0, for_good = 0;
    void see(std::int64_t count, bool holds) {
        if (!holds) {
            for_good = 0;
            return;
        }
        if (first == 0) first = count;
        if (for_good == 0) for_good = count;
    }
};

/// What all counts say.
struct WallScan {
    Crossing communication, inefficient, full, fits, idle, impossible;
    std::string impossible_reason;  ///< of the first count that cannot be run
    std::int64_t shortest_at = 0, most_at = 0;
    Seconds shortest{0};
    SamplesPerSecond most{0};
    std::int64_t start = 0, last = 0;  ///< the least and the largest count that can be run

    /// `shares`: among how many a batch is divided. Only a count whose step fits can be the best one.
    void see(std::int64_t count, std::int64_t shares, const Summary& one, const Summary& s, double line, bool fit) {
        if (start == 0) start = count;
        last = count;
        communication.see(count, s.communication > s.forward + s.backward + s.update);
        inefficient.see(count, speedup(one, s) / static_cast<double>(count) < line);
        idle.see(count, s.batch.effective < shares);
        if (!fit) return;
        // Servers that set the pace let any number of replicas train as fast: what differs then is rounding.
        if (shortest_at == 0 || s.step < shortest * (1 - rounding)) shortest_at = count, shortest = s.step;
        if (most_at == 0 || s.throughput() > most * (1 + rounding)) most_at = count, most = s.throughput();
    }
    void see_memory(std::int64_t count, bool fit) {
        fits.see(count, fit);
        if (fits.first > 0) full.see(count, !fit);
    }
};

class WallWriter {
public:
    WallWriter(const Scenario& scenario, const WallOptions& options, const WallScan& scan)
        : scenario_(scenario), options_(options), scan_(scan), of_machines_(is_cpu_cluster(scenario)) {
        found_.up_to = options.up_to;
        found_.start = scan.start;
        found_.last = scan.last;
    }

    Walls write() {
        add(WallKind::communication, scan_.communication, "communication > compute",
            "communication takes longer than computing",
            "Communication takes less time than computing " + up_to() + '.');
        const double percent = options_.efficiency * 100;
        const std::string line = format_percent(Fraction{options_.efficiency}, percent == std::floor(percent) ? 0 : 1);
        add(WallKind::efficiency, scan_.inefficient, "efficiency < " + line, "the efficiency is below " + line,
            "The efficiency is " + line + " or more " + up_to() + '.');
        write_memory();
        write_batch();
        write_end();
        write_best();
        return std::move(found_);
    }

private:
    const Scenario& scenario_;
    const WallOptions& options_;
    const WallScan& scan_;
    bool of_machines_;
    Walls found_;

    std::string counted(std::int64_t n) const {
        const char* one = of_machines_ ? " machine" : " worker";
        return format_count(n) + one + (n == 1 ? "" : "s");
    }
    std::string up_to() const {
        if (scan_.start == scan_.last) return "with " + counted(scan_.last);
        return (scan_.start > 1 ? "with " + format_count(scan_.start) + " to " : "with up to ") + counted(scan_.last);
    }

    /// Where something holds, after `clause`: "communication takes longer than computing".
    std::string crossing_words(const Crossing& c, const std::string& clause) const {
        if (c.first == c.for_good) return "From " + counted(c.first) + " on, " + clause + '.';
        const std::string start = "With " + counted(c.first) + ", " + clause + " for the first time; ";
        return c.for_good > 0 ? start + "from " + format_count(c.for_good) + " on, for good."
                              : start + "not for good up to " + counted(scan_.last) + '.';
    }

    void add(WallKind kind, const Crossing& c, std::string label, const std::string& clause, std::string never) {
        found_.walls.push_back(
            {kind, c.first, c.for_good, std::move(label), c.first > 0 ? crossing_words(c, clause) : std::move(never)});
    }
    void leave_out(const char* label, std::string reason) { found_.left_out.push_back({{}, label, std::move(reason)}); }

    void write_memory() {
        const auto memory = worker_memory(scenario_);
        if (!memory) return leave_out("Memory", worker_name(scenario_) + " has no figure for its memory.");
        const std::string size = (of_machines_ ? "a machine's " : "a device's ") + format_bytes(*memory);
        if (scan_.fits.first > 0)
            add(WallKind::memory_full, scan_.full, "memory full", "the step does not fit into " + size,
                scan_.fits.first == scan_.start
                    ? "The step fits into " + size + ' ' + up_to() + '.'
                    : "Where the step fits into " + size + ", more " + (of_machines_ ? "machines" : "workers") +
                          " do not fill it up again.");
        if (scan_.fits.first != scan_.start)
            add(WallKind::memory_enough, scan_.fits, "fits memory", "the step fits into " + size,
                "The step does not fit into " + size + ' ' + up_to() + '.');
    }

    void write_batch() {
        const bool replicas = of_machines_ ? scenario_.cpu.partitions > 1 : !scenario_.parallelism.none();
        const std::string_view takers = replicas ? "replicas" : of_machines_ ? "machines" : "workers";
        if (scenario_.training.batch_rule == BatchRule::per_worker)
            return leave_out("Batch", "The batch grows with the " + std::string(takers) + " and never runs out.");
        if (!of_machines_ && scenario_.parallelism.fill != MeshAxis::data)
            return leave_out("Batch", "Every worker takes part in every sample.");
        const std::string batch = format_count(scenario_.training.batch);
        add(WallKind::batch, scan_.idle, "batch used up",
            "there are more " + std::string(takers) + " than the " + batch + " samples of a step",
            "The " + batch + " samples of a step are enough " + up_to() + '.');
    }

    void write_end() {
        const Crossing& c = scan_.impossible;
        if (of_machines_ && c.first == 0) {
            const std::int64_t replica = scenario_.cpu.partitions;
            return leave_out(
                "Strategy", replica == 1 ? "Every machine trains all of the network, however many there are."
                                         : format_count(replica) + " machines train together, however many there are.");
        }
        if (of_machines_) return add(WallKind::strategy_ends, c, "too large", "times are too large to count", {});
        Wall wall{WallKind::strategy_ends, c.first, c.for_good, "strategy ends", {}};
        if (c.first == 0)
            wall.sentence = "The strategy can use every count up to " + counted(options_.up_to) + '.';
        else
            wall.sentence = "From " + counted(c.first) + " on, the strategy ends: " + scan_.impossible_reason;
        if (c.first != c.for_good)
            wall.sentence = "With " + counted(c.first) +
                            ", the strategy cannot be used; with some more it can: " + scan_.impossible_reason;
        found_.walls.push_back(std::move(wall));
    }

    void write_best() {
        if (scan_.shortest_at == 0)
            for (const char* label : {"Shortest step", "Peak throughput"})
                leave_out(label, "The step does not fit into memory " + up_to() + '.');
        if (scan_.shortest_at == 0) return;
        const auto ending = [&](std::int64_t at) -> std::string {
            if (at == scan_.start && at > 1) return ", the fewest that can be run.";
            if (at == scan_.last && at > 1)
                return ", the most that can be run up to " + format_count(options_.up_to) + '.';
            return ".";
        };
        // With one batch for all they are the same count.
        const bool same = scenario_.training.batch_rule == BatchRule::total;
        found_.walls.push_back({WallKind::shortest_step, scan_.shortest_at, 0, same ? "top speed" : "shortest step",
                                "A step takes least time, " + format_time(scan_.shortest) + ", with " +
                                    counted(scan_.shortest_at) + ending(scan_.shortest_at)});
        found_.walls.push_back({WallKind::peak_throughput, scan_.most_at, 0, same ? "top speed" : "peak throughput",
                                "Most samples per second, " + format_rate(scan_.most, "samples/s") + ", with " +
                                    counted(scan_.most_at) + ending(scan_.most_at)});
    }
};

Problem wall_problem(std::string what, const char* remedy) { return make_error(std::move(what), remedy); }

}  // namespace

std::string_view name_of(WallKind kind) { return wall_names[static_cast<std::size_t>(kind)]; }

bool is_guide_line(const Wall& wall, const Walls& all) {
    if (!wall.reached()) return false;
    const bool best = wall.kind == WallKind::shortest_step || wall.kind == WallKind::peak_throughput;
    return !best || (wall.first > all.start && wall.first < all.last);
}

Result<Walls> find_walls(const Scenario& scenario, const Plan& plan, const WallOptions& options,
                         const CancelToken& cancel) {
    if (!(options.efficiency > 0 && options.efficiency <= 1))
        return fail(wall_problem("The line for the efficiency must lie above 0 and up to 100 %.",
                                 "give a percentage in that range, such as 50"));
    if (options.up_to < 1 || options.up_to > limits::workers)
        return fail(wall_problem("Worker counts go from 1 to " + format_count(limits::workers) + '.',
                                 "look up to a count in that range, such as 1024"));
    Scratch scratch = make_scratch(plan);
    Point point = plan.point;
    const Point alone = of_one_worker(point);
    const Summary one = score(plan, alone, scratch);
    if (!one.feasible()) return fail(infeasible_reason(plan, alone, one.infeasible));
    const std::int64_t replica = plan.cpu ? plan.point.partitions : point.step_of_workers();
    if (options.up_to < replica)
        return fail(
            wall_problem("A replica has " + format_count(replica) + (plan.cpu ? " machines" : " workers") +
                             ", more than " + format_count(options.up_to) + '.',
                         plan.cpu ? "look up to as many machines or more" : "look up to as many workers or more"));
    PeakMemory memory(plan);
    const auto room = worker_memory(scenario);
    WallScan scan;
    for (std::int64_t n = replica; n <= options.up_to; n += plan.cpu ? 1 : replica) {
        if (cancel.cancelled()) return fail(wall_problem("The search for walls was given up.", "ask again"));
        point.workers = n;
        const Summary s = score(plan, point, scratch);
        scan.impossible.see(n, !s.feasible());
        if (!s.feasible()) {
            if (scan.impossible_reason.empty())
                scan.impossible_reason = infeasible_reason(plan, point, s.infeasible).what;
            continue;
        }
        const bool fit = !room || !(memory.at(point, s, scratch) > *room);
        scan.see(n, n / replica, one, s, options.efficiency, fit);
        if (room) scan.see_memory(n, fit);
    }
    if (scan.last == 0) {
        point.workers = replica;
        return fail(infeasible_reason(plan, point, score(plan, point, scratch).infeasible));
    }
    return WallWriter(scenario, options, scan).write();
}

Result<Walls> find_walls(const Scenario& scenario, const WallOptions& options, const CancelToken& cancel) {
    ASSIGN_OR_RETURN(const auto plan, prepare(scenario));
    return find_walls(scenario, plan, options, cancel);
}

}  // namespace scalescope::search
