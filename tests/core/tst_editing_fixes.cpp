// SPDX-License-Identifier: GPL-3.0-or-later
// What is offered where something does not fit, and that it helps.
#include <QtTest>
#include <functional>

#include "core/formats/network_json.hpp"
#include "core/network/editing/edit.hpp"
#include "core/network/editing/fixes.hpp"
#include "support_editing.hpp"
#include "support_networks.hpp"

using namespace scalescope;
using namespace scalescope::editing;
using support::Builder;

namespace {

using Sizes = std::vector<std::int64_t>;

/// Titles of what is offered for the first fault.
QStringList offered(const NetworkDraft& draft) {
    const Sketch sketch(draft);
    QStringList titles;
    if (sketch.faults.empty()) return {"no fault"};
    for (const Fix& f : fixes_of(draft, sketch, sketch.faults.front())) titles << QString::fromStdString(f.title);
    return titles;
}

/// The draft after the fix of that title.
NetworkDraft after(const NetworkDraft& draft, const std::string& title) {
    const Sketch sketch(draft);
    for (const Fix& f : fixes_of(draft, sketch, sketch.faults.front()))
        if (f.title == title) return f.edited.draft;
    return {};
}

bool whole(const NetworkDraft& draft) { return Network::make(draft).has_value(); }

NetworkDraft case_of(const std::function<void(Builder&)>& build) {
    Builder b;
    build(b);
    return b.draft();
}

}  // namespace

class TestEditingFixes : public QObject {
    Q_OBJECT

private slots:
    void what_is_offered_data() {
        QTest::addColumn<std::function<void(Builder&)>>("build");
        QTest::addColumn<QString>("title");
        const auto row = [](const char* name, const char* title, std::function<void(Builder&)> build) {
            QTest::addRow("%s: %s", name, title) << build << QString(title);
        };
        const auto branches = [](std::int64_t stride, std::int64_t filters) {
            return [=](Builder& b) {
                const int in = b.input({35, 35, 8}), pool = b.pool(in, 3, stride, "average");
                b.concat({b.conv(in, 4, 1), b.conv(in, 4, 3), b.conv(pool, filters, 1)});
            };
        };
        row("a branch that halves", "Set stride to 1 in pooling_1", branches(2, 4));
        const auto shortcut = [](Builder& b) {
            const int in = b.input({56, 56, 64});
            b.add({b.conv(b.conv(in, 64, 3, 2), 256, 1), b.conv(in, 256, 1)});
        };
        row("a shortcut", "Set stride to 2 in convolution_3", shortcut);
        row("a shortcut", "Set stride to 1 in convolution_1", [](Builder& b) {
            const int in = b.input({56, 56, 64});
            b.add({in, b.conv(b.conv(in, 64, 3, 2), 64, 1)});
        });
        const auto identity = [](Builder& b) {
            const int in = b.input({56, 56, 64});
            b.add({b.conv(in, 256, 3), in});
        };
        row("channels", "Add a 1×1 convolution with 256 filters", identity);
        row("channels and size", "Add a 1×1 convolution with 256 filters and stride 2", [](Builder& b) {
            const int in = b.input({56, 56, 64});
            b.add({b.conv(in, 256, 3, 2), in});
        });
        row("filters", "Use 32 filters in convolution_2", [](Builder& b) {
            const int in = b.input({8, 8, 3});
            b.add({b.conv(in, 32, 3), b.conv(in, 16, 3)});
        });
        const auto valid = [](Builder& b) {
            const int in = b.input({13, 13, 3}), cut = b.conv(in, 8, 3, 1, 1, false);
            b.add({b.conv(in, 8, 1), cut});
        };
        row("padding", "Use padding \"same\" in convolution_1", valid);
        row("padding", "Use padding 1 in convolution_1", valid);
        row("padding", "Pad to 13 × 13 in convolution_1", [](Builder& b) {
            const int in = b.input({13, 13, 3}), cut = b.conv(in, 8, 4, 1, 1, false);
            b.add({b.conv(in, 8, 1), cut});
        });
        row("a map beside a vector", "Insert flatten", [](Builder& b) {
            const int in = b.input({4, 4, 3});
            b.concat({in, b.dense(in, 10)});
        });
        row("a map beside a vector", "Insert global pooling", [](Builder& b) {
            const int in = b.input({4, 4, 3});
            b.add({b.dense(in, 3), in});
        });
        row("an image from a vector", "Insert reshape to 1 × 1 × 48", [](Builder& b) { b.conv(b.input({48}), 4, 1); });
        row("an image from a flat one", "Connect input_0 instead", [](Builder& b) {
            b.conv(b.flatten(b.input({4, 4, 3})), 4, 1);
        });
        row("a sequence from an image", "Insert reshape to 16 × 3", [](Builder& b) {
            b.set(b.simple("lstm", {b.input({4, 4, 3})}), "units", std::int64_t{5});
        });
        row("a kernel too large", "Use a kernel of 4 × 4", [](Builder& b) {
            b.conv(b.input({4, 4, 3}), 8, 7, 1, 1, false);
        });
        row("a kernel too large", "Use padding \"same\"", [](Builder& b) {
            b.conv(b.input({4, 4, 3}), 8, 7, 1, 1, false);
        });
        row("groups", "Use 3 groups", [](Builder& b) { b.conv(b.input({4, 4, 6}), 9, 1, 1, 4); });
        row("groups and filters", "Use 10 filters", [](Builder& b) { b.conv(b.input({4, 4, 10}), 9, 1, 1, 5); });
        row("heads", "Use 8 heads", [](Builder& b) {
            const int in = b.input({16, 64});
            b.set(b.simple("attention", {in, in, in}), "heads", std::int64_t{12});
        });
        row("a product", "Transpose the second input", [](Builder& b) {
            b.simple("matmul", {b.input({4, 6}), b.input({5, 6})});
        });
        row("an odd half", "Use 10 units in dense_1", [](Builder& b) { b.simple("glu", {b.dense(b.input({4}), 9)}); });
        row("a reshape", "Reshape to 4 × 12", [](Builder& b) { b.reshape(b.input({4, 4, 3}), {5, 12}); });
        row("a rate", "Use a rate of 0.5", [](Builder& b) { b.set(b.dropout(b.input({4})), "rate", 1.5); });
        row("no value", "Use what is usual", [](Builder& b) { b.simple("convolution", {b.input({4, 4, 3})}); });
        row("one input of a sum", "Connect dense_1", [](Builder& b) {
            const int in = b.input({4});
            b.dense(in, 4);
            b.add({in});
        });
        row("one input of a sum", "Remove add_1", [](Builder& b) { b.add({b.input({4})}); });
        row("two inputs of one", "Disconnect input_0", [](Builder& b) {
            const int in = b.input({4});
            b.simple("flatten", {in, in});
        });
        row("no data", "Add an input", [](Builder& b) {
            b.set(b.simple("parameter", {}), "shape", std::vector<Dim>{{1, "batch"}, {4, {}}});
        });
        row("shared weights", "Give dense_2 weights of its own", [](Builder& b) {
            const int in = b.input({4}), first = b.dense(in, 3), second = b.dense(in, 4);
            b.share(second, first);
        });
    }

    void what_is_offered() {
        QFETCH(std::function<void(Builder&)>, build);
        QFETCH(QString, title);
        const NetworkDraft draft = case_of(build);
        const QStringList titles = offered(draft);
        QVERIFY2(titles.contains(title), qPrintable(titles.join(" | ")));
        QVERIFY2(titles.size() <= 4, qPrintable(titles.join(" | ")));
        QVERIFY(whole(after(draft, title.toStdString())));
    }

    void nothing_is_offered_that_does_not_help() {
        // Heads that no number but 1 divides, and a product that fits in no way.
        QCOMPARE(offered(case_of([](Builder& b) {
                     b.simple("matmul", {b.input({4, 6}), b.input({5, 7})});
                 })),
                 QStringList());
        QCOMPARE(offered({}), QStringList{"Add an input"});
    }

    void a_cycle_can_be_cut_and_a_name_changed() {
        Builder b;
        const int in = b.input({4}), first = b.dense(in, 4), sum = b.add({in, first}), last = b.dense(sum, 4);
        NetworkDraft draft = b.draft();
        draft.layers[static_cast<std::size_t>(first)].inputs[0] = b.id(last);
        QCOMPARE(offered(draft), QStringList{"Disconnect dense_3"});
        draft = b.draft();
        draft.layers.back().name = "dense_1";
        QVERIFY(whole(after(draft, "Rename it to dense_2")));
    }

    void the_scenarios_sizes_count() {
        Builder b;
        const int in = b.input({4});
        b.set(in, "shape", std::vector<Dim>{{1, "batch"}, {1, "rows"}, {8, {}}});
        const int out = b.reshape(in, {6, 4});
        NetworkDraft draft = b.draft();
        draft.symbols = {{"batch", 1, {}}, {"rows", 3, {}}};
        QVERIFY(whole(draft));
        const std::vector<Binding> five{{"rows", 5}};
        const Sketch sketch(draft, five);
        QCOMPARE(sketch.faults.size(), std::size_t{1});
        QCOMPARE(sketch.faults[0].layer, out);
        const auto fixes = fixes_of(draft, sketch, sketch.faults[0], five);
        QVERIFY(!fixes.empty());
        QCOMPARE(QString::fromStdString(fixes[0].title), QString("Reshape to 10 × 4"));
    }

    /// Whatever breaks, a fix makes that problem go away and takes nothing else away.
    void every_fix_works() {
        std::mt19937 random(11);
        int tried = 0, broken = 0;
        for (int i = 0; i < 250; ++i) {
            NetworkDraft draft = support::random_network(random, 14)->draft();
            Layer& l = draft.layers[static_cast<std::size_t>(
                support::pick(random, 0, static_cast<std::int64_t>(draft.layers.size()) - 1))];
            if (support::pick(random, 0, 1) && !l.attributes.empty()) {
                for (auto& value : l.attributes) {
                    if (auto* n = std::get_if<std::int64_t>(&value)) *n = support::pick(random, 1, 12);
                    if (auto* sizes = std::get_if<Sizes>(&value))
                        *sizes = Sizes(sizes->size(), support::pick(random, 1, 4));
                    if (auto* p = std::get_if<Padding>(&value)) *p = Padding{};
                }
            } else if (!l.inputs.empty()) {
                const LayerId from = support::choose(random, draft.layers).id;
                if (auto edit = connect_layers(draft, from, l.id, 0)) draft = edit->draft;
            }
            const Sketch sketch(draft);
            broken += !sketch.faults.empty();
            for (const Fault& fault : sketch.faults) {
                const LayerId id =
                    fault.layer < 0 ? LayerId{} : sketch.layers[static_cast<std::size_t>(fault.layer)].id;
                for (const Fix& fix : fixes_of(draft, sketch, fault)) {
                    ++tried;
                    const Sketch mended(fix.edited.draft);
                    if (const auto at = mended.position(id))
                        QVERIFY2(mended.facts[static_cast<std::size_t>(*at)].has_value(), fix.title.c_str());
                    for (int l2 = 0; l2 < sketch.size(); ++l2) {
                        const auto at = mended.position(sketch.layers[static_cast<std::size_t>(l2)].id);
                        QVERIFY(at.has_value() || sketch.layers[static_cast<std::size_t>(l2)].id == id);
                        if (at && sketch.facts[static_cast<std::size_t>(l2)])
                            QVERIFY2(mended.facts[static_cast<std::size_t>(*at)].has_value(), fix.title.c_str());
                    }
                }
            }
        }
        QVERIFY2(broken > 30 && tried > 50, qPrintable(QString("%1 fixes of %2").arg(tried).arg(broken)));
        qInfo("%d fixes for %d broken networks", tried, broken);
    }
};

QTEST_APPLESS_MAIN(TestEditingFixes)
#include "tst_editing_fixes.moc"
