// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <cassert>

#include "core/network/kinds/kinds.hpp"

namespace scalescope {
namespace {

template <class... Kinds>
constexpr auto pointers_to(const Kinds&... kinds) {
    return std::array{&kinds...};
}

/// The one list of layer kinds: a new kind is a file beside this one and a row here.
constexpr std::array table = [] {
    using namespace kinds;
    return pointers_to(input, convolution, transposed_convolution, pooling, global_pooling, dense, batch_norm, lrn,
                       activation, dropout, softmax, concat, add, flatten, reshape, upsample, unknown, parameter,
                       matmul, attention, embedding, layer_norm, rms_norm, group_norm, instance_norm, scale, glu,
                       elementwise, cross_entropy, rnn, lstm, gru, mixture_of_experts, constant, identity,
                       adaptive_pooling, resize, log_softmax, einsum, rotary, l2_normalize, loss, slice, transpose,
                       gather, pad, expand, space_to_depth, depth_to_space, reduce, argmax, top_k, sort, cumulative_sum,
                       conv_lstm, scatter);
}();

}  // namespace

std::span<const Kind* const> all_kinds() { return table; }

const Kind* find_kind(std::string_view name) {
    auto it = std::ranges::find_if(table, [&](const Kind* k) { return k->name == name; });
    return it == table.end() ? nullptr : *it;
}

const AttributeValue& attribute(const Layer& layer, std::string_view name) {
    const auto infos = layer.kind->attributes;
    auto it = std::ranges::find(infos, name, &AttributeInfo::name);
    assert(it != infos.end());
    return layer.attributes[static_cast<std::size_t>(it - infos.begin())];
}

}  // namespace scalescope
