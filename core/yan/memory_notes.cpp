// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/yan/model.hpp"

#include <algorithm>
#include <optional>
#include <string>

#include "core/base/format.hpp"
#include "core/base/limits.hpp"

namespace scalescope::yan {
namespace {

/// Where splits are searched for, or segments placed, more machines take too long to be tried beside an answer.
constexpr std::int64_t most_tried_slowly = 32;

std::string counted(std::int64_t n, const char* one, const char* many) {
    return format_count(n) + ' ' + (n == 1 ? one : many);
}

class Trials {
public:
    Trials(const PreparedNetwork& prepared, const Configuration& c, bool alone)
        : prepared_(prepared), own_(c), alone_(alone), room_(prepared.machine.memory), now_(need(c)) {}

    Problems notes() {
        Problems notes;
        if (now_.worker > room_)
            notes.push_back(
                make_warning((beside(own_) ? "A machine with a parameter server on it needs " : "A machine needs ") +
                                 format_bytes(now_.worker) + ", and has " + format_bytes(room_) + ".",
                             for_workers()));
        if (now_.server > room_)
            notes.push_back(make_warning("A parameter server holds " + format_bytes(now_.server) +
                                             " of weights, and has " + format_bytes(room_) + ".",
                                         for_servers(), {}, "servers"));
        return notes;
    }

private:
    const PreparedNetwork& prepared_;
    const Configuration& own_;
    const bool alone_;
    const Bytes room_;
    Scratchpad scratch_;
    const MemoryNeed now_;
    std::string words_;

    bool serves(const Configuration& c) const { return !alone_ || c.replicas * c.partitions > 1; }
    bool beside(const Configuration& c) const { return c.servers_beside && serves(c); }

    /// `server` is that of a machine of its own, 0 if there is none.
    MemoryNeed need(Configuration c) {
        c.servers_beside = beside(c);
        std::optional<PlacementTable> placement;
        if (c.placement == SegmentPlacement::by_connections) placement = placed(prepared_, c, scratch_);
        const Score s = score(prepared_, c, scratch_, placement ? &*placement : nullptr);
        return {s.memory, serves(c) && !c.servers_beside ? server_share(prepared_, c) : Bytes{}};
    }
    /// Servers on machines of their own that were too small before are a problem of their own.
    bool worker_fits(const Configuration& c) {
        const MemoryNeed n = need(c);
        return n.worker <= room_ && n.server <= std::max(room_, now_.server);
    }
    void say(const std::string& words) { words_ += words + "; or "; }

    std::string for_workers() {
        words_.clear();
        // Where the best splits were searched for, some fit if as many segments as there are machines do.
        const bool searched = !own_.splits.empty(), placed = own_.placement == SegmentPlacement::by_connections;
        if (!searched || !placed) {
            more_machines(searched || placed ? most_tried_slowly : limits::partitions);
            fewer_threads();
        }
        if (beside(own_)) more_servers(own_.replicas * own_.partitions, [&](auto& c) { return worker_fits(c); });
        if (words_.empty() && !(searched && placed))
            words_ = "no other number of machines per replica, threads or servers makes it fit; ";
        return words_ + "choose machines with " + format_bytes(now_.worker) + " or more";
    }
    std::string for_servers() {
        words_.clear();
        more_servers(limits::workers, [&](auto& c) { return need(c).server <= room_; });
        return words_ + "choose machines with " + format_bytes(now_.server) + " or more";
    }

    void more_machines(std::int64_t most) {
        Configuration c = own_;
        c.splits.clear();
        for (c.partitions *= 2; c.partitions <= most; c.partitions *= 2) {
            if (!worker_fits(c)) continue;
            const std::string count = format_count(c.partitions);
            return say(c.partitions <= own_.replicas * own_.partitions
                           ? "use " + count + " machines per replica"
                           : "use " + count + " or more machines, " + count + " per replica");
        }
    }
    void fewer_threads() {
        Configuration c = own_;
        c.splits.clear();
        c.threads = 1;
        if (own_.threads == 1 || !worker_fits(c)) return;
        for (c.threads = own_.threads / 2; c.threads > 0; c.threads /= 2)
            if (worker_fits(c)) return say("use " + counted(c.threads, "thread", "threads") + " per machine");
    }
    template <class Fits>
    void more_servers(std::int64_t most, Fits fits) {
        Configuration c = own_;
        for (c.servers *= 2; c.servers <= most; c.servers *= 2)
            if (fits(c)) return say("use " + format_count(c.servers) + " parameter servers");
    }
};

}  // namespace

Problems memory_notes(const PreparedNetwork& prepared, const Configuration& configuration, bool alone) {
    return Trials(prepared, configuration, alone).notes();
}

}  // namespace scalescope::yan
