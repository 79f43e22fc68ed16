// SPDX-License-Identifier: GPL-3.0-or-later
// A sweep reuses one plan for many scenarios: no answer, and no problem, may show it.
#include <QtTest>

#include "core/estimate/estimate.hpp"
#include "core/formats/scenario_json.hpp"
#include "core/scenario/fields.hpp"
#include "core/support_library.hpp"
#include "support_choices.hpp"

using namespace scalescope;
using support::library;

namespace {

Scenario preset(const char* id) {
    const auto* p = library().find_scenario(id);
    return formats::read_scenario(p->text, p->file, library())->scenario;
}

Scenario with(Scenario s, const std::vector<std::pair<const char*, std::string>>& changes) {
    for (const auto& change : changes)
        if (const auto set = set_field(s, change.first, change.second, library().catalogue); !set)
            qFatal("%s", to_text(set.error()[0]).c_str());
    return s;
}

/// Everything a row of a table could show.
std::string difference(const Result<Estimate>& a, const Result<Estimate>& b) {
    if (a.has_value() != b.has_value()) return "one has an answer";
    if (!a)
        return support::messages(a.error()) == support::messages(b.error())
                   ? ""
                   : support::messages(a.error()) + support::messages(b.error());
    if (!(a->summary == b->summary) || !(a->baseline == b->baseline) || !(a->point == b->point)) return "summary";
    if (a->speedup != b->speedup || a->epoch != b->epoch || a->epoch_cost != b->epoch_cost ||
        a->idle_share != b->idle_share || a->memory.peak != b->memory.peak)
        return "answers";
    if (a->layers.size() != b->layers.size() || a->messages.size() != b->messages.size()) return "rows";
    for (std::size_t l = 0; l < a->layers.size(); ++l)
        if (a->layers[l].total() != b->layers[l].total() || a->layers[l].stage != b->layers[l].stage) return "layers";
    return support::messages(a->notes) == support::messages(b->notes) ? "" : "notes";
}

}  // namespace

class TestSweep : public QObject {
    Q_OBJECT
private slots:
    void points_share_a_plan();
    void other_fields_make_a_plan();
    void problems_are_the_same();
    void a_layer_to_cut_at();
    void stages_by_hand();
};

void TestSweep::points_share_a_plan() {
    for (const char* id : {"example", "dcgan", "resnet-50-a100"})
        for (const char* method : {"pipeline", "paleo_head", "paleo_paper"}) {
            Sweep sweep;
            const Scenario base = with(preset(id), {{"model.method", method}});
            for (const char* strategy : {"data", "outputs", "layers", "hybrid"})
                for (const char* collective : {"ring", "paleo_tree"})
                    for (const char* scheme : {"all_at_once", "all_send_share"})
                        for (const char* workers : {"4", "1", "1000", "3"}) {
                            const Scenario s = with(base, {{"parallelism.strategy", strategy},
                                                           {"parallelism.collective", collective},
                                                           {"parallelism.scheme", scheme},
                                                           {"training.batch", workers[0] == '3' ? "7" : "64"},
                                                           {"cluster.workers", workers}});
                            const auto differs = difference(sweep.estimate(s), estimate(s));
                            QVERIFY2(differs.empty(), (std::string(id) + ' ' + strategy + ": " + differs).c_str());
                        }
            QVERIFY(sweep.plans() <= 1);  // none where PALEO has no word for the network
        }
}

void TestSweep::other_fields_make_a_plan() {
    Sweep sweep;
    const Scenario base = preset("example");
    int plans = 0;
    for (const auto& [path, value] :
         std::vector<std::pair<const char*, std::string>>{{"cluster.workers", "2"},
                                                          {"training.batch_rule", "total"},
                                                          {"model.compute", "50"},
                                                          {"cluster.device", "tesla-k80"},
                                                          {"training.optimizer", "adam"},
                                                          {"parallelism.overlap", "buckets"},
                                                          {"training.data_set", "1000"}}) {
        const Scenario s = with(base, {{path, value}});
        const auto differs = difference(sweep.estimate(s), estimate(s));
        QVERIFY2(differs.empty(), path);
        QCOMPARE(sweep.plans(), ++plans);
        const Scenario more = with(s, {{"cluster.workers", "5"}});
        QVERIFY2(difference(sweep.estimate(more), estimate(more)).empty(), path);
        QCOMPARE(sweep.plans(), plans);
    }
}

void TestSweep::problems_are_the_same() {
    Sweep sweep;
    const Scenario good = preset("example");
    QVERIFY(sweep.estimate(good));
    Scenario bad = good;
    bad.training.batch = 0;
    bad.cluster.workers = -1;
    QVERIFY(!sweep.estimate(bad));
    QCOMPARE(difference(sweep.estimate(bad), estimate(bad)), std::string());
    QCOMPARE(difference(sweep.estimate(good), estimate(good)), std::string());
    bad = good;
    bad.workload.clear();
    QCOMPARE(difference(sweep.estimate(bad), estimate(bad)), std::string());
    QCOMPARE(difference(sweep.estimate(good), estimate(good)), std::string());
}

void TestSweep::a_layer_to_cut_at() {
    Sweep sweep;
    const Scenario base = with(preset("example"), {{"parallelism.strategy", "hybrid"}, {"cluster.workers", "4"}});
    const auto& layers = base.network()->layers();
    for (const auto& layer : layers) {
        const Scenario s = with(base, {{"parallelism.cut", layer.name}});
        QCOMPARE(difference(sweep.estimate(s), estimate(s)), std::string());
        QCOMPARE(difference(sweep.estimate(base), estimate(base)), std::string());
    }
    QCOMPARE(sweep.plans(), 1);
    Scenario unknown = base;
    unknown.parallelism.cut_auto = false;
    unknown.parallelism.cut = LayerId{987654};
    QVERIFY(!estimate(unknown));
    QCOMPARE(difference(sweep.estimate(unknown), estimate(unknown)), std::string());
    QCOMPARE(difference(sweep.estimate(base), estimate(base)), std::string());
}

void TestSweep::stages_by_hand() {
    Sweep sweep;
    Scenario base = preset("example");
    const auto& layers = base.network()->layers();
    base.parallelism.boundaries = {layers[4].id, layers[2].id};  // out of order: wrong for a split by layers only
    for (const char* strategy : {"data", "layers", "hybrid"})
        for (const char* workers : {"2", "3"}) {
            const Scenario s = with(base, {{"parallelism.strategy", strategy}, {"cluster.workers", workers}});
            QCOMPARE(difference(sweep.estimate(s), estimate(s)), std::string());
        }
    std::swap(base.parallelism.boundaries[0], base.parallelism.boundaries[1]);
    for (const char* strategy : {"layers", "data", "layers"})
        for (const char* workers : {"3", "2"}) {
            const Scenario s = with(base, {{"parallelism.strategy", strategy}, {"cluster.workers", workers}});
            QCOMPARE(difference(sweep.estimate(s), estimate(s)), std::string());
        }
}

QTEST_APPLESS_MAIN(TestSweep)
#include "tst_sweep.moc"
