// SPDX-License-Identifier: GPL-3.0-or-later
// Products with a matrix, the tables of embeddings, and what Keras 1 had beside them.
#include "core/base/checked.hpp"
#include "core/base/limits.hpp"
#include "core/formats/keras/use.hpp"

namespace scalescope::formats {
namespace {

bool with_bias(KerasUse& use) { return use.fields.flag({"use_bias", "bias"}, true); }

/// Acts on Keras's last axis, at every position before it.
KerasTensors keras_dense(KerasUse& use) {
    const std::int64_t units = use.fields.count({"units", "output_dim"});
    const bool bias = with_bias(use);
    if (use.fields.failed()) return {};
    const auto in = use.arranged(use.inputs[0], false);
    if (!in) return {};
    const auto out = use.add("dense",
                             {{"units", units},
                              {"bias", bias},
                              {"activation", fused_activation_of(use)},
                              {"per_position", in->dims.size() > 1}},
                             {*in});
    return only(out ? activated(use, *out) : out);
}

KerasTensors keras_embedding(KerasUse& use) {
    const std::int64_t vocabulary = use.fields.count({"input_dim"}), width = use.fields.count({"output_dim"});
    if (use.fields.failed()) return {};
    const auto in = use.arranged(use.inputs[0], false);
    if (!in) return {};
    return only(use.add("embedding", {{"vocabulary", vocabulary}, {"width", width}}, {*in}));
}

/// The largest of several products (Keras 1).
KerasTensors keras_maxout(KerasUse& use) {
    const std::int64_t units = use.fields.count({"output_dim"}),
                       features = use.fields.integer({"nb_feature"}, 4, 1, limits::dimension);
    const bool bias = with_bias(use);
    const Checked all = Checked(units) * features;
    if (use.fields.failed()) return {};
    if (!all.ok()) return use.error("The outputs are too many to count.", "Correct output_dim or nb_feature.");
    const auto product = use.add("dense", {{"units", all.value()}, {"bias", bias}}, {use.inputs[0]}, "products");
    if (!product) return {};
    const auto apart = use.view(*product, {features, units}, false, "apart");
    if (!apart) return {};
    return only(use.add("reduce", {{"operation", "max"}, {"axes", std::vector<std::int64_t>{1}}}, {*apart}, "largest"));
}

/// Two products as wide as the input, one of which gates the other (Keras 1).
KerasTensors keras_highway(KerasUse& use) {
    const KerasTensor in = use.inputs[0];
    const bool bias = with_bias(use);
    if (use.fields.failed() || in.dims.empty()) return {};
    const std::int64_t units = in.dims.back();
    const auto gate = use.add("dense", {{"units", units}, {"bias", bias}, {"activation", "sigmoid"}}, {in}, "gate");
    const auto carry =
        gate ? use.add("dense", {{"units", units}, {"bias", bias}, {"activation", fused_activation_of(use)}}, {in},
                       "transform")
             : gate;
    return only(carry ? use.add("unknown", {{"type", std::string(use.layer.type)}}, {*carry, *gate, in}) : carry);
}

constexpr KerasType dense_types[] = {
    {"Dense TimeDistributedDense", keras_dense, true},
    {"Embedding", keras_embedding, true},
    {"MaxoutDense", keras_maxout},
    {"Highway", keras_highway},
};

}  // namespace

std::span<const KerasType> keras_dense_types() { return dense_types; }

}  // namespace scalescope::formats
