// SPDX-License-Identifier: GPL-3.0-or-later
// Recipes of narrow precision: fp8 with a scale a tensor, a row or 128 numbers, MXFP8 and NVFP4.
#include <QtTest>

#include "core/estimate/estimate.hpp"
#include "core/scenario/fields.hpp"
#include "core/scenario/symbol_fields.hpp"
#include "support_choices.hpp"
#include "support_recompute.hpp"

using namespace scalescope;
using namespace support::recomputing;
using support::gpt, support::mixture, support::NetworkPtr, support::pick;

namespace {

using enum Precision;

const Device& device(const char* id) { return *support::library().catalogue.device(id); }

Scenario on(const char* id, NetworkPtr network, Precision precision) {
    Scenario s = of_gpt(std::move(network), 4);
    s.cluster.device = device(id);
    s.training.precision = precision;
    s.training.optimizer = Optimizer::adam;
    return s;
}

/// One pass of a layer.
struct Moved {
    double flops, priced, inputs, outputs, weights;
};
Moved moved(const Plan& plan, std::string_view name, Pass pass) {
    const PlanPart& part = plan.parts.front();
    for (int l = 0; l < part.work.layers; ++l)
        if (part.network->layers()[static_cast<std::size_t>(l)].name == name) {
            const PassWork& w = part.work.pass[index_of(pass)];
            const auto k = static_cast<std::size_t>(l);
            return {w.flops[k], w.priced[k], w.inputs[k], w.outputs[k], w.weights[k]};
        }
    return {};
}

}  // namespace

class TestNarrowPrecision : public QObject {
    Q_OBJECT

private slots:
    void the_table() {
        for (const Precision p : all_precisions) {
            const PrecisionTraits& t = traits_of(p);
            QCOMPARE(t.name, choice_name(p));
            QCOMPARE(t.is_recipe(), p > bf16);
            QCOMPARE(t.elements, t.is_recipe() ? bf16 : p);
            QVERIFY(has_peak(t.products));
            QCOMPARE(t.bytes, traits_of(t.elements).bytes);
            QVERIFY(t.narrow_bytes < t.bytes);
        }
        QCOMPARE(traits_of(fp8_block).narrow_bytes, 1.03125);  // 4 bytes for 128
        QCOMPARE(traits_of(mxfp8).narrow_bytes, 1.03125);      // 1 for 32
        QCOMPARE(traits_of(nvfp4).narrow_bytes, 0.5625);       // 1 for 16
    }

    /// A recipe without a path is computed in the next wider precision.
    void what_devices_lack() {
        const auto in = [](const char* id, Precision p) { return multiplied_in(device(id), p); };
        for (const Precision p : {fp8, fp8_row, fp8_block}) QCOMPARE(in("h100-sxm-80gb", p), p);
        QCOMPARE(in("h100-sxm-80gb", mxfp8), fp8_block);
        QCOMPARE(in("h100-sxm-80gb", nvfp4), fp8_block);
        for (const Precision p : {fp8, fp8_row, fp8_block, mxfp8, nvfp4}) {
            QCOMPARE(in("b200-sxm-180gb", p), p);
            QCOMPARE(in("a100-sxm-80gb", p), bf16);
            QCOMPARE(else_computed_in(device("b200-sxm-180gb"), p), bf16);
            QCOMPARE(in("Tesla V100 SXM2 16GB", p), fp32);
        }
        const NetworkPtr network = gpt(2, 256, 4, 128, true);
        const Answer wide(on("a100-sxm-80gb", network, bf16)), asked(on("a100-sxm-80gb", network, fp8));
        QCOMPARE(asked.e.summary, wide.e.summary);
        QCOMPARE(asked.e.memory.peak, wide.e.memory.peak);
        const auto said = [](const Answer& a, const char* what) {
            return std::any_of(a.e.notes.begin(), a.e.notes.end(),
                               [&](const Problem& p) { return p.what.find(what) != std::string::npos; });
        };
        QVERIFY(said(asked, "computes in bf16 because no fp8 rate of it is known"));
        QVERIFY(said(Answer(on("h100-sxm-80gb", network, mxfp8)), "computes in fp8_block"));
        QVERIFY(!said(Answer(on("h100-sxm-80gb", network, fp8)), "computes in"));
        // Nothing in this network is a linear layer of a block.
        QVERIFY(said(Answer(on("h100-sxm-80gb", support::preset("resnet-50"), fp8)), "no linear layer"));
        Scenario s = on("h100-sxm-80gb", network, fp8);
        s.training.wide_first = 2;
        QVERIFY(said(Answer(s), "no linear layer"));
    }

    /// 128 rows of 256 into 1024 columns, on H100 with one scale a tensor. An element of a tensor is read twice in 2
    /// bytes, for the scale and for the cast, and written in 1; read and written in 1 once more for a transposed copy;
    /// and read in 1 by the product.
    void a_product_by_hand() {
        const double in = 128 * 256, out = 128 * 1024, matrix = 256 * 1024 + 1024;
        const auto plan = [](const char* id, Precision p) {
            return std::move(*prepare(on(id, gpt(2, 256, 4, 128, true), p)));
        };
        const Plan wide = plan("h100-sxm-80gb", bf16), narrow = plan("h100-sxm-80gb", fp8);
        const auto of = [](const Plan& p, Pass pass) { return moved(p, "h1/mlp/up", pass); };
        QCOMPARE(of(wide, Pass::forward).inputs, 2 * in);
        const double cast = 2 + 2 + 1 + 1 + 1;
        const Moved f = of(narrow, Pass::forward), i = of(narrow, Pass::grad_input), w = of(narrow, Pass::grad_weights);
        QCOMPARE(f.inputs, in * (cast + 1));
        QCOMPARE(f.outputs, out * 2);
        QCOMPARE(f.weights, matrix);
        QCOMPARE(i.outputs, out * (cast + 1));
        QCOMPARE(i.inputs, in * 2);
        QCOMPARE(i.weights, matrix);
        QCOMPARE(w.inputs, in);
        QCOMPARE(w.outputs, out);
        QCOMPARE(w.weights, matrix * 2);
        for (const Moved& m : {f, i, w}) {
            QCOMPARE(m.flops, of(wide, Pass::forward).flops);
            QCOMPARE(m.priced, m.flops / (1978.9 / 989.4));
        }
        // Rows and columns: read once for each, and written.
        const Plan rows = plan("h100-sxm-80gb", fp8_row), fours = plan("b200-sxm-180gb", nvfp4);
        QCOMPARE(of(rows, Pass::forward).inputs, in * (2 * 2 + 2 * 1 + 1));
        // On B200: no transposed copy of fp8; NVFP4 in both directions.
        QCOMPARE(of(plan("b200-sxm-180gb", fp8), Pass::forward).inputs, in * (2 + 2 + 1 + 1));
        QCOMPARE(of(fours, Pass::forward).inputs, in * (2 * 2 + 2 * 0.5625 + 0.5625));
        QCOMPARE(of(fours, Pass::forward).priced, of(fours, Pass::forward).flops / 4);
        // Outside of blocks, and what is no product, all is as it was.
        for (const char* other : {"h1/norm_attention", "h1/attention/core", "embeddings/tokens", "head/logits"})
            for (const Pass pass : all_passes) {
                const Moved a = moved(narrow, other, pass), b = moved(wide, other, pass);
                QCOMPARE(a.priced, b.priced);
                QCOMPARE(a.inputs, b.inputs);
                QCOMPARE(a.outputs, b.outputs);
                QCOMPARE(a.weights, b.weights);
            }
        // The weights of blocks are cast once a step: 7 bytes for each of their parameters.
        double parameters = 0;
        for (std::size_t l = 0; l < narrow.parts[0].work.trained.size(); ++l)
            if (narrow.parts[0].work.is_narrow(l)) parameters += narrow.parts[0].work.trained[l];
        const double block = 4 * (256 * 256 + 256) + 2 * 256 * 1024 + 1024 + 256;
        QCOMPARE(parameters, 2 * block);
        QCOMPARE((narrow.parts[0].update.bytes - narrow.update.bytes) * narrow.parts[0].trained, parameters * cast);
    }

    /// q, k and v read one tensor, which is cast for the first of them.
    void a_tensor_is_cast_once() {
        const Plan plan = std::move(*prepare(on("h100-sxm-80gb", gpt(2, 256, 4, 128, true), fp8)));
        const double in = 128 * 256, cast = 2 + 2 + 1 + 1 + 1;
        for (const char* block : {"h0", "h1"}) {
            const auto read = [&](const char* layer) {
                return moved(plan, block + std::string("/attention/") + layer, Pass::forward).inputs;
            };
            QCOMPARE(read("q"), in * (cast + 1));
            QCOMPARE(read("k"), in);
            QCOMPARE(read("v"), in);
            QCOMPARE(read("out"), in * (cast + 1));
        }
    }

    /// Of Korthikanti's s·b·h·(34 + 5·a·s/h) bytes, inputs of products: 2 of q, k and v, 2 of the output product, 2 and
    /// 8 of the feed-forward network.
    void kept_of_a_block() {
        const double row = 128.0 * 4 * 256;
        const auto kept = [](Precision p) {
            Scenario s = on("b200-sxm-180gb", support::with_attribute(gpt(3, 256, 4, 128, false), "dropout", true), p);
            return Answer(s).kept("h1/");
        };
        for (const Precision p : {fp8, fp8_row, fp8_block, mxfp8, nvfp4})
            QCOMPARE(kept(bf16) - kept(p), row * 14 * (1 - traits_of(p).narrow_bytes / 2));
        // What fused attention needs as it is, is kept as it is for the output product too.
        const auto fused = [](Precision p) {
            return Answer(on("b200-sxm-180gb", gpt(3, 256, 4, 128, true), p)).kept("h1/");
        };
        QCOMPARE(fused(bf16) - fused(fp8), row * (14 - 2) / 2);
    }

    /// 2 positions for each of 8 experts, of 3 matrices: they read what comes to them and what their function makes.
    void kept_of_experts() {
        const NetworkPtr network = mixture(2, 64, 4, 32, true);
        const auto own = [&](Precision p) {
            const Plan plan = std::move(*prepare(on("b200-sxm-180gb", network, p)));
            double bytes = 0, read = 0;
            for (std::size_t l = 0; l < plan.parts[0].work.own_bytes.size(); ++l) {
                const ExpertFacts& e = network->facts()[l].experts;
                if (e.count == 0) continue;
                bytes += plan.parts[0].work.own_bytes[l];
                read += static_cast<double>(e.rows * 64 + e.activated);
            }
            return std::pair(bytes, read);
        };
        const auto [wide, read] = own(bf16);
        QVERIFY(read > 0);
        QCOMPARE(wide - own(mxfp8).first, read * (2 - 1.03125));
        QCOMPARE(wide - own(nvfp4).first, read * (2 - 0.5625));
    }

    void copies_of_weights() {
        const NetworkPtr network = gpt(2, 256, 4, 128, true);
        const double block = 4 * (256 * 256 + 256) + 2 * 256 * 1024 + 1024 + 256;
        const auto more = [&](const char* id, Precision p, Sharded sharded = Sharded::nothing) {
            Scenario s = on(id, network, p);
            s.cluster.workers = 4;
            s.parallelism.sharded = sharded;
            const Answer narrow(s);
            s.training.precision = bf16;
            return (narrow.e.memory.weights - Answer(s).e.memory.weights).value;
        };
        QCOMPARE(more("h100-sxm-80gb", fp8), 2 * block * 2);  // and transposed
        QCOMPARE(more("b200-sxm-180gb", fp8), 2 * block);
        QCOMPARE(more("b200-sxm-180gb", mxfp8), 2 * block * 2 * 1.03125);
        QCOMPARE(more("b200-sxm-180gb", nvfp4), 2 * block * 2 * 0.5625);
        QCOMPARE(more("b200-sxm-180gb", mxfp8, Sharded::optimizer), 2 * block * 2 * 1.03125);
        // Sharded weights are cast while two layers are whole: the two of the feed-forward network.
        const double whole = more("b200-sxm-180gb", fp8, Sharded::weights);
        QVERIFY(whole > 0 && whole <= 2 * 256 * 1024 + 1024 + 256);
    }

    void wide_blocks() {
        const NetworkPtr network = gpt(6, 64, 4, 32, true);
        for (const auto& [first, last, left] : {std::array{0, 0, 6}, {1, 2, 3}, {2, 0, 4}, {0, 5, 1}, {4, 3, 0}}) {
            Scenario s = on("h100-sxm-80gb", network, fp8);
            s.training.wide_first = first;
            s.training.wide_last = last;
            const Plan plan = std::move(*prepare(s));
            int narrow = 0;
            for (std::size_t l = 0; l < plan.parts[0].work.narrow.size(); ++l) {
                const std::string& name = network->layers()[l].name;
                if (!plan.parts[0].work.is_narrow(l)) continue;
                ++narrow;
                const int block = name[1] - '0';
                QVERIFY2(block >= first && block < 6 - last, name.c_str());
            }
            QCOMPARE(narrow, left * 6);
        }
    }

    /// A narrower precision never needs more memory, but for the narrow copies of the weights, and never takes longer
    /// where the device has a path for it, but for what casting moves; with the same placements and recomputed layers,
    /// some of which are chosen by what they save. Times of one stage.
    void narrower_is_never_worse() {
        std::mt19937 random(5);
        const std::array chain{bf16, fp8_block, mxfp8, nvfp4};
        int narrow = 0;
        for (int round = 0; round < 250; ++round) {
            // Stages that begin where the step is shortest may begin elsewhere, and layers without a rule be placed
            // otherwise.
            Scenario s = random_mesh(random, 1);
            s.cluster.workers /= s.parallelism.tensor;
            s.parallelism.tensor = 1;
            if (round % 3 == 0) {
                const std::int64_t hidden = 32 * pick(random, 1, 3);
                s.workload[0].network =
                    round % 2 == 0 ? gpt(6, hidden, 2, 16, true) : mixture(6, hidden, 2, hidden, true);
                s.training.frozen.clear();
                s.parallelism.pipeline = pick(random, 1, 3);
                s.parallelism.tensor = pick(random, 1, 2);
                s.parallelism.borders = StageBorders::blocks;
                s.parallelism.policy = ShardingPolicy::trainer;
                s.cluster.workers = 2 * s.parallelism.pipeline * s.parallelism.tensor;
            }
            s.cluster.device = device("b200-sxm-180gb");
            s.cluster.device.memory_bandwidth = BytesPerSecond{1e30};
            s.parallelism.recompute = static_cast<Recompute>(pick(random, 0, 7));
            s.parallelism.sharded = static_cast<Sharded>(pick(random, 0, 3));
            // Between stages, messages that hid behind work may be waited for longer than that work was; so may gathers
            // of weights.
            const bool times = s.parallelism.pipeline == 1 && s.parallelism.sharded != Sharded::weights;
            std::optional<Estimate> before;
            std::vector<int> recomputed;
            for (const Precision p : chain) {
                s.training.precision = p;
                auto plan = prepare(s);
                if (!plan || (before && recomputed != plan->parts[0].blocks)) break;
                recomputed = plan->parts[0].blocks;
                auto now = scalescope::estimate(s);
                if (!now) break;
                const double copies = now->memory.copies.value;
                if (copies > 0) ++narrow;
                if (before) {
                    QVERIFY2(!times || now->summary.step <= before->summary.step * (1 + 1e-12),
                             qPrintable(QString::number(round)));
                    QVERIFY2(now->memory.peak.value - copies <= before->memory.peak.value * (1 + 1e-12),
                             qPrintable(QString::number(round)));
                    QVERIFY(s.parallelism.pipeline > 1 ||  // or those of another stage
                            now->memory.activations.value <= before->memory.activations.value * (1 + 1e-12));
                }
                before = std::move(*now);
            }
        }
        QVERIFY2(narrow > 100, qPrintable(QString::number(narrow)));
    }

    /// A plan that is priced anew for another device is that device's.
    void another_device() {
        const NetworkPtr network = gpt(2, 256, 4, 128, true);
        Plan plan = std::move(*prepare(on("h100-sxm-80gb", network, fp8)));
        for (const char* id : {"b200-sxm-180gb", "a100-sxm-80gb", "h200-sxm-141gb", "h100-sxm-80gb"}) {
            const Scenario s = on(id, network, fp8);
            QVERIFY(reprice_plan(plan, s));
            Scratch a = make_scratch(plan);
            const Estimate priced = scalescope::estimate(s, plan, a).value();
            const Answer fresh(s);
            QCOMPARE(priced.summary, fresh.e.summary);
            QCOMPARE(priced.memory.peak, fresh.e.memory.peak);
        }
    }

    void words() {
        Scenario s;
        QVERIFY(set_field(s, "training.precision", "mxfp8", {}));
        QVERIFY(set_field(s, "training.wide_last", "4", {}));
        QCOMPARE(s.training.precision, mxfp8);
        QCOMPARE(s.training.wide_last, std::int64_t{4});
        const auto wrong = set_field(s, "training.precision", "fp4", {});
        QVERIFY(!wrong);
        QVERIFY2(wrong.error().front().remedy.find("fp") != std::string::npos, wrong.error().front().remedy.c_str());
    }

    /// Llama 3 70B, all weights trained, on 32 H100: 704 TFLOP/s with 4 tensor ranks and 4 stages, 508.7 with 8 ranks,
    /// 668 with 8 stages (NVIDIA Megatron-Bridge, performance guide).
    void degrees_of_llama_70b() {
        Scenario s = support::scenario(support::preset("llama-3-70b"));
        QVERIFY(set_symbol(s, "sequence", 4096));
        for (const auto& [path, text] :
             std::initializer_list<std::pair<const char*, const char*>>{{"cluster.device", "h100-sxm-80gb"},
                                                                        {"cluster.inside", "nvswitch-4"},
                                                                        {"cluster.between", "infiniband-ndr"},
                                                                        {"cluster.devices_per_node", "8"},
                                                                        {"cluster.nics_per_node", "8"},
                                                                        {"cluster.workers", "32"},
                                                                        {"training.batch_rule", "total"},
                                                                        {"training.batch", "32"},
                                                                        {"training.precision", "fp8"},
                                                                        {"training.optimizer", "adam"},
                                                                        {"parallelism.fill", "data"},
                                                                        {"parallelism.policy", "trainer"},
                                                                        {"parallelism.sequence", "true"},
                                                                        {"parallelism.sharded", "optimizer"},
                                                                        {"parallelism.overlap", "buckets"},
                                                                        {"parallelism.order", "interleaved"},
                                                                        {"parallelism.chunks", "5"},
                                                                        {"parallelism.micro_batches", "32"},
                                                                        {"model.memory", "0"},
                                                                        {"model.traffic", "1.4"},
                                                                        {"model.launch_us", "3"},
                                                                        {"model.inside", "65"}})
            if (const auto set = set_field(s, path, text, support::library().catalogue); !set)
                support::stop(set.error());
        const auto step = [&](std::int64_t tensor, std::int64_t pipeline) {
            s.parallelism.tensor = tensor;
            s.parallelism.pipeline = pipeline;
            s.parallelism.micro_batches = tensor * pipeline;  // one sequence each: 32 over the data ranks
            return Answer(s).e.summary.step.value;
        };
        const double best = step(4, 4), tensor = 100 * (1 - best / step(8, 4)),
                     pipeline = 100 * (1 - best / step(4, 8));
        qInfo("step %.2f s; tensor 8: %.1f %% less, measured 27.7; pipeline 8: %.1f %% less, measured 5.1", best,
              tensor, pipeline);
        QVERIFY(tensor > 0 && std::abs(tensor - 27.7) < 6);
        QVERIFY(pipeline > 0 && std::abs(pipeline - 5.1) < 6);
    }
};

QTEST_GUILESS_MAIN(TestNarrowPrecision)
#include "tst_narrow_precision.moc"
