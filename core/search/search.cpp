// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/search.hpp"

#include <algorithm>
#include <atomic>
#include <thread>

#include "core/search/judge.hpp"

namespace scalescope::search {
namespace {

constexpr std::uint64_t most_pieces = 64, least_piece = 2048, sampled = 512;  // 64 times the largest space fits 64 bits
constexpr std::uint64_t told_after = 512;                                     // a plan for each may take a millisecond

Problem question_problem(std::string what, std::string remedy) {
    return make_error(std::move(what), std::move(remedy), {}, "search");
}

Problems check_question(const Space& space, const Question& q) {
    Problems wrong;
    if (q.objectives.empty() || q.objectives.size() > most_objectives)
        wrong.push_back(question_problem("A search has one to four objectives.", "name those that matter most"));
    if (q.top > 100'000) wrong.push_back(question_problem("At most 100,000 rows are kept.", "ask for fewer"));
    if (q.grid) {
        const auto [column, row] = *q.grid;
        if (column >= space.axes().size() || row >= space.axes().size() || column == row)
            wrong.push_back(question_problem("A grid needs two different things that are varied.", "choose two"));
        else if (space.axes()[column].values.size() * space.axes()[row].values.size() > 1'000'000)
            wrong.push_back(question_problem("This grid has more than a million cells.", "vary in coarser steps"));
    }
    return wrong;
}

/// What a few combinations spread over the space are worth: a first mark for the pieces, the same for all of them.
void look_around(const Space& space, const Question& q, Harvest& known) {
    Judge judge(space, q);
    const std::uint64_t step = std::max<std::uint64_t>(1, space.size() / sampled);
    for (std::uint64_t i = 0; i < std::min(sampled, space.size()); ++i) {
        // Somewhere in its stretch, or all would have the same values of the axes that turn fast.
        const std::uint64_t place = i * step + i * 2'654'435'761u % step;
        judge.look(place, place + 1, known, {});
    }
}

}  // namespace

Counts& Counts::operator+=(const Counts& o) {
    scored += o.scored;
    refused += o.refused;
    unfit += o.unfit;
    folded += o.folded;
    outside += o.outside;
    pruned += o.pruned;
    outpaced += o.outpaced;
    too_large += o.too_large;
    repeated += o.repeated;
    infeasible += o.infeasible;
    invalid += o.invalid;
    unknown += o.unknown;
    return *this;
}

double SearchResult::value(const Question& question, const Found& found, std::size_t objective) const {
    const double value = found.values[objective];
    return info_of(question.objectives[objective]).larger_is_better ? -value : value;
}

SearchResult result_of(Harvest all, bool several) {
    SearchResult result;
    result.best = all.top.sorted();
    if (several) result.front = all.front.sorted();
    result.front_too_large = several && all.front.overflown();
    result.grid = std::move(all.grid);
    result.counts = all.counts;
    result.why_invalid = std::move(all.why_invalid);
    return result;
}

Result<SearchResult> search(const Space& space, const Question& question, unsigned threads, const Watch& watch,
                            Tally* tally) {
    if (auto wrong = check_question(space, question); !wrong.empty()) return fail(std::move(wrong));
    if (space.size() > question.most) return search_from_starts(space, question, watch, tally);
    const bool several = question.objectives.size() > 1;
    const std::uint64_t size = space.size();
    const std::uint64_t pieces = std::clamp<std::uint64_t>(size / least_piece, 1, most_pieces);
    // The pieces are those of the space, not of the threads, and none looks at another's finds: so that the counts,
    // too, are the same for any number of threads.
    std::vector<Harvest> harvests(pieces, Harvest(space, question));
    Harvest known(space, question);
    if (question.prune && pieces > 1) {
        look_around(space, question, known);
        // Merged, as a combination found twice counts once.
        known.merge(climbed_from(known, space, question, watch.cancel), several);
        if (question.must_fit && known.top.sorted().empty()) {  // few fit: begin with what needs least memory
            Question least = question;
            least.objectives = {Metric::memory};
            least.must_fit = false;
            Harvest small(space, least);
            look_around(space, least, small);
            small.merge(climbed_from(small, space, least, watch.cancel), false);
            known.merge(climbed_from(small, space, question, watch.cancel), several);
        }
        const auto best = known.top.sorted();
        for (Harvest& h : harvests) {
            if (best.size() == question.top && question.top > 0) h.top.know(best.back().values);
            if (several) h.front.merge(known.front);
            h.grid.merge(known.grid);
        }
    }
    std::atomic<std::uint64_t> next{0};
    Tally own;
    Tally& so_far = tally ? *tally : own;
    std::vector<char> done(pieces, 0);
    const auto work = [&](bool tells) {
        Judge judge(space, question);
        for (;;) {
            const std::uint64_t piece = next.fetch_add(1);
            if (piece >= pieces || watch.cancel.cancelled()) return;
            const auto begin = size * piece / pieces, end = size * (piece + 1) / pieces;
            for (std::uint64_t at = begin; at < end && !watch.cancel.cancelled();) {
                const std::uint64_t to = std::min(end, at + told_after);
                const std::uint64_t before = harvests[piece].counts.scored;
                judge.look(at, to, harvests[piece], watch.cancel);
                so_far.seen += to - at;
                so_far.scored += harvests[piece].counts.scored - before;
                at = to;
                if (tells) watch.progress(static_cast<double>(so_far.seen) / static_cast<double>(size));
            }
            done[piece] = !watch.cancel.cancelled();
        }
    };
    {
        std::vector<std::jthread> others;
        for (unsigned t = 1; t < std::min<std::uint64_t>(threads, pieces); ++t)
            others.emplace_back([&] { work(false); });
        work(true);
    }
    Harvest all(space, question);
    for (const Harvest& h : harvests) all.merge(h, several);
    const bool complete = std::all_of(done.begin(), done.end(), [](char d) { return d != 0; });
    if (!complete) {  // what the pieces were measured against may be the best so far
        known.counts = {};
        all.merge(known, several);
    }
    SearchResult result = result_of(std::move(all), several);
    result.complete = complete;
    return result;
}

}  // namespace scalescope::search
