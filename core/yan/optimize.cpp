// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/yan/optimize.hpp"

#include <algorithm>
#include <tuple>

#include "core/base/checked.hpp"
#include "core/base/limits.hpp"
#include "core/base/sequences.hpp"

namespace scalescope::yan {

namespace {

bool ranks_before(const Ranked& a, const Ranked& b) {
    const auto key = [](const Ranked& r) {
        const Configuration& c = r.configuration;
        return std::tuple(r.score.epoch.time, c.machines(), c.partitions, c.replicas, c.servers, c.threads);
    };
    return key(a) < key(b);
}

class Searching {
public:
    Searching(const PreparedNetwork& prepared, const ClusterSpace& space, const Watch& watch)
        : prepared_(prepared), space_(space), watch_(watch), up_(upload(prepared, space.base.exchange_every)) {}

    ClusterRanking run(const std::vector<std::int64_t>& partitions, const std::vector<std::int64_t>& threads) {
        double done = 0.0;
        const double all = static_cast<double>(partitions.size() * threads.size());
        for (const std::int64_t p : partitions)
            for (const std::int64_t h : threads) {
                if (watch_.cancel.cancelled()) {
                    result_.cancelled = true;
                    return finish();
                }
                one_pair(p, h);
                watch_.progress(++done / all, "searching");
            }
        return finish();
    }

private:
    /// All numbers of servers for P and H, which alone the time of a sample depends on.
    void one_pair(std::int64_t partitions, std::int64_t threads) {
        Configuration c = space_.base;
        c.partitions = partitions;
        c.threads = threads;
        c.splits.clear();
        c.placement = SegmentPlacement::aligned;
        if (space_.best_splits) {
            // Where servers stand beside the workers, splits leave room for the base's number of them.
            const BestSplits best = best_splits(prepared_, c, doubling(partitions), watch_);
            result_.proven = result_.proven && best.proven;
            c.splits = best.splits;
        }
        const PassTimes sample = sample_times(prepared_, c, scratch_);
        const Bytes memory = machine_memory(prepared_, c, scratch_);
        const std::int64_t most = c.servers_beside ? space_.machines : space_.machines - partitions;
        const std::int64_t of_list = static_cast<std::int64_t>(space_.servers.size()),
                           count = of_list > 0 ? of_list : most;
        for (std::int64_t i = 0; i < count; ++i) {
            if (i % 4096 == 4095 && watch_.cancel.cancelled()) {
                result_.cancelled = true;
                return;
            }
            c.servers = of_list > 0 ? space_.servers[static_cast<std::size_t>(i)] : i + 1;
            if (c.servers < 1 || c.servers > most) continue;
            c.replicas = (c.servers_beside ? space_.machines : space_.machines - c.servers) / partitions;
            if (c.servers_beside && c.servers > c.replicas * partitions) continue;
            take(c, score_of(prepared_, c, sample, memory, up_));
        }
    }

    void take(const Configuration& c, const Score& s) {
        ++result_.scored;
        if (!s.fits) {
            const Bytes need = std::max(s.memory, server_share(prepared_, c));
            if (result_.do_not_fit == 0 || need < result_.least_memory) result_.least_memory = need;
            ++result_.do_not_fit;
            return;
        }
        auto& best = result_.best;
        if (best.size() == space_.keep && best.front().score.epoch.time < s.epoch.time) return;
        Ranked ranked{c, s};
        if (best.size() == space_.keep && !ranks_before(ranked, best.front())) return;
        // a heap with the worst in front
        if (best.size() == space_.keep) {
            std::pop_heap(best.begin(), best.end(), ranks_before);
            best.pop_back();
        }
        best.push_back(std::move(ranked));
        std::push_heap(best.begin(), best.end(), ranks_before);
    }

    ClusterRanking finish() {
        std::sort_heap(result_.best.begin(), result_.best.end(), ranks_before);
        result_.proven = result_.proven && !result_.cancelled;
        return std::move(result_);
    }

    const PreparedNetwork& prepared_;
    const ClusterSpace& space_;
    const Watch& watch_;
    Bytes up_;
    Scratchpad scratch_;
    ClusterRanking result_;
};

/// What of `given`, or by default of `usual`, lies between 1 and `most`, each once.
std::vector<std::int64_t> within(std::vector<std::int64_t> given, std::vector<std::int64_t> usual, std::int64_t most) {
    std::vector<std::int64_t> all = given.empty() ? std::move(usual) : std::move(given);
    sort_once(all);
    std::erase_if(all, [&](std::int64_t n) { return n < 1 || n > most; });
    return all;
}

}  // namespace

Result<ClusterRanking> optimize(const PreparedNetwork& prepared, const ClusterSpace& space, const Watch& watch) {
    Problems problems = check(prepared.machine);
    Configuration base = space.base;
    base.partitions = base.replicas = base.servers = base.threads = 1;
    base.splits.clear();
    for (Problem& p : check(prepared, base)) problems.push_back(std::move(p));
    if (space.machines < 1 || space.machines > limits::workers)
        problems.push_back(make_error("There are " + std::to_string(space.machines) + " machines.",
                                      "use a whole number from 2 to " + std::to_string(limits::workers)));
    if (space.keep < 1 || space.keep > limits::ranked)
        problems.push_back(
            make_error("A search keeps 1 to " + std::to_string(limits::ranked) + " configurations.", "ask for fewer"));
    if (!problems.empty()) return fail(std::move(problems));
    const std::int64_t most = std::min(limits::partitions, space.machines - (base.servers_beside ? 0 : 1));
    std::vector<std::int64_t> usual;
    for (std::int64_t p = 1; p <= most; p *= 2) usual.push_back(p);
    const auto partitions = within(space.partitions, usual, most),
               threads = within(space.threads, doubling(prepared.machine.cores), prepared.machine.threads);
    if (partitions.empty() || threads.empty())
        return fail(make_error("No configuration has room on these machines.",
                               "use more machines, fewer partitions or fewer threads: a replica needs a machine for "
                               "each partition, and the servers at least one"));
    const Checked count = Checked(space.machines) * static_cast<std::int64_t>(partitions.size()) *
                          static_cast<std::int64_t>(threads.size());
    if (!count.ok() || count.value() > limits::cpu_configurations)
        return fail(
            make_error("There are more than " + std::to_string(limits::cpu_configurations) + " configurations to try.",
                       "give fewer numbers of partitions or threads, or fewer machines"));
    ClusterRanking result = Searching(prepared, space, watch).run(partitions, threads);
    if (result.scored == 0 && !result.cancelled)
        return fail(make_error("No configuration has room on these machines.",
                               "use more machines, or fewer servers or partitions"));
    return result;
}

}  // namespace scalescope::yan
