// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/keras/window.hpp"

#include <algorithm>

#include "core/base/limits.hpp"

namespace scalescope::formats {

std::size_t keras_axes(std::string_view type) {
    for (std::size_t n = 1; n <= 3; ++n)
        if (type.find(std::to_string(n) + 'D') != std::string_view::npos) return n;
    return 0;
}

bool keras_channels_first(KerasUse& use) {
    const auto order = use.fields.word({"data_format", "dim_ordering"}, "default");
    if (order == "channels_first" || order == "th") return true;
    if (order == "channels_last" || order == "tf") return false;
    if (order != "default")
        use.fields.error(*use.fields.find({"data_format", "dim_ordering"}),
                         "There is no order of the axes called " + quoted(order) + ".",
                         "Write \"channels_last\" or \"channels_first\".");
    return use.build.first && keras_axes(use.layer.type) > 1;
}

std::int64_t KerasWindow::out(std::size_t axis, std::int64_t in) const {
    const std::int64_t reach = (kernel[axis] - 1) * dilation[axis] + 1;
    if (padding == "same" || padding == "causal") return (in + stride[axis] - 1) / stride[axis];
    if (padding == "full") in += 2 * (reach - 1);
    return in < reach ? 0 : (in - reach) / stride[axis] + 1;
}

Padding KerasWindow::padded() const {
    if (padding == "same") return {Padding::Mode::same, 0, 0, 0, 0};
    if (padding != "causal" && padding != "full") return {};
    // A sequence is an image one wide: it is padded along its height.
    const std::int64_t rows = (kernel[0] - 1) * dilation[0];
    const std::int64_t columns = kernel.size() > 1 ? (kernel[1] - 1) * dilation[1] : 0;
    if (padding == "causal") return {Padding::Mode::explicit_sizes, rows, 0, 0, 0};
    return {Padding::Mode::explicit_sizes, rows, rows, columns, columns};
}

bool has_axes(KerasUse& use, const KerasTensor& tensor, std::size_t axes) {
    if (tensor.dims.size() == axes + 1) return true;
    const char* const wants[] = {"", "a sequence: steps and channels", "an image: height, width and channels",
                                 "a volume: three axes and channels"};
    use.error(
        "A " + std::string(use.layer.type) + " reads " + wants[axes] + "; its input is " + to_text(tensor.dims) + ".",
        "Put a Reshape before it, or correct its inbound_nodes.");
    return false;
}

std::optional<KerasTensor> as_image(KerasUse& use, const KerasTensor& tensor) {
    // [steps, channels] or, with the channels first, [channels, steps]: in both the new axis stands behind the steps.
    KerasDims dims = tensor.dims;
    dims.insert(tensor.first ? dims.end() : dims.begin() + 1, 1);
    return use.view(tensor, dims, tensor.first, "image");
}

std::optional<KerasTensor> as_sequence(KerasUse& use, const KerasTensor& image) {
    KerasDims dims = image.dims;
    dims.erase(image.first ? dims.end() - 1 : dims.begin() + 1);
    return use.view(image, dims, image.first, "sequence");
}

}  // namespace scalescope::formats
