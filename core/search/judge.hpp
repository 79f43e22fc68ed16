// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/search/search.hpp"
#include "core/search/walker.hpp"

namespace scalescope::search {

/// What a piece of the space came to.
struct Harvest {
    TopList top;
    Front front;
    Grid grid;
    Counts counts;
    Problems why_invalid;
    Harvest(const Space& space, const Question& question);
    void merge(const Harvest& other, bool several);
};

SearchResult result_of(Harvest all, bool several);
/// What search_from_starts finds, each combination once, from the best of `start` alone.
Harvest climbed_from(const Harvest& start, const Space& space, const Question& question, const CancelToken& cancel);

/// Prices the points that a Walker goes by and puts the good ones into a Harvest. One per thread.
class Judge {
public:
    Judge(const Space& space, const Question& question);

    /// The places [from, to) of the walk. Gives up between points when `watch` is cancelled.
    void look(std::uint64_t from, std::uint64_t to, Harvest& harvest, const CancelToken& cancel);
    /// One combination.
    void look_at(std::span<const std::size_t> digits, Harvest& harvest) {
        const std::uint64_t place = walker_.place_of(digits);
        look(place, place + 1, harvest, {});
    }

    /// A combination that a plainer one tells is put down as that one, not left to it: for who does not look at all.
    void put_down_the_plainer() { puts_down_plainer_ = true; }

private:
    const Space* space_;
    const Question* question_;
    Walker walker_;
    bool several_, puts_down_plainer_ = false;
    // Constraints by when they can be answered: once a plan, before or after pricing, with the memory.
    std::vector<const Constraint*> of_plan_, of_point_, of_figures_, of_memory_;
    std::vector<const Constraint*> of_step_;  ///< of these, those that a long step does not meet
    bool wants_baseline_ = false, wants_memory_ = false;

    std::uint64_t plan_number_ = 0, work_number_ = 0;
    bool plan_open_ = true, plan_known_ = true;  ///< constraints of the plan hold; objectives have their figures
    Terms terms_;
    double seconds_per_sample_ = 0;  ///< no device trains faster than this; 0: not known
    Scratch scratch_, other_scratch_;
    struct Baseline {
        Point point;
        Summary summary;
    };
    std::optional<Baseline> baseline_;
    std::optional<std::pair<Point, Bytes>> memory_;  ///< of a point with the cut that was taken and any collective

    void take_plan();
    const Summary& baseline_of(const Point& point);
    Bytes memory_of(Point point, const Summary& summary);
    Figures unpriced(const Point& point) const;
    double operand(const Constraint::Operand& o, const Point& point, const Figures* figures) const;
    bool all_hold(const std::vector<const Constraint*>& constraints, const Point& point, const Figures* figures) const;
    bool values_of(const Figures& figures, Values& values) const;
    bool open(const Harvest& harvest, const Values& bound, std::size_t cell) const;
    /// A plainer combination has the same summary and the same memory: its digits.
    std::optional<std::vector<std::size_t>> told_plainer(const Figures& figures);
    bool beaten(const Harvest& harvest, const Point& point, Seconds least, std::size_t cell);
    using Fate = std::uint64_t Counts::*;
    Fate left_out(const Harvest& harvest, const Point& point, std::size_t cell);
    Fate judge(Harvest& harvest);
};

}  // namespace scalescope::search
