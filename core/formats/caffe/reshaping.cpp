// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/caffe/converter.hpp"

namespace scalescope::formats {
namespace {

using Blobs = CaffeConverter::Blobs;

void reshape(CaffeConverter& c, const CaffeLayer& l, const Blobs& in, const CaffeDims& dims) {
    auto f = c.fields_of(l, "reshape_param");
    const std::size_t errors = c.errors();
    const auto shape = f.single("shape");
    const auto axis = c.axis_of(f, "axis", 0, dims.size());
    const auto axes = f.integer("num_axes", -1, limits::rank).value_or(-1);
    if (!shape || !shape->is_message())
        f.error("shape", "The layer does not say the shape it makes.",
                "Write reshape_param { shape { dim: 0 dim: -1 } }.");
    if (c.errors() > errors) return c.put_broken(l);
    std::vector<std::int64_t> wanted;
    for (const ProtoField d : *shape) {
        if (d.name() != "dim") continue;
        const auto value = d.integer();
        if (!value || *value < -1 || *value > limits::dimension || wanted.size() > limits::rank) {
            c.problems().error(d.at(), c.where(l), "A dimension here is -1, 0 or a size, and there are up to 8.",
                               "Correct it.");
            return c.put_broken(l);
        }
        wanted.push_back(*value);
    }
    // All in Caffe's count: the batch first, as the file's own number of samples.
    const std::int64_t batch = c.batch();
    std::vector<std::int64_t> old{batch};
    old.insert(old.end(), dims.begin(), dims.end());
    const auto rank = static_cast<std::int64_t>(old.size());
    const std::int64_t stop = axes < 0 ? rank : axis + axes;
    if (stop > rank) {
        f.error("num_axes", "The layer has no so many axes.", "Leave num_axes out.");
        return c.put_broken(l);
    }
    std::vector<std::int64_t> made(old.begin(), old.begin() + static_cast<std::ptrdiff_t>(axis));
    std::optional<std::size_t> open;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const auto from = static_cast<std::size_t>(axis) + i;
        if (wanted[i] == 0 && from >= old.size()) {
            f.error("shape", "A dimension 0 is copied from its input, which has none there.", "Write its size.");
            return c.put_broken(l);
        }
        if (wanted[i] == -1) {
            if (open) {
                f.error("shape", "Two dimensions are -1.", "Leave only one of them open.");
                return c.put_broken(l);
            }
            open = made.size();
        }
        made.push_back(wanted[i] == 0 ? old[from] : wanted[i] == -1 ? 1 : wanted[i]);
    }
    made.insert(made.end(), old.begin() + static_cast<std::ptrdiff_t>(stop), old.end());
    if (made.size() > static_cast<std::size_t>(limits::rank)) {
        f.error("shape", "The output has more than 8 dimensions.", "Use fewer.");
        return c.put_broken(l);
    }
    if (made.empty()) made.push_back(1);
    Checked have = 1, want = 1;
    for (const std::int64_t d : old) have = have * d;
    for (const std::int64_t d : made) want = want * d;
    const bool counted = have.ok() && want.ok();
    if (counted && open && have.value() % want.value() == 0) {
        made[*open] = have.value() / want.value();
        want = have;
    }
    if (!counted || have.value() != want.value()) {
        f.error("shape",
                "The shape does not hold as many elements as the layer reads: " + to_text(ours_of(dims)) +
                    " for each of " + std::to_string(batch) + " samples.",
                "Correct the shape.");
        return c.put_broken(l);
    }
    const CaffeDims out(made.begin() + 1, made.end());
    if (made[0] == batch) return c.view(l, *in[0], out);
    c.other_samples(l, *in[0], made[0], out);
}

constexpr CaffeType reshaping_types[] = {
    {"Reshape", reshape},
};

}  // namespace

std::span<const CaffeType> caffe_reshaping_types() { return reshaping_types; }

}  // namespace scalescope::formats
