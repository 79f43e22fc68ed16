// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/estimate.hpp"
#include "core/formats/scenario_json.hpp"
#include "core/scenario/clusters.hpp"
#include "core/scenario/fields.hpp"
#include "support_verbs.hpp"

using namespace support;

class TestVerbsEstimate : public QObject {
    Q_OBJECT

    OwnFiles files_;

private slots:
    void init() { files_.hide_presets_of_the_person(); }

    void estimate_agrees_with_core() {
        const auto scenario = preset("example");
        const auto e = estimate(scenario).value();
        const auto list = rows({"estimate", "example"});
        QCOMPARE(figure(list, QStringLiteral("step")).toDouble(), in_milliseconds(e.summary.step));
        QCOMPARE(figure(list, QStringLiteral("speedup")).toDouble(), e.speedup);
        QCOMPARE(figure(list, QStringLiteral("throughput")).toDouble(), e.throughput.value);
        QCOMPARE(figure(list, QStringLiteral("workers")).toInteger(), qint64{32});
        QCOMPARE(figure(list, QStringLiteral("peak_memory")).toDouble(), e.memory.peak.value / 1e9);
        double sum = 0;
        for (const char* part : {"forward", "backward", "update", "communication", "idle"})
            sum += figure(list, QString::fromUtf8(part)).toDouble();
        QVERIFY(std::abs(sum - in_milliseconds(e.summary.step)) <= 1e-9 * sum);
        for (const auto& row : list)
            if (row.toObject()["figure"].toString() == QStringLiteral("step"))
                QCOMPARE(row.toObject()["unit"].toString(), QStringLiteral("ms"));
    }

    /// One number, the same as in the table, that reads back the same.
    void quiet_prints_one_number() {
        const auto number = [](const char* figure, const char* scenario = "example") {
            const auto ran = run({"estimate", scenario, "--quiet", figure});
            bool ok = false;
            const double value = QString::fromStdString(ran.out).chopped(1).toDouble(&ok);
            return ran.code == 0 && ok && ran.out.back() == '\n' ? value : std::nan("");
        };
        for (const auto& row : rows({"estimate", "llama-3-70b-h100"})) {
            const auto value = row.toObject()["value"];
            if (!value.isDouble()) continue;
            const auto name = row.toObject()["figure"].toString().toUtf8();
            QVERIFY2(number(name.constData(), "llama-3-70b-h100") == value.toDouble(), name.constData());
        }
        // What only lessons name.
        const auto scenario = preset("example");
        const auto e = estimate(scenario).value();
        QCOMPARE(number("memory"), e.memory.peak.value / 1e9);
        QCOMPARE(number("cluster.workers"), 32.0);
        QCOMPARE(number("layer.fc6.parameters * 1000000"), 5.0 * 5 * 256 * 4096 + 4096);
        QCOMPARE(number("mfu", "llama-3-70b-h100"), 100 * number("model_flops_utilization", "llama-3-70b-h100"));
        QCOMPARE(run({"estimate", "example", "--quiet", "workers"}).out, std::string("32\n"));
    }

    void quiet_refuses_what_is_no_number_data() {
        WrongWords::columns();
        const auto row = WrongWords::row;
        row("of the table", "estimate example --quiet peak_memroy", 2, "did you mean peak_memory?");
        row("of lessons", "estimate example --quiet communicaton_shar", 2, "communication_share?");
        row("nothing like it", "estimate example --quiet xyzzy", 2, "Nothing is called \"xyzzy\"");
        row("a text", "estimate example --quiet evidence", 2, "evidence");
        row("a choice", "estimate example --quiet parallelism.fill", 2, "is no number");
        row("without a value", "estimate example --quiet mfu", 1, "MFU");
        row("with a table", "estimate example --quiet step --show stages", 2, "--quiet");
        row("with a format", "estimate example --quiet step --format csv", 2, "--quiet");
    }
    void quiet_refuses_what_is_no_number() { WrongWords::are_refused(); }

    void a_cost_says_where_its_price_is_from() {
        const auto ran = run({"estimate", "example", "--set", "cluster.device=a100-sxm-40gb"});
        QVERIFY2(ran.code == 0 && contains(ran.err, " USD an hour (AWS on demand, us-east-1, November 2026"),
                 ran.err.c_str());
        QVERIFY(!contains(run({"estimate", "alexnet-cpu-cluster"}).err, "USD"));
        const char* const source = " USD an hour (AWS on demand, us-east-1, November 2026";
        const std::vector<std::string> varied{"example", "--vary", "cluster.device=a100-sxm-40gb,tesla-k40"};
        for (const char* verb : {"sweep", "search"}) {
            std::vector<std::string> words{verb};
            words.insert(words.end(), varied.begin(), varied.end());
            const auto table = run(words);
            QVERIFY2(contains(table.err, source) && !contains(table.out, "USD an hour"), table.err.c_str());
        }
        const auto compared = run({"compare", "example", "vgg-16-h100"});
        QVERIFY2(contains(compared.err, "cost: H100") && contains(compared.err, source), compared.err.c_str());
        const auto many = run({"sweep", "example", "--vary", "cluster.device=*"});
        QVERIFY2(contains(many.err, "scalescope list devices has their sources"), many.err.c_str());
    }

    /// A network that reads tokens has no epoch until its data set has a size.
    void an_epoch_needs_a_data_set() {
        const auto list = rows({"estimate", "example", "--set", "network=gpt-2"});
        QVERIFY(figure(list, QStringLiteral("epoch")).isNull() && figure(list, QStringLiteral("epoch_cost")).isNull());
        QVERIFY(!figure(list, QStringLiteral("step")).isNull());
        const auto sized = rows({"estimate", "example", "--set", "network=gpt-2", "--set", "training.data_set=9000"});
        QVERIFY(figure(sized, QStringLiteral("epoch")).toDouble() > 0);
    }

    /// Of CPU clusters machines train, and replicas of several share samples.
    void figures_of_cpu_clusters_are_of_machines() {
        const auto list = rows({"estimate", "alexnet-cpu-cluster"});
        const auto scenario = preset("alexnet-cpu-cluster");
        QCOMPARE(figure(list, QStringLiteral("machines")).toInteger(), qint64{scenario.cluster.workers});
        for (const char* name : {"machines_with_work", "batch_per_replica", "one_machine_step"})
            QVERIFY2(!figure(list, QLatin1String(name)).isNull(), name);
        for (const auto& row : list) QVERIFY(!row.toObject()["figure"].toString().contains(QStringLiteral("worker")));
        QVERIFY(
            contains(header({"analyse", "walls", "alexnet-cpu-cluster"}), "first_at_machines,for_good_from_machines"));
    }

    void estimate_after_changes() {
        auto scenario = preset("example");
        const auto library = formats::load_shipped();
        QVERIFY(set_field(scenario, "cluster.workers", "64", library.catalogue));
        QVERIFY(set_field(scenario, "parallelism.strategy", "hybrid", library.catalogue));
        const auto e = estimate(scenario).value();
        const auto list =
            rows({"estimate", "example", "--set", "cluster.workers=64", "--set", "parallelism.strategy=hybrid"});
        QCOMPARE(figure(list, QStringLiteral("step")).toDouble(), in_milliseconds(e.summary.step));
        QVERIFY(figure(list, QStringLiteral("step")) != figure(rows({"estimate", "example"}), QStringLiteral("step")));
        QVERIFY(!figure(list, QStringLiteral("cut")).toString().isEmpty());
        const auto former = run({"estimate", "example", "--set", "parallelism.strategy=hybrid"});
        QVERIFY2(contains(former.err, "parallelism.strategy is parallelism.fill now"), former.err.c_str());
    }

    void layers_and_messages() {
        const auto scenario = preset("example");
        const auto e = estimate(scenario).value();
        const auto layers = rows({"estimate", "example", "--layers"});
        QCOMPARE(layers.size(), static_cast<qsizetype>(e.layers.size()));
        double total = 0;
        for (const auto& row : layers) total += row.toObject()["total_ms"].toDouble();
        QVERIFY(std::abs(total - in_milliseconds(e.summary.step - e.summary.idle)) <= 1e-9 * total);
        const auto messages = rows({"estimate", "example", "--messages"});
        QCOMPARE(messages.size(), static_cast<qsizetype>(e.messages.size()));
        double exposed = 0;
        for (const auto& row : messages) exposed += row.toObject()["exposed_ms"].toDouble();
        QVERIFY(std::abs(exposed - in_milliseconds(e.summary.communication)) <= 1e-9 * exposed);
        QCOMPARE(messages[0].toObject()["message"].toString(), QStringLiteral("all_reduce"));
    }

    /// Four stages in the order 1F1B: the fullest holds as much as the figures say, and buffers make up what it keeps.
    void stages_and_buffers() {
        const std::vector<std::string> pipeline{"estimate", "example",
                                                "--set",    "cluster.workers=8",
                                                "--set",    "parallelism.pipeline=4",
                                                "--set",    "parallelism.micro_batches=4",
                                                "--set",    "parallelism.order=1f1b",
                                                "--show"};
        const auto show = [&](const char* table) {
            auto words = pipeline;
            words.emplace_back(table);
            return rows(words);
        };
        const auto stages = show("stages");
        QCOMPARE(stages.size(), 4);
        const auto figures = show("figures");
        double peak = 0, activations = 0;
        int fullest = 0;
        for (int i = 0; i < 4; ++i) {
            const auto row = stages[i].toObject();
            QCOMPARE(row["micro_batches_held"].toInt(), 4 - i);
            QVERIFY(row["waiting_ms"].toDouble() >= 0 && row["layers"].toInt() > 0);
            if (row["peak_gb"].toDouble() > peak) peak = row["peak_gb"].toDouble(), fullest = i;
        }
        QCOMPARE(peak, figure(figures, QStringLiteral("peak_memory")).toDouble());
        for (const auto& row : show("buffers"))
            if (row.toObject()["kind"].toString() == QStringLiteral("activation") &&
                row.toObject()["stage"].toInt() == fullest)
                activations += row.toObject()["bytes"].toDouble();
        const double told = stages[fullest].toObject()["activations_gb"].toDouble() * 1e9;
        QVERIFY(std::abs(activations - told) <= 1e-9 * told);
        QCOMPARE(rows({"estimate", "example", "--show", "stages"}).size(), 0);
        // The pieces of the timeline end with the step, and the trace has one event for each.
        double end = 0;
        const auto pieces = show("timeline");
        for (const auto& row : pieces)
            end = std::max(end, row.toObject()["start_ms"].toDouble() + row.toObject()["length_ms"].toDouble());
        QVERIFY(std::abs(end - figure(figures, QStringLiteral("step")).toDouble()) <= 1e-9 * end);
        auto words = pipeline;
        words.emplace_back("trace");
        const auto trace = QJsonDocument::fromJson(QByteArray::fromStdString(run(words).out)).object();
        qsizetype events = 0;
        for (const auto& event : trace["traceEvents"].toArray()) events += event.toObject()["ph"].toString() == "X";
        QCOMPARE(events, pieces.size());
        QCOMPARE(show("operations"),
                 rows({"estimate", "example", "--set", "cluster.workers=8", "--set", "parallelism.pipeline=4", "--set",
                       "parallelism.micro_batches=4", "--set", "parallelism.order=1f1b", "--layers"}));
    }

    void sweep_rows_in_order() {
        const auto list = rows(
            {"sweep", "example", "--vary", "parallelism.segments=false,true", "--vary", "cluster.workers=1..8*2,12"});
        QCOMPARE(list.size(), 10);
        const std::array<qint64, 5> workers{1, 2, 4, 8, 12};
        const auto library = formats::load_shipped();
        for (int i = 0; i < 10; ++i) {
            const auto row = list[i].toObject();
            const std::string segments = i < 5 ? "false" : "true";
            const auto n = workers[static_cast<std::size_t>(i % 5)];
            QCOMPARE(row["parallelism.segments"].toString().toStdString(), segments);
            QCOMPARE(row["cluster.workers"].toInteger(), n);
            auto scenario = preset("example");
            QVERIFY(set_field(scenario, "parallelism.segments", segments, library.catalogue));
            QVERIFY(set_field(scenario, "cluster.workers", std::to_string(n), library.catalogue));
            const auto e = estimate(scenario).value();
            QCOMPARE(row["step_ms"].toDouble(), in_milliseconds(e.summary.step));
            QCOMPARE(row["speedup"].toDouble(), e.speedup);
            QVERIFY(row["reason"].isNull());
        }
        QCOMPARE(rows({"sweep", "example", "--vary", "cluster.workers=3..5"}).size(), 3);
        QVERIFY(contains(header({"sweep", "example", "--vary", "model.compute=50,62.5"}),
                         "model.compute_percent,step_ms,"));
    }

    void networks_by_name_or_file() {
        const auto library = formats::load_shipped();
        const auto scenario = with_network(preset("example"), *library.network("gnmt"));
        const auto step = in_milliseconds(estimate(scenario)->summary.step);
        QCOMPARE(figure(rows({"estimate", "example", "--set", "network=gnmt"}), QStringLiteral("step")).toDouble(),
                 step);
        const auto file = std::string(SCALESCOPE_SOURCE_DIR) + "/presets/networks/gnmt.json";
        const auto list =
            rows({"sweep", "example", "--vary", "network=vgg-16," + file, "--vary", "cluster.workers=2,32"});
        QCOMPARE(list.size(), 4);
        QCOMPARE(list[3].toObject()["step_ms"].toDouble(), step);
        QVERIFY(list[1].toObject()["step_ms"].toDouble() != step);
        const auto shorter =
            rows({"estimate", "example", "--set", "network=gnmt", "--set", "symbols.source_sequence=5"});
        QVERIFY(figure(shorter, QStringLiteral("step")).toDouble() < step);
    }

    void clusters_by_name() {
        const auto catalogue = formats::load_shipped().catalogue;
        auto scenario = preset("example");
        scenario.cluster = built_as(*catalogue.cluster("dgx-2"), catalogue, scenario.cluster);
        const auto step = in_milliseconds(estimate(scenario)->summary.step);
        QCOMPARE(figure(rows({"estimate", "example", "--set", "cluster=dgx-2"}), QStringLiteral("step")).toDouble(),
                 step);
        const auto list =
            rows({"sweep", "example", "--vary", "cluster=dgx-1-p100,DGX-2,titan", "--vary", "cluster.workers=16,32"});
        QCOMPARE(list.size(), 6);
        QCOMPARE(list[3].toObject()["cluster"].toString(), QStringLiteral("DGX-2"));
        QCOMPARE(list[3].toObject()["step_ms"].toDouble(), step);
        QVERIFY(list[1].toObject()["step_ms"].toDouble() != step);
    }

    void ways_to_divide_the_work() {
        const auto list = rows({"sweep", "example", "--vary", "way=data,ZeRO-3,pipeline-data"});
        QCOMPARE(list.size(), 3);
        const QStringList same{"--set parallelism.sharded=nothing", "--set parallelism.sharded=weights",
                               "--set parallelism.pipeline=4 --set parallelism.order=1f1b "
                               "--set parallelism.micro_batches=16"};
        for (int i = 0; i < 3; ++i) {
            QStringList words{"estimate", "example"};
            words += same[i].split(QLatin1Char(' '));
            std::vector<std::string> all;
            for (const QString& word : words) all.push_back(word.toStdString());
            QCOMPARE(list[i].toObject()["step_ms"].toDouble(), figure(rows(all), QStringLiteral("step")).toDouble());
        }
    }

    void paleo_as_the_method() {
        const auto library = formats::load_shipped();
        const double pipeline = figure(rows({"estimate", "example"}), QStringLiteral("step")).toDouble();
        for (const char* method : {"paleo_head", "paleo_paper"}) {
            const std::string set = std::string("model.method=") + method;
            auto scenario = preset("example");
            QVERIFY(set_field(scenario, "model.method", method, library.catalogue));
            QVERIFY(set_field(scenario, "parallelism.collective", "paleo_tree", library.catalogue));
            const auto e = estimate(scenario).value();
            const Words words{"estimate", "example", "--set", set, "--set", "parallelism.collective=paleo_tree"};
            const auto step = figure(rows(words), QStringLiteral("step")).toDouble();
            QCOMPARE(step, in_milliseconds(e.summary.step));
            QVERIFY(step != pipeline);
            auto layers = words;
            layers.emplace_back("--layers");
            double total = 0;
            for (const auto& row : rows(layers)) total += row.toObject()["total_ms"].toDouble();
            QVERIFY(std::abs(total - step) <= 1e-9 * step);
        }
        const auto list = rows({"sweep", "example", "--set", "parallelism.collective=paleo_tree", "--vary",
                                "model.method=pipeline,paleo_head,paleo_paper", "--vary", "cluster.workers=1,8",
                                "--vary", "parallelism.fill=data,pipeline"});
        QCOMPARE(list.size(), 12);
        for (int i = 0; i < 12; ++i) {
            const auto row = list[i].toObject();
            const bool priced = i < 4 || i % 2 == 0;  // PALEO divides no network by layers
            QCOMPARE(row["step_ms"].isDouble(), priced);
            QVERIFY(priced || row["reason"].toString().contains(QLatin1String("PALEO")));
        }
        const auto ring =
            run({"estimate", "example", "--set", "model.method=paleo_head", "--set", "parallelism.collective=ring"});
        QCOMPARE(ring.code, 1);
        QVERIFY2(contains(ring.err, "parallelism.collective: ") && ring.out.empty(), ring.err.c_str());
    }

    void sweep_says_why_not() {
        const auto list =
            rows({"sweep", "example", "--set", "parallelism.fill=pipeline", "--vary", "cluster.workers=2,4096"});
        QCOMPARE(list.size(), 2);
        QVERIFY(list[0].toObject()["reason"].isNull() && list[0].toObject()["step_ms"].isDouble());
        QVERIFY(!list[1].toObject()["reason"].toString().isEmpty() && list[1].toObject()["step_ms"].isNull());
        QCOMPARE(list[0].toObject().keys(), list[1].toObject().keys());
    }
};

QTEST_APPLESS_MAIN(TestVerbsEstimate)
#include "tst_verbs_estimate.moc"
