// SPDX-License-Identifier: GPL-3.0-or-later
// Curves keep what a change of the scenario leaves alone: no point may show it.
#include <QtTest>
#include <functional>

#include "core/estimate/curves.hpp"
#include "support_choices.hpp"
#include "support_library.hpp"
#include "support_networks.hpp"

using namespace scalescope;

namespace {

Scenario long_scenario() {
    Scenario s = support::scenario(support::long_network(60));
    s.training.batch_rule = BatchRule::total;
    s.training.batch = 4096;
    s.cluster.workers = 24;
    support::divide(s.parallelism, support::Divided::hybrid);
    return s;
}

bool same(const std::vector<Curve>& a, const std::vector<Curve>& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Curve& x, const Curve& y) {
        return x.spec == y.spec && x.one == y.one &&
               std::equal(x.points.begin(), x.points.end(), y.points.begin(), y.points.end(),
                          [](const CurvePoint& p, const CurvePoint& q) {
                              return p.workers == q.workers && p.summary == q.summary && p.speedup == q.speedup &&
                                     p.fits == q.fits;
                          });
    });
}

}  // namespace

class TestCurves : public QObject {
    Q_OBJECT

    KeptCurves kept_;

    /// Points that had to be priced for the curves of `s`, which must be those made from nothing.
    std::int64_t priced(const Scenario& s, int most = 96, CurveSet set = CurveSet::ways) {
        const auto plan = std::make_shared<const Plan>(*prepare(s));
        Scratch scratch = make_scratch(*plan), fresh = make_scratch(*plan);
        const auto specs = curve_specs(s, set, support::library().catalogue.ways);
        const auto counts = worker_counts(1024, s.cluster.workers, most);
        const std::int64_t before = kept_.scored();
        const auto& curves = kept_.make(s, plan, specs, counts, scratch);
        if (KeptCurves none; !same(curves, none.make(s, plan, specs, counts, fresh)))
            qFatal("other curves than made from nothing");
        return kept_.scored() - before;
    }

private slots:
    void a_drag_prices_what_it_changes() {
        Scenario s = long_scenario();
        const auto all = priced(s);
        const auto points = [&] {
            return static_cast<std::int64_t>(worker_counts(1024, s.cluster.workers, 96).size());
        };
        QCOMPARE(all, 4 * (points() + 1));
        QCOMPARE(priced(s), 0);
        s.cluster.workers = 333;
        QVERIFY(priced(s) <= 4);
        support::divide(s.parallelism, support::Divided::data);
        QCOMPARE(priced(s), 0);
        s.parallelism.cut_auto = false;  // the hybrid curve alone
        s.parallelism.cut = s.network()->layers()[40].id;
        QCOMPARE(priced(s), points() + 1);
        s.parallelism.cut = s.network()->layers()[41].id;
        QCOMPARE(priced(s), points() + 1);
        QVERIFY(priced(s, 320) < 4 * 320);  // at rest: those that were not yet
    }

    void whatever_else_changes_prices_all() {
        Scenario s = long_scenario();
        const auto all = priced(s);
        for (const auto& change : std::vector<std::function<void(Scenario&)>>{
                 [](Scenario& x) { x.training.batch = 5000; }, [](Scenario& x) { x.model.compute = Fraction{0.31}; },
                 [](Scenario& x) { x.cluster.between.bandwidth = gigabits_per_second(13); },
                 [](Scenario& x) { x.parallelism.overlap = Overlap::buckets; },
                 [](Scenario& x) { x.parallelism.micro_batches = 7; },
                 [](Scenario& x) { x.workload.front().network = support::long_network(50); }}) {
            change(s);
            QCOMPARE(priced(s), all);
        }
        QVERIFY(priced(s, 96, CurveSet::collectives) > 0);
        QVERIFY(priced(s, 96, CurveSet::schemes) > 0);
    }
};

QTEST_GUILESS_MAIN(TestCurves)
#include "tst_curves.moc"
