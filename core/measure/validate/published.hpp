// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/csv.hpp"

/// Published results: measurements that others printed, row by row, compared with predictions of the model.
namespace scalescope::measure {

/// One result as the table gives it, before its words are interpreted. Counts of 0 and empty texts were not given.
struct PublishedRow {
    std::string file;
    int line = 0;  ///< in the file, from 1
    std::string source, framework, network, device, interconnect, precision, metric, unit, notes;
    std::string recompute;       ///< activation recomputation: "full", "selective", "none", "moe_act; layernorm"
    std::string memory_counted;  ///< "allocated", or "reserved" by the allocator; otherwise all memory of the device
    std::string flops_counted;   ///< in FLOP rates: "model", or "hardware" (with the recomputed forward pass)
    std::int64_t workers = 1;
    std::int64_t devices_per_node = 0;
    std::int64_t batch_per_worker = 0;                    ///< samples of one micro-step of a replica of the network
    std::int64_t accumulation = 1;                        ///< micro-steps before one update
    std::int64_t batch_global = 0;                        ///< samples of one update of all workers
    std::int64_t micro_batch = 0;                         ///< samples of one micro-step or micro-batch of a replica
    std::int64_t tensor = 0, pipeline = 0, replicas = 0;  ///< degrees of the mesh of workers
    std::int64_t interleave = 0;                          ///< chunks of layers per device of a pipeline
    std::int64_t sequence = 0;                            ///< length of a sequence in tokens
    std::int64_t context = 0, expert = 0, expert_tensor = 0;
    std::int64_t shard_group = 0;  ///< replicas that share one copy of the weights
    std::int64_t nodes = 0;
    std::int64_t batch_tokens = 0;  ///< tokens of one update of all workers
    std::int64_t batch = 0;         ///< a batch whose kind the table does not state
    std::string sharding, sequence_parallel;
    bool workers_given = false;  ///< the table gives the number of devices, or of nodes and devices per node
    std::int64_t layers = 0, hidden = 0, heads = 0, kv_heads = 0, feed_forward = 0, vocabulary = 0;  ///< a transformer
    double tokens = 0;      ///< of the whole training
    double parameters = 0;  ///< of the network, if a column gives them
    /// Texts that stand outside of named columns: the header of the figure, nameless cells, the title. They name the
    /// network or the device if no column does.
    std::vector<std::string> texts;
    bool has_figures = false;  ///< the table has columns for the sizes of a transformer
    double value = 0.0;        ///< as measured, in `unit`; positive and finite if `wrong` is empty
    std::string wrong;         ///< why the row cannot be used, as a full sentence; empty if it can

    /// Workers that hold one copy of the network, or its work on one sequence.
    std::int64_t replica_size() const {
        return std::max<std::int64_t>(1, tensor) * std::max<std::int64_t>(1, pipeline) *
               std::max<std::int64_t>(1, context);
    }
    /// Copies of the network: as stated, or as many as the workers hold. 0 if the workers do not divide evenly.
    std::int64_t copies() const;
};

/// A header and what its column holds, or a column missing in the table and the text for all its cells.
using GivenColumn = std::pair<std::string, std::string>;

/// Reads a table of published results: network, device and figures, in columns of any usual name (core/words, "column"
/// and "metric") and in any order. Either each row has one figure (columns metric, value and unit), or each row is a
/// configuration with a figure in every column that is named after one. `given` corrects how headers are read. Notes
/// are phrases separated by semicolons; `seq_len=` and `grad_accum=` in them are read. A table without network, device
/// or figures is a problem. Rows that cannot be used are kept with a reason (`wrong`), so that coverage can be counted.
Result<std::vector<PublishedRow>> read_published(const formats::CsvTable& table,
                                                 std::span<const GivenColumn> given = {});

/// The header of each column and what it was taken for: "batch_global", "throughput in tokens/s, of one device".
std::vector<GivenColumn> columns_taken(const formats::CsvTable& table, std::span<const GivenColumn> given = {});

/// The row's text in that column; null if no text column has that name.
const std::string* text_cell(const PublishedRow& row, std::string_view column);
/// Whether this is a column that fill_cell() can fill.
bool is_fillable_column(std::string_view column);
/// Fills an empty cell with `text`. True if the cell was empty and the text is valid for the column.
bool fill_cell(PublishedRow& row, std::string_view column, std::string_view text);
/// Derives the samples per micro-step and the number of micro-steps from the global batch, if it is given. Drops
/// samples that do not fill another micro-step, as trainers do.
void settle_batch(PublishedRow& row);

/// "a; b=1; c" → "a", "b=1", "c".
std::vector<std::string> phrases_of(std::string_view notes);

}  // namespace scalescope::measure
