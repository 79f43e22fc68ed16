// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/caffe/converter.hpp"

#include <algorithm>

namespace scalescope::formats {
namespace {

using Blob = CaffeBlob;
using Blobs = CaffeConverter::Blobs;

void concat(CaffeConverter& c, const CaffeLayer& l, const Blobs& in, const CaffeDims& dims) {
    auto f = c.fields_of(l, "concat_param");
    auto axis = c.axis_of(f, "axis", 1, dims.size());
    if (const auto old = f.integer("concat_dim", 0, limits::rank)) axis = *old;
    if (in.size() == 1) return c.pass_on(l, *in[0]);
    if (axis == 1) return c.become(l, "concat", {}, in);
    if (axis == 0 || axis > static_cast<std::int64_t>(dims.size())) {
        f.error("axis", "The layer joins samples, or an axis that is not there.", "Join channels: axis: 1.");
        return c.put_broken(l);
    }
    Checked sum = 0;
    const auto a = static_cast<std::size_t>(axis) - 1;
    for (const Blob* b : in) {
        CaffeDims rest = b->dims;
        if (rest.size() != dims.size())
            return c.error_at(l, "The inputs differ in their number of dimensions.", "Bring them to the same.");
        sum = sum + rest[a];
        rest[a] = dims[a];
        if (rest != dims)
            return c.error_at(l, "The inputs differ outside axis " + std::to_string(axis) + ".",
                              "Bring them to the same size there.");
    }
    if (!sum.ok() || sum.value() > limits::dimension)
        return c.error_at(l, "The output is too large to count.", "Check the sizes for a typing error.");
    c.become(l, "concat", {{"axis", CaffeConverter::our_axis(axis)}}, in);
}

Blob piece(CaffeConverter& c, const CaffeLayer& l, std::string name, const Blob& from, std::size_t a,
           std::int64_t begin, std::int64_t end) {
    const auto position = c.add(
        c.unique_name(std::move(name), l), l.field.name_at(), "slice",
        {{"axis", CaffeConverter::our_axis(static_cast<std::int64_t>(a) + 1)}, {"start", begin}, {"size", end - begin}},
        {&from});
    Blob blob;
    if (position)
        blob.layer = *position, blob.dims = theirs_of(c.shape(*position));
    else
        blob.state = Blob::State::broken;
    return blob;
}

void slice(CaffeConverter& c, const CaffeLayer& l, const Blobs& in, const CaffeDims& dims) {
    auto f = c.fields_of(l, "slice_param");
    const std::size_t errors = c.errors();
    auto axis = c.axis_of(f, "axis", 1, dims.size());
    if (const auto old = f.integer("slice_dim", 0, limits::rank)) axis = *old;
    if (axis < 1 || axis > static_cast<std::int64_t>(dims.size()))
        f.error("axis", "The layer takes samples apart, or an axis that is not there.", "Slice channels: axis: 1.");
    const auto points = f.integers("slice_point", 1, limits::dimension);
    if (c.errors() > errors) return c.put_broken(l);
    const auto a = static_cast<std::size_t>(axis) - 1;
    const auto pieces = static_cast<std::int64_t>(l.tops.size());
    std::vector<std::int64_t> bounds{0};
    if (points.empty() && pieces > 0 && dims[a] % pieces == 0)
        for (std::int64_t p = 1; p < pieces; ++p) bounds.push_back(p * (dims[a] / pieces));
    else
        bounds.insert(bounds.end(), points.begin(), points.end());
    bounds.push_back(dims[a]);
    if (bounds.size() != l.tops.size() + 1 || !std::is_sorted(bounds.begin(), bounds.end(), std::less_equal<>{}))
        return c.error_at(l,
                          "Its slice points do not cut " + std::to_string(dims[a]) + " into " +
                              std::to_string(l.tops.size()) + " pieces.",
                          "Give one rising slice_point fewer than it has tops, or sizes that divide.");
    const Blob from = *in[0];
    for (std::size_t t = 0; t < l.tops.size(); ++t)
        c.put(l.tops[t],
              piece(c, l, l.tops.size() == 1 ? l.name : l.name + '/' + l.tops[t], from, a, bounds[t], bounds[t + 1]));
}

void flatten(CaffeConverter& c, const CaffeLayer& l, const Blobs& in, const CaffeDims& dims) {
    auto f = c.fields_of(l, "flatten_param");
    const auto first = c.axis_of(f, "axis", 1, dims.size()),
               last = c.axis_of(f, "end_axis", static_cast<std::int64_t>(dims.size()), dims.size());
    if (first == 1 && last == static_cast<std::int64_t>(dims.size())) return c.become(l, "flatten", {}, in1(in));
    if (first < 1 || last < first) {
        f.error("axis", "The layer flattens samples, or axes that are not there.", "Flatten from axis: 1.");
        return c.put_broken(l);
    }
    CaffeDims out(dims.begin(), dims.begin() + static_cast<std::ptrdiff_t>(first - 1));
    std::int64_t flat = 1;
    for (auto a = first - 1; a < last; ++a) flat *= dims[static_cast<std::size_t>(a)];
    out.push_back(flat);
    out.insert(out.end(), dims.begin() + static_cast<std::ptrdiff_t>(last), dims.end());
    c.view(l, *in[0], out);
}

void permute(CaffeConverter& c, const CaffeLayer& l, const Blobs& in, const CaffeDims& dims) {
    auto f = c.fields_of(l, "permute_param");
    const std::size_t errors = c.errors();
    auto order = f.integers("order", 0, limits::rank);
    const auto rank = static_cast<std::int64_t>(dims.size()) + 1;
    std::vector<bool> seen(static_cast<std::size_t>(rank), false);
    bool fine = c.errors() == errors;
    for (const std::int64_t a : order) {
        fine = fine && a < rank && !seen[static_cast<std::size_t>(a)];
        if (fine) seen[static_cast<std::size_t>(a)] = true;
    }
    for (std::int64_t a = 0; fine && a < rank; ++a)
        if (!seen[static_cast<std::size_t>(a)]) order.push_back(a);
    if (!fine || order.empty() || order[0] != 0) {
        f.error("order", "The order of the axes names each once, and the batch (0) first.",
                "Write for example order: [0, 2, 3, 1].");
        return c.put_broken(l);
    }
    // Caffe's first axis, the channels, is our last.
    Shape permutation;
    for (std::size_t i = 1; i < order.size(); ++i) {
        const std::int64_t axis = order[i % (order.size() - 1) + 1];
        permutation.push_back(axis == 1 ? static_cast<std::int64_t>(dims.size()) : axis - 1);
    }
    c.become(l, "transpose", {{"permutation", permutation}}, in1(in));
}

void crop(CaffeConverter& c, const CaffeLayer& l, const Blobs& in, const CaffeDims& dims) {
    auto f = c.fields_of(l, "crop_param");
    const auto axis = c.axis_of(f, "axis", 2, dims.size());
    if (in.size() != 2 || in[1]->dims.size() != dims.size() || axis < 1)
        return c.error_at(l, "A Crop reads a tensor and one whose size it is cut to, with as many dimensions.",
                          "Correct its bottoms.");
    const auto offsets = f.integers("offset", 0, limits::dimension);
    const Blob wanted = *in[1];
    Blob from = *in[0];
    const auto first = static_cast<std::size_t>(axis) - 1;
    for (std::size_t a = first; a < dims.size(); ++a) {
        const std::int64_t size = wanted.dims[a],
                           offset = offsets.empty() ? 0 : offsets[std::min(a - first, offsets.size() - 1)];
        if (size > dims[a] || offset > dims[a] - size)
            return c.error_at(
                l, "It cannot cut " + to_text(ours_of(dims)) + " to the larger " + to_text(ours_of(wanted.dims)) + ".",
                "Correct its bottoms, its offset, or the padding before it.");
        if (size == dims[a]) continue;
        from = piece(c, l, l.name, from, a, offset, offset + size);
        if (from.state == Blob::State::broken) break;
    }
    c.pass_on(l, from);
}

void regions(CaffeConverter& c, const CaffeLayer& l, const Blobs&, const CaffeDims&) {
    c.error_at(l, "The layer makes several samples of each image, one for each region; how many stands in no layer.",
               "Give the network up to this layer, and the one behind it with an Input of one region, apart.");
}

constexpr CaffeType tensor_types[] = {
    {"Concat", concat},   {"Slice", slice}, {"Flatten", flatten},
    {"Permute", permute}, {"Crop", crop},   {"ROIPooling", regions},
};

}  // namespace

std::span<const CaffeType> caffe_tensor_types() { return tensor_types; }

}  // namespace scalescope::formats
