// SPDX-License-Identifier: GPL-3.0-or-later
// Clusters by name in the window: one choice for device, nodes and links, and one step of undo.
#include <QApplication>
#include <QUndoStack>
#include <functional>
#include <tuple>

#include "core/formats/catalogue_json.hpp"
#include "core/formats/library.hpp"
#include "support_window.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/number_field.hpp"

using namespace scalescope;
using namespace scalescope::ui;

class ClusterPanelTest : public QObject, window_test::WindowFixture {
    Q_OBJECT

    QString cluster() { return find<Combo>("cluster")->current_text(); }
    void take(const char* id) {
        emit find<Combo>("cluster")->chosen(QLatin1String(id));
        settle();
    }

private slots:
    void initTestCase() { prepare(); }
    void init() { open(); }
    void cleanup() { window_.reset(); }

    void a_cluster_sets_all_in_one_step() {
        QCOMPARE(cluster(), QStringLiteral("Custom"));
        const Scenario before = scenario();
        const int steps = window_->document().history().index();
        take("dgx-1-p100");
        QCOMPARE(cluster(), QStringLiteral("DGX-1 (P100)"));
        QCOMPARE(scenario().cluster.device.id, std::string("tesla-p100-sxm2-16gb"));
        QCOMPARE(scenario().cluster.workers, std::int64_t{32});
        QCOMPARE(scenario().cluster.devices_per_node, std::int64_t{8});
        QCOMPARE(scenario().cluster.nics_per_node, std::int64_t{4});
        QCOMPARE(scenario().cluster.inside.id, std::string("nvlink-1"));
        QCOMPARE(scenario().cluster.between.id, std::string("infiniband-edr"));
        QCOMPARE(find<Combo>("device")->current(), QStringLiteral("tesla-p100-sxm2-16gb"));
        QCOMPARE(find<NumberField>("nodes")->value(), 4.0);
        QCOMPARE(find<NumberField>("perNode")->value(), 8.0);
        QCOMPARE(window_->document().history().index(), steps + 1);
        QCOMPARE(window_->document().history().undoText(), QStringLiteral("Cluster"));
        window_->document().history().undo();
        QVERIFY(scenario() == before);
        QCOMPARE(cluster(), QStringLiteral("Custom"));
        window_->document().history().redo();
        QCOMPARE(cluster(), QStringLiteral("DGX-1 (P100)"));
    }

    void what_differs_is_custom() {
        take("dgx-a100");
        find<NumberField>("nodes")->choose(2);  // how many there are is no matter of the cluster
        QCOMPARE(cluster(), QStringLiteral("DGX A100"));
        find<NumberField>("perNode")->choose(4);
        QCOMPARE(cluster(), QStringLiteral("Custom"));
        find<NumberField>("perNode")->choose(8);
        QCOMPARE(cluster(), QStringLiteral("DGX A100"));
        emit find<Combo>("between")->chosen(QStringLiteral("ethernet-10g"));
        QCOMPARE(cluster(), QStringLiteral("Custom"));
        emit find<Combo>("between")->chosen(QStringLiteral("dgx-a100-hdr"));
        QCOMPARE(cluster(), QStringLiteral("DGX A100"));
        Scenario edited = scenario();
        edited.cluster.device.memory_bandwidth = edited.cluster.device.memory_bandwidth * 2;
        window_->document().edit(edited);
        QCOMPARE(cluster(), QStringLiteral("Custom"));
    }

    void there_are_no_more_nodes_than_there_are() {
        take("devbox-titan-x");
        QCOMPARE(scenario().cluster.workers, std::int64_t{4});
        QCOMPARE(cluster(), QStringLiteral("Workstation, 4 × TITAN X"));
        find<NumberField>("nodes")->choose(2);
        QCOMPARE(cluster(), QStringLiteral("Custom"));
    }

    void a_device_without_the_precision_trains_in_fp32() {
        Scenario s = scenario();
        take("dgx-h100");
        s = scenario();
        s.training.precision = Precision::bf16;
        window_->document().edit(s);
        take("titan");
        QCOMPARE(scenario().training.precision, Precision::fp32);
        settle();
        QVERIFY(window_->result()->estimate);
    }

    /// Lists understand names as drivers and tables write them, if nothing in them contains the words.
    void names_as_others_write_them() {
        const std::tuple<const char*, const char*, std::function<std::string()>, const char*> cases[] = {
            {"device", "NVIDIA H100 80GB HBM3", [this] { return scenario().cluster.device.id; }, "h100-sxm-80gb"},
            {"between", "8x HDR IB 200Gb/s", [this] { return scenario().cluster.between.id; }, "infiniband-hdr"},
            {"inside", "NVLink4 in node", [this] { return scenario().cluster.inside.id; }, "nvswitch-4"},
            {"network", "meta-llama/Meta-Llama-3-8B", [this] { return std::string(scenario().network()->name()); },
             "Llama 3 8B"}};
        for (const auto& [list, text, now, id] : cases) {
            auto* combo = find<Combo>(list);
            combo->open(QString::fromLatin1(text));
            QVERIFY(combo->is_open());
            QTest::keyClick(QApplication::activePopupWidget(), Qt::Key_Return);
            settle();
            QVERIFY2(now() == id, (std::string(text) + ": " + now()).c_str());
        }
    }

    void case_studies_name_their_cluster() {
        window_->open_scenario_preset(QStringLiteral("firecaffe-nin"));
        settle();
        QCOMPARE(cluster(), QStringLiteral("FireCaffe, K20X"));
    }
};

QTEST_MAIN(ClusterPanelTest)
#include "tst_cluster_panel.moc"
