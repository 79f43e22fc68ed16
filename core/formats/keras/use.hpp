// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/watch.hpp"
#include "core/formats/draft_builder.hpp"
#include "core/formats/keras/fields.hpp"
#include "core/formats/keras/model.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

/// What the readers of the families of Keras's layers share: tensors, and one call of one layer.
namespace scalescope::formats {

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

    void error(std::string what, std::string remedy);
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
    keras_shape_types(), keras_attention_types(), keras_wrapper_types(), keras_operation_types();
const KerasType* find_keras_type(std::string_view name);

/// One call of a layer of any class, a model within a model included. The result has a tensor for each of its results,
/// or none after a problem.
KerasTensors convert_keras_call(KerasUse& use);

/// All layers of a model. It reads `given`; without, what its own inputs say. Returns its results, or none after a
/// problem.
KerasTensors convert_keras_model(KerasBuild& build, const KerasLayer& model, const std::string& prefix,
                                 const KerasTensors& given);

}  // namespace scalescope::formats
