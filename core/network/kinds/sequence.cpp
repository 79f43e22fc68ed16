// SPDX-License-Identifier: GPL-3.0-or-later
// Layers of transformers: products of two tensors, attention, look-up of embeddings. Counts and sources:
// docs/decisions/layer-kinds.md.
#include <algorithm>
#include <array>

#include "core/network/kinds/kinds.hpp"

namespace scalescope::kinds {
namespace {

const std::array<AttributeInfo, 2> matmul_attributes{{
    {"transpose_a", AttributeType::boolean, false, {}, 0, "the first input's last two axes change places"},
    {"transpose_b", AttributeType::boolean, false, {}, 0, "the second input's last two axes change places"},
}};
const std::array<AttributeInfo, 6> attention_attributes{{
    {"heads", AttributeType::integer, {}, {}, 1, "heads of the queries"},
    {"kv_heads", AttributeType::integer, std::int64_t{0}, {}, 0, "heads of keys and values; 0: as many"},
    {"causal", AttributeType::boolean, false, {}, 0, "a query sees no later key"},
    {"flash", AttributeType::boolean, true, {}, 0, "one fused operation that never writes the scores"},
    {"window", AttributeType::integer, std::int64_t{0}, {}, 0, "latest keys that a query sees; 0: all"},
    {"dropout", AttributeType::boolean, false, {}, 0, "scores are dropped behind the softmax, in training"},
}};
const std::array<AttributeInfo, 2> embedding_attributes{{
    {"vocabulary", AttributeType::integer, {}, {}, 1, "rows of the table"},
    {"width", AttributeType::integer, {}, {}, 1, "length of a row"},
}};

Result<LayerFacts> infer_matmul(const Layer& layer, std::span<const Shape> inputs) {
    Shape a = inputs[0], b = inputs[1];
    if (a.size() < 2 || b.size() < 2)
        return wrong("A product needs two matrices, its inputs are " + to_text(a) + " and " + to_text(b) + ".",
                     "reshape them to rows × columns");
    if (get<bool>(layer, "transpose_a")) std::swap(a[a.size() - 1], a[a.size() - 2]);
    if (get<bool>(layer, "transpose_b")) std::swap(b[b.size() - 1], b[b.size() - 2]);
    if (a.back() != b[b.size() - 2])
        return wrong("The columns of " + to_text(a) + " are not the rows of " + to_text(b) + ".",
                     "transpose one of the inputs, or correct their shapes");
    auto output = broadcast(Shape(a.begin(), a.end() - 2), Shape(b.begin(), b.end() - 2));
    if (!output)
        return wrong("The leading axes of " + to_text(a) + " and " + to_text(b) + " do not fit together.",
                     "make them equal, or 1");
    output->push_back(a[a.size() - 2]);
    output->push_back(b.back());
    Checked macs = a.back();
    for (const auto d : *output) macs = macs * d;
    return product_of_inputs(std::move(*output), inputs, macs);
}

/// Pairs of a query and a key it sees: the last query sees all `keys`, each earlier one a key less; at most `window`.
Checked causal_pairs(std::int64_t queries, std::int64_t keys, std::int64_t window) {
    // of n queries that see 1, 2, … n keys, or the window
    const auto until = [&](std::int64_t n) {
        if (n <= 0) return Checked(0);
        const std::int64_t grow = std::min(n, window), half = grow % 2 == 0 ? grow / 2 : grow,
                           other = grow % 2 == 0 ? grow + 1 : (grow + 1) / 2;
        return Checked(half) * other + Checked(n - grow) * window;
    };
    return until(keys) + Checked(-1) * until(keys - queries);
}

Result<LayerFacts> infer_attention(const Layer& layer, std::span<const Shape> inputs) {
    const Shape &q = inputs[0], &k = inputs[1], &v = inputs[2];
    const std::int64_t heads = get<std::int64_t>(layer, "heads"), given = get<std::int64_t>(layer, "kv_heads"),
                       kv_heads = given == 0 ? heads : given, reach = get<std::int64_t>(layer, "window");
    const bool flash = get<bool>(layer, "flash"), causal = get<bool>(layer, "causal");
    if (q.size() != 2 || k.size() != 2 || v.size() != 2)
        return wrong("Attention needs queries, keys and values of sequence × width; these are " + to_text(q) + ", " +
                         to_text(k) + " and " + to_text(v) + ".",
                     "reshape them, with all heads side by side in the width");
    if (k[0] != v[0])
        return wrong("There are " + std::to_string(k[0]) + " keys and " + std::to_string(v[0]) + " values.",
                     "give every key a value");
    if (heads % kv_heads != 0)
        return wrong("The heads do not divide by those of keys and values.", "choose a number that divides them");
    if (q[1] % heads != 0 || k[1] % kv_heads != 0 || v[1] % kv_heads != 0)
        return wrong("The widths do not divide by the heads.", "choose another number of heads");
    const std::int64_t width = q[1] / heads, value_width = v[1] / kv_heads;
    if (k[1] / kv_heads != width)
        return wrong("A head of the queries is " + std::to_string(width) + " wide, one of the keys " +
                         std::to_string(k[1] / kv_heads) + ".",
                     "correct the number of heads, or the widths");
    if (reach > 0 && !causal) return wrong("A window reaches back: it needs causal attention.", "make it causal");
    // Only a fused operation leaves out what the mask hides.
    const Checked all = Checked(q[0]) * k[0],
                  pairs = flash && causal ? causal_pairs(q[0], k[0], reach > 0 ? reach : k[0]) : all;
    const Checked scores = all * heads, scoring = pairs * heads * width, macs = scoring + pairs * heads * value_width,
                  backward = macs * 2 + (flash ? scoring : Checked(0));
    const bool dropout = get<bool>(layer, "dropout") && !flash;  // fused, it makes its mask again from a seed
    const Checked rows = Checked(q[0]) * heads, output = Checked(heads) * value_width,
                  moved = scores * (dropout ? 9 : 7);
    if (!backward.ok() || !rows.ok() || !output.ok() || !moved.ok()) return work_overflows();
    LayerFacts f;
    f.output = {q[0], output.value()};
    f.units = output.value();
    f.multiply_adds = macs.value();
    f.input_multiply_adds = backward.value();
    f.keeps_input = true;
    f.query_heads = heads;
    f.key_heads = kv_heads;
    f.fused_attention = flash;
    f.attention = {q[0], k[0], width, value_width};
    f.along(ShardAlong::heads) = heads;
    if (q[0] == k[0]) f.along(ShardAlong::queries) = q[0];
    if (flash) {
        f.forward = {1, 1, 0, rows.value()};
        f.grad_input = {2, 2, 0, rows.value()};
        f.keeps_output = true;
        f.kept_elements = rows.value();
    } else {
        // scores written, read by the softmax, its output written and read; going back seven such tensors move
        f.forward = {1, 1, 0, 4 * scores.value()};
        f.grad_input = {2, 2, 0, moved.value()};
        f.kept_elements = scores.value();
        f.launches = {3, 5, 1};
        if (dropout) {  // one more such tensor, read, written and kept, with a byte for each score
            f.forward.own += 2 * scores.value();
            f.kept_elements += scores.value();
            f.mask = static_cast<double>(k[0]) / static_cast<double>(value_width);
            f.launches = {4, 6, 1};
        }
    }
    return finish(std::move(f), inputs);
}

Result<LayerFacts> infer_embedding(const Layer& layer, std::span<const Shape> inputs) {
    const std::int64_t width = get<std::int64_t>(layer, "width");
    const Checked weights = Checked(get<std::int64_t>(layer, "vocabulary")) * width;
    if (!weights.ok()) return work_overflows();
    LayerFacts f;
    f.output = inputs[0];
    f.output.push_back(width);
    if (f.output.size() >= static_cast<std::size_t>(limits::rank))
        return wrong("The output would have too many dimensions.", "flatten the input");
    f.units = width;
    f.weights = weights.value();
    f.division = Division::weights;
    f.along(ShardAlong::outputs) = width;
    f.along(ShardAlong::vocabulary) = get<std::int64_t>(layer, "vocabulary");
    act_at_positions(f);
    f.forward = {1, 2, 0};       // reads the numbers and their rows, writes the rows
    f.grad_weights = {1, 3, 0};  // reads numbers, gradients and rows, writes the rows
    f.keeps_input = f.input_for_weights = true;
    return finish(std::move(f), inputs);
}

/// Turns pairs of channels by an angle for each position; backward turns them back.
Result<LayerFacts> infer_rotary(const Layer&, std::span<const Shape> inputs) {
    if (inputs[0].size() < 2 || inputs[0].back() % 2 != 0)
        return wrong("Rotary positions turn pairs of channels at each position: " + to_text(inputs[0]) + " has none.",
                     "connect a sequence with an even number of channels");
    auto f = bytes_only(inputs[0], inputs, Division::mixing, {1, 1, 0}, {1, 1, 0});
    if (f) f->along(ShardAlong::channels) = f->units / 2;  // whole pairs, and heads are made of pairs
    return act_on_vectors(std::move(f));
}

}  // namespace

const Kind matmul{"matmul", "Matrix product", matmul_attributes, 2, 2, infer_matmul};
const Kind attention{"attention", "Attention", attention_attributes, 3, 3, infer_attention};
const Kind embedding{"embedding", "Embedding", embedding_attributes, 1, 1, infer_embedding};
const Kind rotary{"rotary", "Rotary positions", {}, 1, 1, infer_rotary};

}  // namespace scalescope::kinds
