// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/estimate/curves.hpp"
#include "core/scenario/pin.hpp"

namespace scalescope::ui {

/// What charts and panels show of a pinned design.
struct PinAnswer {
    Pin pin;
    std::shared_ptr<const Plan> plan;  ///< null if the design makes no sense any more
    std::shared_ptr<const Result<Estimate>> estimate;
    /// Its own way to divide the work, over the worker counts of the charts; never null.
    std::shared_ptr<const Curve> curve;
};
using PinAnswers = std::vector<PinAnswer>;

/// Answers for pins, of which a drag changes none: each is estimated once, and its curve only gets the counts that are
/// new.
class KeptPins {
public:
    PinAnswers answer(const Pins& pins, const std::vector<std::int64_t>& counts);

private:
    struct Kept {
        std::shared_ptr<const Scenario> scenario;
        std::shared_ptr<const Plan> plan;
        std::shared_ptr<const Result<Estimate>> estimate;
        std::optional<Scratch> scratch;
        KeptCurves curves;
        std::vector<std::int64_t> counts;    ///< of the curve
        std::shared_ptr<const Curve> curve;  ///< shared by all answers with these counts
    };
    std::vector<std::unique_ptr<Kept>> kept_;

    Kept& of(const std::shared_ptr<const Scenario>& scenario);
    static void draw(Kept& kept, const std::vector<std::int64_t>& counts);
};

}  // namespace scalescope::ui
