// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/csv.hpp"

/// Published results: what somebody measured and printed, row by row, and what the model says of it.
namespace scalescope::measure {

/// One result as its table has it; words are not interpreted yet.
struct PublishedRow {
    std::string file;
    int line = 0;  ///< in the file, from 1
    std::string source, framework, network, device, interconnect, precision, metric, unit, notes;
    std::int64_t workers = 1;
    std::int64_t devices_per_node = 1;
    std::int64_t batch_per_worker = 0;  ///< samples of one micro-step; 0: not given
    std::int64_t accumulation = 1;      ///< micro-steps before one update
    std::int64_t sequence = 0;          ///< length of a sequence in tokens; 0: not given
    double value = 0.0;                 ///< as measured, in `unit`; positive and finite if `wrong` is empty
    std::string wrong;                  ///< why the row says nothing that could be predicted; a full sentence, or empty
};

/// The rows of a table of published results. Columns: network, device, value and unit; workers (or gpus),
/// batch_per_worker (or batch_global: then of all workers together, in one update), source, framework, interconnect,
/// gpus_per_node, precision, metric, notes (or note), seq, micro_batch, tp, pp where there are any. Notes are phrases
/// between semicolons; `seq_len=` and `grad_accum=` among them are read.
/// A missing column is a problem; a row that cannot be used says so itself (`wrong`), so that coverage can be counted.
Result<std::vector<PublishedRow>> read_published(const formats::CsvTable& table);

/// "a; b=1; c" → "a", "b=1", "c".
std::vector<std::string> phrases_of(std::string_view notes);

}  // namespace scalescope::measure
