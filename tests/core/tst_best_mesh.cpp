// SPDX-License-Identifier: GPL-3.0-or-later
// The best mesh for given devices: it fits, locks hold, its figures are those of estimate(), and what the quick search
// misses against a look at every combination.
#include <QtTest>
#include <cmath>

#include "core/estimate/memory.hpp"
#include "core/search/best_mesh.hpp"
#include "sanitized.hpp"
#include "support_library.hpp"
#include "support_networks.hpp"

using namespace scalescope;
using namespace scalescope::search;

namespace {

Scenario of_gpt(std::int64_t workers, std::int64_t batch, double gigabytes_each) {
    Scenario s = support::preset_scenario("gpt-3-175b-a100");
    s = with_network(std::move(s), support::gpt(4, 64, 4, 64, false));
    s.model.compute = Fraction{1};  // by shape, launches are nearly all of so small a network's time
    s.cluster.workers = workers;
    s.cluster.devices_per_node = 4;
    s.cluster.device.memory = gigabytes(gigabytes_each);
    s.training.batch = batch;
    return s;
}

}  // namespace

class TestBestMesh : public QObject {
    Q_OBJECT

private slots:
    void quick_finds_nearly_what_whole_finds() {
        double worst = 1, sum = 0;
        int found = 0;
        for (const std::int64_t workers : {4, 8, 12, 32})
            for (const double room : {0.003, 0.01, 0.1, 1.0}) {
                const Scenario s = of_gpt(workers, 48, room);
                const auto whole = best_mesh(s, {}, Effort::whole), quick = best_mesh(s);
                QCOMPARE(whole.has_value(), quick.has_value());
                if (!whole) continue;
                const double ratio = quick->summary.step / whole->summary.step;
                QVERIFY2(ratio >= 1 - 1e-12, "the whole search missed something");
                worst = std::max(worst, ratio);
                sum += ratio;
                ++found;
            }
        QVERIFY(found >= 6);
        qInfo("%d meshes; quick against whole: mean %.4f, worst %.4f", found, sum / found, worst);
        QVERIFY(worst < 1.1);
    }

    void figures_are_those_of_estimate() {
        const auto best = best_mesh(support::preset_scenario("llama-3-70b-h100"));
        QVERIFY(best);
        const auto e = estimate(best->scenario);
        QVERIFY(e);
        QCOMPARE(e->summary.step.value, best->summary.step.value);
        QCOMPARE(e->memory.peak.value, best->memory.value);
        QVERIFY(fits_device(best->scenario, e->memory));
        QVERIFY(best->fit() > 0 && best->fit() <= best->counts.scored);
    }

    /// The preset is a good mesh made by hand: what is found takes no longer.
    void beats_the_mesh_of_the_preset() {
        for (const char* id : {"llama-3-70b-h100", "gpt-3-175b-a100"}) {
            const Scenario s = support::preset_scenario(id);
            const auto best = best_mesh(s);
            QVERIFY(best);
            QVERIFY(best->summary.step <= estimate(s)->summary.step);
        }
    }

    void nothing_but_the_mesh_changes() {
        Scenario s = support::preset_scenario("llama-3-70b-h100");
        const auto best = best_mesh(s);
        QVERIFY(best);
        Scenario found = best->scenario;
        QCOMPARE(found.cluster, s.cluster);
        for (const Field* field : changed_fields(s, found)) {
            const auto all = mesh_choices();
            QVERIFY2(std::find(all.begin(), all.end(), field->path) != all.end(), std::string(field->path).c_str());
        }
    }

    void locks_hold() {
        Scenario s = support::preset_scenario("llama-3-70b-h100");
        s.parallelism.recompute = Recompute::attention;
        const auto free = best_mesh(s);
        const auto locked = best_mesh(s, {"parallelism.tensor", "parallelism.pipeline", "parallelism.recompute"});
        QVERIFY(free && locked);
        QCOMPARE(locked->scenario.parallelism.tensor, 8);
        QCOMPARE(locked->scenario.parallelism.pipeline, 4);
        QCOMPARE(locked->scenario.parallelism.recompute, Recompute::attention);
        QVERIFY(locked->summary.step > free->summary.step);
        const auto data = best_mesh(s, {std::string(data_degree)});
        QVERIFY(data);
        QCOMPARE(degrees_of(data->scenario)->data, degrees_of(s)->data);
        // All locked: the scenario itself, or that it does not fit.
        Locks all(mesh_choices().begin(), mesh_choices().end());
        const auto same = best_mesh(s, all);
        QVERIFY(same);
        QCOMPARE(same->scenario, s);
    }

    void says_when_nothing_fits() {
        const auto none = best_mesh(of_gpt(4, 48, 1e-6));
        QVERIFY(!none);
        QVERIFY(none.error().front().what.find("4 devices") != std::string::npos);
        Scenario paleo = support::preset_scenario("example");
        paleo.model.method = Method::paleo_head;
        QVERIFY(!best_mesh(paleo));
        QVERIFY(!best_mesh(support::preset_scenario("dcgan")));
    }

    void experts_and_long_sequences() {
        const auto mixtral = best_mesh(support::preset_scenario("mixtral-8x22b-h100"));
        QVERIFY(mixtral);
        QVERIFY(mixtral->scenario.parallelism.expert > 1);
        const auto longer = best_mesh(support::preset_scenario("llama-3-8b-long-h100"));
        QVERIFY(longer);
        QVERIFY(longer->scenario.parallelism.context > 1);
    }

    void one_device() {
        Scenario s = support::preset_scenario("example");
        s.cluster.workers = 1;
        const auto best = best_mesh(s);
        QVERIFY(best);
        QVERIFY(best->scenario.parallelism.none());
    }
};

QTEST_GUILESS_MAIN(TestBestMesh)
#include "tst_best_mesh.moc"
