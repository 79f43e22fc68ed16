// SPDX-License-Identifier: GPL-3.0-or-later
// Published results of modern training (tests/data/published/llm): how many rows are predicted, and why the others are
// not. Errors are printed; bounded are those of the tables that shares of the peak were fitted on.
#include <QtTest>
#include <array>
#include <map>
#include <numeric>

#include "core/base/atomic_file.hpp"
#include "core/measure/validate/validate.hpp"

using namespace scalescope;
using namespace scalescope::measure;

namespace {

struct Expected {
    const char* file;
    std::size_t rows, predicted;
};
/// Not predicted: times without a batch, figures without a number of tokens, energy, and time to train.
constexpr std::array<Expected, 12> tables{{{"llama-gpu-hours.csv", 16, 0},
                                           {"llm-foundry-mpt-a100.csv", 278, 278},
                                           {"maxtext-tpu-v4-v5e.csv", 60, 60},
                                           {"megatron-2020-model-parallel.csv", 24, 24},
                                           {"megatron-sc21.csv", 34, 34},
                                           {"mlperf-v3.1.csv", 112, 0},
                                           {"mt-nlg-530b.csv", 6, 6},
                                           {"nvidia-dle-resnet50-bert-gnmt.csv", 72, 72},
                                           {"oneflow-dlperf-v100.csv", 72, 72},
                                           {"simumax-b200-dense.csv", 48, 48},
                                           {"torchtitan-h100-2024.csv", 36, 36},
                                           {"vtrain-single-node-a100.csv", 1440, 1440}}};

std::vector<PublishedRow> all_rows() {
    std::vector<PublishedRow> all;
    for (const Expected& expected : tables) {
        const std::string path = std::string(SCALESCOPE_TEST_DATA "/published/llm/") + expected.file;
        const auto table = formats::parse_kept_csv(read_file(path).value(), path);
        const auto rows = read_published(table.value()).value();
        all.insert(all.end(), rows.begin(), rows.end());
    }
    return all;
}

Validation validated(Calibrate calibrate) {
    static const auto library = formats::load_shipped();
    return validate(all_rows(), library, shipped_profiles().value(), {calibrate, {}}).value();
}

std::string file_of(const ValidatedRow& row) { return row.row.file.substr(row.row.file.rfind('/') + 1); }

void print(const char* how, const Validation& v) {
    for (const GroupSummary& g : tables_of(v.rows))
        if (g.ours.rows > 0)
            qInfo("%s: %s (%s), %zu rows, mean %.1f %%, worst %.1f %%", how, g.group.c_str(), g.range.c_str(),
                  g.ours.rows, 100 * g.ours.mean, 100 * g.ours.worst);
}

}  // namespace

class TestPublishedLlm : public QObject {
    Q_OBJECT

private slots:
    void coverage() {
        const auto v = validated(Calibrate::none);
        print("uncalibrated", v);
        QCOMPARE(v.rows.size(), std::size_t{2198});
        std::map<std::string, std::size_t> rows, predicted;
        std::size_t all = 0;
        for (const ValidatedRow& r : v.rows) {
            ++rows[file_of(r)];
            predicted[file_of(r)] += r.predicted.has_value();
            all += r.predicted.has_value();
            QVERIFY2(r.predicted.has_value() == r.reason.empty(), r.reason.c_str());
            QVERIFY2(r.reason.empty() || r.reason.ends_with('.') || r.reason.ends_with('?'), r.reason.c_str());
            if (r.predicted) QVERIFY(std::isfinite(*r.predicted) && *r.predicted > 0);
        }
        for (const Expected& expected : tables) {
            QCOMPARE(rows[expected.file], expected.rows);
            QVERIFY2(predicted[expected.file] >= expected.predicted, expected.file);
        }
        QVERIFY2(all >= 1900, std::to_string(all).c_str());
    }

    /// 16-bit products and attention as fast as they were measured on the device (docs/decisions/prices-of-layers.md).
    void steps_of_transformers_on_a100_and_b200() {
        std::map<std::string, std::vector<double>> misses;
        for (const ValidatedRow& r : validated(Calibrate::none).rows)
            if (r.predicted && !r.of_memory && !r.row.notes.starts_with("ZeRO-3"))
                misses[file_of(r)].push_back(std::abs(*r.error()));
        for (const char* file : {"megatron-sc21.csv", "llm-foundry-mpt-a100.csv", "simumax-b200-dense.csv"}) {
            const std::vector<double>& all = misses[file];
            const double mean = std::accumulate(all.begin(), all.end(), 0.0) / static_cast<double>(all.size());
            QVERIFY2(mean < 0.1, (std::string(file) + ": " + std::to_string(mean)).c_str());
        }
    }

    /// With what their trainers hold (docs/decisions/memory-by-framework.md). Whatever ran fits into memory.
    void memory_of_transformers() {
        std::map<std::string, double> mean;
        for (const GroupSummary& g : tables_of(validated(Calibrate::none).rows)) {
            QVERIFY2(g.do_not_fit == 0, g.group.c_str());
            if (g.range == "table, memory") mean[g.group] = g.ours.mean;
        }
        QVERIFY2(mean.at("simumax-b200-dense.csv") < 0.004, std::to_string(mean["simumax-b200-dense.csv"]).c_str());
        QVERIFY2(mean.at("torchtitan-h100-2024.csv") < 0.06, std::to_string(mean["torchtitan-h100-2024.csv"]).c_str());
        double wide = 0;  // those in bf16
        int rows = 0;
        for (const ValidatedRow& r : validated(Calibrate::none).rows)
            if (r.predicted && r.of_memory && file_of(r) == "torchtitan-h100-2024.csv" && r.row.precision == "bf16")
                wide += std::abs(*r.error()), ++rows;
        QCOMPARE(rows, 4);
        QVERIFY2(wide / rows < 0.04, std::to_string(wide / rows).c_str());
    }

    /// vTrain's times come out of a model: they are predicted, and no factor is learnt from them.
    void nothing_is_learnt_from_models() {
        const auto v = validated(Calibrate::device);
        print("one factor for each device", v);
        for (const ValidatedRow& r : v.rows) {
            const bool model = file_of(r).starts_with("vtrain");
            QCOMPARE(r.modelled, model);
            QVERIFY(!(model && r.learnt_from));
        }
        for (const GroupSummary& g : tables_of(v.rows))
            if (g.group.starts_with("vtrain")) QCOMPARE(g.range, std::string("table, computed by a model"));
    }

    /// The tables' own figures: TFLOP/s of each GPU times the seconds of a step are the FLOPs that are counted here.
    void flops_are_counted_as_in_the_tables() {
        const auto library = formats::load_shipped();
        const auto profiles = shipped_profiles().value();
        RowResolver resolver(library, profiles);
        std::map<std::string, double> seconds;
        std::size_t compared = 0;
        for (const PublishedRow& row : all_rows()) {
            const std::string run = row.file + row.network + row.device + std::to_string(row.workers) + row.notes;
            const bool time = row.metric == "iteration_time", rate = row.metric == "throughput";
            if (!time && !rate && row.metric != "achieved_tflops_per_gpu") continue;
            const auto resolved = resolver.resolve(row);
            if (!resolved.scenario || row.file.find("vtrain") != std::string::npos) continue;
            const Scenario& s = *resolved.scenario;
            const double batch = static_cast<double>(
                s.training.batch_rule == BatchRule::total ? s.training.batch : s.training.batch * s.cluster.workers);
            if (time) seconds[run] = row.value / resolved.measured.unit;
            if (rate) seconds[run] = batch / row.value;
        }
        for (const PublishedRow& row : all_rows()) {
            const std::string run = row.file + row.network + row.device + std::to_string(row.workers) + row.notes;
            if (row.metric != "achieved_tflops_per_gpu" || !seconds.contains(run)) continue;
            const auto resolved = resolver.resolve(row);
            if (!resolved.scenario) continue;
            const Scenario& s = *resolved.scenario;
            const double batch = static_cast<double>(
                s.training.batch_rule == BatchRule::total ? s.training.batch : s.training.batch * s.cluster.workers);
            QVERIFY(resolved.measured.hardware_flops);
            const double counted = hardware_flops(resolved.measured.counted, s.parallelism.recompute).value * batch;
            const double printed = row.value * 1e12 * static_cast<double>(row.workers) * seconds[run];
            QVERIFY2(std::abs(printed / counted - 1) < 0.01, run.c_str());
            ++compared;
        }
        QCOMPARE(compared, std::size_t{12 + 3 + 36});
    }
};

QTEST_APPLESS_MAIN(TestPublishedLlm)
#include "tst_published_llm.moc"
