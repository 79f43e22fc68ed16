// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/kineto/classes.hpp"

#include <algorithm>
#include <cctype>
#include <span>
#include <string>

namespace scalescope::kineto {

namespace {

struct NameRow {
    std::string_view part;  ///< in lower case
    WorkClass cls;
};

/// Operators of PyTorch and FBGEMM; the first row whose part is in the name counts.
constexpr NameRow operator_rows[] = {
    {"nccl", WorkClass::communication},
    {"record_param_comms", WorkClass::communication},
    {"c10d::", WorkClass::communication},
    {"_foreach_", WorkClass::optimizer},
    {"_fused_adam", WorkClass::optimizer},
    {"_fused_sgd", WorkClass::optimizer},
    {"scaled_dot_product", WorkClass::attention},
    {"flash_attention", WorkClass::attention},
    {"efficient_attention", WorkClass::attention},
    {"lstm", WorkClass::recurrent},
    {"gru", WorkClass::recurrent},
    {"rnn", WorkClass::recurrent},
    {"permute_", WorkClass::data_movement},
    {"permutepooled", WorkClass::data_movement},
    {"merge_pooled", WorkClass::data_movement},
    {"upsample_", WorkClass::element_wise},
    {"::normal", WorkClass::element_wise},
    {"convolution", WorkClass::convolution},
    {"conv1d", WorkClass::convolution},
    {"conv2d", WorkClass::convolution},
    {"conv3d", WorkClass::convolution},
    {"conv_transpose", WorkClass::convolution},
    {"conv_depthwise", WorkClass::convolution},
    {"batch_norm", WorkClass::batch_norm},
    {"layer_norm", WorkClass::normalization},
    {"group_norm", WorkClass::normalization},
    {"instance_norm", WorkClass::normalization},
    {"rms_norm", WorkClass::normalization},
    {"layernorm", WorkClass::normalization},
    {"rmsnorm", WorkClass::normalization},
    {"pool", WorkClass::pooling},
    {"softmax", WorkClass::softmax},
    {"nll_loss", WorkClass::softmax},
    {"cross_entropy", WorkClass::softmax},
    {"embedding", WorkClass::embedding},
    {"index_select", WorkClass::embedding},
    {"addmm", WorkClass::matmul},
    {"baddbmm", WorkClass::matmul},
    {"matmul", WorkClass::matmul},
    {"linear", WorkClass::matmul},
    {"_bmm", WorkClass::matmul},
    {"_mm", WorkClass::matmul},
    {"_gemm", WorkClass::matmul},
    {"::mm", WorkClass::matmul},
    {"::bmm", WorkClass::matmul},
    {"::addmv", WorkClass::matmul},
    {"::cat", WorkClass::data_movement},
    {"::copy_", WorkClass::data_movement},
    {"::_to_copy", WorkClass::data_movement},
    {"::clone", WorkClass::data_movement},
    {"::contiguous", WorkClass::data_movement},
    {"::fill_", WorkClass::data_movement},
    {"::zero_", WorkClass::data_movement},
    {"::index", WorkClass::data_movement},
    {"::gather", WorkClass::data_movement},
    {"::scatter", WorkClass::data_movement},
    {"::sum", WorkClass::reduction},
    {"::mean", WorkClass::reduction},
    {"::norm", WorkClass::reduction},
    {"::linalg_vector_norm", WorkClass::reduction},
    {"::argmax", WorkClass::reduction},
    {"::cumsum", WorkClass::reduction},
    {"::add", WorkClass::element_wise},
    {"::sub", WorkClass::element_wise},
    {"::mul", WorkClass::element_wise},
    {"::div", WorkClass::element_wise},
    {"::neg", WorkClass::element_wise},
    {"::pow", WorkClass::element_wise},
    {"::sqrt", WorkClass::element_wise},
    {"::exp", WorkClass::element_wise},
    {"::tanh", WorkClass::element_wise},
    {"::clamp", WorkClass::element_wise},
    {"::threshold", WorkClass::element_wise},
    {"::where", WorkClass::element_wise},
    {"relu", WorkClass::element_wise},
    {"gelu", WorkClass::element_wise},
    {"silu", WorkClass::element_wise},
    {"sigmoid", WorkClass::element_wise},
    {"dropout", WorkClass::element_wise},
};

/// Kernels of PyTorch, cuDNN, cuBLAS, CUTLASS, FBGEMM and NCCL.
constexpr NameRow kernel_rows[] = {
    {"nccl", WorkClass::communication},
    {"permute_", WorkClass::data_movement},
    {"permutepooled", WorkClass::data_movement},
    {"merge_pooled", WorkClass::data_movement},
    {"upsample_", WorkClass::element_wise},
    {"multi_tensor_apply", WorkClass::optimizer},
    {"flash", WorkClass::attention},
    {"fmha", WorkClass::attention},
    {"rnn", WorkClass::recurrent},
    {"lstm", WorkClass::recurrent},
    {"bn_fw", WorkClass::batch_norm},
    {"bn_bw", WorkClass::batch_norm},
    {"batch_norm", WorkClass::batch_norm},
    {"scudnn", WorkClass::convolution},
    {"cudnn_infer", WorkClass::convolution},
    {"cudnn_train", WorkClass::convolution},
    {"winograd", WorkClass::convolution},
    {"wgrad", WorkClass::convolution},
    {"dgrad", WorkClass::convolution},
    {"fprop", WorkClass::convolution},
    {"convolve", WorkClass::convolution},
    {"conv_depthwise", WorkClass::convolution},
    {"implicit_gemm", WorkClass::convolution},
    {"layer_norm", WorkClass::normalization},
    {"layernorm", WorkClass::normalization},
    {"rms_norm", WorkClass::normalization},
    {"rmsnorm", WorkClass::normalization},
    {"pool", WorkClass::pooling},
    {"softmax", WorkClass::softmax},
    {"nll_loss", WorkClass::softmax},
    {"embedding", WorkClass::embedding},
    {"gemm", WorkClass::matmul},
    {"gemv", WorkClass::matmul},
    {"nvjet", WorkClass::matmul},
    {"bmm_kernel", WorkClass::matmul},
    {"cublas", WorkClass::matmul},
    {"cutlass", WorkClass::matmul},
    {"devicescan", WorkClass::reduction},
    {"catarray", WorkClass::data_movement},
    {"copy", WorkClass::data_movement},
    {"nchwtonhwc", WorkClass::data_movement},
    {"nhwctonchw", WorkClass::data_movement},
    {"reduce_kernel", WorkClass::reduction},
    {"elementwise", WorkClass::element_wise},
};

/// Kernels that TorchInductor generates with Triton: their prefix says what they are, the rest lists the operators that
/// were fused into them ("triton_poi_fused__to_copy_addmm_relu_0" does not multiply matrices).
constexpr NameRow inductor_templates[] = {
    {"attention", WorkClass::attention},
    {"conv", WorkClass::convolution},
    {"", WorkClass::matmul},
};
constexpr NameRow inductor_reductions[] = {
    {"layer_norm", WorkClass::normalization}, {"group_norm", WorkClass::normalization},
    {"batch_norm", WorkClass::batch_norm},    {"softmax", WorkClass::softmax},
    {"nll_loss", WorkClass::softmax},         {"", WorkClass::reduction},
};
constexpr NameRow inductor_pointwise[] = {{"", WorkClass::element_wise}};
constexpr NameRow inductor_lists[] = {{"", WorkClass::optimizer}};

struct InductorPrefix {
    std::string_view prefix;
    std::span<const NameRow> rows;
};
constexpr InductorPrefix inductor_prefixes[] = {
    {"triton_tem_", inductor_templates},  {"triton_mm", inductor_templates},    {"triton_poi_", inductor_pointwise},
    {"triton_red_", inductor_reductions}, {"triton_per_", inductor_reductions}, {"triton_for_", inductor_lists},
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
    for (const InductorPrefix& p : inductor_prefixes)
        if (all.starts_with(p.prefix)) rows = p.rows;
    for (const NameRow& row : rows)
        if (all.find(row.part) != std::string::npos) return row.cls;
    return std::nullopt;
}

bool has(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

}  // namespace

std::string_view name_of(WorkClass c) {
    switch (c) {
        case WorkClass::convolution: return "convolution";
        case WorkClass::matmul: return "matmul";
        case WorkClass::attention: return "attention";
        case WorkClass::recurrent: return "recurrent";
        case WorkClass::batch_norm: return "batch norm";
        case WorkClass::normalization: return "normalization";
        case WorkClass::pooling: return "pooling";
        case WorkClass::softmax: return "softmax and loss";
        case WorkClass::embedding: return "embedding";
        case WorkClass::element_wise: return "element-wise";
        case WorkClass::reduction: return "reduction";
        case WorkClass::data_movement: return "data movement";
        case WorkClass::optimizer: return "optimizer";
        case WorkClass::communication: return "communication";
        case WorkClass::other: return "other";
    }
    return {};
}

std::optional<WorkClass> class_of_operator(std::string_view name) { return find_class(operator_rows, name); }

WorkClass class_of_kernel(std::string_view name) { return find_class(kernel_rows, name).value_or(WorkClass::other); }

bool communicates(std::string_view kernel) { return has(kernel, "nccl"); }

KernelMath math_of_kernel(std::string_view name) {
    if (has(name, "bf16") || has(name, "nvjet_t")) return KernelMath::bf16;
    if (has(name, "tf32") || has(name, "tfloat32") || has(name, "nvjet_s")) return KernelMath::tf32;
    if (has(name, "fp16") || has(name, "f16") || has(name, "hgemm") || has(name, "nvjet_h") || has(name, "h884") ||
        has(name, "s884") || has(name, "h1688") || has(name, "h16816") || has(name, "s16816"))
        return KernelMath::fp16;
    // The shape of tensor cores' TF32 product; where it is one of 16 bits, the name says that, too.
    if (has(name, "s1688")) return KernelMath::tf32;
    if (has(name, "sgemm") || has(name, "scudnn") || has(name, "f32f32_f32f32") || has(name, "float"))
        return KernelMath::fp32;
    return KernelMath::unnamed;
}

}  // namespace scalescope::kineto
