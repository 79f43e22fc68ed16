// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cassert>

#include "core/network/kinds/kinds.hpp"

namespace scalescope {
namespace {

/// The one list of layer kinds: a new kind is a file beside this one and a row here.
constexpr std::array table{&kinds::input,
                           &kinds::convolution,
                           &kinds::transposed_convolution,
                           &kinds::pooling,
                           &kinds::global_pooling,
                           &kinds::dense,
                           &kinds::batch_norm,
                           &kinds::lrn,
                           &kinds::activation,
                           &kinds::dropout,
                           &kinds::softmax,
                           &kinds::concat,
                           &kinds::add,
                           &kinds::flatten,
                           &kinds::reshape,
                           &kinds::upsample,
                           &kinds::unknown,
                           &kinds::parameter,
                           &kinds::matmul,
                           &kinds::attention,
                           &kinds::embedding,
                           &kinds::layer_norm,
                           &kinds::rms_norm,
                           &kinds::group_norm,
                           &kinds::instance_norm,
                           &kinds::scale,
                           &kinds::glu,
                           &kinds::elementwise,
                           &kinds::cross_entropy,
                           &kinds::rnn,
                           &kinds::lstm,
                           &kinds::gru,
                           &kinds::mixture_of_experts,
                           &kinds::constant,
                           &kinds::identity,
                           &kinds::adaptive_pooling,
                           &kinds::resize,
                           &kinds::log_softmax,
                           &kinds::einsum,
                           &kinds::rotary,
                           &kinds::l2_normalize,
                           &kinds::loss,
                           &kinds::slice,
                           &kinds::transpose,
                           &kinds::gather,
                           &kinds::pad,
                           &kinds::expand,
                           &kinds::space_to_depth,
                           &kinds::depth_to_space,
                           &kinds::reduce,
                           &kinds::argmax,
                           &kinds::top_k,
                           &kinds::sort,
                           &kinds::cumulative_sum,
                           &kinds::conv_lstm,
                           &kinds::scatter};

}  // namespace

std::span<const Kind* const> all_kinds() { return table; }

const Kind* find_kind(std::string_view name) {
    auto it = std::find_if(table.begin(), table.end(), [&](const Kind* k) { return k->name == name; });
    return it == table.end() ? nullptr : *it;
}

const AttributeValue& attribute(const Layer& layer, std::string_view name) {
    const auto infos = layer.kind->attributes;
    auto it = std::find_if(infos.begin(), infos.end(), [&](const AttributeInfo& a) { return a.name == name; });
    assert(it != infos.end());
    return layer.attributes[static_cast<std::size_t>(it - infos.begin())];
}

}  // namespace scalescope
