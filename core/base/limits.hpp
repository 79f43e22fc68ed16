// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

/// Every bound that protects the program from hostile or broken input, in one place.
namespace scalescope::limits {

inline constexpr std::size_t file_bytes = 32u << 20;               ///< a JSON file larger than this is not read
inline constexpr std::size_t link_bytes = 4u << 20;                ///< a scenario as a text to be pasted, packed
inline constexpr std::size_t archive_directory_bytes = 16u << 20;  ///< the list of members of an archive
inline constexpr int json_depth = 64;                              ///< nesting of arrays and objects
inline constexpr std::size_t json_values = 2'000'000;              ///< values in one JSON file
inline constexpr std::uint64_t model_bytes = 2ull << 30;           ///< text of one file of Habitat's networks, unpacked
inline constexpr std::size_t model_numbers = 64u << 20;            ///< numbers of its networks; 4 bytes each in memory
inline constexpr std::size_t csv_columns = 4096;                   ///< columns of one CSV file
inline constexpr std::size_t csv_bytes = 32u << 20;                ///< text of one CSV file
inline constexpr std::size_t csv_cells = 2'000'000;                ///< cells of one CSV file, its header too
inline constexpr std::size_t runs = 10'000;                        ///< measured runs of one table
inline constexpr std::size_t run_cells = 200'000;                  ///< cells of one table of runs
inline constexpr std::size_t predictions = 4'000'000;              ///< rows of one table of predicted times
inline constexpr std::uint64_t trace_bytes = 1ull << 30;           ///< text of one profiler trace, unpacked
inline constexpr std::size_t trace_events = 600'000;               ///< events of one trace that are kept
inline constexpr std::size_t trace_device_events = 200'000;        ///< of them those of GPUs, which cost most
inline constexpr std::size_t trace_steps = 10'000;                 ///< steps that one trace marks
inline constexpr std::size_t trace_text_bytes = 16u << 20;         ///< memory of a trace's different names and shapes
inline constexpr std::size_t trace_token_bytes = 1u << 20;         ///< one text or number in a trace
inline constexpr std::size_t trace_tensors = 256;                  ///< inputs of one operator that are remembered
inline constexpr std::size_t layers = 100'000;                     ///< layers in one network, after blocks are unfolded
inline constexpr std::size_t connections = 4'000'000;              ///< connections between them
inline constexpr std::size_t layer_inputs = 10'000;                ///< inputs of one layer
inline constexpr std::size_t name_bytes = 4096;                    ///< length of one name
inline constexpr int rank = 8;                                     ///< dimensions of a tensor
inline constexpr std::int64_t dimension = 1LL << 31;               ///< one dimension of a tensor, kernel or stride
inline constexpr std::int64_t elements = 1LL << 46;                ///< elements of one tensor for one sample
inline constexpr std::int64_t workers = 1 << 20;                   ///< devices in a cluster
inline constexpr std::int64_t partitions = 4096;                   ///< CPU machines that share a replica
inline constexpr std::int64_t cpu_configurations = 50'000'000;     ///< of a CPU cluster, tried in one search
inline constexpr std::size_t ranked = 10'000;                      ///< best ones that a search keeps
inline constexpr std::size_t split_states = 200'000;               ///< splits of open layers that are compared
inline constexpr std::int64_t batch = 1LL << 30;                   ///< samples in a step
inline constexpr std::size_t workload_parts = 64;                  ///< networks that one step runs
inline constexpr std::size_t pins = 4;                             ///< designs kept beside the open one: A to D
inline constexpr std::int64_t repeats = 1'000'000;  ///< micro-steps, micro-batches, executions of a network in a step
inline constexpr std::int64_t pipeline_passes = 1'000'000;  ///< stages × micro-batches that a schedule steps through
inline constexpr std::int64_t recompute_count = 1'000;      ///< blocks that a way to recompute them counts
inline constexpr std::int64_t chunks = 64;                  ///< stages on one device of an interleaved pipeline
inline constexpr std::size_t expression_bytes = 4096;       ///< text of one arithmetic expression
inline constexpr std::size_t family_steps =
    8'000'000;                               ///< names and lines that are evaluated to draw a model of a family
inline constexpr int expression_depth = 64;  ///< parentheses, signs and powers inside each other
inline constexpr std::int64_t timeline_intervals = 100'000;    ///< pieces of work that a timeline shows one by one
inline constexpr std::size_t lesson_steps = 100;               ///< of one lesson
inline constexpr std::size_t lesson_items = 200;               ///< blocks of a step, answers, changes …
inline constexpr std::size_t lesson_assertions = 500;          ///< of one lesson
inline constexpr std::size_t lesson_text_bytes = 16'384;       ///< one block of a lesson's text
inline constexpr std::size_t configuration_bytes = 1u << 20;   ///< text of one training configuration
inline constexpr std::int64_t configuration_lines = 10'000;    ///< of a shell script
inline constexpr std::size_t configuration_settings = 20'000;  ///< keys of one configuration, words of a command
inline constexpr std::size_t configuration_value_bytes = 64u << 10;  ///< value of one variable of a script
inline constexpr int configuration_expansions = 20;                  ///< expansions inside each other, nested blocks
inline constexpr std::size_t configuration_steps = 200'000;          ///< figures looked up to read one configuration
inline constexpr std::size_t problems = 200;                         ///< problems reported for one file

}  // namespace scalescope::limits
