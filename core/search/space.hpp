// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>

#include "core/search/axis.hpp"

namespace scalescope::search {

/// Sets what a person names by path, as formats::set_by_name does. Called from several threads at once, but for
/// networks and calibrations: those are asked for once, when the space is made.
using SetByName = std::function<Result<void>(Scenario&, const std::string& path, const std::string& value)>;

/// The largest space.
inline constexpr std::uint64_t most_combinations = 1'000'000'000'000'000;

/// What must be made anew when an axis takes another value: the whole plan, its prices, or nothing but the point.
enum class Level : std::uint8_t { work, prices, point };

/// A path that is varied twice, and paths that set the same thing.
Problems clashes(std::span<const std::string> paths);

/// Every combination of values around a scenario. A combination has an index: its values' places as digits, the last
/// axis fastest. Values are set in one order whatever that of the axes is: what stands for several fields first, then
/// what a later field corrects (a device before its peak, the devices of a node before the nodes).
class Space {
public:
    /// Problems: a path twice, or two paths that set the same thing; a value that the field does not take in the
    /// scenario as it is; more than 10^15 combinations.
    static Result<Space> make(Scenario base, std::vector<Axis> axes, SetByName set);

    const Scenario& base() const { return base_; }
    std::span<const Axis> axes() const { return axes_; }
    std::uint64_t size() const { return size_; }
    std::vector<std::size_t> digits(std::uint64_t index) const;
    std::uint64_t index_of(std::span<const std::size_t> digits) const;

    /// The scenario of a combination, or why there is none.
    Result<Scenario> scenario(std::uint64_t index) const;
    /// Sets one value.
    Result<void> set(Scenario& scenario, std::size_t axis, std::size_t value) const;

    /// Axes in the order in which they are set; their levels ascend.
    std::span<const std::size_t> order() const { return order_; }
    Level level(std::size_t axis) const { return levels_[axis]; }
    /// By how much the index grows from one value of the axis to the next.
    std::uint64_t stride(std::size_t axis) const { return strides_[axis]; }

private:
    Scenario base_;
    std::vector<Axis> axes_;
    SetByName set_;
    std::vector<std::size_t> order_;
    std::vector<Level> levels_;
    std::vector<std::uint64_t> strides_;
    std::vector<std::shared_ptr<const Network>> networks_;  ///< of the axis "network", by value
    std::vector<SharedCalibration> calibrations_;           ///< of the axis "calibration"
    std::uint64_t size_ = 1;
};

/// The level of a path, with the pipeline as method.
Level level_of(std::string_view path);

}  // namespace scalescope::search
