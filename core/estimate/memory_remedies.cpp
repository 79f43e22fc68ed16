// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/memory_remedies.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

#include "core/base/format.hpp"
#include "core/estimate/memory_walk.hpp"

namespace scalescope {
namespace {

constexpr std::string_view dividing(Strategy s) {
    switch (s) {
        case Strategy::data: return "divide the samples (data parallelism)";
        case Strategy::outputs: return "divide the layers' outputs";
        case Strategy::layers: return "divide the network by layers";
        case Strategy::hybrid: return "use the hybrid strategy";
    }
    return {};
}

class RemedySearch {
public:
    RemedySearch(const Plan& plan, const Estimate& e, Bytes room, Scratch& scratch)
        : plan_(plan), own_(e.point), peak_(e.memory.peak), room_(room), scratch_(scratch) {}

    std::vector<MemoryRemedy> search() {
        smaller_batch();
        more_micro_steps();
        other_workers();
        other_strategy();
        return std::move(found_);
    }

private:
    const Plan& plan_;
    const Point own_;
    const Bytes peak_, room_;
    Scratch& scratch_;
    std::vector<MemoryRemedy> found_;

    std::optional<Bytes> peak_at(const Plan& plan, const Point& point) {
        const Summary s = score(plan, point, scratch_);
        return s.feasible() ? std::optional(peak_memory(plan, point, scratch_)) : std::nullopt;
    }
    bool keep(const Plan& plan, const Point& point, const std::string& words) {
        const auto peak = peak_at(plan, point);
        if (!peak || *peak > room_) return false;
        found_.push_back({point, plan.training.accumulation, *peak, words});
        return true;
    }

    /// The largest half, quarter … of the batch that fits.
    void smaller_batch() {
        Point p = own_;
        p.batch = 1;
        if (const auto least = peak_at(plan_, p); own_.batch == 1 || !least || *least > room_) return;
        for (p.batch = own_.batch / 2; p.batch > 0; p.batch /= 2)
            if (keep(plan_, p, "lower the batch to " + format_count(p.batch))) return;
    }

    /// The batch stays, and less of it is in memory at a time. PALEO and asynchronous updates know no micro-steps.
    void more_micro_steps() {
        if (plan_.paleo || own_.updates == Updates::asynchronous) return;
        Plan other = plan_;
        std::int64_t& steps = other.training.accumulation;
        steps = own_.batch;
        if (const auto least = peak_at(other, own_);
            own_.batch <= plan_.training.accumulation || !least || *least > room_)
            return;
        for (steps = plan_.training.accumulation * 2; steps <= own_.batch; steps *= 2)
            if (keep(other, own_, "add up the gradients of " + format_count(steps) + " micro-steps")) return;
    }

    /// Doubled or halved for as long as that takes less memory.
    void other_workers() {
        const std::int64_t most = std::max<std::int64_t>(1024, own_.workers * 16);
        for (const bool more : {true, false}) {
            Point p = own_;
            Bytes before = peak_;
            for (;;) {
                p.workers = more ? p.workers * 2 : p.workers / 2;
                if (p.workers < 1 || p.workers > most) break;
                const auto peak = peak_at(plan_, p);
                if (!peak || !(*peak < before)) break;
                before = *peak;
                if (*peak > room_) continue;
                found_.push_back({p, plan_.training.accumulation, *peak,
                                  "use " + format_count(p.workers) + (p.workers == 1 ? " worker" : " workers")});
                return;
            }
        }
    }

    void other_strategy() {
        if (own_.updates == Updates::asynchronous || own_.workers == 1) return;
        for (const Strategy s : {Strategy::outputs, Strategy::layers, Strategy::hybrid, Strategy::data}) {
            Point p = own_;
            p.strategy = s;
            if (s != own_.strategy && keep(plan_, p, std::string(dividing(s)))) return;
        }
    }
};

}  // namespace

std::vector<MemoryRemedy> memory_remedies(const Plan& plan, const Estimate& e, Bytes room, Scratch& scratch) {
    return RemedySearch(plan, e, room, scratch).search();
}

std::string memory_remedy(const Plan& plan, const Estimate& e, Bytes room, Scratch& scratch) {
    std::string text;
    for (const MemoryRemedy& remedy : memory_remedies(plan, e, room, scratch)) text += remedy.words + "; or ";
    if (text.empty()) text = "no smaller batch, other number of workers or other strategy makes it fit; ";
    return text + "choose devices with " + format_bytes(e.memory.peak) + " or more";
}

}  // namespace scalescope
