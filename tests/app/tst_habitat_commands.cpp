// SPDX-License-Identifier: GPL-3.0-or-later
// The verbs write exactly the columns of the files in tests/data/habitat, and the same figures.
#include "core/formats/csv.hpp"
#include "support_verbs.hpp"

#include <charconv>
#include <cmath>

using namespace support;

namespace {

std::string data(const std::string& name) { return SCALESCOPE_TEST_DATA "/habitat/" + name; }

formats::CsvTable parsed(std::string text) {
    auto table = formats::parse_csv(std::move(text), "out.csv");
    if (!table) qFatal("%s", to_text(table.error().front()).c_str());
    return std::move(*table);
}

bool same_cell(std::string_view a, std::string_view b, double tolerance) {
    if (a == b) return true;
    double x = 0, y = 0;
    const auto whole = [](std::string_view t, double& value) {
        return !t.empty() && std::from_chars(t.data(), t.data() + t.size(), value).ptr == t.data() + t.size();
    };
    return whole(a, x) && whole(b, y) && std::abs(x - y) <= tolerance * std::abs(y);
}

/// Empty if two tables agree.
std::string difference(const formats::CsvTable& found, const formats::CsvTable& wanted, double tolerance) {
    if (found.names() != wanted.names()) return "the columns differ";
    if (found.rows() != wanted.rows()) return "there are " + std::to_string(found.rows()) + " rows";
    for (std::size_t r = 0; r < found.rows(); ++r)
        for (std::size_t c = 0; c < found.columns(); ++c)
            if (!same_cell(found.cell(r, c), wanted.cell(r, c), tolerance))
                return to_text({{}, std::string(found.cell(r, c)) + " differs", {}, {}, wanted.at(r, c)});
    return {};
}

Words scale_words(const std::string& prefix, const std::string& variant) {
    return {"habitat",     "scale",
            "--kernels",   data(prefix + "kernels.csv"),
            "--devices",   data("devices.csv"),
            "--registers", data(prefix + "kernel_registers.csv"),
            "--variant",   variant};
}

Words trace_words() {
    return {"habitat",     "trace",
            "--traces",    data("traces.json"),
            "--kernels",   data("kernels.csv"),
            "--devices",   data("devices.csv"),
            "--registers", data("kernel_registers.csv"),
            "--models",    data("mlp_models.json")};
}

}  // namespace

class TestHabitatCommands : public QObject {
    Q_OBJECT

private slots:
    void tables_data() {
        QTest::addColumn<QString>("verb");
        QTest::addColumn<QString>("prefix");
        QTest::addColumn<QString>("file");
        const auto row = [](const char* verb, const char* prefix, const char* file) {
            QTest::addRow("%s %s", verb, prefix)
                << QString::fromLatin1(verb) << QString::fromLatin1(prefix) << QString::fromLatin1(file);
        };
        row("occupancy", "", "occupancy.csv");
        row("occupancy", "deepview_", "occupancy.csv");
        row("scale", "", "wave_scaling.csv");
        row("scale", "deepview_", "wave_scaling.csv");
        row("mlp", "", "mlp_predictions.csv");
    }
    void tables() {
        QFETCH(QString, verb);
        QFETCH(QString, prefix);
        QFETCH(QString, file);
        const auto variant = prefix.isEmpty() ? "habitat" : "deepview";
        const auto path = data((prefix + file).toStdString());
        Words words = scale_words(prefix.toStdString(), variant);
        if (verb == QLatin1String("occupancy"))
            words = {"habitat", "occupancy", "--devices", data("devices.csv"), "--variant", variant};
        if (verb == QLatin1String("mlp"))
            words = {"habitat", "mlp", "--devices", data("devices.csv"), "--models", data("mlp_models.json")};
        words.insert(words.end(), {"--cases", path});
        const auto ran = run(words);
        QVERIFY2(ran.code == 0, ran.err.c_str());
        const double tolerance = verb == QLatin1String("mlp") ? 1e-5 : 1e-12;
        const auto wrong = difference(parsed(ran.out), parsed(*read_file(path)), tolerance);
        QVERIFY2(wrong.empty(), wrong.c_str());
        if (verb == QLatin1String("scale")) QVERIFY(contains(ran.err, " cannot run on "));
    }

    void every_kernel_for_each_pair() {
        auto words = scale_words("", "habitat");
        words.insert(words.end(), {"--pairs", data("pairs.csv"), "--paper"});
        const auto ran = run(words);
        QVERIFY2(ran.code == 0, ran.err.c_str());
        const auto table = parsed(ran.out);
        QCOMPARE(table.rows(), 42u * 500u);
        QCOMPARE(table.names().back(), std::string_view("paper_ns"));
    }

    void kernels_that_cannot_run() {
        OwnFiles files;
        const auto kernels = files.write("kernels.csv",
                                         "id,num_blocks,block_size,registers_per_thread,static_smem,dynamic_smem,"
                                         "run_time_ns\nbig,100,1024,255,0,0,1000\ntile,100,256,64,0,65536,1000\n");
        const auto pairs = files.write("pairs.csv", "origin,dest\nA100,H100\n");
        const auto asked = [&](const char* variant) {
            return run({"habitat", "scale", "--kernels", kernels, "--devices", data("devices.csv"), "--pairs", pairs,
                        "--variant", variant});
        };
        const auto corrected = asked("corrected");
        QCOMPARE(corrected.code, 0);
        const auto table = parsed(corrected.out);
        const auto unified = *table.column("unified_ns");
        QCOMPARE(table.cell(0, unified), std::string_view("not runnable"));
        QVERIFY(contains(corrected.err,
                         "Kernel big cannot run on A100: a block needs more registers than there are, "
                         "although it was measured there; it has no time by the resimplified rule"));
        // 100 blocks are less than a wave of either once the opt-in limit holds.
        QCOMPARE(table.cell(1, unified), std::string_view("1000"));
        QVERIFY(!contains(corrected.err, "tile"));
        const auto published = asked("deepview");
        QVERIFY(contains(published.err, "Kernel tile cannot run on A100"));
    }

    void training() {
        OwnFiles files;
        const std::string saved = (files.folder() + QStringLiteral("/trained.json")).toStdString();
        const Words words{"habitat",
                          "train",
                          data("samples.csv"),
                          "--operation",
                          "conv2d",
                          "--devices",
                          data("devices.csv"),
                          "--width",
                          "16",
                          "--hidden",
                          "2",
                          "--epochs",
                          "120",
                          "--batch",
                          "16",
                          "--rate",
                          "5e-3",
                          "--later-rate",
                          "1e-3",
                          "--models",
                          data("mlp_models.json"),
                          "--save",
                          saved};
        const auto ran = run(words);
        QVERIFY2(ran.code == 0, ran.err.c_str());
        QVERIFY2(contains(ran.err, "100\u00a0% Epoch 120 of 120: loss "), ran.err.c_str());
        const auto table = parsed(ran.out);
        QCOMPARE(table.names(), (std::vector<std::string_view>{"epoch", "rate", "loss", "validation_error", "kept"}));
        QCOMPARE(table.rows(), 120u);
        QCOMPARE(table.cell(59, 1), std::string_view("0.005"));
        const auto number = [&](std::size_t row, std::size_t column) {
            return std::stod(std::string(table.cell(row, column)));
        };
        QCOMPARE(number(60, 1), 1e-3);
        double least = 1e9;
        std::size_t kept = 0;
        for (std::size_t r = 0; r < table.rows(); ++r) {
            least = std::min(least, number(r, 3));
            if (number(r, 4) == 1.0) kept = r;
        }
        QCOMPARE(number(kept, 3), least);
        QVERIFY2(least < number(0, 3) / 2, std::to_string(least).c_str());

        // The file has the new network beside those of the other operations, and `habitat mlp` reads it.
        const auto cases = files.write("cases.csv",
                                       "operation,device,features\nconv2d,T4,1 8 28 64 64 3 1 1\n"
                                       "linear,T4,1 100 1000 1000\n");
        const auto ask = [&](const std::string& models) {
            const auto asked =
                run({"habitat", "mlp", "--models", models, "--devices", data("devices.csv"), "--cases", cases});
            return asked.code == 0 ? parsed(asked.out) : formats::CsvTable(parsed("nothing\n"));
        };
        const auto after = ask(saved), before = ask(data("mlp_models.json"));
        QCOMPARE(after.rows(), 2u);
        QVERIFY(after.cell(0, 3) != before.cell(0, 3));
        QCOMPARE(std::string(after.cell(1, 3)), std::string(before.cell(1, 3)));

        const auto first = *read_file(saved);
        QCOMPARE(run(words).out, ran.out);
        QCOMPARE(*read_file(saved), first);
        auto other_seed = words;
        other_seed.insert(other_seed.end(), {"--seed", "2"});
        QVERIFY(run(other_seed).out != ran.out);
        auto as_json = words;
        as_json.insert(as_json.end(), {"--format", "json"});
        QCOMPARE(QJsonDocument::fromJson(QByteArray::fromStdString(run(as_json).out)).array().size(), 120);
    }

    void training_that_cannot_be() {
        const auto says = [](Words words, int code, const char* text) {
            words.insert(words.begin(), {"habitat", "train", data("samples.csv"), "--operation"});
            const auto ran = run(words);
            QVERIFY2(ran.code == code && contains(ran.err, text) && ran.out.empty(), ran.err.c_str());
        };
        says({"softmax"}, 2, "'softmax' is none of Habitat's operations");
        says({"conv2d"}, 1, "The samples name devices, but none is known");
        says({"linear", "--devices", data("devices.csv")}, 1, "There is no column \"in_features\"");
        says({"conv2d", "--devices", data("devices.csv"), "--models", data("none.json")}, 1, "none.json");
        says({"conv2d", "--devices", data("devices.csv"), "--epochs", "0"}, 2, "epochs");
    }

    void traces() {
        const auto ran = run(trace_words());
        QVERIFY2(ran.code == 0, ran.err.c_str());
        const auto table = parsed(ran.out);
        QCOMPARE(table.names(),
                 (std::vector<std::string_view>{"trace", "origin", "dest", "operation", "name", "measured_ms",
                                                "forward_ms", "backward_ms", "run_time_ms", "rule"}));
        QFile file(QString::fromStdString(data("traces.json")));
        QVERIFY(file.open(QIODevice::ReadOnly));
        std::size_t row = 0;
        const auto expected = QJsonDocument::fromJson(file.readAll()).array();
        for (const auto& trace : expected) {
            for (const auto& prediction : trace.toObject()["predictions"].toArray()) {
                const auto operations = prediction.toObject()["operations"].toArray();
                const auto same = [&](const QJsonValue& object, std::string_view wanted, const char* column) {
                    const auto value = object.toObject()[QLatin1String(column)];
                    const double found = QByteArray(wanted.data(), static_cast<int>(wanted.size())).toDouble();
                    return value.isNull() ? wanted.empty()
                                          : std::abs(found - value.toDouble()) <= 1e-9 * std::abs(value.toDouble());
                };
                for (const auto& operation : operations) {
                    for (const char* column : {"forward_ms", "backward_ms", "run_time_ms"})
                        QVERIFY2(same(operation, table.cell(row, *table.column(column)), column),
                                 std::to_string(row).c_str());
                    ++row;
                }
                QCOMPARE(table.cell(row, 3), std::string_view("total"));
                QVERIFY(same(prediction, table.cell(row, *table.column("run_time_ms")), "run_time_ms"));
                ++row;
            }
        }
        QCOMPARE(table.rows(), row);
        QVERIFY(contains(ran.err, "The network gives a negative time"));
        QVERIFY(contains(ran.err, "(gru): No rule scales this operation"));
    }

    void traces_for_chosen_devices() {
        auto words = trace_words();
        words.insert(words.end(), {"--to", "P4,GTX1080Ti"});
        const auto no_figures = run(words);
        QCOMPARE(no_figures.code, 1);
        QVERIFY2(contains(no_figures.err, "Device P4 has no figures for networks"), no_figures.err.c_str());
        words.back() = "T44";
        QVERIFY(contains(run(words).err, "There is no device called \"T44\"; did you mean T4?"));
    }

    void wrong_usage() {
        auto words = scale_words("", "habitat");
        QCOMPARE(run(words).code, 2);
        words.insert(words.end(), {"--cases", data("no-such-file.csv")});
        QCOMPARE(run(words).code, 1);
        words.back() = data("occupancy.csv");
        const auto ran = run(words);
        QCOMPARE(ran.code, 1);
        QVERIFY2(contains(ran.err, "occupancy.csv:1:1: There is no column \"origin\""), ran.err.c_str());
        QCOMPARE(run({"habitat", "mlp"}).code, 2);
        QCOMPARE(run({"habitat", "occupancy", "--devices", "x", "--cases", "y", "--variant", "paper"}).code, 2);
        for (const char* verb : {"occupancy", "scale", "mlp", "trace"}) {
            const auto help = run({"habitat", verb, "--help"});
            QCOMPARE(help.code, 0);
            QVERIFY(contains(help.out, "--devices FILE") && contains(help.out, "--variant habitat|deepview|corrected"));
        }
    }

    void examples_work_where_such_files_are() {
        OwnFiles folder;
        const QDir shipped(QString::fromStdString(data("")));
        for (const auto& name : shipped.entryList(QDir::Files))
            QVERIFY(QFile::copy(shipped.filePath(name), folder.folder() + QLatin1Char('/') + name));
        QVERIFY(QDir::setCurrent(folder.folder()));
        int ran_examples = 0;
        const auto line = command_line_without_display();
        for (const auto& verb : line.verbs) {
            if (verb.name.substr(0, 8) != "habitat ") continue;
            Words words;
            std::istringstream example{std::string(verb.example)};
            for (std::string word; example >> word;) words.push_back(word);
            words.erase(words.begin());
            const auto ran = run(words);
            QVERIFY2(ran.code == 0 && !ran.out.empty(), ran.err.c_str());
            ++ran_examples;
        }
        QCOMPARE(ran_examples, 5);
        QVERIFY(QFile::exists(QStringLiteral("trained.json")));
        QVERIFY(QDir::setCurrent(QDir::rootPath()));
    }
};

QTEST_APPLESS_MAIN(TestHabitatCommands)
#include "tst_habitat_commands.moc"
