// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/caffe/converter.hpp"

#include <algorithm>

#include "core/formats/caffe/data.hpp"

namespace scalescope::formats {

void CaffeConverter::set_batch(const CaffeDims& with_batch) {
    if (!batch_ && !with_batch.empty()) batch_ = std::min(with_batch[0], limits::batch);
}

void CaffeConverter::add_data(const std::string& top, const std::string& name, const SourcePosition& at,
                              const CaffeDims& with_batch) {
    set_batch(with_batch);
    const CaffeDims dims(with_batch.begin() + (with_batch.empty() ? 0 : 1), with_batch.end());
    const auto position = add(build_.unique_name(name, "data"), at, "input", {{"shape", shape_value(dims)}}, {});
    Blob blob;
    if (position) {
        blob.layer = *position;
        blob.dims = theirs_of(build_.shape(*position));
    } else {
        blob.state = Blob::State::broken;
    }
    put(top, std::move(blob));
}

void CaffeConverter::add_label(const std::string& top) {
    labels_.push_back(top);
    put_side(top);
}

void CaffeConverter::add_given(const CaffeInput& input) {
    if (is_target(input.name)) return add_label(input.name);
    if (!input.dims.empty()) return add_data(input.name, input.name, input.at, input.dims);
    problems_.error(input.at, input.name, "The file states no size of the input " + quoted(input.name) + ".",
                    "Write input_shape { dim: 1 dim: 3 dim: 224 dim: 224 } behind it, with the size of your data.");
    put(input.name, Blob{Blob::State::broken, 0, {}, 1});
}

void CaffeConverter::source(const CaffeLayer& l) {
    const bool given = l.type == "Input" || l.type == "DummyData";
    const auto shapes = given ? caffe_given_shapes(l, where(l), problems_) : std::vector<std::vector<std::int64_t>>{};
    for (std::size_t t = 0; t < l.tops.size(); ++t) {
        const std::string& top = l.tops[t];
        if (is_target(top) || (t > 0 && !given)) {
            add_label(top);
            continue;
        }
        const std::string name = l.tops.size() == 1 || t == 0 ? l.name : top;
        if (given && t < shapes.size() && !shapes[t].empty()) {
            add_data(top, name, l.field.name_at(), shapes[t]);
            continue;
        }
        CaffeData data;
        if (!given) data = caffe_data(l);
        if (data.dims.empty()) {
            no_size(l, top);
            put(top, Blob{Blob::State::broken, 0, {}, 1});
            continue;
        }
        if (!data.assumed.empty())
            warning(l, data.assumed, "Replace the layer by " + input_like(top) + " if they are not.");
        add_data(top, name, l.field.name_at(), data.dims);
    }
}

std::string CaffeConverter::input_like(const std::string& top) {
    return "layer { type: \"Input\" top: " + quoted(top) +
           " input_param { shape { dim: 1 dim: 3 dim: 224 dim: 224 } } } with the size of your data";
}

void CaffeConverter::no_size(const CaffeLayer& l, const std::string& top) {
    const bool own = l.type == "Python" || l.type == "HDF5Data" || l.type == "Input" || l.type == "DummyData";
    error(l, "The file states no size of the data " + quoted(top) + ".",
          (own ? std::string("Replace the layer by ")
               : "Write the crop, such as transform_param { crop_size: 224 }, or replace the layer by ") +
              input_like(top) + ".");
}

}  // namespace scalescope::formats
