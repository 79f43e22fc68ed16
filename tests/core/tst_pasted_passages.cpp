// SPDX-License-Identifier: GPL-3.0-or-later
// What the passages around a table, its headers and the units of its cells say.
#include <QtTest>
#include <algorithm>
#include <cmath>
#include <tuple>

#include "core/words/device_words.hpp"
#include "core/words/facts.hpp"
#include "core/words/table_words.hpp"
#include "support_pasted.hpp"

using namespace scalescope;
using namespace scalescope::measure;
using namespace support;

namespace {

std::string header_of(const std::string& header, const std::string& cells) {
    const auto table = formats::parse_csv("model,gpu," + header + "\nLlama 3 8B,H100," + cells + "\n", "t.csv");
    return columns_taken(*table).at(2).means;
}

}  // namespace

class TestPastedPassages : public QObject {
    Q_OBJECT

private slots:
    /// The batch and the device that stand nearest, above the table rather than below it.
    void the_nearest_passage() {
        const std::string rows = "| run | tokens/s |\n|--|--|\n| a | 60000 |\n\n";
        const auto v = validated_pasted(
            "Llama 3 8B, bf16\n\nBatch size 1.\n\n## 8 x L40S\n\nBatch size 2, sequence length 4096.\n\n" + rows +
            "An H200 was not measured; batch size 4.\n");
        QCOMPARE(v.rows[0].row.batch, std::int64_t{2});
        QVERIFY2(v.rows[0].scenario, v.rows[0].reason.c_str());
        QCOMPARE(v.rows[0].scenario->cluster.device.id, std::string("l40s"));
        QCOMPARE(v.rows[0].scenario->cluster.workers, std::int64_t{8});
        // named without its number where it is nearest, and counted further above
        const auto apart =
            validated_pasted("Trained on 8 x H100 SXM. Llama 3 8B, FSDP.\n\nThe H100 throttles.\n\n" + rows);
        QVERIFY2(apart.rows[0].scenario, apart.rows[0].reason.c_str());
        QCOMPARE(apart.rows[0].scenario->cluster.workers, std::int64_t{8});
        // a line that goes on in the next one is one passage with it
        const auto wrapped = read_pasted(
            "All of these runs were made in one week with a global batch size of\n64 sequences.\n\n" + rows);
        QCOMPARE(wrapped[0].batch_global, std::int64_t{64});
    }

    void devices_in_texts() {
        const auto read_text = [](std::string_view text) { return read_device(library().catalogue, text); };
        QCOMPARE(read_text("The L40S has less bandwidth than an H200").device->id, std::string("l40s"));
        QVERIFY(!read_text("8 x H100 SXM, 8x 400 Gb/s NDR InfiniBand").memory_bandwidth);
        QCOMPARE(read_text("H100 with 2.4 TB/s").memory_bandwidth->value, 2.4e12);
        const auto slice = read_text("a v5p-128 slice, synthetic data");
        QVERIFY(slice.device && slice.device->architecture == "TPU");
        QCOMPARE(slice.count.value_or(0), std::int64_t{64});
        QVERIFY(!read_text("MaxText v4 has 100 steps").device);
    }

    void facts_that_are_none() {
        const auto value = [](std::string_view text, std::string_view column) {
            for (const Fact& fact : read_facts(text))
                if (fact.column == column) return fact.text;
            return std::string();
        };
        QCOMPARE(value("tokens/s/GPU = 262144 / (s/iter)", "workers"), std::string());
        QCOMPARE(value("batch size per GPU = 4", "batch_per_worker"), std::string("4"));
        QCOMPARE(value("fits into 4090 GPUs", "workers"), std::string());
        QCOMPARE(value("shared expert 6144", "ep"), std::string());
        QCOMPARE(value("fp32 master weights", "precision"), std::string());
        QVERIFY(!value("fp32", "precision").empty());
        // degrees of parallelism are powers of two
        QCOMPARE(value("pretrained for 800 ep.", "epochs"), std::string("800"));
        QCOMPARE(value("TP 8, 16 EP", "ep"), std::string("16"));
        QCOMPARE(value("EP72", "ep"), std::string("72"));
    }

    void headers() {
        const std::tuple<const char*, const char*, const char*> cases[] = {
            {"tok_s_gpu", "9000", "tokens/s per GPU"},
            {"Tok/s/dev", "9000", "tokens/s per GPU"},
            {"TF/s/GPU", "400", "flop_rate TFLOP/s per GPU"},
            {"GB per GPU", "46.3", "peak_memory GB per GPU"},
            {"LoRA r=64 bf16 GB", "20", "peak_memory GB"},
            {"min / 1k it", "1.62", "step min"},
            {"Days on 8xA100-40GB", "9.5", "training_time days"},
            {"epochs on COCO", "300", "epochs"},
            {"N", "1.1B", "params"},
            {"FLOPs", "10B", "ignored"},
            {"context", "8192", "seq"},
            {"context", "2", "cp"},
            {"время", "2 недели", "training_time weeks"},
            {"time", "two weeks", "training_time weeks"}};
        for (const auto& [header, cell, means] : cases) QCOMPARE(header_of(header, cell), std::string(means));
        QVERIFY(header_of("128x GB200 GPUs", "20") != "peak_memory GB");
        QVERIFY(header_of("memory_format", "channels_last") != "precision");
        QVERIFY(header_of("GPU time", "1m 42s") != "workers");
    }

    /// A column may state its figures in several ways.
    void units_of_cells() {
        const auto v = validated_pasted(
            "model,gpu,speed,batch,epochs,samples\nResNet-50,V100,1.25 s/it,64,,\nResNet-50,V100,2 it/s,64,,\n"
            "ResNet-50,V100,88 h for 10 epochs,64,,1000\n",
            "t.csv");
        QCOMPARE(v.rows[0].row.metric + v.rows[0].row.unit, std::string("steps"));
        QCOMPARE(v.rows[1].row.metric + v.rows[1].row.unit, std::string("throughputsteps/s"));
        QCOMPARE(v.rows[2].row.metric, std::string("training_time"));
        QCOMPARE(v.rows[2].row.epochs, std::int64_t{10});
        const auto mixed = read_pasted(
            "name,N,tokens,gpus,compute\nStarCoder,3B,1T,100 A100,10 days\nStarCoder,3B,1T,100 A100,\"24,000 GPU "
            "hours\"\n",
            "t.csv");
        QCOMPARE(mixed[1].metric, std::string("device_time"));
        QCOMPARE(mixed[1].parameters, 3e9);
        QCOMPARE(read_pasted("model,gpu,gpus,MFU,HFU,seq\nLlama 2 7B,A100,8,0.5,0.6,2048\n", "t.csv")[1].unit,
                 std::string("share"));
    }

    /// Thousands of samples or tokens, and of hours.
    void thousands() {
        const auto rows = read_pasted(
            "model,gpu,seq,global batch,K H100 hours,tokens\nBERT,H100,128,2k,300,1T\nBERT,H100,128,0.5M,300,1T\n",
            "t.csv");
        QCOMPARE(rows[0].batch_global, std::int64_t{2048});
        QCOMPARE(rows[1].batch_tokens, std::int64_t{524288});
        QCOMPARE(rows[0].value, 300e3);
    }

    /// 6,150 tokens/s of Llama 3 8B are 4 % of the peak of eight H100, or 30 % of that of each.
    void whose_tokens() {
        const std::string text =
            "model,gpu,gpus,seq,batch per gpu,sharding,tokens/s\nLlama 3 8B,H100 SXM,8,8192,1,FSDP,";
        const auto each = validated_pasted(text + "6150\n", "t.csv"), all = validated_pasted(text + "60000\n", "t.csv");
        QVERIFY2(each.rows[0].predicted && all.rows[0].predicted, each.rows[0].reason.c_str());
        QVERIFY(is_assumed(each.rows[0], "that of each"));
        QVERIFY(!is_assumed(all.rows[0], "that of each"));
        QVERIFY(std::abs(*all.rows[0].predicted / *each.rows[0].predicted - 8) < 1e-9);
        QVERIFY(!is_assumed(validated_pasted(text + "1\n", "t.csv").rows[0], "that of each"));
    }

    /// MLPerf's tables give minutes to a target and no length. Nothing is assumed of others.
    void minutes_to_a_target() {
        const std::string text = "benchmark,accelerators,n,minutes\nLlama 3.1 405B,GB200,2560,18.8\n";
        const auto v = validated_pasted(text, "mlperf.csv");
        QVERIFY2(v.rows[0].predicted, v.rows[0].reason.c_str());
        QCOMPARE(v.rows[0].row.metric, std::string("training_time"));
        QVERIFY(!v.rows[0].sources.empty());
        QVERIFY(validated_pasted(text, "other.csv").rows[0].reason.find("for how long") != std::string::npos);
    }

    /// "LARGE" in the cell of the network, and the family beside it; a size alone and the names of parallelism.
    void families_beside_sizes() {
        const auto v = validated_pasted("paper,model,gpu,batch,images/s\nBERT,LARGE,V100,8,10\n", "t.csv");
        QVERIFY2(v.rows[0].scenario, v.rows[0].reason.c_str());
        const auto mixed = validated_pasted(
            "model,gpus,tp,pp,gbs,seq,s_per_iter,gpu\n22B,8,8,1,4,2048,1.42,A100 80GB\nGPT-3 "
            "175B,64,8,8,64,2048,18,A100 80GB\n",
            "t.csv");
        QVERIFY2(mixed.rows[0].predicted && mixed.rows[1].predicted, mixed.rows[0].reason.c_str());
        const auto page = validated_pasted(
            "3D parallelism. Llama 3.1 8B on 8 H100, 300B tokens.\n\n| run | tokens/s |\n|--|--|\n| a | 60000 |\n");
        QCOMPARE(page.rows[0].scenario->network()->name(), std::string("Llama 3 8B"));
    }

    /// Memory hardly depends on the device, unless there is too little of it.
    void memory_without_a_device() {
        const std::string text = "model,seq,batch,method,GB per GPU\n";
        const auto v = validated_pasted(text + "Llama 2 7B,512,1,LoRA,20\n", "t.csv");
        QVERIFY2(v.rows[0].predicted, v.rows[0].reason.c_str());
        QVERIFY(is_assumed(v.rows[0], "memory hardly depends"));
        QVERIFY(!validated_pasted(text + "Llama 2 70B,512,1,full,860\n", "t.csv").rows[0].predicted);
    }
};

QTEST_APPLESS_MAIN(TestPastedPassages)
#include "tst_pasted_passages.moc"
