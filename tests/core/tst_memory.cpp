// SPDX-License-Identifier: GPL-3.0-or-later
// What waits on a device for the backward pass: each tensor once, where the first layer that needs it stands.
#include <QtTest>
#include <algorithm>
#include <map>
#include <tuple>

#include "core/estimate/estimate.hpp"
#include "core/estimate/memory.hpp"
#include "core/scenario/fields.hpp"
#include "support_choices.hpp"
#include "support_networks.hpp"

using namespace scalescope;
using support::Builder;

namespace {

Estimate estimate_of(const Scenario& s) {
    auto e = estimate(s);
    if (!e) qFatal("%s", to_text(e.error().front()).c_str());
    return *e;
}

/// data 4×4×3 → a: 8 filters, ReLU → b and c: 8 filters each → their sum d, ReLU → max pool → dropout → dense of 10
support::NetworkPtr branches() {
    Builder b;
    const int a = b.conv(b.input({4, 4, 3}), 8, 3);
    b.set(a, "activation", std::string("relu"));
    const int left = b.conv(a, 8, 3), right = b.conv(a, 8, 3);
    const int d = b.add({left, right});
    b.set(d, "activation", std::string("relu"));
    b.dense(b.dropout(b.pool(d, 2, 2)), 10);
    return b.make();
}

std::vector<double> kept(const Estimate& e) {
    std::vector<double> bytes;
    for (const auto& row : e.layers) bytes.push_back(row.kept.value);
    return bytes;
}

}  // namespace

class TestMemory : public QObject {
    Q_OBJECT

private slots:
    void a_fork_by_hand() {
        Scenario s = support::scenario(branches());
        s.cluster.workers = 1;
        s.training.batch = 2;
        const Estimate e = estimate_of(s);
        // a keeps the data and, for its ReLU, its output, which serves b and c as well; the sum keeps its own for its
        // ReLU; an index of 8 bytes for each maximum, a byte for each element that may be dropped, dense its input.
        QCOMPARE(kept(e), (std::vector<double>{0, 2 * 4.0 * (48 + 128), 0, 0, 2 * 4.0 * 128, 2 * 8.0 * 32, 2 * 32.0,
                                               2 * 4.0 * 32}));
        QCOMPARE(e.memory.activations.value, 2 * (4.0 * (48 + 128 + 128 + 32) + 8 * 32 + 32));
        // In the worst moment the sum's three tensors stand beside what is kept up to it.
        QCOMPARE(e.memory.peak.value - (e.memory.weights + e.memory.gradients + e.memory.optimizer).value,
                 std::max(e.memory.activations.value, 2 * 4.0 * (48 + 128 + 128 + 3 * 128)));
        s.training.precision = Precision::fp16;
        const Estimate half = estimate_of(s);
        QCOMPARE(half.layers[1].kept.value, 2 * 2.0 * (48 + 128));
        QCOMPARE(half.layers[5].kept, e.layers[5].kept);  // an index is an index
    }

    void frozen_layers_keep_less() {
        const auto n = branches();
        Scenario s = support::scenario(n);
        s.cluster.workers = 1;
        s.training.batch = 1;
        s.training.frozen = {n->layers()[2].id};
        // b's weights get no gradient, but its input has one: nothing of b, all the same for c.
        QCOMPARE(kept(estimate_of(s)), (std::vector<double>{0, 704, 0, 0, 512, 256, 32, 128}));
        s.training.frozen = {n->layers()[1].id, n->layers()[2].id};
        // Nothing before c trains: a's output waits for c alone.
        QCOMPARE(kept(estimate_of(s)), (std::vector<double>{0, 0, 0, 512, 512, 256, 32, 128}));
    }

    /// What nobody keeps for backward is there all the same while a layer computes.
    void a_forward_pass_needs_its_own_tensors() {
        const auto n = branches();
        Scenario s = support::scenario(n);
        s.cluster.workers = 1;
        s.training.batch = 2;
        const auto beside = [&] {
            const Estimate e = estimate_of(s);
            return e.memory.peak.value - (e.memory.weights + e.memory.gradients + e.memory.optimizer).value;
        };
        for (const auto& l : n->layers()) s.training.frozen.push_back(l.id);
        QCOMPARE(estimate_of(s).memory.activations.value, 0.0);
        QCOMPARE(beside(), 2 * 4.0 * 3 * 128);  // the sum and the two that it adds
        // The last dense trains: its input of 32 is kept, long after the worst moment.
        s.training.frozen.pop_back();
        QCOMPARE(estimate_of(s).memory.activations.value, 2 * 4.0 * 32);
        QCOMPARE(beside(), 2 * 4.0 * 3 * 128);
        // c trains, and keeps a's output, 128, before the sum has its moment with what comes back to it.
        s.training.frozen = {n->layers()[1].id, n->layers()[2].id};
        QCOMPARE(beside(), 2 * 4.0 * (128 + 128 + 3 * 128));
        s.training.frozen.clear();
        s.workload[0].passes.backward = false;
        QCOMPARE(beside(), 2 * 4.0 * 3 * 128);
    }

    /// Never less than weights and the inputs and outputs of any layer, and a view is no tensor of its own.
    void peak_is_at_least_any_layers_own() {
        std::mt19937 random(12);
        int frozen = 0;
        for (int k = 0; k < 400; ++k) {
            Scenario s =
                support::random_scenario(random, support::random_network(random, int(support::pick(random, 3, 14))));
            if (support::pick(random, 0, 1) == 1)
                for (const auto& l : s.network()->layers()) s.training.frozen.push_back(l.id), ++frozen;
            std::sort(s.training.frozen.begin(), s.training.frozen.end());
            s.training.frozen.erase(std::unique(s.training.frozen.begin(), s.training.frozen.end()),
                                    s.training.frozen.end());
            const auto plan = prepare(s);
            if (!plan || plan->cpu) continue;
            Scratch scratch = make_scratch(*plan);
            const auto e = estimate(s, *plan, scratch);
            if (!e) continue;
            std::map<int, double> weights;  // by stage
            for (const auto& row : e->layers)
                weights[row.stage] += plan->parts[std::size_t(row.part)].work.weight_bytes[std::size_t(row.position)] *
                                      row.shares.weights;
            for (const auto& row : e->layers) {
                const auto& part = plan->parts[std::size_t(row.part)];
                double own = 0;
                for (const int t : part.network->reads(row.position))
                    own += part.work.out_bytes[std::size_t(t)] * row.shares.inputs;
                if (part.network->root(row.position) == row.position)
                    own += part.work.out_bytes[std::size_t(row.position)] * row.shares.outputs;
                QVERIFY2(e->memory.peak.value >= (weights[row.stage] + own * row.samples) * (1 - 1e-12),
                         qPrintable(QString("case %1, layer %2").arg(k).arg(row.position)));
            }
        }
        QVERIFY(frozen > 100);
    }

    void a_stage_keeps_what_it_received() {
        Builder b;
        const int first = b.dense(b.input({16}), 16);
        b.dense(b.dense(first, 16), 16);
        Scenario s = support::scenario(b.make());
        support::divide(s.parallelism, support::Divided::layers);
        s.parallelism.boundaries = {s.network()->layers()[2].id};
        s.parallelism.micro_batches = 4;
        s.training.batch_rule = BatchRule::total;
        s.training.batch = 8;
        s.cluster.workers = 2;
        const Estimate e = estimate_of(s);
        QCOMPARE(e.layers[2].stage, 1);
        QCOMPARE(kept(e), (std::vector<double>{0, 8 * 64, 8 * 64, 8 * 64}));  // of all micro-batches
        QCOMPARE(e.memory.activations.value, 2 * 8.0 * 64);                   // the second stage is the fuller one
    }

    /// Any network and strategy, against the plain rule: a tensor that somebody on a device needs is there once, as
    /// large as the largest need.
    void by_brute_force() {
        std::mt19937 random(11);
        int shared = 0;
        for (int k = 0; k < 600; ++k) {
            const Scenario s =
                support::random_scenario(random, support::random_network(random, int(support::pick(random, 3, 14))));
            const auto plan = prepare(s);
            if (!plan) continue;
            Scratch scratch = make_scratch(*plan);
            const auto e = estimate(s, *plan, scratch);
            if (!e) continue;
            std::map<std::tuple<int, int, int>, double> need;  // part, stage, tensor; masks as -1 - 2 * layer
            std::map<std::tuple<int, int, int>, int> readers;
            for (const auto& row : e->layers) {
                const auto& part = plan->parts[std::size_t(row.part)];
                const auto l = std::size_t(row.position);
                const double n = row.kept_samples;
                const auto wants = [&](int tensor, double bytes) {
                    double& known = need[{row.part, row.stage, tensor}];
                    known = std::max(known, bytes);
                    ++readers[{row.part, row.stage, tensor}];
                };
                if (part.work.keeps_input[l])
                    for (int t : part.network->reads(row.position))
                        wants(t, part.work.out_bytes[std::size_t(t)] * n * row.shares.inputs);
                if (part.work.keeps_output[l]) wants(row.position, part.work.out_bytes[l] * n * row.shares.outputs);
                if (part.work.mask_bytes[l] > 0)
                    wants(-1 - 2 * row.position, part.work.mask_bytes[l] * n * row.shares.outputs);
                if (part.work.own_bytes[l] > 0)
                    wants(-2 - 2 * row.position, part.work.own_bytes[l] * n * row.shares.outputs);
            }
            double all = 0, sum = 0;
            for (const auto& [key, bytes] : need) all += bytes;
            for (const auto& [key, count] : readers) shared += count > 1;
            for (const auto& row : e->layers) sum += row.kept.value;
            QVERIFY2(std::abs(all - sum) <= 1e-9 * all,
                     qPrintable(QString("case %1: %2, %3").arg(k).arg(all).arg(sum)));
        }
        qInfo("%d tensors with several needs", shared);
        QVERIFY(shared > 100);
    }

    /// Nothing is advised that does not help: every remedy, taken by itself, makes the step fit.
    void every_remedy_fits() {
        std::map<std::string, int> kinds;  // by the field that a remedy changes
        int tried = 0, together = 0;
        const auto check = [&](const Scenario& s) {
            const auto plan = prepare(s);
            Scratch scratch = make_scratch(*plan);
            const auto whole = estimate(s, *plan, scratch);
            QVERIFY(whole.has_value());
            for (const MemoryRemedy& remedy : memory_remedies(s, *plan, *whole, *s.cluster.device.memory, scratch)) {
                const Estimate e = estimate_of(remedy.scenario);
                QVERIFY2(fits_device(remedy.scenario, e.memory), remedy.words.c_str());
                QVERIFY2(e.memory.peak == remedy.peak, remedy.words.c_str());
                std::vector<std::string> changes;
                for (const Field& field : all_fields())
                    if (!field.derived && field_text(field, remedy.scenario) != field_text(field, s))
                        changes.emplace_back(field.path);
                QVERIFY2(!changes.empty(), remedy.words.c_str());
                const bool way = std::all_of(changes.begin(), changes.end(), [](const std::string& path) {
                    return path == "parallelism.fill" || path == "parallelism.segments" || path == "parallelism.policy";
                });
                if (way || changes.size() == 1) ++kinds[way ? "way" : changes[0]];
                together += !way && changes.size() > 1;
                ++tried;
            }
        };
        for (const support::Divided strategy :
             {support::Divided::data, support::Divided::outputs, support::Divided::layers, support::Divided::hybrid})
            for (const BatchRule rule : {BatchRule::per_worker, BatchRule::total})
                for (const double room : {0.02, 0.3, 0.6, 0.9}) {
                    Scenario s = support::scenario(branches());
                    s.cluster.workers = 4;
                    s.training.batch = 64;
                    s.training.batch_rule = rule;
                    support::divide(s.parallelism, strategy);
                    s.cluster.device.memory = estimate_of(s).memory.peak * room;
                    check(s);
                }
        for (const std::int64_t batch : {16, 256})
            for (const std::int64_t pipeline : {1, 4})
                for (const double room : {0.01, 0.02, 0.05, 0.08, 0.1, 0.2, 0.3, 0.6, 0.9}) {
                    Scenario s = support::scenario(support::preset("gpt-2"));
                    s.cluster.workers = 16;
                    s.training.batch = batch;
                    s.training.batch_rule = BatchRule::total;
                    s.training.optimizer = Optimizer::adam;
                    s.parallelism.pipeline = pipeline;
                    s.parallelism.micro_batches = 8;
                    s.cluster.host_link = BytesPerSecond{25e9};
                    s.cluster.device.memory = estimate_of(s).memory.peak * room;
                    check(s);
                }
        qInfo("%d remedies, %d of several changes", tried, together);
        for (const char* path :
             {"training.batch", "training.accumulation", "cluster.workers", "way", "parallelism.order",
              "parallelism.recompute", "parallelism.sharded", "parallelism.tensor", "parallelism.pipeline",
              "parallelism.micro_batches", "parallelism.offload_states", "parallelism.offload_activations"})
            QVERIFY2(kinds[path] > 0, path);
        QVERIFY(together > 0);
    }

    /// Gradients that travel in fp32 are added up in fp32; a narrower format is for the way alone.
    void gradients_are_summed_as_they_travel() {
        Scenario s = support::scenario(branches());
        s.training.precision = Precision::fp16;
        const Bytes as_weights = estimate_of(s).memory.gradients;
        s.parallelism.gradients = GradientFormat::fp32;
        QCOMPARE(estimate_of(s).memory.gradients, as_weights * 2.0);
        s.training.precision = Precision::fp32;
        const Bytes wide = estimate_of(s).memory.gradients;
        s.parallelism.gradients = GradientFormat::fp16;
        QCOMPARE(estimate_of(s).memory.gradients, wide);
    }

    /// Without a figure nothing can be said to fit.
    void memory_of_unknown_size_is_told() {
        Scenario s = support::scenario(branches());
        const auto told = [&] {
            const auto notes = estimate_of(s).notes;
            return std::count_if(notes.begin(), notes.end(), [](const Problem& p) {
                return p.what.find("has no figure for its memory, so it was not checked") != std::string::npos;
            });
        };
        QCOMPARE(told(), 0);
        s.cluster.device.memory.reset();
        QCOMPARE(told(), 1);
    }

    /// More workers that split outputs and bring samples of their own need more memory each: fewer are advised.
    void the_remedy_is_told() {
        Scenario s = support::scenario(branches());
        s.cluster.workers = 8;
        s.training.batch = 8;
        s.training.batch_rule = BatchRule::per_worker;
        support::divide(s.parallelism, support::Divided::outputs);
        const Bytes needed = estimate_of(s).memory.peak;
        const auto remedy = [&] {
            const Estimate e = estimate_of(s);
            if (fits_device(s, e.memory)) return std::string("it fits");
            const Problem& first = e.notes.front();
            return first.where == "cluster.device" ? first.remedy : "another note is first: " + first.what;
        };
        s.cluster.device.memory = needed * 0.6;
        QVERIFY2(remedy().find("use 4 workers") != std::string::npos, remedy().c_str());
        s.cluster.device.memory = Bytes{1};
        QVERIFY2(remedy().starts_with(
                     "no smaller batch, other number of workers or other way to divide the work makes it fit; "
                     "choose devices with"),
                 remedy().c_str());
        s.cluster.device.memory.reset();
        QCOMPARE(remedy(), std::string("it fits"));
    }
};

QTEST_APPLESS_MAIN(TestMemory)
#include "tst_memory.moc"
