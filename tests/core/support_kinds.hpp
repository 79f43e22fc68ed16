// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtTest>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "core/network/network.hpp"
#include "support_networks.hpp"

/// For the tests that work out a family of layer kinds by hand (tst_kinds_*.cpp).
namespace support {

inline const scalescope::LayerFacts& last(const NetworkPtr& n) { return n->facts().back(); }

/// Which program works out which kinds; a test demands that they are all of them.
inline const std::map<std::string_view, std::vector<std::string_view>> kind_families{
    {"arranging",
     {"parameter", "constant", "identity", "flatten", "reshape", "concat", "slice", "transpose", "gather", "scatter",
      "pad", "expand", "space_to_depth", "depth_to_space", "reduce", "argmax", "top_k", "sort", "cumulative_sum"}},
    {"elements",
     {"activation", "dropout", "batch_norm", "lrn", "l2_normalize", "layer_norm", "rms_norm", "group_norm",
      "instance_norm", "scale", "softmax", "log_softmax", "cross_entropy", "loss", "add", "elementwise", "glu"}},
    {"sequences",
     {"dense", "matmul", "einsum", "attention", "embedding", "rotary", "rnn", "lstm", "gru", "conv_lstm",
      "mixture_of_experts"}},
    {"windows",
     {"convolution", "transposed_convolution", "pooling", "global_pooling", "adaptive_pooling", "upsample", "resize"}}};

/// Names of the kinds that a program has worked out so far.
inline std::set<std::string_view>& worked_out() {
    static std::set<std::string_view> names;
    return names;
}

/// Shape, parameters and multiply-adds of the last layer.
inline void check(Builder& b, const scalescope::Shape& output, std::int64_t weights, std::int64_t multiply_adds) {
    const auto n = b.make();
    worked_out().insert(n->layers().back().kind->name);
    QCOMPARE(QString::fromStdString(scalescope::to_text(last(n).output)),
             QString::fromStdString(scalescope::to_text(output)));
    QCOMPARE(last(n).weights, weights);
    QCOMPARE(last(n).multiply_adds, multiply_adds);
    QCOMPARE(last(n).out_elements, scalescope::elements(output));
}

/// After all others of a program.
inline void require_worked_out(std::string_view family) {
    for (const auto name : kind_families.at(family)) QVERIFY2(worked_out().contains(name), std::string(name).c_str());
}

inline bool same(const scalescope::Traffic& a, const scalescope::Traffic& b) {
    return a.inputs == b.inputs && a.outputs == b.outputs && a.weights == b.weights && a.own == b.own;
}

/// Text of the first problem, or empty.
inline QString problem(const scalescope::NetworkDraft& draft) {
    const auto n = Network::make(draft);
    return n ? QString() : QString::fromStdString(scalescope::to_text(n.error().front()));
}

}  // namespace support
