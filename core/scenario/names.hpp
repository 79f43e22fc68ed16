// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/scenario/scenario.hpp"

#include <array>
#include <cstddef>
#include <string_view>

/// The words by which files, the command line and the window name the choices of a scenario: one list per choice, in
/// the order of its enumerators.
namespace scalescope {

/// As many words as there are values up to `last`: one too many or too few does not compile.
template <auto last, class... Words>
constexpr std::array<std::string_view, sizeof...(Words)> words_until(Words... words) {
    static_assert(sizeof...(Words) == static_cast<std::size_t>(last) + 1);
    return {words...};
}
constexpr auto words_of(Precision) {
    return words_until<Precision::nvfp4>("fp64", "fp32", "tf32", "fp16", "bf16", "fp8", "fp8_row", "fp8_block", "mxfp8",
                                         "nvfp4");
}
constexpr auto words_of(BatchRule) { return words_until<BatchRule::total>("per_worker", "total"); }
constexpr auto words_of(Optimizer) { return words_until<Optimizer::lamb>("sgd", "momentum", "adam", "lamb"); }
constexpr auto words_of(MeshAxis) {
    return words_until<MeshAxis::context>("data", "tensor", "pipeline", "context");  // which can fill the mesh
}
constexpr auto words_of(ShardingPolicy) {
    return words_until<ShardingPolicy::rows>("columns", "trainer", "best", "rows");
}
constexpr auto words_of(Collective) {
    return words_until<Collective::automatic>("ring", "recursive", "tree", "one_to_all", "paleo_tree", "butterfly",
                                              "butterfly_mixing", "parameter_server", "automatic");
}
constexpr auto words_of(HybridScheme) {
    return words_until<HybridScheme::all_send_share>("all_at_once", "one_sender", "all_send_share");
}
constexpr auto words_of(Overlap) { return words_until<Overlap::perfect>("off", "buckets", "perfect"); }
constexpr auto words_of(AxisOrder) {
    return words_until<AxisOrder::last>(
        "tensor_context_data_pipeline", "tensor_context_pipeline_data", "tensor_data_context_pipeline",
        "tensor_data_pipeline_context", "tensor_pipeline_context_data", "tensor_pipeline_data_context",
        "context_tensor_data_pipeline", "context_tensor_pipeline_data", "context_data_tensor_pipeline",
        "context_data_pipeline_tensor", "context_pipeline_tensor_data", "context_pipeline_data_tensor",
        "data_tensor_context_pipeline", "data_tensor_pipeline_context", "data_context_tensor_pipeline",
        "data_context_pipeline_tensor", "data_pipeline_tensor_context", "data_pipeline_context_tensor",
        "pipeline_tensor_context_data", "pipeline_tensor_data_context", "pipeline_context_tensor_data",
        "pipeline_context_data_tensor", "pipeline_data_tensor_context", "pipeline_data_context_tensor");
}
constexpr auto words_of(PipelineOrder) {
    return words_until<PipelineOrder::zero_bubble>("fill_drain", "1f1b", "interleaved", "breadth_first", "zero_bubble");
}
constexpr auto words_of(ContextScheme) { return words_until<ContextScheme::heads>("ring", "all_gather", "heads"); }
constexpr auto words_of(Dispatch) { return words_until<Dispatch::each_node>("each_expert", "each_rank", "each_node"); }
constexpr auto words_of(StageBorders) { return words_until<StageBorders::layers>("blocks", "layers"); }
constexpr auto words_of(Recompute) {
    return words_until<Recompute::every_nth>("nothing", "attention", "blocks", "layers", "uniform", "block", "op",
                                             "every_nth");
}
constexpr auto words_of(RecomputeModule) {
    return words_until<RecomputeModule::shared_experts>("core_attn", "mla_up_proj", "layernorm", "moe_act", "mlp",
                                                        "moe", "shared_experts");
}
constexpr auto words_of(Sharded) {
    return words_until<Sharded::weights>("nothing", "optimizer", "gradients", "weights");
}
constexpr auto words_of(GradientFormat) { return words_until<GradientFormat::fp16>("as_weights", "fp32", "fp16"); }
constexpr auto words_of(ConvolutionAlgorithm) {
    return words_until<ConvolutionAlgorithm::cheapest>("gemm", "cheapest");
}
constexpr auto words_of(AttentionKernel) {
    return words_until<AttentionKernel::automatic>("flash_2", "flash_3", "triton", "automatic");
}
constexpr auto words_of(Updates) { return words_until<Updates::asynchronous>("synchronous", "asynchronous"); }
constexpr auto words_of(Sharding) { return words_until<Sharding::by_layer>("even", "by_layer"); }
constexpr auto words_of(ConvolutionSplit) { return words_until<ConvolutionSplit::channels>("rows", "channels"); }
constexpr auto words_of(LocalUpdate) { return words_until<LocalUpdate::per_exchange>("per_sample", "per_exchange"); }
constexpr auto words_of(SegmentPlacement) {
    return words_until<SegmentPlacement::by_connections>("aligned", "by_connections");
}
constexpr auto words_of(SegmentSplits) { return words_until<SegmentSplits::best>("most", "best"); }
constexpr auto words_of(Method) {
    return words_until<Method::cpu_cluster>("pipeline", "paleo_head", "paleo_paper", "cpu_cluster");
}

template <class E>
inline constexpr auto choice_names = words_of(E{});

/// "all_at_once".
template <class E>
constexpr std::string_view choice_name(E value) {
    return choice_names<E>[static_cast<std::size_t>(value)];
}

}  // namespace scalescope
