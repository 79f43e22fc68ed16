// SPDX-License-Identifier: GPL-3.0-or-later
// Tables that are pasted with their pages: what text, units and other figures say about their columns.
#include <QtTest>
#include <algorithm>
#include <cmath>

#include "core/words/choices.hpp"
#include "core/words/facts.hpp"
#include "core/words/table_words.hpp"
#include "support_pasted.hpp"

using namespace scalescope;
using namespace scalescope::measure;
using namespace support;

namespace {

constexpr const char* head = "| model | gpu | gpus | batch size | ";

}  // namespace

class TestPastedPages : public QObject {
    Q_OBJECT

private slots:
    /// 64 samples in 32 ms are 2,000 a second: the batch is that of all devices, or of each if there are 16,000.
    void whose_batch_a_rate_and_a_time_say() {
        const std::string rest = "step ms | samples/s |\n|--|--|--|--|--|--|\n| ResNet-50 | V100 | 8 | 64 | 32 | ";
        const auto all = read_pasted(head + rest + "2000 |\n"), each = read_pasted(head + rest + "16000 |\n");
        QCOMPARE(all[0].batch_global, std::int64_t{64});
        QCOMPARE(all[0].batch, std::int64_t{0});
        QCOMPARE(each[0].batch_per_worker, std::int64_t{64});
        // in any order of columns, and not where the figures say something else
        const auto turned = read_pasted(
            "| samples/s | step ms | batch size | model | gpu | gpus |\n|--|--|--|--|--|--|\n"
            "| 2000 | 32 | 64 | ResNet-50 | V100 | 8 |\n");
        QCOMPARE(turned[0].batch_global, std::int64_t{64});
        QCOMPARE(read_pasted(head + rest + "900 |\n")[0].batch, std::int64_t{64});
    }

    /// Without a batch, a rate times the step time is that of a step; such a row equals the one with the batch.
    void batches_that_follow() {
        const std::string columns = "model,gpu,gpus,seq,", cells = "\nLlama 2 7B,A100 80GB,8,4096,";
        const auto derived = validated_pasted(columns + "tokens/s,step time (s)" + cells + "24200,10.83\n", "t.csv"),
                   written = validated_pasted(columns + "global batch,step time (s)" + cells + "64,10.83\n", "t.csv");
        QVERIFY2(derived.rows[1].predicted && written.rows[0].predicted, derived.rows[1].reason.c_str());
        QVERIFY(is_assumed(derived.rows[1], "The batch of 64 is derived"));
        QCOMPARE(*derived.rows[1].predicted, *written.rows[0].predicted);
        // what the page says of another run does not count
        const auto page = read_pasted(
            "The model flops for GBS=1 are 4.7e14.\n\n| Llama 3 8B | 8x H100 |\n|--|--|\n"
            "| step time (s) | 12.27 |\n| tokens per second | 85459 |\n");
        QCOMPARE(page[0].batch_global, std::int64_t{0});
        QCOMPARE(page[0].batch_tokens, std::int64_t{1048582});
    }

    /// A rate in FLOPs is that of all devices if the step time of the run says so.
    void whose_flops_a_step_time_says() {
        const std::string text = "model,gpu,gpus,seq,batch per gpu,step (ms),TFLOP/s\nGPT-2 XL,V100 16GB,4,128,7,748,";
        const auto all = validated_pasted(text + "44\n", "t.csv"), each = validated_pasted(text + "11\n", "t.csv");
        QVERIFY2(all.rows[1].predicted, all.rows[1].reason.c_str());
        QVERIFY(std::abs(*all.rows[1].predicted / *each.rows[1].predicted - 4) < 1e-9);
    }

    /// Figures of inference are refused, and what a page says of inference is no fact about training.
    void inference_is_told_apart() {
        const auto rows = read_pasted(
            "model,gpu,batch size,ms/step\nBERT base (fit),A100,32,200\nBERT base (predict),A100,32,50\n", "t.csv");
        QVERIFY(rows[0].wrong.empty());
        QVERIFY(rows[1].wrong.find("inference") != std::string::npos);
        const auto page = read_pasted(
            "- Inference times are for 64 images on 1 GPU.\n- Training runs on 8 GPUs.\n\n"
            "| model | gpu | images/s | inference (images/s) |\n|--|--|--|--|\n"
            "| ResNet-50 | V100 | 2800 | 9000 |\n");
        QCOMPARE(page[0].workers, std::int64_t{8});
        QVERIFY(page.size() == 1 || !page[1].wrong.empty());
    }

    /// "2 x 8" below "nodes x GPUs"; the batch of a run whose devices only its header counts.
    void counts_of_devices() {
        const auto nodes = read_pasted("model,nodes x GPUs,GPU,images/s\nResNet-50,2 x 8,V100,5000\n", "t.csv");
        QCOMPARE(nodes[0].workers, std::int64_t{16});
        QCOMPARE(nodes[0].devices_per_node, std::int64_t{8});
        const auto v = validated_pasted(
            "| GPT-3 175B (TP=8, PP=8, MBS=1) | 128x H100 GPUs (GBS=32) |\n|--|--|\n"
            "| step time (seconds per step) | 9 |\n");
        QVERIFY2(v.rows[0].predicted, v.rows[0].reason.c_str());
        QCOMPARE(v.rows[0].scenario->parallelism.micro_batches, std::int64_t{16});
        // "Ascend 910 NPU" is no number of NPUs, and 1,060 tokens no GeForce
        QCOMPARE(
            read_pasted("Trained on the Ascend 910 NPU.\n\n| model | images/s |\n|--|--|\n| ResNet-50 | 2000 |\n")[0]
                .workers,
            std::int64_t{1});
        const auto v100 = validated_pasted(
            "Trained on V100.\n\n| model | mean length | images/s |\n|--|--|--|\n"
            "| ResNet-50 | 1,060 | 300 |\n");
        QVERIFY2(v100.rows[0].predicted, v100.rows[0].reason.c_str());
        QVERIFY(v100.rows[0].scenario->cluster.device.id.find("v100") != std::string::npos);
    }

    /// A figure that the devices cannot reach at their peak is of another network, unit or number of devices. A rate
    /// without a unit counts tokens if samples are out of reach.
    void figures_beyond_the_peak() {
        const auto v = validated_pasted(
            "model,gpu,gpus,batch per gpu,seq,samples/s/GPU\n"
            "GPT-3 13B,V100 32GB,32,8,512,24\nGPT-3 13B,V100 32GB,32,8,512,1.5\n",
            "t.csv");
        QVERIFY(!v.rows[0].predicted && v.rows[0].reason.find("times the peak") != std::string::npos);
        QVERIFY2(v.rows[1].predicted, v.rows[1].reason.c_str());
        const auto rates =
            validated_pasted("device,resnet50,gnmt,bert_base\nV100,828,81625,148\n", "train_throughput_fp16.csv");
        QVERIFY(is_assumed(rates.rows[0], "samples/s is assumed") && is_assumed(rates.rows[1], "tokens/s is assumed"));
        QCOMPARE(rates.rows[0].scenario->training.precision, Precision::fp16);  // from the file's name
    }

    /// "3090" below "GPU" is a card, "512x512" no number of devices, and "8 V100s" are several.
    void numbers_that_count_no_devices() {
        const auto card = validated_pasted("model,GPU,batch size,images/s\nResNet-50,3090,128,1100\n", "t.csv");
        QVERIFY2(card.rows[0].predicted, card.rows[0].reason.c_str());
        QCOMPARE(card.rows[0].scenario->cluster.workers, std::int64_t{1});
        const auto images = validated_pasted(
            "model,setup,batch size,images/s\n"
            "SD 1.5,\"LoRA on 8x A100 40GB, images of 512x512, graph mode, O2, no cache\",4,60\n",
            "t.csv");
        QVERIFY2(images.rows[0].predicted, images.rows[0].reason.c_str());
        QCOMPARE(images.rows[0].scenario->cluster.workers, std::int64_t{8});
        const auto several =
            validated_pasted("Measured on 8 V100s.\n\n| model | images/s |\n|--|--|\n| ResNet-50 | 3000 |\n");
        QCOMPARE(several.rows[0].scenario->cluster.device.name.find("V100S"), std::string::npos);
    }

    /// The text that stands nearest says the network, also if it leaves its size open.
    void nearest_network() {
        const auto v = validated_pasted(
            "# Stable Diffusion fine-tuning\n\n| GPU | batch size | step ms |\n|--|--|--|\n"
            "| A100 80GB | 4 | 400 |\n\nOnly the U-Net is trained.\n");
        QVERIFY2(v.rows[0].predicted, v.rows[0].reason.c_str());
        QVERIFY(v.rows[0].scenario->workload.front().network->name().find("Diffusion") != std::string::npos);
    }

    /// A column of standard deviations names no network.
    void abbreviations_name_nothing() {
        const auto v = validated_pasted(
            "BERT-large on one A100.\n\n| run | sd | samples/s |\n|--|--|--|\n| base | 47.8 | 120 |\n");
        QVERIFY2(v.rows[0].predicted, v.rows[0].reason.c_str());
        QVERIFY(v.rows[0].scenario->workload.front().network->name().find("BERT") != std::string::npos);
    }

    /// Model parallelism beyond a node, and micro-batches that cannot be interleaved.
    void usual_meshes() {
        const auto v = validated_pasted(
            "model,gpu,gpus,global batch,mbs,model parallel size,TFLOP/s/GPU\n"
            "GPT-3 175B,A100 80GB,384,1536,1,96,150\n",
            "t.csv");
        QVERIFY2(v.rows[0].predicted, v.rows[0].reason.c_str());
        QCOMPARE(v.rows[0].scenario->parallelism.tensor, std::int64_t{8});
        QCOMPARE(v.rows[0].scenario->parallelism.pipeline, std::int64_t{12});
        const auto order = validated_pasted(
            "model,gpu,gpus,global batch,mbs,tp,pp,vpp,seq,tokens/s/GPU\n"
            "Llama 2 70B,H100,32,12,1,4,8,5,4096,600\n",
            "t.csv");
        QVERIFY2(order.rows[0].predicted, order.rows[0].reason.c_str());
        QVERIFY(is_assumed(order.rows[0], "without interleaving"));
    }

    /// A batch in proportion to the devices is that of all; "1k" beside 512 is 1,024.
    void whose_batch_grows() {
        const std::string rest = "time h |\n|--|--|--|--|--|\n";
        const auto row = [](int gpus, const char* batch) {
            return "| BERT large | V100 | " + std::to_string(gpus) + " | " + batch + " | 3 |\n";
        };
        const auto grows = read_pasted(head + rest + row(16, "512") + row(32, "1k") + row(64, "2k"));
        QCOMPARE(grows[2].batch_global, std::int64_t{2048});
        const auto turned = read_pasted(head + rest + row(64, "2k") + row(16, "512") + row(16, "9000") + row(32, "1k"));
        QCOMPARE(turned[0].batch_global, std::int64_t{2048});
        const auto stays = read_pasted(head + rest + row(16, "512") + row(32, "512") + row(64, "512"));
        QCOMPARE(stays[2].batch, std::int64_t{512});
        QCOMPARE(read_pasted(head + rest + row(1, "3k"))[0].batch, std::int64_t{3000});
    }

    void columns_together() {
        const auto rows = read_pasted(
            "| model | gpu | batch size x gpus | s/iter |\n|--|--|--|--|\n"
            "| ResNet-50 | V100 | 32x8 | 0.3 |\n| ResNet-50 | V100 | 16×4 | 0.3 |\n");
        QCOMPARE(rows[0].batch, std::int64_t{32});
        QCOMPARE(rows[0].workers, std::int64_t{8});
        QCOMPARE(rows[1].workers, std::int64_t{4});
        const auto mesh =
            read_pasted("model,gpu,TP/PP/DP,local/global batch,tokens/s\nLlama 3 8B,H100,4/2/8,2/64,9000\n");
        QCOMPARE(mesh[0].tensor, std::int64_t{4});
        QCOMPARE(mesh[0].pipeline, std::int64_t{2});
        QCOMPARE(mesh[0].replicas, std::int64_t{8});
        QCOMPARE(mesh[0].batch_per_worker, std::int64_t{2});
        const auto one = read_pasted("model,gpu,GPUs/node,tokens/s\nLlama 3 8B,H100,8,9000\n");
        QCOMPARE(one[0].devices_per_node, std::int64_t{8});
    }

    void text_of_cells() {
        const auto rows = read_pasted(
            "| model | GPU | images/s |\n|--|--|--|\n"
            "| [ResNet\\_50](https://a.b/vgg16) | **V100** | 1396.5 <sup>[1]</sup> |\n"
            "| ResNet-50 \\| v1.5 | V100 | 12&ndash;14 |\n| [58](https://a.b/r50.pth) | V100 | 1 |\n");
        QCOMPARE(rows[0].network, std::string("ResNet_50"));
        QCOMPARE(rows[0].value, 1396.5);
        QCOMPARE(rows[1].network, std::string("ResNet-50 | v1.5"));
        QCOMPARE(rows[1].value, 12.0);
        QVERIFY(rows[2].network.find("r50.pth") != std::string::npos);  // a number says nothing
    }

    /// Text above and below a table with separators, and another table.
    void text_beside_separated_tables() {
        const std::string text =
            "Trained on 8 A100, with mixed precision, by us.\n\nmodel\tbatch\timages/s\nResNet-50\t64\t900\n"
            "ResNet-101\t64\t600\n\nSecond page, of others.\n\nmodel\tbatch\timages/s\nVGG-16\t64\t500\n\n* at night\n";
        const auto rows = read_pasted(text, "t.tsv");
        QCOMPARE(rows.size(), std::size_t{3});
        QCOMPARE(rows[2].network, std::string("VGG-16"));
        // A row that lacks cells is still a mistake.
        QVERIFY(!formats::parse_csv("model,gpu,images/s\nResNet-50,V100,9\nResNet-50\n", "t.csv"));
    }

    void decimal_commas() {
        const auto rows =
            read_pasted("Modell;GPU;Anzahl;GPU-Stunden;Tokens\nLlama 2 7B;A100;64;184.320;2,0T\n", "t.csv");
        QCOMPARE(rows[0].value, 184320.0);
        QCOMPARE(rows[0].tokens, 2e12);
        QCOMPARE(rows[0].workers, std::int64_t{64});
        QCOMPARE(rows[0].metric, std::string("device_time"));
        QCOMPARE(read_pasted("model,gpu,images/s\nResNet-50,V100,\"1,234\"\nResNet-50,V100,1.5\n")[0].value, 1234.0);
        const auto lists = read_pasted("model,gpu,batches,images/s\nResNet-50,V100,\"8,16,32\",\"1,234\"\n", "t.csv");
        QCOMPARE(lists[0].value, 1234.0);
        QCOMPARE(read_number("24.29 万")->value, 242900.0);
    }

    /// Names of runs above their figures, with a title, with units in a column of their own, or counts.
    void turned_tables() {
        const auto titled = read_pasted(
            "| Metric | Unit | V100 | A100 |\n|--|--|--|--|\n"
            "| throughput | images/s | 300 | 700 |\n| batch size | | 64 | 128 |\n");
        QCOMPARE(titled.size(), std::size_t{2});
        QCOMPARE(titled[1].value, 700.0);
        QCOMPARE(titled[1].batch, std::int64_t{128});
        const auto counted = read_pasted("7B model\n\n| GPU Number | 8 | 16 |\n|--|--|--|\n| TGS | 4078 | 3939 |\n");
        QCOMPARE(counted[1].workers, std::int64_t{16});
        QCOMPARE(counted[1].unit, std::string("tokens/s/GPU"));
        const auto changed = read_pasted(
            "| Metric | 64 GPUs | 256 GPUs | Change |\n|--|--|--|--|\n"
            "| TFLOPS/GPU | 1,897 | 1,905 | +0.4% |\n");
        QCOMPARE(changed.size(), std::size_t{2});
    }

    /// The memory that a text mentions is no figure of the table, and a column with another unit is no rate.
    void figures_of_texts() {
        const auto rows = read_pasted(
            "The average images per second on a GPU with 80 GB of memory.\n\n"
            "| model | gpu | ours | time |\n|--|--|--|--|\n| ResNet-50 | A100 | 900 | 12 s |\n");
        QCOMPARE(rows.size(), std::size_t{1});
        QCOMPARE(rows[0].unit, std::string("images/s"));
        QCOMPARE(rows[0].value, 900.0);
        const auto units = read_pasted("gpu,ResNet-50,VGG-16,units\nV100,368,233,img/s\n");
        QCOMPARE(units.size(), std::size_t{2});
        QCOMPARE(units[1].unit, std::string("images/s"));
        const auto both = read_pasted(
            "Memory and speed (s/iter).\n\n| model | gpu | 256 | 512 |\n|--|--|--|--|\n"
            "| Llama 3 8B | A100 | 13.7G / 1.5s/it | 14G / 2s/it |\n");
        QCOMPARE(both.size(), std::size_t{4});
        QCOMPARE(both[0].metric, std::string("peak_memory"));
        QCOMPARE(both[3].metric, std::string("step"));
        QCOMPARE(both[3].value, 2.0);
    }

    /// What is no column of counts or precisions: shares of time, accuracies, names of devices.
    void columns_that_are_something_else() {
        const auto rows =
            read_pasted("| model | device | GPU % | images/s |\n|--|--|--|--|\n| ResNet-50 | V100 | 97 | 300 |\n");
        QCOMPARE(rows[0].workers, std::int64_t{1});
        const auto names = read_pasted("GPU,network,images/s\n1080Ti,ResNet-50,203\nTitan V,ResNet-50,298\n");
        QCOMPARE(names[0].device, std::string("1080Ti"));
        const auto target =
            read_pasted("| 模型 | 设备 | 目标精度 | samples/s |\n|--|--|--|--|\n| ResNet-50 | V100 | 0.58 | 28 |\n");
        QVERIFY2(target[0].precision.empty(), target[0].precision.c_str());
    }

    void facts() {
        const auto value = [](std::string_view text, std::string_view column) {
            for (const Fact& fact : read_facts(text))
                if (fact.column == column) return fact.text;
            return std::string();
        };
        QCOMPARE(value("2. sequence length of 8192", "seq"), std::string("8192"));  // not 2
        QCOMPARE(value("PP16 EP64 ZeRO-1 DP", "dp"), std::string());
        QCOMPARE(value("180K GPU hours", "workers"), std::string());
        QCOMPARE(value("14.8T tokens", "tokens"), std::string("14.8T"));
        QCOMPARE(value("300M, no compile", "sharding"), std::string());
        QVERIFY(!value("AMP测试", "precision").empty());
    }

    void recomputed_modules() {
        const auto known = read_recompute("layernorm+moe_act");
        QVERIFY(known);
        for (const char* written : {"norm, act", "moe_act; layernorm", "MoE act & RMSNorm", "layernorm moe_act"})
            QVERIFY2(read_recompute(written) == known, written);
        QVERIFY(read_recompute("uniform"));
        QVERIFY(!read_recompute("norm, of all"));
        QVERIFY(read_recompute("disable_recompute=True") == Recompute::nothing);
        QVERIFY(read_recompute("recompute=true") == Recompute::blocks);
        QVERIFY(!read_precision("recompute=False"));
        QVERIFY(read_precision("fp16=False") == Precision::fp32 && read_precision("fp16=True") == Precision::fp16);
    }

    /// ImageNet is assumed for its classifiers, not for others (tst_pasted_tables), and micro-steps where a batch that
    /// is given for all devices does not fit.
    void micro_steps_that_fit() {
        const auto v =
            validated_pasted("model,gpu,gpus,global batch,tokens/s/GPU\nLlama 2 13B,A100 80GB,32,2048,1000\n", "t.csv");
        QVERIFY2(v.rows[0].predicted && v.rows[0].fits, v.rows[0].reason.c_str());
        QVERIFY(is_assumed(v.rows[0], "micro-steps (gradient accumulation)"));
        QVERIFY(v.rows[0].scenario->training.accumulation > 1);
    }

    /// The same on one device, and sequences that are too long for it.
    void long_sequences_that_fit() {
        const auto one = validated_pasted(
            "model,gpu,gpus,seq,batch size,train time (h),steps\n"
            "Qwen3-4B,H100,1,16384,16,3.5,450\n",
            "t.csv");
        QVERIFY2(one.rows[0].predicted && one.rows[0].fits, one.rows[0].reason.c_str());
        const auto many =
            validated_pasted("model,gpu,gpus,seq,tokens/s/GPU\nLlama 2 70B,A100 80GB,32,131072,63\n", "t.csv");
        QVERIFY2(many.rows[0].predicted, many.rows[0].reason.c_str());
        QVERIFY(many.rows[0].scenario->parallelism.context > 1);
    }

    /// Mixtures of experts are divided by their experts first.
    void experts_over_devices() {
        const auto v = validated_pasted("model,gpu,gpus,seq,TFLOPS/GPU\nDeepSeek-V3,GB200,256,4096,1000\n", "t.csv");
        QVERIFY2(v.rows[0].predicted, v.rows[0].reason.c_str());
        QCOMPARE(v.rows[0].scenario->parallelism.expert, std::int64_t{64});
        QVERIFY(is_assumed(v.rows[0], "expert parallelism over 64 devices"));
        // a number of devices that few degrees divide
        const auto odd = validated_pasted("model,gpu,gpus,seq,TFLOPS/GPU\nDeepSeek-V3,GB200,250,4096,1000\n", "t.csv");
        QVERIFY(odd.rows[0].predicted || !odd.rows[0].reason.empty());
    }

    /// A run of all weights beside one of adapters, on a page that names both.
    void adapters_of_rows() {
        const auto v = validated_pasted(
            "LoRA: 32 steps.\n\n| Model | Tuning Method | GPU | seq | batch size | Sec/step |\n"
            "|--|--|--|--|--|--|\n| Llama 3 8B | Full | H100 | 2048 | 1 | 1 |\n"
            "| Llama 3 8B | LoRA | H100 | 2048 | 1 | 1 |\n");
        QVERIFY(!is_assumed(v.rows[0], "Adapters"));
        QVERIFY(is_assumed(v.rows[1], "Adapters of rank 16"));
    }

    /// A text that only mentions a family says less than a stated number of parameters.
    void networks_in_texts() {
        const auto v = validated_pasted(
            "Tokens of GPT-2. A 300M model on one H100, bf16, sequence length 1024.\n\n"
            "| run | tokens/s |\n|--|--|\n| bs=4 | 90000 |\n");
        QVERIFY2(v.rows[0].predicted, v.rows[0].reason.c_str());
        const double parameters = static_cast<double>(v.rows[0].scenario->workload.front().network->parameters());
        QVERIFY2(std::abs(parameters / 300e6 - 1) < 0.2, std::to_string(parameters).c_str());
        const auto library_only =
            validated_pasted("transformers==4.49.0, H100\n\n| run | tokens/s |\n|--|--|\n| a | 9 |\n");
        QVERIFY(library_only.rows[0].reason.find("names no network") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestPastedPages)
#include "tst_pasted_pages.moc"
