// SPDX-License-Identifier: GPL-3.0-or-later
// The search against looking at everything with estimate(): the same answers, the same bits, for any number of threads.
#include <QtTest>
#include <algorithm>
#include <set>
#include <string>

#include "core/estimate/memory_walk.hpp"
#include "core/search/search.hpp"
#include "support_choices.hpp"
#include "support_library.hpp"
#include "support_networks.hpp"
#include "support_search.hpp"

using namespace scalescope;
using namespace scalescope::search;
using support::catalogue_of_two;
using support::pick;
using support::space_of;

class TestSearch : public QObject {
    Q_OBJECT

    const Catalogue catalogue = catalogue_of_two();

private slots:
    void the_same_for_any_number_of_threads() {
        Scenario base = support::scenario(support::preset("alexnet-one-tower"));
        const Space space =
            space_of(base,
                     {{"cluster.device", {"slow", "fast"}},
                      *read_axis("cluster.workers", find_field("cluster.workers"), "1..64", base, catalogue),
                      {"cluster.between", {"thin", "thick"}},
                      *read_axis("training.batch", find_field("training.batch"), "1..128*2", base, catalogue),
                      {"parallelism.fill", {"data", "tensor", "pipeline"}},
                      {"parallelism.collective", {"ring", "tree", "parameter_server", "automatic"}},
                      {"parallelism.segments", {"false", "true"}}},
                     catalogue);
        QVERIFY(space.size() > 30000);
        Question q;
        q.objectives = {Metric::time, Metric::cost};
        q.grid = {{1, 4}};
        q.top = 50;
        const auto one = search::search(space, q, 1);
        for (const unsigned threads : {2u, 3u, 8u}) {
            const auto many = search::search(space, q, threads);
            QCOMPARE(many->best, one->best);
            QCOMPARE(many->front, one->front);
            QVERIFY(std::equal(many->grid.cells().begin(), many->grid.cells().end(), one->grid.cells().begin()));
            QCOMPARE(many->counts, one->counts);
        }
        QVERIFY(one->front.size() > 3);
        q.prune = false;
        const auto whole = search::search(space, q, 2);
        QCOMPARE(whole->best, one->best);
        QCOMPARE(whole->front, one->front);
    }

    void returned_rows_have_the_bits_of_estimate() {
        Scenario base = support::scenario(support::preset("inception-v3"));
        base.model.launch = microseconds(5);
        const Space space = space_of(base,
                                     {{"cluster.workers", {"1", "2", "6", "12", "100"}},
                                      {"training.batch", {"3", "17", "64"}},
                                      {"cluster.between", {"thin", "thick"}},
                                      {"parallelism.overlap", {"off", "buckets"}},
                                      {"parallelism.fill", {"data", "tensor", "pipeline"}},
                                      {"parallelism.segments", {"false", "true"}}},
                                     catalogue);
        for (std::size_t m = 0; m < metric_count; ++m) {
            Question q;
            q.objectives = {static_cast<Metric>(m)};
            q.top = 40;
            q.must_fit = false;
            const auto found = search::search(space, q);
            QVERIFY(found.has_value());
            const auto power = q.objectives[0] == Metric::energy || q.objectives[0] == Metric::power;
            QVERIFY(found->best.size() == 40 || power || q.objectives[0] == Metric::cost ||
                    q.objectives[0] == Metric::cost_per_hour || q.objectives[0] == Metric::sequence);
            for (const Found& f : found->best) {
                const auto s = *space.scenario(f.index);
                QCOMPARE(found->value(q, f, 0), *metric_value(q.objectives[0], s, *estimate(s)));
            }
        }
    }

    /// Meshes against estimate(), each once: the axis that takes what the others leave has no degree of its own.
    void meshes_are_told_once() {
        const Scenario base = support::scenario(support::preset("alexnet-one-tower"));
        const Space space = space_of(base,
                                     {{"cluster.workers", {"1", "4", "6"}},
                                      {"parallelism.tensor", {"1", "2", "3"}},
                                      {"parallelism.pipeline", {"1", "2"}},
                                      {"parallelism.fill", {"data", "tensor", "pipeline"}}},
                                     catalogue);
        Question q;
        q.objectives = {Metric::step};
        q.top = 1000;
        q.must_fit = false;
        const auto found = search::search(space, q);
        QVERIFY(found.has_value());
        std::set<std::string> wanted, told;
        for (std::uint64_t i = 0; i < space.size(); ++i) {
            const Scenario s = *space.scenario(i);
            const Parallelism& p = s.parallelism;
            if (!estimate(s)) continue;
            const bool alone = s.cluster.workers == 1;
            wanted.insert(alone ? "alone"
                                : std::to_string(s.cluster.workers) + ' ' + std::to_string(static_cast<int>(p.fill)) +
                                      ' ' + std::to_string(p.fill == MeshAxis::tensor ? 1 : p.tensor) + ' ' +
                                      std::to_string(p.fill == MeshAxis::pipeline ? 1 : p.pipeline));
        }
        for (const Found& f : found->best) {
            const Scenario s = *space.scenario(f.index);
            const Parallelism& p = s.parallelism;
            QCOMPARE(found->value(q, f, 0), *metric_value(q.objectives[0], s, *estimate(s)));
            const bool alone = s.cluster.workers == 1;
            const auto name = alone
                                  ? "alone"
                                  : std::to_string(s.cluster.workers) + ' ' + std::to_string(static_cast<int>(p.fill)) +
                                        ' ' + std::to_string(p.tensor) + ' ' + std::to_string(p.pipeline);
            QVERIFY2(told.insert(name).second, name.c_str());
        }
        QCOMPARE(told.size(), wanted.size());
        QVERIFY(told == wanted);
    }

    /// A Hopper GPU multiplies mxfp8 as fp8_block, a Blackwell GPU does not.
    void precisions_that_a_device_computes_alike_are_told_once() {
        Scenario base = support::preset_scenario("gpt-3-175b-a100");
        base = with_network(std::move(base), support::gpt(2, 64, 4, 32, true));
        base.parallelism = {};
        base.cluster.workers = 2;
        base.training.batch = 8;
        const Space space = space_of(base,
                                     {{"training.precision", {"bf16", "mxfp8", "fp8_block", "nvfp4"}},
                                      {"cluster.device", {"h100-sxm-80gb", "b200-sxm-180gb"}}},
                                     support::library().catalogue);
        Question q;
        q.objectives = {Metric::step};
        q.top = 100;
        q.must_fit = false;
        const auto found = search::search(space, q);
        QVERIFY(found.has_value());
        std::set<std::uint64_t> told;
        for (const Found& f : found->best) told.insert(f.index);
        QVERIFY((told == std::set<std::uint64_t>{0, 1, 3, 4, 5, 7}));
        QCOMPARE(found->counts.repeated, std::uint64_t{2});
        const auto same = [&](std::uint64_t a, std::uint64_t b) {
            return estimate(*space.scenario(a))->summary == estimate(*space.scenario(b))->summary;
        };
        QVERIFY(same(2, 4) && same(6, 4) && !same(3, 7));
        q.grid = std::pair(std::size_t{0}, std::size_t{1});  // tells them apart
        QCOMPARE(search::search(space, q)->counts.repeated, std::uint64_t{0});
    }

    void memory_of_a_point_is_that_of_the_estimate() {
        std::mt19937 random(8);
        int several = 0;
        for (int k = 0; k < 600; ++k) {
            const Scenario s = support::random_scenario(
                random, support::random_network(random, static_cast<int>(pick(random, 4, 22))));
            auto plan = prepare(s);
            Scratch scratch = make_scratch(*plan);
            const auto e = estimate(s);
            if (!e) continue;
            QVERIFY(score(*plan, plan->point, scratch).feasible());
            QCOMPARE(peak_memory(*plan, plan->point, scratch).value, e->memory.peak.value);
            several += s.cluster.workers > 1 && !fills_data(s.parallelism);
        }
        QVERIFY(several > 100);
    }

    void cancelled_it_keeps_the_best_so_far() {
        Scenario base = support::scenario(support::preset("alexnet-one-tower"));
        const Space space =
            space_of(base,
                     {*read_axis("cluster.workers", find_field("cluster.workers"), "1..1024", base, catalogue),
                      *read_axis("training.batch", find_field("training.batch"), "1..1000", base, catalogue)},
                     catalogue);
        CancelSource source;
        Watch watch;
        watch.cancel = source.token();
        double told = 0;
        watch.progress = Progress([&](double fraction, std::string_view) {
            told = fraction;
            if (fraction > 0.2) source.cancel();
        });
        const auto found = search::search(space, Question{}, 1, watch);
        QVERIFY(found.has_value());
        QVERIFY(!found->complete);
        QVERIFY(told > 0.2 && told < 0.9);
        QCOMPARE(found->best.size(), std::size_t{10});
        QVERIFY(found->counts.seen() < space.size() / 2);
    }

    void too_large_a_space_is_searched_from_many_starts() {
        std::mt19937 random(9);
        int found = 0, none = 0, best = 0;
        for (int k = 0; k < 60; ++k) {
            Scenario base = support::random_scenario(random, support::random_network(random, 8));
            base.parallelism.boundaries.clear();
            const Space space = space_of(base,
                                         {{"cluster.workers", {"1", "2", "3", "4", "6", "8", "16", "64"}},
                                          {"training.batch", {"1", "7", "32", "200"}},
                                          {"cluster.between", {"thin", "thick"}},
                                          {"parallelism.fill", {"data", "tensor", "pipeline"}},
                                          {"parallelism.segments", {"false", "true"}},
                                          {"parallelism.collective", {"ring", "tree", "automatic"}}},
                                         catalogue);
            Question q;
            q.objectives = {k % 2 == 0 ? Metric::time : Metric::step};
            if (k % 3 == 0) q.where = {*read_constraint("efficiency >= 30")};
            const auto whole = search::search(space, q);
            q.most = 100;
            const auto climbed = search::search(space, q), again = search::search(space, q);
            QVERIFY(whole->proven() && !climbed->proven() && climbed->complete);
            QCOMPARE(climbed->best, again->best);
            if (whole->best.empty()) {
                ++none;
                QVERIFY(climbed->best.empty());
                continue;
            }
            ++found;
            QVERIFY(!climbed->best.empty());
            for (std::size_t i = 1; i < climbed->best.size(); ++i)
                QVERIFY(climbed->best[i].index != climbed->best[i - 1].index);
            QVERIFY(climbed->best[0].values[0] >= whole->best[0].values[0]);  // it cannot be better than the best
            best += climbed->best[0].values[0] == whole->best[0].values[0];
        }
        QVERIFY2(found > 30 && best * 10 >= found * 9, qPrintable(QString("%1 of %2").arg(best).arg(found)));
        // 10^13 combinations take a moment.
        Scenario base = support::scenario(support::preset("alexnet-one-tower"));
        const auto range = [&](const char* path) {
            return *read_axis(path, find_field(path), "1..100000", base, catalogue);
        };
        const Space space = space_of(
            base, {range("cluster.workers"), range("training.batch"), range("cluster.devices_per_node")}, catalogue);
        const auto climbed = search::search(space, Question{});
        QVERIFY(!climbed->whole);
        QCOMPARE(climbed->best.size(), std::size_t{10});
        QVERIFY(climbed->counts.scored < 500'000);
    }
};

QTEST_APPLESS_MAIN(TestSearch)
#include "tst_search.moc"
