// SPDX-License-Identifier: GPL-3.0-or-later
// Products with weights and of two tensors, attention, embeddings, and recurrent layers: ONNX has one of each, steps
// before the batch.
#include <algorithm>

#include "core/formats/onnx/export/exporter.hpp"

namespace scalescope::formats::onnx {
namespace {

std::optional<Edge> dense_node(Exporter& e) {
    const std::int64_t units = e.facts().output.back();
    const std::string& function = e.get<std::string>("activation");
    const bool each = e.is("per_position") && e.shape_in(0).size() > 1;
    if (!each) {
        Edge x = e.real(e.in(0));  // in any order: so are its weights
        const std::int64_t width = elements(e.shape_in(0));
        Edge flat = x;
        flat.sizes = {Size{width, {}}};
        flat.first = false;
        if (x.sizes.size() > 1) x = e.node("Flatten", {x.name}, {whole_attribute("axis", 1)}, flat);
        std::vector<std::string> inputs{x.name, e.weight("weight", {width, units})};
        if (e.is("bias")) inputs.push_back(e.weight("bias", {units}));
        return e.activated(e.node("Gemm", std::move(inputs), {}, e.out(false)), function);
    }
    const Edge x = e.natural(0);
    Edge made = e.node("MatMul", {x.name, e.weight("weight", {e.shape_in(0).back(), units})}, {}, e.out(false));
    if (e.is("bias")) made = e.node("Add", {made.name, e.weight("bias", {units})}, {}, made);
    return e.activated(made, function);
}

std::optional<Edge> matmul_node(Exporter& e) {
    const auto operand = [&](std::size_t i, std::string_view turned) {
        Edge x = e.natural(i);
        if (!e.is(turned)) return x;
        std::vector<std::int64_t> order;
        for (std::size_t a = 0; a <= x.sizes.size(); ++a) order.push_back(static_cast<std::int64_t>(a));
        std::swap(order[order.size() - 1], order[order.size() - 2]);
        std::swap(x.sizes[x.sizes.size() - 1], x.sizes[x.sizes.size() - 2]);
        return e.node("Transpose", {x.name}, {list_attribute("perm", order)}, x);
    };
    const Edge a = operand(0, "transpose_a"), b = operand(1, "transpose_b");
    const std::size_t rank = std::max(a.sizes.size(), b.sizes.size());
    const Edge left = e.raised(a, rank), right = e.raised(b, rank);
    return e.node("MatMul", {left.name, right.name}, {}, e.out(false));
}

/// ONNX Runtime's fused operators; ONNX has one of its own from opset 23 on.
std::optional<Edge> attention_node(Exporter& e) {
    const std::int64_t heads = e.get<std::int64_t>("heads"), given = e.get<std::int64_t>("kv_heads"),
                       kv_heads = given == 0 ? heads : given, window = e.get<std::int64_t>("window");
    const bool causal = e.is("causal"), same_width = e.shape_in(1)[1] == e.shape_in(2)[1];
    if (kv_heads == heads && window == 0) {
        const Edge q = e.natural(0), k = e.natural(1), v = e.natural(2);
        std::vector<Attribute> attributes{whole_attribute("num_heads", heads)};
        if (causal) attributes.push_back(whole_attribute("unidirectional", 1));
        return e.node("MultiHeadAttention", {q.name, k.name, v.name}, std::move(attributes), e.out(false),
                      contributed_domain);
    }
    if (!causal || !same_width || e.shape_in(0)[0] != e.shape_in(1)[0]) return std::nullopt;
    const Edge q = e.natural(0), k = e.natural(1), v = e.natural(2);
    // It wants to know how long the sequences are, in numbers of 32 bits: all of them, without an end before.
    Edge number = loose_edge(Element::int64);
    const auto length = e.node("Shape", {k.name}, {whole_attribute("start", 1), whole_attribute("end", 2)}, number);
    const auto batch = e.node("Shape", {q.name}, {whole_attribute("start", 0), whole_attribute("end", 1)}, number);
    const auto last = e.node("Sub", {length.name, e.integers({1})}, {}, number);
    const auto ends = e.node("Expand", {last.name, batch.name}, {}, number);
    const auto scalar = e.node("Squeeze", {length.name}, {}, number);
    number.element = static_cast<int>(Element::int32);
    const Attribute to = whole_attribute("to", number.element);
    const auto ends32 = e.node("Cast", {ends.name}, {to}, number),
               total32 = e.node("Cast", {scalar.name}, {to}, number);
    std::vector<Attribute> attributes{whole_attribute("num_heads", heads), whole_attribute("kv_num_heads", kv_heads)};
    if (window > 0) attributes.push_back(whole_attribute("local_window_size", window));
    return e.node("GroupQueryAttention", {q.name, k.name, v.name, "", "", ends32.name, total32.name},
                  std::move(attributes), e.out(false), contributed_domain);
}

std::optional<Edge> embedding_node(Exporter& e) {
    const Edge rows = e.whole(e.natural(e.in(0)));
    const std::string table = e.weight("table", {e.get<std::int64_t>("vocabulary"), e.get<std::int64_t>("width")});
    return e.node("Gather", {table, rows.name}, {whole_attribute("axis", 0)}, e.out(false));
}

/// The width of a head is that of the attention behind it.
std::optional<Edge> rotary_node(Exporter& e) {
    if (e.shape_in(0).size() != 2) return std::nullopt;
    const Edge x = e.natural(0);
    const std::int64_t width = e.shape_in(0)[1];
    std::int64_t head = width;
    for (const int r : e.readers(e.position())) {
        const Layer& reader = e.network().layers()[static_cast<std::size_t>(r)];
        if (reader.kind->name != "attention") continue;
        const std::int64_t heads = std::get<std::int64_t>(attribute(reader, "heads")),
                           kv = std::get<std::int64_t>(attribute(reader, "kv_heads"));
        head = width / (e.network().inputs(r)[0] == e.position() || kv == 0 ? heads : kv);
        break;
    }
    if (head < 2 || head % 2 != 0) return std::nullopt;
    constexpr std::int64_t longest = 32768;  // rows of the table of angles; of any length they cost nothing
    const std::int64_t rows = std::max(longest, e.shape_in(0)[0]);
    return e.node("RotaryEmbedding",
                  {x.name, e.integers({0}), e.blank("cosines", {rows, head / 2}), e.blank("sines", {rows, head / 2})},
                  {}, e.out(false), contributed_domain);
}

/// ONNX counts the batch among the letters.
std::optional<Edge> einsum_node(Exporter& e) {
    std::vector<std::string> parts{""};
    for (const char c : e.get<std::string>("equation")) {
        if (c == ' ' || c == '-') continue;
        if (c == ',' || c == '>')
            parts.emplace_back();
        else
            parts.back() += c;
    }
    if (parts.size() != e.inputs() + 1) return std::nullopt;
    bool said = false;
    std::string used;
    for (std::size_t i = 0; i < e.inputs(); ++i) {
        said = said || parts[i].size() == e.shape_in(i).size() + 1;
        used += parts[i];
    }
    char batch = 'a';
    while (used.find(batch) != std::string::npos) ++batch;
    if (batch > 'z') return std::nullopt;
    // Where only some inputs have it, the others are the same for all samples.
    std::vector<std::string> inputs;
    std::string equation;
    for (std::size_t i = 0; i < e.inputs(); ++i) {
        const bool has = parts[i].size() == e.shape_in(i).size() + 1;
        const char letter = said ? (has ? '\0' : 'Z') : batch;
        if (said && !has) return std::nullopt;
        const Edge x = e.natural(i);
        if (!x.batched && e.out(false).batched) return std::nullopt;
        inputs.push_back(x.name);
        equation += (i > 0 ? "," : "") + (letter == '\0' ? std::string() : std::string(1, letter)) + parts[i];
    }
    const std::string& result = parts.back();
    equation += "->" + (said ? std::string() : std::string(1, batch)) + result;
    const bool single = result.size() == (said ? 1u : 0u);  // nothing but the batch is left
    Edge like = e.out(false);
    if (single) like.sizes.clear();
    const Edge made = e.node("Einsum", std::move(inputs), {word_attribute("equation", equation)}, like);
    return single ? e.raised(made, 1) : made;
}

struct Recurrence {
    std::int64_t units, directions, layers;
    std::string op;
};

/// What the layer `l` of them begins with: its part of a state given for all.
Edge first_state(Exporter& e, const Recurrence& r, std::size_t input, std::int64_t l) {
    const Edge given = e.natural(input);
    Edge all = e.reshape(given, {Size{r.layers * r.directions, {}}, Size{r.units, {}}});
    Edge own = all;
    own.sizes[0] = {r.directions, {}};
    if (r.layers > 1)
        own = e.node("Slice",
                     {all.name, e.integers({l * r.directions}), e.integers({(l + 1) * r.directions}), e.integers({1})},
                     {}, own);
    return e.node("Transpose", {own.name}, {list_attribute("perm", {1, 0, 2})}, own);
}

std::optional<Edge> recurrent_nodes(Exporter& e, const char* op, std::int64_t gates) {
    const std::int64_t biases = e.get<std::int64_t>("biases");
    const Recurrence r{e.get<std::int64_t>("units"), e.is("bidirectional") ? 2 : 1, e.get<std::int64_t>("layers"), op};
    const bool all = e.is("return_sequences");
    for (std::size_t i = 0; i < e.inputs(); ++i)
        if (!e.in(i).batched) return std::nullopt;  // ONNX wants a state for each sample
    const Edge x = e.natural(0);
    std::int64_t width = e.shape_in(0)[1];
    const Size steps = x.sizes[0];
    std::string sequence = e.node("Transpose", {x.name}, {list_attribute("perm", {1, 0, 2})}, x).name;
    Edge made;
    for (std::int64_t l = 0; l < r.layers; ++l) {
        const std::string n = r.layers > 1 ? '_' + std::to_string(l + 1) : std::string();
        const std::int64_t rows = gates * r.units;
        std::vector<std::string> inputs{sequence, e.weight("weight" + n, {r.directions, rows, width}),
                                        e.weight("recurrence" + n, {r.directions, rows, r.units})};
        if (biases == 2) inputs.push_back(e.weight("bias" + n, {r.directions, 2 * rows}));
        if (biases == 1)  // ONNX adds two: the second is nothing
            inputs.push_back(
                e.node("Concat",
                       {e.weight("bias" + n, {r.directions, rows}), e.blank("no_bias" + n, {r.directions, rows})},
                       {whole_attribute("axis", 1)}, loose_edge())
                    .name);
        if (e.inputs() > 1) {
            inputs.resize(5);
            for (std::size_t i = 1; i < e.inputs(); ++i) inputs.push_back(first_state(e, r, i, l).name);
        }
        std::vector<Attribute> attributes{whole_attribute("hidden_size", r.units)};
        if (r.directions == 2) attributes.push_back(word_attribute("direction", "bidirectional"));
        const bool last = l + 1 == r.layers;
        Edge states = x;
        states.sizes = {steps, Size{r.directions, {}}, Size{r.units, {}}};
        const auto outputs = e.nodes(r.op, std::move(inputs), std::move(attributes), states, last && !all ? 2 : 1);
        width = r.units * r.directions;
        states.sizes = {Size{r.directions, {}}, Size{r.units, {}}};
        if (last && !all) {  // directions, batch, units
            const Edge turned = e.node("Transpose", {outputs[1].name}, {list_attribute("perm", {1, 0, 2})}, states);
            made = e.reshape(turned, {Size{width, {}}});
            break;
        }
        // steps, directions, batch, units
        if (last) {
            states.sizes.insert(states.sizes.begin(), steps);
            const Edge turned = e.node("Transpose", {outputs[0].name}, {list_attribute("perm", {2, 0, 1, 3})}, states);
            made = e.reshape(turned, {steps, Size{width, {}}});
            break;
        }
        const Edge turned = e.node("Transpose", {outputs[0].name}, {list_attribute("perm", {0, 2, 1, 3})}, states);
        sequence = e.node("Reshape", {turned.name, e.integers({0, 0, width})}, {}, states).name;
    }
    return made;
}

std::optional<Edge> rnn_nodes(Exporter& e) { return recurrent_nodes(e, "RNN", 1); }
std::optional<Edge> lstm_nodes(Exporter& e) { return recurrent_nodes(e, "LSTM", 4); }
std::optional<Edge> gru_nodes(Exporter& e) { return recurrent_nodes(e, "GRU", 3); }

constexpr ExportRow product_export_rows[] = {{dense_node, "dense"},
                                             {matmul_node, "matmul"},
                                             {attention_node, "attention"},
                                             {embedding_node, "embedding"},
                                             {rotary_node, "rotary"},
                                             {einsum_node, "einsum"},
                                             {rnn_nodes, "rnn"},
                                             {lstm_nodes, "lstm"},
                                             {gru_nodes, "gru"}};

}  // namespace

std::span<const ExportRow> product_exports() { return product_export_rows; }

}  // namespace scalescope::formats::onnx
