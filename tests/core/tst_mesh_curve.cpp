// SPDX-License-Identifier: GPL-3.0-or-later
// The curve of the best meshes: each point is the best mesh of its count, counts that hold nothing are left out.
#include <QtTest>
#include <algorithm>
#include <array>

#include "core/search/mesh_curve.hpp"
#include "support_library.hpp"
#include "support_networks.hpp"

using namespace scalescope;
using namespace scalescope::search;

namespace {

Scenario of_gpt() {
    Scenario s = support::preset_scenario("gpt-3-175b-a100");
    s = with_network(std::move(s), support::gpt(4, 64, 4, 64, false));
    s.cluster.workers = 8;
    s.cluster.devices_per_node = 4;
    s.training.batch = 48;
    return s;
}

constexpr std::array<std::int64_t, 5> counts{1, 2, 4, 8, 16};

}  // namespace

class TestMeshCurve : public QObject {
    Q_OBJECT

private slots:
    void each_point_is_the_best_mesh_of_its_count() {
        Scenario s = of_gpt();
        const auto curve = mesh_curve(s, counts);
        QCOMPARE(curve.size(), counts.size());
        for (std::size_t i = 0; i < counts.size(); ++i) {
            s.cluster.workers = counts[i];
            const auto best = best_mesh(s);
            QVERIFY(best);
            QCOMPARE(curve[i].workers, counts[i]);
            QCOMPARE(curve[i].summary.step.value, best->summary.step.value);
            QCOMPARE(curve[i].peak.value, best->memory.value);
            QVERIFY(curve[i].fits);
        }
    }

    /// Devices too small for all of it: the curve begins at the first count that holds the network.
    void counts_that_hold_nothing_are_left_out() {
        Scenario s = of_gpt();
        s.cluster.device.memory = gigabytes(0.01);
        const auto curve = mesh_curve(s, counts);
        QVERIFY(!curve.empty() && curve.size() < counts.size());
        for (const std::int64_t count : counts) {
            s.cluster.workers = count;
            const bool there = std::any_of(curve.begin(), curve.end(),
                                           [&](const CurvePoint& point) { return point.workers == count; });
            QCOMPARE(there, best_mesh(s).has_value());
        }
    }

    void nothing_after_a_cancellation() {
        CancelSource source;
        source.cancel();
        QVERIFY(mesh_curve(of_gpt(), counts, source.token()).empty());
    }

    void the_mesh_and_the_count_make_no_other_curve() {
        Scenario s = of_gpt();
        s.parallelism.overlap = Overlap::off;
        Scenario other = s;
        other.cluster.workers = 16;
        other.parallelism.tensor = 4;
        other.parallelism.micro_batches = 8;
        other.training.accumulation = 2;
        other.name = "another";
        QVERIFY(same_mesh_curve(s, other));
        for (const auto& change : {+[](Scenario& c) { c.training.batch += 1; },
                                   +[](Scenario& c) { c.cluster.device.memory = gigabytes(20); },
                                   +[](Scenario& c) { c.parallelism.overlap = Overlap::perfect; }}) {
            Scenario changed = other;
            change(changed);
            QVERIFY(!same_mesh_curve(s, changed));
        }
    }
};

QTEST_GUILESS_MAIN(TestMeshCurve)
#include "tst_mesh_curve.moc"
