// SPDX-License-Identifier: GPL-3.0-or-later
// Training configurations of many trainers: every cell of truth.csv, and that nothing in them is executed.
#include <QTemporaryDir>
#include <QtTest>
#include <filesystem>
#include <map>

#include "core/base/atomic_file.hpp"
#include "core/estimate/estimate.hpp"
#include "core/formats/csv.hpp"
#include "core/formats/trainers/reading.hpp"
#include "core/scenario/fields.hpp"
#include "core/words/configured.hpp"

using namespace scalescope;
using formats::trainers::Reading;
using formats::trainers::Written;

namespace {

const formats::Library& library() {
    static const formats::Library shipped = formats::load_shipped();
    return shipped;
}
std::string messages(const Problems& problems) {
    std::string all;
    for (const Problem& p : problems) all += to_text(p) + '\n';
    return all;
}

const std::string folder = std::string(SCALESCOPE_TEST_DATA) + "/configurations/";

std::string text_of_file(const std::string& name) {
    auto text = read_file(folder + name);
    if (!text) qFatal("%s: %s", name.c_str(), messages(text.error()).c_str());
    return std::move(*text);
}

std::vector<std::string> samples() {
    std::vector<std::string> files;
    const std::string text = text_of_file("truth.csv");
    const auto table = formats::parse_csv(text, "truth.csv");
    for (std::size_t row = 0; row < table->rows(); ++row) files.emplace_back(table->cell(row, 0));
    return files;
}

/// What the reading says in the words of truth.csv.
std::string cell(const Reading& reading, const std::string& column) {
    if (column == "trainer") return reading.title;
    if (column == "vocab_padded") return reading.text("vocab");
    const std::string text = reading.text(column);
    if (column == "sequence_parallel") return text.empty() ? text : reading.truth(column) ? "yes" : "no";
    return text;
}

}  // namespace

class TestConfigurations : public QObject {
    Q_OBJECT

private slots:
    void every_cell_is_read() {
        const std::string text = text_of_file("truth.csv");
        const auto table = formats::parse_csv(text, "truth.csv");
        QVERIFY(table);
        int cells = 0, right = 0;
        QStringList wrong;
        for (std::size_t row = 0; row < table->rows(); ++row) {
            const std::string file(table->cell(row, 0));
            const auto reading = formats::trainers::read_configuration(text_of_file(file), file);
            for (std::size_t column = 1; column + 1 < table->columns(); ++column) {
                const std::string name(table->name(column)), truth(table->cell(row, column));
                const std::string is = reading ? cell(*reading, name) : "(not read)";
                ++cells;
                if (is == truth)
                    ++right;
                else
                    wrong << QString::fromStdString(file + ": " + name + " is \"" + is + "\", not \"" + truth + "\"");
            }
        }
        qInfo("%d of %d cells", right, cells);
        QVERIFY2(wrong.empty(), qPrintable("\n" + wrong.join('\n')));
    }

    /// Every sample opens with the stated values. The faulty ones say what is wrong with them.
    void every_sample_opens() {
        const std::map<std::string, std::vector<const char*>> complaints{
            {"megatron/bad-mixtral-8x22b.sh", {"56 layers", "4 and 7", "model_parallel_size", "turbo_mode"}},
            {"megatron/bad-commands.sh", {"nvidia-smi", "batch.txt", "$TP", "\"source\"", "\"eval\"", "condition"}},
            {"torchtitan/bad-batch.toml", {"training.batch_size = 4", "96 and 128", "tensor_parallel_degree"}},
            {"deepspeed/bad-batch.json", {"896 and 1024", "both on", "old spelling", "stage 3", "zero_optimisation"}},
            {"accelerate/bad-mesh.yaml", {"not 12 processes", "FSDP 1", "fsdp_warp_speed"}},
            {"nemo/bad-llama3-70b.yaml", {"60 and 66", "5 and 8", "must be 1", "no effect with tensor 1"}},
            {"maxtext/bad-axes.yml", {"axes are -1", "32 layers", "ici_expert_parallelism"}}};
        std::size_t faulty = 0;
        for (const std::string& file : samples()) {
            const auto read = read_configured_scenario(text_of_file(file), file, library());
            QVERIFY2(read, qPrintable(QString::fromStdString(file + ": " + (read ? "" : messages(read.error())))));
            const formats::ReadScenario& opened = read->read;
            QVERIFY(opened.scenario.network() != nullptr);
            QVERIFY(opened.warnings.front().what.find(read->trainer.title) != std::string::npos);
            for (const Problem& note : opened.warnings) {
                QVERIFY2(note.severity == Severity::warning, file.c_str());
                QVERIFY2(!note.what.empty() && !note.remedy.empty() && note.at.file == file, file.c_str());
            }
            const auto expected = complaints.find(file);
            if (expected != complaints.end()) {
                ++faulty;
                const std::string said = messages(opened.warnings);
                for (const char* text : expected->second)
                    QVERIFY2(said.find(text) != std::string::npos,
                             qPrintable(QString::fromStdString(text + ("\n" + said))));
                continue;
            }
            const auto reading = formats::trainers::read_configuration(text_of_file(file), file);
            QVERIFY2(!reading->infeasible, qPrintable(QString::fromStdString(file + "\n" + messages(reading->notes))));
            const auto plan = prepare(opened.scenario);
            QVERIFY2(plan, qPrintable(QString::fromStdString(file + ": " + (plan ? "" : messages(plan.error())))));
        }
        QCOMPARE(faulty, complaints.size());
    }

    /// Commands of the samples would leave traces.
    void nothing_is_executed() {
        QTemporaryDir place;
        const auto before = std::filesystem::current_path();
        std::filesystem::current_path(place.path().toStdString());
        std::filesystem::create_directory("old-checkpoints");
        for (const std::string& file : samples()) {
            const auto read = read_configured_scenario(text_of_file(file), file, library());
            Q_UNUSED(read)
        }
        const bool there = std::filesystem::exists("old-checkpoints");
        const auto files = std::distance(std::filesystem::directory_iterator("."), {});
        std::filesystem::current_path(before);
        QVERIFY(there);
        QCOMPARE(files, 1);
    }

    /// Whatever was read, what is written for any trainer can be read: values with brackets are quoted for a shell.
    void what_is_written_can_be_read() {
        int count = 0;
        for (const std::string& file : samples()) {
            const auto first = read_configured_scenario(text_of_file(file), file, library());
            for (const std::string& trainer : written_trainers()) {
                const auto written =
                    first ? configuration_for(trainer, first->read.scenario, "Scalescope") : Result<Written>();
                if (!first || !written) continue;
                QVERIFY2(read_configured_scenario(written->text, "written", library()), written->text.c_str());
                ++count;
            }
        }
        QVERIFY(count > 40);
    }

    /// What is written for a trainer reads back as the same scenario, in the fields that the trainer has.
    void what_is_written_reads_back_data() {
        QTest::addColumn<QString>("trainer");
        QTest::addColumn<QString>("sample");
        QTest::addColumn<QStringList>("lost");
        const QStringList script{"training.batch", "parallelism.micro_batches", "training.accumulation"};
        const auto row = [](const char* trainer, const char* sample, QStringList lost = {}) {
            QTest::addRow("%s from %s", trainer, sample) << trainer << sample << lost;
        };
        for (const char* sample : {"megatron/llama3-8b.sh", "megatron/gpt3-175b.slurm", "megatron/llama31-405b.sh",
                                   "megatron/llama3-70b.yaml", "nemo/llama3-70b.yaml", "nemo/gpt-20b.yaml",
                                   "nemo/bridge-llama3-8b.yaml", "torchtitan/llama3-8b.toml"})
            row("megatron", sample,
                QString(sample).startsWith("torchtitan")
                    ? QStringList{"parallelism.recompute", "parallelism.scatter_gather", "parallelism.overlap_gathers"}
                    : QStringList{});
        for (const char* sample :
             {"torchtitan/llama3-8b.toml", "torchtitan/llama3-405b-pipeline.toml", "torchtitan/llama3-70b-hybrid.toml",
              "torchtitan/deepseek-v3-experts.toml", "torchtitan/llama3_70b_config.py"})
            row("torchtitan", sample,  // of one data rank nothing is sharded
                QString(sample).contains("405b") ? QStringList{"parallelism.sharded"} : QStringList{});
        for (const char* sample : {"deepspeed/zero1-fp16.json", "deepspeed/zero2-tensor.json"})
            row("deepspeed", sample);
        for (const char* sample : {"accelerate/fsdp1-full.yaml", "accelerate/fsdp2-hybrid-tensor.yaml",
                                   "accelerate/deepspeed-inline.yaml", "accelerate/megatron-lm.yaml"})
            row("accelerate", sample);
        row("accelerate", "torchtitan/llama3-70b-hybrid.toml",
            script + QStringList{"parallelism.sequence", "parallelism.gradients", "parallelism.overlap",
                                 "parallelism.overlap_gathers", "training.optimizer", "symbols.sequence"});
    }
    void what_is_written_reads_back() {
        QFETCH(QString, trainer);
        QFETCH(QString, sample);
        QFETCH(QStringList, lost);
        const std::string file = sample.toStdString();
        const auto first = read_configured_scenario(text_of_file(file), file, library());
        QVERIFY(first);
        const auto written = configuration_for(trainer.toStdString(), first->read.scenario, "Scalescope");
        QVERIFY2(written, qPrintable(QString::fromStdString(written ? "" : messages(written.error()))));
        const auto again = read_configured_scenario(written->text, "written", library());
        QVERIFY2(again, written->text.c_str());
        QStringList wrong;
        for (const Field* field : changed_fields(first->read.scenario, again->read.scenario)) {
            const auto path = QString::fromUtf8(field->path.data(), static_cast<qsizetype>(field->path.size()));
            if (!lost.contains(path))
                wrong << path + ": " + QString::fromStdString(field_text(*field, first->read.scenario)) + " became " +
                             QString::fromStdString(field_text(*field, again->read.scenario));
        }
        QVERIFY2(wrong.empty(), qPrintable(wrong.join('\n') + '\n' + QString::fromStdString(written->text)));
        if (trainer == "megatron" || trainer == "torchtitan") {
            QCOMPARE(again->read.scenario.network()->parameters(), first->read.scenario.network()->parameters());
            QCOMPARE(again->read.scenario.network()->multiply_adds(), first->read.scenario.network()->multiply_adds());
        }
    }
};

QTEST_GUILESS_MAIN(TestConfigurations)
#include "tst_configurations.moc"
