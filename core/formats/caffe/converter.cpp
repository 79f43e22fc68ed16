// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/caffe/converter.hpp"

#include <algorithm>

#include "core/base/listed.hpp"
#include "core/base/name_list.hpp"
#include "core/formats/caffe/import.hpp"
#include "core/network/attributes.hpp"

namespace scalescope::formats {
namespace {

std::string named(const std::vector<std::string>& names) { return listed(names, 6, quoted); }

}  // namespace

Shape ours_of(const CaffeDims& dims) {
    Shape shape = dims;
    if (!shape.empty()) std::rotate(shape.begin(), shape.begin() + 1, shape.end());
    return shape;
}

CaffeDims theirs_of(const Shape& shape) {
    CaffeDims dims = shape;
    if (!dims.empty()) std::rotate(dims.begin(), dims.end() - 1, dims.end());
    return dims;
}

std::optional<NetworkDraft> CaffeConverter::convert(const std::string& file) {
    const std::size_t errors = problems_.errors();
    NetworkDraft& draft = build_.draft();
    draft.name = net_.name.empty() ? "Caffe net" : net_.name;
    draft.source = "Caffe's text file, " + file;
    draft.description = std::string("The net of Caffe's ") + (net_.train ? "TRAIN" : "TEST") + " phase" +
                        (net_.from_solver ? ", from a solver file." : ".");
    find_targets();
    for (const CaffeInput& input : net_.inputs) add_given(input);
    for (std::size_t i = 0; i < net_.layers.size(); ++i) {
        if (i % 256 == 0) {
            watch_.progress(static_cast<double>(i) / static_cast<double>(net_.layers.size()));
            if (watch_.cancel.cancelled()) {
                problems_.error(net_.layers[i].field.name_at(), {}, "Reading was cancelled here.",
                                "Open the file again to read all of it.");
                return std::nullopt;
            }
        }
        now_ = i;
        convert_layer(i);
        if (problems_.errors() > limits::problems) break;
    }
    draft.symbols.push_back({"batch", batch_.value_or(1), "samples per step"});
    if (problems_.errors() > errors) return std::nullopt;
    say_what_was_chosen();
    return std::move(draft);
}

void CaffeConverter::find_targets() {
    for (const CaffeLayer& l : net_.layers)
        for (std::size_t b = 0; b < l.bottoms.size(); ++b) {
            const bool compared = b > 0 && (is_loss(l) || is_measure(l));
            (compared ? targets_ : used_).insert(l.bottoms[b]);
        }
}

bool CaffeConverter::is_measure(const CaffeLayer& l) {
    return l.type == "Accuracy" || l.type == "ArgMax" || l.type == "DetectionEvaluate";
}

void CaffeConverter::put_broken(const CaffeLayer& l) {
    for (const std::string& top : l.tops) put(top, Blob{Blob::State::broken, 0, {}, 1});
}

std::optional<std::size_t> CaffeConverter::add(std::string name, SourcePosition at, std::string_view kind,
                                               const Givens& given, const Blobs& inputs) {
    std::vector<std::size_t> positions;
    for (const Blob* b : inputs) positions.push_back(b->layer);
    return build_.add(std::move(name), std::move(at), kind, given, positions);
}

void CaffeConverter::become(const CaffeLayer& l, std::string_view kind, const Givens& given, const Blobs& inputs) {
    const auto position = add(build_.unique_name(l.name, l.type), l.field.name_at(), kind, given, inputs);
    if (!position) return;
    Blob out;
    out.layer = *position;
    out.dims = theirs_of(build_.shape(*position));
    if (!inputs.empty()) out.samples = inputs[0]->samples;
    if (!l.tops.empty()) put(l.tops[0], out);
    // A second top of a layer with one result: which element a pooling chose and the like.
    for (std::size_t t = 1; t < l.tops.size(); ++t) put_side(l.tops[t]);
    count_weights(l, *position);
}

void CaffeConverter::become_unknown(const CaffeLayer& l, const CaffeDims& dims, const Blobs& inputs) {
    become(l, "unknown", {{"type", l.type}, {"shape", shape_value(dims)}}, inputs);
}

void CaffeConverter::pass_on(const CaffeLayer& l, const Blob& blob) {
    const Blob copy = blob;
    for (const std::string& top : l.tops) put(top, copy);
}

void CaffeConverter::view(const CaffeLayer& l, const Blob& in, const CaffeDims& dims) {
    become(l, "reshape", {{"shape", shape_value(dims)}}, {&in});
}

void CaffeConverter::count_weights(const CaffeLayer& l, std::size_t position) {
    const std::int64_t weights = build_.facts(position).weights;
    if (weights == 0) return;
    if (l.frozen) frozen_.push_back(build_.layer(position).name);
    std::size_t named = 0;
    std::optional<std::size_t> owner;
    bool one_owner = true;
    for (const std::string& name : l.shared) {
        if (name.empty()) continue;
        ++named;
        const auto [it, fresh] = weights_.emplace(name, position);
        one_owner = one_owner && !fresh && (!owner || *owner == it->second);
        if (!fresh) owner = it->second;
    }
    if (!owner) return;
    // All its weights are those of one layer; a bias without a name would be its own.
    const int bias = attribute_index(*build_.layer(position).kind, "bias");
    const bool with_bias =
        bias >= 0 && std::get<bool>(build_.layer(position).attributes[static_cast<std::size_t>(bias)]);
    if (one_owner && (named > 1 || !with_bias) && build_.facts(*owner).weights == weights) {
        build_.draft().layers[position].shares_weights_with = build_.layer(*owner).id;
        return;
    }
    if (!first_sharer_) first_sharer_ = &l;
    ++sharers_;
    twice_ = twice_ + weights;
}

void CaffeConverter::convert_layer(std::size_t i) {
    const CaffeLayer& l = net_.layers[i];
    if (is_caffe_source(l)) return source(l);
    if (l.type == "Silence" || l.type == "HDF5Output" || is_measure(l)) {
        measures_.push_back(l.name.empty() ? l.type : l.name);
        for (const std::string& top : l.tops) put_side(top);
        return;
    }
    if (l.bottoms.empty()) return error(l, "The layer reads nothing and makes nothing.", "Remove it.");
    std::vector<const Blob*> inputs;
    bool broken = false, joined = false;
    for (const std::string& bottom : l.bottoms) {
        const auto it = blobs_.find(bottom);
        if (it == blobs_.end()) {
            missing(l, bottom);
            broken = true;
        } else if (it->second.state == Blob::State::broken) {
            broken = true;
        } else if (it->second.state == Blob::State::known) {
            inputs.push_back(&it->second);
            joined = joined || it->second.samples > 1;
        }
    }
    if (broken) return put_broken(l);
    // Boxes that depend on sizes alone are made once; what comes of labels is no work of the step.
    if (inputs.empty() || l.type == "PriorBox") {
        sides_.push_back(l.name.empty() ? l.type : l.name);
        for (const std::string& top : l.tops) put_side(top);
        return;
    }
    const CaffeDims copy = inputs[0]->dims;  // `inputs` point into blobs_, which this layer may write
    errors_before_ = problems_.errors();
    made_ = false;
    if (joined)
        after_joining(l, inputs);
    else
        dispatch(l, inputs, copy);
    if (!made_) put_broken(l);
}

void CaffeConverter::missing(const CaffeLayer& l, const std::string& bottom) {
    std::vector<std::string_view> known;
    constexpr std::size_t most = 2000;  // looking for likely names costs time
    for (const auto& [name, blob] : blobs_)
        if (known.size() < most) known.push_back(name);
    std::ranges::sort(known);
    error(l, "No layer before it makes " + quoted(bottom) + ".",
          did_you_mean(bottom, problems_.errors() < 20 ? known : std::vector<std::string_view>{},
                       net_.other_phase ? "Correct its bottom; layers of the other phase are left out."
                                        : "Correct its bottom, or move it behind the layer that makes it."));
}

void CaffeConverter::after_joining(const CaffeLayer& l, const Blobs& inputs) {
    if (is_among(l.type, "Convolution Deconvolution InnerProduct ConvolutionDepthwise"))
        return error(l, "The layer reads samples that a Reshape before it joined.",
                     "Remove that Reshape: this program counts each sample alone.");
    become_unknown(l, theirs_of(build_.shape(inputs[0]->layer)), inputs);
}

void CaffeConverter::dispatch(const CaffeLayer& l, const Blobs& in, const CaffeDims& dims) {
    if (l.type == "Split") return pass_on(l, *in[0]);
    for (const auto family : {caffe_window_types(), caffe_element_types(), caffe_tensor_types()})
        for (const CaffeType& type : family)
            if (is_among(l.type, type.names)) return type.convert(*this, l, in, dims);
    other(l, in, dims);
}

std::optional<std::size_t> CaffeConverter::add_beside(const CaffeLayer& l, const char* part, std::string_view kind,
                                                      const Givens& given, const Blobs& inputs) {
    return add(build_.unique_name(l.name + part, l.type), l.field.name_at(), kind, given, inputs);
}

bool CaffeConverter::learns_behind(const CaffeLayer& l) {
    if (l.tops.empty()) return false;
    const std::string& top = l.tops[0];
    const CaffeLayer* scale = nullptr;
    for (std::size_t i = now_ + 1; i < net_.layers.size() && i < now_ + 64; ++i) {
        const CaffeLayer& reader = net_.layers[i];
        if (std::ranges::find(reader.bottoms, top) != reader.bottoms.end()) {
            if (scale || reader.type != "Scale" || reader.bottoms.size() != 1) return false;
            const auto block = reader.field.find("scale_param");
            const auto bias = block ? block->find("bias_term") : std::nullopt;
            if (!bias || bias->boolean() != true || block->find("axis") || block->find("num_axes")) return false;
            scale = &reader;
        }
        // From here on the name stands for another tensor.
        if (std::ranges::find(reader.tops, top) != reader.tops.end()) break;
    }
    if (scale) scaled_.insert(scale);
    return scale != nullptr;
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
        if (!position) return;
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
    error(l, "The layer moves samples into another dimension.", "Keep the batch as the first dimension: dim: 0.");
}

void CaffeConverter::other(const CaffeLayer& l, const Blobs& in, const CaffeDims& dims) {
    if (is_loss(l)) return become_unknown(l, {1}, in);  // a loss gives one number
    warning(l,
            "The program does not know what a layer of type " + quoted(l.type) +
                " does: its output is taken to have the size of its input, and only its bytes are priced.",
            "Write the network without it, or price what it does apart.");
    become_unknown(l, dims, in);
    if (l.tops.size() > 1 && !l.tops[0].empty()) {
        const auto first = blobs_.find(l.tops[0]);
        if (first != blobs_.end() && first->second.state == Blob::State::known)
            for (std::size_t t = 1; t < l.tops.size(); ++t)
                if (!is_target(l.tops[t])) put(l.tops[t], Blob(first->second));
    }
}

CaffeFields CaffeConverter::fields_of(const CaffeLayer& l, std::string_view block) {
    return CaffeFields(l.field, block, where(l), problems_);
}

bool CaffeConverter::over_channels(CaffeFields& fields, std::size_t rank) {
    const auto axis = axis_of(fields, "axis", 1, rank);
    if (axis == 1) return true;
    fields.error("axis", "The layer works along axis " + std::to_string(axis) + ".",
                 "This program knows it over the channels, axis 1.");
    return false;
}

std::int64_t CaffeConverter::axis_of(CaffeFields& fields, std::string_view name, std::int64_t initial,
                                     std::size_t rank) {
    const auto dims = static_cast<std::int64_t>(rank) + 1;
    const auto axis = fields.integer(name, -dims, dims - 1).value_or(initial);
    return axis < 0 ? axis + dims : axis;
}

void CaffeConverter::say_what_was_chosen() {
    const SourcePosition start = net_.layers.empty() ? SourcePosition{} : net_.layers[0].field.name_at();
    const auto say = [&](const SourcePosition& at, std::string what, std::string remedy) {
        problems_.warning(at, {}, std::move(what), std::move(remedy));
    };
    if (net_.other_phase)
        say(start,
            std::string("The net of the ") + (net_.train ? "TRAIN" : "TEST") +
                " phase is read; layers of other phases and stages are left out.",
            "Nothing needs to be done.");
    if (!labels_.empty())
        say(start, "Left out as labels: " + named(labels_) + "; they cost next to nothing.",
            "Nothing needs to be done.");
    if (!measures_.empty())
        say(start, "Left out: " + named(measures_) + "; they only measure, and nothing is learned from them.",
            "Nothing needs to be done.");
    if (!sides_.empty())
        say(start, "Left out: " + named(sides_) + "; they depend on sizes or labels alone.",
            "Nothing needs to be done.");
    if (!frozen_.empty())
        say(start, "The file keeps the weights of " + named(frozen_) + " as they are (lr_mult: 0); here they learn.",
            "Freeze these layers in the training to price them so.");
    if (first_sharer_ && twice_.ok())
        say(first_sharer_->field.name_at(),
            std::to_string(sharers_) + (sharers_ == 1 ? " layer shares its" : " layers share their") +
                " weights with another by name; here each layer has its own, " + std::to_string(twice_.value()) +
                " parameters too many.",
            "Read the memory and the messages of the gradients with that in mind.");
}

bool is_caffe_network(std::string_view text) { return looks_like_prototxt(text); }

Result<NetworkDraft> import_caffe_network(std::string_view text, std::string file, Problems* warnings,
                                          const Watch& watch) {
    constexpr double parsing = 0.7;  // of the time
    ASSIGN_OR_RETURN(const auto document, parse_prototxt(text, file, {watch.progress.part(0, parsing), watch.cancel}));
    ProblemList problems;
    const auto net = read_caffe_net(document, problems);
    if (!net) return fail(problems.take());
    auto draft = CaffeConverter(*net, problems, {watch.progress.part(parsing, 1), watch.cancel}).convert(file);
    return finished_import(std::move(draft), problems, warnings);
}

}  // namespace scalescope::formats
