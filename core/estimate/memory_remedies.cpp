// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/memory.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "core/base/format.hpp"
#include "core/base/limits.hpp"
#include "core/estimate/memory_walk.hpp"

namespace scalescope {
namespace {
namespace remedies {

/// One kind of change, made again and again for as long as that takes less memory.
struct RemedyKind {
    bool (*further)(Scenario&, const Scenario& own);  ///< one step; false if there is none
    std::string (*words)(const Scenario&);
    std::string (*brief)(const Scenario&);
    void (*utmost)(Scenario&) = nullptr;  ///< the end of all steps: where that does not fit, none does
    bool alternatives = false;            ///< steps that take more memory do not end the search
    bool combines = false;                ///< with other kinds, where none suffices: job and cluster stay as they are
    bool of_point = true;                 ///< the same plan prices it
};

template <class E>
bool next_choice(E& value, E last) {
    if (value == last) return false;
    value = static_cast<E>(static_cast<int>(value) + 1);
    return true;
}
bool twice(std::int64_t& n, std::int64_t most) {
    n *= 2;
    return n <= most;
}
/// Whether any layer is like that.
template <class Is>
bool any_layer(const Scenario& s, Is is) {
    return std::any_of(s.workload.begin(), s.workload.end(), [&](const WorkloadPart& part) {
        return std::any_of(part.network->facts().begin(), part.network->facts().end(), is);
    });
}
bool is_attention(const LayerFacts& f) { return f.along(ShardAlong::heads) > 0; }
/// PALEO and asynchronous updates know none of the pieces and states below.
bool in_step(const Scenario& s) { return !is_paleo(s.model.method) && s.parallelism.updates == Updates::synchronous; }
/// Ways to divide the work among all workers, in the order in which they are tried.
struct OtherWay {
    MeshAxis fill;
    bool segments;
    const char* words;
    bool is_of(const Scenario& s) const { return s.parallelism.fill == fill && s.parallelism.segments == segments; }
};
constexpr std::array other_ways{OtherWay{MeshAxis::tensor, false, "divide the layers' outputs"},
                                OtherWay{MeshAxis::pipeline, false, "divide the network by layers"},
                                OtherWay{MeshAxis::data, true, "use the hybrid strategy"},
                                OtherWay{MeshAxis::data, false, "divide the samples (data parallelism)"}};
const OtherWay* way_of(const Scenario& s) {
    return std::find_if(other_ways.begin(), other_ways.end(), [&](const OtherWay& way) { return way.is_of(s); });
}
bool next_way(Scenario& s, const Scenario& own) {
    const OtherWay *first = way_of(own), *now = way_of(s), *at = now == first ? other_ways.begin() : now + 1;
    if (at == first && at != other_ways.end()) ++at;
    if (at == other_ways.end() || own.cluster.workers == 1 || own.parallelism.updates == Updates::asynchronous)
        return false;
    const ShardingPolicy policy = own.parallelism.policy;
    s.parallelism.fill = at->fill;
    s.parallelism.segments = at->segments;
    s.parallelism.policy = policy == usual_policy(own.parallelism.fill) ? usual_policy(at->fill) : policy;
    return true;
}

std::string recompute_words(const Scenario& s) {
    return s.parallelism.recompute == Recompute::attention ? "recompute attention in the backward pass"
                                                           : "recompute blocks in the backward pass";
}
std::string sharded_words(const Scenario& s) {
    switch (s.parallelism.sharded) {
        case Sharded::optimizer: return "divide optimizer states among the replicas (ZeRO stage 1)";
        case Sharded::gradients: return "divide optimizer states and gradients among the replicas (ZeRO stage 2)";
        default: return "divide all training states among the replicas (ZeRO stage 3)";
    }
}
std::string workers_words(const Scenario& s) {
    return "use " + format_count(s.cluster.workers) + (s.cluster.workers == 1 ? " worker" : " workers");
}

constexpr RemedyKind fewer_samples{
    .further = [](Scenario& s, const Scenario&) { return (s.training.batch /= 2) > 0; },
    .words = [](const Scenario& s) { return "lower the batch to " + format_count(s.training.batch); },
    .brief = [](const Scenario& s) { return "batch " + format_count(s.training.batch); },
    .utmost = [](Scenario& s) { s.training.batch = 1; }};
constexpr RemedyKind more_micro_steps{
    .further = [](Scenario& s,
                  const Scenario&) { return in_step(s) && twice(s.training.accumulation, s.training.batch); },
    .words =
        [](const Scenario& s) {
            return "add up the gradients of " + format_count(s.training.accumulation) + " micro-steps";
        },
    .brief = [](const Scenario& s) { return format_count(s.training.accumulation) + " micro-steps"; },
    .utmost = [](Scenario& s) { s.training.accumulation = std::max(s.training.accumulation, s.training.batch); },
    .of_point = false};
constexpr RemedyKind more_micro_batches{
    .further = [](Scenario& s,
                  const Scenario&) { return has_stages(s) && twice(s.parallelism.micro_batches, s.training.batch); },
    .words =
        [](const Scenario& s) {
            return "divide the batch into " + format_count(s.parallelism.micro_batches) + " micro-batches";
        },
    .brief = [](const Scenario& s) { return format_count(s.parallelism.micro_batches) + " micro-batches"; },
    .alternatives = true,
    .combines = true};
constexpr RemedyKind other_schedule{.further =
                                        [](Scenario& s, const Scenario&) {
                                            const bool drains =
                                                has_stages(s) && (s.parallelism.order == PipelineOrder::fill_drain ||
                                                                  s.parallelism.order == PipelineOrder::breadth_first);
                                            s.parallelism.order = PipelineOrder::one_f_one_b;
                                            return drains;
                                        },
                                    .words = [](const Scenario&) { return std::string("use the 1F1B schedule"); },
                                    .brief = [](const Scenario&) { return std::string("1F1B"); },
                                    .combines = true};
constexpr RemedyKind recompute_more{
    .further =
        [](Scenario& s, const Scenario&) {
            Recompute& now = s.parallelism.recompute;
            const bool some = now > Recompute::layers && now != Recompute::uniform;
            if (some || (now == Recompute::nothing && !any_layer(s, is_attention)))
                now = Recompute::attention;  // of which there is none, or more than that
            return in_step(s) && now != Recompute::layers && now != Recompute::uniform &&
                   next_choice(now, Recompute::blocks);
        },
    .words = recompute_words,
    .brief =
        [](const Scenario& s) {
            return std::string(s.parallelism.recompute == Recompute::attention ? "recompute attention"
                                                                               : "recompute blocks");
        },
    .alternatives = true,
    .combines = true};
constexpr RemedyKind shard_states{
    .further =
        [](Scenario& s, const Scenario&) {
            const auto degrees = degrees_of(s);
            return in_step(s) && degrees && degrees->replicas() > 1 &&
                   next_choice(s.parallelism.sharded, Sharded::weights);
        },
    .words = sharded_words,
    .brief = [](const Scenario& s) { return "ZeRO-" + std::to_string(static_cast<int>(s.parallelism.sharded)); },
    .combines = true};
/// The plan knows no link where the catalogue has none for the device: then there is less memory nowhere.
constexpr RemedyKind states_on_host{
    .further =
        [](Scenario& s, const Scenario&) {
            Fraction& now = s.parallelism.offload_states;
            const bool more = in_step(s) && now.value < 1;
            now = Fraction{std::min(1.0, (std::floor(now.value * 4) + 1) / 4)};
            return more;
        },
    .words =
        [](const Scenario& s) {
            return "keep " + format_percent(s.parallelism.offload_states, 0) + " of the optimizer states on the hosts";
        },
    .brief =
        [](const Scenario& s) { return format_percent(s.parallelism.offload_states, 0) + " of the states on hosts"; },
    .combines = true,
    .of_point = false};
constexpr RemedyKind activations_on_host{
    .further =
        [](Scenario& s, const Scenario&) {
            return in_step(s) &&
                   std::exchange(s.parallelism.offload_activations, Recompute::blocks) != Recompute::blocks;
        },
    .words = [](const Scenario&) { return std::string("keep the activations of blocks on the hosts"); },
    .brief = [](const Scenario&) { return std::string("activations on hosts"); },
    .combines = true,
    .of_point = false};
/// Whether that degree can be given.
bool may_take(const Scenario& s, MeshAxis axis) {
    return in_step(s) && s.parallelism.fill != axis && !s.parallelism.segments;
}
constexpr RemedyKind divide_layers_further{
    .further =
        [](Scenario& s, const Scenario&) {
            return may_take(s, MeshAxis::tensor) && twice(s.parallelism.tensor, s.cluster.workers);
        },
    .words =
        [](const Scenario& s) { return "divide each layer among " + format_count(s.parallelism.tensor) + " workers"; },
    .brief = [](const Scenario& s) { return "tensor degree " + format_count(s.parallelism.tensor); },
    .alternatives = true};
bool as_trainers(const Scenario& s) { return policy_of(s.parallelism) != ShardingPolicy::columns; }
constexpr RemedyKind divide_sequences{
    .further =
        [](Scenario& s, const Scenario&) {
            return may_take(s, MeshAxis::context) && as_trainers(s) &&
                   any_layer(s, [](const LayerFacts& f) { return f.along(ShardAlong::queries) > 0; }) &&
                   twice(s.parallelism.context, s.cluster.workers);
        },
    .words =
        [](const Scenario& s) {
            return "divide each sequence among " + format_count(s.parallelism.context) + " workers";
        },
    .brief = [](const Scenario& s) { return "context degree " + format_count(s.parallelism.context); },
    .alternatives = true};
constexpr RemedyKind divide_experts{
    .further =
        [](Scenario& s, const Scenario&) {
            return in_step(s) && as_trainers(s) &&
                   any_layer(s, [](const LayerFacts& f) { return f.experts.count > 0; }) &&
                   twice(s.parallelism.expert, s.cluster.workers);
        },
    .words =
        [](const Scenario& s) { return "divide experts among " + format_count(s.parallelism.expert) + " workers"; },
    .brief = [](const Scenario& s) { return "expert degree " + format_count(s.parallelism.expert); },
    .alternatives = true,
    .combines = true};
constexpr RemedyKind more_stages{
    .further =
        [](Scenario& s, const Scenario&) {
            return may_take(s, MeshAxis::pipeline) && twice(s.parallelism.pipeline, s.cluster.workers);
        },
    .words =
        [](const Scenario& s) { return "divide the network into " + format_count(s.parallelism.pipeline) + " stages"; },
    .brief = [](const Scenario& s) { return "pipeline degree " + format_count(s.parallelism.pipeline); },
    .alternatives = true};
constexpr RemedyKind more_workers{.further =
                                      [](Scenario& s, const Scenario& own) {
                                          return twice(s.cluster.workers,
                                                       std::max<std::int64_t>(1024, own.cluster.workers * 16));
                                      },
                                  .words = workers_words,
                                  .brief = workers_words};
constexpr RemedyKind fewer_workers{.further = [](Scenario& s, const Scenario&) { return (s.cluster.workers /= 2) > 0; },
                                   .words = workers_words,
                                   .brief = workers_words};
constexpr RemedyKind other_way{.further = next_way,
                               .words = [](const Scenario& s) { return std::string(way_of(s)->words); },
                               .brief = [](const Scenario& s) { return std::string(way_of(s)->words); },
                               .alternatives = true};

constexpr std::array kinds{fewer_samples,  more_micro_steps,      more_micro_batches, other_schedule,
                           recompute_more, shard_states,          states_on_host,     activations_on_host,
                           divide_experts, divide_layers_further, divide_sequences,   more_stages,
                           more_workers,   fewer_workers,         other_way};

}  // namespace remedies

/// A scenario that is to be changed, and its plan.
struct Base {
    const Scenario* scenario;
    const Plan* plan;
    Bytes peak;
};
class RemedySearch {
public:
    RemedySearch(Bytes room, Scratch& scratch) : room_(room), scratch_(scratch) {}

    std::vector<MemoryRemedy> search(const Base& base) {
        std::vector<MemoryRemedy> found;
        for (const remedies::RemedyKind& kind : remedies::kinds)
            if (auto changed = try_kind(kind, base); changed && changed->peak <= room_)
                found.push_back(std::move(*changed));
        if (!found.empty()) return found;
        if (auto all = together(base)) found.push_back(std::move(*all));
        return found;
    }

private:
    Bytes room_;
    Scratch& scratch_;

    std::optional<Bytes> peak_at(const Plan& plan, const Point& point) {
        const Summary s = score(plan, point, scratch_);
        return s.feasible() ? std::optional(peak_memory(plan, point, scratch_)) : std::nullopt;
    }
    /// `own`: a plan that was made for this kind, to be made into that of `s`; null before the first.
    std::optional<Bytes> peak_of(const Scenario& s, const remedies::RemedyKind& kind, const Base& base,
                                 std::optional<Plan>& own) {
        if (kind.of_point) return peak_at(*base.plan, point_of(s));
        if (base.plan->method != Method::pipeline) {
            auto plan = prepare(s);
            return plan ? peak_at(*plan, plan->point) : std::nullopt;
        }
        if (!own) own = *base.plan;
        return own && reprice_plan(*own, s) ? peak_at(*own, own->point) : std::nullopt;
    }

    /// The first step that fits; otherwise the one that takes least, if any takes less than the base.
    std::optional<MemoryRemedy> try_kind(const remedies::RemedyKind& kind, const Base& base) {
        Scenario s = *base.scenario;
        std::optional<Plan> plan;
        if (kind.utmost) {
            kind.utmost(s);
            if (s == *base.scenario) return {};
            if (const auto peak = peak_of(s, kind, base, plan); !peak || *peak > room_) return {};
            s = *base.scenario;
        }
        std::optional<MemoryRemedy> least;
        Bytes before = base.peak;
        while (kind.further(s, *base.scenario)) {
            const auto peak = peak_of(s, kind, base, plan);
            if (peak && *peak < before) {
                before = *peak;
                least = MemoryRemedy{s, *peak, kind.words(s), {kind.brief(s)}};
                if (*peak <= room_) break;
            } else if (!kind.alternatives) {
                break;
            }
        }
        return least;
    }

    /// Changes on top of each other, each time the one that saves most.
    std::optional<MemoryRemedy> together(const Base& base) {
        constexpr int most_changes = 4;
        MemoryRemedy all{*base.scenario, base.peak, {}, {}};
        std::optional<Plan> plan;
        for (int i = 0; i < most_changes; ++i) {
            std::optional<MemoryRemedy> best;
            for (const remedies::RemedyKind& kind : remedies::kinds) {
                if (!kind.combines) continue;
                auto changed = try_kind(kind, {&all.scenario, plan ? &*plan : base.plan, all.peak});
                if (changed && (!best || changed->peak < best->peak)) best = std::move(changed);
            }
            if (!best) return {};
            all.brief.push_back(best->brief.front());
            all = {best->scenario, best->peak, all.words + (i == 0 ? "" : " and ") + best->words, std::move(all.brief)};
            if (all.peak <= room_) return all;
            auto next = prepare(all.scenario);
            if (!next) return {};
            plan = std::move(*next);
        }
        return {};
    }
};

}  // namespace

std::vector<MemoryRemedy> memory_remedies(const Scenario& scenario, const Plan& plan, const Estimate& e, Bytes room,
                                          Scratch& scratch) {
    return RemedySearch(room, scratch).search({&scenario, &plan, e.memory.peak});
}

std::string memory_remedy(const Scenario& scenario, const Plan& plan, const Estimate& e, Bytes room, Scratch& scratch) {
    std::string text;
    for (const MemoryRemedy& remedy : memory_remedies(scenario, plan, e, room, scratch)) text += remedy.words + "; or ";
    if (text.empty()) text = "no smaller batch, other number of workers or other way to divide the work makes it fit; ";
    return text + "choose devices with " + format_bytes(e.memory.peak) + " or more";
}

}  // namespace scalescope
