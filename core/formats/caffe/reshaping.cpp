// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/caffe/converter.hpp"

namespace scalescope::formats {

void CaffeConverter::reshape(const CaffeLayer& l, const Blobs& in, const CaffeDims& dims) {
    auto f = fields_of(l, "reshape_param");
    const std::size_t errors = problems_.errors();
    const auto shape = f.single("shape");
    const auto axis = axis_of(f, "axis", 0, dims.size());
    const auto axes = f.integer("num_axes", -1, limits::rank).value_or(-1);
    if (!shape || !shape->is_message())
        f.error("shape", "The layer does not say the shape it makes.",
                "Write reshape_param { shape { dim: 0 dim: -1 } }.");
    if (problems_.errors() > errors) return put_broken(l);
    std::vector<std::int64_t> wanted;
    for (const ProtoField d : *shape) {
        if (d.name() != "dim") continue;
        const auto value = d.integer();
        if (!value || *value < -1 || *value > limits::dimension || wanted.size() > limits::rank) {
            problems_.error(d.at(), where(l), "A dimension here is -1, 0 or a size, and there are up to 8.",
                            "Correct it.");
            return put_broken(l);
        }
        wanted.push_back(*value);
    }
    // All in Caffe's count: the batch first, as the file's own number of samples.
    const std::int64_t batch = batch_.value_or(1);
    std::vector<std::int64_t> old{batch};
    old.insert(old.end(), dims.begin(), dims.end());
    const auto rank = static_cast<std::int64_t>(old.size());
    const std::int64_t stop = axes < 0 ? rank : axis + axes;
    if (stop > rank) {
        f.error("num_axes", "The layer has no so many axes.", "Leave num_axes out.");
        return put_broken(l);
    }
    std::vector<std::int64_t> made(old.begin(), old.begin() + static_cast<std::ptrdiff_t>(axis));
    std::optional<std::size_t> open;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const auto from = static_cast<std::size_t>(axis) + i;
        if (wanted[i] == 0 && from >= old.size()) {
            f.error("shape", "A dimension 0 is copied from its input, which has none there.", "Write its size.");
            return put_broken(l);
        }
        if (wanted[i] == -1) {
            if (open) {
                f.error("shape", "Two dimensions are -1.", "Leave only one of them open.");
                return put_broken(l);
            }
            open = made.size();
        }
        made.push_back(wanted[i] == 0 ? old[from] : wanted[i] == -1 ? 1 : wanted[i]);
    }
    made.insert(made.end(), old.begin() + static_cast<std::ptrdiff_t>(stop), old.end());
    if (made.size() > static_cast<std::size_t>(limits::rank)) {
        f.error("shape", "The output has more than 8 dimensions.", "Use fewer.");
        return put_broken(l);
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
        return put_broken(l);
    }
    const CaffeDims out(made.begin() + 1, made.end());
    if (made[0] == batch) return view(l, *in[0], out);
    other_samples(l, *in[0], made[0], out);
}

void CaffeConverter::other_samples(const CaffeLayer& l, const Blob& in, std::int64_t samples, const CaffeDims& out) {
    const std::int64_t batch = batch_.value_or(1);
    const bool from_data = build_.layer(in.layer).kind->name == "input" && build_.size() == 1;
    if (samples % batch == 0 && from_data && samples <= limits::batch) {
        warning(l,
                "Each sample of the data becomes " + std::to_string(samples / batch) +
                    " samples of the network, which are counted alone: a batch of " + std::to_string(batch) +
                    " in the file is one of " + std::to_string(samples) + " here.",
                "Nothing needs to be done.");
        // The data are handed over in their new shape.
        const auto name = build_.layer(0).name;
        const auto at = build_.layer(0).at;
        build_.clear();
        batch_ = samples;
        const auto position = add(name, at, "input", {{"shape", shape_value(out)}}, {});
        if (!position) return put_broken(l);
        Blob blob;
        blob.dims = out;
        for (const std::string& top : l.tops) put(top, blob);
        return;
    }
    if (batch % samples == 0) {
        warning(l,
                "The layer joins " + std::to_string(batch / samples) +
                    " samples into one; the layers behind it are priced by the bytes they move.",
                "Nothing needs to be done.");
        Blob blob = in;
        blob.samples = batch / samples;
        for (const std::string& top : l.tops) put(top, blob);
        return;
    }
    error_at(l, "The layer moves samples into another dimension.", "Keep the batch as the first dimension: dim: 0.");
}

}  // namespace scalescope::formats
