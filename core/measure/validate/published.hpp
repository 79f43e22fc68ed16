// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/csv.hpp"

/// Published results: what somebody measured and printed, row by row, and what the model says of it.
namespace scalescope::measure {

/// One result as its table has it; words are not interpreted yet. A count of 0 and an empty text were not given.
struct PublishedRow {
    std::string file;
    int line = 0;  ///< in the file, from 1
    std::string source, framework, network, device, interconnect, precision, metric, unit, notes;
    std::string recompute;       ///< activation recomputation: "full", "selective", "none", "moe_act; layernorm"
    std::string memory_counted;  ///< "allocated", or "reserved" by the allocator; otherwise all of the device
    std::string flops_counted;   ///< by rates of FLOPs: "model", or "hardware" (with the recomputed forward pass)
    std::int64_t workers = 1;
    std::int64_t devices_per_node = 0;
    std::int64_t batch_per_worker = 0;                    ///< samples of one micro-step of a replica of the network
    std::int64_t accumulation = 1;                        ///< micro-steps before one update
    std::int64_t batch_global = 0;                        ///< samples of one update of all workers
    std::int64_t micro_batch = 0;                         ///< samples of one micro-step or micro-batch of a replica
    std::int64_t tensor = 0, pipeline = 0, replicas = 0;  ///< degrees of the mesh of workers
    std::int64_t interleave = 0;                          ///< chunks of layers on each device of a pipeline
    std::int64_t sequence = 0;                            ///< length of a sequence in tokens
    std::int64_t context = 0, expert = 0, expert_tensor = 0;
    std::int64_t shard_group = 0;  ///< replicas that keep one copy of the weights together
    std::int64_t nodes = 0;
    std::int64_t batch_tokens = 0;  ///< tokens of one update of all workers
    std::int64_t batch = 0;         ///< a batch that the table calls nothing else
    std::string sharding, sequence_parallel;
    bool workers_given = false;  ///< the table counts devices, or nodes and their devices
    std::int64_t layers = 0, hidden = 0, heads = 0, kv_heads = 0, feed_forward = 0, vocabulary = 0;  ///< a transformer
    double tokens = 0;         ///< of the whole training
    bool has_figures = false;  ///< there are columns for the layers of a transformer
    double value = 0.0;        ///< as measured, in `unit`; positive and finite if `wrong` is empty
    std::string wrong;         ///< why the row says nothing that could be predicted; a full sentence, or empty

    /// Workers that hold one copy of the network, or its work on one sequence.
    std::int64_t replica_size() const {
        return std::max<std::int64_t>(1, tensor) * std::max<std::int64_t>(1, pipeline) *
               std::max<std::int64_t>(1, context);
    }
    /// Copies of the network: as stated, or as many as the workers hold. 0 if they do not come out even.
    std::int64_t copies() const;
};

/// A header and what its column holds, or a column that the table lacks and the text of all its cells.
using GivenColumn = std::pair<std::string, std::string>;

/// The rows of a table of published results, whatever its columns are called (core/words, "column" and "metric") and in
/// whatever order they stand: a network, a device, and figures. Either each row has one figure (columns metric, value
/// and unit), or each configuration is a row with a figure in every column that is called after one. `given` corrects
/// what headers are taken for. Notes are phrases between semicolons; `seq_len=` and `grad_accum=` among them are read.
/// A table without network, device or figures is a problem; a row that cannot be used says so itself (`wrong`), so that
/// coverage can be counted.
Result<std::vector<PublishedRow>> read_published(const formats::CsvTable& table,
                                                 std::span<const GivenColumn> given = {});

/// Each column's header and what it was taken for: "batch_global", "throughput in tokens/s, of one device".
std::vector<GivenColumn> columns_taken(const formats::CsvTable& table, std::span<const GivenColumn> given = {});

/// The cell of a column of words; null if there is no such column.
const std::string* text_cell(const PublishedRow& row, std::string_view column);
/// Whether a table can have such a column that fill_cell() can fill.
bool is_fillable_column(std::string_view column);
/// Puts `text` into a cell that the table leaves empty. True if it was empty and the text fits the column.
bool fill_cell(PublishedRow& row, std::string_view column, std::string_view text);
/// Works out the samples of a micro-step and the micro-steps from the batch of one update, where that is given. Samples
/// that are too few for another micro-step are left out, as trainers do.
void settle_batch(PublishedRow& row);

/// "a; b=1; c" → "a", "b=1", "c".
std::vector<std::string> phrases_of(std::string_view notes);

}  // namespace scalescope::measure
