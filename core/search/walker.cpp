// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/search/walker.hpp"

#include <algorithm>
#include <array>
#include <tuple>

#include "core/base/limits.hpp"
#include "core/pricing/rates.hpp"

namespace scalescope::search {

namespace {

/// Fields that change nothing where an axis of the mesh has one rank.
struct OfOneAxis {
    std::string_view path;
    std::int64_t Degrees::*degree;
};
constexpr std::array of_one_axis{OfOneAxis{"parallelism.sequence", &Degrees::tensor},
                                 OfOneAxis{"parallelism.context_scheme", &Degrees::context},
                                 OfOneAxis{"parallelism.borders", &Degrees::pipeline}};

}  // namespace

Walker::Walker(const Space& space) : space_(&space), digits_(space.axes().size(), 0) {
    for (const std::size_t axis : space.order()) {
        if (space.level(axis) != Level::point) {
            outer_.push_back(axis);
            for (const OfOneAxis& f : of_one_axis)
                if (space.axes()[axis].path == f.path) outer_of_one_axis_.emplace_back(axis, f.degree);
            if (space.axes()[axis].path == "training.precision") precisions_ = axis;
            work_axes_ += space.level(axis) == Level::work ? 1 : 0;
            continue;
        }
        const std::string& path = space.axes()[axis].path;
        PointAxis p;
        p.axis = axis;
        p.field = find_point_field(path);
        if (!p.field) p.field = point_field("cluster.workers");  // of nodes and replicas
        p.replicas = path == "cpu.replicas";
        p.fixed = path != "cluster.nodes" && path != "parallelism.policy" && p.field != point_field("parallelism.cut");
        p.values.resize(space.axes()[axis].values.size());
        points_ *= p.values.size();
        inner_.push_back(std::move(p));
    }
    scenarios_.push_back(space.base());
    for (PointAxis& axis : inner_)
        if (axis.fixed) read_values(axis);
}

/// What each value puts into a point, in the scenario set last.
void Walker::read_values(PointAxis& axis) {
    Scenario scenario = scenarios_.back();
    for (std::size_t v = 0; v < axis.values.size(); ++v) {
        Value& value = axis.values[v];
        if (axis.replicas) scenario.cpu.partitions = 1;  // another axis may say how many they have
        value.ok = space_->set(scenario, axis.axis, v).has_value();
        if (!value.ok) continue;
        value.number = axis.field->of(scenario);
        value.ok = axis.field != point_field("parallelism.cut") || value.number != Point::cut_unknown;
    }
    const auto taken = std::find_if(axis.values.begin(), axis.values.end(), [](const Value& v) { return v.ok; });
    axis.first = taken == axis.values.end() ? 0 : static_cast<std::size_t>(taken - axis.values.begin());
}

bool Walker::enter() {
    plan_current_ = true;
    plan_ok_ = false;
    ++plan_number_;
    // The work of the last plan is that of this one unless an axis of it moved.
    if (set_ < work_axes_) plan_.reset();
    scenarios_.resize(set_ + 1);
    for (; set_ < outer_.size(); ++set_) {
        Scenario scenario = scenarios_.back();
        if (auto done = space_->set(scenario, outer_[set_], digits_[outer_[set_]]); !done) {
            problems_ = done.error();
            return false;
        }
        scenarios_.push_back(std::move(scenario));
    }
    if (plan_ && plan_->method == Method::pipeline) {
        auto moved = reprice_plan(*plan_, scenario());
        if (!moved) problems_ = moved.error();
        plan_ok_ = moved.has_value();
    } else {
        ++work_number_;
        auto made = prepare(scenario());
        if (made)
            plan_ = std::move(*made);
        else
            problems_ = made.error();
        plan_ok_ = made.has_value();
    }
    if (plan_ok_)
        for (PointAxis& axis : inner_)
            if (!axis.fixed) read_values(axis);
    precision_repeats_ = plan_ok_ && plan_->method == Method::pipeline && repeats_a_precision();
    return plan_ok_;
}

std::uint64_t Walker::place_of(std::span<const std::size_t> digits) const {
    std::uint64_t place = 0;
    for (const std::size_t axis : space_->order()) place = place * space_->axes()[axis].values.size() + digits[axis];
    return place;
}

bool Walker::go(std::uint64_t place) {
    std::uint64_t outer = place / points_, inner = place % points_;
    for (std::size_t i = inner_.size(); i-- > 0;) {
        const std::uint64_t count = inner_[i].values.size();
        digits_[inner_[i].axis] = static_cast<std::size_t>(inner % count);
        inner /= count;
    }
    for (std::size_t i = outer_.size(); i-- > 0;) {
        const std::uint64_t count = space_->axes()[outer_[i]].values.size();
        const auto digit = static_cast<std::size_t>(outer % count);
        outer /= count;
        if (digits_[outer_[i]] == digit) continue;
        digits_[outer_[i]] = digit;
        set_ = std::min(set_, i);
        plan_current_ = false;
    }
    if (!plan_current_) enter();
    index_ = space_->index_of(digits_);
    if (plan_ok_) put_point();
    return plan_ok_;
}

void Walker::put_point() {
    point_ = plan_->point;
    point_ok_ = true;
    std::int64_t replicas = 0;  // of however many machines they have, which another axis may say
    for (const PointAxis& axis : inner_) {
        const Value& value = axis.values[digits_[axis.axis]];
        point_ok_ = point_ok_ && value.ok;
        if (axis.replicas)
            replicas = value.ok ? value.number : 0;
        else
            axis.field->put(value.number, point_);
    }
    if (replicas > 0) {
        point_.workers = replicas * point_.partitions;
        if (point_.workers > limits::workers) point_ok_ = false;
    }
    // As prepare() asks: the batch of all workers together stays an exact integer.
    if (plan_->training.batch_rule == BatchRule::per_worker &&
        static_cast<double>(point_.batch) * static_cast<double>(point_.workers) > 1e15)
        point_ok_ = false;
}

bool Walker::next() {
    for (std::size_t i = inner_.size(); i-- > 0;) {
        PointAxis& axis = inner_[i];
        std::size_t& digit = digits_[axis.axis];
        const std::uint64_t stride = space_->stride(axis.axis);
        if (++digit < axis.values.size()) {
            index_ += stride;
            put_point();
            return true;
        }
        index_ -= stride * (digit - 1);
        digit = 0;
    }
    return false;
}

bool Walker::repeats_a_precision() const {
    if (!precisions_) return false;
    const Device& device = scenario().cluster.device;
    const auto computed = [&](Precision p) {
        return std::tuple(bytes_per_element(p), else_computed_in(device, p), multiplied_in(device, p));
    };
    const auto rank = [&](Precision p, std::size_t value) { return std::pair(multiplied_in(device, p) != p, value); };
    const Precision own = scenario().training.precision;
    const std::size_t digit = digits_[*precisions_];
    Scenario other = scenario();
    for (std::size_t v = 0; v < space_->axes()[*precisions_].values.size(); ++v) {
        if (!space_->set(other, *precisions_, v)) continue;
        const Precision p = other.training.precision;
        if (computed(p) == computed(own) && rank(p, v) < rank(own, digit)) return true;
    }
    return false;
}

bool Walker::repeats(std::optional<std::size_t> column, std::optional<std::size_t> row) const {
    if (precision_repeats_ && precisions_ != column && precisions_ != row) return true;
    if (!outer_of_one_axis_.empty()) {
        const auto degrees = point_.degrees();
        for (const auto& [axis, degree] : outer_of_one_axis_)
            if (digits_[axis] > 0 && axis != column && axis != row && degrees && (*degrees).*degree == 1) return true;
    }
    return std::any_of(inner_.begin(), inner_.end(), [&](const PointAxis& axis) {
        return digits_[axis.axis] > axis.first && axis.axis != column && axis.axis != row && does_nothing(axis);
    });
}

bool Walker::does_nothing(const PointAxis& axis) const {
    if (axis.field == point_field("parallelism.cut") || axis.field == point_field("parallelism.scheme"))
        return !point_.segments;
    const bool of_batches = axis.field == point_field("parallelism.micro_batches"),
               of_chunks = axis.field == point_field("parallelism.chunks");
    if (!of_batches && !of_chunks && axis.field != point_field("parallelism.order")) return false;
    const auto degrees = point_.degrees();
    if (!degrees || plan_->method != Method::pipeline || point_.segments) return false;
    if (degrees->pipeline == 1 || (of_chunks && !has_chunks(point_.order))) return true;
    if (!of_batches) return false;
    // Fewer samples than micro-batches, or micro-batches that do not divide them: another number does the same.
    const Batch batch = batch_for(point_.batch, plan_->training.batch_rule, point_.workers, degrees->data);
    const std::int64_t samples = micro_steps(*plan_, batch).samples;
    const auto pieces = [&](std::int64_t wanted) {
        const MicroSteps m = micro_steps(samples, wanted);
        return std::pair(m.count, m.samples);
    };
    const auto own = pieces(point_.micro_batches);
    return std::any_of(axis.values.begin(), axis.values.begin() + static_cast<std::ptrdiff_t>(digits_[axis.axis]),
                       [&](const Value& v) { return v.ok && pieces(v.number) == own; });
}

}  // namespace scalescope::search
