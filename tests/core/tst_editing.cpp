// SPDX-License-Identifier: GPL-3.0-or-later
// What gestures on a drawn network do to it, one after the other.
#include <QtTest>

#include "core/base/limits.hpp"
#include "core/network/editing/edit.hpp"
#include "core/network/editing/names.hpp"
#include "support_editing.hpp"
#include "support_networks.hpp"

using namespace scalescope;
using namespace scalescope::editing;
using support::Desk;
using support::text_of;

namespace {

using Sizes = std::vector<std::int64_t>;

const Kind& kind(std::string_view name) { return *find_kind(name); }

std::vector<Dim> image(std::int64_t h, std::int64_t w, std::int64_t c) {
    return {{1, "batch"}, {h, {}}, {w, {}}, {c, {}}};
}

Edit behind(const Desk& d, std::string_view what, std::string_view source, Readers readers = Readers::stay) {
    const std::vector<LayerId> sources{d.id(source)};
    return insert_behind(d.draft, kind(what), sources, readers);
}

Edit set(const Desk& d, std::string_view layer, std::string_view name, const AttributeValue& value) {
    const std::vector<LayerId> layers{d.id(layer)};
    return set_attribute(d.draft, layers, name, value);
}

Edit without(const Desk& d, const std::vector<std::string>& names) {
    std::vector<LayerId> ids;
    for (const auto& n : names) ids.push_back(d.id(n));
    return remove_layers(d.draft, ids);
}

/// 32×32×3 data, conv1 … of 16 filters each.
Desk chain(int convolutions) {
    Desk d;
    d(insert_alone(d.draft, kind("input")));
    d(set(d, "input", "shape", image(32, 32, 3)));
    std::string last = "input";
    for (int i = 1; i <= convolutions; ++i) {
        d(behind(d, "convolution", last));
        last = "conv" + std::to_string(i);
        if (i == 1) d(set(d, last, "filters", std::int64_t{16}));
    }
    return d;
}

}  // namespace

class TestEditing : public QObject {
    Q_OBJECT

private slots:
    /// What somebody sets is no longer assumed; all other edits keep what is.
    void an_assumption_ends_when_a_value_is_set() {
        Desk d = chain(3);
        for (Layer& l : d.draft.layers) l.assumed = "Assumed: a chain.";
        const auto assumed = [&](std::string_view name) { return !d.find(name)->assumed.empty(); };
        d(rename_layer(d.draft, d.id("conv3"), "last"));
        d(set(d, "conv1", "filters", std::int64_t{8}));
        d(change_kind(d.draft, d.id("conv2"), kind("pooling")));
        QVERIFY(!assumed("conv1") && !assumed("conv2") && assumed("last") && assumed("input"));
    }

    /// LeNet-5 as Caffe has it: 520 + 25,050 + 400,500 + 5,010 parameters.
    void lenet() {
        Desk d;
        d(insert_alone(d.draft, kind("input")));
        d(set(d, "input", "shape", image(28, 28, 1)));
        d(behind(d, "convolution", "input"));
        d(set(d, "conv1", "filters", std::int64_t{20}));
        d(set(d, "conv1", "kernel", Sizes{5, 5}));
        d(set(d, "conv1", "padding", Padding{}));
        d(behind(d, "pooling", "conv1"));
        d(behind(d, "convolution", "pool1"));
        d(set(d, "conv2", "filters", std::int64_t{50}));
        d(set(d, "conv2", "kernel", Sizes{5, 5}));
        d(set(d, "conv2", "padding", Padding{}));
        d(behind(d, "pooling", "conv2"));
        d(behind(d, "dense", "pool2"));
        d(set(d, "fc1", "units", std::int64_t{500}));
        d(behind(d, "activation", "fc1"));
        d(behind(d, "dense", "relu1"));
        d(set(d, "fc2", "units", std::int64_t{10}));
        d(behind(d, "softmax", "fc2"));
        QVERIFY(d.calls <= 30);
        const auto network = Network::make(d.draft);
        QVERIFY2(network.has_value(), qPrintable(d.faults()));
        QCOMPARE((*network)->parameters(), 431'080);
        QCOMPARE(d.shape("pool2"), QString("4×4×50"));
    }

    void a_new_layer_is_called_like_the_others() {
        Desk d = chain(2);
        d(rename_layer(d.draft, d.id("conv2"), "block/conv2"));
        d(behind(d, "convolution", "block/conv2"));
        QCOMPARE(d.selection(), QString("block/conv3"));
        d(rename_layer(d.draft, d.id("block/conv3"), "block/3a_1x1"));  // no number in a row
        d(behind(d, "convolution", "block/3a_1x1"));
        QCOMPARE(d.selection(), QString("block/conv3"));
        const std::vector<LayerId> both{d.id("conv1"), d.id("block/conv2")};
        d(insert_behind(d.draft, kind("concat"), both));
        QCOMPARE(d.selection(), QString("concat1"));
        QCOMPARE(d.inputs("concat1"), QString("conv1 block/conv2"));
        QCOMPARE(d.shape("concat1"), QString("32×32×32"));
    }

    void a_new_layer_checks_at_once() {
        for (const Shape& shape : {Shape{32, 32, 3}, Shape{1, 1, 10}, Shape{6, 64}, Shape{64}, Shape{5, 6, 7, 8}})
            for (const Kind* k : all_kinds()) {
                if (k->max_inputs == 0 || k->min_inputs > 1) continue;
                Desk d;
                d(insert_alone(d.draft, kind("input")));
                std::vector<Dim> dims{{1, "batch"}};
                for (auto size : shape) dims.push_back({size, {}});
                d(set(d, "input", "shape", dims));
                d(behind(d, k->name, "input"));
                // What needs axes of a window, or an even number of channels says so.
                const QString why = d.faults();
                QVERIFY2(why.isEmpty() || why.contains("needs height") || why.contains("needs sequence") ||
                             why.contains("needs length") || why.contains("axes before the channels") ||
                             why.contains("cannot be halved") || why.contains("pairs of channels"),
                         qPrintable(QString("%1: %2").arg(k->name.data(), why)));
            }
    }

    void on_an_edge_it_keeps_what_follows_whole() {
        Desk d = chain(1);
        d(behind(d, "convolution", "conv1"));
        const std::vector<LayerId> both{d.id("conv1"), d.id("conv2")};
        d(insert_behind(d.draft, kind("add"), both));
        for (const Kind* k : all_kinds()) {
            if (k->max_inputs == 0 || k->min_inputs > 1) continue;
            const auto edit = insert_on_edge(d.draft, *k, d.id("add1"), 1);
            QVERIFY(edit.has_value());
            const Sketch sketch(edit->draft);
            const bool changes = k->name == "global_pooling" || k->name == "flatten" || k->name == "glu" ||
                                 k->name == "embedding" || k->name == "cross_entropy" || k->name == "rnn" ||
                                 k->name == "lstm" || k->name == "gru" || k->name == "reduce" || k->name == "argmax" ||
                                 k->name == "loss";
            QVERIFY2(sketch.faults.empty() != changes, k->name.data());
        }
        QVERIFY(!insert_on_edge(d.draft, kind("convolution"), d.id("add1"), 2));
        QVERIFY(!insert_on_edge(d.draft, kind("input"), d.id("add1"), 1));
        d(insert_on_edge(d.draft, kind("pooling"), d.id("add1"), 0));
        QCOMPARE(d.inputs("add1"), QString("pool1 conv2"));
        QCOMPARE(d.inputs("pool1"), QString("conv1"));
        QCOMPARE(d.inputs("conv2"), QString("conv1"));
        QCOMPARE(d.names(), QString("input conv1 conv2 pool1 add1"));
    }

    void readers_follow_or_stay() {
        Desk d = chain(2);
        d(behind(d, "activation", "conv1"));
        QCOMPARE(d.inputs("conv2"), QString("conv1"));
        d(behind(d, "batch_norm", "conv1", Readers::follow));
        QCOMPARE(d.inputs("conv2"), QString("bn1"));
        QCOMPARE(d.inputs("relu1"), QString("bn1"));
        QCOMPARE(d.inputs("bn1"), QString("conv1"));
    }

    void what_reads_a_removed_layer_reads_its_input() {
        Desk d = chain(3);
        const NetworkDraft before = d.draft;
        d(without(d, {"conv2"}));
        QCOMPARE(d.inputs("conv3"), QString("conv1"));
        QCOMPARE(d.selection(), QString("conv1"));
        d.draft = before;
        d(without(d, {"conv1", "conv2"}));
        QCOMPARE(d.inputs("conv3"), QString("input"));
        d(without(d, {"input"}));
        QCOMPARE(d.inputs("conv3"), QString("?"));
        QVERIFY(d.faults().contains("Nothing is connected"));
        d(without(d, {"conv3"}));
        QVERIFY(d.draft.layers.empty());
    }

    /// Of what a sum reads, and of what a product of different shapes reads.
    void of_several_inputs_the_one_of_its_shape_is_read() {
        Desk d = chain(1);
        d(behind(d, "global_pooling", "conv1"));
        const std::vector<LayerId> both{d.id("global_pooling1"), d.id("conv1")};
        d(insert_behind(d.draft, kind("elementwise"), both));
        d(behind(d, "activation", "elementwise1"));
        QCOMPARE(d.shape("relu1"), QString("32×32×16"));
        d(without(d, {"elementwise1"}));
        QCOMPARE(d.inputs("relu1"), QString("conv1"));
    }

    void a_place_that_means_something_stays_open() {
        Desk d;
        d(insert_alone(d.draft, kind("input")));
        d(set(d, "input", "shape", std::vector<Dim>{{1, "batch"}, {16, {}}, {64, {}}}));
        d(insert_alone(d.draft, kind("input")));
        QCOMPARE(d.selection(), QString("input2"));
        QCOMPARE(d.shape("input2"), QString("16×64"));
        d(behind(d, "attention", "input"));
        QCOMPARE(d.inputs("attention1"), QString("input input input"));
        QCOMPARE(d.shape("attention1"), QString("16×64"));
        d(connect_layers(d.draft, d.id("input2"), d.id("attention1"), 1));
        d(without(d, {"input2"}));
        QCOMPARE(d.inputs("attention1"), QString("input ? input"));
        d(connect_layers(d.draft, d.id("input"), d.id("attention1")));
        QCOMPARE(d.inputs("attention1"), QString("input input input"));
        QVERIFY(d.faults().isEmpty());
    }

    void connections() {
        Desk d = chain(3);
        d(insert_alone(d.draft, kind("concat")));
        d(connect_layers(d.draft, d.id("conv1"), d.id("concat1")));
        d(connect_layers(d.draft, d.id("conv2"), d.id("concat1")));
        d(connect_layers(d.draft, d.id("conv3"), d.id("concat1")));
        QCOMPARE(d.inputs("concat1"), QString("conv1 conv2 conv3"));
        d(connect_layers(d.draft, d.id("input"), d.id("concat1"), 2));
        QCOMPARE(d.inputs("concat1"), QString("conv1 conv2 input"));
        d(disconnect_input(d.draft, d.id("concat1"), 0));
        QCOMPARE(d.inputs("concat1"), QString("conv2 input"));
        d(connect_layers(d.draft, d.id("conv1"), d.id("conv3")));  // one input: it is replaced
        QCOMPARE(d.inputs("conv3"), QString("conv1"));
        d(disconnect_input(d.draft, d.id("conv3"), 0));
        QCOMPARE(d.inputs("conv3"), QString("?"));
        QVERIFY(text_of(connect_layers(d.draft, d.id("concat1"), d.id("conv1")).error()).contains("cycle"));
        QVERIFY(text_of(connect_layers(d.draft, d.id("conv1"), d.id("conv1")).error()).contains("cycle"));
        QVERIFY(text_of(connect_layers(d.draft, d.id("conv1"), d.id("input")).error()).contains("reads nothing"));
        QVERIFY(!connect_layers(d.draft, d.id("conv1"), d.id("conv3"), 1));
        QVERIFY(!connect_layers(d.draft, d.id("conv1"), LayerId{99}));
        QVERIFY(!disconnect_input(d.draft, d.id("concat1"), 2));
    }

    void attributes_are_held_against_the_table() {
        Desk d = chain(2);
        const std::vector<LayerId> both{d.id("conv1"), d.id("conv2")};
        d(set_attribute(d.draft, both, "activation", std::string("relu")));
        QCOMPARE(d.selection(), QString("conv1 conv2"));
        for (const char* name : {"conv1", "conv2"})
            QCOMPARE(std::get<std::string>(attribute(*d.find(name), "activation")), std::string("relu"));
        const auto why = [&](std::string_view name, const AttributeValue& value) {
            const auto edit = set(d, "conv1", name, value);
            return edit ? QString() : text_of(edit.error());
        };
        QVERIFY(why("filters", std::int64_t{0}).contains("from 1 to"));
        QVERIFY(why("filters", 3.0).contains("another type"));
        QVERIFY(why("kernel", Sizes(9, 3)).contains("another type"));
        QVERIFY(why("kernel", Sizes{3, 0}).contains("out of range"));
        QVERIFY(why("padding", Padding{Padding::Mode::explicit_sizes, -1, 0, 0, 0}).contains("out of range"));
        QVERIFY(why("activation", std::string("sinus")).contains("none, relu"));
        QVERIFY(why("rate", 0.5).contains("no attribute"));
        QVERIFY(!set(d, "input", "shape", std::vector<Dim>{{1, "batch"}}));
        QVERIFY(!set(d, "input", "shape", std::vector<Dim>{{1, "batch"}, {1, "rows"}}));
    }

    void names() {
        Desk d = chain(3);
        d(rename_layer(d.draft, d.id("conv1"), "a/conv1"));
        d(rename_layer(d.draft, d.id("conv2"), "a/b/conv2"));
        QVERIFY(text_of(rename_layer(d.draft, d.id("conv3"), "a/conv1").error()).contains("already"));
        for (const char* bad : {"", "/x", "x/", "x//y", "x\ny"}) QVERIFY(!rename_layer(d.draft, d.id("conv3"), bad));
        d(rename_layer(d.draft, d.id("conv3"), "conv3"));  // as it is
        d(rename_block(d.draft, "a", "stem"));
        QCOMPARE(d.names(), QString("input stem/conv1 stem/b/conv2 conv3"));
        QCOMPARE(d.selection(), QString("stem/conv1 stem/b/conv2"));
        d(rename_block(d.draft, "stem/b", "c"));
        QCOMPARE(d.names(), QString("input stem/conv1 c/conv2 conv3"));
        QVERIFY(!rename_block(d.draft, "stem/b", "d"));
        d(rename_layer(d.draft, d.id("conv3"), "stem/conv2"));
        QVERIFY(!rename_block(d.draft, "c", "stem"));
        QVERIFY(text_of(rename_block(d.draft, "", "all").error()).contains("no block"));
    }

    void the_network_has_a_name_too() {
        Desk d = chain(1);
        d(rename_network(d.draft, "LeNet-5 / 1998"));
        QCOMPARE(d.draft.name, std::string("LeNet-5 / 1998"));
        QCOMPARE(d.names(), QString("input conv1"));
        for (const char* bad : {"", "x\ny"}) QVERIFY(!rename_network(d.draft, bad));
        QVERIFY(!rename_network(d.draft, std::string(limits::name_bytes + 1, 'x')));
    }

    void another_kind_keeps_what_it_can() {
        Desk d = chain(2);
        d(set(d, "conv1", "kernel", Sizes{5, 5}));
        d(change_kind(d.draft, d.id("conv1"), kind("pooling")));
        QCOMPARE(std::get<Sizes>(attribute(*d.find("conv1"), "kernel")), (Sizes{5, 5}));
        QCOMPARE(d.inputs("conv1"), QString("input"));
        QCOMPARE(d.shape("conv1"), QString("32×32×3"));
        d(change_kind(d.draft, d.id("conv1"), kind("attention")));
        QCOMPARE(d.inputs("conv1"), QString("input ? ?"));
        d(change_kind(d.draft, d.id("conv1"), kind("input")));
        QCOMPARE(d.inputs("conv1"), QString());
        d(change_kind(d.draft, d.id("conv1"), kind("add")));
        QVERIFY(d.find("conv1")->inputs.empty());
    }

    void shared_weights_pass_to_the_next() {
        Desk d = chain(4);
        d(share_weights(d.draft, d.id("conv3"), d.id("conv2")));
        d(share_weights(d.draft, d.id("conv4"), d.id("conv3")));  // those of conv2 are meant
        QCOMPARE(d.find("conv4")->shares_weights_with.value, d.id("conv2").value);
        QVERIFY2(d.faults().isEmpty(), qPrintable(d.faults()));
        const std::int64_t parameters = (*Network::make(d.draft))->parameters();
        QVERIFY(!share_weights(d.draft, d.id("conv2"), d.id("conv4")));
        d(without(d, {"conv2"}));
        QCOMPARE(d.find("conv3")->shares_weights_with.value, LayerId{}.value);
        QCOMPARE(d.find("conv4")->shares_weights_with.value, d.id("conv3").value);
        QCOMPARE((*Network::make(d.draft))->parameters(), parameters);
        d(share_weights(d.draft, d.id("conv4"), LayerId{}));
        QVERIFY((*Network::make(d.draft))->parameters() > parameters);
    }

    void free_names() {
        Builder b;
        b.input({4});
        NetworkDraft draft = b.draft();
        for (const char* name : {"conv2", "conv12", "relu", "Mixed_5b", "a/conv7", "a_1x1"}) {
            draft.layers.push_back(draft.layers.front());
            draft.layers.back().name = name;
        }
        const Names names(draft);
        QCOMPARE(names.fresh("conv2"), std::string("conv13"));
        QCOMPARE(names.fresh("conv3"), std::string("conv3"));
        QCOMPARE(names.fresh("relu"), std::string("relu2"));
        QCOMPARE(names.fresh("Mixed_5b"), std::string("Mixed_5b_2"));
        QCOMPARE(names.fresh("a/conv7"), std::string("a/conv8"));
        QCOMPARE(names.fresh("a_1x1"), std::string("a_1x1_2"));
        QCOMPARE(names.fresh("a"), std::string("a2"));  // a block has that name
        QCOMPARE(names.numbered("", "pool"), std::string("pool1"));
    }

private:
    using Builder = support::Builder;
};

QTEST_APPLESS_MAIN(TestEditing)
#include "tst_editing.moc"
