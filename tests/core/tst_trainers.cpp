// SPDX-License-Identifier: GPL-3.0-or-later
// What trainers hold in memory beside what a step needs: each part by hand, and what it grows with.
#include <QtTest>

#include "core/estimate/estimate.hpp"
#include "core/estimate/memory.hpp"
#include "core/formats/catalogue_json.hpp"
#include "core/formats/named_settings.hpp"
#include "core/scenario/fields.hpp"
#include "core/scenario/symbol_fields.hpp"
#include "core/scenario/ways.hpp"
#include "support_library.hpp"
#include "support_networks.hpp"

using namespace scalescope;
using support::library;

namespace {

std::span<const Trainer> trainers() { return library().catalogue.trainers; }

MemoryEstimate memory(const Scenario& s) {
    const auto e = estimate(s);
    if (!e) qFatal("%s", to_text(e.error().front()).c_str());
    return e->memory;
}

/// Llama 3 8B in bf16 with Adam on 8 GPUs of a node, one sequence of 2,048 tokens on each.
Scenario llama(std::int64_t sequence = 2048) {
    Scenario s = support::scenario(*library().network("transformers/llama-3-8b"));
    if (!set_symbol(s, "sequence", sequence)) qFatal("no sequence");
    s.training.precision = Precision::bf16;
    s.training.optimizer = Optimizer::adam;
    s.training.batch = 1;
    s.cluster.workers = s.cluster.devices_per_node = 8;
    s.parallelism.sharded = Sharded::weights;
    return s;
}

constexpr double words = 128256, hidden = 4096, wide = 14336, keys = 1024, blocks = 32;
constexpr double block_weights = 2 * hidden * hidden + 2 * hidden * keys + 3 * hidden * wide + 2 * hidden;
constexpr double other_weights = 2 * words * hidden + hidden;

TrainerMemory with(auto change) {
    TrainerMemory t;
    change(t);
    return t;
}

}  // namespace

class TestTrainers : public QObject {
    Q_OBJECT
private slots:
    void shipped_trainers_are_recognised() {
        QCOMPARE(trainers().front().id, std::string("ideal"));
        QVERIFY(trainers().size() >= 6);
        for (const Trainer& trainer : trainers()) {
            Scenario s = llama();
            s.model.trainer = with([](TrainerMemory& t) { t.norms = 3; });  // whatever was there before
            QVERIFY(formats::set_by_name(s, "trainer", trainer.id, library()).has_value());
            QCOMPARE(trainer_of(s, trainers()), &trainer);
            QCOMPARE(as_trained_by(trainer, s), s);
            QVERIFY(trainer.id == "ideal" || !trainer.sources.empty());
        }
        Scenario s = llama();
        const auto set = formats::set_by_name(s, "trainer", "megatron", library());
        QCOMPARE(QString::fromStdString(set.error().front().what),
                 QStringLiteral("There is no trainer called \"megatron\"."));
    }

    void a_trainer_sets_its_memory_only() {
        const auto problem = [](const std::string& settings) {
            const auto read = formats::read_trainers(
                R"({"format": "scalescope-trainers", "version": 1, "trainers": [
{"id": "mine", "name": "Mine", "description": "As I like it.", "settings": )" +
                    settings + "}]}",
                "mine.json");
            return QString::fromStdString(read ? "" : read.error().front().what);
        };
        QCOMPARE(problem(R"({"model.logit_bytes": 6, "model.placeholders": true})"), QString());
        QCOMPARE(problem(R"({"model.spread": 2})"), QStringLiteral("A trainer sets what it holds in memory only."));
        QCOMPARE(problem(R"({"parallelism.tensor": 2})"),
                 QStringLiteral("A trainer sets what it holds in memory only."));
        QVERIFY(problem(R"({"model.logit_bytes": -1})").contains(QStringLiteral("logit")));
    }

    /// The default is the ideal, and no trainer needs less.
    void none_needs_less_than_the_ideal() {
        for (const std::int64_t tensor : {1, 2, 8})
            for (const std::int64_t pipeline : {1, 2})
                for (const Sharded sharded : {Sharded::nothing, Sharded::optimizer, Sharded::weights})
                    for (const Recompute recompute : {Recompute::nothing, Recompute::blocks, Recompute::operators}) {
                        if (pipeline * tensor > 8) continue;
                        Scenario s = llama(1024);
                        s.parallelism.tensor = tensor;
                        s.parallelism.pipeline = pipeline;
                        s.parallelism.sequence = tensor == 8;
                        s.parallelism.sharded = sharded;
                        s.parallelism.recompute = recompute;
                        const MemoryEstimate ideal = memory(s);
                        QCOMPARE(ideal.trainer.all_the_time().value, 0.0);
                        QCOMPARE(ideal.trainer.moment().value, 0.0);
                        QCOMPARE(ideal.allocated(), ideal.peak);
                        for (const Trainer& trainer : trainers()) {
                            const MemoryEstimate m = memory(as_trained_by(trainer, s));
                            QVERIFY2(m.peak >= ideal.peak, trainer.id.c_str());
                            QVERIFY(m.peak >= m.reserved() && m.reserved() >= m.allocated());
                            QVERIFY(m.allocated() >= ideal.peak || trainer.id == "ideal");
                            QCOMPARE(m.weights, ideal.weights);
                            if (trainer.id == "ideal") QCOMPARE(m.peak, ideal.peak);
                        }
                    }
    }

    void each_part_by_hand() {
        Scenario s = llama();
        const double tokens = 2048;
        const MemoryEstimate ideal = memory(s);
        const auto of = [&](const TrainerMemory& t) {
            s.model.trainer = t;
            return memory(s);
        };
        // Logits and their gradient of 2 bytes are needed; the rest of 12 stands beside them in the loss's moment.
        const MemoryEstimate logits = of(with([](TrainerMemory& t) { t.logits = 12; }));
        QCOMPARE(logits.trainer.logits.value, 8 * tokens * words);
        QVERIFY(logits.peak > ideal.peak);
        QCOMPARE(of(with([](TrainerMemory& t) { t.logits = 4; })).peak, ideal.peak);
        // Two norms in a block and the last; one gate in a block.
        QCOMPARE(of(with([](TrainerMemory& t) { t.norms = 6; })).activations.value,
                 ideal.activations.value + 6 * (2 * blocks + 1) * tokens * hidden);
        QCOMPARE(of(with([](TrainerMemory& t) { t.gates = 2; })).activations.value,
                 ideal.activations.value + 2 * blocks * tokens * wide);
        // Of the block that is recomputed they are there only meanwhile.
        s.parallelism.recompute = Recompute::blocks;
        const double recomputed = of({}).activations.value;
        QCOMPARE(of(with([](TrainerMemory& t) { t.gates = 2; })).activations.value, recomputed);
        s.parallelism.recompute = Recompute::nothing;
        // Seven eighths of two blocks, of all outside of blocks, and of the flat buffer of these, less what counts.
        const MemoryEstimate whole = of(with([](TrainerMemory& t) { t.whole_blocks = 2; }));
        QCOMPARE(whole.trainer.gathered.value,
                 2 * 7.0 / 8 * (2 * other_weights + 2 * block_weights) - ideal.whole.more());
        // One for each shape: those of a block together are its weights.
        QCOMPARE(of(with([](TrainerMemory& t) { t.placeholders = true; })).trainer.placeholders.value,
                 2 * block_weights);
        const MemoryEstimate all = of(with([](TrainerMemory& t) {
            t.context = Bytes{1e9};
            t.group_buffers = Bytes{2e8};
            t.exchange_buffers = Bytes{3e8};
            t.fragmentation = Fraction{0.25};
        }));
        QCOMPARE(all.trainer.group_count, 1);
        QCOMPARE(all.allocated().value, ideal.peak.value + 3e8);
        QCOMPARE(all.reserved().value, 1.25 * (ideal.peak.value + 3e8));
        QCOMPARE(all.peak.value, 1.25 * (ideal.peak.value + 3e8) + 1e9 + 2e8);
    }

    /// Whole gradients of a block wait for the rest of it, where gradients are sharded.
    void gradients_wait_for_their_block() {
        Scenario s = llama(16);  // so that states are all there is
        s.parallelism.recompute = Recompute::blocks;
        s.parallelism.gradients = GradientFormat::fp32;
        s.model.trainer.whole_blocks = 1;
        // The worst moment is behind the first norm, whose own gradient comes last.
        QCOMPARE(memory(s).trainer.block.value, 4 * 7.0 / 8 * (block_weights - hidden));
        s.parallelism.sharded = Sharded::optimizer;
        QCOMPARE(memory(s).trainer.block.value, 0.0);
    }

    void parts_grow_with_what_they_are_of() {
        const auto parts = [](auto change) {
            Scenario s = llama();
            s.model.trainer = as_trained_by(*library().catalogue.trainer("deepspeed"), s).model.trainer;
            s.model.trainer.placeholders = true;
            change(s);
            return memory(s).trainer;
        };
        const TrainerBytes one = parts([](Scenario&) {});
        QCOMPARE(parts([](Scenario& s) { s.training.batch = 3; }).logits.value, 3 * one.logits.value);
        const TrainerBytes tensor = parts([](Scenario& s) { s.parallelism.tensor = 2; });
        QCOMPARE(tensor.group_count, one.group_count + 1);
        QCOMPARE(tensor.groups.value, 2 * one.groups.value);
        QVERIFY(tensor.placeholders < one.placeholders);
        QCOMPARE(tensor.context, one.context);
        const TrainerBytes alone = parts([](Scenario& s) { s.cluster.workers = 1; });
        QCOMPARE(alone.group_count, 0);
        QCOMPARE(alone.groups.value + alone.exchange.value + alone.gathered.value, 0.0);
        QVERIFY(alone.context.value > 0);
        QVERIFY(parts([](Scenario& s) { s.cluster.workers = 64; }).gathered > one.gathered);
    }
};

QTEST_GUILESS_MAIN(TestTrainers)
#include "tst_trainers.moc"
