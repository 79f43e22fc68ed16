// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "core/base/watch.hpp"
#include "core/formats/draft_builder.hpp"
#include "core/formats/json_decoder.hpp"
#include "core/formats/keras/model.hpp"

/// The config of a Keras layer. Keras renamed most of its fields once; every getter takes all the names a field had,
/// and reads the first that is there and not null.
namespace scalescope::formats {

struct KerasTensor;

/// What a reader returns that has reported a problem: nothing.
struct KerasNothing {
    operator std::vector<KerasTensor>() const;
    template <class T>
    operator std::optional<T>() const {
        return std::nullopt;
    }
};

class KerasFields {
public:
    using Names = std::initializer_list<std::string_view>;
    using Sizes = std::vector<std::int64_t>;

    KerasFields(JsonValue config, std::string path, ProblemList& problems)
        : config_(config), path_(std::move(path)), problems_(problems), errors_(problems.errors()) {}

    JsonValue value() const { return config_; }
    const std::string& path() const { return path_; }
    std::optional<JsonValue> find(Names names) const;
    bool has(Names names) const { return find(names).has_value(); }

    bool flag(Names names, bool otherwise);
    std::string_view word(Names names, std::string_view otherwise);
    double number(Names names, double otherwise, double low, double high);
    /// From `low` on; 0 if it is missing or wrong, which is reported.
    std::int64_t count(Names names, std::int64_t low = 1);
    std::int64_t integer(Names names, std::int64_t otherwise, std::int64_t low, std::int64_t high);
    /// One number for each of `n` axes, or one for all of them; empty if it is missing. What is wrong is reported.
    Sizes sizes(Names names, std::size_t n, std::int64_t low = 1);
    /// A list of any length, or a number as a list of one.
    Sizes list(Names names, std::int64_t low, std::int64_t high);

    KerasNothing error(std::string what, std::string remedy);
    KerasNothing error(JsonValue at, std::string what, std::string remedy);
    /// Whether a getter reported something.
    bool failed() const { return problems_.errors() > errors_; }

private:
    std::optional<std::int64_t> whole(JsonValue value, std::int64_t low, std::int64_t high);

    JsonValue config_;
    std::string path_;
    ProblemList& problems_;
    std::size_t errors_;
};

/// A number a program may have written with a fraction of zero: 3.0.
std::optional<std::int64_t> whole_number(JsonValue value);

// What the readers of the families of Keras's layers share: tensors, and one call of one layer.

/// In Keras's order of the axes, without the batch.
using KerasDims = std::vector<std::int64_t>;

struct KerasTensor {
    std::size_t layer = 0;  ///< of the draft, that made it
    KerasDims dims;
    bool first = false;  ///< the channels are its first axis in Keras, while they are the last one in this program
    std::vector<std::string>
        symbols{};  ///< of the axes whose size the file leaves open, by their place; may be shorter

    /// Its axes that have the size of `other`'s at the same place are as open as those.
    void follow(const KerasTensor& other);
    /// Its shape as an attribute says it: in this program's order, the batch first, open sizes by their symbols.
    std::vector<Dim> attribute() const;
};
using KerasTensors = std::vector<KerasTensor>;
inline KerasNothing::operator KerasTensors() const { return {}; }

/// A shape of this program for these dimensions, and back.
Shape shape_of_keras(const KerasDims& dims, bool first);
KerasDims keras_dims_of(const Shape& shape, bool first);

/// The permutation, as an attribute says it, that gives a tensor the axes `order` of Keras's, with the channels first
/// or not before and after.
std::vector<std::int64_t> permutation_of(const std::vector<std::size_t>& order, bool from_first, bool to_first);

/// What is said once for all layers.
struct KerasNotes {
    std::vector<std::string> frozen;      ///< layers with "trainable": false and weights
    std::vector<std::string> data_types;  ///< other than float32
    std::vector<std::string> same_shape;  ///< of unknown kind, whose output was assumed to be like their input
    std::vector<std::string> layouts;     ///< read the channels elsewhere than they were
    std::vector<std::string> assumed;     ///< open dimensions and what they were taken as
    std::vector<std::string> differs;     ///< computed shapes that are not those the file states
};

/// What all layers of a file are built with.
struct KerasBuild {
    ProblemList& problems;
    DraftBuilder draft;
    KerasNotes notes;
    bool first = false;                 ///< most of the file's layers have the channels first
    std::optional<std::int64_t> batch;  ///< as an input states it
    std::size_t calls = 0;              ///< of layers so far, those of models within models too
    Watch watch;
    /// What layers with weights a layer first became, by where its object stands in the text.
    std::unordered_map<const char*, std::vector<std::size_t>> made{};
    bool over_time = false;  ///< every layer happens at each step of a sequence: in TimeDistributed's model
};

/// One call of one layer: what its family's reader gets and makes.
class KerasUse {
public:
    KerasUse(KerasBuild& build, const KerasLayer& layer, std::string prefix, KerasTensors inputs,
             const KerasCall* call);

    KerasBuild& build;
    const KerasLayer& layer;
    const std::string prefix;  ///< names of the models it is in, each with a '/'
    KerasTensors inputs;
    const KerasCall* call;     ///< null in a sequential model
    std::int64_t results = 1;  ///< so many of its results are read by others
    bool over_time = false;    ///< in a TimeDistributed: the first axis is time, and the layer happens at every step
    std::optional<KerasDims> stated;  ///< shape of its first result as the file states it
    KerasFields fields;

    std::string where() const { return join_path("layers", prefix + std::string(layer.name)); }

    /// Adds a layer called after this one, with `part` behind it where one layer of Keras becomes several. Its tensor
    /// is laid out like the first input. Nothing if the kind refuses it, which is reported.
    std::optional<KerasTensor> add(std::string_view kind, const DraftBuilder::Givens& given, const KerasTensors& from,
                                   std::string_view part = {});
    /// The same for a layer whose result has `dims`, which Keras orders so.
    std::optional<KerasTensor> add_as(std::string_view kind, const DraftBuilder::Givens& given,
                                      const KerasTensors& from, bool first, std::string_view part = {});
    /// As this program has no kind for it, priced by its bytes; its `weights` are a trained tensor that it reads.
    std::optional<KerasTensor> unknown(const KerasDims& dims, std::int64_t weights = 0, std::string_view part = {});

    /// The tensor with its channels where a layer looks for them; moved there if they are not.
    std::optional<KerasTensor> arranged(const KerasTensor& tensor, bool first);
    /// The same elements as other dimensions; nothing moves.
    std::optional<KerasTensor> view(const KerasTensor& tensor, const KerasDims& dims, bool first,
                                    std::string_view part);

    KerasNothing error(std::string what, std::string remedy);
    void warning(std::string what, std::string remedy);
    SourcePosition at() const { return layer.at.at(); }

private:
    bool owns_or_shares(std::size_t position);
    std::optional<KerasTensor> trained_tensor(std::int64_t weights);

    std::size_t weighted_ = 0;  ///< layers with weights it has become so far
};

/// A result alone, or no result.
KerasTensors only(std::optional<KerasTensor> tensor);

/// Classes of layers that are made alike. `make` returns a tensor for each result, or none after it reported why.
struct KerasType {
    std::string_view names;  ///< of the classes, separated by spaces
    KerasTensors (*make)(KerasUse&);
    /// Acts alike at every position, or knows of `over_time`: TimeDistributed asks for nothing else.
    bool anywhere = false;
    int least_inputs = 1;
};

std::span<const KerasType> keras_convolution_types(), keras_pooling_types(), keras_dense_types(),
    keras_recurrent_types(), keras_merge_types(), keras_normalization_types(), keras_activation_types(),
    keras_shape_types(), keras_attention_types(), keras_wrapper_types();
const KerasType* find_keras_type(std::string_view name);

/// One call of a layer of any class, a model within a model included. The result has a tensor for each of its results,
/// or none after a problem.
KerasTensors convert_keras_call(KerasUse& use);

/// All layers of a model. It reads `given`; without, what its own inputs say. Returns its results, or none after a
/// problem.
KerasTensors convert_keras_model(KerasBuild& build, const KerasLayer& model, const std::string& prefix,
                                 const KerasTensors& given);

// Where data enter a Keras model: shapes that may leave the batch and other dimensions open.

/// The shape a layer states for its input, the batch first: batch_input_shape, batch_shape, or by Keras 1 input_dim.
std::optional<JsonValue> stated_input_shape(const KerasLayer& layer);

/// An input layer called `name` of the stated shape. `length` is what an open sequence is taken to have, if the file
/// has a hint of it. Open dimensions are noted.
std::optional<KerasTensor> keras_input(KerasUse& use, JsonValue shape, std::optional<std::int64_t> length);

/// A length the rest of the model has for the sequences of the input called `name`.
std::optional<std::int64_t> length_hint(const KerasModel& model, std::string_view name);

// The activation that most of Keras's layers have beside their own work.

/// Of the field "activation" what a convolution or a dense layer does in place, "none" if it is another.
std::string fused_activation_of(KerasUse& use);

/// With the activation the layer did not do in place, if there is one, as a layer behind it.
std::optional<KerasTensor> activated(KerasUse& use, const KerasTensor& tensor);

/// A function by the name Keras has for it.
std::optional<KerasTensor> apply_activation(KerasUse& use, const KerasTensor& tensor, std::string_view word,
                                            std::string_view part);

// Joining tensors, as the merging layers and the wrapper for both directions do it.

/// All inputs of the layer, element by element; repeated along axes of one where they differ. `operation` is one of
/// kind elementwise.
KerasTensors merged(KerasUse& use, const std::string& operation, std::string_view part = {});

/// Side by side along Keras's `axis`: the batch is 0, and -1 the last.
KerasTensors concatenated(KerasUse& use, std::int64_t axis, std::string_view part = {});

/// Of two inputs along one axis of each.
KerasTensors dot_product(KerasUse& use, const std::vector<std::int64_t>& axes);

/// Of a layer that nothing is known of, but what the file states of its result; else it is assumed to be like the
/// input, which is noted.
KerasTensors unknown_result(KerasUse& use);

// What convolutions and poolings of one, two and three axes have in common.

/// Of the class's name: 2 for "Conv2D"; 0 if it has none.
std::size_t keras_axes(std::string_view type);

/// Whether the layer's data have the channels first: what it says, else what most layers of the file say.
bool keras_channels_first(KerasUse& use);

/// How a window is padded; reports a word that is none of `known`.
std::string_view keras_padding(KerasUse& use, std::string_view known);

/// A window that moves along the axes of an image, a sequence or a volume.
struct KerasWindow {
    std::vector<std::int64_t> kernel, stride, dilation;
    std::string_view padding;  ///< "valid", "same", "causal" or "full"

    /// Along `axis`, of an input of `in`; at most 0 if the window does not fit.
    std::int64_t out(std::size_t axis, std::int64_t in) const;
    /// Our attribute for it.
    Padding padded() const;
};

/// Sizes along the axes of the class, with 1 for the steps of a TimeDistributed before them.
std::vector<std::int64_t> with_time(const KerasUse& use, std::vector<std::int64_t> sizes);

/// Whether the input has as many axes as the class says, and the channels; else it is reported.
bool has_axes(KerasUse& use, const KerasTensor& tensor, std::size_t axes);

}  // namespace scalescope::formats
