// SPDX-License-Identifier: GPL-3.0-or-later
// How the figures of two designs differ, and which layer and which explained figure of one is which of the other.
#include <QtTest>

#include "core/compare/key_values.hpp"
#include "core/compare/same_item.hpp"
#include "core/formats/scenario_json.hpp"
#include "support_library.hpp"

using namespace scalescope;
using namespace scalescope::compare;
using support::preset_scenario;

namespace {

Estimate estimated(const Scenario& s) {
    auto e = estimate(s);
    if (!e) qFatal("%s", support::messages(e.error()).c_str());
    return std::move(*e);
}

ValueChange change(double now, double then, Wanted wanted, bool share = false) {
    return change_of({"x", now, wanted, share}, {"x", then, wanted, share});
}

}  // namespace

class TestCompareFigures : public QObject {
    Q_OBJECT

private slots:
    void changes_by_hand() {
        const ValueChange faster = change(75, 100, Wanted::less);
        QCOMPARE(faster.absolute, -25.0);
        QCOMPARE(*faster.relative, -0.25);
        QCOMPARE(faster.verdict, compare::Verdict::better);
        QCOMPARE(change(75, 100, Wanted::more).verdict, compare::Verdict::worse);
        QCOMPARE(change(125, 100, Wanted::more).verdict, compare::Verdict::better);
        QCOMPARE(change(125, 100, Wanted::neither).verdict, compare::Verdict::neither);
        QCOMPARE(change(100.04, 100, Wanted::less).verdict, compare::Verdict::same);   // shown as 0.0 %
        QCOMPARE(change(100.06, 100, Wanted::less).verdict, compare::Verdict::worse);  // shown as 0.1 %
        // Shares are told in points: 0.4 of 1 is 50 % more than 0.2667, and 13.3 points.
        QCOMPARE(change(0.4, 0.4004, Wanted::more, true).verdict, compare::Verdict::same);
        QCOMPARE(change(0.4, 0.41, Wanted::more, true).verdict, compare::Verdict::worse);
        const ValueChange from_nothing = change(3, 0, Wanted::less);
        QVERIFY(!from_nothing.relative && from_nothing.verdict == compare::Verdict::worse);
        QCOMPARE(change(0, 0, Wanted::less).verdict, compare::Verdict::same);
    }

    void every_design_has_the_figures_of_its_kind() {
        const auto has = [](const char* preset, const char* id) {
            const Scenario s = preset_scenario(preset);
            const auto all = key_values(s, estimated(s));
            return find_value(all, id) != nullptr;
        };
        for (const char* id : {"step", "throughput", "speedup", "efficiency", "memory", "epoch"})
            for (const char* preset : {"example", "alexnet-cpu-cluster", "resnet-50-p100-servers"})
                QVERIFY2(has(preset, id), id);
        QVERIFY(has("alexnet-cpu-cluster", "machines") && !has("example", "machines"));
        QVERIFY(has("resnet-50-p100-servers", "knee") && !has("example", "knee"));
        const Scenario s = preset_scenario("example");
        const Estimate e = estimated(s);
        QCOMPARE(find_value(key_values(s, e), "step")->value, e.summary.step.value);
        QCOMPARE(find_value(key_values(s, e), "throughput")->wanted, Wanted::more);
    }

    /// By name, in another reading of the same network and in another network.
    void layers_and_figures_are_found_by_name() {
        const Scenario a = preset_scenario("example"), same = preset_scenario("example");
        const Scenario other = preset_scenario("inception-v3-k40");
        const Estimate ea = estimated(a), es = estimated(same), eo = estimated(other);
        const auto own = counterparts(a, ea, same, es);
        QCOMPARE(own.size(), ea.layers.size());
        for (std::size_t i = 0; i < own.size(); ++i) {
            QVERIFY(own[i] != nullptr);
            QCOMPARE(own[i]->position, ea.layers[i].position);
        }
        const Network &na = *a.network(), &no = *other.network();
        const auto theirs = counterparts(a, ea, other, eo);
        int found = 0;
        for (std::size_t i = 0; i < theirs.size(); ++i) {
            const std::string& name = na.layers()[static_cast<std::size_t>(ea.layers[i].position)].name;
            const bool there =
                std::any_of(no.layers().begin(), no.layers().end(), [&](const Layer& l) { return l.name == name; });
            QCOMPARE(theirs[i] != nullptr, there);
            found += there;
        }
        QVERIFY(found < static_cast<int>(theirs.size()));
        Item item;
        QVERIFY(same_item(item, a, other) == std::optional(item));  // the step
        item.topic = Topic::layer;
        item.layer = na.size() - 1;
        QVERIFY(same_item(item, a, same) == std::optional(item));
        item.layer = 1;
        const auto in_other = same_item(item, a, other);
        if (in_other) QCOMPARE(no.layers()[static_cast<std::size_t>(in_other->layer)].name, na.layers()[1].name);
        // Edited, a layer stays itself by its id, wherever it stands and whatever it is called.
        NetworkDraft draft = na.draft();
        std::reverse(draft.layers.begin(), draft.layers.end());
        for (Layer& l : draft.layers) l.name += "_renamed";
        if (const auto edited = Network::make(draft)) {
            const auto kept = same_layer(na, 1, **edited, SameLayer::by_id);
            QVERIFY(kept);
            QCOMPARE((*edited)->layers()[static_cast<std::size_t>(*kept)].id, na.layers()[1].id);
            QVERIFY(!same_layer(na, 1, **edited, SameLayer::by_name));
        } else {
            QFAIL(to_text(edited.error().front()).c_str());
        }
        item.message = 0;
        QVERIFY(!same_item(item, a, same));
    }
};

QTEST_APPLESS_MAIN(TestCompareFigures)
#include "tst_compare_figures.moc"
