// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/transfer/work.hpp"

#include <cstdint>

namespace scalescope::transfer {

namespace {

constexpr std::string_view times = "\u00d7", arrow = "\u2192";

std::string product(std::initializer_list<std::int64_t> sizes) {
    std::string all;
    for (const auto size : sizes) all += (all.empty() ? "" : std::string(times)) + std::to_string(size);
    return all;
}

struct ShapeText {
    std::string operator()(std::monostate) const { return {}; }
    std::string operator()(const operators::Convolution& c) const {
        std::string text = "conv " + std::to_string(c.channels) + std::string(arrow) + std::to_string(c.filters) + ' ' +
                           product({c.kernel_height, c.kernel_width});
        if (c.stride_height > 1 || c.stride_width > 1) text += "/" + std::to_string(c.stride_height);
        if (c.groups > 1) text += " in " + std::to_string(c.groups) + " groups";
        return text + " on " + product({c.height, c.width}) + ", batch " + std::to_string(c.batch);
    }
    std::string operator()(const operators::Matmul& m) const {
        return "product " + (m.batch > 1 ? std::to_string(m.batch) + " of " : std::string()) + product({m.m, m.n, m.k});
    }
    std::string operator()(const operators::Elementwise& e) const {
        return std::to_string(e.read) + " elements read, " + std::to_string(e.written) + " written";
    }
};

}  // namespace

std::string text_of(const Work& work) { return std::visit(ShapeText{}, work.shape); }

}  // namespace scalescope::transfer
