// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/parallel/context.hpp"

#include "core/base/checked.hpp"

namespace scalescope {
namespace {

constexpr AttentionMessage gathered{Message::all_gather, Carried::keys_values},
    scattered{Message::reduce_scatter, Carried::keys_values},
    with_gradients{Message::all_gather, Carried::keys_values_gradients}, queries{Message::all_to_all, Carried::queries},
    keys{Message::all_to_all, Carried::keys}, values{Message::all_to_all, Carried::values},
    output{Message::all_to_all, Carried::attention_output};

constexpr std::array<ContextRow, 3> schemes{{
    // Round the ring go pieces of as many bytes, in as many steps, as in an all-gather by ring.
    {ContextScheme::ring, "Ring Attention: Liu et al., ICLR 2024", true, {gathered}, {with_gradients}, 1, 1},
    {ContextScheme::all_gather,
     "Llama 3: Grattafiori et al., arXiv:2407.21783, section 3.3.2",
     false,
     {gathered},
     {gathered, scattered},
     1,
     2},
    {ContextScheme::heads,
     "DeepSpeed-Ulysses: Jacobs et al., arXiv:2309.14509",
     false,
     {queries, keys, values, output},
     {output, queries, keys, values},
     4,
     4},
}};

}  // namespace

const ContextRow& context_row(ContextScheme scheme) { return schemes[static_cast<std::size_t>(scheme)]; }

double attention_sent(const AttentionMessage& message, const AttentionSizes& sizes, std::int64_t ranks) {
    const auto n = static_cast<double>(ranks);
    const double repeated =
        static_cast<double>(ranks * ceil_div(sizes.key_heads, ranks)) / static_cast<double>(sizes.key_heads);
    switch (message.carries) {
        case Carried::keys_values: return sizes.keys + sizes.values;
        case Carried::keys_values_gradients: return 2 * (sizes.keys + sizes.values);
        case Carried::queries: return sizes.queries / n;
        case Carried::keys: return sizes.keys * repeated / n;
        case Carried::values: return sizes.values * repeated / n;
        case Carried::attention_output: return sizes.output / n;
        default: break;
    }
    return 0;
}

}  // namespace scalescope
