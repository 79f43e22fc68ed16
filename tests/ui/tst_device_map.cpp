// SPDX-License-Identifier: GPL-3.0-or-later
// The page of the devices of a mesh, in the real window.
#include <QAbstractButton>
#include <QLabel>
#include <QMouseEvent>
#include <QToolButton>

#include "support_window.hpp"
#include "ui/charts/chart_export.hpp"
#include "ui/charts/device_map_chart.hpp"
#include "ui/charts/device_map_words.hpp"
#include "ui/design/names.hpp"
#include "ui/document/document.hpp"
#include "ui/inspect/device_map_page.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/card.hpp"
#include "ui/widgets/key_figures.hpp"
#include "ui/widgets/order_chips.hpp"

using namespace scalescope;
using namespace scalescope::ui;
using drawing::DeviceGrid;

class DeviceMapTest : public QObject, window_test::WindowFixture {
    Q_OBJECT

    DeviceMapChart* map() { return find<DeviceMapChart>("deviceMap"); }
    QString text(const char* label) { return find<QLabel>(label)->text(); }
    QString title() { return find<CardTitle>("mapDevice")->title(); }
    QString figure(const QString& name) {
        const auto& figures = find<KeyFigures>("mapFigures")->figures();
        for (int i = 0; i < figures.rowCount(); ++i)
            if (figures.row(i).name == name) return figures.row(i).now;
        return {};
    }
    void hover(std::int64_t device) {
        const QPoint at = map()->cell_box(device).center().toPoint();
        QTest::mouseMove(map(), at - QPoint(1, 1));
        QTest::mouseMove(map(), at);
    }
    /// 512 H100 as 4 pipeline × 16 data × 8 tensor.
    void open_llama(std::int64_t workers = 512, std::int64_t pipeline = 4) {
        window_->open_scenario_preset(QStringLiteral("llama-3-70b-h100"));
        settle();
        Scenario s = scenario();
        s.cluster.workers = workers;
        s.cluster.devices_per_node = 8;
        s.parallelism.pipeline = pipeline;
        s.parallelism.tensor = 8;
        s.parallelism.context = 1;
        s.parallelism.axis_order = AxisOrder::tensor_context_data_pipeline;
        window_->document().edit(s);
        settle();
        open_page("device-map");
        if (!map()->map()) qFatal("no map");
    }

private slots:
    void initTestCase() { prepare(); }
    void init() { open(); }
    void cleanup() { window_.reset(); }

    void the_tab_is_there_where_there_is_a_mesh() {
        auto* tab = window_->findChild<BottomTabs*>()->tab(QStringLiteral("device-map"));
        QVERIFY(!tab->isHidden());
        Scenario s = scenario();
        s.cluster.workers = 1;
        window_->document().edit(s);
        settle();
        QVERIFY(tab->isHidden());
        window_->open_scenario_preset(QStringLiteral("alexnet-cpu-cluster"));
        settle();
        QVERIFY(tab->isHidden());
    }

    void details_are_those_of_the_device_under_the_hand() {
        open_llama();
        QCOMPARE(title(), QStringLiteral("Device 0"));
        hover(137);
        QCOMPARE(title(), QStringLiteral("Device 137"));
        QCOMPARE(text("mapPlace"), QStringLiteral("stage 1 · data 1 · tensor 1"));
        QCOMPARE(text("mapGroup0"), QStringLiteral("tensor 8"));
        QVERIFY(text("mapRanks0").startsWith(QStringLiteral("136 to 143")));
        QVERIFY(text("mapRanks0").contains(QString::fromStdString(scenario().cluster.inside.name)));
        QVERIFY(text("mapRanks1").startsWith(QStringLiteral("129 to 249 in steps of 8")));
        QVERIFY(text("mapRanks1").contains(QString::fromStdString(scenario().cluster.between.name)));
        QVERIFY(text("mapRanks2").startsWith(QStringLiteral("9 to 393 in steps of 128")));
        QVERIFY(text("mapBusy0").contains(QLatin1Char('%')));
        QVERIFY(find<QLabel>("mapGroup3")->isHidden());
        QVERIFY(figure(QStringLiteral("Layers")).startsWith(QStringLiteral("1/8 of ")));
        QVERIFY(figure(QStringLiteral("Memory, peak")).contains(QStringLiteral(" of 80")));
        QVERIFY(map()->tooltip_text().isEmpty());  // beside the map, never over it
        // Without the pointer, the held one again.
        QTest::mouseClick(map(), Qt::LeftButton, {}, map()->cell_box(300).center().toPoint());
        hover(5);
        QCOMPARE(title(), QStringLiteral("Device 5"));
        QTest::mouseMove(map(), QPoint(map()->width() - 3, map()->height() - 3));
        QCOMPARE(title(), QStringLiteral("Device 300"));
        QVERIFY(map()->description().contains(QStringLiteral("Device 300, node 37, device 4 in it.")));
    }

    void arrows_move_the_held_device() {
        open_llama();
        map()->setFocus();
        QCOMPARE(map()->grid().level(), DeviceGrid::Level::devices);
        QTest::keyClick(map(), Qt::Key_Right);
        QCOMPARE(title(), QStringLiteral("Device 1"));
        QTest::keyClick(map(), Qt::Key_Down);
        QCOMPARE(title(), QStringLiteral("Device 3"));
        QTest::keyClick(map(), Qt::Key_Right, Qt::ShiftModifier);
        QCOMPARE(title(), QStringLiteral("Device 4"));
        QTest::keyClick(map(), Qt::Key_End);
        QCOMPARE(title(), QStringLiteral("Device 511"));
        QTest::keyClick(map(), Qt::Key_Right);
        QCOMPARE(map()->held(), 511);
        map()->refresh();
        QVERIFY(map()->accessibleDescription().contains(QStringLiteral("Device 511")));
        // An edit keeps it; with fewer devices the last one is shown.
        Scenario s = scenario();
        s.training.batch *= 2;
        window_->document().edit(s);
        settle();
        QCOMPARE(title(), QStringLiteral("Device 511"));
        s.cluster.workers = 256;
        window_->document().edit(s);
        settle();
        QCOMPARE(title(), QStringLiteral("Device 255"));
        window_->document().history().undo();
        settle();
        QCOMPARE(title(), QStringLiteral("Device 511"));
    }

    void colours_are_ranks_of_the_chosen_axis() {
        open_llama();
        const Theme& t = theme();
        QCOMPARE(map()->colours(), MeshAxis::pipeline);
        for (const std::int64_t device : {0, 127, 128, 300, 511})
            QCOMPARE(map()->colour_of(device), t.rank(device / 128, 4));
        auto* colours = find<SegmentedControl>("mapColours");
        QCOMPARE(colours->current(), id_of(MeshAxis::pipeline));
        colours->button(id_of(MeshAxis::tensor))->click();
        for (const std::int64_t device : {0, 7, 8, 137}) QCOMPARE(map()->colour_of(device), t.rank(device % 8, 8));
        colours->button(id_of(MeshAxis::data))->click();
        QCOMPARE(map()->colour_of(137), t.rank(1, 16));
        // Of an axis that is gone, the outermost instead.
        Scenario s = scenario();
        s.parallelism.tensor = 1;
        colours->button(id_of(MeshAxis::tensor))->click();
        window_->document().edit(s);
        settle();
        QCOMPARE(map()->colours(), MeshAxis::pipeline);
        QVERIFY(!colours->button(id_of(MeshAxis::tensor)));
    }

    void another_order_is_one_step_to_undo() {
        open_llama();
        hover(137);
        auto* order = find<OrderChips>("mapOrder");
        const QStringList outermost_first{id_of(MeshAxis::pipeline), id_of(MeshAxis::data), id_of(MeshAxis::tensor)};
        QCOMPARE(order->order(), outermost_first);
        auto* pipeline = order->chip(outermost_first[0]);
        QCOMPARE(pipeline->accessibleName(), QStringLiteral("pipeline, 1 of 3"));
        QVERIFY(
            pipeline->accessibleDescription().startsWith(QStringLiteral("Neighbours on this axis are 128 devices")));
        const AxisOrder before = scenario().parallelism.axis_order;
        auto& history = window_->document().history();
        const int steps = history.index();
        // Dragged over both others: the map follows at each, and it is one step to undo.
        const QPoint from(4, pipeline->height() / 2);
        QTest::mousePress(pipeline, Qt::LeftButton, {}, from);
        for (int x = 10; x < order->width(); x += 10) {
            const QPoint at = pipeline->mapFromParent(QPoint(pipeline->x() + 20, from.y()));
            QMouseEvent move(QEvent::MouseMove, at, pipeline->mapToGlobal(at), Qt::NoButton, Qt::LeftButton, {});
            QApplication::sendEvent(pipeline, &move);
        }
        QVERIFY(window_->document().dragging());
        QTest::mouseRelease(pipeline, Qt::LeftButton, {}, from);
        QVERIFY(!window_->document().dragging());
        settle();
        QCOMPARE(order->order(), (QStringList{outermost_first[1], outermost_first[2], outermost_first[0]}));
        QCOMPARE(laid_out(scenario().parallelism.axis_order, *degrees_of(scenario())).axes,
                 (std::vector{MeshAxis::pipeline, MeshAxis::tensor, MeshAxis::data}));
        QVERIFY(pipeline->accessibleDescription().startsWith(QStringLiteral("Neighbours on this axis are the next")));
        QVERIFY(text("mapPlace") != QStringLiteral("stage 1 · data 1 · tensor 1"));
        QCOMPARE(history.index(), steps + 1);
        history.undo();
        settle();
        QCOMPARE(scenario().parallelism.axis_order, before);
        QCOMPARE(order->order(), outermost_first);
        QCOMPARE(text("mapPlace"), QStringLiteral("stage 1 · data 1 · tensor 1"));
        // By keys, a step each.
        auto* tensor = order->chip(outermost_first[2]);
        tensor->setFocus();
        QTest::keyClick(tensor, Qt::Key_Left, Qt::AltModifier);
        settle();
        QCOMPARE(order->order(), (QStringList{outermost_first[0], outermost_first[2], outermost_first[1]}));
        QVERIFY(tensor->hasFocus());
        QCOMPARE(history.index(), steps + 1);
    }

    /// Experts are divided within a stage, so that stages stay apart.
    void no_axis_moves_where_experts_would_be_torn_apart() {
        window_->open_scenario_preset(QStringLiteral("deepseek-v3-h100"));
        settle();
        Scenario s = scenario();
        s.parallelism.tensor = 2;
        window_->document().edit(s);
        settle();
        open_page("device-map");
        QVERIFY(map()->map() && map()->map()->mesh.expert > 1);
        auto* order = find<OrderChips>("mapOrder");
        const QStringList before = order->order();
        QVERIFY(before.size() >= 3 && before[0] == id_of(MeshAxis::pipeline));
        const int steps = window_->document().history().index();
        for (const QString& id : before.mid(0, 2))
            QTest::keyClick(order->chip(id), id == before[0] ? Qt::Key_Right : Qt::Key_Left, Qt::AltModifier);
        QCOMPARE(order->order(), before);
        QCOMPARE(window_->document().history().index(), steps);
        QTest::keyClick(order->chip(before[1]), Qt::Key_Right, Qt::AltModifier);
        settle();
        QCOMPARE(order->order(), (QStringList{before[0], before[2], before[1]} + before.mid(3)));
        QVERIFY(map()->map());
    }

    /// A node of eight fills the map; Escape leads back, from each depth.
    void a_folded_cell_unfolds() {
        resize(1440, 1000);  // room for the nodes under the legend of any axis
        open_llama(16384, 16);
        auto* back = find<QToolButton>("mapBack");
        QVERIFY(back->isHidden());
        QTest::mouseDClick(map(), Qt::LeftButton, {}, map()->cell_box(8000).center().toPoint());
        map()->refresh();
        QVERIFY(map()->unfolded() && !back->isHidden());
        QCOMPARE(map()->grid().level(), DeviceGrid::Level::devices);
        QCOMPARE(map()->grid().cells(), 8);
        QVERIFY(map()->grid().cell() > DeviceGrid::most);
        QVERIFY(map()->cell_box(7999).isEmpty() && map()->cell_box(8008).isEmpty());
        QVERIFY(map()->description().contains(QStringLiteral("node 1,000 of 2,048")));
        QCOMPARE(title(), QStringLiteral("Device 8,000"));
        find<SegmentedControl>("mapColours")->button(id_of(MeshAxis::tensor))->click();
        for (const std::int64_t device : {8000, 8003, 8007})
            QCOMPARE(map()->colour_of(device), theme().rank(device % 8, 8));
        hover(8005);
        QCOMPARE(title(), QStringLiteral("Device 8,005"));
        QTest::mouseClick(map(), Qt::LeftButton, {}, map()->cell_box(8005).center().toPoint());
        // Keys stay within it, and there is nothing more to unfold.
        map()->setFocus();
        QTest::keyClick(map(), Qt::Key_End);
        QCOMPARE(map()->held(), 8007);
        QTest::keyClick(map(), Qt::Key_Right, Qt::ShiftModifier);
        QCOMPARE(map()->held(), 8007);
        QTest::keyClick(map(), Qt::Key_Home);
        QCOMPARE(map()->held(), 8000);
        QTest::keyClick(map(), Qt::Key_Return);
        QTest::keyClick(map(), Qt::Key_Escape);
        map()->refresh();
        QVERIFY(!map()->unfolded() && back->isHidden());
        QCOMPARE(map()->grid().level(), DeviceGrid::Level::nodes);
        QCOMPARE(map()->held(), 8000);
        QTest::keyClick(map(), Qt::Key_Return);
        map()->refresh();
        QVERIFY(map()->unfolded());
        back->click();
        QVERIFY(!map()->unfolded());
        QTest::keyClick(map(), Qt::Key_Return);
        // Another number of devices shows all of them.
        Scenario s = scenario();
        s.cluster.workers = 8192;
        window_->document().edit(s);
        settle();
        QVERIFY(!map()->unfolded() && back->isHidden());
    }

    /// A rack unfolds into nodes or devices until each cell is a device.
    void racks_unfold_too() {
        DeviceMap racks;
        racks.mesh.data = 1 << 20;
        racks.devices_per_node = 8;
        racks.memory = {{}};
        racks.waiting = {{}};
        racks.traffic = {{}};
        DeviceMapChart chart;
        chart.resize(600, 300);
        chart.show();
        chart.set_map(std::make_shared<const DeviceMap>(racks));
        chart.refresh();
        QCOMPARE(chart.grid().level(), DeviceGrid::Level::racks);
        int depth = 0;
        for (; chart.grid().devices_in_cell() > 1; ++depth, chart.refresh()) {
            QVERIFY(depth < 5);
            chart.unfold(777'777);
        }
        QVERIFY(depth >= 1 && !chart.cell_box(777'777).isEmpty());
        for (; depth > 0; --depth) {
            QVERIFY(chart.unfolded());
            QTest::keyClick(&chart, Qt::Key_Escape);
        }
        QVERIFY(!chart.unfolded());
    }

    /// A node is one cell, and one painting takes no longer than a part of a frame.
    void sixteen_thousand_devices() {
        resize(1440, 1000);  // room for the nodes
        open_llama(16384, 16);
        QCOMPARE(map()->map()->devices(), 16384);
        QCOMPARE(map()->grid().level(), DeviceGrid::Level::nodes);
        QCOMPARE(map()->grid().devices_in_cell(), 8);
        hover(8000);
        QCOMPARE(title(), QStringLiteral("Device 8,000"));
        find<SegmentedControl>("mapColours")->button(id_of(MeshAxis::tensor))->click();
        QCOMPARE(map()->colour_of(0), theme().ideal);  // each node has all tensor ranks
        double least = 1e9;
        for (int i = 0; i < 20; ++i) {
            hover(i * 800);
            map()->refresh();
            QCoreApplication::processEvents();
            least = std::min(least, map()->draw_ms());
        }
        qInfo("%lld cells in %.2f ms", static_cast<long long>(map()->grid().cells()), least);
        QVERIFY2(least < 15, qPrintable(QString::number(least)));
        // Its table has a row for each node.
        const ChartTable table = map()->table();
        QCOMPARE(table.rows.size(), 2048U);
        QVERIFY(table.rows[5][0] == ChartCell(40.0) && table.rows[5][1] == ChartCell(8.0));
        QVERIFY(chart_csv(*map()).contains("device,devices,node"));
    }

    void nothing_of_it_without_a_mesh() {
        open_llama();
        Scenario s = scenario();
        s.model.method = Method::paleo_head;
        window_->document().edit(s);
        settle();
        QVERIFY(!map()->map());
        QVERIFY(map()->is_empty());
        QVERIFY(!map()->description().isEmpty());
        QCOMPARE(title(), QStringLiteral("Device"));
        window_->document().history().undo();
        settle();
        QVERIFY(map()->map());
    }
};

QTEST_MAIN(DeviceMapTest)
#include "tst_device_map.moc"
