// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/formats/csv.hpp"

/// Published results: measurements published by others, compared row by row with the predictions of the model.
namespace scalescope::measure {

/// One result as stated in the table, before its names are interpreted. Counts of 0 and empty texts mean "not given".
struct PublishedRow {
    std::string file;
    int line = 0;  ///< in the file, from 1
    std::string source, framework, network, device, interconnect, precision, metric, unit, notes;
    std::string recompute;       ///< activation recomputation: "full", "selective", "none", "moe_act; layernorm"
    std::string memory_counted;  ///< "allocated", or "reserved" by the allocator; otherwise all memory of the device
    std::string flops_counted;   ///< for FLOP rates: "model", or "hardware" (including the recomputed forward pass)
    std::int64_t workers = 1;
    std::int64_t devices_per_node = 0;
    std::int64_t batch_per_worker = 0;                    ///< samples per micro-step of a replica of the network
    std::int64_t accumulation = 1;                        ///< micro-steps per update
    std::int64_t batch_global = 0;                        ///< samples per update, of all workers
    std::int64_t micro_batch = 0;                         ///< samples per micro-step or micro-batch of a replica
    std::int64_t tensor = 0, pipeline = 0, replicas = 0;  ///< degrees of the device mesh
    std::int64_t interleave = 0;                          ///< pipeline chunks of layers per device
    std::int64_t sequence = 0;                            ///< sequence length in tokens
    std::int64_t context = 0, expert = 0, expert_tensor = 0;
    std::int64_t shard_group = 0;  ///< replicas that share one copy of the weights
    std::int64_t nodes = 0;
    std::int64_t batch_tokens = 0;  ///< tokens per update, of all workers
    std::int64_t batch = 0;         ///< batch size of a kind that the table does not state
    std::string sharding, sequence_parallel;
    bool workers_given = false;  ///< the table gives the number of devices, or of nodes and devices per node
    std::int64_t layers = 0, hidden = 0, heads = 0, kv_heads = 0, feed_forward = 0, vocabulary = 0;  ///< transformer
    std::int64_t samples = 0;                    ///< of the dataset: those of an epoch
    std::int64_t experts = 0, experts_used = 0;  ///< of a layer, and by a token
    double tokens = 0;                           ///< of the whole training run
    std::int64_t steps = 0, epochs = 0;          ///< the same
    double parameters = 0;                       ///< of the network; 0 if not given
    /// Texts outside recognized columns: the header of the figure, cells of unknown columns, the title. They may name
    /// the network or the device if no column does.
    std::vector<std::string> texts;
    bool unit_assumed = false;   ///< neither the header nor the cell names the unit of a time
    bool continued = false;      ///< its first cells are empty and taken from the row above
    bool has_figures = false;    ///< the table has columns for the dimensions of a transformer
    bool batch_derived = false;  ///< `batch_tokens` or `batch_global` is a rate times the step time of the same run
    double step_seconds = 0;     ///< step time that the same run measured; 0 if it gives none
    double value = 0.0;          ///< as measured, in `unit`; positive and finite if `wrong` is empty
    std::string wrong;           ///< why the row cannot be used, as a full sentence; empty if it can

    /// Number of workers that share one copy of the network, or its work on one sequence.
    std::int64_t replica_size() const {
        return std::max<std::int64_t>(1, tensor) * std::max<std::int64_t>(1, pipeline) *
               std::max<std::int64_t>(1, context);
    }
    /// Number of copies of the network: as stated, or else derived from the number of workers; 0 if that is not
    /// divisible.
    std::int64_t copies() const;
};

/// A header and the meaning of its column, or the name of a missing column and the text for all its cells.
using GivenColumn = std::pair<std::string, std::string>;

/// Reads a table of published results: network, device and figures, in columns with any common name (core/words,
/// "column" and "metric") and in any order. Either each row has one figure (columns metric, value and unit), or each
/// row is a configuration with a figure in every column that is named after one. `given` corrects the meaning of
/// headers and supplies missing values. Notes are phrases separated by semicolons; settings in them, such as `seq_len=`
/// and `grad_accum=`, are read. A table without network, device or figures is a problem. Rows that cannot be used are
/// kept with a reason (`wrong`), so that coverage can be computed.
Result<std::vector<PublishedRow>> read_published(const formats::CsvTable& table,
                                                 std::span<const GivenColumn> given = {});

/// A column, and what it was taken for.
struct TakenColumn {
    std::string header;
    std::string means;    ///< meaning_of(): "batch_global", "tokens/s per GPU"; empty: not known, its cells are notes
    std::string example;  ///< the first cell that says something
};
/// The columns of a table and of those below it on its page.
std::vector<TakenColumn> columns_taken(const formats::CsvTable& table, std::span<const GivenColumn> given = {});

/// The row's text in that column; nullptr if no text column has that name.
const std::string* text_cell(const PublishedRow& row, std::string_view column);
/// Whether fill_cell() can fill this column.
bool is_fillable_column(std::string_view column);
/// Fills an empty cell with `text`. True if the cell was empty and the text is valid for the column.
bool fill_cell(PublishedRow& row, std::string_view column, std::string_view text);
/// Derives the number of samples per micro-step and the number of micro-steps from the global batch, if it is given.
/// Drops the samples that do not fill another micro-step, as training frameworks do.
void settle_batch(PublishedRow& row);

/// "a; b=1; c" → "a", "b=1", "c".
std::vector<std::string> phrases_of(std::string_view notes);

}  // namespace scalescope::measure
