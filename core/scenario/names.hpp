// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/scenario.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>

/// The words by which files, the command line and the window name the choices of a scenario: one list per choice, in
/// the order of its enumerators.
namespace scalescope {

template <class E>
inline constexpr std::array<std::string_view, 0> choice_names{};
template <>
inline constexpr std::array<std::string_view, 5> choice_names<Precision>{"fp64", "fp32", "tf32", "fp16", "bf16"};
template <>
inline constexpr std::array<std::string_view, 2> choice_names<BatchRule>{"per_worker", "total"};
template <>
inline constexpr std::array<std::string_view, 4> choice_names<Optimizer>{"sgd", "momentum", "adam", "lamb"};
template <>
inline constexpr std::array<std::string_view, 4> choice_names<Strategy>{"data", "outputs", "layers", "hybrid"};
template <>
inline constexpr std::array<std::string_view, 4> choice_names<ShardingPolicy>{"usual", "columns", "trainer", "best"};
template <>
inline constexpr std::array<std::string_view, 9> choice_names<Collective>{
    "ring",     "recursive", "tree", "one_to_all", "paleo_tree", "butterfly", "butterfly_mixing", "parameter_server",
    "automatic"};
template <>
inline constexpr std::array<std::string_view, 3> choice_names<HybridScheme>{"all_at_once", "one_sender",
                                                                            "all_send_share"};
template <>
inline constexpr std::array<std::string_view, 3> choice_names<Overlap>{"off", "buckets", "perfect"};
template <>
inline constexpr std::array<std::string_view, 4> choice_names<PipelineOrder>{"fill_drain", "1f1b", "interleaved",
                                                                             "zero_bubble"};
template <>
inline constexpr std::array<std::string_view, 3> choice_names<ContextScheme>{"ring", "all_gather", "heads"};
template <>
inline constexpr std::array<std::string_view, 3> choice_names<Recompute>{"nothing", "attention", "blocks"};
template <>
inline constexpr std::array<std::string_view, 4> choice_names<Sharded>{"nothing", "optimizer", "gradients", "weights"};
template <>
inline constexpr std::array<std::string_view, 3> choice_names<GradientFormat>{"as_weights", "fp32", "fp16"};
template <>
inline constexpr std::array<std::string_view, 2> choice_names<ConvolutionAlgorithm>{"gemm", "cheapest"};
template <>
inline constexpr std::array<std::string_view, 2> choice_names<Updates>{"synchronous", "asynchronous"};
template <>
inline constexpr std::array<std::string_view, 2> choice_names<Sharding>{"even", "by_layer"};
template <>
inline constexpr std::array<std::string_view, 2> choice_names<ConvolutionSplit>{"rows", "channels"};
template <>
inline constexpr std::array<std::string_view, 2> choice_names<LocalUpdate>{"per_sample", "per_exchange"};
template <>
inline constexpr std::array<std::string_view, 2> choice_names<SegmentPlacement>{"aligned", "by_connections"};
template <>
inline constexpr std::array<std::string_view, 2> choice_names<SegmentSplits>{"most", "best"};
template <>
inline constexpr std::array<std::string_view, 4> choice_names<Method>{"pipeline", "paleo_head", "paleo_paper",
                                                                      "cpu_cluster"};

// The words stand in the order of the values: a value without its word, or the other way round, does not compile.
static_assert(choice_names<Precision>.size() == static_cast<std::size_t>(Precision::bf16) + 1);
static_assert(choice_names<BatchRule>.size() == static_cast<std::size_t>(BatchRule::total) + 1);
static_assert(choice_names<Optimizer>.size() == static_cast<std::size_t>(Optimizer::lamb) + 1);
static_assert(choice_names<Strategy>.size() == static_cast<std::size_t>(Strategy::hybrid) + 1);
static_assert(choice_names<ShardingPolicy>.size() == static_cast<std::size_t>(ShardingPolicy::best) + 1);
static_assert(choice_names<Collective>.size() == static_cast<std::size_t>(Collective::automatic) + 1);
static_assert(choice_names<HybridScheme>.size() == static_cast<std::size_t>(HybridScheme::all_send_share) + 1);
static_assert(choice_names<Overlap>.size() == static_cast<std::size_t>(Overlap::perfect) + 1);
static_assert(choice_names<PipelineOrder>.size() == static_cast<std::size_t>(PipelineOrder::zero_bubble) + 1);
static_assert(choice_names<ContextScheme>.size() == static_cast<std::size_t>(ContextScheme::heads) + 1);
static_assert(choice_names<Recompute>.size() == static_cast<std::size_t>(Recompute::blocks) + 1);
static_assert(choice_names<Sharded>.size() == static_cast<std::size_t>(Sharded::weights) + 1);
static_assert(choice_names<GradientFormat>.size() == static_cast<std::size_t>(GradientFormat::fp16) + 1);
static_assert(choice_names<ConvolutionAlgorithm>.size() ==
              static_cast<std::size_t>(ConvolutionAlgorithm::cheapest) + 1);
static_assert(choice_names<Updates>.size() == static_cast<std::size_t>(Updates::asynchronous) + 1);
static_assert(choice_names<Sharding>.size() == static_cast<std::size_t>(Sharding::by_layer) + 1);
static_assert(choice_names<ConvolutionSplit>.size() == static_cast<std::size_t>(ConvolutionSplit::channels) + 1);
static_assert(choice_names<LocalUpdate>.size() == static_cast<std::size_t>(LocalUpdate::per_exchange) + 1);
static_assert(choice_names<SegmentPlacement>.size() == static_cast<std::size_t>(SegmentPlacement::by_connections) + 1);
static_assert(choice_names<SegmentSplits>.size() == static_cast<std::size_t>(SegmentSplits::best) + 1);
static_assert(choice_names<Method>.size() == static_cast<std::size_t>(Method::cpu_cluster) + 1);

/// "all_at_once".
template <class E>
constexpr std::string_view choice_name(E value) {
    return choice_names<E>[static_cast<std::size_t>(value)];
}

template <class E>
constexpr std::optional<E> parse_choice(std::string_view name) {
    for (std::size_t i = 0; i < choice_names<E>.size(); ++i)
        if (choice_names<E>[i] == name) return static_cast<E>(i);
    return std::nullopt;
}

}  // namespace scalescope
