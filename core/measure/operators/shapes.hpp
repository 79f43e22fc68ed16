// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

/// How long a product of matrices or a convolution takes on a device, from its shape alone.
namespace scalescope::operators {

/// `batch` products C[m×n] = A[m×k]·B[k×n]. A linear layer has m rows (samples times positions), k inputs and n
/// outputs, and a batch of 1.
struct Matmul {
    std::int64_t m = 1, n = 1, k = 1, batch = 1;
    bool operator==(const Matmul&) const = default;
};

/// A two-dimensional convolution as frameworks call it: `batch` × `channels` × `height` × `width`, with `filters` of
/// `kernel_height` × `kernel_width`.
struct Convolution {
    std::int64_t batch = 1, channels = 1, height = 1, width = 1;
    std::int64_t filters = 1, kernel_height = 1, kernel_width = 1;
    std::int64_t stride_height = 1, stride_width = 1, padding_height = 0, padding_width = 0, groups = 1;

    std::int64_t out_height() const { return out(height, kernel_height, stride_height, padding_height); }
    std::int64_t out_width() const { return out(width, kernel_width, stride_width, padding_width); }
    bool depthwise() const { return groups > 1 && groups == channels; }
    bool operator==(const Convolution&) const = default;

private:
    static std::int64_t out(std::int64_t in, std::int64_t kernel, std::int64_t stride, std::int64_t padding) {
        return in + 2 * padding < kernel ? 0 : (in + 2 * padding - kernel) / stride + 1;
    }
};

/// An operator that only reads and writes: element-wise functions, softmax, norms. Elements, in all.
struct Elementwise {
    std::int64_t read = 1, written = 1;
    bool operator==(const Elementwise&) const = default;
};

/// Backward is two products: the gradient of the input and that of the weights.
enum class Pass { forward, input_gradient, weight_gradient };

/// True if every dimension is at least 1, no product of them overflows, and there is output at all. The times below are
/// asked for usable shapes only.
bool usable(const Matmul& shape);
bool usable(const Convolution& shape);
bool usable(const Elementwise& shape);

/// The product that a pass amounts to. Of a convolution it is the implicit one: m = batch · outputs, n =
/// filters/groups, k = kernel · channels/groups, batch = groups.
Matmul product_of(const Matmul& shape, Pass pass);
Matmul product_of(const Convolution& shape, Pass pass);

}  // namespace scalescope::operators
