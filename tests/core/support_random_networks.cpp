// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <numeric>

#include "support_networks.hpp"

namespace support {
namespace {

using namespace scalescope;
using Sizes = std::vector<std::int64_t>;

/// Grows a network layer by layer. Each of `ways` adds what it names behind the layer drawn last, or nothing where
/// that does not fit.
struct Growth {
    std::mt19937& random;
    Builder b;
    std::vector<Shape> shapes;  ///< by layer
    const Sizes widths{4, 6, 8, 9, 12};

    int in = 0;  ///< the layer to be read, and its shape
    Shape s;
    bool image = false;
    std::int64_t c = 0, size = 0;

    explicit Growth(std::mt19937& generator) : random(generator) {}
    void note(int l, Shape made) {
        shapes.resize(static_cast<std::size_t>(l) + 1);
        shapes[static_cast<std::size_t>(l)] = std::move(made);
    }
    const Shape& shape(int l) const { return shapes[static_cast<std::size_t>(l)]; }
    /// Later layers are read more often, so that the network has depth as well as branches.
    int any() {
        const auto n = static_cast<std::int64_t>(shapes.size());
        return static_cast<int>(pick(random, 0, 2) == 0 ? pick(random, 0, n - 1)
                                                        : pick(random, std::max<std::int64_t>(0, n - 3), n - 1));
    }
    template <class Fits>
    std::vector<int> same(Fits&& fits) const {
        std::vector<int> found;
        for (int l = 0; l < b.size(); ++l)
            if (fits(shape(l))) found.push_back(l);
        return found;
    }
    void grow();

    void convolution(), grouped_convolution(), depthwise_convolution(), transposed_convolution(), pooling(),
        global_pooling();
    void dense(), embedding(), rows(), experts(), loss_or_dense();
    void batch_norm(), activation(), dropout(), lrn(), softmax(), norm(), elementwise(), glu();
    void concat(), add(), concat_rows();
    void flatten(), reshape(), along_an_axis(), transpose(), pad(), conv_1d_or_copy(), image_or_table();
    void unknown(), trained_tensor(), shared_weights();
};

void Growth::convolution() {
    if (image) {
        const std::int64_t filters = choose(random, widths);
        note(b.conv(in, filters, 3), {s[0], s[1], filters});
    }
}

void Growth::grouped_convolution() {
    if (image) {  // grouped, any number of groups that divides
        Sizes groups;
        for (std::int64_t g = 1; g <= c; ++g)
            if (c % g == 0) groups.push_back(g);
        const std::int64_t g = choose(random, groups), filters = g * pick(random, 1, std::max<std::int64_t>(1, 12 / g));
        note(b.conv(in, filters, 1, 1, g), {s[0], s[1], filters});
    }
}

void Growth::depthwise_convolution() {
    if (image && c > 1) {  // depthwise, sometimes with several filters for each channel
        const std::int64_t filters = c * (c <= 12 ? pick(random, 1, 2) : 1);
        note(b.conv(in, filters, 3, 1, c), {s[0], s[1], filters});
    }
}

void Growth::transposed_convolution() {
    if (image && s[0] <= 2) {
        const std::int64_t filters = choose(random, widths);
        note(b.transposed(in, filters, 3, 2), {2 * s[0], 2 * s[1], filters});
    }
}

void Growth::pooling() {
    if (image && s[0] > 1) note(b.pool(in, 2, 2), {(s[0] + 1) / 2, (s[1] + 1) / 2, c});
}

void Growth::global_pooling() {
    if (image) note(b.global_pool(in), {c});
}

void Growth::dense() {
    const std::int64_t units = choose(random, widths) * pick(random, 1, 2);
    note(b.dense(in, units), {units});
}

void Growth::embedding() {
    if (s.size() < 4) {
        const int l = b.simple("embedding", {in});
        Shape out = s;
        out.push_back(choose(random, widths));
        b.set(l, "vocabulary", std::int64_t{20});
        b.set(l, "width", out.back());
        note(l, out);
    }
}

void Growth::rows() {
    int rows = in;
    if (image) note(rows = b.reshape(in, {s[0] * s[1], c}), {s[0] * s[1], c});
    const Shape r = shape(rows);
    if (r.size() != 2) return;
    const auto fits = same([&](const Shape& o) { return o == r; });
    const std::int64_t what = pick(random, 0, 2);
    if (what == 0) {
        const int l = b.simple("matmul", {rows, choose(random, fits)});
        b.set(l, "transpose_b", true);
        note(l, {r[0], r[0]});
    } else if (what == 1) {
        const int l = b.simple("attention", {rows, choose(random, fits), choose(random, fits)});
        b.set(l, "heads", r[1] % 2 == 0 ? std::int64_t{2} : std::int64_t{1});
        b.set(l, "flash", pick(random, 0, 1) == 0);
        b.set(l, "causal", pick(random, 0, 1) == 0);
        note(l, r);
    } else {
        const int l = b.simple(choose(random, std::vector<std::string>{"rnn", "lstm", "gru"}), {rows});
        const std::int64_t units = choose(random, widths);
        const bool all = pick(random, 0, 1) == 0;
        b.set(l, "units", units);
        b.set(l, "return_sequences", all);
        note(l, all ? Shape{r[0], units} : Shape{units});
    }
}

void Growth::experts() {
    const int l = b.simple("mixture_of_experts", {in});
    b.set(l, "experts", std::int64_t{4});
    b.set(l, "hidden", choose(random, widths));
    b.set(l, "gated", pick(random, 0, 1) == 0);
    note(l, s);
}

void Growth::loss_or_dense() {
    if (pick(random, 0, 3) == 0) {
        note(b.simple("cross_entropy", {in}), {1});
        return;
    }
    const int l = b.dense(in, choose(random, widths));
    Shape out = s;
    out.back() = std::get<std::int64_t>(b.value(l, "units"));
    b.set(l, "per_position", true);
    note(l, out);
}

void Growth::batch_norm() { note(b.batch_norm(in), s); }

void Growth::activation() {
    const int l = b.activation(in);
    b.set(l, "function", choose(random, std::vector<std::string>{"relu", "gelu", "prelu"}));
    note(l, s);
}

void Growth::dropout() { note(b.dropout(in), s); }

void Growth::lrn() { note(b.lrn(in), s); }

void Growth::softmax() { note(b.softmax(in), s); }

void Growth::norm() {
    const int l = b.simple(
        choose(random, std::vector<std::string>{"layer_norm", "rms_norm", "group_norm", "instance_norm", "scale"}),
        {in});
    if (b.kind(l) == "group_norm") b.set(l, "groups", choose(random, Sizes{1, c}));
    note(l, s);
}

void Growth::elementwise() {
    const auto fits = same([&](const Shape& o) { return o == s || (o.size() == 1 && o[0] == c); });
    note(b.simple("elementwise", {in, choose(random, fits)}), s);
}

void Growth::glu() {
    if (c % 2 == 0) {
        Shape out = s;
        out.back() /= 2;
        note(b.simple("glu", {in}), out);
    }
}

void Growth::concat() {
    const auto fits =
        same([&](const Shape& o) { return o.size() == s.size() && std::equal(s.begin(), s.end() - 1, o.begin()); });
    std::vector<int> ins{in};
    for (std::int64_t k = pick(random, 1, 2); k > 0; --k) ins.push_back(choose(random, fits));
    Shape out = s;
    for (std::size_t k = 1; k < ins.size(); ++k) out.back() += shape(ins[k]).back();
    if (elements(out) <= 300) note(b.concat(ins), out);
}

void Growth::add() {
    auto fits = same([&](const Shape& o) { return o == s; });
    std::erase(fits, in);
    if (fits.empty() && image) {
        note(b.conv(in, c, 1), s);
        fits.push_back(b.size() - 1);
    }
    if (!fits.empty()) note(b.add({in, choose(random, fits)}), s);
}

/// along another axis than the channels
void Growth::concat_rows() {
    const auto fits = same([&](const Shape& o) { return o == s; });
    if (s.size() < 2) return;
    const int l = b.concat({in, choose(random, fits)});
    b.set(l, "axis", std::int64_t{1});
    Shape out = s;
    out[0] *= 2;
    note(l, out);
}

void Growth::flatten() { note(b.flatten(in), {size}); }

void Growth::reshape() {
    std::vector<Shape> targets{{1, 1, size}};
    // A concatenation stays spread over other channels, even where by chance its pieces come around again.
    const bool joined = b.made_of_parts(in);
    for (std::int64_t d = 1; d <= size; ++d)
        if (size % d == 0 && d != c && (!joined || d % c == 0)) {
            targets.push_back({size / d, d});
            if ((size / d) % 2 == 0) targets.push_back({2, size / d / 2, d});
        }
    const Shape t = choose(random, targets);
    note(b.reshape(in, t), t);
}

/// along an axis, the channels among them
void Growth::along_an_axis() {
    const auto rank = static_cast<std::int64_t>(s.size());
    const std::int64_t axis = pick(random, 1, rank);
    const auto a = static_cast<std::size_t>(axis - 1);
    const std::string kind =
        choose(random, std::vector<std::string>{"softmax", "log_softmax", "l2_normalize", "slice", "gather", "argmax",
                                                "top_k", "sort", "cumulative_sum", "reduce"});
    const int l = b.simple(kind, {in});
    const bool keep = rank == 1 || pick(random, 0, 1) == 0;
    Shape out = s;
    if (kind == "reduce" || kind == "argmax") {
        out[a] = 1;
        if (!keep) out.erase(out.begin() + static_cast<std::ptrdiff_t>(a));
        b.set(l, "keep_dims", keep);
    }
    if (kind == "reduce") {
        b.set(l, "axes", Sizes{axis});
        b.set(l, "operation", choose(random, std::vector<std::string>{"sum", "max", "l2"}));
    } else {
        b.set(l, "axis", pick(random, 0, 1) == 0 ? axis : axis - 1 - rank);
    }
    const std::int64_t part = pick(random, 1, s[a]);
    if (kind == "slice" || kind == "gather") b.set(l, "size", out[a] = part);
    if (kind == "slice") b.set(l, "start", pick(random, 0, s[a] - part));
    if (kind == "top_k") b.set(l, "k", out[a] = part);
    note(l, out);
}

void Growth::transpose() {
    Sizes order(s.size());
    std::iota(order.begin(), order.end(), 1);
    std::shuffle(order.begin(), order.end(), random);
    Shape out;
    for (const std::int64_t axis : order) out.push_back(s[static_cast<std::size_t>(axis - 1)]);
    const int l = b.simple("transpose", {in});
    b.set(l, "permutation", order);
    note(l, out);
}

void Growth::pad() {
    const int l = b.simple("pad", {in});
    Sizes before(s.size(), 0), after(s.size(), 1);
    after.back() = pick(random, 0, 1);
    b.set(l, "before", before);
    b.set(l, "after", after);
    Shape out = s;
    for (std::size_t a = 0; a < s.size(); ++a) out[a] += after[a];
    note(l, out);
}

/// sequences and volumes, or a copy of the tensor behind it
void Growth::conv_1d_or_copy() {
    if (s.size() == 2) {
        const std::int64_t filters = choose(random, widths);
        const int l = b.conv(in, filters, 3);
        b.set(l, "kernel", Sizes{3});
        b.set(l, "stride", Sizes{1});
        note(l, {s[0], filters});
    } else if (s.size() < 4) {
        const int l = b.simple("expand", {in});
        std::vector<Dim> dims{{1, "batch"}, {2, {}}};
        Shape out{2};
        for (const auto d : s) {
            dims.push_back({d, {}});
            out.push_back(d);
        }
        b.set(l, "shape", dims);
        note(l, out);
    }
}

void Growth::image_or_table() {
    if (image) {
        const std::vector<std::string> kinds{"resize", "adaptive_pooling", "space_to_depth", "identity", "conv_lstm"};
        const std::string kind = choose(random, kinds);
        const int l = b.simple(kind, {in});
        if (kind == "space_to_depth") {
            const std::int64_t block = s[0] % 2 == 0 && s[1] % 2 == 0 ? 2 : 1;
            b.set(l, "block", block);
            note(l, {s[0] / block, s[1] / block, c * block * block});
        } else if (kind == "identity") {
            note(l, s);
        } else if (kind == "conv_lstm") {  // its rows are the steps of a sequence
            const std::int64_t filters = choose(random, widths);
            b.set(l, "filters", filters);
            b.set(l, "kernel", Sizes{1});
            note(l, {s[0], s[1], filters});
        } else {
            b.set(l, "output", Sizes{2, 3});
            note(l, {2, 3, c});
        }
    } else if (s.size() == 2) {
        const bool turn = c % 2 == 0 && pick(random, 0, 1) == 0;
        const int l = b.simple(turn ? "rotary" : "einsum", {in});
        if (!turn) b.set(l, "equation", std::string("bij->bji"));
        note(l, turn ? s : Shape{c, s[0]});
    } else if (pick(random, 0, 1) == 0) {
        std::vector<int> ins{in, any()};
        if (pick(random, 0, 1) == 0) ins.push_back(any());
        note(b.simple("scatter", ins), s);
    } else {
        note(b.simple("loss", {in}), {1});
    }
}

void Growth::unknown() {
    std::vector<int> ins{in};
    for (std::int64_t k = pick(random, 0, 2); k > 0; --k) ins.push_back(any());
    const Shape out = pick(random, 0, 1) == 0 ? s : Shape{2, 2, choose(random, widths)};
    note(out == s ? b.unknown(ins) : b.unknown(ins, out), out);
}

/// a trained tensor, of the same shape or to be repeated
void Growth::trained_tensor() {
    const bool image_shape = pick(random, 0, 1) == 0;
    const Shape t = image_shape ? s : Shape{c};
    const int p = b.parameter(t);
    if (pick(random, 0, 4) == 0) b.become(p, "constant");
    note(p, t);
    note(b.simple(image_shape && pick(random, 0, 1) == 0 ? "add" : "elementwise", {in, p}), s);
}

/// the same layer again, or one that uses the same weights another way
void Growth::shared_weights() {
    const std::int64_t units = choose(random, widths);
    if (pick(random, 0, 4) == 0 && s.size() < 4) {
        const int e = b.simple("embedding", {in});
        b.set(e, "vocabulary", std::int64_t{20});
        b.set(e, "width", units);
        Shape out = s;
        out.push_back(units);
        note(e, out);
        const int head = b.dense(e, 20, false);
        b.set(head, "per_position", true);
        b.share(head, e);
        out.back() = 20;
        note(head, out);
        return;
    }
    const auto fits = same([&](const Shape& o) { return o == s; });
    const int other = choose(random, fits);
    if (pick(random, 0, 2) == 0) {
        const int first = b.batch_norm(in), second = b.batch_norm(other);
        note(first, s);
        note(second, s);
        b.share(second, first);
    } else {
        const bool filters = image && pick(random, 0, 1) == 0;
        const int first = filters ? b.conv(in, units, 3) : b.dense(in, units),
                  second = filters ? b.conv(other, units, 3) : b.dense(other, units);
        for (int l : {first, second}) note(l, filters ? Shape{s[0], s[1], units} : Shape{units});
        b.share(second, first);
    }
}

using Way = void (Growth::*)();
/// As often as they should come up.
constexpr std::array<Way, 39> ways{&Growth::convolution,
                                   &Growth::convolution,
                                   &Growth::convolution,
                                   &Growth::grouped_convolution,
                                   &Growth::depthwise_convolution,
                                   &Growth::transposed_convolution,
                                   &Growth::dense,
                                   &Growth::pooling,
                                   &Growth::global_pooling,
                                   &Growth::batch_norm,
                                   &Growth::activation,
                                   &Growth::dropout,
                                   &Growth::lrn,
                                   &Growth::softmax,
                                   &Growth::concat,
                                   &Growth::concat,
                                   &Growth::add,
                                   &Growth::add,
                                   &Growth::flatten,
                                   &Growth::reshape,
                                   &Growth::unknown,
                                   &Growth::norm,
                                   &Growth::elementwise,
                                   &Growth::glu,
                                   &Growth::embedding,
                                   &Growth::rows,
                                   &Growth::rows,
                                   &Growth::rows,
                                   &Growth::loss_or_dense,
                                   &Growth::experts,
                                   &Growth::trained_tensor,
                                   &Growth::shared_weights,
                                   &Growth::shared_weights,
                                   &Growth::along_an_axis,
                                   &Growth::transpose,
                                   &Growth::pad,
                                   &Growth::conv_1d_or_copy,
                                   &Growth::image_or_table,
                                   &Growth::concat_rows};

void Growth::grow() {
    in = any();
    s = shape(in);
    image = s.size() == 3;
    c = s.back();
    size = elements(s);
    (this->*ways[static_cast<std::size_t>(pick(random, 0, ways.size() - 1))])();
    if (elements(shapes.back()) > 300) note(b.dense(b.size() - 1, 8), {8});  // keep everything small
}

}  // namespace

NetworkPtr random_network(std::mt19937& random, int layers) {
    Growth g(random);
    const std::int64_t side = choose(random, Sizes{2, 4}), channels = choose(random, Sizes{1, 2, 3, 6});
    g.note(g.b.input({side, side, channels}), {side, side, channels});
    if (pick(random, 0, 5) == 0) g.note(g.b.input({side, side, 4}), {side, side, 4});
    while (g.b.size() < layers) g.grow();
    // Somebody must have something to do.
    const auto& drawn = g.b.draft().layers;
    if (std::all_of(drawn.begin(), drawn.end(), [](const auto& l) {
            return l.kind->name == "input" || l.kind->name == "identity" || l.kind->name == "constant" ||
                   l.kind->name == "reshape" || l.kind->name == "flatten";
        }))
        g.b.dense(g.b.size() - 1, 8);
    return g.b.make();
}

}  // namespace support
