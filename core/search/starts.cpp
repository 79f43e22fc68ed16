// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/sequences.hpp"
#include "core/search/search.hpp"

#include <random>
#include <unordered_set>

#include "core/search/admit.hpp"
#include "core/search/judge.hpp"

namespace scalescope::search {
namespace {

constexpr std::size_t tried = 64;

/// Values of an axis worth trying: all, or some spread evenly and, around the present one, at doubling distances.
std::vector<std::size_t> candidates(std::size_t count, std::size_t now) {
    std::vector<std::size_t> all;
    if (count <= tried) {
        for (std::size_t v = 0; v < count; ++v) all.push_back(v);
        return all;
    }
    const std::size_t even = tried / 2;
    for (std::size_t i = 0; i < even; ++i) all.push_back(i * (count - 1) / (even - 1));
    for (std::size_t off = 1; off < count; off *= 2) {
        if (now >= off) all.push_back(now - off);
        if (now + off < count) all.push_back(now + off);
    }
    all.push_back(now);
    sort_once(all);
    return all;
}

class Climb {
public:
    Climb(const Space& space, const Question& question, Harvest& harvest)
        : space_(space), one_(question), judge_(space, question), picker_(space, one_of(one_)), harvest_(harvest) {
        picker_.put_down_the_plainer();
    }

    void from(std::vector<std::size_t> digits, const CancelToken& cancel) {
        std::optional<Found> best;
        for (bool better = true; better && !cancel.cancelled();) {
            better = false;
            for (std::size_t axis = 0; axis < digits.size() && !cancel.cancelled(); ++axis) {
                Harvest line(space_, one_);
                for (const std::size_t v : candidates(space_.axes()[axis].values.size(), digits[axis])) {
                    auto there = digits;
                    there[axis] = v;
                    picker_.look_at(there, line);
                }
                const auto found = line.top.sorted();
                harvest_.counts += line.counts;
                if (harvest_.why_invalid.empty()) harvest_.why_invalid = line.why_invalid;
                if (found.empty() || (best && !before(found[0], *best))) continue;
                best = found[0];
                digits = space_.digits(best->index);
                better = true;
                add(digits);
            }
        }
    }

private:
    const Space& space_;
    Question one_;  ///< the best alone
    Judge judge_, picker_;
    Harvest& harvest_;
    std::unordered_set<std::uint64_t> added_;

    static const Question& one_of(Question& q) {
        q.top = 1;
        q.grid.reset();
        return q;
    }
    /// What a climb passes, and its neighbours on every axis, are the answers.
    void add(const std::vector<std::size_t>& digits) {
        const Counts counted = harvest_.counts;
        for (std::size_t axis = 0; axis < digits.size(); ++axis)
            for (const std::size_t v : candidates(space_.axes()[axis].values.size(), digits[axis])) {
                auto there = digits;
                there[axis] = v;
                if (added_.insert(space_.index_of(there)).second) judge_.look_at(there, harvest_);
            }
        harvest_.counts = counted;  // these were counted when they were tried
    }
};

}  // namespace

Harvest climbed_from(const Harvest& start, const Space& space, const Question& question, const CancelToken& cancel) {
    Harvest found(space, question);
    const auto best = start.top.sorted();
    if (!best.empty()) Climb(space, question, found).from(space.digits(best.front().index), cancel);
    return found;
}

Result<SearchResult> search_from(const Space& space, const Question& question,
                                 const std::vector<std::vector<std::size_t>>& seeds, std::size_t climbs,
                                 const Watch& watch) {
    Question of_seeds = question;
    of_seeds.top = climbs;
    Harvest begun(space, of_seeds), seen(space, question);
    Judge judge(space, of_seeds);
    for (const auto& digits : seeds)
        if (!watch.cancel.cancelled()) judge.look_at(digits, begun);
    Climb climb(space, question, seen);
    for (const Found& found : begun.top.sorted()) climb.from(space.digits(found.index), watch.cancel);
    const bool several = question.objectives.size() > 1;
    seen.merge(begun, several);
    SearchResult result = result_of(std::move(seen), several);
    result.complete = !watch.cancel.cancelled();
    result.whole = false;
    return result;
}

Result<SearchResult> search_from_starts(const Space& space, const Question& question, const Watch& watch,
                                        Tally* tally) {
    const bool several = question.objectives.size() > 1;
    Harvest seen(space, question);
    {
        Climb climb(space, question, seen);
        std::mt19937_64 random(1);
        for (std::uint64_t i = 0; i < starts && !watch.cancel.cancelled(); ++i) {
            auto digits = digits_near(space, space.base());
            for (std::size_t a = 0; i > 0 && a < digits.size(); ++a)
                digits[a] = static_cast<std::size_t>(random() % space.axes()[a].values.size());
            climb.from(std::move(digits), watch.cancel);
            if (tally) tally->seen = seen.counts.seen(), tally->scored = seen.counts.scored;
            watch.progress(static_cast<double>(i + 1) / static_cast<double>(starts));
        }
    }
    SearchResult result = result_of(std::move(seen), several);
    result.complete = !watch.cancel.cancelled();
    result.whole = false;
    return result;
}

}  // namespace scalescope::search
