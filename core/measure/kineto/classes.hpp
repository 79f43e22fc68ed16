// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace scalescope::kineto {

/// What kind of work an operator or a kernel does.
enum class WorkClass {
    convolution,
    matmul,
    attention,
    recurrent,
    batch_norm,
    normalization,  ///< of layers, groups, instances
    pooling,
    softmax,  ///< and losses
    embedding,
    element_wise,
    reduction,
    data_movement,  ///< on the GPU: concatenation, copies, fills
    optimizer,
    communication,
    other
};
inline constexpr std::size_t work_classes = static_cast<std::size_t>(WorkClass::other) + 1;
template <class T>
using PerClass = std::array<T, work_classes>;

std::string_view name_of(WorkClass c);

/// By the name of an operator ("aten::cudnn_convolution"); nothing if the name does not tell.
std::optional<WorkClass> class_of_operator(std::string_view name);

/// By the name of a kernel, with or without its template arguments.
WorkClass class_of_kernel(std::string_view name);

/// True for kernels of NCCL, which wait for other GPUs.
bool communicates(std::string_view kernel);

/// The multiplications of a kernel, as its name tells.
enum class KernelMath { unnamed, fp32, tf32, fp16, bf16 };
KernelMath math_of_kernel(std::string_view name);

}  // namespace scalescope::kineto
