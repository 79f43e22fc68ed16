// SPDX-License-Identifier: GPL-3.0-or-later
// Published tables of transformers: their columns, the network and the mesh that a row describes, and what its metrics
// mean.
#include <QtTest>
#include <cmath>

#include "core/estimate/estimate.hpp"
#include "core/formats/hugging_face/import.hpp"
#include "core/measure/validate/resolve.hpp"
#include "core/measure/validate/validate.hpp"
#include "core/scenario/recompute_choice.hpp"
#include "support_choices.hpp"
#include "support_library.hpp"

using namespace scalescope;
using namespace scalescope::measure;
using support::library;
using support::messages;

namespace {

const std::string header =
    "source,network,layers,hidden,heads,seq,vocab,batch_global,micro_batch,tp,pp,dp,interleave,recompute,gpus,device,"
    "interconnect,precision,metric,value,unit,note\n";
/// Narayanan et al., SC 2021, table 2: 174.6 billion parameters on 384 A100.
const std::string gpt3 =
    "Narayanan et al. SC21 Table 2,GPT-174.6B,96,12288,96,2048,51200,1536,1,8,12,4,,full,384,"
    "A100-SXM-80GB,NVLink3,mixed-16,";
/// MosaicML, llm-foundry: 7 billion parameters on 8 A100.
const std::string mpt7b = "MosaicML llm-foundry,MPT-7b,32,4096,32,2048,50368,384,6,1,1,8,,none,8,a100_80gb,RoCE,bf16,";

std::vector<PublishedRow> rows_from(const std::string& text) {
    const auto table = formats::parse_kept_csv(header + text, "t.csv");
    if (!table) qFatal("%s", messages(table.error()).c_str());
    return read_published(*table).value();
}

const Profiles& profiles() {
    static const Profiles all = shipped_profiles().value();
    return all;
}

ResolvedRow resolved(const std::string& text) {
    RowResolver resolver(library(), profiles());
    return resolver.resolve(rows_from(text).at(0));
}

Validation validated(const std::string& text, Calibrate calibrate = Calibrate::none) {
    return validate(rows_from(text), library(), profiles(), {calibrate, {}}).value();
}

double predicted(const Validation& v, std::size_t row) {
    if (!v.rows[row].predicted) qFatal("%s", v.rows[row].reason.c_str());
    return *v.rows[row].predicted;
}

bool near(double a, double b) { return std::abs(a / b - 1) < 1e-9; }

/// Narayanan et al., SC 2021, equation 3: 96·B·s·l·h²·(1 + s/(6h) + V/(16lh)), the forward pass twice.
double equation_3(double batch, double s, double l, double h, double vocabulary) {
    return 96 * batch * s * l * h * h * (1 + s / (6 * h) + vocabulary / (16 * l * h));
}

}  // namespace

class TestValidateTransformers : public QObject {
    Q_OBJECT

private slots:
    void columns() {
        const auto row = rows_from("s,n,24,1024,16,2048,50257,64,2,2,4,2,3,full,16,d,i,fp16,m,5,ms,\n").at(0);
        QVERIFY2(row.wrong.empty(), row.wrong.c_str());
        QCOMPARE(row.layers, 24);
        QCOMPARE(row.hidden, 1024);
        QCOMPARE(row.heads, 16);
        QCOMPARE(row.sequence, 2048);
        QCOMPARE(row.vocabulary, 50257);
        QCOMPARE(row.batch_global, 64);
        QCOMPARE(row.micro_batch, 2);
        QCOMPARE(row.tensor, 2);
        QCOMPARE(row.pipeline, 4);
        QCOMPARE(row.replicas, 2);
        QCOMPARE(row.interleave, 3);
        QCOMPARE(row.recompute, std::string("full"));
        QCOMPARE(row.workers, 16);
        // 64 sequences for 2 replicas, in micro-batches of 2.
        QCOMPARE(row.batch_per_worker, 2);
        QCOMPARE(row.accumulation, 16);
        QVERIFY(row.has_figures);
        const auto wrong = rows_from("s,n,2.5,,,,,64,2,,,,,,16,d,i,,m,5,ms,\n").at(0);
        QVERIFY(QString::fromStdString(wrong.wrong).contains("\"2.5\" is no whole number"));
        // What is left over is left out: 10 micro-batches of 3 out of 32 sequences.
        const auto uneven = rows_from("s,n,24,1024,16,2048,50257,64,3,2,4,2,3,full,16,d,i,fp16,m,5,ms,\n").at(0);
        QCOMPARE(uneven.batch_per_worker, 3);
        QCOMPARE(uneven.accumulation, 10);
    }

    void empty_cells_are_filled() {
        auto row = rows_from("s,n,,1024,,,,64,,1,2,,,,16,d,i,,m,5,ms,\n").at(0);
        QVERIFY(fill_cell(row, "layers", "12") && row.layers == 12);
        QVERIFY(!fill_cell(row, "hidden", "99") && row.hidden == 1024);
        QVERIFY(fill_cell(row, "precision", "fp16") && !fill_cell(row, "precision", "bf16"));
        QVERIFY(fill_cell(row, "tokens", "3e11") && row.tokens == 3e11);
        QVERIFY(!fill_cell(row, "heads", "none") && !fill_cell(row, "value", "1"));
        QVERIFY(fill_cell(row, "micro_batch", "4"));
        settle_batch(row);
        QCOMPARE(row.batch_per_worker, 4);
        QCOMPARE(row.accumulation, 2);  // 64 for 8 replicas are 8 each
        QVERIFY(is_fillable_column("kv_heads") && !is_fillable_column("value"));
    }

    void rules_see_empty_cells() {
        PublishedRow row;
        row.device = "A100";
        QVERIFY(meets(row, {{"interconnect", ""}, {"device", "a100"}}));
        row.interconnect = "none";
        QVERIFY(!meets(row, {{"interconnect", ""}}));
    }

    /// Jobs take equal parts of NVLink domains and of nodes.
    void devices_are_spread_evenly_over_nodes() {
        const auto node = [](const char* device, const char* devices) {
            const auto r = resolved(std::string("SimuMax,GPT-x,24,1024,16,1024,51200,512,1,1,1,,,,") + devices + ',' +
                                    device + ",,bf16,iteration_time,1,s,\n");
            return r.scenario ? r.scenario->cluster.devices_per_node : 0;
        };
        QCOMPARE(node("DGX-GB200", "256"), 64);
        QCOMPARE(node("DGX-GB200", "64"), 64);
        QCOMPARE(node("DGX-GB200", "8"), 8);
        QCOMPARE(node("H100", "256"), 8);
        QCOMPARE(node("H100", "12"), 6);
        QCOMPARE(node("H100", "20"), 8);  // three nodes, not alike
    }

    /// 174.6 billion parameters, 8-way tensor and 12-way pipeline parallel, four replicas, 384 micro-batches each.
    void megatron_row_as_scenario() {
        const auto r = resolved(gpt3 + "achieved_tflops_per_gpu,153,TFLOP/s,PTD-P\n");
        QVERIFY2(r.scenario, r.reason.c_str());
        const Scenario& s = *r.scenario;
        QCOMPARE(s.cluster.workers, 384);
        QCOMPARE(s.cluster.devices_per_node, 8);
        QCOMPARE(s.cluster.nics_per_node, 8);
        QCOMPARE(s.cluster.device.id, std::string("a100-sxm-80gb"));
        QCOMPARE(s.cluster.inside.id, std::string("nvswitch-3"));
        QCOMPARE(s.cluster.between.id, std::string("dgx-a100-hdr"));
        QVERIFY(fills_data(s.parallelism));
        QCOMPARE(s.parallelism.tensor, 8);
        QCOMPARE(s.parallelism.pipeline, 12);
        QCOMPARE(degrees_of(s)->data, 4);
        QCOMPARE(s.parallelism.micro_batches, 384);
        QCOMPARE(s.parallelism.order, PipelineOrder::one_f_one_b);
        QCOMPARE(s.parallelism.recompute, Recompute::blocks);
        QCOMPARE(s.parallelism.sharded, Sharded::nothing);
        QCOMPARE(s.training.batch, 1536);
        QCOMPARE(s.training.batch_rule, BatchRule::total);
        QCOMPARE(s.training.accumulation, 1);
        QCOMPARE(s.training.precision, Precision::fp16);
        QCOMPARE(s.training.optimizer, Optimizer::adam);
        // 12·l·h² and 13·l·h of the blocks, two tables, the last norm.
        const std::int64_t h = 12288;
        QCOMPARE(s.network()->parameters(), 96 * (12 * h * h + 13 * h) + (51200 + 2048) * h + 2 * h);
        QCOMPARE(s.network()->name(), std::string("GPT-174.6B"));
        QVERIFY(!r.sources.empty() && !r.assumed.empty());
        QCOMPARE(s.description, "Line 2 of t.csv. " + r.assumed[0]);
    }

    void interleaved_chunks_accumulation_and_sharding() {
        const std::string at = "MosaicML llm-foundry,GPT-x,24,1024,16,1024,51200,64,2,";
        const auto interleaved = resolved(at + "1,4,2,3,selective,8,A100,i,bf16,iteration_time,1,s,\n");
        QVERIFY2(interleaved.scenario, interleaved.reason.c_str());
        QCOMPARE(interleaved.scenario->parallelism.order, PipelineOrder::interleaved);
        QCOMPARE(interleaved.scenario->parallelism.chunks, 3);
        QCOMPARE(interleaved.scenario->parallelism.recompute, Recompute::attention);
        for (const auto& [spelled, text] : {std::pair("core_attn", "core_attn"),
                                            {"moe_act; layernorm", "layernorm+moe_act"},
                                            {"uniform", "uniform"},
                                            {"layernorm + mlp", "layernorm+mlp"}}) {
            const auto one = resolved(at + "1,4,2,3," + spelled + ",8,A100,i,bf16,iteration_time,1,s,\n");
            QVERIFY2(one.scenario, one.reason.c_str());
            QCOMPARE(recompute_text(one.scenario->parallelism.recompute), std::string(text));
        }
        QVERIFY(!resolved(at + "1,4,2,3,some,8,A100,i,bf16,iteration_time,1,s,\n").scenario);
        const auto tensor = resolved(at + "4,1,2,1,,8,A100,i,bf16,iteration_time,1,s,mode DEFAULT; FSDP FULL_SHARD\n");
        QVERIFY2(tensor.scenario, tensor.reason.c_str());
        QCOMPARE(tensor.scenario->training.accumulation, 16);
        QCOMPARE(tensor.scenario->training.batch, 64);
        QCOMPARE(tensor.scenario->parallelism.micro_batches, 1);
        QCOMPARE(tensor.scenario->parallelism.sharded, Sharded::weights);
        QCOMPARE(tensor.scenario->parallelism.gradients, GradientFormat::fp32);
    }

    /// The table gives the parameters itself: 6,658,859,008, and 260,046,848 more with 65,536 positions.
    void mpt_has_the_parameters_of_the_table() {
        QCOMPARE(resolved(mpt7b + "mfu,64.23,%,\n").scenario->network()->parameters(), 6'658'859'008);
        std::string longer = mpt7b;
        longer.replace(longer.find("2048"), 4, "65536");
        QCOMPARE(resolved(longer + "mfu,46.97,%,\n").scenario->network()->parameters(), 6'918'905'856);
    }

    void llama_has_a_gate_and_shared_heads() {
        PublishedRow row;
        row.network = "Llama-3.1-8B";
        row.layers = 32, row.hidden = 4096, row.heads = 32, row.sequence = 8192, row.vocabulary = 128256;
        QCOMPARE(missing_figures(row), std::string());
        row.kv_heads = 8, row.feed_forward = 14336;
        const auto drawn = [&] {
            row.device = "A100", row.unit = "tokens/s", row.metric = "throughput", row.value = 1;
            row.batch_per_worker = 1;
            RowResolver resolver(library(), profiles());
            const auto resolved = resolver.resolve(row);
            if (!resolved.scenario) qFatal("%s", resolved.reason.c_str());
            return resolved.scenario->network()->parameters();
        };
        QCOMPARE(drawn(), library().network("llama-3-8b").value()->parameters());
        // What the row leaves open is that of the published size.
        row.kv_heads = row.feed_forward = 0;
        QCOMPARE(drawn(), library().network("llama-3-8b").value()->parameters());
        row.layers = row.hidden = row.heads = 0;
        QCOMPARE(missing_figures(row), std::string("layers, hidden"));
    }

    /// Equation 3 counts the arithmetic of the hardware where blocks are recomputed; 72 and 12 in place of 96 and 16
    /// without.
    void counted_arithmetic() {
        const auto net = resolved(gpt3 + "achieved_tflops_per_gpu,153,TFLOP/s,\n").scenario->workload[0].network;
        const CountedFlops counted = counted_flops(*net);
        const double s = 2048, l = 96, h = 12288, v = 51200;
        QVERIFY(near(hardware_flops(counted, Recompute::blocks).value, equation_3(1, s, l, h, v)));
        QVERIFY(near(model_flops(counted).value, 72 * s * l * h * h * (1 + s / (6 * h) + v / (12 * l * h))));
        QVERIFY(near(counted.attention.value, 4 * s * s * h * l));
        QVERIFY(near(hardware_flops(counted, Recompute::attention).value,
                     model_flops(counted).value + counted.attention.value));
        QCOMPARE(hardware_flops(counted, Recompute::nothing).value, model_flops(counted).value);
        const double p = static_cast<double>(net->parameters());
        QVERIFY(near(model_flops_by_parameters(counted, s).value, 6 * p * s + 12 * l * h * s * s));
        QVERIFY(
            near(hardware_flops_by_parameters(counted, s, Recompute::blocks).value, 8 * p * s + 16 * l * h * s * s));
    }

    /// Of a mixture, a token goes through some experts; images have no tokens.
    void parameters_that_are_used() {
        const auto mixture = library().network("transformers/mixtral-8x22b").value();
        const auto images = library().network("resnet-50").value();
        QVERIFY(std::abs(counted_flops(*mixture).parameters / 39.15e9 - 1) < 0.01);  // Mistral 2024: 141B, 39B used
        QVERIFY(std::abs(static_cast<double>(mixture->parameters()) / 140.6e9 - 1) < 0.01);
        QCOMPARE(model_flops_by_parameters(counted_flops(*images), 1).value, model_flops(counted_flops(*images)).value);
    }

    /// 410 tokens a second and GPU are an MFU of 53.3 % in the table of MPT-70b: (6·64,862,437,376 + 12·80·8192·2048) ·
    /// 410 / 312e12 = 0.5326. The same holds for what is predicted of MPT-7b.
    void utilization_by_hand() {
        const auto v = validated(mpt7b + "mfu,64.23,%,\n" + mpt7b + "throughput_per_gpu,4641,tokens/s/GPU,\n" + mpt7b +
                                 "hfu,64.23,%,\n" + mpt7b + "throughput,1,tokens/s,\n" + mpt7b +
                                 "throughput,1,sequences/s,\n" + mpt7b + "iteration_time,9000,ms,\n");
        const double each = predicted(v, 1), of_token = 6 * 6'658'859'008.0 + 12 * 32 * 4096.0 * 2048;
        QVERIFY(near(predicted(v, 0), 100 * of_token * each / 312e12));
        QVERIFY(near(predicted(v, 2), predicted(v, 0)));  // nothing is recomputed
        QVERIFY(near(predicted(v, 3), 8 * each));
        QVERIFY(near(predicted(v, 4), 8 * each / 2048));
        QVERIFY(near(predicted(v, 5), 384e3 / predicted(v, 4)));
    }

    /// Rates of FLOPs count what their source counts; training takes the tokens over those of a step.
    void rates_of_flops_and_whole_trainings() {
        const auto v =
            validated(gpt3 + "iteration_time,90,s,\n" + gpt3 + "achieved_hardware_tflops_per_gpu,153,TFLOP/s,\n" +
                      gpt3 + "train_days_300B_tokens,84,days,\n" + gpt3 + "gpu_hours_300B_tokens,900000,GPU-h,\n" +
                      gpt3 + "peak_memory_per_gpu,60,GiB,\n");
        const double step = predicted(v, 0);
        QVERIFY(near(predicted(v, 1), equation_3(1536, 2048, 96, 12288, 51200) / step / 384 / 1e12));
        const double steps = 300e9 / (1536 * 2048.0);
        QVERIFY(near(predicted(v, 2), steps * step / 86400));
        QVERIFY(near(predicted(v, 3), steps * step / 3600 * 384));
        const auto e = estimate(*v.rows[4].scenario).value();
        QVERIFY(near(predicted(v, 4), e.memory.peak.value / 1073741824.0));
        QVERIFY(v.rows[4].of_memory && !v.rows[0].of_memory);
        // Not counted: the recomputed forward pass.
        const auto model = validated(gpt3 + "iteration_time,90,s,\n" + gpt3 + "achieved_tflops_per_gpu,1,TFLOP/s,\n");
        const auto counted = counted_flops(*model.rows[0].scenario->network());
        QVERIFY(near(predicted(model, 1), 1536 * model_flops(counted).value / predicted(model, 0) / 384 / 1e12));
    }

    /// A step of GPT-3 that takes 82.5 s on 384 devices is 153 TFLOP/s each with the recomputed forward pass, and 115
    /// without. What one run says holds for all rates of its table.
    void counted_flops_follow_from_a_time_of_the_same_run() {
        const auto counted = [&](double rate, const std::string& notes = "") {
            const std::string of_run = gpt3.substr(0, gpt3.size()),
                              other = "GPT-3 again," + gpt3.substr(gpt3.find(',') + 1);
            const auto v = validated(of_run + "iteration_time,82.5,s," + notes + '\n' + of_run +
                                     "achieved_tflops_per_gpu," + std::to_string(rate) + ",TFLOP/s," + notes + '\n' +
                                     other + "achieved_tflops_per_gpu,1,TFLOP/s,\n");
            const double step = predicted(v, 0), all = equation_3(1536, 2048, 96, 12288, 51200) / step / 384 / 1e12;
            return std::pair{predicted(v, 1) / all, predicted(v, 2) / all};
        };
        QVERIFY(near(counted(153).first, 1));
        QVERIFY(near(counted(153).second, 1));
        QVERIFY(counted(115).first < 0.8 && counted(115).second < 0.8);
        QVERIFY(counted(20).first < 0.8);  // neither
        QVERIFY(near(counted(20, "FLOPs counted with the recompute formula").first, 1));
        QVERIFY(counted(20, "FLOPs counted without recomputation").first < 0.8);
    }

    void reasons_are_given() {
        const std::string at = "SimuMax,GPT-x,24,1024,16,1024,51200,64,", end = "iteration_time,90,s,\n";
        const std::pair<std::string, const char*> cases[] = {
            {at + "2,4,1,4,,,8,B200-SXM,,bf16," + end, "do not come to its 8 workers"},
            {at + "2,1,1,8,,some,8,B200-SXM,,bf16," + end, "the recomputation \"some\""},
            {at + "2,1,1,8,,,8,B200-SXM,,fp7," + end, "\"fp7\""},
            {"SimuMax,Blob,,,,,,64,2,1,1,8,,,8,B200-SXM,,bf16," + end, "follow from: layers, hidden"},
            {at + "2,1,1,4,,,8,B200-SXM,,bf16,iteration_time,1,s,context parallel 4\n", "do not come to its 8 workers"},
            {at + "2,1,1,8,,,8,B200-SXM,,bf16,time_to_train,1,min,\n", "for how long"},
            {at + "2,1,1,8,,,8,B200-SXM,,bf16,gpu_hours_total,1,GPU-h,\n", "for how long"},
            {at + "2,1,1,8,,,8,B200-SXM,,bf16,energy_total,1,MWh,\n", "\"MWh\""},
            {at + "2,1,1,8,,,8,B200-SXM,,bf16,idle_share,1,%,\n", "\"idle_share\""}};
        for (const auto& [row, says] : cases) {
            const auto r = resolved(row);
            QVERIFY2(!r.scenario && r.reason.find(says) != std::string::npos, (row + r.reason).c_str());
        }
        for (const auto& [row, says] : {std::pair{at + ",1,4,2,,,8,B200-SXM,,bf16,", "micro-batch of one"},
                                        std::pair{at + "2,1,1,8,,,8,B200-SXM,,,", "Precision bf16"}}) {
            const auto r = resolved(row + end);
            QVERIFY2(r.scenario && std::any_of(r.assumed.begin(), r.assumed.end(),
                                               [words = says](const std::string& s) {
                                                   return s.find(words) != std::string::npos;
                                               }),
                     (row + r.reason).c_str());
        }
        const auto whole = resolved(at + "2,1,1,8,,,8,B200-SXM,,bf16,iteration_time,1,s,context parallel 1\n");
        QVERIFY2(whole.scenario, whole.reason.c_str());
    }

    /// What is allocated, if the metric says so; torchtitan logs what its allocator reserves. Both rows say who
    /// trained.
    void memory_is_what_its_source_counted() {
        const auto row = [](const char* source, const char* metric, const char* note) {
            return resolved(std::string(source) + ",GPT-x,24,2048,16,1024,51200,64,8,1,1,8,,,8,B200-SXM,,bf16," +
                            metric + ",9,GiB," + note + "\n");
        };
        const auto figure = [](const ResolvedRow& r, Bytes (*of)(const MemoryEstimate&)) {
            const auto e = estimate(*r.scenario);
            QCOMPARE(figure_of(r.measured, *r.scenario, *e) * 1073741824.0, of(e->memory).value);
            QVERIFY(e->memory.peak > e->memory.allocated());
        };
        const ResolvedRow simumax = row("SimuMax", "peak_memory_allocated", "ZeRO-1; Megatron-LM"),
                          titan = row("torchtitan", "peak_memory", "FSDP + compile");
        QVERIFY(simumax.scenario && simumax.scenario->model.trainer.placeholders);
        QVERIFY(titan.scenario && titan.scenario->model.trainer.whole_blocks == 2);
        figure(simumax, [](const MemoryEstimate& m) { return m.allocated(); });
        figure(titan, [](const MemoryEstimate& m) { return m.reserved(); });
        const ResolvedRow other = row("MosaicML llm-foundry", "peak_memory", "");
        QVERIFY2(other.scenario && other.scenario->model.trainer == TrainerMemory{.traffic = 1.9},
                 other.reason.c_str());
        QCOMPARE(other.measured.metric, PublishedMetric::peak_memory);
    }

    /// What ran and is said not to fit into memory is counted.
    void rows_that_do_not_fit_are_counted() {
        const std::string one = "SimuMax,GPT-x,24,2048,16,1024,51200,",
                          end = ",1,1,8,,,8,B200-SXM,,bf16,iteration_time,1000,s,\n";
        const auto v = validated(one + "64,8" + end + one + "65536,8192" + end, Calibrate::none);
        QVERIFY(v.rows[0].fits && !v.rows[1].fits);
        QCOMPARE(tables_of(v.rows).front().do_not_fit, std::size_t{1});
    }

    /// One factor for each device, from every second run; both figures of a run are learnt from or predicted. Nothing
    /// is learnt from what a model computed, or from memory.
    void one_factor_for_a_device() {
        const auto row = [](const char* micro, const char* metric, const char* note = "") {
            return std::string("SimuMax,GPT-x,24,2048,16,1024,51200,64,") + micro + ",1,1,8,,,8,B200-SXM,,bf16," +
                   metric + "," + note + "\n";
        };
        const std::string text = row("8", "iteration_time,500,ms") + row("8", "peak_memory,9,GiB") +
                                 row("4", "iteration_time,500,ms") + row("4", "throughput,128,sequences/s") +
                                 row("2", "iteration_time,500,ms");
        const auto v = validated(text, Calibrate::device);
        const bool learnt[] = {true, false, false, false, true};
        for (std::size_t i = 0; i < 5; ++i) QCOMPARE(v.rows[i].learnt_from, learnt[i]);
        QCOMPARE(v.rows[2].calibrated_on, 2);
        QCOMPARE(v.rows[2].evidence, Evidence::calibrated);
        QVERIFY(std::abs(*v.rows[2].error()) < 0.15);
        QVERIFY(near(predicted(v, 3), 64e3 / predicted(v, 2)));
        QCOMPARE(configuration_key(v.rows[0].row), configuration_key(v.rows[1].row));
        QVERIFY(configuration_key(v.rows[0].row) != configuration_key(v.rows[2].row));

        // Times on a line to the last digit come out of a model: they are predicted, and nothing is learnt from them.
        std::string computed;
        for (const char* network : {"GPT-x", "GPT-y", "GPT-z"})
            for (const int steps : {1, 2, 5})
                computed += "s," + std::string(network) + ",24,2048,16,1024,51200," + std::to_string(8 * steps) +
                            ",1,1,1,8,,,8,B200-SXM,,bf16,iteration_time," +
                            std::to_string(10.1234567 + steps * 31.7654321) + ",ms,\n";
        const auto of_model = validated(computed, Calibrate::device);
        for (const ValidatedRow& r : of_model.rows) QVERIFY(r.modelled && !r.learnt_from && r.predicted);
        computed.replace(computed.find("41.888889"), 9, "41.898889");  // a clock is not that steady
        QVERIFY(!validated(computed).rows[0].modelled);
    }

    /// A table's times and rates, its memory, and what a model computed are summed up apart.
    void summary_of_tables() {
        ValidatedRow r;
        r.row.file = "folder/t.csv";
        r.row.value = 2;
        r.row.workers = 2;
        r.predicted = 3;
        ValidatedRow memory = r, modelled = r, lost = r;
        memory.of_memory = true;
        memory.predicted = 2.2;
        modelled.modelled = true;
        lost.predicted.reset();
        const auto tables = tables_of({r, memory, lost, modelled});
        QCOMPARE(tables.size(), std::size_t{3});
        QCOMPARE(tables[0].group, std::string("t.csv"));
        QCOMPARE(tables[0].range, std::string("table"));
        QCOMPARE(tables[0].rows, std::size_t{2});
        QCOMPARE(tables[0].coverage(), 0.5);
        QCOMPARE(tables[0].ours.worst, 0.5);
        QCOMPARE(tables[1].range, std::string("table, memory"));
        QVERIFY(std::abs(tables[1].ours.mean - 0.1) < 1e-12);
        QCOMPARE(tables[2].range, std::string("table, computed by a model"));
    }

    void rates_of_each_device_scale_to_themselves() {
        const std::string one = "MosaicML llm-foundry,MPT-x,2,512,8,128,512,8,1,1,1,1,,none,1,a100_80gb,RoCE,bf16,";
        const std::string two = "MosaicML llm-foundry,MPT-x,2,512,8,128,512,16,1,1,1,2,,none,2,a100_80gb,RoCE,bf16,";
        const auto v = validated(one + "throughput_per_gpu,50,tokens/s/GPU,\n" + two +
                                 "throughput_per_gpu,40,tokens/s/GPU,\n" + one + "throughput,50,tokens/s,\n" + two +
                                 "throughput,80,tokens/s,\n" + one + "mfu,50,%,\n" + two + "mfu,40,%,\n");
        QCOMPARE(*v.rows[1].linear, 50.0);
        QCOMPARE(*v.rows[3].linear, 100.0);
        QCOMPARE(*v.rows[5].linear, 50.0);
    }
};

QTEST_APPLESS_MAIN(TestValidateTransformers)
#include "tst_validate_transformers.moc"
