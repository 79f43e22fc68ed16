// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>

#include "core/base/table.hpp"
#include "core/measure/kineto/digest.hpp"
#include "core/measure/transfer/predict.hpp"

/// What `predict` writes, and the window exports.
namespace scalescope::transfer {

/// Of the mean step: time of each class of operators in each phase.
using ClassTimes = kineto::PerClass<std::array<Seconds, kineto::phases>>;

/// As recorded, communication too. Operations of no step count nowhere.
ClassTimes class_times(const kineto::Digest& digest);
/// As predicted; communication is not.
ClassTimes class_times(const kineto::Digest& digest, const Prediction& prediction);

/// What NCCL's kernels took of the mean step, as recorded. They wait for other GPUs: what of it is waiting, nobody can
/// say from here.
struct Communication {
    Seconds total;                ///< of all its kernels
    Seconds overlapped, exposed;  ///< while another kernel computed, and while none did
    explicit operator bool() const { return total > Seconds{0}; }
};
Communication communication_of(const kineto::Digest& digest);

/// Steps that a dollar pays for: 3600 / (seconds of a step · dollars an hour). 0 for a step without time.
double steps_per_dollar(Seconds step, double dollars_per_hour);

/// Steps as they were recorded: kernels, communication, memory operations, idle time.
FigureTable recorded_table(const kineto::Digest& digest);

FigureTable summary_header();
/// Rows for every step, the mean step, its communication as measured, and its phases, classes and rules.
void add_summary(FigureTable& table, const kineto::Digest& digest, const Gpu& from, const Gpu& to,
                 const Prediction& prediction);

FigureTable operations_header();
/// A row for every operation, with the rule and what it rests on.
void add_operations(FigureTable& table, const kineto::Trace& trace, const kineto::Digest& digest,
                    const std::vector<Work>& works, const Gpu& to, const Prediction& prediction);

/// A single row of that table, for large traces, whose rows together would take too much memory.
std::vector<TableCell> operation_row(const kineto::Trace& trace, const kineto::Digest& digest,
                                     const std::vector<Work>& works, const Gpu& to,
                                     const PredictedOperation& operation);

/// "operator model 97 %, wave scaling 3 %": of the predicted time.
std::string rules_of(const std::array<Times, rules>& by_rule);

/// What a time rests on: "ratio of the model's times on both GPUs", "corrected on 3,240 points, outside of what was
/// measured".
std::string evidence_of(const PredictedOperation& operation);

}  // namespace scalescope::transfer
