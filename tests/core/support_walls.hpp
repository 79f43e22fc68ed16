// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtTest>
#include <algorithm>
#include <functional>

#include "core/scenario/hardware.hpp"
#include "core/search/walls.hpp"
#include "support_networks.hpp"

/// Walls against a plain look at every count.
namespace support {

inline const scalescope::search::Wall* wall_of(const scalescope::search::Walls& found,
                                               scalescope::search::WallKind kind) {
    for (const auto& wall : found.walls)
        if (wall.kind == kind) return &wall;
    return nullptr;
}

/// Estimates of 1, 2, … workers, each made from nothing; nothing where there is none.
using Estimates = std::vector<std::optional<scalescope::Estimate>>;
inline Estimates estimates_up_to(scalescope::Scenario s, std::int64_t last) {
    Estimates all;
    for (std::int64_t n = 1; n <= last; ++n) {
        s.cluster.workers = n;
        auto e = scalescope::estimate(s);
        all.push_back(e ? std::optional(std::move(*e)) : std::nullopt);
    }
    return all;
}

/// A size between the least and the most memory that any of them needs, or a little beyond.
inline scalescope::Bytes memory_for_some(const Estimates& all, std::mt19937& random) {
    double least = 1e300, most = 0;
    for (const auto& e : all) {
        if (!e) continue;
        least = std::min(least, e->memory.peak.value);
        most = std::max(most, e->memory.peak.value);
    }
    return scalescope::Bytes{real(random, least * 0.99, most * 1.01)};
}

struct Seen {
    std::int64_t first = 0, for_good = 0;
    bool operator==(const Seen&) const = default;
};

inline Seen look(const Estimates& all, const std::function<bool(const scalescope::Estimate&)>& holds) {
    Seen seen;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (!all[i]) continue;
        const auto n = static_cast<std::int64_t>(i + 1);
        if (!holds(*all[i])) {
            seen.for_good = 0;
        } else {
            if (seen.first == 0) seen.first = n;
            if (seen.for_good == 0) seen.for_good = n;
        }
    }
    return seen;
}

/// What is wrong with the walls of a scenario, or nothing; `wavering` counts those that hold with gaps.
inline QString unlike_brute_force(const scalescope::Scenario& s, const scalescope::search::WallOptions& options,
                                  const scalescope::search::Walls& found, int& wavering) {
    using namespace scalescope;
    using namespace scalescope::search;
    const Estimates all = estimates_up_to(s, options.up_to);
    QStringList wrong;
    const auto check = [&](WallKind kind, const Seen& seen) {
        const Wall* wall = wall_of(found, kind);
        wavering += seen.first != seen.for_good ? 1 : 0;
        const Seen told = wall ? Seen{wall->first, wall->for_good} : Seen{};
        if (told == seen) return;
        wrong += QString("%1: %2, %3 instead of %4, %5")
                     .arg(QString::fromStdString(std::string(name_of(kind))))
                     .arg(told.first)
                     .arg(told.for_good)
                     .arg(seen.first)
                     .arg(seen.for_good);
    };
    const auto equal = [&](const char* what, std::int64_t told, std::int64_t seen) {
        if (told != seen) wrong += QString("%1: %2 instead of %3").arg(what).arg(told).arg(seen);
    };
    check(WallKind::communication, look(all, [](const Estimate& e) {
              return e.summary.communication > e.summary.forward + e.summary.backward + e.summary.update;
          }));
    check(WallKind::efficiency, look(all, [&](const Estimate& e) { return e.efficiency < options.efficiency; }));
    Seen any = look(all, [](const Estimate&) { return true; });
    equal("the least", found.start, any.first);
    if (const auto room = worker_memory(s)) {
        const auto fits = [&](const Estimate& e) { return !(e.memory.peak > *room); };
        const Seen fit = look(all, fits);
        if (fit.first != any.first)
            check(WallKind::memory_enough, fit);
        else
            equal("fits from the start", wall_of(found, WallKind::memory_enough) != nullptr, 0);
        Estimates later = all;
        for (std::size_t i = 0; i < later.size(); ++i)
            if (fit.first == 0 || static_cast<std::int64_t>(i + 1) < fit.first) later[i].reset();
        check(WallKind::memory_full, look(later, [&](const Estimate& e) { return !fits(e); }));
    }
    if (wall_of(found, WallKind::batch))
        check(WallKind::batch, look(all, [&](const Estimate& e) {
                  return s.training.batch < (is_cpu_cluster(s) ? e.point.workers / s.cpu.partitions : e.point.workers);
              }));
    std::int64_t ends = 0, last = 0, shortest = 0, busiest = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto n = static_cast<std::int64_t>(i + 1);
        const auto at = [&](std::int64_t count) { return *all[static_cast<std::size_t>(count - 1)]; };
        if (!all[i]) {
            if (ends == 0) ends = n;
            continue;
        }
        last = n;
        if (const auto room = worker_memory(s); room && all[i]->memory.peak > *room) continue;
        if (shortest == 0 || all[i]->summary.step < at(shortest).summary.step * (1 - 1e-12)) shortest = n;
        if (busiest == 0 || all[i]->throughput > at(busiest).throughput * (1 + 1e-12)) busiest = n;
    }
    if (is_cpu_cluster(s))  // of few machines, where a replica has many, it says nothing
        equal("a strategy", wall_of(found, WallKind::strategy_ends) != nullptr, 0);
    else
        equal("the end", wall_of(found, WallKind::strategy_ends)->first, ends);
    equal("the last", found.last, last);
    const auto best = [&](WallKind kind) { return wall_of(found, kind) ? wall_of(found, kind)->first : 0; };
    equal("the shortest step", best(WallKind::shortest_step), shortest);
    equal("most samples", best(WallKind::peak_throughput), busiest);
    return wrong.join("; ");
}

}  // namespace support
