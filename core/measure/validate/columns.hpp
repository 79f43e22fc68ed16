// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <optional>

#include "core/base/limits.hpp"
#include "core/measure/validate/published.hpp"

/// Where a PublishedRow keeps the cells of its columns.
namespace scalescope::measure {

struct TextColumn {
    std::string_view name;
    std::string PublishedRow::*place;
};
inline constexpr std::array<TextColumn, 14> text_columns{{{"source", &PublishedRow::source},
                                                          {"framework", &PublishedRow::framework},
                                                          {"network", &PublishedRow::network},
                                                          {"device", &PublishedRow::device},
                                                          {"interconnect", &PublishedRow::interconnect},
                                                          {"precision", &PublishedRow::precision},
                                                          {"metric", &PublishedRow::metric},
                                                          {"unit", &PublishedRow::unit},
                                                          {"notes", &PublishedRow::notes},
                                                          {"recompute", &PublishedRow::recompute},
                                                          {"sharding", &PublishedRow::sharding},
                                                          {"sequence_parallel", &PublishedRow::sequence_parallel},
                                                          {"flops_counted", &PublishedRow::flops_counted},
                                                          {"memory_counted", &PublishedRow::memory_counted}}};

/// A column of whole numbers from 1.
struct CountColumn {
    std::string_view name;
    std::int64_t PublishedRow::*place;
    std::int64_t most;
};
inline constexpr std::array<CountColumn, 28> count_columns{
    {{"workers", &PublishedRow::workers, limits::workers},
     {"nodes", &PublishedRow::nodes, limits::workers},
     {"gpus_per_node", &PublishedRow::devices_per_node, limits::workers},
     {"seq", &PublishedRow::sequence, limits::dimension},
     {"batch_per_worker", &PublishedRow::batch_per_worker, limits::batch},
     {"batch_global", &PublishedRow::batch_global, limits::batch},
     {"batch_tokens", &PublishedRow::batch_tokens, limits::batch},
     {"batch", &PublishedRow::batch, limits::batch},
     {"micro_batch", &PublishedRow::micro_batch, limits::batch},
     {"accumulation", &PublishedRow::accumulation, limits::repeats},
     {"tp", &PublishedRow::tensor, limits::workers},
     {"pp", &PublishedRow::pipeline, limits::workers},
     {"dp", &PublishedRow::replicas, limits::workers},
     {"cp", &PublishedRow::context, limits::workers},
     {"ep", &PublishedRow::expert, limits::workers},
     {"etp", &PublishedRow::expert_tensor, limits::workers},
     {"interleave", &PublishedRow::interleave, limits::chunks},
     {"layers", &PublishedRow::layers, limits::dimension},
     {"hidden", &PublishedRow::hidden, limits::dimension},
     {"heads", &PublishedRow::heads, limits::dimension},
     {"kv_heads", &PublishedRow::kv_heads, limits::dimension},
     {"feed_forward", &PublishedRow::feed_forward, limits::dimension},
     {"vocab", &PublishedRow::vocabulary, limits::dimension},
     {"samples", &PublishedRow::samples, std::int64_t{1} << 50},
     {"steps", &PublishedRow::steps, std::int64_t{1} << 40},
     {"epochs", &PublishedRow::epochs, limits::dimension},
     {"experts", &PublishedRow::experts, limits::dimension},
     {"experts_used", &PublishedRow::experts_used, limits::dimension}}};

inline constexpr CountColumn batch_tokens{"batch_tokens", &PublishedRow::batch_tokens, limits::batch};

std::optional<std::int64_t> whole_number(std::string_view text, std::int64_t most);
std::optional<double> positive_number(std::string_view text);

}  // namespace scalescope::measure
