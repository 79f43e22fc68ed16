// SPDX-License-Identifier: GPL-3.0-or-later
// Copies, blocks and rows of blocks, also as text; what a scenario says of layers that go.
#include <QtTest>

#include "core/formats/network_json.hpp"
#include "core/network/editing/edit.hpp"
#include "core/network/editing/fragment.hpp"
#include "core/scenario/scenario.hpp"
#include "support_editing.hpp"
#include "support_networks.hpp"

using namespace scalescope;
using namespace scalescope::editing;
using support::Desk;
using support::text_of;

namespace {

const Kind& kind(std::string_view name) { return *find_kind(name); }

std::vector<LayerId> ids(const Desk& d, const std::vector<std::string>& names) {
    std::vector<LayerId> all;
    for (const auto& n : names) all.push_back(d.id(n));
    return all;
}

void put(Desk& d, std::string_view what, const std::string& name, const std::vector<std::string>& sources) {
    if (sources.empty())
        d(insert_alone(d.draft, kind(what)));
    else
        d(insert_behind(d.draft, kind(what), ids(d, sources)));
    d(rename_layer(d.draft, d.selected.front(), name));
}

/// input → stem → block { a, b } → end, with a connection around the block's convolutions.
Desk residual() {
    Desk d;
    put(d, "input", "input", {});
    put(d, "convolution", "stem", {"input"});
    put(d, "convolution", "block/a", {"stem"});
    put(d, "convolution", "block/b", {"block/a"});
    put(d, "add", "block/sum", {"stem", "block/b"});
    put(d, "global_pooling", "end", {"block/sum"});
    return d;
}

}  // namespace

class TestEditingBlocks : public QObject {
    Q_OBJECT

private slots:
    void copies_read_each_other_and_what_the_originals_read() {
        Desk d = residual();
        d(duplicate_layers(d.draft, ids(d, {"block/a", "block/b"})));
        QCOMPARE(d.selection(), QString("block/a2 block/b2"));
        QCOMPARE(d.inputs("block/a2"), QString("stem"));
        QCOMPARE(d.inputs("block/b2"), QString("block/a2"));
        QVERIFY2(d.faults().isEmpty(), qPrintable(d.faults()));
        d(duplicate_layers(d.draft, ids(d, {"stem"})));
        QCOMPARE(d.selection(), QString("stem2"));
    }

    void a_whole_block_is_copied_as_a_block() {
        Desk d = residual();
        d(duplicate_layers(d.draft, ids(d, {"block/a", "block/b", "block/sum"})));
        QCOMPARE(d.selection(), QString("block2/a block2/b block2/sum"));
        QCOMPARE(d.inputs("block2/sum"), QString("stem block2/b"));
        d(duplicate_layers(d.draft, ids(d, {"stem", "block/a", "block/b", "block/sum"})));
        QCOMPARE(d.selection(), QString("stem2 block3/a block3/b block3/sum"));
    }

    void layers_travel_as_text() {
        Desk d = residual();
        const auto fragment = copy_layers(d.draft, ids(d, {"block/a", "block/b", "block/sum"}));
        const std::string text = formats::write_fragment(*fragment);
        QVERIFY(formats::holds_layers(text));
        QVERIFY(!formats::holds_layers("milk, eggs"));
        const auto read = formats::read_fragment(text, "clipboard");
        QVERIFY2(read.has_value(), read ? "" : qPrintable(text_of(read.error())));
        QCOMPARE(read->outer.size(), std::size_t{1});
        QCOMPARE(read->outer[0].name, std::string("stem"));

        Desk other;  // with a layer of that name
        put(other, "input", "stem", {});
        other(paste_layers(other.draft, *read));
        QCOMPARE(other.names(), QString("stem block/a block/b block/sum"));
        QCOMPARE(other.inputs("block/sum"), QString("stem block/b"));
        other(paste_layers(other.draft, *read));
        QCOMPARE(other.selection(), QString("block2/a block2/b block2/sum"));

        Desk empty;  // and without
        empty(paste_layers(empty.draft, *read));
        QCOMPARE(empty.inputs("block/a"), QString("?"));
        QCOMPARE(empty.inputs("block/sum"), QString("block/b"));

        // Text that was read, with open inputs, once more.
        const auto again =
            formats::read_fragment(formats::write_fragment(*copy_layers(empty.draft, empty.selected)), "");
        QVERIFY(again.has_value());
        QVERIFY(again->layers[0].inputs == std::vector<LayerId>{LayerId{}});

        Desk whole;  // a network's file is text of layers too
        const auto all = formats::read_fragment(formats::write_network(d.draft), "");
        QVERIFY(all.has_value());
        whole(paste_layers(whole.draft, *all));
        QCOMPARE(whole.names(), d.names());
        QCOMPARE((*Network::make(whole.draft))->parameters(), (*Network::make(d.draft))->parameters());
    }

    void bad_text_is_said() {
        QVERIFY(!formats::read_fragment("milk, eggs", ""));
        QVERIFY(!formats::read_fragment("{}", ""));
        const auto why = formats::read_fragment(
            R"({"format": "scalescope-layers", "version": 1, "outer": ["stem"],
 "layers": [{"name": "a", "kind": "flatten", "inputs": ["stm"]}]})",
            "clipboard");
        QVERIFY(!why);
        QVERIFY2(text_of(why.error()).contains("clipboard:2") && text_of(why.error()).contains("mean \"stem\""),
                 qPrintable(text_of(why.error())));
    }

    void cut_and_paste_is_a_move() {
        Desk d = residual();
        const auto both = ids(d, {"block/a", "block/b"});
        const auto cut = copy_layers(d.draft, both);
        QVERIFY(cut.has_value());
        d(remove_layers(d.draft, both));
        QCOMPARE(d.inputs("block/sum"), QString("stem stem"));
        d(paste_layers(d.draft, *cut));
        QCOMPARE(d.inputs("block/b"), QString("block/a"));
        QCOMPARE(d.inputs("block/a"), QString("stem"));
        QVERIFY(!copy_layers(d.draft, {}));
    }

    void weights_are_shared_among_copies() {
        Desk d = residual();
        d(share_weights(d.draft, d.id("block/b"), d.id("block/a")));
        d(duplicate_layers(d.draft, ids(d, {"block/a", "block/b"})));
        QCOMPARE(d.find("block/b2")->shares_weights_with.value, d.id("block/a2").value);
        d(duplicate_layers(d.draft, ids(d, {"block/b"})));
        QCOMPARE(d.selection(), QString("block/b3"));
        QCOMPARE(d.find("block/b3")->shares_weights_with.value, d.id("block/a").value);
        QVERIFY2(d.faults().isEmpty(), qPrintable(d.faults()));
    }

    void symbols_travel_along() {
        Desk d;
        d.draft.symbols = {{"batch", 1, {}}, {"rows", 7, {}}};
        put(d, "input", "data", {});
        d(set_attribute(d.draft, d.selected, "shape", std::vector<Dim>{{1, "batch"}, {1, "rows"}}));
        const auto fragment =
            formats::read_fragment(formats::write_fragment(*copy_layers(d.draft, d.selected)), "clipboard");
        QVERIFY2(fragment.has_value(), fragment ? "" : qPrintable(text_of(fragment.error())));
        Desk other;
        other(paste_layers(other.draft, *fragment));
        QCOMPARE(other.draft.symbols.back().name, std::string("rows"));
        QCOMPARE(other.draft.symbols.back().initial, 7);
    }

    void group_and_ungroup() {
        Desk d = residual();
        const NetworkDraft before = d.draft;
        d(group_layers(d.draft, ids(d, {"block/a", "block/b"}), "path"));
        QCOMPARE(d.names(), QString("input stem block/path/a block/path/b block/sum end"));
        QVERIFY(!group_layers(d.draft, ids(d, {"stem", "end"}), "block"));
        QVERIFY(!group_layers(d.draft, ids(d, {"stem", "end"}), ""));
        QVERIFY(!group_layers(d.draft, {}, "x"));
        d(ungroup_block(d.draft, "block/path"));
        QVERIFY(support::same_draft(d.draft, before));
        d(rename_layer(d.draft, d.id("stem"), "a"));
        d(ungroup_block(d.draft, "block"));
        QCOMPARE(d.names(), QString("input a a2 b sum end"));
        QVERIFY(!ungroup_block(d.draft, "block"));
        d(group_layers(d.draft, ids(d, {"a2", "b", "sum"}), "deep/er"));
        QCOMPARE(d.names(), QString("input a deep/er/a2 deep/er/b deep/er/sum end"));
    }

    void a_row_of_blocks_grows_and_shrinks() {
        Desk d = residual();
        const NetworkDraft before = d.draft;
        QCOMPARE(row_of(d.draft, "block").size(), std::size_t{1});
        const auto parameters = [&] { return (*Network::make(d.draft))->parameters(); };
        const std::int64_t one = parameters(), convolutions = 2 * (64LL * 64 * 9 + 64);
        d(repeat_block(d.draft, "block", 4));
        QCOMPARE(d.names(), QString("input stem block/a block/b block/sum block2/a block2/b block2/sum "
                                    "block3/a block3/b block3/sum block4/a block4/b block4/sum end"));
        QCOMPARE(d.inputs("block3/sum"), QString("block2/sum block3/b"));
        QCOMPARE(d.inputs("end"), QString("block4/sum"));
        QCOMPARE(parameters(), one + 3 * convolutions);
        QCOMPARE(row_of(d.draft, "block3"), (std::vector<std::string>{"block", "block2", "block3", "block4"}));
        QCOMPARE(d.selected.size(), std::size_t{12});
        d(repeat_block(d.draft, "block2", 6));  // whichever of them is meant
        QCOMPARE(d.inputs("end"), QString("block6/sum"));
        d(repeat_block(d.draft, "block", 2));
        QCOMPARE(d.inputs("end"), QString("block2/sum"));
        QCOMPARE(parameters(), one + convolutions);
        d(repeat_block(d.draft, "block2", 1));
        QVERIFY(support::same_draft(d.draft, before));
        d(repeat_block(d.draft, "block", 1));
        QVERIFY(support::same_draft(d.draft, before));
    }

    void what_cannot_follow_itself_is_said() {
        Desk d = residual();
        put(d, "convolution", "more", {"stem"});
        put(d, "add", "block/again", {"block/sum", "more"});
        QVERIFY(text_of(repeat_block(d.draft, "block", 2).error()).contains("\"stem\" and \"more\""));
        d = residual();
        put(d, "convolution", "aside", {"block/a"});
        const QString why = text_of(repeat_block(d.draft, "block", 2).error());
        QVERIFY2(why.contains("\"block/a\" and \"block/sum\"") || why.contains("\"block/sum\" and \"block/a\""),
                 qPrintable(why));
        QVERIFY(!repeat_block(d.draft, "block", 0));
        QVERIFY(!repeat_block(d.draft, "nowhere", 2));
        QVERIFY(!repeat_block(d.draft, "stem", 2));  // a layer
        d = residual();
        QVERIFY(!repeat_block(d.draft, "block", 1'000'000'000));
        put(d, "input", "own/data", {});
        put(d, "flatten", "own/flat", {"own/data"});
        QVERIFY(text_of(repeat_block(d.draft, "own", 2).error()).contains("reads nothing outside"));
    }

    void blocks_that_differ_are_no_row() {
        Desk d = residual();
        d(repeat_block(d.draft, "block", 3));
        d(set_attribute(d.draft, ids(d, {"block2/a"}), "kernel", std::vector<std::int64_t>{5, 5}));
        QCOMPARE(row_of(d.draft, "block").size(), std::size_t{1});
        QCOMPARE(row_of(d.draft, "block3").size(), std::size_t{1});
        QVERIFY(row_of(d.draft, "nowhere").empty());
    }

    void a_scenario_follows_its_network() {
        Desk d = residual();
        d(repeat_block(d.draft, "block", 3));
        Scenario s;
        s.workload.emplace_back();
        s = with_edited_network(s, 0, *Network::make(d.draft));
        s.training.frozen = ids(d, {"stem", "block2/a"});
        std::sort(s.training.frozen.begin(), s.training.frozen.end());
        s.parallelism.cut_auto = false;
        s.parallelism.cut = d.id("block2/b");
        s.parallelism.boundaries = ids(d, {"block2/a", "block2/b", "block3/a"});
        const Scenario same = with_edited_network(s, 0, *Network::make(d.draft));
        QVERIFY(same.training == s.training && same.parallelism == s.parallelism);

        d(rename_layer(d.draft, d.id("stem"), "trunk"));
        d(remove_layers(d.draft, ids(d, {"block2/a", "block2/b"})));
        const auto network = *Network::make(d.draft);
        const Scenario r = with_edited_network(s, 0, network);
        QCOMPARE(r.network(), network.get());
        QVERIFY(r.training.frozen == ids(d, {"trunk"}));
        QCOMPARE(r.parallelism.cut.value, d.id("block2/sum").value);
        QVERIFY(r.parallelism.boundaries == ids(d, {"block2/sum", "block3/a"}));

        Desk fresh;
        put(fresh, "input", "data", {});
        fresh.draft.layers[0].id = LayerId{1000};
        const Scenario other = with_edited_network(s, 0, *Network::make(fresh.draft));
        QVERIFY(other.training.frozen.empty());
        QVERIFY(other.parallelism.boundaries.empty());
        QVERIFY(other.parallelism.cut_auto);
    }
};

QTEST_APPLESS_MAIN(TestEditingBlocks)
#include "tst_editing_blocks.moc"
