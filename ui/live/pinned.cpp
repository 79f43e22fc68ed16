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
        kept->scratch = make_scratch(*kept->plan);
        estimated = estimate(*scenario, *kept->plan, *kept->scratch);
    } else {
        estimated = fail(plan.error());
    }
    kept->estimate = std::make_shared<const Result<Estimate>>(std::move(estimated));
    kept_.push_back(std::move(kept));
    return *kept_.back();
}

/// The curve over these counts, and more if it has them; a drag that changes none of them costs nothing.
void KeptPins::draw(Kept& kept, const std::vector<std::int64_t>& counts) {
    if (kept.curve && std::includes(kept.counts.begin(), kept.counts.end(), counts.begin(), counts.end())) return;
    kept.counts = counts;
    kept.curve =
        !kept.plan ? std::make_shared<const Curve>()
                   : std::make_shared<const Curve>(
                         kept.curves.make(*kept.scenario, kept.plan, {own_curve(*kept.scenario)}, counts, *kept.scratch)
                             .front());
}

PinAnswers KeptPins::answer(const Pins& pins, const std::vector<std::int64_t>& counts) {
    PinAnswers answers;
    for (const Pin& pin : pins) {
        Kept& kept = of(pin.scenario);
        draw(kept, counts);
        answers.push_back({pin, kept.plan, kept.estimate, kept.curve});
    }
    std::erase_if(kept_, [&](const auto& kept) {
        return std::none_of(pins.begin(), pins.end(), [&](const Pin& p) { return p.scenario == kept->scenario; });
    });
    return answers;
}

}  // namespace scalescope::ui
