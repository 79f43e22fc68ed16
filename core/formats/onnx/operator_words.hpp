// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

#include "core/formats/onnx/family_table.hpp"

namespace scalescope::formats::onnx {

/// A word that an attribute of our layers has, and the operators of ONNX that do this, separated by spaces. The first
/// is the one that is written.
struct OperatorWord {
    std::string_view word, ops;
};

/// The attribute "function" of activations.
inline constexpr OperatorWord function_words[] = {
    {"relu", "Relu ThresholdedRelu"},
    {"leaky_relu", "LeakyRelu QLinearLeakyRelu"},
    {"elu", "Elu"},
    {"celu", "Celu"},
    {"selu", "Selu"},
    {"sigmoid", "Sigmoid QLinearSigmoid"},
    {"hard_sigmoid", "HardSigmoid"},
    {"hard_swish", "HardSwish"},
    {"tanh", "Tanh"},
    {"softplus", "Softplus"},
    {"softsign", "Softsign"},
    {"gelu", "Gelu FastGelu BiasGelu QuickGelu"},
    {"mish", "Mish"},
    {"silu", "Swish"},
    {"exp", "Exp"},
    {"log", "Log"},
    {"sqrt", "Sqrt"},
    {"erf", "Erf"},
    {"abs", "Abs"},
    {"sin", "Sin"},
    {"cos", "Cos"},
    {"hard_tanh", "Clip Shrink"},
    {"linear", "Neg Trilu"},
};

/// The attribute "operation" of elementwise layers.
inline constexpr OperatorWord operation_words[] = {
    {"add", "Add Sum QLinearAdd"},
    {"subtract", "Sub"},
    {"multiply", "Mul QLinearMul"},
    {"divide", "Div"},
    {"maximum", "Max"},
    {"minimum", "Min"},
    {"mean", "Mean"},
    {"power", "Pow"},
};

/// The attribute "operation" of reductions.
inline constexpr OperatorWord reduction_words[] = {
    {"sum", "ReduceSum"},
    {"max", "ReduceMax"},
    {"min", "ReduceMin"},
    {"mean", "ReduceMean"},
    {"product", "ReduceProd"},
    {"l1", "ReduceL1"},
    {"l2", "ReduceL2"},
    {"sum_square", "ReduceSumSquare"},
    {"log_sum_exp", "ReduceLogSumExp ReduceLogSum"},
};

inline std::string_view word_of(std::span<const OperatorWord> words, std::string_view op,
                                std::string_view otherwise = {}) {
    for (const OperatorWord& w : words)
        if (is_among(op, w.ops)) return w.word;
    return otherwise;
}

/// Empty: there is none.
inline std::string_view operator_of(std::span<const OperatorWord> words, std::string_view word) {
    for (const OperatorWord& w : words)
        if (w.word == word) return w.ops.substr(0, w.ops.find(' '));
    return {};
}

}  // namespace scalescope::formats::onnx
