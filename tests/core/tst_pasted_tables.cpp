// SPDX-License-Identifier: GPL-3.0-or-later
// Tables as people paste them: turned, pivoted, with several figures in a cell, and with words around them.
#include <QtTest>
#include <algorithm>

#include "core/measure/validate/validate.hpp"
#include "core/words/facts.hpp"
#include "core/words/table_words.hpp"
#include "support_library.hpp"

using namespace scalescope;
using namespace scalescope::measure;
using support::library;
using support::messages;

namespace {

std::vector<PublishedRow> read(const std::string& text, const std::vector<GivenColumn>& given = {}) {
    const auto table = formats::parse_csv(text, "t.md");
    if (!table) qFatal("%s", messages(table.error()).c_str());
    const auto rows = read_published(*table, given);
    if (!rows) qFatal("%s", messages(rows.error()).c_str());
    return *rows;
}

Validation validated(const std::string& text, const std::vector<GivenColumn>& given = {}, bool strict = false) {
    static const Profiles profiles = shipped_profiles().value();
    ValidateOptions options;
    options.strict = strict;
    return validate(read(text, given), library(), profiles, options).value();
}

std::string all_of(const std::vector<std::string>& sentences) {
    std::string all;
    for (const std::string& sentence : sentences) all += sentence + "\n";
    return all;
}

}  // namespace

class TestPastedTables : public QObject {
    Q_OBJECT

private slots:
    void facts_in_text() {
        const auto value = [](std::string_view text, std::string_view column) {
            for (const Fact& fact : read_facts(text))
                if (fact.column == column) return fact.text;
            return std::string();
        };
        QCOMPARE(value("TP=8 DP=32 PP=4", "dp"), std::string("32"));
        QCOMPARE(value("1 Nodes / 8 GPUs / Fp16 On", "workers"), std::string("8"));
        QCOMPARE(value("1 Nodes / 8 GPUs / Fp16 On", "nodes"), std::string("1"));
        QCOMPARE(value("Gaudi2 (BS=64)", "batch"), std::string("64"));
        QCOMPARE(value("per_device_train_batch_size 4", "batch_per_worker"), std::string("4"));
        QCOMPARE(value("GPT-2 with 13B parameters, 40 layers", "params"), std::string("13B"));
        QCOMPARE(value("context length: 4k", "seq"), std::string("4k"));
        QVERIFY(!value("Throughput - BF16", "precision").empty());
        QCOMPARE(value("micro-batch count 4; expert parallel 1", "ep"), std::string("1"));
        // numbers that belong to names, and vague words
        QVERIFY(read_facts("A100 80GB").empty());
        QCOMPARE(value("32 layers in one forward pass", "precision"), std::string());
    }

    /// Figures in rows and configurations in columns.
    void a_turned_table() {
        const auto rows = read(
            "|   | V100 (BS=32) | A100 (BS=64) |\n|--|--|--|\n"
            "| Throughput (images/s) | 300 | 700 |\n| Speedup | x1 | x2.3 |\n",
            {{"model", "ResNet-50"}});
        QCOMPARE(rows.size(), std::size_t{2});
        QCOMPARE(rows[1].value, 700.0);
        QCOMPARE(rows[1].unit, std::string("images/s"));
        QCOMPARE(rows[1].batch, std::int64_t{64});
        QCOMPARE(rows[1].line, 3);
    }

    /// A header of two lines, whose second one counts what the first one names.
    void a_header_of_two_lines() {
        const auto rows = read(
            "| | | | Nodes | |\n|--|--|--|--|--|\n| | | 8 | 16 | 32 |\n"
            "| | Tokens per Second | 7500 | 14950 | 29537 |\n"
            "| 175B | Perfect Linear Scaling (Tokens) | 7500 | 15000 | 30000 |\n",
            {{"model", "GPT-3 175B"}, {"device", "A100"}});
        QCOMPARE(rows.size(), std::size_t{3});
        QCOMPARE(rows[2].nodes, std::int64_t{32});
        QCOMPARE(rows[2].value, 29537.0);
    }

    /// Columns that are named after a batch, a device, a precision or a network hold the figure of the table.
    void pivoted_columns() {
        const auto rows = read("| model | batch size 10 | batch size 20 |\n|--|--|--|\n| VGG-16 | 75.5 | 105 |\n",
                               {{"device", "V100"}, {"values", "speed, images/sec"}});
        QCOMPARE(rows.size(), std::size_t{2});
        QCOMPARE(rows[0].batch, std::int64_t{10});
        QCOMPARE(rows[1].value, 105.0);
        const auto numbers =
            read("| batch size | 8 | 16 |\n|--|--|--|\n| A | 24.1 | 26.9 |\n",
                 {{"device", "V100"}, {"model", "ResNet-50"}, {"values", "samples per GPU per second"}});
        QCOMPARE(numbers.size(), std::size_t{2});
        QCOMPARE(numbers[1].batch, std::int64_t{16});
        QCOMPARE(numbers[1].unit, std::string("samples/s/GPU"));
        const auto networks = validated(
            "### V100 32GB\n| Precision | vgg16 eval | vgg16 train | resnet152 train |\n"
            "|--|--|--|--|\n| 16-bit | 14.7ms | 74.1ms | 115.9ms |\n",
            {{"input", "images of 224 x 224, batch size 16"}});
        QCOMPARE(networks.rows.size(), std::size_t{2});  // eval is no training
        QVERIFY2(networks.rows[1].predicted, networks.rows[1].reason.c_str());
        QCOMPARE(networks.rows[1].scenario->network()->name(), std::string("ResNet-152"));
        QCOMPARE(networks.rows[1].scenario->cluster.device.id, std::string("tesla-v100-sxm2-32gb"));
        QCOMPARE(networks.rows[1].scenario->training.precision, Precision::fp16);
    }

    /// Cells that are merged in the first row, "CPU: 24 cores", HPUs, and a time of an epoch with the dataset's name.
    void words_of_other_makers() {
        const auto v = validated(
            "| Network | Resource | Precision | Batch Size | Throughput |\n|---|---|---|---|---|\n"
            "| ResNet-50 v1.5 | Ascend: 1 * Ascend 910 CPU:24 Cores | Mixed | 32 | 1787 images/sec |\n"
            "| | Ascend: 8 * Ascend 910 CPU:192 Cores | Mixed | 32 | 13689 images/sec |\n");
        QVERIFY2(v.rows[0].predicted && v.rows[1].predicted, v.rows[1].reason.c_str());
        QCOMPARE(v.rows[1].scenario->cluster.workers, 8);
        QVERIFY(all_of(v.rows[1].assumed).find("those of the row above") != std::string::npos);
        QVERIFY(all_of(v.rows[0].assumed).find("row above") == std::string::npos);
        const auto hpu =
            validated("| Model | #HPU | Throughput |\n|---|---|---|\n| ResNet50 | 8 | 12950 images/sec |\n");
        QVERIFY2(hpu.rows[0].predicted, hpu.rows[0].reason.c_str());
        QCOMPARE(hpu.rows[0].scenario->cluster.device.id, std::string("gaudi2"));
        QCOMPARE(hpu.rows[0].scenario->cluster.workers, 8);
        const std::string at = "| model | GPU | batch size | ";
        const auto epochs = validated("ImageNet on one card.\n\n" + at +
                                      "time per epoch (min) |\n|---|---|---|---|\n"
                                      "| resnet50 | V100 | 256 | 57.5 |\n");
        const auto rates = validated(at + "images/s |\n|---|---|---|---|\n| resnet50 | V100 | 256 | 57.5 |\n");
        QVERIFY2(epochs.rows[0].predicted && rates.rows[0].predicted, epochs.rows[0].reason.c_str());
        QVERIFY(std::abs(*epochs.rows[0].predicted * 60 * *rates.rows[0].predicted / 1281167 - 1) < 1e-9);
        const auto usual =
            validated(at + "time per epoch (min) |\n|---|---|---|---|\n| resnet50 | V100 | 256 | 57.5 |\n");
        QCOMPARE(usual.rows[0].predicted, epochs.rows[0].predicted);
        QVERIFY(all_of(usual.rows[0].assumed).find("ImageNet-1k, with 1,281,167 images, is assumed") !=
                std::string::npos);
        const auto unknown =
            validated(at + "time per epoch (s) |\n|---|---|---|---|\n| bert-base | V100 | 256 | 57 |\n");
        QVERIFY(unknown.rows[0].reason.find("how many samples an epoch has") != std::string::npos);
    }

    /// The unit in a sentence above the table.
    void units_in_brackets() {
        const auto v = validated(
            "Hardware: 8 V100.\nWe compare the training speed (images/s) with other codebases if they have it.\n\n"
            "| model | ours | theirs |\n|---|---|---|\n| VGG16 | 358 | x |\n| ResNet-50 | 141 | 140 |\n");
        QCOMPARE(v.rows.size(), std::size_t{3});
        for (const ValidatedRow& row : v.rows) QVERIFY2(row.predicted, row.reason.c_str());
    }

    /// Networks that are a size of a family, and no file of their own.
    void networks_of_families() {
        const auto done = validated(
            "network,device,batch,images/s\nWide-ResNet-50-2,V100 32GB,64,200\nregnet_y_16gf,A100 80GB,64,400\n"
            "Mask R-CNN R-50-FPN,A100 80GB,2,20\nyolov5s,A100 80GB,64,500\nSD 2.1,A100 80GB,4,10\nDiT-XL/2,A100 "
            "80GB,32,100\n"
            "NCF,V100 32GB,1024,1000000\n",
            {{"precision", "fp16"}});
        const std::vector<std::string> names{"Wide ResNet 50-2",     "RegNetY 16gf", "Mask R-CNN 50", "YOLOv5 s",
                                             "Stable Diffusion 2.1", "DiT-XL/2",     "NCF ml-20m"};
        QCOMPARE(done.rows.size(), names.size());
        for (std::size_t r = 0; r < names.size(); ++r) {
            QVERIFY2(done.rows[r].predicted, (names[r] + ": " + done.rows[r].reason).c_str());
            QCOMPARE(done.rows[r].scenario->network()->name(), names[r]);
        }
    }

    void several_figures_in_a_cell() {
        const auto rows = read(
            "| Model | GPU | Sequences/Sec (bf16 / fp8) | LiBai |\n|--|--|--|--|\n"
            "| Llama 3 8B | H100 | 17.3 / 23.8 | 13418 MiB / 76.6 samples/s |\n");
        QCOMPARE(rows.size(), std::size_t{4});
        QCOMPARE(rows[0].value, 17.3);
        QCOMPARE(rows[1].value, 23.8);
        QCOMPARE(rows[1].precision, std::string("fp8"));
        QCOMPARE(rows[2].metric, std::string("peak_memory"));
        QCOMPARE(rows[3].unit, std::string("samples/s"));
    }

    void units_of_columns() {
        const auto rows = read("SeqLen (K),# of GPUs,TFLOPS / GPU,model,device\n4,8,600,Llama 3 8B,H100\n");
        QCOMPARE(rows.at(0).sequence, std::int64_t{4096});
        const auto sizes = read("| Size | GPUs | tokens/s |\n|--|--|--|\n| 52B | 64 | 100 |\n| 350M | 8 | 100 |\n",
                                {{"model", "GPT-2 family"}, {"device", "V100"}});
        QCOMPARE(sizes.at(0).parameters, 52e9);
        QCOMPARE(sizes.at(1).parameters, 350e6);
        QCOMPARE(sizes.at(0).network, std::string("GPT-2 family"));
    }

    /// Words beside the table hold for the rows that they name, and say nothing if they have no value.
    void given_words() {
        const std::string table = "| Model | GPUs | tok/s |\n|--|--|--|\n| 7B | 1 | 10,471 |\n| 13B | 1 | 5,000 |\n";
        const auto rows = read(table, {{"model 7B", "dim 4096, layers 32, heads 32, batch_size 4, grad_accum 2"},
                                       {"model 13B", "dim 5120, layers 40, heads 40, batch_size 2"},
                                       {"global batch", "not stated on the page"},
                                       {"DP", "GPUs"},
                                       {"device", "H200"},
                                       {"architecture", "Llama"}});
        QCOMPARE(rows[0].layers, std::int64_t{32});
        QCOMPARE(rows[0].accumulation, std::int64_t{2});
        QCOMPARE(rows[1].layers, std::int64_t{40});
        QCOMPARE(rows[1].batch, std::int64_t{2});
        QVERIFY2(rows[1].wrong.empty(), rows[1].wrong.c_str());
    }

    /// A batch is assumed for rates and not for times; the row is the one with the batch written out.
    void a_missing_batch() {
        const std::string header = "| Model | Device | GPUs | Precision | images/s |\n|--|--|--|--|--|\n";
        const auto assumed = validated(header + "| ResNet-50 | V100 32GB | 1 | fp16 | 1000 |\n");
        QVERIFY2(assumed.rows[0].predicted, assumed.rows[0].reason.c_str());
        QVERIFY(all_of(assumed.rows[0].assumed).find("batch of 32 samples") != std::string::npos);
        const auto written = validated(
            "| Model | Device | GPUs | Precision | batch per GPU | images/s |\n"
            "|--|--|--|--|--|--|\n| ResNet-50 | V100 32GB | 1 | fp16 | 32 | 1000 |\n");
        QCOMPARE(*written.rows[0].predicted, *assumed.rows[0].predicted);
        QCOMPARE(written.rows[0].assumed.size(), assumed.rows[0].assumed.size() - 1);
        const auto time = validated(
            "| Model | Device | GPUs | Precision | s/step |\n|--|--|--|--|--|\n"
            "| ResNet-50 | V100 32GB | 1 | fp16 | 1 |\n");
        QVERIFY(!time.rows[0].predicted && time.rows[0].reason.find("batch") != std::string::npos);
        QCOMPARE(assumed.assumptions.at(assumed.rows[0].assumed.size()), std::size_t{1});
        const auto strict = validated(header + "| ResNet-50 | V100 32GB | 1 | fp16 | 1000 |\n", {}, true);
        QVERIFY(!strict.rows[0].predicted && strict.rows[0].reason.find("assumptions") != std::string::npos);
    }

    /// A network that ran although no copy of it fits into a device was divided.
    void divided_if_it_must_be() {
        const std::string table =
            "| Model | Device | GPUs | batch per GPU | Precision | tokens/s |\n|--|--|--|--|--|--|\n"
            "| Llama 2 7B | A100 80GB | 64 | 1 | bf16 | 100000 |\n";
        const auto v = validated(table);
        QVERIFY2(v.rows[0].predicted, v.rows[0].reason.c_str());
        QCOMPARE(v.rows[0].scenario->parallelism.sharded, Sharded::weights);
        QVERIFY(all_of(v.rows[0].assumed).find("fully sharded") != std::string::npos);
    }

    void the_order_of_columns_changes_nothing() {
        std::vector<std::string> names{"Model", "# GPUs", "BS/GPU", "Precision", "TFLOPs/GPU", "Device"},
            cells{"Llama 2 7B", "64", "1", "bf16", "180", "A100 80GB"};
        const auto table = [](const std::vector<std::string>& row) {
            std::string text = "|";
            for (const std::string& cell : row) text += cell + "|";
            return text + "\n";
        };
        const auto first = validated(table(names) + "|--|\n" + table(cells));
        QVERIFY2(first.rows[0].predicted, first.rows[0].reason.c_str());
        for (std::size_t turn = 1; turn < names.size(); ++turn) {
            std::rotate(names.begin(), names.begin() + 1, names.end());
            std::rotate(cells.begin(), cells.begin() + 1, cells.end());
            const auto other = validated(table(names) + "|--|\n" + table(cells));
            QCOMPARE(other.rows[0].predicted, first.rows[0].predicted);
        }
    }

    /// Tables below each other: what stands above one applies to those below, and a small table without figures too.
    void tables_of_a_page() {
        const std::string page =
            "| Hardware | Model |\n|--|--|\n| GPU | nvidia_a100-sxm4-80gb |\n| Memory | 2TB |\n\n"
            "Without checkpoints, the 7B model trains so, in bf16:\n\n"
            "| GPUs | Micro Bsz | Seq Len | TGS |\n|--|--|--|--|\n| 8 | 1 | 2048 | 4000 |\n| 16 | 1 | 2048 | OOM |\n\n"
            "| Parallel Configuration | 8 GPUs | 16 GPUs |\n|--|--|--|\n| (tp=2, zero1=4) | 3761 | 3658 |\n"
            "\nThroughput is TGS, tokens per GPU per second.\n";
        const auto rows = read(page);
        QCOMPARE(rows.size(), std::size_t{3});  // nothing was measured on 16 GPUs
        QCOMPARE(rows[0].value, 4000.0);
        QCOMPARE(rows[2].workers, std::int64_t{16});
        QCOMPARE(rows[2].tensor, std::int64_t{2});
        QCOMPARE(rows[2].line, 15);
        const auto v = validated(page);
        for (const ValidatedRow& row : v.rows) {
            QVERIFY2(row.predicted, row.reason.c_str());
            QCOMPARE(row.scenario->cluster.device.id, std::string("a100-sxm-80gb"));
        }
    }

    /// The title of a directive says what its columns do not.
    void directives() {
        const auto v = validated(
            "Training of ResNet-50, batch size 64 per GPU:\n\n.. list-table:: On 8 A100 80GB\n   :header-rows: 1\n\n"
            "   * - Precision\n     - images/s\n   * - ``fp16``\n     - 16,000\n\n"
            ".. csv-table:: On 16 H100\n   :header: \"Precision\", \"images/s\"\n\n   bf16, \"60,000\"\n");
        QCOMPARE(v.rows.size(), std::size_t{2});
        for (const ValidatedRow& row : v.rows) QVERIFY2(row.predicted, row.reason.c_str());
        QCOMPARE(v.rows[0].scenario->cluster.device.id, std::string("a100-sxm-80gb"));
        QCOMPARE(v.rows[0].scenario->cluster.workers, std::int64_t{8});
        QCOMPARE(v.rows[0].row.line, 8);
        QCOMPARE(v.rows[1].scenario->cluster.workers, std::int64_t{16});
        QVERIFY(v.rows[1].scenario->cluster.device.id.starts_with("h100"));
        QCOMPARE(v.rows[1].row.value, 60000.0);
    }

    /// Merged cells in rows copied from a page, and in HTML.
    void merged_cells() {
        const auto v = validated(
            "Model\tGPU\tbatch\timages/s\nResNet-50\tV100 32GB\t64\t1,000\nA100 80GB\t128\t2,000\n256\t2,100\n");
        const auto html = validated(
            "<table><tr><th>Model</th><th>GPU</th><th>batch</th><th>images/s</th></tr><tr><td rowspan=3>ResNet-50</td>"
            "<td>V100 32GB</td><td>64</td><td>1,000</td></tr><tr><td rowspan=2>A100 80GB</td><td>128</td><td>2,000"
            "</td></tr><tr><td>256</td><td>2,100</td></tr></table>");
        QCOMPARE(v.rows.size(), std::size_t{3});
        QCOMPARE(html.rows.size(), std::size_t{3});
        for (std::size_t r = 0; r < v.rows.size(); ++r) {
            QVERIFY2(v.rows[r].predicted, v.rows[r].reason.c_str());
            QCOMPARE(html.rows[r].predicted, v.rows[r].predicted);
        }
        QCOMPARE(v.rows[2].scenario->cluster.device.id, v.rows[1].scenario->cluster.device.id);
        QCOMPARE(v.rows[2].scenario->training.batch, std::int64_t{256});
    }

    void text_below_and_in_the_corner() {
        const auto below = validated(
            "| Model | GPUs | images/s |\n|--|--|--|\n| ResNet-50 | 8 | 2000 |\n\n"
            "The above was measured on Tesla V100 SXM2 32GB GPUs, the batch size is set to 64.\n");
        QVERIFY2(below.rows[0].predicted, below.rows[0].reason.c_str());
        QCOMPARE(below.rows[0].scenario->training.batch, std::int64_t{64});
        // of a table that is not the last one: down to the next heading
        const std::string table = "| Model | GPUs | images/s |\n|--|--|--|\n| ResNet-50 | 8 | 2000 |\n\n";
        const auto two = validated(table + "Measured on Tesla V100 SXM2 32GB, batch size 64.\n\n## Newer\n\n" +
                                   "With A100 80GB, batch size 128:\n\n" + table);
        QCOMPARE(two.rows.size(), std::size_t{2});
        for (const ValidatedRow& row : two.rows) QVERIFY2(row.predicted, row.reason.c_str());
        QCOMPARE(two.rows[0].scenario->training.batch, std::int64_t{64});
        QCOMPARE(two.rows[1].scenario->training.batch, std::int64_t{128});
        const auto corner = validated(
            "| Llama 3 8B, BF16 | 8x H100 SXM (GBS=64) | 16x H100 SXM (GBS=128) |\n|--|--|--|\n"
            "| Training step time (seconds per step) | 2.1 | 2.2 |\n");
        QCOMPARE(corner.rows.size(), std::size_t{2});
        QVERIFY2(corner.rows[1].predicted, corner.rows[1].reason.c_str());
        QCOMPARE(corner.rows[1].scenario->cluster.workers, std::int64_t{16});
    }

    void numbers_as_people_write_them() {
        const auto value = [](std::string_view cell) { return read_number(cell).value_or(CellNumber{-1, {}}); };
        QCOMPARE(value("12 000").value, 12000.0);
        QCOMPARE(value("~65,000").value, 65000.0);
        QCOMPARE(value("8h39m").value, 31140.0);
        QCOMPARE(value("8 hours and 53 minutes").unit, std::string("s"));
        QCOMPARE(value("5.7 hours").value, 5.7);
        QVERIFY(!read_number("2x RTX 4090") && !read_number("1x8"));
        QCOMPARE(value("3.04x").value, 3.04);
        QCOMPARE(value("12 34").value, 12.0);
    }

    void flags_and_rates_of_steps() {
        const auto rows = read(
            "| model | GPU | global batch size | gradient checkpointing | mixed precision | speed "
            "|\n|--|--|--|--|--|--|\n"
            "| DiT-XL/2 | A100 | 128 | ✔ | ❌ | 0.43 steps/sec |\n| DiT-XL/2 | A100 | 128 | ❌ | yes | - |\n"
            "| DiT-XL/2 | A100 | 128 | ❌ | yes (fp16) | 0.84 steps/sec |\n");
        QCOMPARE(rows.size(), std::size_t{2});
        QCOMPARE(rows[0].precision, std::string("fp32"));
        QCOMPARE(rows[0].recompute, std::string("✔"));
        QCOMPARE(rows[1].precision, std::string("yes (fp16)"));
        const std::string table = "| model | device | batch | precision |";
        const auto rate = validated(table + " it/s |\n|--|--|--|--|--|\n| ResNet-50 | A100 80GB | 64 | fp16 | 2 |\n"),
                   time = validated(table + " s/it |\n|--|--|--|--|--|\n| ResNet-50 | A100 80GB | 64 | fp16 | 2 |\n");
        QVERIFY2(rate.rows[0].predicted, rate.rows[0].reason.c_str());
        QVERIFY(std::abs(*rate.rows[0].predicted * *time.rows[0].predicted - 1) < 1e-12);
        const auto written = validated(
            "model,device,batch,precision,metric,value,unit\n"
            "ResNet-50,A100 80GB,64,fp16,iteration_time,2,s/iter\n"
            "ResNet-50,A100 80GB,64,fp16,max_memory_allocated,2,GiB\n");
        QCOMPARE(*written.rows[0].predicted, *time.rows[0].predicted);
        QVERIFY2(written.rows[1].predicted, written.rows[1].reason.c_str());
    }

    /// A bare name is the usual size of its family, unless a text near it says which.
    void the_usual_size() {
        const std::string header = "| Model | Device | batch | precision | samples/s |\n|--|--|--|--|--|\n",
                          cells = " | A100 80GB | 8 | fp16 | 100 |\n";
        const auto bare = validated(header + "| BERT" + cells), base = validated(header + "| BERT-base" + cells),
                   large = validated("Pre-training of BERT-large\n\n" + header + "| BERT" + cells);
        QVERIFY2(bare.rows[0].predicted, bare.rows[0].reason.c_str());
        QVERIFY(all_of(bare.rows[0].assumed).find("usual size") != std::string::npos);
        QCOMPARE(*bare.rows[0].predicted, *base.rows[0].predicted);
        QVERIFY(*large.rows[0].predicted < *bare.rows[0].predicted / 2);
    }

    /// Units are taken from where they stand: header, cell, or a rate in the same row.
    void units_from_anywhere() {
        const auto rows = read(
            "model,GPU,samples/sec,step time,batch size,memory,tok/s stdev\n"
            "resnet50,V100 32GB,1000,64.1,64,44045 MB,3\nresnet50,V100 32GB,10,6.4,64,2 GiB,3\n");
        QCOMPARE(rows.size(), std::size_t{6});
        QCOMPARE(rows[1].unit, std::string("ms"));
        QCOMPARE(rows[2].unit, std::string("MB"));
        QCOMPARE(rows[4].unit, std::string("s"));
        QCOMPARE(rows[5].unit, std::string("GiB"));
        const auto tokens = validated(
            "model,Number of A100s,GPU,seq,precision,metric,value,unit\n"
            "Llama 2 7B,8,A100 80GB,4096,bf16,throughput,20000,tok/s\n"
            "Llama 2 7B,8,A100 80GB,4096,bf16,throughput,2500,Effective Tokens/s/GPU\n");
        for (const ValidatedRow& row : tokens.rows) {
            QVERIFY2(row.predicted, row.reason.c_str());
            QCOMPARE(row.scenario->cluster.workers, std::int64_t{8});
            QVERIFY(*row.predicted > row.row.value / 3 && *row.predicted < row.row.value * 3);
        }
    }

    /// The time of a whole training follows from its steps, tokens or epochs, and is left out beside other figures
    /// without them.
    void times_of_a_training() {
        const std::string columns = "model,GPU,GPUs,batch_per_gpu,precision,",
                          cells = "\nResNet-50,V100 32GB,8,64,fp16,";
        const auto step = validated(columns + "step time (s)" + cells + "0.2\n"),
                   steps = validated(columns + "steps,training time (h)" + cells + "90k,3\n"),
                   epochs = validated(columns + "epochs,dataset,GPU-hours" + cells + "90,ImageNet,40\n");
        QVERIFY2(step.rows[0].predicted && steps.rows[0].predicted, steps.rows[0].reason.c_str());
        QVERIFY2(epochs.rows[0].predicted, epochs.rows[0].reason.c_str());
        const double each = *step.rows[0].predicted;
        QVERIFY(std::abs(*steps.rows[0].predicted / (each * 90'000 / 3600) - 1) < 1e-9);
        QVERIFY(std::abs(*epochs.rows[0].predicted / (each * 90 * 1'281'167 / 512 / 3600 * 8) - 1) < 1e-9);
        QCOMPARE(read(columns + "images/s,training time (h)" + cells + "2500,3\n").size(), std::size_t{1});
        QCOMPARE(read(columns + "steps,images/s,training time (h)" + cells + "90k,2500,3\n").size(), std::size_t{2});
        const auto open = validated("model,GPU,GPUs,training time (h)\nBERT-base,V100,8,3\n");
        QVERIFY(open.rows[0].reason.find("for how long") != std::string::npos);
        const auto usual = validated(columns + "training time (h)" + cells + "3\n");
        QVERIFY2(usual.rows[0].predicted, usual.rows[0].reason.c_str());
        QVERIFY(std::abs(*usual.rows[0].predicted * 8 / *epochs.rows[0].predicted - 1) < 1e-9);
        // 1x of a detector is 12 epochs of COCO
        const auto schedule =
            read("Backbone,GPU,Lr schd,train time (h)\nR-50,V100,2x,20\nR-50,V100,90k,20\nR-50,V100,36 ep,20\n");
        QCOMPARE(schedule[0].epochs, std::int64_t{24});
        QCOMPARE(schedule[2].epochs, std::int64_t{36});
        QCOMPARE(schedule[0].samples, std::int64_t{118287});
        QCOMPARE(schedule[1].steps, std::int64_t{90'000});
        const auto in_words = read("model,GPU,GPUs,epochs,training time\nBERT-base,V100,8,40 ep.,two months\n");
        QCOMPARE(in_words[0].value, 2.0);
        QCOMPARE(in_words[0].unit, std::string("months"));
        QCOMPARE(in_words[0].epochs, std::int64_t{40});
        const auto llm = validated("model,GPU type,GPU-hours,tokens\nLLaMA-7B,A100-80GB,82432,1.0T\n");
        QVERIFY2(llm.rows[0].predicted, llm.rows[0].reason.c_str());
        QVERIFY(*llm.rows[0].predicted > 40'000 && *llm.rows[0].predicted < 160'000);
    }

    /// Rows of Markdown may lack the bar in front, whatever the header has.
    void rows_without_a_bar() {
        const auto rows = read(
            "| Nemotron-4 15B FP8 | 16x H100 GPUs |\n|---|:---:|\nStep time (seconds per step)| 1.988|\n"
            "Throughput in tokens per second |131863 |\n");
        QCOMPARE(rows.size(), std::size_t{2});
        QCOMPARE(rows[1].value, 131863.0);
        QCOMPARE(read_facts("MPE=4096 TP=4").size(), std::size_t{1});  // of which nothing is 4096
    }

    /// A figure for twenty steps is twenty times that of one.
    void times_of_several_steps() {
        const auto rows = read("model,gpu,batch,seconds per 20 iterations\nAlexNet,Tesla K40,256,26.5\n");
        QCOMPARE(rows[0].metric, std::string("step"));
        QCOMPARE(rows[0].value, 26.5 / 20);
    }

    /// What no cell names may be in the name of the file, or in a cell of another column.
    void names_elsewhere() {
        const auto table = formats::parse_csv("GPUs,batch_per_gpu,images/s\n1,64,300\n", "runs/resnet50_v100_32gb.csv");
        const auto rows = read_published(*table);
        const auto of_file = validate(*rows, library(), shipped_profiles().value(), {}).value();
        QVERIFY2(of_file.rows[0].predicted, of_file.rows[0].reason.c_str());
        QVERIFY(of_file.rows[0].scenario->cluster.device.id.starts_with("tesla-v100"));
        const auto in_cells = validated("system,GPUs,seq,tokens/s\n\"Llama 2 7B, H100 SXM\",8,4096,80000\n");
        QVERIFY2(in_cells.rows[0].predicted, in_cells.rows[0].reason.c_str());
        const auto with_count =
            validated("Model,GPUs,seq,precision,tokens/s/GPU\nLlama 2 7B,128 A100,4096,bf16,3700\n");
        QVERIFY2(with_count.rows[0].predicted, with_count.rows[0].reason.c_str());
        QCOMPARE(with_count.rows[0].scenario->cluster.workers, std::int64_t{128});
        // 300 billion tokens are no B300
        const auto none = validated("model,GPUs,note,days\nGPT-3 175B,1024,300B tokens,34\n");
        QVERIFY(none.rows[0].reason.find("names no device") != std::string::npos);
    }

    void networks_as_columns() {
        const std::string table =
            "name_gpu,num_gpu,resnet50,bert_base,gnmt\nV100 32GB,1,828.0,0,9\nA100 40GB SXM,1,1211,335,8\n";
        QCOMPARE(read(table).size(), std::size_t{5});
        const auto v = validated(table);
        QVERIFY2(v.rows[0].predicted, v.rows[0].reason.c_str());
    }

    void shapes_and_cores() {
        const auto shape =
            read("ResNet-50 (input 16 x 3 x 224 x 224)\n\n| GPU | Forward (ms) |\n|--|--|\n| Tesla K40c | 51 |\n",
                 {{"Forward (ms)", "step ms"}});
        QCOMPARE(shape[0].batch_per_worker, std::int64_t{16});
        const auto cores = validated(
            "model,instance,nodes,topology,microbatch,global batch,sequence length,seq/s\n"
            "Llama 2 7B,trn1.32xlarge,16,TP=8 DP=64 PP=1,1,1024,4096,88\n");
        QVERIFY2(cores.rows[0].predicted, cores.rows[0].reason.c_str());
        QCOMPARE(cores.rows[0].scenario->parallelism.tensor, std::int64_t{4});
        QVERIFY(all_of(cores.rows[0].assumed).find("2 cores") != std::string::npos);
    }

    /// Runs with adapters train only those.
    void adapters() {
        const std::string header =
            "| Model | Task | #-GPUs | GBS | MBS | Seq | TP | PP | Precision | Tokens/sec/GPU | GPU |\n"
            "|--|--|--|--|--|--|--|--|--|--|--|\n";
        const auto v = validated(header + "| Llama 2 7B | SFT | 8 | 32 | 1 | 4096 | 1 | 1 | bf16 | 1 | H100 SXM |\n" +
                                 "| Llama 2 7B | LoRA | 8 | 32 | 1 | 4096 | 1 | 1 | bf16 | 1 | H100 SXM |\n");
        QVERIFY2(v.rows[0].predicted && v.rows[1].predicted, v.rows[1].reason.c_str());
        QVERIFY(*v.rows[1].predicted > 1.2 * *v.rows[0].predicted);
        QVERIFY(all_of(v.rows[1].assumed).find("Adapters of rank 16") != std::string::npos);
        QVERIFY(all_of(v.rows[0].assumed).find("Adapters") == std::string::npos);
    }

    /// The degrees say how many devices a node has if only the nodes are counted.
    void devices_of_nodes() {
        const auto v = validated(
            "| Size | Layers | Hidden | Heads | Seq | Nodes | machine | DP | TP | PP | MBS | GBS | TFLOPs |\n"
            "|--|--|--|--|--|--|--|--|--|--|--|--|--|\n"
            "| 350M | 24 | 1024 | 16 | 1024 | 64 | Fugaku | 8 | 8 | 1 | 1 | 512 | 0.1 |\n");
        QVERIFY2(v.rows[0].predicted, v.rows[0].reason.c_str());
        QCOMPARE(v.rows[0].scenario->cluster.workers, std::int64_t{64});
        QCOMPARE(v.rows[0].scenario->cluster.devices_per_node, std::int64_t{1});
    }

    /// Every row that is not predicted has a sentence.
    void reasons() {
        const auto nameless = validated("| | GPUs | images/s |\n|--|--|--|\n| fit | 8 | 10 |\n", {{"device", "V100"}});
        QVERIFY(nameless.rows[0].reason.find("names no network") != std::string::npos);
        const auto unitless = validated("| Model | Device | Throughput |\n|--|--|--|\n| Llama 3 8B | H100 | 10 |\n");
        QVERIFY(unitless.rows[0].reason.find("unit") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(TestPastedTables)
#include "tst_pasted_tables.moc"
