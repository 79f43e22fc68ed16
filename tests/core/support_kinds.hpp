// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtTest>

#include "core/network/network.hpp"
#include "support_networks.hpp"

/// For the tests that work out a family of layer kinds by hand (tst_kinds_*.cpp).
namespace support {

inline const scalescope::LayerFacts& last(const NetworkPtr& n) { return n->facts().back(); }

/// Shape, parameters and multiply-adds of the last layer.
inline void check(Builder& b, const scalescope::Shape& output, std::int64_t weights, std::int64_t multiply_adds) {
    const auto n = b.make();
    QCOMPARE(QString::fromStdString(scalescope::to_text(last(n).output)),
             QString::fromStdString(scalescope::to_text(output)));
    QCOMPARE(last(n).weights, weights);
    QCOMPARE(last(n).multiply_adds, multiply_adds);
    QCOMPARE(last(n).out_elements, scalescope::elements(output));
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
