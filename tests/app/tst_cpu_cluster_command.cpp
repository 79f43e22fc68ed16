// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/formats/catalogue_json.hpp"
#include "support_verbs.hpp"

using namespace support;

class TestCpuCluster : public QObject {
    Q_OBJECT

    OwnFiles files_;

    static Words alexnet(const Words& more) {
        Words words{"cpu", "cluster", "alexnet-one-tower", "--machine", "adam-like"};
        words.insert(words.end(), more.begin(), more.end());
        return words;
    }

private slots:
    void init() { files_.hide_presets_of_the_person(); }

    void one_configuration() {
        const auto all = rows(alexnet({"--machines", "20", "--partitions", "4", "--servers", "4"}));
        QCOMPARE(figure(all, QStringLiteral("method")).toString(),
                 QStringLiteral("after Yan et al. 2015 (re-derived)"));
        QCOMPARE(figure(all, QStringLiteral("replicas")).toInteger(), qint64{4});
        QCOMPARE(figure(all, QStringLiteral("threads")).toInteger(), qint64{16});
        const double sample = figure(all, QStringLiteral("sample")).toDouble();
        const double parts = figure(all, QStringLiteral("forward")).toDouble() +
                             figure(all, QStringLiteral("backward")).toDouble() +
                             figure(all, QStringLiteral("update")).toDouble();
        QVERIFY(sample > 0 && std::abs(sample - parts) < 1e-9 * sample);
        QCOMPARE(figure(all, QStringLiteral("epoch")), figure(all, QStringLiteral("async_epoch")));
        QVERIFY(std::abs(figure(all, QStringLiteral("async_staleness")).toDouble() - 3.0) < 1e-9);
        const auto layers = rows(alexnet({"--partitions", "4", "--show", "layers"}));
        double sum = 0;
        for (const auto& row : layers) sum += row.toObject()["total_ms"].toDouble();
        QVERIFY(std::abs(sum - sample) < 1e-9 * sample);
        QCOMPARE(layers[0].toObject()["segments"].toInteger(), qint64{4});
        const auto shown = run(alexnet({}));
        QVERIFY2(shown.code == 0 && contains(shown.out, "forward_exchange_ms") && contains(shown.out, "async_epoch"),
                 shown.err.c_str());
    }

    void synchronous_and_other_words() {
        const auto sync = rows(alexnet({"--replicas", "3", "--mode", "sync", "--stragglers", "0.2"}));
        QCOMPARE(figure(sync, QStringLiteral("epoch")), figure(sync, QStringLiteral("sync_epoch")));
        const auto calm = rows(alexnet({"--replicas", "3", "--mode", "sync"}));
        QVERIFY(figure(sync, QStringLiteral("epoch")).toDouble() > figure(calm, QStringLiteral("epoch")).toDouble());
        for (const Words& more :
             {Words{"--convolutions", "channels"}, Words{"--local-update", "exchange"}, Words{"--overlap", "1"},
              Words{"--worked-example"}, Words{"--placement", "connections"}, Words{"--servers-beside"},
              Words{"--exchange-after-training"}, Words{"--best-splits"}, Words{"--threads", "4"}}) {
            Words words = alexnet({"--partitions", "4", "--replicas", "2"});
            words.insert(words.end(), more.begin(), more.end());
            const auto ran = run(words);
            QVERIFY2(ran.code == 0, (more[0] + ": " + ran.err).c_str());
        }
        const auto best = rows(alexnet({"--partitions", "4", "--best-splits"}));
        QCOMPARE(figure(best, QStringLiteral("splits_by")).toString(), QStringLiteral("dynamic programme"));
        QVERIFY(figure(best, QStringLiteral("sample")).toDouble() <=
                figure(rows(alexnet({"--partitions", "4"})), QStringLiteral("sample")).toDouble());
    }

    void the_best() {
        const auto best = rows(alexnet({"--machines", "20", "--best", "5"}));
        QCOMPARE(best.size(), 5);
        double before = 0;
        for (const auto& row : best) {
            QVERIFY(row.toObject()["epoch_s"].toDouble() >= before);
            before = row.toObject()["epoch_s"].toDouble();
            QVERIFY(row.toObject()["machines"].toInteger() <= 20);
        }
        // The first one, asked for alone, has the same time to the last digit.
        const auto first = best[0].toObject();
        const auto number = [&](const char* name) { return std::to_string(first[QLatin1String(name)].toInteger()); };
        const auto alone = rows(alexnet({"--partitions", number("partitions"), "--replicas", number("replicas"),
                                         "--servers", number("servers"), "--threads", number("threads")}));
        QCOMPARE(figure(alone, QStringLiteral("epoch")).toDouble(), first["epoch_s"].toDouble());
        const auto splits = rows(alexnet({"--machines", "20", "--best", "1", "--best-splits"}));
        QVERIFY(splits[0].toObject()["epoch_s"].toDouble() <= first["epoch_s"].toDouble() * (1 + 1e-12));
        const auto servers = rows(alexnet({"--machines", "20", "--best", "3", "--servers", "5"}));
        for (const auto& row : servers) QCOMPARE(row.toObject()["servers"].toInteger(), qint64{5});
    }

    std::string machine_with(double bytes) {
        CpuMachine m = *formats::load_shipped().catalogue.machine("adam-like");
        m.id = "small";
        m.memory = Bytes{bytes};
        return files_.write("small.json", formats::write_machines(std::vector<CpuMachine>{m}));
    }

    /// 244 MB of weights, and as much for their deltas: four machines of 200 MB hold them, one server does not.
    void what_does_not_fit_names_the_machine_and_what_helps() {
        const std::string machine = machine_with(2e8);
        const auto ran = run({"cpu", "cluster", "alexnet-one-tower", "--machine", machine, "--partitions", "4"});
        QVERIFY2(
            ran.code == 0 && contains(ran.err, "A parameter server holds") && !contains(ran.err, "A machine needs"),
            ran.err.c_str());
        QVERIFY2(contains(ran.err, "use 2 parameter servers"), ran.err.c_str());
        QVERIFY(!contains(
            run({"cpu", "cluster", "alexnet-one-tower", "--machine", machine, "--partitions", "4", "--servers", "2"})
                .err,
            "holds"));
        const Words two{"cpu", "cluster", "alexnet-one-tower", "--machine", machine, "--best", "1", "--machines"};
        const auto on = [&](const char* machines) {
            Words words = two;
            words.emplace_back(machines);
            return run(words);
        };
        const auto nothing = on("2");
        QVERIFY2(nothing.code == 1 && contains(nothing.err, "Nothing fits") && contains(nothing.err, "use 8 machines"),
                 nothing.err.c_str());
        QCOMPARE(on("4").code, 1);
        QCOMPARE(on("8").code, 0);
        machine_with(1e5);
        const auto never = on("2");
        const auto reason = never.err.substr(std::min(never.err.find("Nothing fits"), never.err.size()));
        QVERIFY2(never.code == 1 && contains(reason, "choose machines with") && !contains(reason, "use "),
                 never.err.c_str());
    }

    void machines_are_listed() {
        const auto machines = rows({"list", "machines"});
        QCOMPARE(machines.size(), static_cast<qsizetype>(formats::load_shipped().catalogue.machines.size()));
        QVERIFY(contains(run({"list", "machines"}).out, "adam-like"));
        for (const auto& row : machines) QVERIFY(row.toObject()["cores"].toInteger() > 0);
    }

    void a_machine_from_its_threads() {
        const std::string table = SCALESCOPE_TEST_DATA "/fit/y1-thread-contention-noise2.csv";
        const std::string file = files_.folder().toStdString() + "/ours.json";
        const auto ran = run({"cpu", "machine", table, "--machine", "xeon-e5-2690", "--id", "ours", "--save", file});
        QVERIFY2(ran.code == 0 && contains(ran.out, "multiply_add_memory"), ran.err.c_str());
        const auto used = run({"cpu", "cluster", "alexnet-one-tower", "--machine", file});
        QVERIFY2(used.code == 0, used.err.c_str());
        QVERIFY(contains(used.out, "ours"));
        const auto json = run({"cpu", "machine", table, "--machine", "xeon-e5-2690", "--format", "json"});
        QVERIFY(formats::read_machines(json.out, "out").has_value());
        // Another cache moves the tiers.
        const auto other =
            run({"cpu", "machine", table, "--machine", "xeon-e5-2690", "--l2-kib", "1024", "--format", "csv"});
        QVERIFY(other.code == 0 &&
                other.out != run({"cpu", "machine", table, "--machine", "xeon-e5-2690", "--format", "csv"}).out);
        // A cell that is no number is named by its own place.
        const auto word = files_.write("word.csv",
                                       "threads,weight_working_set_kib,time_per_muladd_s\n"
                                       "1,64,3e-10\n2,64,3e-10\n4,much,3e-10\n");
        const auto refused = run({"cpu", "machine", word, "--machine", "xeon-e5-2690"});
        QVERIFY2(refused.code == exit_input && contains(refused.err, word + ":4:3: "), refused.err.c_str());
        const auto impossible = run({"cpu", "machine", table, "--machine", "xeon-e5-2690", "--l2-kib", "30000"});
        QCOMPARE(impossible.code, exit_input);
    }

    void wrong_words_data() {
        WrongWords::columns();
        const auto row = [](const char* name, const char* words, int code, const char* says) {
            WrongWords::row(name, words, code, says);
        };
        row("no machine", "cpu cluster alexnet-one-tower", 2, "--machine");
        row("unknown machine", "cpu cluster alexnet-one-tower --machine adam-lik", 1, "did you mean \"adam-like\"?");
        row("unknown network", "cpu cluster alexnetz --machine adam-like", 1, "alexnetz");
        row("no room", "cpu cluster alexnet-one-tower --machine adam-like --machines 4 --partitions 4", 1, "no room");
        row("too many replicas", "cpu cluster alexnet-one-tower --machine adam-like --machines 4 --replicas 9", 1,
            "no room");
        row("too many threads", "cpu cluster alexnet-one-tower --machine adam-like --threads 17", 1, "threads");
        row("best without machines", "cpu cluster alexnet-one-tower --machine adam-like --best 3", 2, "--machines");
        row("best with replicas",
            "cpu cluster alexnet-one-tower --machine adam-like --machines 9 --best 3 --replicas 2", 2, "--replicas");
        row("best on one machine", "cpu cluster alexnet-one-tower --machine adam-like --machines 1 --best 3", 1,
            "has room");
        row("best with too many servers",
            "cpu cluster alexnet-one-tower --machine adam-like --machines 5 --best 3 --servers 5", 1, "has room");
        row("a size it has not", "cpu cluster alexnet-one-tower --machine adam-like --set batch=3", 1, "batch");
        row("no table", "cpu machine nowhere.csv --machine adam-like", 1, "nowhere.csv");
        row("no such machine", "cpu machine nowhere.csv --machine nobody", 1, "nobody");
    }
    void wrong_words() { WrongWords::are_refused(); }
};

QTEST_APPLESS_MAIN(TestCpuCluster)
#include "tst_cpu_cluster_command.moc"
