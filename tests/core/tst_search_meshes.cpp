// SPDX-License-Identifier: GPL-3.0-or-later
// Searches of meshes: everything that a Point holds of a pipeline at once, against brute force; and the bounds that
// leave combinations out.
#include <QtTest>
#include <map>
#include <set>

#include "core/estimate/memory_walk.hpp"
#include "core/search/search.hpp"
#include "sanitized.hpp"
#include "support_choices.hpp"
#include "support_library.hpp"
#include "support_networks.hpp"
#include "support_search.hpp"

using namespace scalescope;
using namespace scalescope::search;
using support::pick, support::space_of;

namespace {

Scenario of_gpt(std::int64_t workers, std::int64_t batch) {
    Scenario s = support::preset_scenario("gpt-3-175b-a100");
    s = with_network(std::move(s), support::gpt(3, 64, 4, 32, false));
    s.cluster.workers = workers;
    s.training.batch = batch;
    s.cluster.devices_per_node = 4;
    return s;
}

}  // namespace

class TestSearchMeshes : public QObject {
    Q_OBJECT

    const Catalogue catalogue = support::catalogue_of_two();

private slots:
    void finds_what_brute_force_finds() {
        std::mt19937 random(1);
        Counts all;
        for (int k = 0; k < support::sampled(12); ++k) {
            Scenario base = of_gpt(pick(random, 0, 1) == 0 ? 8 : 12, pick(random, 8, 24));
            base.parallelism.overlap = static_cast<Overlap>(pick(random, 0, 2));
            base.parallelism.shard_group = k % 3 == 2 ? 2 : 0;
            base.parallelism.reshard_after_forward = k % 2 == 0;
            const Space space = space_of(base,
                                         {{"parallelism.tensor", {"1", "2", "4"}},
                                          {"parallelism.pipeline", {"1", "2", "3"}},
                                          {"parallelism.context", {"1", "2"}},
                                          {"parallelism.recompute", {"nothing", "attention", "blocks"}},
                                          {"parallelism.micro_batches", {"1", "3", "4", "6"}},
                                          {"parallelism.chunks", {"2", "3"}},
                                          {"parallelism.order", {"fill_drain", "1f1b", "interleaved", "zero_bubble"}},
                                          {"parallelism.sharded", {"nothing", "optimizer", "gradients", "weights"}}},
                                         catalogue);
            // Every combination by an estimate of its own; those that say the same have the same figures.
            std::vector<std::pair<double, double>> steps;  // and memory
            std::map<std::uint64_t, double> by_index;
            const auto estimate_all = [&](const Space& of) {
                steps.clear();
                by_index.clear();
                for (std::uint64_t i = 0; i < of.size(); ++i)
                    if (const auto e = estimate(*of.scenario(i), Remedies::left_out)) {
                        steps.emplace_back(in_milliseconds(e->summary.step), e->memory.peak.value);
                        by_index[i] = steps.back().first;
                    }
            };
            estimate_all(space);
            std::vector<double> memory;
            for (const auto& [step, bytes] : steps) memory.push_back(bytes);
            std::sort(memory.begin(), memory.end());
            base.cluster.device.memory = Bytes{memory[memory.size() / static_cast<std::size_t>(pick(random, 2, 9))]};
            // With less memory, stages begin elsewhere.
            const Space limited = space_of(base, {space.axes().begin(), space.axes().end()}, catalogue);
            estimate_all(limited);
            std::set<double> fit;
            for (const auto& [step, bytes] : steps)
                if (bytes <= base.cluster.device.memory->value) fit.insert(step);
            Question q;
            q.objectives = {Metric::step};
            q.top = 20;
            const auto found = search::search(limited, q);
            QVERIFY(found && found->proven());
            QCOMPARE(found->counts.seen(), space.size());
            std::set<double> told;
            for (const Found& f : found->best) {
                QVERIFY(f.values[0] == by_index.at(f.index));
                told.insert(f.values[0]);
            }
            auto wanted = fit.begin();
            for (const double step : told) QVERIFY(step == *wanted++);
            QVERIFY(found->best.size() == q.top || told.size() == fit.size());
            q.prune = false;
            const auto whole = search::search(limited, q);
            QVERIFY(whole->best == found->best);
            QCOMPARE(whole->counts.outpaced + whole->counts.too_large, std::uint64_t{0});
            all += found->counts;
        }
        const std::uint64_t many = support::expected(1000);
        QVERIFY2(
            all.outpaced > many && all.too_large > many && all.repeated > many && all.scored > many / 2,
            qPrintable(QString("%1 %2 %3 %4").arg(all.outpaced).arg(all.too_large).arg(all.repeated).arg(all.scored)));
    }

    /// Neither the step nor the memory is less than its bound, and the bounds are near.
    void bounds_hold() {
        std::mt19937 random(2);
        int staged = 0, near = 0, close = 0, full = 0;
        for (int k = 0; k < support::sampled(60); ++k) {
            Scenario s =
                k % 2 == 0 ? of_gpt(4, 8) : support::random_scenario(random, support::random_network(random, 20));
            s.training.batch_rule = BatchRule::total;
            s.parallelism.updates = Updates::synchronous;
            support::divide(s.parallelism, support::Divided::data);
            s.parallelism.overlap = static_cast<Overlap>(pick(random, 0, 2));
            s.parallelism.boundaries.clear();
            for (int l = 1; l < s.network()->size(); l += 3)
                s.parallelism.recompute_layers.push_back(s.network()->layers()[static_cast<std::size_t>(l)].id);
            std::sort(s.parallelism.recompute_layers.begin(), s.parallelism.recompute_layers.end());
            const auto plan = prepare(s);
            Scratch scratch = make_scratch(*plan);
            for (int i = 0; i < 80; ++i) {
                Point p = plan->point;
                p.tensor = pick(random, 1, 2), p.pipeline = pick(random, 2, 5);
                p.workers = p.tensor * p.pipeline * pick(random, 1, 4);
                p.batch = pick(random, 1, 60);
                p.micro_batches = pick(random, 1, 12), p.chunks = pick(random, 1, 3);
                p.order = static_cast<PipelineOrder>(pick(random, 0, 3));
                p.recompute = static_cast<Recompute>(pick(random, 0, 3));
                p.sharded = static_cast<Sharded>(pick(random, 0, 3));
                p.shard_group = i % 3;
                p.reshard_after_forward = i % 2 == 0;
                const Summary work = score_of_work(*plan, p, scratch);
                const auto states = scratch.division.state_bytes;
                const Summary least = score_at_least(*plan, p, scratch);
                const bool above = least.feasible() && surely_too_large(*plan, p, Bytes{0}, scratch);
                Scratch fresh = make_scratch(*plan);
                const Summary exact = score(*plan, p, fresh);
                QCOMPARE(least.feasible(), exact.feasible());
                QCOMPARE(work.feasible(), exact.feasible());
                if (!exact.feasible()) continue;
                ++staged;
                QVERIFY(above);
                QVERIFY(least.step <= exact.step);
                QVERIFY(work.step <= exact.step);
                close += work.step.value > 0.5 * exact.step.value;
                near += least.step.value > 0.8 * exact.step.value;
                const Bytes peak = peak_memory(*plan, p, fresh);
                scratch.division.state_bytes = states;
                QVERIFY(!states_surely_too_large(peak, scratch));
                score_at_least(*plan, p, scratch);
                QVERIFY(!surely_too_large(*plan, p, peak, scratch));
                score_at_least(*plan, p, scratch);
                full += surely_too_large(*plan, p, Bytes{0.7 * peak.value}, scratch);
            }
        }
        QVERIFY2(staged > support::expected(2000) && near > staged / 2 && close > staged / 3 && full > staged / 2,
                 qPrintable(QString("%1 %2 %3 %4").arg(staged).arg(near).arg(close).arg(full)));
    }
};

QTEST_APPLESS_MAIN(TestSearchMeshes)
#include "tst_search_meshes.moc"
