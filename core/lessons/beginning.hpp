// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/library.hpp"
#include "core/lessons/lesson.hpp"
#include "core/scenario/pin.hpp"

/// The scenarios of a lesson's steps.
namespace scalescope::lessons {

/// The scenario with which a step begins: its own one, or that of the step before, with what it sets. The same whatever
/// the person did, so that texts and assertions speak of what is seen. Where Step::goes_on(), a window leaves the
/// person's own alone.
Result<Scenario> scenario_of(const Lesson& lesson, std::size_t step, const formats::Library& library);
/// The pins that the step sets; none if it sets none.
Result<Pins> pins_of(const Lesson& lesson, std::size_t step, const formats::Library& library);
/// The scenario that an assertion is about.
Result<Scenario> scenario_of(const Lesson& lesson, std::size_t step, const Assertion& assertion,
                             const formats::Library& library);
/// What is given; it must be.
Result<Scenario> scenario_of(const Beginning& beginning, const formats::Library& library);
/// `scenario` changed; problems have the path as their `where`.
Result<Scenario> changed(Scenario scenario, const Changes& changes, const formats::Library& library);

}  // namespace scalescope::lessons
