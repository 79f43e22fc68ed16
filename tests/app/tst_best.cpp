// SPDX-License-Identifier: GPL-3.0-or-later
// The verb best: the answer to a question about a scenario.
#include "core/formats/scenario_text.hpp"
#include "core/search/best_mesh.hpp"
#include "support_verbs.hpp"

using namespace support;

namespace {

/// Small enough for a search in no time.
const Words small{"llama-3-8b-h100", "--set", "training.batch=16", "--set", "training.batch_rule=total"};

Words best(const Words& more) {
    Words words{"best"};
    words.insert(words.end(), small.begin(), small.end());
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

QJsonValue value(const QJsonArray& all, const char* figure, const char* column = "best") {
    for (const auto& row : all)
        if (row.toObject()["figure"].toString() == QLatin1String(figure)) return row.toObject()[QLatin1String(column)];
    return QJsonValue::Undefined;
}

Scenario small_scenario(std::int64_t devices) {
    Scenario s = preset("llama-3-8b-h100");
    s.training.batch = 16;
    s.training.batch_rule = BatchRule::total;
    s.cluster.workers = devices;
    return s;
}

}  // namespace

class TestBest : public QObject {
    Q_OBJECT
private slots:
    void initTestCase() { files_.hide_presets_of_the_person(); }

    void the_fastest_mesh_is_that_of_the_search() {
        const auto all = rows(best({"--devices", "16"}));
        const auto mesh = search::best_mesh(small_scenario(16), {}, search::Effort::whole);
        QVERIFY(mesh.has_value());
        QCOMPARE(value(all, "step").toDouble(), in_milliseconds(mesh->summary.step));
        QCOMPARE(value(all, "peak_memory").toDouble(), mesh->memory.value / 1e9);
        QVERIFY(value(all, "mesh").toString().startsWith(QStringLiteral("16 = ")));
        QVERIFY(value(all, "step", "next_best").toDouble() >= value(all, "step").toDouble());
        QVERIFY(value(all, "mesh", "next_best") != value(all, "mesh"));
        for (const char* figure : {"token_throughput", "model_flops_utilization", "time", "cost"})
            QVERIFY2(value(all, figure).toDouble() > 0, figure);
    }

    void people_get_a_sentence_and_the_next_best() {
        const auto ran = run(best({"--devices", "16"}));
        QVERIFY2(ran.code == 0 && ran.out.starts_with("The best is 16 = "), ran.out.c_str());
        QVERIFY2(contains(ran.out, "\nThe next best is 16 = ") && contains(ran.out, "\nstep"), ran.out.c_str());
    }

    void one_number_or_a_link_alone() {
        const auto step = value(rows(best({"--devices", "16"})), "step").toDouble();
        QCOMPARE(QString::fromStdString(run(best({"--devices", "16", "--quiet", "step"})).out).toDouble(), step);
        const auto link = run(best({"--devices", "16", "--link"})).out;
        QVERIFY(formats::is_link(link));
        const auto of_link = run({"estimate", link.substr(0, link.size() - 1), "--quiet", "step"}).out;
        QCOMPARE(QString::fromStdString(of_link).toDouble(), step);
    }

    /// What is kept stays, whether it is a field or follows from the others, and costs time or nothing.
    void what_is_kept_stays() {
        const double free = value(rows(best({"--devices", "16"})), "step").toDouble();
        for (const char* tensor : {"1", "2", "8"}) {
            const auto set = "parallelism.tensor=" + std::string(tensor);
            const Words more{"--devices", "16", "--set", set, "--keep", "parallelism.tensor"};
            const auto number = [&](const char* figure) {
                Words words = more;
                words.insert(words.end(), {"--quiet", figure});
                return QString::fromStdString(run(best(words)).out).toDouble();
            };
            QCOMPARE(number("parallelism.tensor"), QString::fromUtf8(tensor).toDouble());
            QVERIFY(number("step") >= free);
        }
        const auto mesh = value(rows(best({"--set", "cluster.workers=16", "--set", "parallelism.fill=data", "--set",
                                           "parallelism.tensor=2", "--set", "parallelism.pipeline=2", "--set",
                                           "parallelism.context=1", "--keep", "parallelism.data"})),
                                "mesh")
                              .toString();
        QVERIFY2(mesh.startsWith(QStringLiteral("16 = 4 data × ")), mesh.toUtf8());
    }

    /// The fewest devices are in time; the next fewer that a question looks at are not.
    void the_fewest_devices_finish_in_time() {
        const auto days = [](const char* devices) {
            const auto ran = rows(best({"--devices", devices, "--tokens", "100B"}));
            return value(ran, "time").toDouble() / 86'400;
        };
        const double of_8 = days("8"), of_16 = days("16");
        QVERIFY(of_16 < of_8);
        const auto between = std::to_string((of_8 + of_16) / 2) + "d";
        const auto all = rows(best({"--finish-in", between, "--tokens", "100B"}));
        QCOMPARE(value(all, "cluster.workers").toString(), QStringLiteral("16"));
        QVERIFY(value(all, "time").toDouble() <= (of_8 + of_16) / 2 * 86'400);
    }

    void what_cannot_be_is_said() {
        const auto ran = run(best({"--devices", "8", "--tokens", "15T", "--finish-in", "1d"}));
        QCOMPARE(ran.code, exit_input);
        QVERIFY2(ran.out.empty() && contains(ran.err, "Without \u201ctime <= 1 d\u201d"), ran.err.c_str());
    }

    void wrong_words_data() {
        WrongWords::columns();
        const auto row = WrongWords::row;
        row("no scenario", "best", 2, "SCENARIO");
        row("no field of a mesh", "best llama-3-8b-h100 --keep training.batch", 2, "parallelism.tensor");
        row("no time", "best llama-3-8b-h100 --finish-in soon", 1, "soon");
        row("not a time", "best llama-3-8b-h100 --finish-in cost", 1, "no time");
        row("no number of tokens", "best llama-3-8b-h100 --tokens 15X", 2, "15T");
        row("epochs of tokens", "best llama-3-8b-h100 --epochs 2", 2, "--tokens");
        row("tokens of images", "best example --tokens 1T", 2, "--epochs");
        row("no mesh", "best alexnet-cpu-cluster", 1, "fastest-mesh");
        row("two outputs", "best llama-3-8b-h100 --quiet step --link", 2, "--link");
    }
    void wrong_words() { WrongWords::are_refused(); }

private:
    OwnFiles files_;
};

QTEST_GUILESS_MAIN(TestBest)
#include "tst_best.moc"
