// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/keras/use.hpp"

/// What convolutions and poolings of one, two and three axes have in common.
namespace scalescope::formats {

/// Of the class's name: 2 for "Conv2D"; 0 if it has none.
std::size_t keras_axes(std::string_view type);

/// Whether the layer's data have the channels first: what it says, else what most layers of the file say.
bool keras_channels_first(KerasUse& use);

/// A window that moves along the axes of an image, a sequence or a volume.
struct KerasWindow {
    std::vector<std::int64_t> kernel, stride, dilation;
    std::string_view padding;  ///< "valid", "same", "causal" or "full"

    /// Along `axis`, of an input of `in`; at most 0 if the window does not fit.
    std::int64_t out(std::size_t axis, std::int64_t in) const;
    /// Our attribute for it.
    Padding padded() const;
};

/// Sizes along the axes of the class, with 1 for the steps of a TimeDistributed before them.
std::vector<std::int64_t> with_time(const KerasUse& use, std::vector<std::int64_t> sizes);

/// The dimensions with those of the `axes` changed by `change(axis, size)`, and the channels if `channels` is not 0.
template <class Change>
KerasDims changed_dims(const KerasTensor& tensor, std::int64_t channels, Change change) {
    KerasDims dims = tensor.dims;
    const std::size_t from = tensor.first ? 1 : 0;
    for (std::size_t a = 0; a + 1 < dims.size(); ++a) dims[from + a] = change(a, dims[from + a]);
    if (channels > 0) (tensor.first ? dims.front() : dims.back()) = channels;
    return dims;
}

/// Whether the input has as many axes as the class says, and the channels; else it is reported.
bool has_axes(KerasUse& use, const KerasTensor& tensor, std::size_t axes);

}  // namespace scalescope::formats
