// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "core/measure/validate/published.hpp"

/// What rows of one table say about each other.
namespace scalescope::measure {

/// Determines the unit of a step time that has none, beside a rate of samples in the rows from `from` on, which are of
/// one run: seconds or milliseconds, whichever agrees better with the batch and the rate.
void settle_steps(std::vector<PublishedRow>& rows, std::size_t from);

/// Passes the step time among the rows from `from` on, which are of one run, to all of them. Derives the samples or
/// tokens of a step from it and a rate if the run gives no batch.
void settle_steps_of_run(std::vector<PublishedRow>& rows, std::size_t from);

/// Drops the time of a whole training among the rows from `from` on, which are of one run, if they have other figures
/// and nothing says how long the training was.
void drop_open(std::vector<PublishedRow>& rows, std::size_t from);

/// Determines whether an ambiguous batch is that of all workers or of each. It is that of all if a rate times the step
/// time equals it, or if it grows with the number of workers; it is that of each if the product is larger.
void settle_whose_batch(std::vector<PublishedRow>& rows);

}  // namespace scalescope::measure
