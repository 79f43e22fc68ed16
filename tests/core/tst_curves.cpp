// SPDX-License-Identifier: GPL-3.0-or-later
// Curves keep what a change of the scenario leaves alone: no point may show it.
#include <QtTest>
#include <functional>

#include "core/estimate/curves.hpp"
#include "core/estimate/memory_walk.hpp"
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
    /// Every preset, divided in every way, on powers of two: no device holds less than the states that were said to be
    /// there at least.
    void states_are_never_less_than_said() {
        int compared = 0, sharp = 0;
        for (const formats::Preset& preset : support::library().scenarios) {
            Scenario s = support::preset_scenario(preset.id);
            const std::int64_t last = std::min<std::int64_t>(1024, std::max<std::int64_t>(16, s.cluster.workers));
            for (const CurveSpec& spec : curve_specs(s, CurveSet::ways, support::library().catalogue.ways)) {
                Scenario divided = s;
                divided.parallelism = spec.parallelism;
                const auto plan = prepare(divided);
                if (!plan || plan->cpu) continue;
                Scratch scratch = make_scratch(*plan);
                const LeastStates least(*plan);
                for (Point point = point_of(divided); const std::int64_t n : worker_counts(last, last, 0)) {
                    point.workers = n;
                    if (!score(*plan, point, scratch).feasible()) continue;
                    const Bytes peak = peak_memory(*plan, point, scratch);
                    if (least.at(point) > peak * (1 + 1e-9))
                        qFatal("%s, %s, %lld workers: %g of %g bytes", preset.id.c_str(), spec.way.c_str(),
                               static_cast<long long>(n), least.at(point).value, peak.value);
                    ++compared;
                    sharp += least.at(point) > peak * 0.5 ? 1 : 0;
                }
            }
        }
        qInfo("%d points, in %d of them more than half of the memory", compared, sharp);
        QVERIFY(compared > 500 && sharp > compared / 10);
    }

    void what_cannot_fit_needs_no_time_data() {
        QTest::addColumn<QString>("preset");
        QTest::addColumn<qint64>("workers");
        QTest::newRow("most does not fit") << "gpt-3-175b-a100" << qint64{1024};
        QTest::newRow("nothing fits") << "gpt-3-175b-a100" << qint64{8};
        QTest::newRow("everything fits") << "example" << qint64{64};
    }
    void what_cannot_fit_needs_no_time() {
        QFETCH(QString, preset);
        QFETCH(qint64, workers);
        Scenario s = support::preset_scenario(preset.toStdString());
        s.cluster.workers = workers;
        const auto plan = std::make_shared<const Plan>(*prepare(s));
        Scratch scratch = make_scratch(*plan);
        const auto specs = curve_specs(s, CurveSet::ways, support::library().catalogue.ways);
        const auto counts = worker_counts(workers, workers, 96);
        KeptCurves some, all;
        const std::int64_t expected = some.unpriced(s, *plan, specs, counts, Priced::what_may_fit);
        const auto few = some.make(s, plan, specs, counts, scratch, Priced::what_may_fit);
        const auto& whole = all.make(s, plan, specs, counts, scratch);
        const int shown = shown_curve(s, specs);
        int left_out = 0, fitting = 0;
        for (std::size_t i = 0; i < whole.size(); ++i) {
            QCOMPARE(few[i].points.size(), whole[i].points.size());
            QCOMPARE(few[i].one_fits, whole[i].one_fits);
            for (std::size_t k = 0; k < whole[i].points.size(); ++k) {
                const CurvePoint &a = few[i].points[k], &b = whole[i].points[k];
                QCOMPARE(a.workers, b.workers);
                const bool fits = b.summary.feasible() && b.fits;
                if (a.priced()) {
                    QVERIFY(a.summary == b.summary && a.fits == b.fits);
                } else {
                    QVERIFY(!fits && !a.fits && static_cast<int>(i) != shown && a.workers != workers);
                    ++left_out;
                }
                fitting += fits ? 1 : 0;
            }
        }
        QCOMPARE(left_out > 0, fitting > 0 && preset != "example");
        if (left_out > 0) {
            QVERIFY(left_out > 100);
            QVERIFY(some.scored() < all.scored() / 2);
            QCOMPARE(some.scored(), expected);
        }
        // They are made up for where somebody asks for them.
        QVERIFY(same(some.make(s, plan, specs, counts, scratch), whole));
    }
};

QTEST_GUILESS_MAIN(TestCurves)
#include "tst_curves.moc"
