// SPDX-License-Identifier: GPL-3.0-or-later
// Data, pipeline and tensor axis together (specification: composed parallelism).
#include <QtTest>
#include <cmath>
#include <map>
#include <set>

#include "core/estimate/dividing.hpp"
#include "core/estimate/estimate.hpp"
#include "core/estimate/memory_walk.hpp"
#include "core/estimate/recompute.hpp"
#include "core/estimate/timeline.hpp"
#include "core/schedule/pipeline_order.hpp"
#include "sanitized.hpp"
#include "support_choices.hpp"
#include "support_explain_walk.hpp"
#include "support_library.hpp"
#include "support_mesh.hpp"
#include "support_networks.hpp"

using namespace scalescope;
using support::Answer, support::close, support::score_of, support::set_mesh;

namespace {

Scenario of_preset(const char* network) {
    Scenario s = support::scenario(support::preset(network));
    s.cluster.devices_per_node = 4;
    s.training.batch = 24;
    s.training.batch_rule = BatchRule::total;
    s.parallelism.micro_batches = 4;
    return s;
}

/// Bytes of gradients that messages of one axis carry, by layer.
double gradients_sent(const Answer& a, MeshAxis axis) {
    double sum = 0;
    for (const auto& m : a.e.messages)
        if (m.gradients && m.axis == axis) sum += m.bytes.value;
    return sum;
}

}  // namespace

class TestMeshStep : public QObject {
    Q_OBJECT

private slots:
    /// States of recurrent layers travel one after the other: every page of them is right, and so is the timeline.
    void recurrent_layers_are_divided_by_units() {
        support::Builder b;
        const int lstm = b.simple("lstm", {b.input({12, 64})});
        b.set(lstm, "units", std::int64_t{4096});
        const int second = b.simple("lstm", {b.dropout(lstm)});
        b.set(second, "units", std::int64_t{4096});
        Scenario s = support::explained::scenario("few kinds");
        NetworkDraft draft = b.draft();
        draft.name = "Two LSTMs";
        s.workload[0].network = *Network::make(std::move(draft));
        s.cluster.workers = s.cluster.devices_per_node = 8;
        s.cluster.inside.latency = Seconds{1e-7};
        s.training.batch = 512;
        for (const std::int64_t stages : {1, 2}) {
            set_mesh(s, 4 / stages, stages, 2);
            const Answer a(s);
            double states = 0;
            for (const auto& m : a.e.messages)
                if (m.carries == Carried::states) {
                    QCOMPARE(m.successive, 12);
                    states += m.exposed.value;
                }
            QVERIFY(states > 0);
            QCOMPARE(support::explained::wrong_pages(s), QString());
            const Timeline t = make_timeline(a.plan, a.e);
            QVERIFY(t.end <= a.e.summary.step * (1 + 1e-9));
        }
    }

    /// All workers on one axis are the same whether it is given or fills the mesh, to the last bit.
    void one_axis_is_its_fill() {
        std::mt19937 random(11);
        int outputs = 0, layers = 0;
        for (int k = 0; k < support::sampled(400); ++k) {
            Scenario s = support::random_scenario(random, support::random_network(random, 16));
            const std::int64_t n = support::pick(random, 2, 5);
            s.cluster.workers = n;
            for (const support::Divided strategy : {support::Divided::outputs, support::Divided::layers}) {
                support::divide(s.parallelism, strategy);
                s.parallelism.policy = ShardingPolicy::columns;
                s.parallelism.tensor = s.parallelism.pipeline = 1;
                const Summary one = score_of(s);
                const bool tensor = strategy == support::Divided::outputs;
                set_mesh(s, 1, tensor ? 1 : n, tensor ? n : 1);
                QCOMPARE(score_of(s), one);
                (tensor ? outputs : layers) += one.feasible();
            }
        }
        QVERIFY(outputs > support::expected(100) && layers > support::expected(200));
    }

    /// The same of each axis beside two others; the degree of the one that fills the mesh does not count.
    void each_axis_fills_the_mesh() {
        Scenario s = support::explained::scenario("few kinds");
        s.workload[0].network = support::gpt(4, 64, 4, 16, false);
        s.training.batch = 16;
        s.training.batch_rule = BatchRule::total;
        s.parallelism.micro_batches = 4;
        s.cluster.workers = 16;
        for (const auto& [axis, own] : {std::pair(MeshAxis::tensor, &GivenDegrees::tensor),
                                        std::pair(MeshAxis::pipeline, &GivenDegrees::pipeline),
                                        std::pair(MeshAxis::context, &GivenDegrees::context)}) {
            Parallelism& p = s.parallelism;
            p.tensor = p.pipeline = p.context = 2;
            p.*own = 4;
            p.fill = MeshAxis::data;
            const Answer given(s);
            p.fill = axis;
            for (const std::int64_t ignored : {1, 3}) {
                p.*own = ignored;
                const Answer filled(s);
                QCOMPARE(filled.e.summary, given.e.summary);
                QCOMPARE(filled.e.memory.peak, given.e.memory.peak);
                QCOMPARE(score_of(s), given.e.summary);
            }
            s.cluster.workers = 18;
            QVERIFY(!estimate(s));
            s.cluster.workers = 16;
        }
        s.workload[0].network = support::preset("alexnet-one-tower");
        s.parallelism.degrees_given() = {};
        QCOMPARE(estimate(s).error().front().where, std::string("parallelism.fill"));
    }

    /// Another order of the axes moves workers: where their messages go by other links, those of the axes that come
    /// first stay within a node.
    void the_order_of_the_axes_chooses_links() {
        Scenario s = support::explained::scenario("few kinds");
        s.workload[0].network = support::gpt(4, 64, 4, 16, false);
        s.training.batch = 64;
        s.training.batch_rule = BatchRule::total;
        s.parallelism.order = PipelineOrder::one_f_one_b;
        s.parallelism.micro_batches = 4;
        s.parallelism.context = 2;
        s.parallelism.boundaries = {s.network()->layers()[20].id};
        set_mesh(s, 2, 2, 2);
        s.cluster.workers = 16;
        s.cluster.devices_per_node = 4;
        s.cluster.inside.bandwidth = BytesPerSecond{1e11};
        s.cluster.between.bandwidth = BytesPerSecond{1e9};
        const Answer usual(s);
        std::set<double> steps;
        for (const LaidOut& one : distinct_orders(*degrees_of(s))) {
            s.parallelism.axis_order = one.order;
            const Answer a(s);
            QCOMPARE(a.e.summary, score_of(s));
            QCOMPARE(a.e.memory.weights, usual.e.memory.weights);
            for (const auto& m : a.e.messages) {
                // Two axes of two fill a node; replicas lie along both context and data.
                std::ptrdiff_t place = 0;
                for (const MeshAxis axis : {m.axis, m.axis == MeshAxis::data ? MeshAxis::context : m.axis})
                    place = std::max(place, std::find(one.axes.begin(), one.axes.end(), axis) - one.axes.begin());
                QCOMPARE(m.group.nodes > 1, place > 1);
            }
            QCOMPARE(support::explained::wrong_pages(s), QString());
            steps.insert(a.e.summary.step.value);
        }
        QVERIFY(steps.size() > 4);
        // Experts need the workers of a stage to be neighbours.
        s.workload[0].network = support::mixture(2, 64, 4, 16, false);
        s.parallelism.boundaries.clear();
        s.parallelism.expert = 2;
        s.parallelism.axis_order = AxisOrder::tensor_context_data_pipeline;
        QVERIFY(score_of(s).feasible());
        s.parallelism.axis_order = static_cast<AxisOrder>(1);
        QCOMPARE(support::problem_of(s).where, std::string("parallelism.axis_order"));
    }

    void score_is_estimate() {
        std::mt19937 random(12);
        int checked = 0;
        for (int k = 0; k < support::sampled(300); ++k) {
            Scenario s = support::random_scenario(random, support::random_network(random, 20));
            set_mesh(s, support::pick(random, 1, 3), support::pick(random, 1, 3), support::pick(random, 1, 3));
            s.parallelism.policy = static_cast<ShardingPolicy>(support::pick(random, 0, 3));
            s.parallelism.sequence = support::pick(random, 0, 1) == 1;
            s.cluster.devices_per_node = support::pick(random, 1, 8);
            if (!score_of(s).feasible()) continue;
            ++checked;
            const Answer a(s);
            QCOMPARE(a.e.summary, score_of(s));
            const Summary& sum = a.e.summary;
            QVERIFY(
                close((sum.forward + sum.backward + sum.update + sum.communication + sum.idle).value, sum.step.value) ||
                s.training.input_limit.value > 0);
            QCOMPARE(a.e.point.degrees()->workers(), s.cluster.workers);
            // The baseline is one worker, not a mesh that one worker cannot make.
            s.cluster.workers = 1;
            s.parallelism.tensor = s.parallelism.pipeline = 1;
            if (s.training.batch_rule == BatchRule::total) QCOMPARE(a.e.baseline, score_of(s));
            // What the workers of a stage send, and what stages wait for, is the communication of the step.
            double messages = 0;
            const int stages = a.e.layers.back().stage + 1;
            if (stages > 1 && a.e.point.tensor > 1) continue;  // of the busiest stage only
            for (const auto& m : a.e.messages) messages += m.exposed.value;
            QVERIFY2(close(messages, sum.communication.value), qPrintable(QString::number(k)));
        }
        QVERIFY(checked > support::expected(200));
    }

    /// A plan and what a Scratch knows of other points: the bits of an estimate that knows nothing.
    void every_point_of_a_plan_is_an_estimate() {
        std::mt19937 random(6);
        int meshes = 0, staged = 0, recomputed = 0;
        for (int k = 0; k < support::sampled(60); ++k) {
            const bool gpt = k % 2 == 0;
            Scenario s = support::random_scenario(
                random, gpt ? support::gpt(3, 32, 4, 16, false) : support::random_network(random, 20));
            s.training.batch_rule = BatchRule::total;
            s.parallelism.updates = Updates::synchronous;
            s.parallelism.boundaries.clear();
            s.parallelism.policy = static_cast<ShardingPolicy>(support::pick(random, 0, 3));
            s.parallelism.sequence = support::pick(random, 0, 1) == 1;
            s.cluster.devices_per_node = support::pick(random, 1, 8);
            const Plan plan = *prepare(s);
            Scratch scratch = make_scratch(plan);
            for (int i = 0; i < 60; ++i) {
                Parallelism& p = s.parallelism;
                p.tensor = support::pick(random, 1, 3), p.pipeline = support::pick(random, 1, 4),
                p.context = gpt ? support::pick(random, 1, 2) : 1;
                s.cluster.workers = p.tensor * p.pipeline * p.context * support::pick(random, 1, 3);
                s.training.batch = support::pick(random, 1, 40);
                support::divide(p,
                                support::pick(random, 0, 5) == 0 ? support::Divided::layers : support::Divided::data);
                p.collective = static_cast<Collective>(support::pick(random, 0, 2));
                p.micro_batches = support::pick(random, 1, 8), p.chunks = support::pick(random, 1, 3);
                p.order = static_cast<PipelineOrder>(support::pick(random, 0, 3));
                p.recompute = static_cast<Recompute>(support::pick(random, 0, 2));
                p.sharded = static_cast<Sharded>(support::pick(random, 0, 3));
                const Point point = point_of(s);
                const Summary summary = score(plan, point, scratch);
                const auto e = estimate(s);
                QCOMPARE(e.has_value(), summary.feasible());
                if (!e) continue;
                QCOMPARE(e->summary, summary);
                QCOMPARE(peak_memory(plan, point, scratch).value, e->memory.peak.value);
                meshes += point.tensor > 1, staged += e->stages.size() > 1;
                recomputed += std::any_of(e->layers.begin(), e->layers.end(),
                                          [](const LayerEstimate& l) { return l.recompute.value > 0; });
            }
        }
        QVERIFY2(
            meshes > support::expected(500) && staged > support::expected(500) && recomputed > support::expected(300),
            qPrintable(QString("%1 %2 %3").arg(meshes).arg(staged).arg(recomputed)));
    }

    /// Weights of all ranks are as many copies as there are replicas; every replica sums its own share of gradients.
    /// Divisions of layers outlive a change of prices only where they stay the same.
    void a_kept_division_is_that_of_the_plan() {
        Scenario s = support::preset_scenario("gpt-3-175b-a100");
        s.workload.front().network = support::gpt(3, 64, 4, 32, false);
        s.parallelism.policy = ShardingPolicy::best;
        s.parallelism.recompute = Recompute::nothing;
        set_mesh(s, 2, 1, 4);
        Plan plan = *prepare(s);
        Scratch kept = make_scratch(plan);
        std::set<double> steps;
        const auto check = [&](const Plan& changed) {
            Scratch fresh = make_scratch(changed);
            const Summary summary = score(changed, changed.point, fresh);
            steps.insert(summary.step.value);
            return score(changed, changed.point, kept) == summary;
        };
        QVERIFY(check(plan));
        const auto change = [&](auto edit) {
            edit(s);
            return reprice_plan(plan, s) && check(plan);
        };
        QVERIFY(change([](Scenario& t) { t.cluster.inside.bandwidth = t.cluster.inside.bandwidth / 100; }));
        QVERIFY(
            change([](Scenario& t) { t.cluster.device.memory_bandwidth = t.cluster.device.memory_bandwidth / 1e4; }));
        QVERIFY(change([](Scenario& t) { t.model.launch = Seconds{1e-3}; }));
        QVERIFY(change([](Scenario& t) { t.parallelism.policy = ShardingPolicy::trainer; }));
        QVERIFY(change([](Scenario& t) { t.parallelism.sequence = true; }));
        QVERIFY(change([](Scenario& t) { t.cluster.inside.latency = Seconds{1}; }));
        QCOMPARE(steps.size(), std::size_t{7});
        // As the remedies do: from recomputed blocks and back.
        Plan blocks = plan;
        set_recompute(blocks, {Recompute::blocks});
        QVERIFY(check(blocks) && check(plan));
        s.workload.front().network = support::gpt(3, 128, 4, 32, false);
        QVERIFY(check(*prepare(s)) && check(plan));
    }

    void weights_and_gradients_of_a_mesh() {
        for (const char* name : {"gpt-2", "vgg-16"})
            for (const ShardingPolicy policy : {ShardingPolicy::columns, ShardingPolicy::trainer}) {
                Scenario s = of_preset(name);
                s.parallelism.policy = policy;
                set_mesh(s, 3, 1, 2);
                const Answer a(s);
                double of_rank = 0, cut = 0;
                for (const auto& row : a.e.layers) {
                    const double bytes = a.plan.parts[0].work.gradient_bytes[static_cast<std::size_t>(row.position)];
                    of_rank += bytes * row.shares.weights;
                    if (row.shares.weights < 1) cut += bytes;
                }
                QVERIFY(close(gradients_sent(a, MeshAxis::data), of_rank));
                QVERIFY(cut > 0.5 * a.plan.parts[0].gradient_bytes_before.back());
                for (const auto& m : a.e.messages) QCOMPARE(m.group.ranks, m.axis == MeshAxis::data ? 3 : 2);
                // In pairs on nodes of four: ranks of a data group are two apart.
                for (const auto& m : a.e.messages)
                    if (m.axis == MeshAxis::data)
                        QCOMPARE(m.group, (GroupReach{3, 2, 2, 4}));
                    else
                        QCOMPARE(m.group, (GroupReach{2, 2, 1, 4}));
            }
    }

    /// Each stage adds up its gradients when its own last micro-batch is through, against the pipeline stepped through.
    void stages_wait_for_their_gradients() {
        std::mt19937 random(13);
        int waited = 0;
        for (int k = 0; k < support::sampled(200); ++k) {
            Scenario s = support::random_scenario(random, support::random_network(random, 16));
            s.parallelism.overlap = Overlap::off;
            s.parallelism.copies = false;
            s.model.spread = s.model.interference = Fraction{0};
            s.training.input_limit = {};
            set_mesh(s, support::pick(random, 2, 4), support::pick(random, 2, 4), 1);
            if (!score_of(s).feasible()) continue;
            const Answer a(s);
            const auto stages = static_cast<std::size_t>(s.parallelism.pipeline);
            std::vector<double> forward(stages), backward(stages), there(stages), back(stages), reduce(stages);
            for (const auto& row : a.e.layers) {
                forward[static_cast<std::size_t>(row.stage)] += row.forward.value / row.repeat;
                backward[static_cast<std::size_t>(row.stage)] += row.backward().value / row.repeat;
            }
            double copies = 0;
            for (const auto& m : a.e.messages) {
                const auto stage = static_cast<std::size_t>(a.e.layers[static_cast<std::size_t>(m.first)].stage);
                if (m.axis == MeshAxis::data)
                    reduce[stage] += m.each.value;
                else if (m.gradients)
                    copies += m.each.value;
                else
                    (m.forward ? there[stage] : back[stage - 1]) = m.each.value;
            }
            const auto micro = micro_batches(a.plan, a.e.point, a.e.summary.batch);
            const auto steps = micro_steps(a.plan, a.e.summary.batch);
            PipelineRun run;
            run_pipeline(PipelineOrder::fill_drain, {static_cast<int>(stages), 1, micro.count},
                         {forward, backward, {}, there, back}, false, run);
            const double span = run.makespan.value;
            double end = span;
            for (std::size_t i = 0; i < stages; ++i) end = std::max(end, run.done[i] + reduce[i]);
            const double step = span * static_cast<double>(steps.count - 1) + end + copies;
            const Summary& sum = a.e.summary;
            QVERIFY2(close(step, (sum.step - sum.update).value), qPrintable(QString::number(k)));
            waited += end > span;
        }
        QVERIFY(waited > support::expected(50));
    }

    /// Of GPT-2 too, whose dropout would be quicker on a part of the features.
    void dropout_does_not_scatter_sums() {
        Scenario s = of_preset("gpt-2");
        set_mesh(s, 2, 1, 4);
        std::map<std::pair<std::string, Message>, int> sent;
        const Answer a(s);
        const Network& network = *s.network();
        for (const auto& m : a.e.messages)
            if (m.axis == MeshAxis::tensor && !m.gradients)
                if (const auto name = network.layers()[static_cast<std::size_t>(m.layers.front())].name;
                    name.starts_with("h1/"))
                    ++sent[{m.forward ? "forward" : "backward", m.message}];
        QCOMPARE(sent, (std::map<std::pair<std::string, Message>, int>{{{"forward", Message::all_reduce}, 2},
                                                                       {{"backward", Message::all_reduce}, 2}}));
    }

    /// GPT-3 as Megatron-LM divides it: two all-reduces a block each way, and whole tensors over the borders.
    void stages_of_a_transformer_that_divides_its_layers() {
        Scenario s = of_preset("gpt-3-175b");
        s.cluster.devices_per_node = 8;
        set_mesh(s, 2, 8, 8);
        for (const bool sequence : {false, true}) {
            s.parallelism.sequence = sequence;
            const Answer a(s);
            std::map<Message, int> sent;
            for (const auto& m : a.e.messages)
                if (m.axis == MeshAxis::tensor && !m.gradients) ++sent[m.message];
            const int blocks = 96, ways = sequence ? 4 : 2;
            if (sequence) {
                QVERIFY(sent[Message::all_gather] >= 2 * blocks * 2 && sent[Message::reduce_scatter] >= 2 * blocks * 2);
            } else {
                QVERIFY(std::abs(sent[Message::all_reduce] - ways * 2 * blocks) < 10);
                QCOMPARE(sent[Message::all_gather], 0);
            }
            // Between stages: the residual stream, 12288 features of 2048 positions in fp32, whole or an eighth of it
            // where positions are divided, and beside it what is cut into eight.
            const double eighth = 2048.0 * 12288 * 4 * 3 / 8, stream = sequence ? 1 : 8;
            int borders = 0;
            for (const auto& m : a.e.messages)
                if (m.when == When::at_border) {
                    ++borders;
                    const double eighths = m.bytes.value / eighth;
                    QVERIFY2(close(eighths, std::round(eighths)) && eighths > stream - 0.5,
                             qPrintable(QString::number(eighths)));
                }
            QCOMPARE(borders, 2 * 7);
        }
    }

    /// Tensor ranks that have the same send a piece each, and gather behind the border (Narayanan et al., SC 2021,
    /// section 4.1): with sequence parallelism nothing is whole there.
    void pieces_over_the_borders() {
        Scenario s = of_preset("gpt-3-175b");
        s.cluster.devices_per_node = 8;
        set_mesh(s, 2, 8, 8);
        s.parallelism.sequence = true;
        const Summary positions = score_of(s);
        s.parallelism.scatter_gather = true;
        QCOMPARE(score_of(s), positions);
        s.parallelism.sequence = false;
        const Answer pieces(s);
        s.parallelism.scatter_gather = false;
        const Answer whole(s);
        const auto borders = [](const Answer& a, Message kind) {
            std::vector<double> bytes;
            for (const auto& m : a.e.messages)
                if (m.when == When::at_border && m.message == kind) bytes.push_back(m.bytes.value);
            return bytes;
        };
        const auto sent = borders(pieces, Message::point_to_point), before = borders(whole, Message::point_to_point),
                   gathered = borders(pieces, Message::all_gather);
        QCOMPARE(sent.size(), before.size());
        QCOMPARE(gathered.size(), before.size());
        QVERIFY(borders(whole, Message::all_gather).empty());
        for (std::size_t i = 0; i < sent.size(); ++i)
            QVERIFY(close(before[i] - sent[i], gathered[i] - gathered[i] / 8) && gathered[i] > 0);
        // Eight cards send an eighth each of what all of them sent before.
        QVERIFY(pieces.e.summary.communication < whole.e.summary.communication);
        QCOMPARE(pieces.e.memory.peak, whole.e.memory.peak);
    }

    /// Faster links never slow the step; more replicas at a fixed batch never send fewer gradients a rank.
    void faster_links_never_slow_a_mesh() {
        std::mt19937 random(14);
        for (int k = 0; k < support::sampled(150); ++k) {
            Scenario s = support::random_scenario(random, support::random_network(random, 16));
            // Stages are cut by times, and layers divided by them: not as it would suit the whole step.
            set_mesh(s, support::pick(random, 1, 3), 1, support::pick(random, 1, 3));
            s.parallelism.policy = ShardingPolicy::columns;
            const Summary before = score_of(s);
            if (!before.feasible()) continue;
            s.cluster.between.bandwidth = s.cluster.between.bandwidth * Fraction{3};
            s.cluster.inside.bandwidth = s.cluster.inside.bandwidth * Fraction{3};
            QVERIFY2(score_of(s).step.value <= before.step.value * (1 + 1e-9), qPrintable(QString::number(k)));
        }
    }

    /// The group that lies in most nodes, by the coordinates of every rank.
    void groups_across_nodes() {
        for (std::int64_t tensor : {1, 2, 3, 4, 6})
            for (std::int64_t data : {1, 2, 3, 5})
                for (std::int64_t pipeline : {1, 2, 3})
                    for (std::int64_t node : {1, 2, 4, 6, 8}) {
                        Mesh mesh;
                        mesh.tensor = tensor, mesh.data = data, mesh.pipeline = pipeline;
                        LinkRates links;
                        links.devices_per_node = node;
                        for (const MeshAxis axis : {MeshAxis::tensor, MeshAxis::data}) {
                            std::map<std::int64_t, std::set<std::int64_t>> nodes;
                            for (std::int64_t r = 0; r < mesh.devices(); ++r) {
                                const std::int64_t t = r % tensor, d = r / tensor % data, p = r / tensor / data;
                                nodes[axis == MeshAxis::tensor ? d + data * p : t + tensor * p].insert(r / node);
                            }
                            std::size_t most = 0;
                            for (const auto& [group, in] : nodes) most = std::max(most, in.size());
                            const GroupReach reach = reach_of(mesh, axis, links);
                            // Of ranks that lie apart it may count nodes between them.
                            const auto in = static_cast<std::int64_t>(most);
                            QVERIFY2(axis == MeshAxis::tensor ? reach.nodes == in
                                                              : reach.nodes >= in && reach.nodes <= in + 1,
                                     qPrintable(QString("%1 x %2 x %3, node of %4: %5, not %6")
                                                    .arg(tensor)
                                                    .arg(data)
                                                    .arg(pipeline)
                                                    .arg(node)
                                                    .arg(reach.nodes)
                                                    .arg(most)));
                            QVERIFY(reach.in_node * reach.nodes >= reach.ranks && reach.in_node <= reach.ranks);
                        }
                    }
    }

    /// What knows no mesh takes its degrees back.
    void another_way_leaves_no_degrees_behind() {
        Scenario s = of_preset("alexnet-one-tower");
        set_mesh(s, 2, 2, 2);
        QVERIFY(score_of(with_cut(s, 3)).feasible());
        QVERIFY(score_of(with_asynchronous_updates(s)).feasible());
        s.parallelism.updates = Updates::asynchronous;
        QCOMPARE(score_of(s).infeasible, Infeasible::not_asynchronous);
    }

    void a_mesh_that_does_not_come_out_even() {
        Scenario s = of_preset("alexnet-one-tower");
        const auto said = [&](std::int64_t workers, std::int64_t pipeline, std::int64_t tensor) {
            s.cluster.workers = workers;
            s.parallelism.pipeline = pipeline;
            s.parallelism.tensor = tensor;
            const auto e = estimate(s);
            return e ? std::string() : to_text(e.error().front());
        };
        QVERIFY(said(512, 4, 3).find("512 workers do not divide by 12 (4 stages of 3 workers)") != std::string::npos);
        QVERIFY(said(512, 4, 3).find("use 504 or 516 workers") != std::string::npos);
        QVERIFY(said(10, 1, 4).find("10 workers do not divide by 4") != std::string::npos);
        QVERIFY(said(2, 1, 4).find("use 4 workers") != std::string::npos);
        QVERIFY(said(8, 2, 4).empty());
        support::divide(s.parallelism, support::Divided::hybrid);
        QVERIFY(said(8, 2, 1).find("hybrid") != std::string::npos);
        // The axis that takes what the others leave does not look at a degree of its own.
        support::divide(s.parallelism, support::Divided::outputs);
        QVERIFY(said(6, 2, 5).empty());
    }
};

QTEST_APPLESS_MAIN(TestMeshStep)
#include "tst_mesh_step.moc"
