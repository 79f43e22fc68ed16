// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/live/pinned.hpp"

#include <algorithm>

namespace scalescope::ui {

KeptPins::Kept& KeptPins::of(const std::shared_ptr<const Scenario>& scenario) {
    for (auto& kept : kept_)
        if (kept->scenario == scenario) return *kept;
    auto kept = std::make_unique<Kept>();
    kept->scenario = scenario;
    Result<Estimate> estimated = Estimate{};
    if (auto plan = prepare(*scenario)) {
        kept->plan = std::make_shared<const Plan>(std::move(*plan));
        Scratch scratch = make_scratch(*kept->plan);
        estimated = estimate(*scenario, *kept->plan, scratch);
    } else {
        estimated = fail(plan.error());
    }
    kept->estimate = std::make_shared<const Result<Estimate>>(std::move(estimated));
    kept_.push_back(std::move(kept));
    return *kept_.back();
}

PinAnswers KeptPins::answer(const Pins& pins, const std::vector<std::int64_t>& counts) {
    PinAnswers answers;
    for (const Pin& pin : pins) {
        Kept& kept = of(pin.scenario);
        PinAnswer a{pin, kept.plan, kept.estimate, {}};
        if (kept.plan) {
            const auto all = curve_specs(*pin.scenario, CurveSet::strategies);
            const int own = shown_curve(*pin.scenario, all);
            if (own >= 0) {
                Scratch scratch = make_scratch(*kept.plan);
                a.curve =
                    kept.curves.make(*pin.scenario, *kept.plan, {all[static_cast<std::size_t>(own)]}, counts, scratch)
                        .front();
            }
        }
        answers.push_back(std::move(a));
    }
    std::erase_if(kept_, [&](const auto& kept) {
        return std::none_of(pins.begin(), pins.end(), [&](const Pin& p) { return p.scenario == kept->scenario; });
    });
    return answers;
}

}  // namespace scalescope::ui
