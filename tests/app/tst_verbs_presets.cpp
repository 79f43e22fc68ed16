// SPDX-License-Identifier: GPL-3.0-or-later
#include <filesystem>
#include <fstream>

#include "core/formats/catalogue_json.hpp"
#include "core/formats/scenario_json.hpp"
#include "core/scenario/fields.hpp"
#include "support_verbs.hpp"

using namespace support;

class TestVerbsPresets : public QObject {
    Q_OBJECT

    OwnFiles files_;

private slots:
    void init() { files_.hide_presets_of_the_person(); }

    void lists() {
        const auto library = formats::load_shipped();
        QCOMPARE(rows({"list", "devices"}).size(), static_cast<qsizetype>(library.catalogue.devices.size()));
        QCOMPARE(rows({"list", "links"}).size(), static_cast<qsizetype>(library.catalogue.links.size()));
        QCOMPARE(rows({"list", "networks"}).size(), static_cast<qsizetype>(library.networks.size()));
        QCOMPARE(rows({"list", "scenarios"}).size(), static_cast<qsizetype>(library.scenarios.size()));
        const auto clusters = rows({"list", "clusters"});
        QCOMPARE(clusters.size(), static_cast<qsizetype>(library.catalogue.clusters.size()));
        for (const auto& row : clusters) {
            const auto c = row.toObject();
            if (c["id"] != QStringLiteral("dgx-2")) continue;
            QCOMPARE(c["devices_per_node"].toInteger(), qint64{16});
            QCOMPARE(c["link_between"].toString(), QStringLiteral("infiniband-edr"));
            QVERIFY(c["nodes"].isNull());
        }
        QVERIFY(contains(
            run({"list", "clusters", "--format", "csv"}).out,
            "\ndevbox-titan-x,\"Workstation, 4 × TITAN X\",NVIDIA,geforce-gtx-titan-x-maxwell,4,1,pcie-3-x16,,1,\n"));
        QVERIFY(contains(run({"list", "clusters"}).out, "DGX A100"));
        QCOMPARE(rows({"list", "ways"}).size(), static_cast<qsizetype>(library.catalogue.ways.size()));
        const auto fields = rows({"list", "fields"});
        const auto known = static_cast<qsizetype>(all_fields().size());
        QCOMPARE(fields.size(), known + 1);
        QCOMPARE(fields.last().toObject()["path"].toString(), QStringLiteral("symbols.NAME"));
        // a scenario's networks have their own, or none
        const auto of_t5 = rows({"list", "fields", "example", "--set", "network=t5-base"});
        QCOMPARE(of_t5.size(), known + 2);
        QCOMPARE(of_t5[known].toObject()["path"].toString(), QStringLiteral("symbols.sequence"));
        QCOMPARE(of_t5[known + 1].toObject()["path"].toString(), QStringLiteral("symbols.source_sequence"));
        QCOMPARE(of_t5[known].toObject()["label"].toString(), QStringLiteral("Sequence length"));
        QCOMPARE(rows({"list", "fields", "example"}).size(), known);
        QCOMPARE(run({"list", "links", "example"}).code, exit_usage);
        QCOMPARE(run({"list", "fields", "--set", "network=t5-base"}).code, exit_usage);
        QCOMPARE(fields[0].toObject()["path"].toString(), QStringLiteral("training.batch"));
        for (const auto& row : rows({"list", "networks"})) QVERIFY(row.toObject()["layers"].toInteger() > 0);
    }

    void presets_of_ones_own() {
        namespace fs = std::filesystem;
        const auto library = formats::load_shipped();
        const fs::path data = (files_.folder() + QStringLiteral("/data")).toStdString(), own = data / "scalescope";
        for (const char* kind : {"devices", "links", "clusters", "networks", "scenarios"})
            fs::create_directories(own / kind);
        Device device = *library.catalogue.device("tesla-k80");
        device.id = "my-gpu";
        device.memory_bandwidth = BytesPerSecond{777e9};
        QVERIFY(write_file((own / "devices/mine.json").string(), formats::write_devices(std::vector{device})));
        Link link = library.catalogue.links.front();
        link.id = "my-link";
        QVERIFY(write_file((own / "links/mine.json").string(), formats::write_links(std::vector{link})));
        ClusterPreset room = *library.catalogue.cluster("dgx-2");
        room.id = "my-room";
        room.device = "my-gpu";
        QVERIFY(write_file((own / "clusters/mine.json").string(), formats::write_clusters(std::vector{room})));
        QVERIFY(write_file((own / "networks/my-net.json").string(), library.find_network("nin")->text));
        auto scenario = preset("example");
        scenario.cluster.device = device;
        QVERIFY(write_file((own / "scenarios/my-study.json").string(), formats::write_scenario(scenario, library)));
        qputenv("XDG_DATA_HOME", QByteArray::fromStdString(data.string()));

        const auto listed = [](const char* what, const char* id) {
            for (const auto& row : rows({"list", what}))
                if (row.toObject()["id"].toString() == QLatin1String(id)) return row.toObject()["own"].toString();
            return QStringLiteral("not listed");
        };
        QCOMPARE(listed("devices", "my-gpu"), QStringLiteral("own"));
        QCOMPARE(listed("devices", "tesla-k80"), QString());
        QCOMPARE(listed("links", "my-link"), QStringLiteral("own"));
        QCOMPARE(listed("clusters", "my-room"), QStringLiteral("own"));
        QCOMPARE(listed("clusters", "dgx-2"), QString());
        QCOMPARE(listed("networks", "my-net"), QStringLiteral("own"));
        QCOMPARE(listed("networks", "nin"), QString());
        QCOMPARE(listed("scenarios", "my-study"), QStringLiteral("own"));
        QCOMPARE(rows({"analyse", "network", "my-net"}), rows({"analyse", "network", "nin"}));
        const auto study = rows({"estimate", "my-study"});
        QVERIFY(!study.empty());
        QCOMPARE(rows({"estimate", "example", "--set", "cluster.device=my-gpu"}), study);
        const auto quiet =
            run({"sweep", "example", "--vary", "cluster.device=my-gpu,tesla-k80", "--vary", "cluster.between=my-link"});
        // Nothing but the price that the costs rest on.
        QVERIFY2(quiet.code == 0 && quiet.err.starts_with("epoch_cost: Tesla K80"), quiet.err.c_str());
        QCOMPARE(std::count(quiet.err.begin(), quiet.err.end(), '\n'), 1);

        // What is wrong in there is said, and stands in nobody's way.
        QVERIFY(write_file((own / "networks/broken.json").string(), "{\n  oops"));
        device.id = "tesla-k80";
        QVERIFY(write_file((own / "devices/other.json").string(), formats::write_devices(std::vector{device})));
        const auto ran = run({"estimate", "example"});
        QCOMPARE(ran.code, 0);
        QVERIFY(!ran.out.empty());
        QVERIFY2(contains(ran.err, (own / "networks/broken.json").string() + ":2:"), ran.err.c_str());
        QVERIFY2(contains(ran.err, (own / "devices/other.json").string() + ": warning: \"tesla-k80\""),
                 ran.err.c_str());
        QCOMPARE(listed("devices", "tesla-k80"), QStringLiteral("own"));
        for (const Words& words : {Words{"paleo", "profile", "nin"}, Words{"paleo", "simulate", "nin"}}) {
            const auto paleo = run(words);
            QCOMPARE(paleo.code, 0);
            // Said once.
            const auto at = paleo.err.find("broken.json:2:");
            QVERIFY2(at != std::string::npos && paleo.err.find("broken.json:2:", at + 1) == std::string::npos,
                     paleo.err.c_str());
        }
    }

    void presets_all_estimate() {
        for (const auto& known : formats::load_shipped().scenarios) {
            const auto ran = run({"estimate", known.id, "--format", "csv"});
            QVERIFY2(ran.code == 0, (known.id + ": " + ran.err).c_str());
            QVERIFY(ran.out.starts_with("figure,value,unit\nworkers,") ||
                    ran.out.starts_with("figure,value,unit\nmachines,"));
        }
    }
};

QTEST_APPLESS_MAIN(TestVerbsPresets)
#include "tst_verbs_presets.moc"
