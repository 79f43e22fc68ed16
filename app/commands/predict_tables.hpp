// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/commands/output.hpp"
#include "core/measure/transfer/predict.hpp"

/// What `predict` writes.
namespace scalescope::app {

/// Steps as they were recorded: kernels, communication, memory operations, idle time.
Table recorded_table(const kineto::Digest& digest);

Table summary_header();
/// Rows for every step, the mean step, and its phases, classes and rules.
void add_summary(Table& table, const kineto::Digest& digest, const transfer::Gpu& from, const transfer::Gpu& to,
                 const transfer::Prediction& prediction);

Table operations_header();
/// A row for every operation, with the rule and what it rests on.
void add_operations(Table& table, const kineto::Trace& trace, const kineto::Digest& digest,
                    const std::vector<transfer::Work>& works, const transfer::Gpu& to,
                    const transfer::Prediction& prediction);

}  // namespace scalescope::app
