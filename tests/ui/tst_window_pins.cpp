// SPDX-License-Identifier: GPL-3.0-or-later
// Designs pinned beside the open one: pinned, compared, renamed, moved, swapped, unpinned, saved, undone.
#include <QAction>
#include <QInputDialog>
#include <QLineEdit>
#include <QToolButton>

#include "support_window.hpp"
#include "ui/charts/layer_time_chart.hpp"
#include "ui/charts/speedup_chart.hpp"
#include "ui/charts/step_time_chart.hpp"
#include "ui/inspect/numbers_panel.hpp"
#include "ui/widgets/key_figures.hpp"
#include "ui/widgets/pin_row.hpp"

using namespace scalescope;
using namespace scalescope::ui;

class TestWindowPins : public QObject, private window_test::WindowFixture {
    Q_OBJECT

    Document& document() { return window_->document(); }
    QAction& pin_action() { return *window_->findChild<QAction*>(QStringLiteral("pin")); }
    NumbersPanel& numbers() { return *window_->findChild<NumbersPanel*>(); }
    const KeyFigure& figure(const char* id) {
        const KeyFigureModel& model = numbers().figures()->figures();
        for (int i = 0; i < model.rowCount(); ++i)
            if (model.row(i).id == QLatin1String(id)) return model.row(i);
        qFatal("no figure %s", id);
    }
    PinRow* row(int index) { return window_->findChild<PinRow*>(QStringLiteral("pin%1").arg(index)); }
    void set_workers(std::int64_t workers) {
        Scenario s = document().scenario();
        s.cluster.workers = workers;
        document().edit(std::move(s));
        settle();
    }
    std::vector<std::string> names() {
        std::vector<std::string> all;
        for (const Pin& p : document().pins()) all.push_back(p.name);
        return all;
    }

private slots:
    void initTestCase() { prepare(); }
    void init() { open(); }
    void cleanup() { window_.reset(); }

    void the_key_pins_and_every_chart_shows_it() {
        QCOMPARE(pin_action().iconText(), QStringLiteral("Pin A"));
        QVERIFY(numbers().figures()->isColumnHidden(KeyFigureModel::pinned_column));
        window_->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(window_.get()));
        QTest::keyClick(window_.get(), Qt::Key_K, Qt::ControlModifier);
        settle();
        QCOMPARE(document().pins().size(), std::size_t{1});
        QCOMPARE(pin_action().iconText(), QStringLiteral("Pin B"));
        QVERIFY(row(0) && row(0)->isVisible() && row(0)->compared());
        const double pinned = window_->result()->estimate->summary.step.value;
        set_workers(256);
        const LayerTimeData& layers = find<LayerTimeChart>("layerChart")->data();
        QCOMPARE(layers.pins.size(), std::size_t{1});
        QCOMPARE(layers.pins[0].name, QStringLiteral("A"));
        double sum = 0;
        for (const auto& total : layers.pins[0].totals) sum += total.value_or(Seconds{}).value;
        QVERIFY(std::abs(sum - pinned) < 1e-9 * pinned);
        const SpeedupData& speedup = window_->findChild<SpeedupChart*>()->data();
        QCOMPARE(speedup.pins.size(), std::size_t{1});
        // The same design but for the workers: its curve is that of the open one.
        for (const SpeedupPoint& p : speedup.pins[0].points)
            for (const SpeedupPoint& q : speedup.curves[static_cast<std::size_t>(speedup.shown)].points)
                if (p.workers == q.workers) QCOMPARE(p.speedup, q.speedup);
        QCOMPARE(window_->findChild<StepTimeChart*>()->series().contains(QStringLiteral("pin0")), true);
        QVERIFY(!numbers().figures()->isColumnHidden(KeyFigureModel::pinned_column));
    }

    void differences_are_told_with_sign_and_mark() {
        set_workers(1);
        pin_action().trigger();
        settle();
        QCOMPARE(figure("step").difference, QStringLiteral("="));
        QCOMPARE(figure("step").change, Change::same);
        Scenario s = document().scenario();
        s.cluster.device.peak[static_cast<std::size_t>(Precision::fp32)]->value *= 2;
        s.cluster.device.memory_bandwidth.value *= 2;
        document().edit(std::move(s));
        settle();
        QCOMPARE(figure("forward").difference, QString::fromUtf8("−50.0\u00A0%"));
        QCOMPARE(figure("forward").change, Change::better);
        QCOMPARE(figure("throughput").difference, QString::fromUtf8("+100\u00A0%"));
        QVERIFY(figure("throughput").note.contains(QStringLiteral("A: ")));
        QCOMPARE(figure("epoch").unit, QStringLiteral("min"));  // one for both, as a number each
        QVERIFY2(
            figure("epoch").now.toDouble() > 1 && figure("epoch").pinned.toDouble() > figure("epoch").now.toDouble(),
            qPrintable(figure("epoch").now + QLatin1Char(' ') + figure("epoch").pinned));
        set_workers(64);
        QCOMPARE(figure("efficiency").change, Change::worse);
        QVERIFY2(figure("efficiency").difference.endsWith(QString::fromUtf8("\u00A0pp")),
                 qPrintable(figure("efficiency").difference));
        QCOMPARE(figure("communication").difference, QStringLiteral("new"));  // one worker sends nothing
    }

    void four_at_most_in_any_order() {
        for (int workers : {2, 4, 8, 16}) {
            set_workers(workers);
            QVERIFY(pin_action().isEnabled());
            pin_action().trigger();
            settle();
        }
        QVERIFY(!pin_action().isEnabled());
        document().pin();
        QCOMPARE(document().pins().size(), std::size_t{4});
        QTest::mouseClick(row(2), Qt::LeftButton, Qt::NoModifier, QPoint(60, 10));
        QCOMPARE(numbers().compared(), 2);
        row(2)->setFocus();
        QTest::keyClick(row(2), Qt::Key_Up, Qt::AltModifier);
        settle();
        QCOMPARE(document().pins()[1].scenario->cluster.workers, std::int64_t{8});
        QCOMPARE(document().pins()[2].scenario->cluster.workers, std::int64_t{4});
        QTest::keyClick(row(0), Qt::Key_Delete);
        settle();
        QCOMPARE(document().pins().size(), std::size_t{3});
        QVERIFY(!row(3) || !row(3)->isVisible());
        document().history().undo();
        document().history().undo();
        settle();
        QCOMPARE(document().pins()[2].scenario->cluster.workers, std::int64_t{8});
        QVERIFY(row(3)->isVisible());
    }

    void one_click_swaps_and_unpins() {
        set_workers(8);
        pin_action().trigger();
        set_workers(128);
        settle();
        const auto button = [&](const char* start) {
            for (auto* b : row(0)->findChildren<QToolButton*>())
                if (b->accessibleName().startsWith(QLatin1String(start))) return b;
            qFatal("no button %s", start);
        };
        QTest::mouseClick(button("Swap"), Qt::LeftButton);
        settle();
        QCOMPARE(document().scenario().cluster.workers, std::int64_t{8});
        QCOMPARE(document().pins()[0].scenario->cluster.workers, std::int64_t{128});
        QCOMPARE(document().history().undoText(), QStringLiteral("Swap with A"));
        QTest::mouseClick(button("Unpin"), Qt::LeftButton);
        settle();
        QVERIFY(document().pins().empty());
        document().history().undo();
        document().history().undo();
        settle();
        QCOMPARE(document().scenario().cluster.workers, std::int64_t{128});
        QCOMPARE(document().pins()[0].scenario->cluster.workers, std::int64_t{8});
    }

    void renamed_in_a_dialog() {
        pin_action().trigger();
        settle();
        row(0)->setFocus();
        QTest::keyClick(row(0), Qt::Key_F2);
        auto* dialog = window_->findChild<QInputDialog*>(QStringLiteral("renamePin"));
        QVERIFY(dialog);
        dialog->setTextValue(QStringLiteral("  what we have  "));
        dialog->accept();
        settle();
        QCOMPARE(names(), std::vector<std::string>{"what we have"});
        document().history().undo();
        QCOMPARE(names(), std::vector<std::string>{document().scenario().name});
    }

    void a_file_brings_them_back() {
        set_workers(8);
        pin_action().trigger();
        set_workers(64);
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("pinned.json"));
        QVERIFY(window_->save_to(file));
        window_->reset_to_example();
        settle();
        QVERIFY(document().pins().empty());
        window_->open(file);
        QVERIFY(window_->finish_opening());
        settle();
        QCOMPARE(document().pins().size(), std::size_t{1});
        QCOMPARE(document().pins()[0].scenario->cluster.workers, std::int64_t{8});
        QVERIFY(!document().dirty());
        QCOMPARE(figure("speedup").change, Change::better);
    }

    /// Another network has other layers: those of the same name are compared, the rest stand alone.
    void a_pin_of_another_network() {
        pin_action().trigger();
        window_->open_scenario_preset(QStringLiteral("inception-v3-k40"));
        settle();
        QCOMPARE(document().pins().size(), std::size_t{1});
        const LayerTimeData& layers = find<LayerTimeChart>("layerChart")->data();
        QCOMPARE(layers.pins.size(), std::size_t{1});
        for (std::size_t i = 0; i < layers.layers.size(); ++i)
            if (layers.layers[i].name.startsWith(QStringLiteral("mixed"), Qt::CaseInsensitive))
                QVERIFY(!layers.pins[0].totals[i]);
        QVERIFY(figure("step").difference != QStringLiteral("="));
    }
};

QTEST_MAIN(TestWindowPins)
#include "tst_window_pins.moc"
