// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/keras/window.hpp"

#include <iterator>

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
    Padding p;
    if (padding == "same") p.mode = Padding::Mode::same;
    if (padding != "causal" && padding != "full") return p;
    p.mode = Padding::Mode::explicit_sizes;
    p.axes = static_cast<int>(kernel.size());
    // The last axis is called width, whatever the window moves over.
    std::int64_t* const sides[][2] = {{&p.left, &p.right}, {&p.top, &p.bottom}, {&p.front, &p.back}};
    for (std::size_t a = 0; a < kernel.size() && a < std::size(sides); ++a) {
        const std::size_t axis = kernel.size() - 1 - a;
        *sides[a][0] = (kernel[axis] - 1) * dilation[axis];
        if (padding == "full") *sides[a][1] = *sides[a][0];
    }
    return p;
}

bool has_axes(KerasUse& use, const KerasTensor& tensor, std::size_t axes) {
    if (tensor.dims.size() == axes + 1 + (use.over_time ? 1 : 0)) return true;
    const char* const wants[] = {"", "a sequence: steps and channels", "an image: height, width and channels",
                                 "a volume: three axes and channels"};
    use.error(
        "A " + std::string(use.layer.type) + " reads " + wants[axes] + "; its input is " + to_text(tensor.dims) + ".",
        "Put a Reshape before it, or correct its inbound_nodes.");
    return false;
}

std::vector<std::int64_t> with_time(const KerasUse& use, std::vector<std::int64_t> sizes) {
    if (use.over_time) sizes.insert(sizes.begin(), 1);
    return sizes;
}

}  // namespace scalescope::formats
