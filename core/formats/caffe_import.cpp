// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/caffe_import.hpp"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "core/base/checked.hpp"
#include "core/base/limits.hpp"
#include "core/formats/caffe_data.hpp"
#include "core/formats/caffe_fields.hpp"
#include "core/formats/draft_builder.hpp"

namespace scalescope::formats {
namespace {

/// Caffe's order: channels first, without the batch. A shape of this program has the channels last.
using CaffeDims = std::vector<std::int64_t>;

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

/// What stands under a name between two layers.
struct Blob {
    enum class State {
        known,
        side,   ///< labels and the like: nothing that is priced comes out of it
        broken  ///< what made it had an error, which is reported already
    };
    State state = State::known;
    std::size_t layer = 0;  ///< of the draft, that made it
    CaffeDims dims;
    std::int64_t samples = 1;  ///< so many of the net's samples were joined into one before it
};

class CaffeConverter {
public:
    CaffeConverter(const CaffeNet& net, ProblemList& problems, const Watch& watch)
        : net_(net), problems_(problems), watch_(watch), build_(problems) {}

    std::optional<NetworkDraft> convert(const std::string& file) {
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

private:
    // --- what stands under which name ---

    /// A name that only losses and measures read, as what to compare with, carries labels.
    void find_targets() {
        for (const CaffeLayer& l : net_.layers)
            for (std::size_t b = 0; b < l.bottoms.size(); ++b) {
                const bool compared = b > 0 && (is_loss(l) || is_measure(l));
                (compared ? targets_ : used_).insert(l.bottoms[b]);
            }
    }
    bool is_target(const std::string& blob) const { return targets_.count(blob) > 0 && used_.count(blob) == 0; }
    static bool is_loss(const CaffeLayer& l) { return l.type.find("Loss") != std::string::npos; }
    static bool is_measure(const CaffeLayer& l) {
        return l.type == "Accuracy" || l.type == "ArgMax" || l.type == "DetectionEvaluate";
    }

    void put(const std::string& top, Blob blob) { blobs_[top] = std::move(blob); }
    void put_side(const std::string& top) { put(top, Blob{Blob::State::side, 0, {}, 1}); }
    void put_broken(const CaffeLayer& l) {
        for (const std::string& top : l.tops) put(top, Blob{Blob::State::broken, 0, {}, 1});
    }

    // --- layers of the draft ---

    using Givens = DraftBuilder::Givens;

    /// Caffe lets layers share a name or have none.
    std::string name_for(const CaffeLayer& l) { return build_.unique_name(l.name, l.type); }

    std::optional<std::size_t> add(std::string name, SourcePosition at, std::string_view kind, const Givens& given,
                                   const std::vector<const Blob*>& inputs) {
        std::vector<std::size_t> positions;
        for (const Blob* b : inputs) positions.push_back(b->layer);
        return build_.add(std::move(name), std::move(at), kind, given, positions);
    }

    static std::vector<Dim> shape_value(const CaffeDims& dims) { return batch_of(ours_of(dims)); }

    /// The layer `l` as one of this program, which makes the first top of `l`.
    void become(const CaffeLayer& l, std::string_view kind, const Givens& given,
                const std::vector<const Blob*>& inputs) {
        const auto position = add(name_for(l), l.field.name_at(), kind, given, inputs);
        if (!position) return put_broken(l);
        Blob out;
        out.layer = *position;
        out.dims = theirs_of(build_.shape(*position));
        if (!inputs.empty()) out.samples = inputs[0]->samples;
        if (!l.tops.empty()) put(l.tops[0], out);
        // A second top of a layer with one result: which element a pooling chose and the like.
        for (std::size_t t = 1; t < l.tops.size(); ++t) put_side(l.tops[t]);
        count_weights(l, *position);
    }

    /// A layer of no kind here, priced by the bytes it moves.
    void become_unknown(const CaffeLayer& l, const CaffeDims& dims, const std::vector<const Blob*>& inputs) {
        if (!find_kind("unknown")) return no_kind(l);
        become(l, "unknown", {{"type", l.type}, {"shape", shape_value(dims)}}, inputs);
    }

    void no_kind(const CaffeLayer& l) {
        error(l, "A layer of type " + quoted(l.type) + " has no counterpart here.",
              "Take it out of the net, or open a net without it, such as the one for deployment.");
        put_broken(l);
    }

    void pass_on(const CaffeLayer& l, const Blob& blob) {
        const Blob copy = blob;
        for (const std::string& top : l.tops) put(top, copy);
    }

    /// Another view of the same bytes.
    void view(const CaffeLayer& l, const Blob& in, const CaffeDims& dims) {
        become(l, "reshape", {{"shape", shape_value(dims)}}, {&in});
    }

    void count_weights(const CaffeLayer& l, std::size_t position) {
        const std::int64_t weights = build_.facts(position).parameters();
        if (weights == 0) return;
        if (l.frozen) frozen_.push_back(build_.layer(position).name);
        if (l.shared.empty()) return;
        bool named = false, fresh = false;
        for (const std::string& name : l.shared) {
            if (name.empty()) continue;
            named = true;
            fresh = shared_.insert(name).second || fresh;
        }
        if (!named || fresh) return;
        if (!first_sharer_) first_sharer_ = &l;
        ++sharers_;
        twice_ = twice_ + weights;
    }

    // --- data ---

    void set_batch(const CaffeDims& with_batch) {
        if (!batch_ && !with_batch.empty()) batch_ = std::min(with_batch[0], limits::batch);
    }

    void add_data(const std::string& top, const std::string& name, const SourcePosition& at,
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

    void add_label(const std::string& top) {
        labels_.push_back(top);
        put_side(top);
    }

    void add_given(const CaffeInput& input) {
        if (is_target(input.name)) return add_label(input.name);
        if (!input.dims.empty()) return add_data(input.name, input.name, input.at, input.dims);
        problems_.error(input.at, input.name, "The file states no size of the input " + quoted(input.name) + ".",
                        "Write input_shape { dim: 1 dim: 3 dim: 224 dim: 224 } behind it, with the size of your data.");
        put(input.name, Blob{Blob::State::broken, 0, {}, 1});
    }

    void source(const CaffeLayer& l) {
        const bool given = l.type == "Input" || l.type == "DummyData";
        const auto shapes =
            given ? caffe_given_shapes(l, where(l), problems_) : std::vector<std::vector<std::int64_t>>{};
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

    static std::string input_like(const std::string& top) {
        return "layer { type: \"Input\" top: " + quoted(top) +
               " input_param { shape { dim: 1 dim: 3 dim: 224 dim: 224 } } } with the size of your data";
    }

    void no_size(const CaffeLayer& l, const std::string& top) {
        const bool own = l.type == "Python" || l.type == "HDF5Data" || l.type == "Input" || l.type == "DummyData";
        error(l, "The file states no size of the data " + quoted(top) + ".",
              (own ? std::string("Replace the layer by ")
                   : "Write the crop, such as transform_param { crop_size: 224 }, or replace the layer by ") +
                  input_like(top) + ".");
    }

    // --- layers ---

    void convert_layer(std::size_t i) {
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
        if (joined) return after_joining(l, inputs);
        const CaffeDims copy = inputs[0]->dims;  // `inputs` point into blobs_, which this layer may write
        dispatch(l, inputs, copy);
    }

    void missing(const CaffeLayer& l, const std::string& bottom) {
        std::vector<std::string_view> known;
        constexpr std::size_t most = 2000;  // looking for likely names costs time
        for (const auto& [name, blob] : blobs_)
            if (known.size() < most) known.push_back(name);
        std::sort(known.begin(), known.end());
        error(l, "No layer before it makes " + quoted(bottom) + ".",
              did_you_mean(bottom, problems_.errors() < 20 ? known : std::vector<std::string_view>{},
                           net_.other_phase ? "Correct its bottom; layers of the other phase are left out."
                                            : "Correct its bottom, or move it behind the layer that makes it."));
    }

    /// Samples were joined: such a layer works on a part of a sample each, which has no kind here.
    void after_joining(const CaffeLayer& l, const std::vector<const Blob*>& inputs) {
        static constexpr std::array<std::string_view, 4> heavy{"Convolution", "Deconvolution", "InnerProduct",
                                                               "ConvolutionDepthwise"};
        if (std::find(heavy.begin(), heavy.end(), l.type) != heavy.end()) {
            error(l, "The layer reads samples that a Reshape before it joined.",
                  "Remove that Reshape: this program counts each sample alone.");
            return put_broken(l);
        }
        become_unknown(l, theirs_of(build_.shape(inputs[0]->layer)), inputs);
    }

    using Handler = void (CaffeConverter::*)(const CaffeLayer&, const std::vector<const Blob*>&, const CaffeDims&);

    void dispatch(const CaffeLayer& l, const std::vector<const Blob*>& in, const CaffeDims& dims) {
        static constexpr std::array<std::pair<std::string_view, Handler>, 31> handlers{{
            {"Convolution", &CaffeConverter::convolution},
            {"ConvolutionDepthwise", &CaffeConverter::convolution},
            {"DepthwiseConvolution", &CaffeConverter::convolution},
            {"Deconvolution", &CaffeConverter::deconvolution},
            {"Pooling", &CaffeConverter::pooling},
            {"InnerProduct", &CaffeConverter::inner_product},
            {"BatchNorm", &CaffeConverter::batch_norm},
            {"BN", &CaffeConverter::batch_norm},
            {"Scale", &CaffeConverter::scale},
            {"Bias", &CaffeConverter::scale},
            {"LRN", &CaffeConverter::lrn},
            {"Softmax", &CaffeConverter::softmax},
            {"SoftmaxWithLoss", &CaffeConverter::softmax},
            {"Dropout", &CaffeConverter::dropout},
            {"ReLU", &CaffeConverter::relu},
            {"PReLU", &CaffeConverter::prelu},
            {"Eltwise", &CaffeConverter::eltwise},
            {"Concat", &CaffeConverter::concat},
            {"Slice", &CaffeConverter::slice},
            {"Split", &CaffeConverter::split},
            {"Flatten", &CaffeConverter::flatten},
            {"Reshape", &CaffeConverter::reshape},
            {"Permute", &CaffeConverter::permute},
            {"Crop", &CaffeConverter::crop},
            {"Sigmoid", &CaffeConverter::function},
            {"TanH", &CaffeConverter::function},
            {"ELU", &CaffeConverter::function},
            {"ReLU6", &CaffeConverter::function},
            {"Swish", &CaffeConverter::function},
            {"SigmoidCrossEntropyLoss", &CaffeConverter::function},
            {"ROIPooling", &CaffeConverter::regions},
        }};
        for (const auto& [type, handler] : handlers)
            if (l.type == type) return (this->*handler)(l, in, dims);
        other(l, in, dims);
    }

    void other(const CaffeLayer& l, const std::vector<const Blob*>& in, const CaffeDims& dims) {
        // Layers that touch each element, and losses, which give one number.
        static constexpr std::array<std::string_view, 10> same_shape{
            "AbsVal", "BNLL", "Exp", "Log", "Power", "MVN", "Normalize", "Threshold", "Clip", "Parameter"};
        if (is_loss(l)) return become_unknown(l, {1}, in);
        if (std::find(same_shape.begin(), same_shape.end(), l.type) == same_shape.end())
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

    CaffeFields fields_of(const CaffeLayer& l, std::string_view block) {
        return CaffeFields(l.field, block, where(l), problems_);
    }

    bool over_channels(const CaffeLayer& l, CaffeFields& fields, std::size_t rank) {
        const auto axis = axis_of(fields, "axis", 1, rank);
        if (axis == 1) return true;
        fields.error("axis", "The layer works along axis " + std::to_string(axis) + ".",
                     "This program knows it over the channels, axis 1.");
        put_broken(l);
        return false;
    }

    /// An axis as Caffe counts, batch being 0; negative ones count from the end.
    std::int64_t axis_of(CaffeFields& fields, std::string_view name, std::int64_t initial, std::size_t rank) {
        const auto dims = static_cast<std::int64_t>(rank) + 1;
        const auto axis = fields.integer(name, -dims, dims - 1).value_or(initial);
        return axis < 0 ? axis + dims : axis;
    }

    std::optional<std::int64_t> outputs_of(const CaffeLayer& l, CaffeFields& fields) {
        const std::size_t errors = problems_.errors();
        const auto n = fields.integer("num_output", 1, limits::dimension);
        if (!n && problems_.errors() == errors)
            fields.error({}, "The layer does not say how many outputs it has.", "Write num_output: 64, or as many.");
        if (!n) put_broken(l);
        return n;
    }

    void convolution(const CaffeLayer& l, const std::vector<const Blob*>& in, const CaffeDims& dims) {
        auto f = fields_of(l, "convolution_param");
        f.expect_only({"num_output", "bias_term", "pad", "kernel_size", "stride", "dilation", "pad_h", "pad_w",
                       "kernel_h", "kernel_w", "stride_h", "stride_w", "group", "weight_filler", "bias_filler",
                       "engine", "axis", "force_nd_im2col"});
        const std::size_t errors = problems_.errors();
        if (!over_channels(l, f, dims.size())) return;
        const auto filters = outputs_of(l, f);
        if (!filters) return;
        const auto kernel = f.sizes("kernel_size", "kernel_h", "kernel_w", 1);
        if (!kernel && problems_.errors() == errors)
            f.error({}, "The layer does not say how large its kernel is.", "Write kernel_size: 3, or what it is.");
        const auto stride = f.sizes("stride", "stride_h", "stride_w", 1).value_or(std::array<std::int64_t, 2>{1, 1});
        const auto pad = f.sizes("pad", "pad_h", "pad_w", 0).value_or(std::array<std::int64_t, 2>{0, 0});
        const auto gap = f.sizes("dilation", {}, {}, 1).value_or(std::array<std::int64_t, 2>{1, 1});
        std::int64_t groups = f.integer("group", 1, limits::dimension).value_or(1);
        if (l.type != "Convolution" && groups == 1 && !dims.empty()) groups = dims[0];  // depthwise by its type
        const bool bias = f.boolean("bias_term", true);
        if (problems_.errors() > errors) return put_broken(l);
        become(l, "convolution",
               {{"filters", *filters},
                {"kernel", Shape{(*kernel)[0], (*kernel)[1]}},
                {"stride", Shape{stride[0], stride[1]}},
                {"padding", padding_of(pad, pad)},
                {"dilation", Shape{gap[0], gap[1]}},
                {"groups", groups},
                {"bias", bias}},
               in1(in));
    }

    static Padding padding_of(const std::array<std::int64_t, 2>& before, const std::array<std::int64_t, 2>& after) {
        if (before == after && before[0] == 0 && before[1] == 0) return {};
        return {Padding::Mode::explicit_sizes, before[0], after[0], before[1], after[1]};
    }

    /// Only the first input: what else a layer reads there is no tensor of the step.
    static std::vector<const Blob*> in1(const std::vector<const Blob*>& in) { return {in[0]}; }

    void deconvolution(const CaffeLayer& l, const std::vector<const Blob*>& in, const CaffeDims& dims) {
        auto f = fields_of(l, "convolution_param");
        const std::size_t errors = problems_.errors();
        if (!over_channels(l, f, dims.size())) return;
        const auto filters = outputs_of(l, f);
        if (!filters) return;
        const auto kernel = f.sizes("kernel_size", "kernel_h", "kernel_w", 1);
        if (!kernel && problems_.errors() == errors)
            f.error({}, "The layer does not say how large its kernel is.", "Write kernel_size: 4, or what it is.");
        const auto stride = f.sizes("stride", "stride_h", "stride_w", 1).value_or(std::array<std::int64_t, 2>{1, 1});
        const auto pad = f.sizes("pad", "pad_h", "pad_w", 0).value_or(std::array<std::int64_t, 2>{0, 0});
        const auto gap = f.sizes("dilation", {}, {}, 1).value_or(std::array<std::int64_t, 2>{1, 1});
        const std::int64_t groups = f.integer("group", 1, limits::dimension).value_or(1);
        const bool bias = f.boolean("bias_term", true);
        const Kind& kind = *find_kind("transposed_convolution");
        if (groups > 1 && !find_attribute(kind, "groups"))
            f.error("group", "A deconvolution in groups has no counterpart here.",
                    "Write it without group, or as an upsampling.");
        if ((gap[0] > 1 || gap[1] > 1) && !find_attribute(kind, "dilation"))
            f.error("dilation", "A dilated deconvolution has no counterpart here.", "Write it without dilation.");
        if (problems_.errors() > errors) return put_broken(l);
        become(l, kind.name,
               {{"filters", *filters},
                {"kernel", Shape{(*kernel)[0], (*kernel)[1]}},
                {"stride", Shape{stride[0], stride[1]}},
                {"padding", padding_of(pad, pad)},
                {"dilation", Shape{gap[0], gap[1]}},
                {"groups", groups},
                {"bias", bias}},
               in1(in));
    }

    void pooling(const CaffeLayer& l, const std::vector<const Blob*>& in, const CaffeDims& dims) {
        auto f = fields_of(l, "pooling_param");
        f.expect_only({"pool", "pad", "pad_h", "pad_w", "kernel_size", "kernel_h", "kernel_w", "stride", "stride_h",
                       "stride_w", "engine", "global_pooling", "round_mode", "ceil_mode"});
        const std::size_t errors = problems_.errors();
        const auto mode = f.word("pool");
        const bool average = mode == "AVE" || mode == "1";
        if (!mode.empty() && !average && mode != "MAX" && mode != "0" && mode != "STOCHASTIC" && mode != "2")
            f.error("pool", "There is no pooling of the kind " + quoted(mode) + ".", "Write pool: MAX or pool: AVE.");
        if (dims.size() != 3)
            f.error({}, "A pooling needs height and width, its input is " + to_text(ours_of(dims)) + ".",
                    "Connect it to a layer that still has height and width.");
        const bool global = f.boolean("global_pooling", false);
        auto kernel = f.sizes("kernel_size", "kernel_h", "kernel_w", 1);
        if (!kernel && !global && problems_.errors() == errors)
            f.error({}, "The layer does not say how large its window is.",
                    "Write kernel_size: 2, or global_pooling: true.");
        auto stride = f.sizes("stride", "stride_h", "stride_w", 1).value_or(std::array<std::int64_t, 2>{1, 1});
        auto pad = f.sizes("pad", "pad_h", "pad_w", 0).value_or(std::array<std::int64_t, 2>{0, 0});
        const bool floor =
            f.word("round_mode") == "FLOOR" || f.word("round_mode") == "1" || !f.boolean("ceil_mode", true);
        if (problems_.errors() > errors) return put_broken(l);
        if (global) {
            kernel = std::array{dims[1], dims[2]};
            stride = {1, 1}, pad = {0, 0};
        }
        // Caffe lets a window hang over the far edge, where this program's rule for rounding up would leave it out;
        // the padding there then says so.
        std::array<std::int64_t, 2> after = pad;
        bool up = false;
        for (std::size_t a = 0; a < 2; ++a) {
            const std::int64_t room = dims[a + 1] + 2 * pad[a] - (*kernel)[a];
            const std::int64_t over = room % stride[a];
            if (floor || over == 0) continue;
            if (room < 0) {
                if (room > -stride[a]) after[a] -= room;  // one window, larger than all there is
                continue;
            }
            std::int64_t out = room / stride[a] + 2;
            if (pad[a] > 0 && (out - 1) * stride[a] >= dims[a + 1] + pad[a]) --out;
            const bool hangs = out == room / stride[a] + 2;
            if (hangs && (out - 1) * stride[a] >= dims[a + 1] + pad[a]) after[a] += stride[a] - over;
            up = up || hangs;
        }
        become(l, "pooling",
               {{"mode", std::string(average ? "average" : "max")},
                {"kernel", Shape{(*kernel)[0], (*kernel)[1]}},
                {"stride", Shape{stride[0], stride[1]}},
                {"padding", padding_of(pad, after)},
                {"ceil", up}},
               in1(in));
    }

    void inner_product(const CaffeLayer& l, const std::vector<const Blob*>& in, const CaffeDims& dims) {
        auto f = fields_of(l, "inner_product_param");
        f.expect_only({"num_output", "bias_term", "weight_filler", "bias_filler", "axis", "transpose"});
        const std::size_t errors = problems_.errors();
        if (!over_channels(l, f, dims.size())) return;
        const auto units = outputs_of(l, f);
        if (!units) return;
        const bool bias = f.boolean("bias_term", true);
        if (problems_.errors() > errors) return put_broken(l);
        become(l, "dense", {{"units", *units}, {"bias", bias}}, in1(in));
    }

    /// Caffe's BatchNorm only normalizes and has no weights to learn; the Scale behind it has them, and both together
    /// are one layer here. BN of Caffe's forks is that one layer already.
    void batch_norm(const CaffeLayer& l, const std::vector<const Blob*>& in, const CaffeDims& dims) {
        const Kind& kind = *find_kind("batch_norm");
        if (l.type == "BN" || learns_behind(l)) return become(l, kind.name, {}, in1(in));
        if (find_attribute(kind, "affine")) return become(l, kind.name, {{"affine", false}}, in1(in));
        become_unknown(l, dims, in1(in));
    }

    /// True if a Scale with a bias is the next to read what `l` makes, and nothing else reads it before it is scaled.
    bool learns_behind(const CaffeLayer& l) {
        if (l.tops.empty()) return false;
        const std::string& top = l.tops[0];
        const CaffeLayer* scale = nullptr;
        for (std::size_t i = now_ + 1; i < net_.layers.size() && i < now_ + 64; ++i) {
            const CaffeLayer& reader = net_.layers[i];
            if (std::find(reader.bottoms.begin(), reader.bottoms.end(), top) != reader.bottoms.end()) {
                if (scale || reader.type != "Scale" || reader.bottoms.size() != 1) return false;
                const auto block = reader.field.find("scale_param");
                const auto bias = block ? block->find("bias_term") : std::nullopt;
                if (!bias || bias->boolean() != true || block->find("axis") || block->find("num_axes")) return false;
                scale = &reader;
            }
            // From here on the name stands for another tensor.
            if (std::find(reader.tops.begin(), reader.tops.end(), top) != reader.tops.end()) break;
        }
        if (scale) scaled_.insert(scale);
        return scale != nullptr;
    }

    void scale(const CaffeLayer& l, const std::vector<const Blob*>& in, const CaffeDims& dims) {
        if (scaled_.count(&l) > 0) return pass_on(l, *in[0]);  // part of the normalization before it
        const bool only_bias = l.type == "Bias";
        auto f = fields_of(l, only_bias ? "bias_param" : "scale_param");
        const std::size_t errors = problems_.errors();
        const bool bias = f.boolean("bias_term", false);
        if (in.size() > 1) return become_unknown(l, dims, in);  // by another tensor, broadcast
        if (!over_channels(l, f, dims.size())) return;
        if (const auto axes = f.integer("num_axes", -1, limits::rank).value_or(1); axes != 1)
            f.error("num_axes", "The layer scales " + std::to_string(axes) + " axes.",
                    "This program knows a scale for each channel, num_axes: 1.");
        if (problems_.errors() > errors) return put_broken(l);
        if (only_bias || dims.size() != 3) return no_kind(l);
        // One weight for each channel: a 1×1 filter of its own for each.
        become(l, "convolution", {{"filters", dims[0]}, {"kernel", Shape{1, 1}}, {"groups", dims[0]}, {"bias", bias}},
               in);
    }

    void lrn(const CaffeLayer& l, const std::vector<const Blob*>& in, const CaffeDims&) {
        become(l, "lrn", {}, in1(in));
    }
    void softmax(const CaffeLayer& l, const std::vector<const Blob*>& in, const CaffeDims&) {
        become(l, "softmax", {}, in1(in));
    }

    void dropout(const CaffeLayer& l, const std::vector<const Blob*>& in, const CaffeDims&) {
        auto f = fields_of(l, "dropout_param");
        become(l, "dropout", {{"rate", f.number("dropout_ratio").value_or(0.5)}}, in1(in));
    }

    void relu(const CaffeLayer& l, const std::vector<const Blob*>& in, const CaffeDims&) {
        auto f = fields_of(l, "relu_param");
        const bool leaky = f.number("negative_slope").value_or(0) != 0;
        become(l, "activation", {{"function", std::string(leaky ? "leaky_relu" : "relu")}}, in1(in));
    }

    void prelu(const CaffeLayer& l, const std::vector<const Blob*>& in, const CaffeDims& dims) {
        auto f = fields_of(l, "prelu_param");
        const bool one = f.boolean("channel_shared", false);
        const std::int64_t slopes = one || dims.empty() ? 1 : dims[0];
        warning(l,
                "The slope is learned, " + std::to_string(slopes) + (slopes == 1 ? " weight" : " weights") +
                    " that are not counted here.",
                "Nothing needs to be done.");
        become(l, "activation", {{"function", std::string("leaky_relu")}}, in1(in));
    }

    void function(const CaffeLayer& l, const std::vector<const Blob*>& in, const CaffeDims& dims) {
        static constexpr std::array<std::pair<std::string_view, std::string_view>, 6> words{{
            {"Sigmoid", "sigmoid"},
            {"SigmoidCrossEntropyLoss", "sigmoid"},
            {"TanH", "tanh"},
            {"ELU", "elu"},
            {"ReLU6", "relu6"},
            {"Swish", "silu"},
        }};
        const Kind& kind = *find_kind("activation");
        for (const auto& [type, word] : words)
            if (l.type == type && may_be(*find_attribute(kind, "function"), word))
                return become(l, kind.name, {{"function", std::string(word)}}, in1(in));
        become_unknown(l, dims, in1(in));
    }

    static bool may_be(const AttributeInfo& info, std::string_view word) {
        const std::string all = '|' + std::string(info.choices) + '|';
        return all.find('|' + std::string(word) + '|') != std::string::npos;
    }

    void eltwise(const CaffeLayer& l, const std::vector<const Blob*>& in, const CaffeDims& dims) {
        auto f = fields_of(l, "eltwise_param");
        const auto operation = f.word("operation");
        if (in.size() < 2) return become_unknown(l, dims, in);
        if (operation.empty() || operation == "SUM" || operation == "1") return become(l, "add", {}, in);
        for (const Blob* b : in)
            if (b->dims != dims)
                return error_at(
                    l, "The inputs differ: " + to_text(ours_of(dims)) + " and " + to_text(ours_of(b->dims)) + ".",
                    "Bring them to the same shape.");
        become_unknown(l, dims, in);
    }

    void error_at(const CaffeLayer& l, std::string what, std::string remedy) {
        error(l, std::move(what), std::move(remedy));
        put_broken(l);
    }

    void concat(const CaffeLayer& l, const std::vector<const Blob*>& in, const CaffeDims& dims) {
        auto f = fields_of(l, "concat_param");
        auto axis = axis_of(f, "axis", 1, dims.size());
        if (const auto old = f.integer("concat_dim", 0, limits::rank)) axis = *old;
        if (in.size() == 1) return pass_on(l, *in[0]);
        if (axis == 1) return become(l, "concat", {}, in);
        if (axis == 0 || axis > static_cast<std::int64_t>(dims.size())) {
            f.error("axis", "The layer joins samples, or an axis that is not there.", "Join channels: axis: 1.");
            return put_broken(l);
        }
        CaffeDims out = dims;
        Checked sum = 0;
        const auto a = static_cast<std::size_t>(axis) - 1;
        for (const Blob* b : in) {
            CaffeDims rest = b->dims;
            if (rest.size() != dims.size())
                return error_at(l, "The inputs differ in their number of dimensions.", "Bring them to the same.");
            sum = sum + rest[a];
            rest[a] = dims[a];
            if (rest != dims)
                return error_at(l, "The inputs differ outside axis " + std::to_string(axis) + ".",
                                "Bring them to the same size there.");
        }
        if (!sum.ok() || sum.value() > limits::dimension)
            return error_at(l, "The output is too large to count.", "Check the sizes for a typing error.");
        out[a] = sum.value();
        become_unknown(l, out, in);
    }

    void slice(const CaffeLayer& l, const std::vector<const Blob*>& in, const CaffeDims& dims) {
        auto f = fields_of(l, "slice_param");
        const std::size_t errors = problems_.errors();
        auto axis = axis_of(f, "axis", 1, dims.size());
        if (const auto old = f.integer("slice_dim", 0, limits::rank)) axis = *old;
        if (axis < 1 || axis > static_cast<std::int64_t>(dims.size()))
            f.error("axis", "The layer takes samples apart, or an axis that is not there.", "Slice channels: axis: 1.");
        const auto points = f.integers("slice_point", 1, limits::dimension);
        if (problems_.errors() > errors) return put_broken(l);
        const auto a = static_cast<std::size_t>(axis) - 1;
        const auto pieces = static_cast<std::int64_t>(l.tops.size());
        std::vector<std::int64_t> bounds{0};
        if (points.empty() && pieces > 0 && dims[a] % pieces == 0)
            for (std::int64_t p = 1; p < pieces; ++p) bounds.push_back(p * (dims[a] / pieces));
        else
            bounds.insert(bounds.end(), points.begin(), points.end());
        bounds.push_back(dims[a]);
        if (bounds.size() != l.tops.size() + 1 || !std::is_sorted(bounds.begin(), bounds.end(), std::less_equal<>{}))
            return error_at(l,
                            "Its slice points do not cut " + std::to_string(dims[a]) + " into " +
                                std::to_string(l.tops.size()) + " pieces.",
                            "Give one rising slice_point fewer than it has tops, or sizes that divide.");
        if (!find_kind("unknown")) return no_kind(l);
        const Blob from = *in[0];
        for (std::size_t t = 0; t < l.tops.size(); ++t) piece(l, from, a, bounds[t], bounds[t + 1], l.tops[t]);
    }

    /// Part of a tensor, as a layer of its own that makes `top`.
    void piece(const CaffeLayer& l, const Blob& from, std::size_t a, std::int64_t begin, std::int64_t end,
               const std::string& top) {
        CaffeDims out = from.dims;
        out[a] = end - begin;
        const auto position =
            add(build_.unique_name(l.tops.size() == 1 ? l.name : l.name + '/' + top, l.type), l.field.name_at(),
                "unknown", {{"type", l.type}, {"shape", shape_value(out)}}, {&from});
        Blob blob;
        if (position)
            blob.layer = *position, blob.dims = theirs_of(build_.shape(*position));
        else
            blob.state = Blob::State::broken;
        put(top, std::move(blob));
    }

    void split(const CaffeLayer& l, const std::vector<const Blob*>& in, const CaffeDims&) { pass_on(l, *in[0]); }

    void flatten(const CaffeLayer& l, const std::vector<const Blob*>& in, const CaffeDims& dims) {
        auto f = fields_of(l, "flatten_param");
        const auto first = axis_of(f, "axis", 1, dims.size()),
                   last = axis_of(f, "end_axis", static_cast<std::int64_t>(dims.size()), dims.size());
        if (first == 1 && last == static_cast<std::int64_t>(dims.size())) return become(l, "flatten", {}, in1(in));
        if (first < 1 || last < first) {
            f.error("axis", "The layer flattens samples, or axes that are not there.", "Flatten from axis: 1.");
            return put_broken(l);
        }
        CaffeDims out(dims.begin(), dims.begin() + static_cast<std::ptrdiff_t>(first - 1));
        std::int64_t flat = 1;
        for (auto a = first - 1; a < last; ++a) flat *= dims[static_cast<std::size_t>(a)];
        out.push_back(flat);
        out.insert(out.end(), dims.begin() + static_cast<std::ptrdiff_t>(last), dims.end());
        view(l, *in[0], out);
    }

    void reshape(const CaffeLayer& l, const std::vector<const Blob*>& in, const CaffeDims& dims) {
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

    /// The layer makes other samples of the ones it reads: many of one (only data can be read so), or one of many.
    void other_samples(const CaffeLayer& l, const Blob& in, std::int64_t samples, const CaffeDims& out) {
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
        error_at(l, "The layer moves samples into another dimension.",
                 "Keep the batch as the first dimension: dim: 0.");
    }

    void permute(const CaffeLayer& l, const std::vector<const Blob*>& in, const CaffeDims& dims) {
        auto f = fields_of(l, "permute_param");
        const std::size_t errors = problems_.errors();
        auto order = f.integers("order", 0, limits::rank);
        const auto rank = static_cast<std::int64_t>(dims.size()) + 1;
        std::vector<bool> seen(static_cast<std::size_t>(rank), false);
        bool fine = problems_.errors() == errors;
        for (const std::int64_t a : order) {
            fine = fine && a < rank && !seen[static_cast<std::size_t>(a)];
            if (fine) seen[static_cast<std::size_t>(a)] = true;
        }
        for (std::int64_t a = 0; fine && a < rank; ++a)
            if (!seen[static_cast<std::size_t>(a)]) order.push_back(a);
        if (!fine || order.empty() || order[0] != 0) {
            f.error("order", "The order of the axes names each once, and the batch (0) first.",
                    "Write for example order: [0, 2, 3, 1].");
            return put_broken(l);
        }
        CaffeDims out;
        for (std::size_t i = 1; i < order.size(); ++i) out.push_back(dims[static_cast<std::size_t>(order[i]) - 1]);
        become_unknown(l, out, in1(in));
    }

    void crop(const CaffeLayer& l, const std::vector<const Blob*>& in, const CaffeDims& dims) {
        auto f = fields_of(l, "crop_param");
        const auto axis = axis_of(f, "axis", 2, dims.size());
        if (in.size() != 2 || in[1]->dims.size() != dims.size() || axis < 1)
            return error_at(l, "A Crop reads a tensor and one whose size it is cut to, with as many dimensions.",
                            "Correct its bottoms.");
        CaffeDims out = dims;
        for (auto a = static_cast<std::size_t>(axis) - 1; a < dims.size(); ++a) {
            out[a] = in[1]->dims[a];
            if (out[a] > dims[a])
                return error_at(
                    l,
                    "It cannot cut " + to_text(ours_of(dims)) + " to the larger " + to_text(ours_of(in[1]->dims)) + ".",
                    "Correct its bottoms, or the padding before it.");
        }
        become_unknown(l, out, in1(in));
    }

    void regions(const CaffeLayer& l, const std::vector<const Blob*>&, const CaffeDims&) {
        error_at(l, "The layer makes several samples of each image, one for each region; how many stands in no layer.",
                 "Give the network up to this layer, and the one behind it with an Input of one region, apart.");
    }

    // --- what was chosen, said once for all ---

    static std::string names(const std::vector<std::string>& all) {
        constexpr std::size_t most = 6;
        std::string text;
        for (std::size_t i = 0; i < all.size() && i < most; ++i) text += (i > 0 ? ", " : "") + quoted(all[i]);
        if (all.size() > most) text += " and " + std::to_string(all.size() - most) + " more";
        return text;
    }

    void say_what_was_chosen() {
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
            say(start, "Left out as labels: " + names(labels_) + "; they cost next to nothing.",
                "Nothing needs to be done.");
        if (!measures_.empty())
            say(start, "Left out: " + names(measures_) + "; they only measure, and nothing is learned from them.",
                "Nothing needs to be done.");
        if (!sides_.empty())
            say(start, "Left out: " + names(sides_) + "; they depend on sizes or labels alone.",
                "Nothing needs to be done.");
        if (!frozen_.empty())
            say(start,
                "The file keeps the weights of " + names(frozen_) + " as they are (lr_mult: 0); here they learn.",
                "Freeze these layers in the training to price them so.");
        if (first_sharer_ && twice_.ok())
            say(first_sharer_->field.name_at(),
                std::to_string(sharers_) + (sharers_ == 1 ? " layer shares its" : " layers share their") +
                    " weights with another by name; here each layer has its own, " + std::to_string(twice_.value()) +
                    " parameters too many.",
                "Read the memory and the messages of the gradients with that in mind.");
    }

    std::string where(const CaffeLayer& l) const { return join_path("layers", l.name.empty() ? l.type : l.name); }
    void error(const CaffeLayer& l, std::string what, std::string remedy) {
        problems_.error(l.field.name_at(), where(l), std::move(what), std::move(remedy));
    }
    void warning(const CaffeLayer& l, std::string what, std::string remedy) {
        problems_.warning(l.field.name_at(), where(l), std::move(what), std::move(remedy));
    }

    const CaffeNet& net_;
    ProblemList& problems_;
    const Watch& watch_;
    DraftBuilder build_;
    std::unordered_map<std::string, Blob> blobs_;
    std::unordered_set<std::string> targets_, used_, shared_;
    std::optional<std::int64_t> batch_;
    std::vector<std::string> labels_, measures_, sides_, frozen_;
    std::size_t now_ = 0;                           ///< the layer being converted
    std::unordered_set<const CaffeLayer*> scaled_;  ///< Scale layers that are part of the normalization before them
    const CaffeLayer* first_sharer_ = nullptr;
    int sharers_ = 0;
    Checked twice_ = 0;
};

}  // namespace

bool is_caffe_network(std::string_view text) { return looks_like_prototxt(text); }

Result<NetworkDraft> import_caffe_network(std::string_view text, std::string file, Problems* warnings,
                                          const Watch& watch) {
    constexpr double parsing = 0.7;  // of the time
    const auto document = parse_prototxt(text, file, {watch.progress.part(0, parsing), watch.cancel});
    if (!document) return tl::unexpected(document.error());
    ProblemList problems;
    const auto net = read_caffe_net(*document, problems);
    if (!net) return fail(problems.take());
    auto draft = CaffeConverter(*net, problems, {watch.progress.part(parsing, 1), watch.cancel}).convert(file);
    if (!draft) return fail(problems.take());
    if (warnings)
        for (Problem& p : problems.take()) warnings->push_back(std::move(p));
    return std::move(*draft);
}

}  // namespace scalescope::formats
