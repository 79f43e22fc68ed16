// SPDX-License-Identifier: GPL-3.0-or-later
// Order, roots and positions of a network's layers; what makes one wrong.
#include <QtTest>

#include "core/base/limits.hpp"
#include "core/network/wording.hpp"
#include "support_kinds.hpp"

using namespace scalescope;
using support::Builder;
using support::check;
using support::last;
using support::problem;

namespace {

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

private slots:
    void sentences_about_layers() {
        QCOMPARE(a_layer(*find_kind("dense")), std::string("A dense layer"));
        QCOMPARE(a_layer(*find_kind("add")), std::string("An add layer"));
        QCOMPARE(a_layer(*find_kind("lstm")), std::string("An lstm layer"));
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

    /// A new kind needs a family, whose program then demands that it is worked out; unknown ones are, above.
    void every_kind_is_worked_out() {
        std::set<std::string_view> known{"input", "unknown"};
        for (const auto& [family, names] : support::kind_families) known.insert(names.begin(), names.end());
        for (const Kind* kind : all_kinds()) QVERIFY2(known.contains(kind->name), std::string(kind->name).c_str());
        QCOMPARE(known.size(), all_kinds().size());
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
        QCOMPARE(to_text(Shape{54, 54, 64}), "54×54×64");
        QCOMPARE(to_text(Shape{}), "1");
    }
};

QTEST_APPLESS_MAIN(TestNetwork)
#include "tst_network.moc"
