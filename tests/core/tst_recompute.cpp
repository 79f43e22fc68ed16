// SPDX-License-Identifier: GPL-3.0-or-later
// Activation recomputation: what is kept, what the backward pass computes again, and what both cost.
#include <QtTest>
#include <cmath>

#include "core/estimate/memory_walk.hpp"
#include "core/estimate/timeline.hpp"
#include "support_choices.hpp"
#include "support_recompute.hpp"

using namespace scalescope;
using namespace support::recomputing;
using support::Builder, support::gpt, support::pick, support::score_of;

namespace {

bool close(double a, double b, double tolerance = 1e-9) {
    return std::abs(a - b) <= tolerance * std::max({std::abs(a), std::abs(b), 1e-300});
}

/// data [8] → two blocks of dense 16 with ReLU, dense 8, dropout → dense 4
support::NetworkPtr two_blocks() {
    Builder b;
    int at = b.input({8});
    for (int k = 0; k < 2; ++k) {
        const int up = b.dense(at, 16);
        b.set(up, "activation", std::string("relu"));
        at = b.dropout(b.dense(up, 8));
    }
    b.dense(at, 4);
    const std::array names{"data", "b1/up", "b1/down", "b1/dropout", "b2/up", "b2/down", "b2/dropout", "tail"};
    return renamed(*b.make(), [&](int l, const Layer&) { return names[static_cast<std::size_t>(l)]; });
}

}  // namespace

class TestRecompute : public QObject {
    Q_OBJECT

private slots:
    /// Two blocks by hand, two samples in fp32, in bytes.
    void two_blocks_by_hand() {
        Scenario s = support::scenario(two_blocks());
        s.cluster.workers = 1;
        s.training.batch = 2;
        const Answer none(s), blocks = with(s, Recompute::blocks);
        const auto list = [](const Answer& a, Bytes LayerEstimate::*of) {
            std::vector<double> bytes;
            for (const auto& row : a.e.layers) bytes.push_back((row.*of).value);
            return bytes;
        };
        // An input of 8 numbers, an output of 16 for the ReLU and the second product, a byte for each element dropped.
        const double input = 2 * 4.0 * 8, middle = 2 * 4.0 * 16, mask = 2 * 8.0;
        QCOMPARE(list(none, &LayerEstimate::kept),
                 (std::vector<double>{0, input + middle, 0, mask, input + middle, 0, mask, input}));
        QCOMPARE(list(none, &LayerEstimate::recomputed), std::vector<double>(8, 0.0));
        QCOMPARE(list(blocks, &LayerEstimate::kept), (std::vector<double>{0, input, 0, 0, input, 0, 0, input}));
        QCOMPARE(list(blocks, &LayerEstimate::recomputed),
                 (std::vector<double>{0, middle, 0, mask, middle, 0, mask, 0}));
        QCOMPARE(none.e.memory.activations.value, 3 * input + 2 * middle + 2 * mask);
        QCOMPARE(blocks.e.memory.activations.value, 3 * input);
        // The worst moment is in the first product of the second block, of 8 and 16 numbers: with all that is kept up
        // to it, or with the inputs of both blocks and what is computed again of the second.
        QCOMPARE(none.activations_at_worst(), 2 * input + 2 * middle + mask + 2 * 4.0 * 24);
        QCOMPARE(blocks.activations_at_worst(), 2 * input + middle + 2 * 4.0 * 24);
        for (std::size_t l = 0; l < 8; ++l) {
            const LayerEstimate &a = none.e.layers[l], &b = blocks.e.layers[l];
            const bool inside = l > 0 && l < 7;
            QCOMPARE(b.block, !inside ? -1 : l < 4 ? 0 : 1);
            QCOMPARE(b.recompute.value, inside ? a.forward.value : 0.0);
            QCOMPARE(b.forward, a.forward);
            QCOMPARE(b.backward(), a.backward() + b.recompute);
        }
    }

    /// Each part of a block that a border of stages cuts keeps its own inputs, for all micro-batches.
    void a_border_splits_a_block() {
        Scenario s = support::scenario(two_blocks());
        support::divide(s.parallelism, support::Divided::layers);
        s.parallelism.boundaries = {s.network()->layers()[5].id};
        s.parallelism.micro_batches = 4;
        s.training.batch_rule = BatchRule::total;
        s.training.batch = 8;
        s.cluster.workers = 2;
        const Answer a = with(s, Recompute::blocks);
        const double all = a.e.layers[1].kept_samples, one = a.e.layers[1].samples;
        QVERIFY(all > one);
        QCOMPARE(one, 2.0);
        const std::vector<std::pair<double, double>> expected{{0, 0},       {all * 32, one * 64}, {0, 0},
                                                              {0, one * 8}, {all * 32, one * 64}, {all * 64, 0},
                                                              {0, one * 8}, {all * 32, 0}};
        for (std::size_t l = 0; l < 8; ++l) {
            QCOMPARE(a.e.layers[l].kept.value, expected[l].first);
            QCOMPARE(a.e.layers[l].recomputed.value, expected[l].second);
        }
        QVERIFY(a.e.layers[4].block != a.e.layers[5].block && a.e.layers[5].block == a.e.layers[6].block);
    }

    /// Kept for one block of a transformer, in 16-bit precision, against Korthikanti et al., 2022: s·b·h·(34 +
    /// 5·a·s/h). Of their 5·a·s²·b our attention layer keeps the softmax's 2; it has no dropout, whose mask is 1 and
    /// whose output is 2 more. It keeps two numbers for each row of both norms, which they leave out.
    void a_block_of_a_transformer() {
        const double s = 128, b = 3, h = 256, heads = 4, row = s * b * h;
        const auto network = gpt(3, 256, 4, 128, false);
        const Answer none(of_gpt(network, 3)), attention = with(of_gpt(network, 3), Recompute::attention),
                                               blocks = with(of_gpt(network, 3), Recompute::blocks);
        for (const char* block : {"h0/", "h1/", "h2/"}) {
            QCOMPARE(none.kept(block), row * (34 + 2 * heads * s / h + 8 / h));
            QCOMPARE(attention.kept(block), row * (34 + 8 / h));
            QCOMPARE(attention.recomputed(block), row * 2 * heads * s / h);
            QCOMPARE(blocks.kept(block), row * 2);
            QCOMPARE(blocks.kept(block) + blocks.recomputed(block), none.kept(block));
        }
        QVERIFY(none.e.memory.peak > attention.e.memory.peak && attention.e.memory.peak > blocks.e.memory.peak);
        QVERIFY(none.e.summary.step < attention.e.summary.step && attention.e.summary.step < blocks.e.summary.step);
    }

    void only_what_is_marked_is_computed_again() {
        const auto network = gpt(3, 256, 4, 128, false);
        const Answer none(of_gpt(network, 3)), attention = with(of_gpt(network, 3), Recompute::attention),
                                               blocks = with(of_gpt(network, 3), Recompute::blocks);
        double cores = 0, inside = 0;
        for (const auto& row : none.e.layers) {
            const std::string& name = none.name(row);
            if (name.ends_with("attention/core")) cores += row.forward.value;
            if (name.starts_with("h") && name[1] < 'a') inside += row.forward.value;
        }
        QVERIFY(cores > 0 && inside > cores);
        QVERIFY(close((attention.e.summary.backward - none.e.summary.backward).value, cores));
        QVERIFY(close((blocks.e.summary.backward - none.e.summary.backward).value, inside));
        QCOMPARE(attention.e.summary.forward, none.e.summary.forward);
        // Arithmetic of the model is that of one forward pass.
        QCOMPARE(blocks.plan.parts[0].work.forward_flops, none.plan.parts[0].work.forward_flops);
        QCOMPARE(blocks.plan.parts[0].work.backward_flops, none.plan.parts[0].work.backward_flops);
    }

    /// Korthikanti et al., 2022, figures 1 and 7: activations of a device for its blocks, within 0.5 %. Of their
    /// attention's dropout, 3·a·s²·b bytes, our layer has nothing: it is added where attention is not recomputed.
    void published_activation_memory() {
        struct Model {
            std::int64_t hidden, heads, layers, batch, stages, interleave;
            double weights_gib, tensor_only_gib, sequence_selective_gib;
            double sequence, selective, both, full;  // percent of tensor only
        };
        for (const Model& m :
             {Model{6144, 64, 48, 4, 1, 1, 45.5625, 59.25, 9.5625, 66.84, 49.42, 16.18, 7.64},
              {12288, 96, 96, 1, 8, 3, 45.5625, 66.84375, 12.3515625, 62.04, 56.53, 18.49, 8.71},
              {20480, 128, 105, 1, 35, 3, 31.640625, 114.0234375, 23.076171875, 58.31, 62.04, 20.27, 9.42},
              {25600, 160, 128, 1, 64, 1, 32.958984375, 131.25, 26.5625, 58.31, 62.04, 20.27, 9.42}}) {
            const double s = 2048, b = static_cast<double>(m.batch), t = 8, heads = static_cast<double>(m.heads);
            // The first stage holds as many blocks as the network has, and with interleaved stages some more.
            const double p = static_cast<double>(m.stages), v = static_cast<double>(m.interleave);
            const double often = static_cast<double>(m.layers) * (v > 1 ? 1 + (p - 1) / (p * v) : 1);
            const auto network = gpt(2, m.hidden, m.heads, 2048, false);
            const auto gib = [&](bool sequence, Recompute recompute) {
                Scenario scenario = of_gpt(network, m.batch);
                scenario.cluster.workers = scenario.parallelism.tensor = scenario.cluster.devices_per_node = 8;
                scenario.parallelism.policy = ShardingPolicy::trainer;
                scenario.parallelism.sequence = sequence;
                const Answer a = with(scenario, recompute);
                const double dropout = recompute == Recompute::nothing ? 3 * heads * s * s * b / t : 0;
                if (!close(a.kept("h0/"), a.kept("h1/"))) qFatal("blocks differ");
                return (a.kept("h1/") + dropout) * often / (1024.0 * 1024 * 1024);
            };
            // Weights, gradients in fp32 and the optimizer's states: 18 bytes for a parameter of a rank's blocks.
            const Answer one = with(of_gpt(network, 1), Recompute::nothing);
            double parameters = 0;
            for (const LayerEstimate& row : one.e.layers)
                if (network->layers()[static_cast<std::size_t>(row.position)].name.starts_with("h1/"))
                    parameters +=
                        static_cast<double>(network->facts()[static_cast<std::size_t>(row.position)].parameters());
            const double weights = 18 * parameters * static_cast<double>(m.layers) / (t * p) / (1024.0 * 1024 * 1024);
            const double tensor_only = gib(false, Recompute::nothing), both = gib(true, Recompute::attention);
            const auto compare = [](double ours, double published, double slack = 0) {
                QVERIFY2(std::abs(ours - published) <= 0.005 * published + slack,
                         qPrintable(QString("%1, published %2").arg(ours).arg(published)));
            };
            compare(weights, m.weights_gib);
            compare(tensor_only, m.tensor_only_gib);
            compare(both, m.sequence_selective_gib);
            const double read_off = 0.15;  // the chart of figure 7
            compare(100 * gib(true, Recompute::nothing) / tensor_only, m.sequence, read_off);
            compare(100 * gib(false, Recompute::attention) / tensor_only, m.selective, read_off);
            compare(100 * both / tensor_only, m.both, read_off);
            compare(100 * gib(false, Recompute::blocks) / tensor_only, m.full, read_off);
        }
    }

    /// Fused attention computes its scores again anyway, and a network without blocks has none to compute again.
    void no_effect_is_said() {
        const auto noted = [](const Answer& a) {
            return std::any_of(a.e.notes.begin(), a.e.notes.end(),
                               [](const Problem& p) { return p.where == "parallelism.recompute"; });
        };
        const auto same = [&](const Scenario& s, Recompute r) {
            const Answer a(s), b = with(s, r);
            return noted(b) && !noted(a) && a.e.summary == b.e.summary && a.e.memory.peak == b.e.memory.peak;
        };
        QVERIFY(same(of_gpt(gpt(2, 64, 2, 32, true), 2), Recompute::attention));
        QVERIFY(same(support::scenario(support::preset("alexnet-one-tower")), Recompute::blocks));
        QVERIFY(same(support::scenario(support::preset("alexnet-one-tower")), Recompute::attention));
        QVERIFY(!noted(with(of_gpt(gpt(2, 64, 2, 32, false), 2), Recompute::attention)));
        QVERIFY(!noted(with(of_gpt(gpt(2, 64, 2, 32, true), 2), Recompute::blocks)));
        // Frozen from end to end nothing is kept, so that there is nothing to save.
        Scenario frozen = of_gpt(gpt(2, 64, 2, 32, false), 2);
        frozen.workload[0].passes.backward = false;
        QVERIFY(same(frozen, Recompute::blocks) && same(frozen, Recompute::attention));
    }

    void hybrid_says_no() {
        Scenario s = support::scenario(two_blocks());
        support::divide(s.parallelism, support::Divided::hybrid);
        s.cluster.workers = 2;
        QVERIFY(score_of(s).feasible());
        s.parallelism.recompute = Recompute::blocks;
        const auto e = estimate(s);
        QVERIFY(!e);
        QCOMPARE(e.error().front().where, std::string("parallelism.recompute"));
        QVERIFY(!e.error().front().remedy.empty());
    }

    /// Each on its own with parameter servers, and whatever else divides the samples alone.
    void workers_on_their_own() {
        Scenario s = of_gpt(gpt(2, 64, 2, 32, false), 8);
        s.cluster.workers = 4;
        s.parallelism.updates = Updates::asynchronous;
        const Answer none(s), blocks = with(s, Recompute::blocks);
        double again = 0;
        for (const auto& row : blocks.e.layers) again += row.recompute.value;
        QVERIFY(again > 0 && close((blocks.e.summary.backward - none.e.summary.backward).value, again));
        QVERIFY(blocks.e.memory.peak < none.e.memory.peak);
    }

    /// Two all-reduces of a block forward and two in its backward pass; recomputed, the first two once more.
    void messages_are_sent_again() {
        Scenario s = of_gpt(gpt(4, 256, 4, 128, false), 4);
        s.cluster.workers = s.parallelism.tensor = 2;
        s.parallelism.policy = ShardingPolicy::trainer;
        const auto inside = [](const Answer& a, bool forward, bool again) {
            int count = 0;
            for (const auto& m : a.e.messages)
                count += !m.gradients && m.forward == forward && m.again == again &&
                         a.plan.parts[0].network->layers()[static_cast<std::size_t>(m.first)].name[0] == 'h' &&
                         a.plan.parts[0].network->layers()[static_cast<std::size_t>(m.first)].name[1] != 'e';
            return count;
        };
        for (const Recompute r : {Recompute::nothing, Recompute::attention, Recompute::blocks}) {
            const Answer a = with(s, r);
            QCOMPARE(inside(a, true, false), 8);
            QCOMPARE(inside(a, false, false), 8);
            QCOMPARE(inside(a, false, true), r == Recompute::blocks ? 8 : 0);
            QCOMPARE(inside(a, true, true), 0);
        }
        const Answer none(s), blocks = with(s, Recompute::blocks);
        double more = 0;
        for (const auto& m : blocks.e.messages)
            if (m.again) more += m.exposed.value;
        QVERIFY(close((blocks.e.summary.communication - none.e.summary.communication).value, more));
    }

    void score_is_estimate() {
        std::mt19937 random(21);
        int checked = 0, recomputed = 0, staged = 0;
        for (int k = 0; k < 400; ++k) {
            Scenario s = random_mesh(random, 3);
            s.parallelism.recompute = pick(random, 0, 4) > 0 ? Recompute::blocks : Recompute::attention;
            const Plan plan = *prepare(s);
            Scratch scratch = make_scratch(plan);
            const Summary scored = score(plan, plan.point, scratch);
            if (!scored.feasible()) continue;
            const Bytes peak = peak_memory(plan, plan.point, scratch);
            const Answer a(s);
            QCOMPARE(a.e.summary, scored);
            QCOMPARE(a.e.memory.peak, peak);
            const Summary& sum = a.e.summary;
            QVERIFY(
                close((sum.forward + sum.backward + sum.update + sum.communication + sum.idle).value, sum.step.value) ||
                s.training.input_limit.value > 0);
            ++checked;
            const double end = make_timeline(plan, a.e).end.value;
            // Timelines of stages whose gradients hide are close only, with or without recomputation.
            QVERIFY2(s.parallelism.pipeline > 1 || close(end, sum.step.value),
                     qPrintable(QString("timeline %1: %2").arg(k).arg(end / sum.step.value)));
            for (const auto& row : a.e.layers) {
                if (row.recompute.value > 0) QCOMPARE(row.recompute, row.forward);
                QCOMPARE(row.block >= 0, !plan.parts[0].blocks.empty() &&
                                             plan.parts[0].blocks[static_cast<std::size_t>(row.position)] >= 0);
            }
            const bool any = !plan.parts[0].blocks.empty();
            recomputed += any;
            staged += any && a.e.layers.back().stage > 0;
        }
        QVERIFY2(checked > 200 && recomputed > 100 && staged > 30,
                 qPrintable(QString("%1, %2, %3").arg(checked).arg(recomputed).arg(staged)));
    }

    /// Stages are cut by times, and layers divided by them: not so that either would be the same with recomputation.
    void less_memory_for_more_time() {
        std::mt19937 random(22);
        int less = 0, no_more = 0, recomputed = 0, checked = 0;
        for (int k = 0; k < 400; ++k) {
            Scenario s = random_mesh(random, 1);
            s.parallelism.policy = ShardingPolicy::columns;
            s.parallelism.tensor = 1 + k % 2;
            s.cluster.workers = 2 * s.parallelism.tensor;
            if (!score_of(s).feasible()) continue;
            const Answer none(s);
            for (const Recompute r : {Recompute::attention, Recompute::blocks}) {
                const Answer a = with(s, r);
                recomputed += !a.plan.parts[0].blocks.empty();
                QVERIFY2(a.e.summary.step.value >= none.e.summary.step.value * (1 - 1e-12),
                         qPrintable(QString::number(k)));
                if (s.parallelism.tensor > 1) continue;
                QVERIFY2(a.e.memory.activations.value <= none.e.memory.activations.value * (1 + 1e-12),
                         qPrintable(QString("kept %1").arg(k)));
                // A block's inputs, which wait for its first layer, may be there longer than without recomputation.
                double inputs = 0;
                for (const auto& row : a.e.layers)
                    if (row.block >= 0) inputs = std::max(inputs, row.kept.value);
                if (r == Recompute::attention) inputs = 0;
                QVERIFY2(a.e.memory.peak.value <= (none.e.memory.peak.value + inputs) * (1 + 1e-12),
                         qPrintable(QString("peak %1").arg(k)));
                no_more += a.e.memory.peak <= none.e.memory.peak;
                ++checked;
                less += a.e.memory.peak < none.e.memory.peak;
            }
        }
        QVERIFY2(less > 50 && recomputed > 100 && 20 * no_more > 19 * checked,
                 qPrintable(QString("%1 and %2 of %3").arg(less).arg(no_more).arg(checked)));
    }

    void shipped_networks_need_less() {
        for (const char* name : {"gpt-2", "bert-base", "t5-base", "llama-2-7b", "vit-b-16", "transformer-big",
                                 "resnet-50", "densenet-121", "inception-v3", "efficientnet-b0"})
            for (const std::int64_t stages : {1, 4}) {
                Scenario s = support::scenario(support::preset(name));
                s.training.batch_rule = BatchRule::total;
                s.training.batch = 16;
                support::divide(s.parallelism, support::Divided::layers);
                s.parallelism.micro_batches = 4;
                s.cluster.workers = stages;
                const std::vector<int> of = with_marks(s);
                std::vector<LayerId> begins;  // stages of whole blocks
                for (std::size_t l = 1; l < of.size(); ++l)
                    if (of[l] >= 0 && of[l] != of[l - 1]) begins.push_back(s.network()->layers()[l].id);
                for (std::size_t k = 1; stages > 1 && k < 4; ++k)
                    s.parallelism.boundaries.push_back(begins[k * begins.size() / 4]);
                const Answer none(s), attention = with(s, Recompute::attention), blocks = with(s, Recompute::blocks);
                QVERIFY2(blocks.e.memory.peak < none.e.memory.peak, name);
                QVERIFY2(blocks.e.memory.activations < none.e.memory.activations, name);
                QVERIFY2(attention.e.memory.peak <= none.e.memory.peak, name);
                if (stages == 1) QVERIFY2(none.e.summary.step < blocks.e.summary.step, name);
            }
        for (const auto& [name, network] : support::preset_networks()) {
            Scenario s = support::scenario(network);
            s.cluster.workers = 1;
            QVERIFY2(with(s, Recompute::blocks).e.memory.peak <= Answer(s).e.memory.peak, name.c_str());
        }
    }
};

QTEST_APPLESS_MAIN(TestRecompute)
#include "tst_recompute.moc"
