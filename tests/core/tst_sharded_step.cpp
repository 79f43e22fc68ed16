// SPDX-License-Identifier: GPL-3.0-or-later
// Training states that replicas divide among them (ZeRO stages 1 to 3; specification: composed parallelism, section 8).
#include <QtTest>
#include <cmath>
#include <fstream>
#include <functional>
#include <sstream>

#include "core/estimate/dividing.hpp"
#include "core/estimate/estimate.hpp"
#include "core/estimate/memory_walk.hpp"
#include "core/estimate/timeline.hpp"
#include "core/schedule/buckets.hpp"
#include "core/schedule/pipeline_order.hpp"
#include "state_traffic.hpp"
#include "support_any_mesh.hpp"
#include "support_choices.hpp"
#include "support_mesh.hpp"
#include "support_networks.hpp"

using namespace scalescope;
using support::close, support::score_of, support::set_mesh;

namespace {

constexpr std::array all_stages{Sharded::nothing, Sharded::optimizer, Sharded::gradients, Sharded::weights};

struct Answer : support::Answer {
    Bytes peak;
    explicit Answer(const Scenario& s) : support::Answer(s) {
        Scratch scratch = make_scratch(plan);
        score(plan, plan.point, scratch);
        peak = peak_memory(plan, plan.point, scratch);
    }
};

/// Layers whose 16 · 32, 32 · 64, 64 · 16 and 16 · 8 weights divide by 2, 4 and 8.
support::NetworkPtr small_network() {
    support::Builder b;
    int x = b.input({16});
    for (const int units : {32, 64, 16}) x = b.activation(b.dense(x, units, false));
    b.softmax(b.dense(x, 8, false));
    return b.make();
}

Scenario small_scenario() {
    Scenario s = support::scenario(small_network());
    s.cluster.devices_per_node = 8;
    s.parallelism.collective = Collective::ring;
    s.training.batch = 24;
    s.training.batch_rule = BatchRule::per_worker;
    return s;
}

Scenario random_mesh(std::mt19937& random, int layers) {
    Scenario s = support::random_scenario(random, support::random_network(random, layers));
    set_mesh(s, support::pick(random, 1, 4), support::pick(random, 1, 3), support::pick(random, 1, 2));
    s.parallelism.policy = static_cast<ShardingPolicy>(support::pick(random, 0, 3));
    s.parallelism.sequence = support::pick(random, 0, 1) == 1;
    s.parallelism.sharded = all_stages[static_cast<std::size_t>(support::pick(random, 0, 3))];
    const std::int64_t data = s.cluster.workers / (s.parallelism.pipeline * s.parallelism.tensor);
    s.cluster.devices_per_node = support::pick(random, 1, 8);
    std::mt19937 beside = random;
    if (support::pick(beside, 0, 1) == 1 && data == 4) s.parallelism.shard_group = 2;
    s.parallelism.reshard_after_forward = support::pick(beside, 0, 1) == 1;
    return s;
}
Scenario in_groups(Scenario s, std::int64_t group) {
    s.parallelism.shard_group = group;
    return s;
}

Scenario with(Scenario s, Sharded sharded) {
    s.parallelism.sharded = sharded;
    return s;
}

/// Elements that a rank sends in messages of one kind over the data axis, for the layers of one stage (-1: all).
double sent(const Answer& a, Message kind, int stage) {
    double sum = 0;
    for (const auto& m : a.e.messages) {
        if (m.axis != MeshAxis::data || m.message != kind) continue;
        if (stage >= 0 && a.e.layers[static_cast<std::size_t>(m.layers.front())].stage != stage) continue;
        const auto n = static_cast<double>(m.group.ranks);
        const double once = m.bytes.value / 4 * (n - 1) / n;
        sum += once * static_cast<double>(m.times) * (kind == Message::all_reduce ? 2 : 1);
    }
    return sum;
}

std::vector<std::int64_t> parameters_of(const Answer& a, int stage) {
    std::vector<std::int64_t> all;
    for (const auto& row : a.e.layers)
        if (const auto n = a.plan.parts[0].network->facts()[static_cast<std::size_t>(row.position)].parameters();
            n > 0 && (stage < 0 || row.stage == stage))
            all.push_back(n);
    return all;
}

void compare_with_counted(const Answer& a, const support::StateSharding& sharding, int stage) {
    const support::StateTraffic t = support::state_traffic(sharding, parameters_of(a, stage));
    QVERIFY(close(sent(a, Message::all_gather, stage), static_cast<double>(t.gather.elements)));
    QVERIFY(close(sent(a, Message::reduce_scatter, stage), static_cast<double>(t.scatter.elements)));
    QVERIFY(close(sent(a, Message::all_reduce, stage), static_cast<double>(t.all_reduce.elements)));
}

/// Seconds of one pass whose layers compute for `work` seconds each and wait for weights that take `gather` seconds,
/// sent one after the other: those of the next layer that has any from the moment on at which the layer before begins.
double stepped_through(const std::vector<double>& work, const std::vector<double>& gather) {
    double now = 0, asked = 0;
    for (std::size_t l = 0; l < work.size(); ++l) {
        if (gather[l] > 0) {
            now = std::max(now, asked + gather[l]);
            asked = now;
        }
        now += work[l];
    }
    return now;
}

}  // namespace

class TestShardedStep : public QObject {
    Q_OBJECT

private slots:
    void a_rank_sends_what_was_counted() {
        for (const Sharded sharded : all_stages)
            for (const Overlap overlap : {Overlap::off, Overlap::buckets})
                for (const std::int64_t ranks : {2, 4, 8})
                    for (const std::int64_t groups : {1, 2, 4})
                        for (const std::int64_t micro_steps : {1, 3}) {
                            if (groups > 1 && sharded == Sharded::nothing) continue;
                            Scenario s = in_groups(with(small_scenario(), sharded), ranks);
                            s.parallelism.reshard_after_forward = overlap == Overlap::off;
                            s.parallelism.overlap = overlap;
                            s.parallelism.bucket = Bytes{3000};
                            s.training.accumulation = micro_steps;
                            set_mesh(s, ranks * groups, 1, 1);
                            const bool freed = overlap == Overlap::off;
                            compare_with_counted(Answer(s), {sharded, ranks, groups, micro_steps, freed}, -1);
                            set_mesh(s, ranks * groups, 2, 1);
                            s.parallelism.micro_batches = 4;
                            const Answer a(s);
                            for (const int stage : {0, 1})
                                compare_with_counted(a, {sharded, ranks, groups, 4 * micro_steps, freed}, stage);
                            if (QTest::currentTestFailed()) return;
                        }
    }

    /// What was counted when shards were sent one by one (tests/data/parallel), but for rows whose weights stay whole
    /// for the whole step, or whose gradients are added up whole. Layers are padded as they were there.
    void as_the_table_has_it() {
        std::ifstream file(SCALESCOPE_TEST_DATA "/parallel/zero_volumes.csv");
        std::string line;
        std::getline(file, line);
        int held = 0, in_groups_held = 0;
        while (std::getline(file, line)) {
            std::vector<std::string> cells;
            std::istringstream row(line);
            for (std::string cell; std::getline(row, cell, ',');) cells.push_back(cell);
            const auto cell = [&](std::size_t i) { return std::stoll(cells[i]); };
            const auto sharded = static_cast<Sharded>(cell(4));
            if (cells[6] == "0" || cells[7] == "0") continue;
            const std::int64_t ranks = cell(0), replicas = cell(1);
            support::Builder b;
            const int from = b.input({1});
            std::vector<int> all;
            std::istringstream list(cells[2]);
            for (std::string n; std::getline(list, n, ';');)
                all.push_back(b.dense(from, support::padded(std::stoll(n), ranks), false));
            b.softmax(all.size() == 1 ? all[0] : b.concat(all));
            Scenario s = with(support::scenario(b.make()), sharded);
            s.parallelism.shard_group = ranks;
            s.parallelism.reshard_after_forward = cells[5] != "0";
            s.training.accumulation = cell(3);
            set_mesh(s, ranks * replicas, 1, 1);
            const Answer a(s);
            QVERIFY2(close(sent(a, Message::all_gather, -1), static_cast<double>(cell(8))), line.c_str());
            QVERIFY2(close(sent(a, Message::reduce_scatter, -1), static_cast<double>(cell(9))), line.c_str());
            double padding = 0;  // of shards, which groups divide again
            for (const std::int64_t n : parameters_of(a, -1))
                if (replicas > 1)
                    padding += static_cast<double>(support::padded(n / ranks, replicas) - n / ranks) *
                               static_cast<double>(2 * (replicas - 1)) / static_cast<double>(replicas);
            QVERIFY2(close(sent(a, Message::all_reduce, -1) + padding, static_cast<double>(cell(10))), line.c_str());
            ++held;
            in_groups_held += replicas > 1;
        }
        QCOMPARE(held, 612);
        QCOMPARE(in_groups_held, 72);
    }

    void one_group_is_all_and_groups_of_one_are_none() {
        std::mt19937 random(31);
        int checked = 0;
        for (int k = 0; k < 300; ++k) {
            Scenario s = support::any_mesh(random);
            const auto degrees = degrees_of(s);
            const auto same = [&](const Scenario& x, const Scenario& y) {
                QCOMPARE(score_of(x), score_of(y));
                if (!score_of(x).feasible()) return;
                const Answer one(x), other(y);
                QCOMPARE(one.e.memory.peak, other.e.memory.peak);
                QCOMPARE(one.e.messages.size(), other.e.messages.size());
                checked += one.e.states.sharded != Sharded::nothing;
            };
            if (s.parallelism.sharded == Sharded::nothing) continue;
            same(in_groups(s, degrees->replicas()), in_groups(s, 0));
            if (degrees->replicas() > 1) same(in_groups(s, 1), with(s, Sharded::nothing));
            if (QTest::currentTestFailed()) return;
        }
        QVERIFY(checked > 60);
    }

    /// Neither do times of gathers, which have fewer neighbours to wait for, on one level.
    void memory_never_grows_with_the_group() {
        std::mt19937 random(32);
        int smaller = 0, quicker = 0;
        for (int k = 0; k < 200; ++k) {
            Scenario s = random_mesh(random, 16);
            s.parallelism.sharded = all_stages[static_cast<std::size_t>(support::pick(random, 1, 3))];
            set_mesh(s, 8, support::pick(random, 1, 2), support::pick(random, 1, 2));
            s.cluster.devices_per_node = 1;
            if (!score_of(in_groups(s, 0)).feasible()) continue;
            double before = Answer(in_groups(s, 1)).e.memory.peak.value, gathers = 0;
            for (const std::int64_t group : {2, 4, 8}) {
                const Answer a(in_groups(s, group));
                QVERIFY2(a.e.memory.peak.value <= before * (1 + 1e-12), qPrintable(QString::number(k)));
                QCOMPARE(a.peak, a.e.memory.peak);
                smaller += a.e.memory.peak.value < before;
                before = a.e.memory.peak.value;
                double now = 0;
                for (const auto& m : a.e.messages) now += m.weights ? m.each.value : 0;
                QVERIFY(now >= gathers);
                quicker += now > gathers && gathers > 0;
                gathers = now;
            }
        }
        QVERIFY(smaller > 200 && quicker > 200);
    }

    /// Neighbours lie in one node, the ranks with the same shard in different ones.
    void groups_lie_where_their_ranks_do() {
        Scenario s = in_groups(with(small_scenario(), Sharded::weights), 4);
        set_mesh(s, 16, 1, 2);
        s.parallelism.policy = ShardingPolicy::trainer;
        const Answer a(s);
        int within = 0, between = 0;
        for (const auto& m : a.e.messages) {
            if (m.axis != MeshAxis::data) continue;
            QCOMPARE(m.group.ranks, 4);
            QCOMPARE(m.group.nodes, m.over_groups ? 4 : 1);
            QCOMPARE(m.group.sending, 8);
            (m.over_groups ? between : within) += 1;
        }
        QVERIFY(within > 4 && between == 1);
        QCOMPARE(a.e.states.ranks, 4);
        QCOMPARE(a.e.states.groups, 4);
    }

    /// Event by event: shards that are summed over groups have the link while nothing else of their pass has it.
    void sums_over_groups_stepped_through() {
        std::mt19937 random(33);
        int waited = 0, hidden = 0;
        for (int k = 0; k < 400; ++k) {
            Scenario s = support::random_scenario(random, support::random_network(random, 16));
            s = with(s, all_stages[static_cast<std::size_t>(support::pick(random, 1, 3))]);
            const bool perfect = k % 4 == 0;
            s.parallelism.overlap = perfect ? Overlap::perfect : Overlap::buckets;
            s.parallelism.bucket = Bytes{support::real(random, 1e2, 2e4)};
            s.parallelism.copies = false;
            s.model.spread = s.model.interference = Fraction{0};
            s.parallelism.collective = static_cast<Collective>(support::pick(random, 0, 2));  // all of it may hide
            s.cluster.inside.latency = s.cluster.between.latency = Seconds{0};
            s.cluster.inside.bandwidth = gigabytes_per_second(std::exp(support::real(random, 2, 9)));
            s.cluster.between.bandwidth = gigabytes_per_second(std::exp(support::real(random, 2, 9)));
            set_mesh(s, 4, 1, 1);
            s.parallelism.shard_group = 2;
            if (!score_of(s).feasible()) continue;
            const Answer a(s);
            if (a.e.states.groups != 2) continue;
            const double repeat = a.e.layers.front().repeat;
            double backward = 0, gathers = 0;
            for (const auto& row : a.e.layers) backward += row.backward().value / repeat, gathers += row.gathers.value;
            std::vector<std::array<double, 3>> scatters;  // start, end, and what is to be summed then
            for (const auto& m : a.e.messages)
                if (m.gradients && m.message == Message::reduce_scatter)
                    scatters.push_back({m.start.value, (m.start + m.each).value, 0});
            std::size_t i = 0;
            double told = 0;
            for (const auto& m : a.e.messages)
                if (m.over_groups)
                    scatters[i++][2] = m.each.value, told += m.exposed.value, hidden += m.hidden.value > 0;
            QCOMPARE(i, scatters.size());
            if (scatters.empty()) continue;
            waited += told > 0;
            if (perfect) {  // whatever fits
                const double before = std::max(0.0, backward - gathers - (scatters[0][1] - scatters[0][0]));
                QVERIFY(std::abs(told - std::max(0.0, scatters[0][2] - before)) <= 1e-9 * (told + backward));
                continue;
            }
            double now = 0;
            for (std::size_t j = 0; j < scatters.size(); ++j) {
                now = std::max(now, scatters[j][1]);
                double left = scatters[j][2];
                for (std::size_t n = j + 1; n < scatters.size() && left > 0; ++n) {
                    const double idle = std::max(0.0, scatters[n][0] - now);
                    if (idle >= left) break;
                    left -= idle;
                    now = std::max(now, scatters[n][1]);
                }
                now += left;
            }
            const double alone = std::max(backward - gathers, scatters.back()[1]);
            QVERIFY2(std::abs(told - std::max(0.0, now - alone)) <= 1e-9 * (told + backward),
                     qPrintable(QString::number(k)));
        }
        QVERIFY(waited > 100 && hidden > 50);
    }

    /// Two scatters of a second follow each other from second 1 on; their shards take a second each after that, of
    /// which half hides behind the last layer, which has no weights.
    void sums_over_groups_by_hand() {
        MessageCost scatter, sum;
        scatter.options[0].seconds_per_byte = 0.25;
        sum.options[0].seconds_per_byte = 0.5;
        const std::array backward{1.5, 1.0, 1.0}, bytes{0.0, 4.0, 4.0};
        const std::array streams{GradientStream{bytes, &scatter, &sum, 2}};
        const GradientSync sync = sync_gradients(backward, streams, 0, 3, Overlap::buckets, Bytes{4}, nullptr);
        QCOMPARE(sync.total.value, 2.0);
        QCOMPARE(sync.exposed.value, 0.0);
        QCOMPARE(sync.after_total.value, 2.0);
        QCOMPARE(sync.after_exposed.value, 1.5);
    }

    void groups_that_do_not_fit() {
        Scenario s = in_groups(with(small_scenario(), Sharded::weights), 5);
        set_mesh(s, 12, 1, 1);
        const auto said = [&] { return to_text(estimate(s).error().front()); };
        QVERIFY(said().find("The 12 replicas do not divide into shard groups of 5") != std::string::npos);
        QVERIFY(said().find("use a shard group of 4 or 6") != std::string::npos);
        QCOMPARE(estimate(s).error().front().where, std::string("parallelism.shard_group"));
        s.parallelism.shard_group = 100;
        QVERIFY(said().find("use a shard group of 12") != std::string::npos);
        s.parallelism.sharded = Sharded::nothing;
        QVERIFY(estimate(s).has_value());
        // Replicas 0 and 1 have the first experts, 2 the second ones.
        s = in_groups(with(support::scenario(support::mixture(1, 64, 4, 64, true)), Sharded::weights), 3);
        set_mesh(s, 12, 1, 1);
        s.parallelism.expert = 2;
        QVERIFY(said().find("do not hold whole sets of experts on 2 workers") != std::string::npos);
        QVERIFY(said().find("use a shard group of 2 or 4") != std::string::npos);
        for (const std::int64_t group : {1, 2, 4, 6, 12}) QVERIFY(estimate(in_groups(s, group)).has_value());
        const Answer a(in_groups(s, 4));
        // Curves and walls look at workers that fill groups.
        Point p;
        p.tensor = 2, p.pipeline = 3, p.context = 4, p.shard_group = 8;
        QCOMPARE(p.step_of_workers(), 24);
        p.sharded = Sharded::optimizer;
        QCOMPARE(p.step_of_workers(), 48);
        QCOMPARE(a.e.states.expert_ranks, 2);
        QCOMPARE(a.e.states.expert_groups, 3);
    }

    /// Weights that stay until backward are gathered once, and all of a device are whole.
    void kept_weights() {
        Scenario s = with(small_scenario(), Sharded::weights);
        set_mesh(s, 4, 1, 1);
        const Answer freed(s), two(with(s, Sharded::gradients));
        s.parallelism.reshard_after_forward = false;
        const Answer kept(s);
        for (const auto& m : kept.e.messages) QVERIFY(!m.weights || m.forward);
        QCOMPARE(kept.e.memory.weights, two.e.memory.weights);
        QCOMPARE(kept.e.memory.gradients, freed.e.memory.gradients);
        QCOMPARE(kept.e.memory.optimizer, freed.e.memory.optimizer);
        QVERIFY(kept.e.memory.weights > freed.e.memory.weights);
        QVERIFY(kept.e.summary.communication < freed.e.summary.communication);
        // Without a forward pass nobody has gathered them.
        s.workload[0].passes.forward = false;
        const Answer backward(s);
        QVERIFY(std::any_of(backward.e.messages.begin(), backward.e.messages.end(),
                            [](const auto& m) { return m.weights && !m.forward; }));
        s.workload[0].passes.forward = true;
        set_mesh(s, 4, 2, 1);
        const Answer staged(s);
        QVERIFY(std::any_of(staged.e.notes.begin(), staged.e.notes.end(),
                            [](const Problem& p) { return p.where == "parallelism.reshard_after_forward"; }));
    }

    /// 16 → 32 → 64 → 16 → 8 without biases, on two workers: worked out by hand.
    void by_hand() {
        Scenario s = small_scenario();
        s.cluster.inside.bandwidth = BytesPerSecond{1e6};
        s.cluster.inside.latency = Seconds{0};
        s.model.inside = Fraction{1};
        s.training.optimizer = Optimizer::adam;
        set_mesh(s, 2, 1, 1);
        const double weights = 16 * 32 + 32 * 64 + 64 * 16 + 16 * 8;  // 3712
        const double all = weights * 4, half = all / 2;
        const Answer none(s), one(with(s, Sharded::optimizer)), two(with(s, Sharded::gradients)),
            three(with(s, Sharded::weights));
        // Reduce-scatter and gather each send half of all bytes.
        QVERIFY(close(none.e.summary.communication.value, 2 * half / 1e6));
        QVERIFY(close(one.e.summary.communication.value, 2 * half / 1e6));
        QVERIFY(close(two.e.summary.communication.value, 2 * half / 1e6));
        QVERIFY(close(one.e.summary.update.value, none.e.summary.update.value / 2));
        QVERIFY(close(none.e.memory.optimizer.value, weights * 8) && close(one.e.memory.optimizer.value, weights * 4));
        QVERIFY(close(one.e.memory.gradients.value, all) && close(two.e.memory.gradients.value, half));
        QVERIFY(close(two.e.memory.weights.value, all));
        // 32 · 64 and 64 · 16 are neighbours, whole at once; of the other two a half each.
        QVERIFY(close(three.e.memory.weights.value, 4 * (2048 + 1024 + (512 + 128) / 2)));
        // Computing takes microseconds, sending milliseconds: next to nothing of the gathers hides. All four layers
        // forward, three backward, and the gradients.
        const double gathers = (2 * weights - 128) * 4 / 2 / 1e6, sent = gathers + half / 1e6;
        const Summary& sum = three.e.summary;
        QVERIFY(close((sum.communication + sum.hidden).value, sent));
        QVERIFY(sum.hidden.value > 0 && sum.hidden.value < sum.forward.value + sum.backward.value);
        // The first layer's gather waits for nothing to hide behind: 16 · 32 weights.
        for (const auto& m : three.e.messages)
            if (m.weights && m.forward && m.first == 1) QVERIFY(close(m.exposed.value, 512 * 4 / 2 / 1e6));
    }

    /// The same layers when gathers are as long as their work: event by event.
    void gathers_stepped_through() {
        std::mt19937 random(21);
        int waited = 0, hidden = 0;
        for (int k = 0; k < 300; ++k) {
            Scenario s = with(support::random_scenario(random, support::random_network(random, 16)), Sharded::weights);
            s.model.spread = s.model.interference = Fraction{0};
            set_mesh(s, support::pick(random, 2, 4), 1, 1);
            if (!score_of(s).feasible()) continue;
            const Answer a(s);
            if (a.e.summary.batch.effective < 2) continue;
            const std::size_t n = a.e.layers.size();
            std::vector<double> forward(n), backward(n), there(n), back(n);
            for (std::size_t l = 0; l < n; ++l) {
                forward[l] = a.e.layers[l].forward.value / a.e.layers[l].repeat;
                backward[n - 1 - l] = a.e.layers[l].backward().value / a.e.layers[l].repeat;
            }
            double exposed = 0, repeat = a.e.layers.front().repeat;
            for (const auto& m : a.e.messages)
                if (m.weights) {
                    const auto l = static_cast<std::size_t>(m.first);
                    (m.forward ? there[l] : back[n - 1 - l]) = m.each.value;
                    exposed += m.exposed.value / static_cast<double>(m.times);
                    QCOMPARE(static_cast<double>(m.times), repeat);
                    hidden += m.hidden.value > 0;
                }
            const double work = (a.e.summary.forward + a.e.summary.backward).value / repeat;
            const double stepped = stepped_through(forward, there) + stepped_through(backward, back);
            QVERIFY2(close(work + exposed, stepped), qPrintable(QString::number(k)));
            waited += exposed > 0;
        }
        QVERIFY(waited > 100 && hidden > 100);
    }

    /// Gathers and gradients of one backward pass share a link: together they hide no longer than it lasts.
    void one_link_carries_one_message_at_a_time() {
        std::mt19937 random(29);
        int full = 0;
        for (int k = 0; k < 300; ++k) {
            Scenario s = with(support::random_scenario(random, support::random_network(random, 16)), Sharded::weights);
            s.parallelism.overlap = support::pick(random, 0, 1) == 1 ? Overlap::buckets : Overlap::perfect;
            s.model.interference = Fraction{0};
            set_mesh(s, support::pick(random, 2, 4), 1, 1);
            if (!score_of(s).feasible()) continue;
            const Answer a(s);
            double forward = 0, backward = 0;
            for (const auto& m : a.e.messages) (m.forward ? forward : backward) += m.hidden.value;
            const Summary& sum = a.e.summary;
            QVERIFY2(forward <= sum.forward.value * (1 + 1e-9), qPrintable(QString::number(k)));
            QVERIFY2(backward <= sum.backward.value * (1 + 1e-9), qPrintable(QString::number(k)));
            full += backward > 0.9 * sum.backward.value;
        }
        QVERIFY(full > 20);
    }

    void one_replica_shares_nothing() {
        std::mt19937 random(22);
        int checked = 0;
        for (int k = 0; k < 200; ++k) {
            Scenario s = random_mesh(random, 16);
            set_mesh(s, 1, s.parallelism.pipeline, s.parallelism.tensor);
            s.parallelism.shard_group = 0;
            const Summary none = score_of(with(s, Sharded::nothing));
            for (const Sharded sharded : all_stages) QCOMPARE(score_of(with(s, sharded)), none);
            if (!none.feasible()) continue;
            ++checked;
            const Answer a(with(s, Sharded::weights)), b(with(s, Sharded::nothing));
            QCOMPARE(a.e.memory.peak, b.e.memory.peak);
            QCOMPARE(a.e.messages.size(), b.e.messages.size());
        }
        QVERIFY(checked > 100);
    }

    void memory_never_grows_with_the_stage() {
        std::mt19937 random(23);
        int smaller = 0;
        for (int k = 0; k < 250; ++k) {
            const Scenario s = random_mesh(random, 20);
            if (!score_of(with(s, Sharded::nothing)).feasible()) continue;
            const Answer none(with(s, Sharded::nothing));
            Bytes before = none.e.memory.peak;
            // With one stage one device is the fullest whatever is sharded.
            const bool one_stage = s.parallelism.pipeline == 1;
            for (const Sharded sharded : {Sharded::optimizer, Sharded::gradients, Sharded::weights}) {
                const Answer a(with(s, sharded));
                const auto ranks = static_cast<double>(a.e.states.ranks);
                QVERIFY2(a.e.memory.peak <= before * (1 + 1e-12), qPrintable(QString::number(k)));
                smaller += a.e.memory.peak < before;
                before = a.e.memory.peak;
                QCOMPARE(a.peak, a.e.memory.peak);
                if (!one_stage) continue;
                QVERIFY(close(a.e.memory.optimizer.value * ranks, none.e.memory.optimizer.value));
                const double kept = sharded >= Sharded::gradients ? ranks : 1;
                QVERIFY(close(a.e.memory.gradients.value * kept, none.e.memory.gradients.value));
                if (sharded < Sharded::weights) QCOMPARE(a.e.memory.weights, none.e.memory.weights);
            }
        }
        QVERIFY(smaller > 200);
    }

    /// An all-reduce around a ring is a reduce-scatter and a gather: stage 1 saves time of the update, and loses what
    /// of its gather an all-reduce would hide.
    void stage_1_is_the_all_reduce_in_two() {
        std::mt19937 random(24);
        for (int k = 0; k < 150; ++k) {
            Scenario s = support::random_scenario(random, support::random_network(random, 16));
            set_mesh(s, support::pick(random, 2, 4), 1, 1);
            s.parallelism.collective = Collective::ring;
            s.parallelism.overlap = Overlap::off;
            s.parallelism.gradients = GradientFormat::as_weights;
            const Summary none = score_of(with(s, Sharded::nothing));
            if (!none.feasible() || none.batch.effective < 2) continue;
            const auto n = static_cast<double>(std::min(s.cluster.workers, none.batch.effective));
            const Summary one = score_of(with(s, Sharded::optimizer));
            QVERIFY(close(one.communication.value, none.communication.value));
            const double launches = s.model.launch.value * static_cast<double>(prepare(s)->parts[0].trained_layers);
            if (none.update.value > 0) QVERIFY(close(one.update.value - launches, (none.update.value - launches) / n));
            QCOMPARE(one.forward, none.forward);
            // As long as nothing hides, shards that are added up cost the same each time.
            s.training.accumulation = 1;
            const Summary two = score_of(with(s, Sharded::gradients));
            QVERIFY(close(two.communication.value, score_of(with(s, Sharded::optimizer)).communication.value));
        }
    }

    void faster_links_never_slow_it() {
        std::mt19937 random(25);
        for (int k = 0; k < 200; ++k) {
            Scenario s = in_groups(random_mesh(random, 16), 0);
            set_mesh(s, support::pick(random, 2, 4), 1, support::pick(random, 1, 2));
            s.parallelism.policy = ShardingPolicy::columns;
            const Summary before = score_of(s);
            if (!before.feasible()) continue;
            s.cluster.between.bandwidth = s.cluster.between.bandwidth * Fraction{3};
            s.cluster.inside.bandwidth = s.cluster.inside.bandwidth * Fraction{3};
            QVERIFY2(score_of(s).step.value <= before.step.value * (1 + 1e-9), qPrintable(QString::number(k)));
        }
    }

    /// Shards of gradients and weights travel in every micro-step; all else once in a step.
    void traffic_grows_with_the_micro_steps() {
        for (const Sharded sharded : all_stages) {
            Scenario s = with(small_scenario(), sharded);
            set_mesh(s, 4, 1, 1);
            const Answer once(s);
            for (const std::int64_t micro_steps : {2, 4, 8}) {
                s.training.accumulation = micro_steps;
                const Answer a(s);
                const double often = sharded >= Sharded::gradients ? static_cast<double>(micro_steps) : 1;
                for (const Message m : {Message::all_reduce, Message::reduce_scatter})
                    QVERIFY(close(sent(a, m, -1), often * sent(once, m, -1)));
                const double gathers = sharded == Sharded::weights ? often : 1;
                QVERIFY(close(sent(a, Message::all_gather, -1), gathers * sent(once, Message::all_gather, -1)));
            }
        }
    }

    void score_is_estimate() {
        std::mt19937 random(26);
        int checked = 0;
        for (int k = 0; k < 500; ++k) {
            const Scenario s = random_mesh(random, 20);
            if (!score_of(s).feasible()) continue;
            ++checked;
            const Answer a(s);
            const Summary& sum = a.e.summary;
            QCOMPARE(sum, score_of(s));
            QVERIFY(
                close((sum.forward + sum.backward + sum.update + sum.communication + sum.idle).value, sum.step.value) ||
                s.training.input_limit.value > 0);
            QVERIFY(sum.hidden.value >= 0 && sum.communication.value >= 0);
            double exposed = 0, hidden = 0, rows = 0, rows_hidden = 0, update = 0;
            bool within = false;
            for (const auto& m : a.e.messages) {
                QVERIFY(!m.layers.empty());
                QVERIFY(m.exposed.value >= 0 && m.hidden.value >= 0);
                exposed += m.exposed.value;
                hidden += m.hidden.value;
                within = within || m.within_stage();
            }
            for (const auto& row : a.e.layers) {
                rows += row.communication.value;
                rows_hidden += row.hidden.value;
                update += row.update.value;
            }
            QVERIFY(close(rows, exposed) && close(rows_hidden, hidden));
            const bool staged = a.e.layers.back().stage > 0;
            if (!staged) QVERIFY(close(update, sum.update.value));
            if (staged && within) continue;  // of the busiest stage only
            QVERIFY2(close(exposed, sum.communication.value), qPrintable(QString::number(k)));
            // A stage's copies of gradients are in its messages' waits only.
            if (!staged || !s.parallelism.copies)
                QVERIFY2(close(hidden, sum.hidden.value), qPrintable(QString::number(k)));
        }
        QVERIFY(checked > 300);
    }

    /// What a stage waits for within a micro-batch is part of its time: against the pipeline stepped through.
    void stages_wait_within_each_micro_batch() {
        std::mt19937 random(27);
        int checked = 0;
        for (int k = 0; k < 300; ++k) {
            Scenario s = in_groups(random_mesh(random, 16), 0);
            s.parallelism.sharded = support::pick(random, 0, 1) == 1 ? Sharded::weights : Sharded::gradients;
            s.parallelism.copies = false;
            s.model.spread = s.model.interference = Fraction{0};
            s.training.input_limit = {};
            set_mesh(s, support::pick(random, 2, 4), support::pick(random, 2, 3), 1);
            if (!score_of(s).feasible()) continue;
            const Answer a(s);
            const auto stages = static_cast<std::size_t>(s.parallelism.pipeline);
            std::vector<double> forward(stages), backward(stages), there(stages), back(stages), gathered(stages);
            for (const auto& row : a.e.layers) {
                forward[static_cast<std::size_t>(row.stage)] += row.forward.value / row.repeat;
                backward[static_cast<std::size_t>(row.stage)] += row.backward().value / row.repeat;
            }
            double copies = 0;
            for (const auto& m : a.e.messages) {
                const auto stage = static_cast<std::size_t>(a.e.layers[static_cast<std::size_t>(m.first)].stage);
                if (m.within_stage())
                    (m.forward ? forward : backward)[stage] += m.exposed.value / static_cast<double>(m.times);
                else if (m.gradients && m.axis == MeshAxis::data)
                    gathered[stage] += m.each.value;
                else if (m.gradients)
                    copies += m.each.value;
                else
                    (m.forward ? there[stage] : back[stage - 1]) = m.each.value;
            }
            const auto micro = micro_batches(a.plan, a.e.point, a.e.summary.batch);
            const auto steps = micro_steps(a.plan, a.e.summary.batch);
            PipelineRun run;
            run_pipeline(PipelineOrder::fill_drain, {static_cast<int>(forward.size()), 1, micro.count},
                         {forward, backward, {}, there, back}, false, run);
            const double span = run.makespan.value;
            const double step =
                span * static_cast<double>(steps.count) + copies + *std::max_element(gathered.begin(), gathered.end());
            const Summary& sum = a.e.summary;
            QVERIFY2(close(step, (sum.step - sum.update).value), qPrintable(QString::number(k)));
            ++checked;
        }
        QVERIFY(checked > 100);
    }

    void the_timeline_ends_with_the_step() {
        std::mt19937 random(28);
        int waited = 0;
        for (int k = 0; k < 400; ++k) {
            Scenario s = random_mesh(random, 16);
            if (s.parallelism.pipeline > 1) s.training.input_limit = {};
            // What is drawn after the last micro-batch of a stage: whole messages, without copies.
            const bool groups = s.parallelism.shard_group == 2;
            if (s.parallelism.pipeline > 1 && s.parallelism.sharded < Sharded::gradients) {
                s.parallelism.copies = false;
                s.parallelism.tensor = 1;
                s.cluster.workers = s.parallelism.pipeline * (groups ? 4 : 2);
            }
            if (!score_of(s).feasible()) continue;
            const Answer a(s);
            const Summary& sum = a.e.summary;
            const Timeline t = make_timeline(a.plan, a.e);
            QVERIFY2(close(t.end.value, sum.step.value), qPrintable(QString::number(k)));
            if (a.e.layers.back().stage > 0) continue;
            double sent = 0, hidden = 0;
            std::vector<double> free(t.rows.size(), 0.0);
            auto by_start = t.intervals;
            std::stable_sort(by_start.begin(), by_start.end(),
                             [](const Interval& x, const Interval& y) { return x.start < y.start; });
            for (const Interval& i : by_start) {
                (i.activity == Activity::hidden ? hidden : sent) +=
                    i.activity == Activity::hidden || i.activity == Activity::communication ? i.length.value : 0.0;
                double& end = free[static_cast<std::size_t>(i.row)];
                // Tensor messages share a row with gradients under the backward pass.
                if (i.row != 1 || s.parallelism.tensor == 1)
                    QVERIFY2(i.start.value >= end - 1e-9 * sum.step.value, qPrintable(QString::number(k)));
                end = std::max(end, (i.start + i.length).value);
            }
            QVERIFY(close(sent, sum.communication.value));
            const bool earlier = s.training.accumulation > 1;
            QVERIFY(earlier ? hidden <= sum.hidden.value * (1 + 1e-9)
                            : std::abs(hidden - sum.hidden.value) <= 1e-9 * sum.step.value);
            waited += t.rows.size() == 3;
        }
        QVERIFY(waited > 20);
    }

    /// A transformer whose head uses its embedding: each stage gathers what it uses, and keeps a piece of its copy.
    void weights_that_two_stages_use() {
        Scenario s = support::scenario(support::preset("gpt-2"));
        s.cluster.devices_per_node = 8;
        s.training.batch = 8;
        set_mesh(s, 4, 2, 1);
        const Answer none(s), one(with(s, Sharded::optimizer)), three(with(s, Sharded::weights));
        const auto& network = *none.plan.parts[0].network;
        int user = -1;
        for (const auto& row : none.e.layers)
            if (!row.copies.empty()) user = row.position;
        QVERIFY(user > 0);
        const int owner = network.weights_owner(user);
        const double bytes = none.plan.parts[0].work.weight_bytes[static_cast<std::size_t>(owner)];
        int gathers = 0;
        for (const auto& m : three.e.messages)
            if (m.weights && (m.first == user || m.first == owner)) {
                QVERIFY(m.bytes.value >= bytes);
                ++gathers;
            }
        QVERIFY(gathers >= 3);
        // After the update the second stage gathers its copy, too: all weights of the network and the copy.
        double gathered = 0, trained = bytes;
        for (const double b : none.plan.parts[0].work.weight_bytes) trained += b;
        for (const auto& m : one.e.messages)
            if (m.weights) gathered += m.bytes.value;
        QVERIFY(close(gathered, trained));
        QVERIFY(close(one.e.memory.optimizer.value * 4, none.e.memory.optimizer.value));
        // What is summed between the stages is a piece where gradients are shards.
        for (const auto& m : three.e.messages)
            if (m.gradients && m.axis == MeshAxis::pipeline) QVERIFY(close(m.bytes.value, bytes / 4));
    }

    /// Frozen weights are gathered to compute with them; they have no gradients and are not updated.
    void frozen_layers() {
        Scenario s = small_scenario();
        set_mesh(s, 4, 1, 1);
        s.training.frozen = {s.network()->layers()[1].id, s.network()->layers()[3].id};
        std::sort(s.training.frozen.begin(), s.training.frozen.end());
        const Answer one(with(s, Sharded::optimizer)), three(with(s, Sharded::weights));
        double updated = 0, forward = 0, backward = 0;
        for (const auto& m : one.e.messages)
            if (m.weights) updated += m.bytes.value;
        QVERIFY(close(updated, 4 * (1024 + 128)));
        for (const auto& m : three.e.messages)
            if (m.weights) (m.forward ? forward : backward) += m.bytes.value;
        QVERIFY(close(forward, 4 * (512 + 2048 + 1024 + 128)));
        QVERIFY(close(backward, 4 * 1024));  // no gradient goes further back, and the last layer is there
    }

    void what_does_not_know_it_says_so() {
        Scenario s = with(small_scenario(), Sharded::weights);
        set_mesh(s, 4, 1, 1);
        const auto said = [&] {
            const auto e = estimate(s);
            return e ? std::string() : to_text(e.error().front());
        };
        QVERIFY(said().empty());
        s.parallelism.strategy = Strategy::hybrid;
        QVERIFY(said().find("not modelled with the hybrid strategy") != std::string::npos);
        QCOMPARE(estimate(s).error().front().where, std::string("parallelism.sharded"));
        QVERIFY(score_of(with_cut(s, 3)).feasible());
        s.parallelism.strategy = Strategy::data;
        s.parallelism.updates = Updates::asynchronous;
        QVERIFY(said().find("not modelled with asynchronous updates") != std::string::npos);
        QVERIFY(score_of(with_asynchronous_updates(s)).feasible());
        s.parallelism.updates = Updates::synchronous;
        s.model.method = Method::paleo_head;
        s.parallelism.collective = Collective::one_to_all;
        const auto paleo = estimate(s);
        QVERIFY(paleo.has_value());
        QVERIFY(std::any_of(paleo->notes.begin(), paleo->notes.end(), [](const Problem& p) {
            return p.what.find("sharded training states") != std::string::npos;
        }));
        QCOMPARE(paleo->summary, score_of(with(s, Sharded::nothing)));
    }
};

QTEST_APPLESS_MAIN(TestShardedStep)
#include "tst_sharded_step.moc"
