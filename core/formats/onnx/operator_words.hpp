// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/formats/word_table.hpp"

namespace scalescope::formats::onnx {

// Operators of ONNX by the words that attributes of our layers have for what they do. The first of several is the one
// that is written.

/// The attribute "function" of activations.
inline constexpr WordRow function_words[] = {
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
inline constexpr WordRow operation_words[] = {
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
inline constexpr WordRow reduction_words[] = {
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

}  // namespace scalescope::formats::onnx
