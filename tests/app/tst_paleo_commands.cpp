// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/commands/all_verbs.hpp"
#include "core/formats/json_document.hpp"
#include "core/paleo/method.hpp"
// The helpers of the reference tests belong to another folder's programs.
#include "reference/support_paleo.cpp"

#include <QTest>
#include <set>
#include <sstream>

using namespace scalescope;
using paleo_test::Csv;

namespace {

using Words = std::vector<std::string>;

struct Ran {
    int code = -1;
    std::string out, err;
};

Ran run(int (*verb)(std::span<const std::string>, std::ostream&, std::ostream&), const Words& words) {
    std::ostringstream out, err;
    Ran ran;
    ran.code = verb(words, out, err);
    ran.out = out.str();
    ran.err = err.str();
    return ran;
}

std::string path_of(const std::string& net) {
    return std::string(SCALESCOPE_TEST_DATA) + "/paleo/nets/" + net + ".json";
}

/// What a verb writes for these words; asked once.
const Csv& table(const std::string& verb, const Words& words) {
    static std::map<Words, Csv> known;
    Words key = words;
    key.push_back(verb);
    auto& csv = known[key];
    if (csv.header.empty()) {
        const auto ran =
            run(verb == "profile" ? app::paleo_profile_command.run : app::paleo_simulate_command.run, words);
        if (ran.code != 0) qFatal("%s", ran.err.c_str());
        csv = Csv::parse(ran.out);
    }
    return csv;
}

bool is_number(const std::string& text) {
    double value = 0;
    return !text.empty() &&
           std::from_chars(text.data(), text.data() + text.size(), value).ptr == text.data() + text.size();
}

/// The row of the verb's output that agrees in `keys` with a row of PALEO's; compares all other columns. Empty if they
/// are the same, otherwise what is wrong.
std::string compare(const Csv& actual, const Csv::Row& expected, const Words& header, const Words& keys) {
    const auto same_key = [&](const Csv::Row& row) {
        for (const auto& key : keys)
            if (row[key] != expected[key]) return false;
        return true;
    };
    for (const auto& row : actual.rows) {
        if (!same_key(row)) continue;
        for (const auto& column : header) {
            const bool same =
                is_number(expected[column])
                    ? is_number(row[column]) && paleo_test::agrees(row.number(column), expected.number(column))
                    : row[column] == expected[column];
            if (!same) return column + ": " + row[column] + ", expected " + expected[column] + " | " + expected.where();
        }
        return {};
    }
    return "no such row: " + expected.where();
}

Words without_net(const Csv& csv) {
    Words header = csv.header;
    header.erase(std::find(header.begin(), header.end(), "net"));
    return header;
}

Words simulate_words(const Csv::Row& row, const std::string& batch_column) {
    Words words{path_of(row["net"]), "--device",        row["device"], "--network",     row["network"],
                "--batch",           row[batch_column], "--ppp-comp",  row["ppp_comp"], "--ppp-comm",
                row["ppp_comm"],     "--format",        "csv"};
    if (row.has("use_pipeline") && row["use_pipeline"] == "1") words.push_back("--pipeline");
    return words;
}

}  // namespace

class TestPaleoCommands : public QObject {
    Q_OBJECT

private slots:
    void profile_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>("rows");
        QTest::newRow("profile_gemm") << "profile_gemm" << 2000;
        QTest::newRow("profile_gemm_ppp") << "profile_gemm_ppp" << 136;
        QTest::newRow("synthetic_profile_gemm") << "synthetic_profile_gemm" << 88;
    }
    void profile() {
        QFETCH(QString, file);
        QFETCH(int, rows);
        const auto& csv = paleo_test::csv(file.toStdString());
        int checked = 0;
        for (const auto& row : csv.rows) {
            const auto& actual = table("profile", {path_of(row["net"]), "--device", row["device"], "--batch",
                                                   row["batch"], "--ppp-comp", row["ppp_comp"], "--format", "csv"});
            QCOMPARE(actual.header, without_net(csv));
            const auto wrong = compare(actual, row, actual.header, {"layer"});
            QVERIFY2(wrong.empty(), wrong.c_str());
            ++checked;
        }
        QCOMPARE(checked, rows);
    }

    void forced_profile_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>("rows");
        QTest::newRow("profile_forced_algo") << "profile_forced_algo" << 1606 - 292;
        QTest::newRow("synthetic_profile_forced_algo") << "synthetic_profile_forced_algo" << 88 - 16;
    }
    void forced_profile() {
        QFETCH(QString, file);
        QFETCH(int, rows);
        const auto& csv = paleo_test::csv(file.toStdString());
        int checked = 0;
        for (const auto& row : csv.rows) {
            if (row["algo"].find("WINOGRAD") != std::string::npos) continue;
            // All three ways to name an algorithm.
            const std::array names{row["pass"] + "_" + row["algo_enum"], row["pass"] + ":" + row["algo_enum"],
                                   row["algo"]};
            const auto& actual = table(
                "profile", {path_of(row["net"]), "--device", row["device"], "--batch", row["batch"], "--algorithm",
                            names[static_cast<std::size_t>(row.integer("index")) % 3], "--format", "csv"});
            QCOMPARE(actual.header, without_net(csv));
            const auto wrong = compare(actual, row, actual.header, {"layer"});
            QVERIFY2(wrong.empty(), wrong.c_str());
            ++checked;
        }
        QCOMPARE(checked, rows);
    }

    void simulate_data_data() {
        QTest::addColumn<QString>("file");
        QTest::addColumn<int>("rows");
        QTest::newRow("simulate_data") << "simulate_data" << 1920;
        QTest::newRow("simulate_data_pipeline") << "simulate_data_pipeline" << 128;
        QTest::newRow("synthetic_simulate_data") << "synthetic_simulate_data" << 24;
    }
    void simulate_data() {
        QFETCH(QString, file);
        QFETCH(int, rows);
        const auto& csv = paleo_test::csv(file.toStdString());
        int checked = 0;
        for (const auto& row : csv.rows) {
            auto words = simulate_words(row, "batch_arg");
            words.insert(words.end(), {"--workers", "1,2,3,4,8,16,32,64,100,128", "--scaling", "weak,strong"});
            const auto& actual = table("simulate", words);
            QCOMPARE(actual.header, without_net(csv));
            const auto wrong = compare(actual, row, actual.header, {"scaling", "workers"});
            QVERIFY2(wrong.empty(), wrong.c_str());
            ++checked;
        }
        QCOMPARE(checked, rows);
    }

    void simulate_model() {
        const auto& csv = paleo_test::csv("simulate_model");
        int checked = 0;
        for (const auto& row : csv.rows) {
            if (!row["code_raises"].empty()) continue;  // PALEO crashed: no vector
            auto words = simulate_words(row, "batch");
            words.insert(words.end(), {"--parallel", "model"});
            const auto& actual = table("simulate", words);
            QCOMPARE(actual.header, without_net(csv));
            const auto wrong = compare(actual, row, actual.header, {"pass"});
            QVERIFY2(wrong.empty(), wrong.c_str());
            ++checked;
        }
        QCOMPARE(checked, 24);
    }

    void simulate_hybrid() {
        const auto& csv = paleo_test::csv("simulate_hybrid");
        int checked = 0;
        for (const auto& row : csv.rows) {
            auto words = simulate_words(row, "batch_arg");
            words.insert(words.end(), {"--parallel", "hybrid", "--hybrid-workers", row["hybrid_workers"]});
            const auto& actual = table("simulate", words);
            QCOMPARE(actual.header, without_net(csv));
            const auto wrong = compare(actual, row, actual.header, {"part", "hybrid_workers"});
            QVERIFY2(wrong.empty(), wrong.c_str());
            ++checked;
        }
        QCOMPARE(checked, 192);
    }

    void paper_era() {
        int checked = 0;
        for (const auto& row : paleo_test::csv("paper_era_simulate").rows) {
            if (row["mode"] != "data" || row["net"] == "inception_v3")
                continue;  // the same code; three nets are enough
            auto words = simulate_words(row, "batch_arg");
            words.insert(words.end(), {"--era", "paper"});
            const auto wrong =
                compare(table("simulate", words), row,
                        {"effective_batch", "time_fwd_ms", "time_bwd_ms", "time_apply_ms", "time_comp_ms",
                         "OneToAll_ms", "TreeAllReduce_ms", "ButterflyAllReduce_ms", "ButterflyMixing_ms"},
                        {"scaling", "workers"});
            QVERIFY2(wrong.empty(), wrong.c_str());
            ++checked;
        }
        QCOMPARE(checked, 1728);
    }

    void defaults_and_formats() {
        const auto ran = run(app::paleo_simulate_command.run, {path_of("nin"), "--format", "json"});
        QCOMPARE(ran.code, 0);
        const auto json = formats::parse_json(ran.out, "out");
        QVERIFY(json);
        QCOMPARE(json->root().size(), 16u);
        const auto first = *json->root().begin();
        QCOMPARE(first.find("device")->text(), std::string_view("TITAN_X"));
        QCOMPARE(first.find("network")->text(), std::string_view("ethernet"));
        QCOMPARE(first.find("batch_arg")->integer(), 128);
        const auto plain = run(app::paleo_profile_command.run, {path_of("nin")});
        QCOMPARE(plain.code, 0);
        QVERIFY(plain.out.find("conv1") != std::string::npos && plain.err.empty());
    }

    void presets_by_name_and_own_networks() {
        const auto paleo = run(app::paleo_profile_command.run, {"nin", "--format", "csv"});
        QCOMPARE(paleo.code, 0);
        QCOMPARE(paleo.out, run(app::paleo_profile_command.run, {path_of("nin"), "--format", "csv"}).out);
        const auto own = run(app::paleo_profile_command.run, {"resnet-50", "--format", "csv"});
        QVERIFY2(own.code == 0, own.err.c_str());
        QVERIFY(own.err.find("counts no weights for layers of type BatchNorm") != std::string::npos);
    }

    void catalogue_devices_and_links() {
        const auto own = run(app::paleo_simulate_command.run,
                             {path_of("nin"), "--device", "paleo-k40", "--network", "ethernet", "--format", "csv"});
        const auto key = run(app::paleo_simulate_command.run,
                             {path_of("nin"), "--device", "K40", "--network", "ethernet", "--format", "csv"});
        QVERIFY2(own.code == 0, own.err.c_str());
        const auto a = Csv::parse(own.out), b = Csv::parse(key.out);
        QVERIFY(paleo_test::agrees(a.rows[0].number("time_comp_ms"), b.rows[0].number("time_comp_ms")));
    }

    void corrections() {
        const auto plain = run(app::paleo_simulate_command.run, {path_of("nin"), "--format", "csv"});
        std::string all;
        for (const auto& correction : paleo::corrections())
            all += (all.empty() ? "" : ",") + std::string(correction.id);
        const auto named = run(app::paleo_simulate_command.run, {path_of("nin"), "--format", "csv", "--correct", all});
        const auto together =
            run(app::paleo_simulate_command.run, {path_of("nin"), "--format", "csv", "--correct", "all"});
        QCOMPARE(named.code, 0);
        QCOMPARE(named.out, together.out);
        QVERIFY(named.out != plain.out);
    }

    void wrong_usage_data() {
        QTest::addColumn<bool>("profile");
        QTest::addColumn<QStringList>("words");
        QTest::addColumn<int>("code");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, bool profile, QStringList words, int code, const char* says) {
            QTest::newRow(name) << profile << words << code << says;
        };
        const QString nin = QString::fromStdString(path_of("nin"));
        row("no network", true, {}, 2, "NETWORK");
        row("unknown option", true, {nin, "--devise", "K40"}, 2, "--device");
        row("unknown device", true, {nin, "--device", "K41"}, 1, "did you mean K40?");
        row("unknown link", false, {nin, "--network", "etherne"}, 1, "did you mean ethernet?");
        row("unknown network", true, {"nni"}, 1, "no network called \"nni\"");
        row("winograd", true, {nin, "--algorithm", "fwd_6"}, 2, "Winograd");
        row("algorithm", true, {nin, "--algorithm", "fft"}, 2, "fwd_4");
        row("no workers", false, {nin, "--workers", "0"}, 2, "workers");
        row("negative batch", false, {nin, "--batch", "-1"}, 2, "batch");
        row("percent", false, {nin, "--ppp-comp", "0"}, 2, "ppp-comp");
        row("era", false, {nin, "--era", "middle"}, 2, "head");
        row("broken file", true,
            {QString::fromStdString(std::string(SCALESCOPE_TEST_DATA) + "/paleo/layers_static.csv")}, 1,
            "layers_static.csv:1:1:");
    }
    void wrong_usage() {
        QFETCH(bool, profile);
        QFETCH(QStringList, words);
        QFETCH(int, code);
        QFETCH(QString, says);
        Words list;
        for (const auto& word : words) list.push_back(word.toStdString());
        const auto ran = run(profile ? app::paleo_profile_command.run : app::paleo_simulate_command.run, list);
        QCOMPARE(ran.code, code);
        QVERIFY2(ran.err.find(says.toStdString()) != std::string::npos, ran.err.c_str());
        QVERIFY(ran.out.empty());
    }

    void help_has_an_example_that_works() {
        for (const auto* command : {&app::paleo_profile_command, &app::paleo_simulate_command}) {
            const auto help = run(command->run, {"--help"});
            QCOMPARE(help.code, 0);
            QVERIFY(help.out.find(command->example) != std::string::npos);
            Words words;
            std::istringstream stream{std::string(command->example)};
            for (std::string word; stream >> word;) words.push_back(word);
            words.erase(words.begin(), words.begin() + 3);
            const auto ran = run(command->run, words);
            QVERIFY2(ran.code == 0, ran.err.c_str());
        }
    }
};

QTEST_APPLESS_MAIN(TestPaleoCommands)
#include "tst_paleo_commands.moc"
