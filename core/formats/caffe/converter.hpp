// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/base/checked.hpp"
#include "core/base/limits.hpp"
#include "core/base/watch.hpp"
#include "core/formats/caffe/net.hpp"
#include "core/formats/draft_builder.hpp"
#include "core/formats/json_decoder.hpp"
#include "core/formats/prototxt.hpp"

/// Reads one parameter block of a layer, such as convolution_param. Every getter is silent when the field is missing,
/// and reports with its position a value that cannot be used.
namespace scalescope::formats {

class CaffeFields {
public:
    CaffeFields(ProtoField layer, std::string_view block, std::string where, ProblemList& problems);

    bool written() const { return block_.has_value(); }
    std::optional<std::int64_t> integer(std::string_view name, std::int64_t low, std::int64_t high);
    std::optional<double> number(std::string_view name);
    bool boolean(std::string_view name, bool initial);
    std::string_view word(std::string_view name);  ///< with or without quotes; empty if missing
    std::vector<std::int64_t> integers(std::string_view name, std::int64_t low, std::int64_t high);
    /// Height and width: `NAME_h` and `NAME_w`, or `both` once or twice. Nothing if neither is written.
    std::optional<std::array<std::int64_t, 2>> sizes(std::string_view both, std::string_view h, std::string_view w,
                                                     std::int64_t low);
    /// The first field called so; one that stands twice is reported.
    std::optional<ProtoField> single(std::string_view name);
    /// Warns of fields that are none of `known`: most are slips of the pen.
    void expect_only(std::initializer_list<std::string_view> known);
    void error(std::string_view name, std::string what, std::string remedy);

private:
    std::optional<std::int64_t> whole(ProtoField f, std::int64_t low, std::int64_t high);

    std::optional<ProtoField> block_;
    ProtoField layer_;
    std::string where_;
    ProblemList& problems_;
};

// Makes a draft of a Caffe net, layer by layer. Types of layers stand in files by family: windows, elements,
// tensors; sources has the data.

/// Caffe's order: channels first, without the batch. A shape of this program has the channels last.
using CaffeDims = std::vector<std::int64_t>;
Shape ours_of(const CaffeDims& dims);
CaffeDims theirs_of(const Shape& shape);

/// What stands under a name between two layers.
struct CaffeBlob {
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

    std::optional<NetworkDraft> convert(const std::string& file);

    using Givens = DraftBuilder::Givens;
    using Blob = CaffeBlob;
    using Blobs = std::vector<const Blob*>;  ///< they point into blobs_, which a layer may write

    // --- what becomes of a layer ---

    /// The layer `l` as one of this program, which makes the first top of `l`.
    void become(const CaffeLayer& l, std::string_view kind, const Givens& given, const Blobs& inputs);
    /// A layer of no kind here, priced by the bytes it moves.
    void become_unknown(const CaffeLayer& l, const CaffeDims& dims, const Blobs& inputs);
    void pass_on(const CaffeLayer& l, const Blob& blob);
    /// Another view of the same bytes.
    void view(const CaffeLayer& l, const Blob& in, const CaffeDims& dims);
    /// The layer makes other samples of the ones it reads: many of one (only data can be read so), or one of many.
    void other_samples(const CaffeLayer& l, const Blob& in, std::int64_t samples, const CaffeDims& out);
    void put(const std::string& top, Blob blob) {
        blobs_[top] = std::move(blob);
        made_ = true;
    }

    // --- layers of the draft ---

    std::optional<std::size_t> add(std::string name, SourcePosition at, std::string_view kind, const Givens& given,
                                   const Blobs& inputs);
    /// A layer that `l` needs besides, called after it with `part` behind.
    std::optional<std::size_t> add_beside(const CaffeLayer& l, const char* part, std::string_view kind,
                                          const Givens& given, const Blobs& inputs);
    /// Caffe lets layers share a name or have none.
    std::string unique_name(std::string name, const CaffeLayer& l) {
        return build_.unique_name(std::move(name), l.type);
    }
    const Shape& shape(std::size_t layer) const { return build_.shape(layer); }
    static std::vector<Dim> shape_value(const CaffeDims& dims) { return batch_of(ours_of(dims)); }

    // --- what a layer says ---

    CaffeFields fields_of(const CaffeLayer& l, std::string_view block);
    /// Reports a layer that works along another axis than the channels.
    bool over_channels(CaffeFields& fields, std::size_t rank);
    /// An axis as Caffe counts, batch being 0; negative ones count from the end.
    std::int64_t axis_of(CaffeFields& fields, std::string_view name, std::int64_t initial, std::size_t rank);
    /// The same as this program counts it: channels last.
    static std::int64_t our_axis(std::int64_t axis) { return axis == 1 ? -1 : axis - 1; }
    std::int64_t batch() const { return batch_.value_or(1); }
    /// Caffe's BatchNorm only normalizes and has no weights to learn; the Scale behind it has them, and both together
    /// are one layer here. True if a Scale with a bias is the next to read what `l` makes, and nothing else reads it
    /// before it is scaled.
    bool learns_behind(const CaffeLayer& l);
    /// A Scale that is part of the normalization before it.
    bool is_scaled(const CaffeLayer& l) const { return scaled_.count(&l) > 0; }

    // --- problems ---

    ProblemList& problems() { return problems_; }
    /// Whether something is wrong with the layer at hand. A layer that then makes nothing leaves its tops broken.
    bool failed() const { return problems_.errors() > errors_before_; }
    std::string where(const CaffeLayer& l) const { return join_path("layers", l.name.empty() ? l.type : l.name); }
    void error(const CaffeLayer& l, std::string what, std::string remedy) {
        problems_.error(l.field.name_at(), where(l), std::move(what), std::move(remedy));
    }
    void warning(const CaffeLayer& l, std::string what, std::string remedy) {
        problems_.warning(l.field.name_at(), where(l), std::move(what), std::move(remedy));
    }

private:
    /// A name that only losses and measures read, as what to compare with, carries labels.
    void find_targets();
    bool is_target(const std::string& blob) const { return targets_.count(blob) > 0 && used_.count(blob) == 0; }
    static bool is_loss(const CaffeLayer& l) { return l.type.find("Loss") != std::string::npos; }
    static bool is_measure(const CaffeLayer& l);
    void put_broken(const CaffeLayer& l);
    void put_side(const std::string& top) { put(top, Blob{Blob::State::side, 0, {}, 1}); }
    /// Layers that give their weights the same names share them.
    void count_weights(const CaffeLayer& l, std::size_t position);

    void set_batch(const CaffeDims& with_batch);
    void add_data(const std::string& top, const std::string& name, const SourcePosition& at,
                  const CaffeDims& with_batch);
    void add_label(const std::string& top);
    void add_given(const CaffeInput& input);
    void source(const CaffeLayer& l);
    static std::string input_like(const std::string& top);
    void no_size(const CaffeLayer& l, const std::string& top);

    void convert_layer(std::size_t i);
    void missing(const CaffeLayer& l, const std::string& bottom);
    /// Samples were joined: such a layer works on a part of a sample each, which has no kind here.
    void after_joining(const CaffeLayer& l, const Blobs& inputs);
    void dispatch(const CaffeLayer& l, const Blobs& in, const CaffeDims& dims);
    void other(const CaffeLayer& l, const Blobs& in, const CaffeDims& dims);
    void say_what_was_chosen();

    const CaffeNet& net_;
    ProblemList& problems_;
    const Watch& watch_;
    DraftBuilder build_;
    std::unordered_map<std::string, Blob> blobs_;
    std::unordered_set<std::string> targets_, used_;
    std::unordered_map<std::string, std::size_t> weights_;  ///< position of the layer that first gave weights a name
    std::optional<std::int64_t> batch_;
    std::vector<std::string> labels_, measures_, sides_, frozen_;
    std::size_t now_ = 0;                           ///< the layer being converted
    std::size_t errors_before_ = 0;                 ///< that layer
    bool made_ = false;                             ///< something by that layer
    std::unordered_set<const CaffeLayer*> scaled_;  ///< Scale layers that are part of the normalization before them
    const CaffeLayer* first_sharer_ = nullptr;
    int sharers_ = 0;
    Checked twice_ = 0;
};

/// Types of layers that are converted alike: their names, separated by spaces. `dims` are those of the first input.
struct CaffeType {
    std::string_view names;
    void (*convert)(CaffeConverter& converter, const CaffeLayer& layer, const CaffeConverter::Blobs& in,
                    const CaffeDims& dims);
};
/// The families, one file each.
std::span<const CaffeType> caffe_window_types();
std::span<const CaffeType> caffe_element_types();
std::span<const CaffeType> caffe_tensor_types();

/// Only the first input counts: the other inputs are not computed in the step.
inline CaffeConverter::Blobs in1(const CaffeConverter::Blobs& in) { return {in[0]}; }

}  // namespace scalescope::formats
