// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/hugging_face/plain_stack.hpp"

#include <algorithm>

namespace scalescope::formats::hugging_face {

Stack read_plain_stack(Config& c, const PlainStack& family, Stack::Order order) {
    Stack s;
    s.order = order;
    s.width = c.size_or(names::width, family.width, most_width);
    Block b;
    Attention& a = b.attention;
    a.causal = family.causal;
    a.heads = a.kv_heads = c.size_or(family.head_names, family.heads, most_heads);
    a.qkv_bias = a.out_bias = b.mlp.bias = true;
    if (s.width % a.heads != 0)
        c.error(
            family.head_names,
            "The width of " + std::to_string(s.width) + " does not divide by " + std::to_string(a.heads) + " heads.",
            "Correct one of them.");
    a.head_width = std::max<std::int64_t>(1, s.width / a.heads);
    b.mlp.hidden = c.size_or(family.hidden_names, family.hidden > 0 ? family.hidden : 4 * s.width, most_width);
    const std::string activation = c.word(names::activation, family.activation);
    b.mlp.activation = activation_called(activation);
    if (b.mlp.activation.empty())
        c.error(names::activation, "There is no activation " + quoted(activation) + " here.",
                "Write one such as \"gelu\" or \"relu\".");
    s.blocks.assign(static_cast<std::size_t>(c.size_or(family.layer_names, family.layers, most_layers)), b);
    return s;
}

}  // namespace scalescope::formats::hugging_face
