// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/measure/transfer/work.hpp"

#include <charconv>
#include <optional>

namespace scalescope::transfer {

namespace {

using kineto::OperatorInputs;

/// The sizes of input `i`, if it has so many.
const std::vector<std::int64_t>* sizes_of(const OperatorInputs& in, std::size_t i, std::size_t rank) {
    return i < in.sizes.size() && in.sizes[i].size() == rank ? &in.sizes[i] : nullptr;
}

/// "[2, 2]" or "3": its numbers.
std::optional<std::vector<std::int64_t>> numbers_of(const OperatorInputs& in, std::size_t i) {
    if (i >= in.values.size()) return std::nullopt;
    std::vector<std::int64_t> all;
    const std::string& text = in.values[i];
    for (const char *at = text.data(), *end = at + text.size(); at != end;) {
        std::int64_t value = 0;
        const auto read = std::from_chars(at, end, value);
        if (read.ec == std::errc() && read.ptr != at) {
            all.push_back(value);
            at = read.ptr;
        } else {
            ++at;
        }
    }
    if (all.empty()) return std::nullopt;
    return all;
}

/// Where a convolution's arguments stand.
struct ConvolutionPlaces {
    std::size_t input, weight, padding, stride, groups;
};

std::optional<operators::Convolution> convolution_of(const OperatorInputs& in, const ConvolutionPlaces& at) {
    const auto *x = sizes_of(in, at.input, 4), *w = sizes_of(in, at.weight, 4);
    const auto padding = numbers_of(in, at.padding), stride = numbers_of(in, at.stride),
               groups = numbers_of(in, at.groups);
    if (!x || !w || !padding || !stride || !groups) return std::nullopt;
    operators::Convolution c;
    c.batch = (*x)[0];
    c.channels = (*x)[1];
    c.height = (*x)[2];
    c.width = (*x)[3];
    c.filters = (*w)[0];
    c.kernel_height = (*w)[2];
    c.kernel_width = (*w)[3];
    c.padding_height = padding->front();
    c.padding_width = padding->back();
    c.stride_height = stride->front();
    c.stride_width = stride->back();
    c.groups = groups->front();
    if (!operators::usable(c)) return std::nullopt;
    return c;
}

std::optional<operators::Matmul> product_of_inputs(const OperatorInputs& in, std::size_t first) {
    operators::Matmul m;
    if (const auto* a = sizes_of(in, first, 2), *b = sizes_of(in, first + 1, 2); a && b && (*a)[1] == (*b)[0])
        m = {(*a)[0], (*b)[1], (*a)[1], 1};
    else if (const auto* c = sizes_of(in, first, 3), *d = sizes_of(in, first + 1, 3);
             c && d && (*c)[2] == (*d)[1] && (*c)[0] == (*d)[0])
        m = {(*c)[1], (*d)[2], (*c)[2], (*c)[0]};
    else
        return std::nullopt;
    if (!operators::usable(m)) return std::nullopt;
    return m;
}

}  // namespace

Works recorded_works(const kineto::Trace& trace, const kineto::Digest& digest) {
    Works works(digest.operations.size());
    for (std::size_t i = 0; i < works.size(); ++i) {
        const kineto::Operation& o = digest.operations[i];
        if (o.source == kineto::unknown) continue;
        const auto place = trace.operators[static_cast<std::size_t>(o.source)].inputs;
        if (place == kineto::unknown) continue;
        const OperatorInputs& in = trace.inputs[static_cast<std::size_t>(place)];
        const std::string& name = trace.name(o.name);
        Work& work = works[i];
        const auto take = [&](const auto& shape, Passes passes) {
            if (!shape) return;
            work.shape = *shape;
            work.passes = passes;
            work.source = ShapeSource::recorded;
        };
        if (name == "aten::cudnn_convolution")
            take(convolution_of(in, {0, 1, 2, 3, 5}), {true, false, false});
        else if (name == "aten::convolution_backward")
            take(convolution_of(in, {1, 2, 5, 4, 9}), {false, true, true});
        else if (name == "aten::mm" || name == "aten::bmm")
            take(product_of_inputs(in, 0), {true, false, false});
        else if (name == "aten::addmm" || name == "aten::baddbmm")
            take(product_of_inputs(in, 1), {true, false, false});
    }
    return works;
}

}  // namespace scalescope::transfer
