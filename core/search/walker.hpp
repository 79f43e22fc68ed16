// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "core/estimate/plan.hpp"
#include "core/search/space.hpp"

namespace scalescope::search {

/// Goes through a space so that as little as possible is made anew: axes that change the work turn slowest, then those
/// that change its prices, and within a plan only the point moves. One per thread.
class Walker {
public:
    explicit Walker(const Space& space);

    std::uint64_t size() const { return space_->size(); }
    /// Combinations of one plan.
    std::uint64_t points() const { return points_; }

    /// Goes to a place in the order of the walk. False if its plan cannot be made: then all places up to the next
    /// multiple of points() have none, and problems() says why.
    bool go(std::uint64_t place);
    /// Where a combination stands in the order of the walk.
    std::uint64_t place_of(std::span<const std::size_t> digits) const;

    /// The next point of the same plan; false behind the last one.
    bool next();

    const Problems& problems() const { return problems_; }
    const Plan& plan() const { return *plan_; }
    /// The scenario of the plan: right but for what a point holds.
    const Scenario& scenario() const { return scenarios_.back(); }
    /// The point; nothing if some value cannot be taken in this plan's scenario.
    const Point* point() const { return point_ok_ ? &point_ : nullptr; }
    /// The index of the combination in the space, and of one axis the place of its value.
    std::uint64_t index() const { return index_; }
    std::size_t digit(std::size_t axis) const { return digits_[axis]; }
    /// Whether another combination has the same point: one that differs only in the cut or the scheme where nothing is
    /// cut, or in a precision that the device computes in the same way. Axes that the grid shows (`column` and `row`)
    /// are not compared.
    bool repeats(std::optional<std::size_t> column = {}, std::optional<std::size_t> row = {}) const;
    /// Of a feasible point, by its summary: the combination that says the same in plainer words, if there is one. One
    /// worker divides nothing, however; a hybrid that cuts nothing is data parallel; only a hybrid that cuts has a cut
    /// and a scheme; an automatic cut is the one it takes. Even one worker's gradients may go to a parameter server:
    /// where that matters, other collectives stand for each other, but not for it.
    struct Plainer {
        std::vector<std::size_t> digits;
        Point point;
    };
    std::optional<Plainer> plainer(const Summary& summary, bool server_matters) const;
    /// A number that grows whenever the plan changes.
    std::uint64_t plan_number() const { return plan_number_; }
    /// One that grows whenever its work does: then a Scratch must be made anew.
    std::uint64_t work_number() const { return work_number_; }

private:
    struct Value {
        bool ok = false;
        std::int64_t number = 0;
    };
    struct PointAxis {
        std::size_t axis = 0;
        const PointField* field = nullptr;
        bool replicas = false;  ///< its values are workers of one machine each
        bool fixed = true;      ///< they mean the same in every plan
        std::vector<Value> values;
        std::size_t first = 0;  ///< of the values that can be taken
    };

    const Space* space_;
    std::vector<std::size_t> outer_;
    /// Those that change nothing where an axis of the mesh has one rank.
    std::vector<std::pair<std::size_t, std::int64_t Degrees::*>> outer_of_one_axis_;
    std::optional<std::size_t> precisions_;  ///< axis
    bool precision_repeats_ = false;         ///< in the plan that is set
    std::vector<PointAxis> inner_;
    std::uint64_t points_ = 1;
    std::vector<std::size_t> digits_;  ///< by axis
    std::vector<Scenario> scenarios_;  ///< [i]: the first i of `outer_` set
    std::vector<Problems> failed_;     ///< [i]: why the i-th could not be
    std::size_t set_ = 0;              ///< so many of `outer_` are set as `digits_` says
    std::optional<Plan> plan_;
    bool plan_ok_ = false, plan_current_ = false;
    std::size_t work_axes_ = 0;  ///< so many of `outer_` change the work
    Problems problems_;
    Point point_;
    bool point_ok_ = false;
    std::uint64_t index_ = 0, plan_number_ = 0, work_number_ = 0;

    /// The point is that of the axis' first value, or of an earlier one.
    bool does_nothing(const PointAxis& axis) const;
    /// Another value of the axis of precisions does the same: one that the device has a path for, or else an earlier
    /// one.
    bool repeats_a_precision() const;
    bool enter();
    void read_values(PointAxis& axis);
    void put_point();
};

}  // namespace scalescope::search
