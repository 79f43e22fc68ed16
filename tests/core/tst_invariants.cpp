// SPDX-License-Identifier: GPL-3.0-or-later
// What holds for every network on every mesh (docs/decisions/invariants.md), on random ones.
#include <QtTest>
#include <cmath>
#include <fstream>
#include <regex>
#include <set>

#include "core/estimate/estimate.hpp"
#include "sanitized.hpp"
#include "support_any_mesh.hpp"
#include "support_choices.hpp"
#include "support_library.hpp"
#include "support_mesh.hpp"
#include "support_networks.hpp"

using namespace scalescope;
using support::Answer, support::close, support::score_of;

namespace {

constexpr double slack = 1 + 1e-9;

const LayerFacts& facts_of(const Answer& a, const LayerEstimate& row) {
    return a.plan.parts[0].network->facts()[static_cast<std::size_t>(row.position)];
}
/// Ranks among which gradients of weights are summed on the tensor axis, if they are those with the same heads of keys.
std::int64_t sum_of(const Answer& a, const MessageEstimate& m) {
    return a.e.layers[static_cast<std::size_t>(m.layers.front())].repeats;
}
double held(const MemoryEstimate& m) { return (m.weights + m.gradients + m.optimizer).value; }

/// Sent by all ranks of a group together, once.
double sent_by_all(const MessageEstimate& m) {
    const double n = static_cast<double>(m.group.ranks);
    switch (m.message) {
        case Message::all_reduce: return 2 * (n - 1) * m.bytes.value;
        case Message::reduce_scatter:
        case Message::all_gather:
        case Message::all_to_all: return (n - 1) * m.bytes.value;
        default: return m.bytes.value;
    }
}

}  // namespace

class TestInvariants : public QObject {
    Q_OBJECT

    /// Calls `check` for many random meshes that can run.
    template <class Check>
    static void for_meshes(unsigned seed, int wanted, Check check) {
        std::mt19937 random(seed);
        wanted = support::sampled(wanted);
        int found = 0;
        for (int k = 0; k < 4 * wanted && found < wanted && !QTest::currentTestFailed(); ++k) {
            const Scenario s = support::any_mesh(random);
            if (!prepare(s) || !score_of(s).feasible()) continue;
            ++found;
            check(s, random);
            if (QTest::currentTestFailed()) qWarning("mesh %d of seed %u", k, seed);
        }
        QCOMPARE(found, wanted);
    }

private slots:
    /// 1. Settings of axes with one rank change nothing.
    void one_worker_is_one_worker() {
        for_meshes(1, 100, [](const Scenario& given, std::mt19937&) {
            Scenario s = support::on_one_worker(given);
            s.parallelism.order = PipelineOrder::fill_drain;
            Scenario plain = s;
            plain.parallelism.sharded = Sharded::nothing;
            plain.parallelism.sequence = false;
            plain.parallelism.policy = ShardingPolicy::trainer;
            plain.parallelism.context_scheme = ContextScheme::ring;
            plain.parallelism.dispatch = Dispatch::each_expert;
            plain.parallelism.collective = Collective::ring;
            plain.parallelism.micro_batches = 1;
            QCOMPARE(score_of(s), score_of(plain));
            const Answer a(s);
            for (const MessageEstimate& m : a.e.messages)
                QVERIFY(m.group.ranks == 1 && (m.each.value == 0 || m.message == Message::host_copy));
        });
    }

    /// 2. Nobody sends to himself: gradients of a single replica take no time, all other messages have a group.
    void no_group_of_one_sends() {
        std::set<MeshAxis> seen;
        for_meshes(2, 150, [&](const Scenario& s, std::mt19937&) {
            const Answer a(s);
            const Degrees d = *a.e.point.degrees();
            for (const MessageEstimate& m : a.e.messages) {
                if (m.message == Message::host_copy) continue;  // to the host
                const bool alone = m.group.ranks == 1;
                QVERIFY(m.bytes.value > 0 && m.times >= 1 && (m.each.value > 0) == !alone);
                QVERIFY(!alone || (m.gradients && m.axis == MeshAxis::data && d.data * d.context == 1) ||
                        m.axis == MeshAxis::pipeline);
                seen.insert(m.axis);
                if (m.axis == MeshAxis::tensor)  // or those that have the same heads of keys
                    QCOMPARE(m.group.ranks, m.gradients && sum_of(a, m) > 1 ? sum_of(a, m) : d.tensor);
                if (m.axis == MeshAxis::context) QCOMPARE(m.group.ranks, d.context);
                if (m.axis == MeshAxis::pipeline) QVERIFY(d.pipeline > 1);
                if (m.axis == MeshAxis::expert) QCOMPARE(m.group.ranks, s.parallelism.expert);
                if (m.axis == MeshAxis::expert_tensor) QCOMPARE(m.group.ranks, s.parallelism.expert_tensor);
            }
        });
        QCOMPARE(seen.size(), mesh_axes);
    }

    /// 3. Divided work is all of the work, rounded up to whole pieces; what no axis divides is done by each rank.
    void ranks_do_all_of_the_work_together() {
        int divided = 0;
        for_meshes(3, 150, [&](const Scenario& s, std::mt19937&) {
            const Answer a(s);
            const Degrees d = *a.e.point.degrees();
            for (const LayerEstimate& row : a.e.layers) {
                double share = 1;
                const auto cut = [&](const std::optional<ShardAlong>& along, std::int64_t ranks) {
                    if (!along) return;
                    const std::int64_t pieces = facts_of(a, row).along(*along);
                    share *= static_cast<double>(ceil_div(pieces, ranks)) / static_cast<double>(pieces);
                    ++divided;
                };
                if (d.tensor > 1) cut(row.along, d.tensor / row.repeats);
                if (d.context > 1) cut(row.context_along, d.context);
                QVERIFY(close(row.shares.flops, share));
                const double ranks = (row.along ? static_cast<double>(d.tensor) : 1.0) *
                                     (row.context_along ? static_cast<double>(d.context) : 1.0);
                QVERIFY(row.shares.flops * ranks >= 1 - 1e-12);
            }
        });
        QVERIFY(divided > support::expected(1000));
    }

    /// 6. With sequence parallelism as many bytes travel, forward and, as inputs of products are kept, backward.
    void sequence_parallelism_sends_as_much() {
        for (const std::int64_t tensor : {2, 4})
            for (const std::int64_t blocks : {1, 3}) {
                Scenario s = support::scenario(support::gpt(blocks, 64, 4, 64, true));
                support::set_mesh(s, 2, 1, tensor);
                double sent[2][2] = {};
                for (const bool sequence : {false, true}) {
                    s.parallelism.sequence = sequence;
                    const Answer a(s);
                    for (const MessageEstimate& m : a.e.messages)
                        if (m.axis == MeshAxis::tensor && !m.gradients && m.carries == Carried::output)
                            sent[sequence][m.forward] += sent_by_all(m);
                }
                QVERIFY(sent[0][0] > 0 && close(sent[0][1], sent[1][1]) && close(sent[0][0], sent[1][0]));
            }
    }

    /// 7. Columns and rows of the same product take as much time, and as much memory for weights.
    void columns_and_rows_weigh_the_same() {
        std::mt19937 random(7);
        std::set<ShardAlong> ways;
        for (int k = 0; k < support::sampled(50); ++k) {
            const std::int64_t t = std::int64_t{1} << support::pick(random, 1, 3);
            support::Builder b;
            int x = b.input({t * support::pick(random, 1, 9)});
            for (int l = 0; l < 6; ++l) x = b.activation(b.dense(x, t * support::pick(random, 1, 9), false));
            Scenario s = support::scenario(b.make());
            support::set_mesh(s, 1, 1, t);
            const Answer a(s);
            for (const LayerEstimate& row : a.e.layers) {
                if (facts_of(a, row).weights == 0) continue;
                ways.insert(*row.along);
                QVERIFY(close(row.shares.flops * static_cast<double>(t), 1));
                QVERIFY(close(row.shares.weights * static_cast<double>(t), 1));
            }
        }
        QCOMPARE(ways, (std::set{ShardAlong::outputs, ShardAlong::inputs}));
    }

    /// 8. All ranks of all stages together hold each weight as often as there are ranks that do not divide it.
    void weights_of_all_ranks() {
        int repeated = 0;
        for_meshes(8, 150, [&](const Scenario& s, std::mt19937&) {
            const Answer a(s);
            const Degrees d = *a.e.point.degrees();
            const double in_stage = static_cast<double>(d.data * d.context * d.tensor);
            for (const LayerEstimate& row : a.e.layers) {
                const LayerFacts& f = facts_of(a, row);
                if (f.parameters() == 0) continue;
                const double all = static_cast<double>(f.parameters()),
                             experts = static_cast<double>(f.experts.parameters),
                             held_by_all = all * row.shares.weights * in_stage,
                             groups = in_stage / static_cast<double>(s.parallelism.expert_ranks());
                // Columns, rows and the vocabulary are divided; positions and all else are not.
                const bool cut = row.along && sharding_row(*row.along).weights != 0;
                const double copies = cut ? static_cast<double>(d.data * d.context * row.repeats) : in_stage;
                const double wanted = (all - experts) * copies + experts * groups;
                // Pieces are rounded up on each rank.
                QVERIFY(held_by_all >= wanted * (1 - 1e-9));
                repeated += row.repeats > 1;
                if (!cut || f.along(*row.along) % (d.tensor / row.repeats) == 0) QVERIFY(close(held_by_all, wanted));
            }
        });
        QVERIFY(support::sanitized || repeated > 0);  // few meshes repeat heads
    }

    /// 10. Weights, gradients and states never grow with any degree or stage of sharding; kept activations not with the
    /// degrees that divide layers.
    void memory_never_grows_with_a_degree() {
        int smaller = 0;
        for_meshes(10, 80, [&](Scenario s, std::mt19937&) {
            s.parallelism.pipeline = 1;
            s.parallelism.policy = ShardingPolicy::trainer;
            s.parallelism.sharded = Sharded::nothing;
            s.parallelism.recompute = Recompute::nothing;
            const auto with = [&](std::int64_t tensor, std::int64_t context, std::int64_t expert,
                                  std::int64_t expert_tensor) {
                Scenario m = s;
                m.parallelism.degrees_given() = {tensor, 1, context, expert, expert_tensor};
                m.cluster.workers = 4 * tensor * context;
                return m;
            };
            const auto base = with(1, 1, 1, 1);
            const MemoryEstimate one = Answer(base).e.memory;
            for (const auto& [tensor, context, expert, expert_tensor] :
                 {std::array{2, 1, 1, 1}, std::array{4, 1, 1, 1}, std::array{1, 2, 1, 1}, std::array{1, 1, 2, 1},
                  std::array{2, 2, 2, 1}, std::array{1, 1, 1, 2}, std::array{2, 1, 2, 2}}) {
                const Scenario m = with(tensor, context, expert, expert_tensor);
                if (!score_of(m).feasible()) continue;
                const MemoryEstimate more = Answer(m).e.memory;
                QVERIFY(held(more) <= held(one) * slack);
                // Ranks that divide an expert gather what it works on.
                if (expert_tensor == 1) QVERIFY(more.activations.value <= one.activations.value * slack);
                smaller += held(more) < held(one);
            }
        });
        QVERIFY(smaller > support::expected(80));
    }

    /// 20. Of each message a part is waited for, never more than all of it; links without start-up times and infinitely
    /// fast leave computing and waiting for other stages alone.
    void exposed_is_at_most_the_message() {
        for_meshes(20, 150, [](Scenario s, std::mt19937&) {
            const Answer a(s);
            for (const MessageEstimate& m : a.e.messages) {
                const double all = m.each.value * static_cast<double>(m.times);
                QVERIFY(m.exposed.value >= 0 && m.hidden.value >= -1e-9 * all && m.exposed.value <= all * slack);
                QVERIFY(close((m.exposed + m.hidden).value, all));
            }
            s.cluster.inside = s.cluster.between = {};
            s.cluster.inside.bandwidth = s.cluster.between.bandwidth = s.cluster.host_link = BytesPerSecond{1e30};
            const Summary sum = score_of(s);
            QVERIFY(sum.communication.value <= 1e-9 * sum.step.value);
            QVERIFY(close((sum.forward + sum.backward + sum.update + sum.idle).value, sum.step.value));
        });
    }

    /// 22. Twice as many replicas share a batch: each has half of the samples, and sends gradients of the same weights.
    void replicas_share_the_samples() {
        for_meshes(22, 100, [](Scenario s, std::mt19937&) {
            s.training.accumulation = 1;
            s.parallelism.pipeline = s.parallelism.expert = s.parallelism.expert_tensor = 1;
            s.parallelism.sharded = Sharded::nothing;
            s.parallelism.overlap = Overlap::off;
            s.parallelism.recompute = Recompute::nothing;
            const std::int64_t replica = s.parallelism.tensor * s.parallelism.context;
            const auto with = [&](std::int64_t data) {
                s.cluster.workers = data * replica;
                return Answer(s);
            };
            const Answer two = with(2), four = with(4);
            QCOMPARE(four.e.layers[0].samples * 2, two.e.layers[0].samples);
            const auto gradients = [](const Answer& a) {
                double bytes = 0;
                for (const MessageEstimate& m : a.e.messages)
                    if (m.gradients && m.axis == MeshAxis::data) bytes += m.bytes.value;
                return bytes;
            };
            // Unless another way to divide layers is cheaper then.
            bool alike = true;
            for (std::size_t l = 0; l < two.e.layers.size(); ++l)
                alike = alike && two.e.layers[l].shares == four.e.layers[l].shares;
            if (alike) QVERIFY(close(gradients(two), gradients(four)));
        });
    }

    /// 25. One expert that every position goes through is a feed-forward network, but for its router.
    void one_expert_is_a_dense_network() {
        constexpr std::int64_t width = 32, inner = 96, positions = 16;
        const auto network = [&](bool expert) {
            support::Builder b;
            int x = b.simple("layer_norm", {b.input({positions, width})});
            if (expert) {
                x = b.simple("mixture_of_experts", {x});
                for (const auto& [name, value] : {std::pair{"experts", std::int64_t{1}},
                                                  std::pair{"top_k", std::int64_t{1}}, std::pair{"hidden", inner}})
                    b.set(x, name, value);
                b.set(x, "gated", false);
            } else {
                for (const std::int64_t units : {inner, width}) {
                    x = b.dense(x, units, false);
                    b.set(x, "per_position", true);
                }
            }
            b.simple("layer_norm", {x});
            return b.make();
        };
        const auto one = network(true), dense = network(false);
        QCOMPARE(one->parameters(), dense->parameters() + width);
        QCOMPARE(one->multiply_adds(), dense->multiply_adds() + positions * width);
        for (const std::int64_t data : {2, 4}) {
            double bytes[2];
            for (const bool expert : {false, true}) {
                Scenario s = support::scenario(expert ? one : dense);
                support::set_mesh(s, data, 1, 1);
                bytes[expert] = 0;
                for (const MessageEstimate& m : Answer(s).e.messages) bytes[expert] += m.bytes.value;
            }
            QCOMPARE(bytes[1], bytes[0] + 4.0 * width);
        }
        // Cut over tensor ranks, it has their weights and gradients, and gathers and scatters as much as a pair of
        // products between which positions are divided.
        for (const std::int64_t tensor : {2, 4}) {
            double weights[2], gathered[2];
            for (const bool expert : {false, true}) {
                Scenario s = support::scenario(expert ? one : dense);
                support::set_mesh(s, 2, 1, tensor);
                if (expert) s.parallelism.expert_tensor = tensor;
                s.parallelism.sharded = Sharded::nothing;
                const Answer a(s);
                weights[expert] = a.e.memory.weights.value + a.e.memory.gradients.value;
                gathered[expert] = 0;
                for (const MessageEstimate& m : a.e.messages)
                    if (m.axis == (expert ? MeshAxis::expert_tensor : MeshAxis::tensor) && !m.gradients)
                        gathered[expert] += m.bytes.value * (m.message == Message::all_reduce ? 2 : 1);
            }
            QCOMPARE(weights[1], weights[0] + 2 * 4.0 * width);
            QCOMPARE(gathered[1], gathered[0]);
        }
    }

    /// 32. On one node the links between nodes do not count.
    void network_cards_do_not_count_on_one_node() {
        for_meshes(32, 100, [](Scenario s, std::mt19937& random) {
            s.cluster.devices_per_node = s.cluster.workers * support::pick(random, 1, 2);
            const Summary before = score_of(s);
            s.cluster.between.bandwidth = s.cluster.between.bandwidth / support::real(random, 2, 1000);
            s.cluster.between.latency = Seconds{1};
            s.cluster.nics_per_node += 1;
            QCOMPARE(score_of(s), before);
        });
    }

    /// 33. The fullest moment is no less than what is always there, and no more than all kinds of buffers at their
    /// most.
    void peak_is_between_its_parts() {
        for_meshes(33, 150, [](const Scenario& s, std::mt19937&) {
            const Answer a(s);
            const auto check = [&](const MemoryEstimate& m, int stage) {
                QVERIFY(m.peak.value >= held(m) &&
                        m.peak.value >= (Bytes{held(m)} + m.activations).value * (1 - 1e-12));
                double most = held(m) + m.activations.value + m.whole.more(), recomputed = 0, own = 0;
                for (const LayerEstimate& row : a.e.layers) {
                    if (stage >= 0 && row.stage != stage) continue;
                    const auto l = static_cast<std::size_t>(row.position);
                    const Work& w = a.plan.parts[0].work;
                    recomputed += row.recomputed.value;
                    own = std::max(own, 2 * (w.in_bytes[l] + w.out_bytes[l]) * row.samples);
                }
                QVERIFY(m.peak.value <= (most + recomputed + own) * slack);
            };
            if (a.e.stages.empty()) check(a.e.memory, -1);
            for (std::size_t i = 0; i < a.e.stages.size(); ++i) {
                check(a.e.stages[i].memory, static_cast<int>(i));
                QVERIFY(a.e.stages[i].memory.peak <= a.e.memory.peak);
            }
        });
    }

    /// 34. All workers' peaks for the time of the step are at least the arithmetic of the model, and that of a step
    /// that computes some of it twice.
    void no_faster_than_the_peak() {
        for_meshes(34, 150, [](const Scenario& s, std::mt19937&) {
            const Answer a(s);
            const Work& work = a.plan.parts[0].work;
            double model = 0, again = 0;
            for (const LayerEstimate& row : a.e.layers) {
                const auto l = static_cast<std::size_t>(row.position);
                for (const PassWork& pass : work.pass) model += pass.flops[l];
                if (row.block >= 0) again += work.pass[0].flops[l];
            }
            const double batch = static_cast<double>(a.e.summary.batch.effective),
                         possible = a.e.summary.step.value * static_cast<double>(s.cluster.workers) *
                                    a.plan.device.arithmetic.value;
            QVERIFY(model * batch <= (model + again) * batch && (model + again) * batch <= possible * slack);
        });
    }

    /// 36. A mesh that cannot be says which number does not fit, and what to use; any other takes a finite time.
    void every_mesh_has_a_time_or_a_reason() {
        std::mt19937 random(36);
        int refused = 0, estimated = 0;
        for (int k = 0; k < support::sampled(400); ++k) {
            Scenario s = support::any_mesh(random);
            const auto any = [&] { return support::pick(random, 1, 9); };
            s.parallelism.degrees_given() = {any(), any(), support::pick(random, 1, 3), support::pick(random, 1, 3)};
            s.cluster.workers = support::pick(random, 1, 64);
            if (k % 2 == 0) {
                s.parallelism.pipeline = std::min<std::int64_t>(s.parallelism.pipeline, s.network()->size());
                s.cluster.workers = s.parallelism.tensor * s.parallelism.pipeline * s.parallelism.context * any();
            }
            s.parallelism.micro_batches = any();
            s.parallelism.order = static_cast<PipelineOrder>(support::pick(random, 0, 3));
            const auto e = estimate(s, Remedies::left_out);
            if (e) {
                ++estimated;
                QVERIFY(std::isfinite(e->summary.step.value) && e->summary.step.value > 0);
                continue;
            }
            ++refused;
            for (const Problem& p : e.error()) {
                const bool number =
                    std::any_of(p.what.begin(), p.what.end(), [](char c) { return c >= '0' && c <= '9'; });
                const bool no_such_thing =
                    p.where == "parallelism.context" || p.where.starts_with("parallelism.expert");
                QVERIFY2(number || no_such_thing, p.what.c_str());
                QVERIFY2(!p.remedy.empty(), p.what.c_str());
            }
        }
        QVERIFY(refused > support::expected(100) && estimated > support::expected(20));
    }

    /// Tests that the table names are there.
    void the_table_names_tests() {
        const auto text = [](const std::string& path) {
            std::ifstream in(std::string(SCALESCOPE_SOURCE_DIR "/") + path);
            return std::string(std::istreambuf_iterator<char>(in), {});
        };
        const std::string table = text("docs/decisions/invariants.md");
        const std::regex named("`(core|reference)_([a-z_]+)::([a-z_]+)`");
        int found = 0;
        for (std::sregex_iterator at(table.begin(), table.end(), named), end; at != end; ++at, ++found) {
            const std::string file = text("tests/" + (*at)[1].str() + "/tst_" + (*at)[2].str() + ".cpp");
            QVERIFY2(file.find("void " + (*at)[3].str() + "()") != std::string::npos, at->str().c_str());
        }
        QVERIFY(found > 60);
    }
};

QTEST_APPLESS_MAIN(TestInvariants)
#include "tst_invariants.moc"
