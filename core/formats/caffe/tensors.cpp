// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "core/formats/caffe/converter.hpp"

namespace scalescope::formats {
namespace {

using Blobs = CaffeConverter::Blobs;
using Blob = CaffeBlob;

void concat(CaffeConverter& c, const CaffeLayer& l, const Blobs& in, const CaffeDims& dims) {
    auto f = c.fields_of(l, "concat_param");
    auto axis = c.axis_of(f, "axis", 1, dims.size());
    if (const auto old = f.integer("concat_dim", 0, limits::rank)) axis = *old;
    if (in.size() == 1) return c.pass_on(l, *in[0]);
    if (axis == 1) return c.become(l, "concat", {}, in);
    if (axis == 0 || axis > static_cast<std::int64_t>(dims.size()))
        return f.error("axis", "The layer joins samples, or an axis that is not there.", "Join channels: axis: 1.");
    Checked sum = 0;
    const auto a = static_cast<std::size_t>(axis) - 1;
    for (const Blob* b : in) {
        CaffeDims rest = b->dims;
        if (rest.size() != dims.size())
            return c.error(l, "The inputs differ in their number of dimensions.", "Bring them to the same.");
        sum = sum + rest[a];
        rest[a] = dims[a];
        if (rest != dims)
            return c.error(l, "The inputs differ outside axis " + std::to_string(axis) + ".",
                           "Bring them to the same size there.");
    }
    if (!sum.ok() || sum.value() > limits::dimension)
        return c.error(l, "The output is too large to count.", "Check the sizes for a typing error.");
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
    auto axis = c.axis_of(f, "axis", 1, dims.size());
    if (const auto old = f.integer("slice_dim", 0, limits::rank)) axis = *old;
    if (axis < 1 || axis > static_cast<std::int64_t>(dims.size()))
        f.error("axis", "The layer takes samples apart, or an axis that is not there.", "Slice channels: axis: 1.");
    const auto points = f.integers("slice_point", 1, limits::dimension);
    if (c.failed()) return;
    const auto a = static_cast<std::size_t>(axis) - 1;
    const auto pieces = static_cast<std::int64_t>(l.tops.size());
    std::vector<std::int64_t> bounds{0};
    if (points.empty() && pieces > 0 && dims[a] % pieces == 0)
        for (std::int64_t p = 1; p < pieces; ++p) bounds.push_back(p * (dims[a] / pieces));
    else
        bounds.insert(bounds.end(), points.begin(), points.end());
    bounds.push_back(dims[a]);
    if (bounds.size() != l.tops.size() + 1 || !std::ranges::is_sorted(bounds, std::less_equal<>{}))
        return c.error(l,
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
    if (first < 1 || last < first)
        return f.error("axis", "The layer flattens samples, or axes that are not there.", "Flatten from axis: 1.");
    CaffeDims out(dims.begin(), dims.begin() + static_cast<std::ptrdiff_t>(first - 1));
    std::int64_t flat = 1;
    for (auto a = first - 1; a < last; ++a) flat *= dims[static_cast<std::size_t>(a)];
    out.push_back(flat);
    out.insert(out.end(), dims.begin() + static_cast<std::ptrdiff_t>(last), dims.end());
    c.view(l, *in[0], out);
}

void permute(CaffeConverter& c, const CaffeLayer& l, const Blobs& in, const CaffeDims& dims) {
    auto f = c.fields_of(l, "permute_param");
    auto order = f.integers("order", 0, limits::rank);
    const auto rank = static_cast<std::int64_t>(dims.size()) + 1;
    std::vector<bool> seen(static_cast<std::size_t>(rank), false);
    bool fine = !c.failed();
    for (const std::int64_t a : order) {
        fine = fine && a < rank && !seen[static_cast<std::size_t>(a)];
        if (fine) seen[static_cast<std::size_t>(a)] = true;
    }
    for (std::int64_t a = 0; fine && a < rank; ++a)
        if (!seen[static_cast<std::size_t>(a)]) order.push_back(a);
    if (!fine || order.empty() || order[0] != 0)
        return f.error("order", "The order of the axes names each once, and the batch (0) first.",
                       "Write for example order: [0, 2, 3, 1].");
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
        return c.error(l, "A Crop reads a tensor and one whose size it is cut to, with as many dimensions.",
                       "Correct its bottoms.");
    const auto offsets = f.integers("offset", 0, limits::dimension);
    const Blob wanted = *in[1];
    Blob from = *in[0];
    const auto first = static_cast<std::size_t>(axis) - 1;
    for (std::size_t a = first; a < dims.size(); ++a) {
        const std::int64_t size = wanted.dims[a],
                           offset = offsets.empty() ? 0 : offsets[std::min(a - first, offsets.size() - 1)];
        if (size > dims[a] || offset > dims[a] - size)
            return c.error(
                l, "It cannot cut " + to_text(ours_of(dims)) + " to the larger " + to_text(ours_of(wanted.dims)) + ".",
                "Correct its bottoms, its offset, or the padding before it.");
        if (size == dims[a]) continue;
        from = piece(c, l, l.name, from, a, offset, offset + size);
        if (from.state == Blob::State::broken) break;
    }
    c.pass_on(l, from);
}

void regions(CaffeConverter& c, const CaffeLayer& l, const Blobs&, const CaffeDims&) {
    c.error(l, "The layer makes several samples of each image, one for each region; how many stands in no layer.",
            "Give the network up to this layer, and the one behind it with an Input of one region, apart.");
}

void reshape(CaffeConverter& c, const CaffeLayer& l, const Blobs& in, const CaffeDims& dims) {
    auto f = c.fields_of(l, "reshape_param");
    const auto shape = f.single("shape");
    const auto axis = c.axis_of(f, "axis", 0, dims.size());
    const auto axes = f.integer("num_axes", -1, limits::rank).value_or(-1);
    if (!shape || !shape->is_message())
        f.error("shape", "The layer does not say the shape it makes.",
                "Write reshape_param { shape { dim: 0 dim: -1 } }.");
    if (c.failed()) return;
    std::vector<std::int64_t> wanted;
    for (const ProtoField d : *shape) {
        if (d.name() != "dim") continue;
        const auto value = d.integer();
        if (!value || *value < -1 || *value > limits::dimension || wanted.size() > limits::rank) {
            c.problems().error(d.at(), c.where(l), "A dimension here is -1, 0 or a size, and there are up to 8.",
                               "Correct it.");
            return;
        }
        wanted.push_back(*value);
    }
    // All in Caffe's count: the batch first, as the file's own number of samples.
    const std::int64_t batch = c.batch();
    std::vector<std::int64_t> old{batch};
    old.insert(old.end(), dims.begin(), dims.end());
    const auto rank = static_cast<std::int64_t>(old.size());
    const std::int64_t stop = axes < 0 ? rank : axis + axes;
    if (stop > rank) return f.error("num_axes", "The layer has no so many axes.", "Leave num_axes out.");
    std::vector<std::int64_t> made(old.begin(), old.begin() + static_cast<std::ptrdiff_t>(axis));
    std::optional<std::size_t> open;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const auto from = static_cast<std::size_t>(axis) + i;
        if (wanted[i] == 0 && from >= old.size())
            return f.error("shape", "A dimension 0 is copied from its input, which has none there.", "Write its size.");
        if (wanted[i] == -1) {
            if (open) return f.error("shape", "Two dimensions are -1.", "Leave only one of them open.");
            open = made.size();
        }
        made.push_back(wanted[i] == 0 ? old[from] : wanted[i] == -1 ? 1 : wanted[i]);
    }
    made.insert(made.end(), old.begin() + static_cast<std::ptrdiff_t>(stop), old.end());
    if (made.size() > static_cast<std::size_t>(limits::rank))
        return f.error("shape", "The output has more than 8 dimensions.", "Use fewer.");
    if (made.empty()) made.push_back(1);
    Checked have = 1, want = 1;
    for (const std::int64_t d : old) have = have * d;
    for (const std::int64_t d : made) want = want * d;
    const bool counted = have.ok() && want.ok();
    if (counted && open && have.value() % want.value() == 0) {
        made[*open] = have.value() / want.value();
        want = have;
    }
    if (!counted || have.value() != want.value())
        return f.error("shape",
                       "The shape does not hold as many elements as the layer reads: " + to_text(ours_of(dims)) +
                           " for each of " + std::to_string(batch) + " samples.",
                       "Correct the shape.");
    const CaffeDims out(made.begin() + 1, made.end());
    if (made[0] == batch) return c.view(l, *in[0], out);
    c.other_samples(l, *in[0], made[0], out);
}

constexpr CaffeType tensor_types[] = {
    {"Concat", concat}, {"Slice", slice},        {"Flatten", flatten}, {"Permute", permute},
    {"Crop", crop},     {"ROIPooling", regions}, {"Reshape", reshape},
};

}  // namespace

std::span<const CaffeType> caffe_tensor_types() { return tensor_types; }

}  // namespace scalescope::formats
