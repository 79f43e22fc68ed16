// SPDX-License-Identifier: GPL-3.0-or-later
// Shapes, parameters and multiply-adds of every kind of layer, worked out by hand; what makes a network wrong.
#include <QtTest>
#include <set>

#include "core/base/limits.hpp"
#include "support_networks.hpp"

using namespace scalescope;
using support::Builder;

namespace {

struct Facts {
    Shape output;
    std::int64_t weights = 0, multiply_adds = 0;
};

const LayerFacts& last(const support::NetworkPtr& n) { return n->facts().back(); }

/// Text of the first problem, or empty.
QString problem(const NetworkDraft& draft) {
    const auto n = Network::make(draft);
    return n ? QString() : QString::fromStdString(to_text(n.error().front()));
}

Layer layer(std::uint32_t id, const std::string& name, const char* kind, std::vector<std::uint32_t> inputs) {
    Layer l;
    l.id = LayerId{id};
    l.name = name;
    l.kind = find_kind(kind);
    for (const auto& a : l.kind->attributes) l.attributes.push_back(a.initial);
    for (auto i : inputs) l.inputs.push_back(LayerId{i});
    return l;
}

Layer source(std::uint32_t id, const std::string& name, std::vector<std::int64_t> shape) {
    Layer l = layer(id, name, "input", {});
    std::vector<Dim> dims{Dim{1, "batch"}};
    for (auto d : shape) dims.push_back(Dim{d, ""});
    l.attributes[0] = dims;
    return l;
}

void set(Layer& l, const char* name, AttributeValue v) {
    for (std::size_t i = 0; i < l.kind->attributes.size(); ++i)
        if (l.kind->attributes[i].name == name) l.attributes[i] = std::move(v);
}

NetworkDraft draft_of(std::vector<Layer> layers) {
    NetworkDraft d;
    d.layers = std::move(layers);
    return d;
}

}  // namespace

class TestNetwork : public QObject {
    Q_OBJECT

    std::set<const Kind*> worked_out_;

    void check(Builder& b, const Shape& output, std::int64_t weights, std::int64_t multiply_adds) {
        const auto n = b.make();
        worked_out_.insert(n->layers().back().kind);
        QCOMPARE(QString::fromStdString(to_text(last(n).output)), QString::fromStdString(to_text(output)));
        QCOMPARE(last(n).weights, weights);
        QCOMPARE(last(n).multiply_adds, multiply_adds);
        QCOMPARE(last(n).out_elements, elements(output));
    }

private slots:
    // AlexNet's first convolution: 227 − 11 over stride 4, plus 1 = 55; 96 filters of 11·11·3.
    void convolution() {
        Builder b;
        b.conv(b.input({227, 227, 3}), 96, 11, 4, 1, false);
        check(b, {55, 55, 96}, 96 * 363 + 96, 55LL * 55 * 96 * 363);
        QCOMPARE(last(b.make()).in_elements, 227LL * 227 * 3);
        QCOMPARE(last(b.make()).units, 96);
    }
    void convolution_without_bias() {
        Builder b;
        b.conv(b.input({8, 8, 4}), 6, 3, 1, 1, true, false);
        check(b, {8, 8, 6}, 6 * 36, 8 * 8 * 6 * 36);
    }
    // same: ceil(7/2) = 4, padded by (4−1)·2+3−7 = 2, one before and one after
    void convolution_same_with_stride() {
        Builder b;
        b.conv(b.input({7, 7, 2}), 5, 3, 2);
        check(b, {4, 4, 5}, 5 * 18 + 5, 4 * 4 * 5 * 18);
        QCOMPARE(last(b.make()).convolution->pad_top, 1);
        QCOMPARE(last(b.make()).convolution->pad_bottom, 1);
    }
    void convolution_in_groups() {  // AlexNet's second: 48 of 96 channels for each filter
        Builder b;
        const int l = b.conv(b.input({27, 27, 96}), 256, 5, 1, 2);
        check(b, {27, 27, 256}, 256 * 25 * 48 + 256, 27LL * 27 * 256 * 25 * 48);
        b.set(l, "groups", std::int64_t{96});  // depthwise needs a multiple of the channels
        b.set(l, "filters", std::int64_t{192});
        check(b, {27, 27, 192}, 192 * 25 + 192, 27LL * 27 * 192 * 25);
    }
    void convolution_dilated() {  // 3 taps two apart span 5
        Builder b;
        const int l = b.conv(b.input({9, 9, 1}), 1, 3, 1, 1, false, false);
        b.set(l, "dilation", std::vector<std::int64_t>{2, 2});
        check(b, {5, 5, 1}, 9, 25 * 9);
    }
    void convolution_with_sizes_of_its_own() {
        Builder b;
        const int l = b.conv(b.input({5, 6, 1}), 1, 3, 1, 1, false, false);
        b.set(l, "kernel", std::vector<std::int64_t>{1, 3});
        Padding p;
        p.mode = Padding::Mode::explicit_sizes;
        p.top = 1, p.bottom = 2, p.left = 0, p.right = 3;
        b.set(l, "padding", p);
        check(b, {5 + 3, 6 + 3 - 2, 1}, 3, 8 * 7 * 3);
    }
    // 4 → 8 with stride 2: every input cell meets every tap of every filter
    void transposed_convolution() {
        Builder b;
        b.transposed(b.input({4, 4, 3}), 5, 3, 2);
        check(b, {8, 8, 5}, 9 * 3 * 5 + 5, 9 * 3 * 5 * 16);
    }
    void transposed_convolution_with_padding() {  // DCGAN: (4−1)·2 + 5 − 2 − 2 + 1 = 8
        Builder b;
        const int l = b.transposed(b.input({4, 4, 3}), 2, 5, 2);
        Padding p;
        p.mode = Padding::Mode::explicit_sizes;
        p.top = p.bottom = p.left = p.right = 2;
        b.set(l, "padding", p);
        b.set(l, "output_padding", std::vector<std::int64_t>{1, 1});
        b.set(l, "bias", false);
        check(b, {8, 8, 2}, 25 * 3 * 2, 25 * 3 * 2 * 16);
    }
    void dense() {
        Builder b;
        b.dense(b.input({6, 6, 256}), 4096);
        check(b, {4096}, 9216LL * 4096 + 4096, 9216LL * 4096);
    }
    void pooling() {
        Builder b;
        const int l = b.pool(b.input({55, 55, 96}), 3, 2);
        b.set(l, "padding", Padding{});
        check(b, {27, 27, 96}, 0, 0);
        QCOMPARE(last(b.make()).division, Division::channelwise);
    }
    void pooling_rounding_up() {  // 112: valid 55, rounded up 56, the last window hangs over
        Builder b;
        const int l = b.pool(b.input({112, 112, 1}), 3, 2);
        b.set(l, "padding", Padding{});
        check(b, {55, 55, 1}, 0, 0);
        b.set(l, "ceil", true);
        check(b, {56, 56, 1}, 0, 0);
    }
    void pooling_never_begins_outside() {  // 4 cells, windows of 1 every 3: at 0 and 3; a third would begin at 6
        Builder b;
        const int l = b.pool(b.input({5, 5, 1}), 1, 3);
        b.set(l, "padding", Padding{});
        b.set(l, "ceil", true);
        check(b, {2, 2, 1}, 0, 0);
    }
    void layers_that_keep_the_shape() {
        for (const char* kind : {"activation", "dropout", "lrn", "softmax"}) {
            Builder b;
            b.simple(kind, {b.input({3, 4, 5})});
            check(b, {3, 4, 5}, 0, 0);
        }
        Builder b;
        b.batch_norm(b.input({3, 4, 5}));
        check(b, {3, 4, 5}, 10, 0);
    }
    void global_pooling() {
        Builder b;
        b.global_pool(b.input({7, 7, 512}));
        check(b, {512}, 0, 0);
    }
    void upsampling() {
        Builder b;
        b.upsample(b.input({4, 3, 2}), 3);
        check(b, {12, 9, 2}, 0, 0);
    }
    void concatenation() {
        Builder b;
        const int i = b.input({4, 4, 3});
        b.concat({i, b.conv(i, 8, 1), b.conv(i, 6, 1)});
        check(b, {4, 4, 17}, 0, 0);
        QCOMPARE(last(b.make()).in_elements, 16 * 17);
    }
    void sum() {
        Builder b;
        const int i = b.input({4, 4, 3});
        b.add({i, b.conv(i, 3, 1), i});
        check(b, {4, 4, 3}, 0, 0);
        QCOMPARE(last(b.make()).in_elements, 3 * 48);
    }
    void views() {
        Builder b;
        b.flatten(b.input({4, 4, 3}));
        check(b, {48}, 0, 0);
        Builder r;
        r.reshape(r.input({48}), {2, 2, 12});
        check(r, {2, 2, 12}, 0, 0);
        QCOMPARE(last(r.make()).division, Division::view);
    }
    void trained_tensor() {
        Builder b;
        b.input({1});
        b.parameter({6, 16});
        check(b, {6, 16}, 96, 0);
    }

    void dense_at_every_position() {
        Builder b;
        b.set(b.dense(b.input({6, 16}), 32), "per_position", true);
        check(b, {6, 32}, 16 * 32 + 32, 6 * 16 * 32);
    }
    // [2 × 4 × 6] · [6 × 5]: 40 sums of 6; each input's gradient is a product as large
    void matrix_product() {
        Builder b;
        const int l = b.simple("matmul", {b.input({2, 4, 6}), b.input({6, 5})});
        check(b, {2, 4, 5}, 0, 240);
        QCOMPARE(last(b.make()).input_multiply_adds, 480);
        QCOMPARE(last(b.make()).weight_multiply_adds, 0);
        QCOMPARE(last(b.make()).launches, (std::array<std::int64_t, 3>{1, 2, 1}));
        b.set(l, "transpose_b", true);
        const auto wrong = Network::make(b.draft());
        QVERIFY(!wrong && QString::fromStdString(to_text(wrong.error()[0])).contains("are not the rows"));
        Builder t;
        const int m = t.simple("matmul", {t.input({6, 4}), t.input({5, 6})});
        t.set(m, "transpose_a", true);
        t.set(m, "transpose_b", true);
        check(t, {4, 5}, 0, 120);
    }
    // 4 heads 4 wide over 2 heads of keys, values 5 wide; 6 queries and 6 keys: 36 pairs, 21 of them causal
    void attention() {
        Builder b;
        const int l = b.simple("attention", {b.input({6, 16}), b.input({6, 8}), b.input({6, 10})});
        b.set(l, "heads", std::int64_t{4});
        b.set(l, "kv_heads", std::int64_t{2});
        check(b, {6, 20}, 0, 4 * 36 * (4 + 5));
        QCOMPARE(last(b.make()).input_multiply_adds, 2 * 4 * 36 * 9 + 4 * 36 * 4);  // and the scores once more
        QCOMPARE(last(b.make()).kept_elements, 4 * 6);
        QCOMPARE(last(b.make()).forward.own, 4 * 6);
        QVERIFY(last(b.make()).keeps_input && last(b.make()).keeps_output);
        b.set(l, "causal", true);
        check(b, {6, 20}, 0, 4 * 21 * 9);
        b.set(l, "window", std::int64_t{2});  // the first sees one key, the others two
        check(b, {6, 20}, 0, 4 * 11 * 9);
        b.set(l, "flash", false);  // computes what the mask hides
        check(b, {6, 20}, 0, 4 * 36 * 9);
        const LayerFacts f = last(b.make());
        QCOMPARE(f.input_multiply_adds, 2 * 4 * 36 * 9);
        QCOMPARE(f.kept_elements, 4 * 36);
        QCOMPARE(f.forward.own, 4 * 4 * 36);
        QCOMPARE(f.grad_input.own, 7 * 4 * 36);
        QCOMPARE(f.launches, (std::array<std::int64_t, 3>{3, 5, 1}));
        QVERIFY(f.keeps_input && !f.keeps_output);
    }
    void attention_to_more_and_fewer_keys() {
        struct Row {
            std::int64_t queries, keys, window, pairs;
        };
        // the last query sees the last key: 5 + 6; windows of 4 are full; of 6 queries the last two see 1 and 2
        for (const Row& row : {Row{2, 6, 0, 11}, Row{2, 6, 4, 8}, Row{6, 2, 0, 3}, Row{5, 5, 1, 5}}) {
            Builder b;
            const int l =
                b.simple("attention", {b.input({row.queries, 3}), b.input({row.keys, 3}), b.input({row.keys, 3})});
            b.set(l, "heads", std::int64_t{1});
            b.set(l, "causal", true);
            b.set(l, "window", row.window);
            check(b, {row.queries, 3}, 0, row.pairs * 6);
        }
    }
    void embedding() {
        Builder b;
        const int l = b.simple("embedding", {b.input({6})});
        b.set(l, "vocabulary", std::int64_t{50});
        b.set(l, "width", std::int64_t{16});
        check(b, {6, 16}, 800, 0);
        QCOMPARE(last(b.make()).division, Division::weights);
        QCOMPARE(last(b.make()).grad_weights.outputs, 3.0);
    }
    void normalizations() {
        struct Row {
            const char* kind;
            std::int64_t weights, kept;
            Division division;
        };
        for (const Row& row :
             {Row{"layer_norm", 10, 24, Division::mixing}, Row{"rms_norm", 5, 12, Division::mixing},
              Row{"group_norm", 10, 2, Division::mixing}, Row{"instance_norm", 10, 10, Division::channelwise},
              Row{"scale", 10, 0, Division::channelwise}}) {
            Builder b;
            const int l = b.simple(row.kind, {b.input({3, 4, 5})});
            if (b.kind(l) == "group_norm") b.set(l, "groups", std::int64_t{1});
            check(b, {3, 4, 5}, row.weights, 0);
            QCOMPARE(last(b.make()).kept_elements, row.kept);
            QCOMPARE(last(b.make()).division, row.division);
            QVERIFY(last(b.make()).keeps_input);
            b.set(l, "scale", false);
            if (b.kind(l) != "rms_norm" && b.kind(l) != "scale") {
                b.set(l, "bias", false);
                check(b, {3, 4, 5}, 0, 0);
            }
        }
    }
    void gates_and_elements() {
        Builder b;
        b.simple("glu", {b.input({3, 8})});
        check(b, {3, 4}, 0, 0);
        Builder e;
        const int l = e.simple("elementwise", {e.input({3, 4}), e.input({4}), e.input({3, 1})});
        check(e, {3, 4}, 0, 0);
        QVERIFY(last(e.make()).division == Division::mixing && last(e.make()).keeps_input);
        e.set(l, "operation", std::string("add"));
        QVERIFY(!last(e.make()).keeps_input);
        QCOMPARE(last(e.make()).grad_input.outputs, 1.0);
        Builder same;
        const int i = same.input({3, 4});
        same.simple("elementwise", {i, i});
        check(same, {3, 4}, 0, 0);
        QCOMPARE(last(same.make()).division, Division::channelwise);
        Builder c;
        c.simple("cross_entropy", {c.input({6, 50}), c.input({6})});
        check(c, {1}, 0, 0);
        Builder p;
        p.set(p.activation(p.input({3, 4})), "function", std::string("prelu"));
        check(p, {3, 4}, 4, 0);
        QVERIFY(last(p.make()).keeps_input && !last(p.make()).keeps_output);
    }
    // 6 steps; a gate is a product of (input and state) · units
    void recurrent() {
        Builder b;
        int l = b.simple("lstm", {b.input({6, 16})});
        b.set(l, "units", std::int64_t{12});
        check(b, {6, 12}, 4 * 12 * (16 + 12) + 2 * 4 * 12, 6 * 4 * 12 * (16 + 12));
        QCOMPARE(last(b.make()).launches, (std::array<std::int64_t, 3>{6, 6, 1}));
        QCOMPARE(last(b.make()).kept_elements, 6 * 5 * 12);  // gates and cells; the states are the output
        QCOMPARE(last(b.make()).forward.weights, 6.0);
        Builder g;  // two directions side by side, the second layer reads both
        l = g.simple("gru", {g.input({6, 10})});
        g.set(l, "units", std::int64_t{6});
        g.set(l, "layers", std::int64_t{2});
        g.set(l, "bidirectional", true);
        const std::int64_t products = 2 * 3 * 6 * (10 + 6) + 2 * 3 * 6 * (12 + 6);
        check(g, {6, 12}, products + 2 * 2 * 2 * 3 * 6, 6 * products);
        QCOMPARE(last(g.make()).launches[0], 24);
        QCOMPARE(last(g.make()).kept_elements, 24 * 5 * 6 - 6 * 12);
        Builder r;
        l = r.simple("rnn", {r.input({6, 12})});
        r.set(l, "units", std::int64_t{16});
        r.set(l, "biases", std::int64_t{1});
        r.set(l, "return_sequences", false);
        check(r, {16}, 16 * (12 + 16) + 16, 6 * 16 * (12 + 16));
        QCOMPARE(last(r.make()).kept_elements, 6 * 16);
    }

    // 6 positions 5 wide; each meets the router's 5·4 weights and 2 of 4 experts with three matrices of 5·8
    void mixture_of_experts() {
        Builder b;
        const int l = b.simple("mixture_of_experts", {b.input({6, 5})});
        b.set(l, "experts", std::int64_t{4});
        b.set(l, "hidden", std::int64_t{8});
        check(b, {6, 5}, 20 + 4 * 120, 6 * (20 + 2 * 120));
        QCOMPARE(last(b.make()).weight_multiply_adds, 6 * 260);
        QCOMPARE(last(b.make()).kept_elements, 6 * (2 * 24 + 4 + 2 * 5));
        QCOMPARE(last(b.make()).forward.own, 6 * (2 * 48 + 2 * 4 + 4 * 2 * 5));
        QCOMPARE(last(b.make()).launches, (std::array<std::int64_t, 3>{7, 7, 3}));
        b.set(l, "gated", false);
        b.set(l, "shared_experts", std::int64_t{1});  // everybody's, beside the chosen two
        check(b, {6, 5}, 20 + 5 * 80, 6 * (20 + 3 * 80));
        QCOMPARE(last(b.make()).launches, (std::array<std::int64_t, 3>{10, 10, 5}));
        b.set(l, "top_k", std::int64_t{5});
        const auto wrong = Network::make(b.draft());
        QVERIFY(!wrong && QString::fromStdString(to_text(wrong.error()[0])).contains("5 of 4 experts"));
    }

    void unknown_kinds() {  // the shape given, else the first input's
        Builder b;
        const int i = b.input({4, 4, 3}), j = b.input({7});
        const int l = b.unknown({i, j});
        b.set(l, "type", std::string("Foo"));
        check(b, {4, 4, 3}, 0, 0);
        QCOMPARE(last(b.make()).in_elements, 48 + 7);
        QCOMPARE(last(b.make()).division, Division::mixing);
        QVERIFY(last(b.make()).keeps_input && !last(b.make()).keeps_output);
        QCOMPARE(b.make()->unknown_kinds(), 1);
        QCOMPARE(about_unknown_kinds(*b.make()), "1 layer of unknown kind (type Foo) is priced by the bytes it moves.");
        b.set(b.unknown({l}, {5}), "type", std::string("Bar"));
        b.set(b.unknown({}, {6, 2}), "type", std::string("Foo"));
        check(b, {6, 2}, 0, 0);
        QCOMPARE(b.make()->facts()[3].output, Shape{5});
        QCOMPARE(b.make()->unknown_kinds(), 3);
        QCOMPARE(about_unknown_kinds(*b.make()),
                 "3 layers of unknown kind (types Bar and Foo) are priced by the bytes they move.");
        for (int k = 0; k < 8; ++k) b.set(b.unknown({l}), "type", "Type" + std::to_string(k));
        QVERIFY(about_unknown_kinds(*b.make()).find("Type5 and 2 more)") != std::string::npos);
        Builder known;
        known.activation(known.input({3}));
        QCOMPARE(known.make()->unknown_kinds(), 0);
        QVERIFY(about_unknown_kinds(*known.make()).empty());
        QVERIFY(problem(draft_of({source(1, "a", {3}), layer(2, "b", "unknown", {})})).contains("needs a shape"));
    }

    // How often each pass reads inputs, writes outputs, and touches weights.
    void traffic() {
        struct Row {
            const char* kind;
            Traffic forward, input, weights;
        };
        const Row rows[] = {{"batch_norm", {2, 1, 0}, {3, 2, 0}, {}}, {"activation", {1, 1, 0}, {1, 2, 0}, {}},
                            {"dropout", {1, 1, 0}, {1, 1, 0}, {}},    {"lrn", {1, 1, 0}, {2, 2, 0}, {}},
                            {"softmax", {1, 1, 0}, {1, 2, 0}, {}},    {"flatten", {}, {}, {}},
                            {"unknown", {1, 1, 0}, {2, 1, 0}, {}}};
        auto same = [](const Traffic& a, const Traffic& b) {
            return a.inputs == b.inputs && a.outputs == b.outputs && a.weights == b.weights;
        };
        for (const Row& row : rows) {
            Builder b;
            b.simple(row.kind, {b.input({4, 4, 2})});
            const auto n = b.make();
            QVERIFY2(same(last(n).forward, row.forward) && same(last(n).grad_input, row.input) &&
                         same(last(n).grad_weights, row.weights),
                     row.kind);
        }
        Builder b;
        b.dense(b.conv(b.input({4, 4, 2}), 3, 3), 5);
        const auto n = b.make();
        for (std::size_t l : {std::size_t{1}, std::size_t{2}})
            QVERIFY(same(n->facts()[l].forward, {1, 1, 1}) && same(n->facts()[l].grad_input, {1, 1, 1}) &&
                    same(n->facts()[l].grad_weights, {1, 1, 1}));
        Builder c;
        const int i = c.conv(c.input({4, 4, 2}), 3, 3);
        c.concat({c.add({i, i}), i});
        QVERIFY(same(c.make()->facts()[2].forward, {1, 1, 0}) &&
                same(c.make()->facts()[2].grad_input, {}));  // gradients pass without a copy
        QVERIFY(same(last(c.make()).forward, {1, 1, 0}) && same(last(c.make()).grad_input, {1, 1, 0}));
    }

    void order_roots_and_reads() {
        // written backwards: sorting puts inputs first, and keeps the written order otherwise
        auto sum = layer(7, "sum", "add", {5, 6});
        auto view = layer(5, "view", "flatten", {2});
        auto again = layer(6, "again", "flatten", {2});
        const auto n = Network::make(draft_of({sum, view, again, source(2, "data", {2, 3})}));
        QVERIFY(n.has_value());
        const Network& net = **n;
        QCOMPARE(net.layers()[0].name, "data");
        QCOMPARE(net.layers()[1].name, "view");
        QCOMPARE(net.layers()[3].name, "sum");
        QCOMPARE(net.inputs(3).size(), 2u);
        QCOMPARE(net.reads(3).size(), 1u);  // both are views of the same tensor
        QCOMPARE(net.reads(3)[0], 0);
        QCOMPARE(net.root(1), 0);
        QCOMPARE(net.root(3), 3);
        QCOMPARE(net.position(LayerId{6}), std::optional<int>(2));
        QCOMPARE(net.position("sum"), std::optional<int>(3));
        QCOMPARE(net.position(LayerId{9}), std::optional<int>());
        QCOMPARE(net.position("nothing"), std::optional<int>());
    }

    void positions_of_all() {
        const auto n = support::preset("inception-v3");
        for (int l = 0; l < n->size(); ++l) {
            QCOMPARE(n->position(n->layers()[static_cast<std::size_t>(l)].id), std::optional<int>(l));
            QCOMPARE(n->position(n->layers()[static_cast<std::size_t>(l)].name), std::optional<int>(l));
        }
    }

    /// After all of them: a new kind needs its own lines above.
    void every_kind_was_worked_out() {
        worked_out_.insert(find_kind("input"));
        for (const Kind* kind : all_kinds()) QVERIFY2(worked_out_.contains(kind), std::string(kind->name).c_str());
    }

    void what_is_wrong_is_said() {
        QVERIFY(problem({}).contains("no layers"));
        QVERIFY(problem(draft_of({layer(1, "a", "activation", {})})).contains("takes one input"));
        QVERIFY(problem(draft_of({source(1, "a", {3}), layer(2, "b", "activation", {9})})).contains("does not exist"));
        QVERIFY(problem(draft_of({source(1, "a", {3}), layer(2, "a", "activation", {1})}))
                    .contains("Two layers are called"));
        QVERIFY(problem(draft_of({source(1, "a", {3}), layer(1, "b", "activation", {1})})).contains("the number 1"));
        QVERIFY(
            problem(draft_of({source(1, "a", {3}), layer(2, "b", "activation", {3}), layer(3, "c", "activation", {2})}))
                .contains("cycle"));
        auto conv = layer(2, "b", "convolution", {1});
        set(conv, "filters", std::int64_t{4});
        set(conv, "kernel", std::vector<std::int64_t>{3, 3});
        QVERIFY(problem(draft_of({source(1, "a", {7}), conv})).contains("height × width × channels"));
        QVERIFY(problem(draft_of({source(1, "a", {2, 2, 1}), conv})).contains("does not fit"));
        set(conv, "groups", std::int64_t{3});
        QVERIFY(problem(draft_of({source(1, "a", {8, 8, 4}), conv})).contains("Groups must divide the input channels"));
        QVERIFY(problem(draft_of({source(1, "a", {8, 8, 3}), conv})).contains("Groups must divide the filters"));
        auto reshape = layer(2, "b", "reshape", {1});
        set(reshape, "shape", std::vector<Dim>{Dim{1, "batch"}, Dim{5, ""}});
        QVERIFY(problem(draft_of({source(1, "a", {2, 3}), reshape})).contains("keeps the number of elements"));
        QVERIFY(problem(draft_of({source(1, "a", {2, 3}), source(2, "b", {3, 2}), layer(3, "c", "add", {1, 2})}))
                    .contains("addition differ"));
        QVERIFY(problem(draft_of({source(1, "a", {2, 3}), source(2, "b", {3, 2}), layer(3, "c", "concat", {1, 2})}))
                    .contains("concatenation differ"));
        auto dense = layer(2, "b", "dense", {1});
        set(dense, "units", std::int64_t{1} << 30);
        QVERIFY(problem(draft_of({source(1, "a", {1 << 20, 1 << 20}), dense})).contains("too large"));
        QVERIFY(problem(draft_of({source(1, "a", {1LL << 30, 1LL << 30})})).contains("too large"));
        auto drop = layer(2, "b", "dropout", {1});
        set(drop, "rate", 1.0);
        QVERIFY(problem(draft_of({source(1, "a", {3}), drop})).contains("between 0 and 1"));
    }

    void problems_name_the_layer_and_do_not_repeat() {
        auto pool = layer(2, "pool", "pooling", {1});
        set(pool, "kernel", std::vector<std::int64_t>{9, 9});
        const auto n = Network::make(draft_of({source(1, "data", {3, 3, 1}), pool, layer(3, "after", "activation", {2}),
                                               layer(4, "more", "add", {2, 3})}));
        QVERIFY(!n.has_value());
        QCOMPARE(n.error().size(), 1u);  // what follows from it is not reported again
        QCOMPARE(n.error()[0].where, "pool");
    }

    void names_of_blocks() {
        QCOMPARE(leaf_name("Mixed_5b/branch1x1"), "branch1x1");
        QCOMPARE(block_name("Mixed_5b/branch1x1"), "Mixed_5b");
        QCOMPARE(block_name("fc"), "");
        QCOMPARE(to_text(Shape{54, 54, 64}), "54×54×64");
        QCOMPARE(to_text(Shape{}), "1");
    }
};

QTEST_APPLESS_MAIN(TestNetwork)
#include "tst_network.moc"
