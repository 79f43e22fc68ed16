// SPDX-License-Identifier: GPL-3.0-or-later
// Scenario files of CPU clusters: what they may leave out.
#include <QtTest>

#include "core/estimate/estimate.hpp"
#include "core/formats/scenario_json.hpp"
#include "support_library.hpp"

using namespace scalescope;
using namespace scalescope::formats;
using support::library;
using support::messages;

class ScenarioFileCpu : public QObject {
    Q_OBJECT

private slots:
    void a_cpu_cluster_names_no_device() {
        const auto of = [](const std::string& cluster, const std::string& model) {
            return read_scenario(
                R"({"format": "scalescope-scenario", "version": 1, "workload": [{"network": "alexnet-one-tower"}],
            "cluster": {"machine": "adam-like", "workers": 4)" +
                    cluster + R"(}, "model": {)" + model + "}}",
                "s.json", library());
        };
        const std::string cpu = R"("method": "cpu_cluster")",
                          links = R"(, "inside": "pcie-3-128", "between": "infiniband-70")";
        const auto read = of("", cpu);
        QVERIFY2(read.has_value(), read ? "" : messages(read.error()).c_str());
        QVERIFY(read->warnings.empty());
        const Scenario& s = read->scenario;
        QCOMPARE(s.cluster.device.id, std::string("paleo-k20"));
        QCOMPARE(s.cluster.inside.id, std::string("pcie-2-64"));
        QCOMPARE(s.cluster.between.id, std::string("ethernet-10"));
        const auto again = read_scenario(write_scenario(s, library()), "again.json", library());
        QVERIFY(again && write_scenario(again->scenario, library()) == write_scenario(s, library()));
        // No figure of a CPU cluster comes from them.
        const auto named = of(R"(, "device": "paleo-titan-x")" + links, cpu);
        QVERIFY(named.has_value());
        QCOMPARE(named->scenario.cluster.device.id, std::string("paleo-titan-x"));
        const auto e = estimate(s), other = estimate(named->scenario);
        QVERIFY(e && other);
        QVERIFY(e->summary == other->summary && e->memory.peak == other->memory.peak);
        // Each of them may be left out; what is there must be right.
        QCOMPARE(of(links, cpu)->scenario.cluster.between.id, std::string("infiniband-70"));
        QVERIFY(messages(of(R"(, "device": "no-such")", cpu).error()).find("no device called") != std::string::npos);
        for (const std::string model : {"", R"("method": "pipeline")", R"("method": 3)", R"("method": "cpu")"}) {
            const auto wrong = of("", model);
            QVERIFY(!wrong);
            for (const char* name : {"device", "inside", "between"})
                QVERIFY(messages(wrong.error()).find("\"" + std::string(name) + "\" is missing") != std::string::npos);
        }
        Library bare = library();
        bare.catalogue.devices.clear();
        const auto none = read_scenario(R"({"format": "scalescope-scenario", "version": 1, "workload": [],
        "cluster": {"machine": "adam-like"}, "model": {"method": "cpu_cluster"}})",
                                        "s.json", bare);
        QVERIFY(!none && messages(none.error()).find("\"device\" is missing") != std::string::npos);
    }
};

QTEST_APPLESS_MAIN(ScenarioFileCpu)
#include "tst_scenario_file_cpu.moc"
