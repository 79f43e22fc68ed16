// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/kineto/classes.hpp"

#include <cctype>
#include <span>
#include <string>

#include "core/base/name_list.hpp"
#include "core/base/sequences.hpp"

namespace scalescope::kineto {

namespace {

struct NameRow {
    WorkClass cls;
    std::string_view parts;  ///< of names, in lower case
};

/// Operators of PyTorch and FBGEMM; the first row of which a part is in the name counts.
constexpr NameRow operator_rows[] = {
    {WorkClass::communication, "nccl record_param_comms c10d::"},
    {WorkClass::optimizer, "_foreach_ _fused_adam _fused_sgd"},
    {WorkClass::attention, "scaled_dot_product flash_attention efficient_attention"},
    {WorkClass::recurrent, "lstm gru rnn"},
    {WorkClass::data_movement, "permute_ permutepooled merge_pooled"},
    {WorkClass::element_wise, "upsample_ ::normal"},
    {WorkClass::convolution, "convolution conv1d conv2d conv3d conv_transpose conv_depthwise"},
    {WorkClass::batch_norm, "batch_norm"},
    {WorkClass::normalization, "layer_norm group_norm instance_norm rms_norm layernorm rmsnorm"},
    {WorkClass::pooling, "pool"},
    {WorkClass::softmax, "softmax nll_loss cross_entropy"},
    {WorkClass::embedding, "embedding index_select"},
    {WorkClass::matmul, "addmm baddbmm matmul linear _bmm _mm _gemm ::mm ::bmm ::addmv"},
    {WorkClass::data_movement,
     "::cat ::copy_ ::_to_copy ::clone ::contiguous ::fill_ ::zero_ ::index ::gather ::scatter"},
    {WorkClass::reduction, "::sum ::mean ::norm ::linalg_vector_norm ::argmax ::cumsum"},
    {WorkClass::element_wise,
     "::add ::sub ::mul ::div ::neg ::pow ::sqrt ::exp ::tanh ::clamp ::threshold ::where relu gelu silu sigmoid "
     "dropout"},
};

/// Kernels of PyTorch, cuDNN, cuBLAS, CUTLASS, FBGEMM and NCCL.
constexpr NameRow kernel_rows[] = {
    {WorkClass::communication, "nccl"},
    {WorkClass::data_movement, "permute_ permutepooled merge_pooled"},
    {WorkClass::element_wise, "upsample_"},
    {WorkClass::optimizer, "multi_tensor_apply"},
    {WorkClass::attention, "flash fmha"},
    {WorkClass::recurrent, "rnn lstm"},
    {WorkClass::batch_norm, "bn_fw bn_bw batch_norm"},
    {WorkClass::convolution,
     "scudnn cudnn_infer cudnn_train winograd wgrad dgrad fprop convolve conv_depthwise implicit_gemm"},
    {WorkClass::normalization, "layer_norm layernorm rms_norm rmsnorm"},
    {WorkClass::pooling, "pool"},
    {WorkClass::softmax, "softmax nll_loss"},
    {WorkClass::embedding, "embedding"},
    {WorkClass::matmul, "gemm gemv nvjet bmm_kernel cublas cutlass"},
    {WorkClass::reduction, "devicescan"},
    {WorkClass::data_movement, "catarray copy nchwtonhwc nhwctonchw"},
    {WorkClass::reduction, "reduce_kernel"},
    {WorkClass::element_wise, "elementwise"},
};

/// Kernels that TorchInductor generates with Triton: their prefix says what they are, the rest lists the operators that
/// were fused into them ("triton_poi_fused__to_copy_addmm_relu_0" does not multiply matrices).
constexpr NameRow inductor_templates[] = {{WorkClass::attention, "attention"}, {WorkClass::convolution, "conv"}};
constexpr NameRow inductor_reductions[] = {{WorkClass::normalization, "layer_norm group_norm"},
                                           {WorkClass::batch_norm, "batch_norm"},
                                           {WorkClass::softmax, "softmax nll_loss"}};

struct InductorPrefix {
    std::string_view prefix;
    std::span<const NameRow> rows;
    WorkClass otherwise;
};
constexpr InductorPrefix inductor_prefixes[] = {
    {"triton_tem_", inductor_templates, WorkClass::matmul},
    {"triton_mm", inductor_templates, WorkClass::matmul},
    {"triton_poi_", {}, WorkClass::element_wise},
    {"triton_red_", inductor_reductions, WorkClass::reduction},
    {"triton_per_", inductor_reductions, WorkClass::reduction},
    {"triton_for_", {}, WorkClass::optimizer},
};

/// In lower case, without names that read like work: FBGEMM moves data, too, and BERT's pooler is a dense layer, of
/// which the kernels say more.
std::string matched_form(std::string_view text) {
    std::string all(text);
    for (char& c : all) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    for (const std::string_view word : {"fbgemm", "pooler"})
        for (auto at = all.find(word); at != std::string::npos; at = all.find(word)) all.erase(at, word.size());
    return all;
}

std::optional<WorkClass> find_class(std::span<const NameRow> rows, std::string_view name) {
    const std::string all = matched_form(name);
    std::optional<WorkClass> otherwise;
    for (const InductorPrefix& p : inductor_prefixes)
        if (all.starts_with(p.prefix)) {
            rows = p.rows;
            otherwise = p.otherwise;
        }
    for (const NameRow& row : rows)
        if (has_part(all, row.parts)) return row.cls;
    return otherwise;
}

}  // namespace

std::string_view name_of(WorkClass c) {
    return one_of(c, "convolution", "matmul", "attention", "recurrent", "batch norm", "normalization", "pooling",
                  "softmax and loss", "embedding", "element-wise", "reduction", "data movement", "optimizer",
                  "communication", "other");
}

std::optional<WorkClass> class_of_operator(std::string_view name) { return find_class(operator_rows, name); }

WorkClass class_of_kernel(std::string_view name) { return find_class(kernel_rows, name).value_or(WorkClass::other); }

bool communicates(std::string_view kernel) { return has_part(kernel, "nccl"); }

KernelMath math_of_kernel(std::string_view name) {
    if (has_part(name, "bf16 nvjet_t")) return KernelMath::bf16;
    if (has_part(name, "tf32 tfloat32 nvjet_s")) return KernelMath::tf32;
    if (has_part(name, "fp16 f16 hgemm nvjet_h h884 s884 h1688 h16816 s16816")) return KernelMath::fp16;
    // The shape of tensor cores' TF32 product; where it is one of 16 bits, the name says that, too.
    if (has_part(name, "s1688")) return KernelMath::tf32;
    if (has_part(name, "sgemm scudnn f32f32_f32f32 float")) return KernelMath::fp32;
    return KernelMath::unnamed;
}

}  // namespace scalescope::kineto
