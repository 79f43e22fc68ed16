// SPDX-License-Identifier: GPL-3.0-or-later
// Networks drawn by hand: palette, ports and keys of the real window; every gesture one undo step.
#include <QClipboard>
#include <QGuiApplication>

#include "support_drawing.hpp"
#include "ui/canvas/canvas_editor.hpp"
#include "ui/canvas/wire_item.hpp"
#include "ui/inspect/chart_mapping.hpp"

using namespace scalescope;
using namespace scalescope::ui;

class TestDrawingNetworks : public QObject, private window_test::DrawingFixture {
    Q_OBJECT

private slots:
    void initTestCase() { prepare(); }
    void cleanup() { window_.reset(); }

    void lenet_5_in_thirty_gestures() {
        new_network();
        QVERIFY(scene().boxes().empty());
        QVERIFY(document().draft());
        // The charts keep the last network, and say so.
        QVERIFY(window_->result()->estimate.has_value());
        add("input");
        type("shape", QStringLiteral("32x32x1"));
        add("convolution");
        type("filters", QStringLiteral("6"));
        type("kernel", QStringLiteral("5"));
        set_valid();
        add("pooling");
        set_size("kernel", 2);
        set_size("stride", 2);
        add("convolution");
        type("filters", QStringLiteral("16"));
        set_size("kernel", 5);
        set_valid();
        add("pooling");
        set_size("kernel", 2);
        set_size("stride", 2);
        add("dense");
        type("units", QStringLiteral("120"));
        add("dense");
        type("units", QStringLiteral("84"));
        add("dense");
        type("units", QStringLiteral("10"));
        add("softmax");
        qInfo("gestures: %d", gestures_);
        QVERIFY2(gestures_ <= 30, qPrintable(QString::number(gestures_)));
        QVERIFY(!document().draft());
        // LeCun, Bottou, Bengio, Haffner 1998, with full connections to C3: 156 + 2,416 + 48,120 + 10,164 + 850.
        QCOMPARE(scenario().network()->parameters(), std::int64_t{61706});
        QVERIFY(window_->result()->estimate.has_value());
        QCOMPARE(window_->result()->request.scenario.network(), scenario().network());
        QCOMPARE(int(scene().boxes().size()), scenario().network()->size());
        for (const BoxItem* box : scene().boxes()) QVERIFY(box->shown().value.endsWith(QStringLiteral("s")));
        // Without a selection the panel is about the network.
        press(Qt::Key_Escape);
        type_into(find<QLineEdit>("networkName"), QStringLiteral("LeNet-5"));
        QCOMPARE(scenario().network()->name(), std::string("LeNet-5"));
        QVERIFY(QString::fromStdString(scenario().name).contains(QStringLiteral("LeNet-5")));
        QVERIFY(window_->windowTitle().contains(QStringLiteral("LeNet-5")));
        ++gestures_;
        QVERIFY2(gestures_ <= 30, qPrintable(QString::number(gestures_)));
        // Undone step by step down to the network from before, and done again.
        QUndoStack& history = document().history();
        QVERIFY(history.count() <= gestures_ + 1);
        while (history.canUndo()) history.undo();
        settle();
        QCOMPARE(scenario().network()->name(), std::string("AlexNet, one tower"));
        QCOMPARE(int(scene().boxes().size()), scenario().network()->size());
        while (history.canRedo()) history.redo();
        settle();
        QCOMPARE(scenario().network()->parameters(), std::int64_t{61706});
    }

    void delete_connects_again_and_undo_brings_back() {
        show_canvas();
        const auto before = scenario().network();
        click("pool2");
        press(Qt::Key_Delete);
        QVERIFY(!scenario().network()->position("pool2"));
        const auto p = *scenario().network()->position("conv3");
        QCOMPARE(scenario().network()->layers()[std::size_t(scenario().network()->inputs(p)[0])].name,
                 std::string("conv2"));
        QCOMPARE(document().history().count(), 1);
        QCOMPARE(document().history().undoText(), QStringLiteral("Delete pool2"));
        document().history().undo();
        QCOMPARE(scenario().network(), before);
    }

    void the_first_layer_stands_at_the_top() {
        new_network();
        add("input");
        const auto at = [&] {
            const BoxItem* box = scene().box("input");
            return view().mapFromScene(QRectF(box->pos(), box->size()).center());
        };
        const QPoint middle = view().viewport()->rect().center();
        QVERIFY2(std::abs(at().x() - middle.x()) <= 2, qPrintable(QString::number(at().x() - middle.x())));
        QVERIFY2(at().y() < view().viewport()->height() / 4, qPrintable(QString::number(at().y())));
        const QPoint was = at();
        add("convolution");  // it stays where it is
        QVERIFY((at() - was).manhattanLength() <= 2);
    }

    void a_port_is_drawn_to_a_box() {
        show_canvas();
        click("conv3");
        add("add");  // behind conv3, in front of conv4: one input, one to come
        const std::string sum = selected();
        QVERIFY(document().draft() || layer(sum).inputs.size() == 1);
        view().show_box(*scene().box("pool2"));
        const QPoint on = middle("pool2");
        QTest::mouseMove(view().viewport(), on);
        const QPoint port = view().port_of(*scene().box("pool2"));
        QTest::mouseMove(view().viewport(), port);
        QTest::mousePress(view().viewport(), Qt::LeftButton, {}, port);
        const BoxItem* to = scene().box(sum);
        const QPoint end = view().mapFromScene(to->pos() + QPointF(to->size().width() / 2, 12));
        QTest::mouseMove(view().viewport(), (port + end) / 2);
        QTest::mouseMove(view().viewport(), end);
        QTest::mouseRelease(view().viewport(), Qt::LeftButton, {}, end);
        settle();
        QCOMPARE(layer(sum).inputs.size(), std::size_t{2});
        // 192 channels and 384: it says so at the connection, and prices stay those of the last network.
        QVERIFY(document().draft());
        int faulty = 0;
        for (const WireItem* wire : scene().wires()) faulty += !wire->shown().fault.isEmpty();
        QCOMPARE(faulty, 1);
        QVERIFY(scene().box(sum)->shown().faulty);
        QVERIFY(window_->result()->estimate.has_value());
        QVERIFY(scene().box("conv1")->shown().value.endsWith(QStringLiteral("ms")));
        // The wire is selected and deleted.
        for (WireItem* wire : scene().wires())
            if (!wire->shown().fault.isEmpty()) {
                scene().select({});
                wire->setSelected(true);
                break;
            }
        press(Qt::Key_Delete);
        QVERIFY(std::count(layer(sum).inputs.begin(), layer(sum).inputs.end(), LayerId{}) +
                    std::ptrdiff_t(layer(sum).inputs.size()) >=
                1);
        int left = 0;
        for (const WireItem* wire : scene().wires()) left += !wire->shown().fault.isEmpty();
        QCOMPARE(left, 0);
    }

    void dropped_where_it_is_wanted() {
        show_canvas();
        int on = -1;
        for (const WireItem* wire : scene().wires()) {
            const auto ends = scene().connections_of(wire->index());
            if (ends.size() == 1 && ends.front().reader == layer("conv4").id) on = wire->index();
        }
        QVERIFY(on >= 0);
        emit view().kind_dropped(QStringLiteral("batch_norm"), on, {});
        settle();
        QVERIFY(!document().draft());
        QCOMPARE(
            scene().sketch()->layers[std::size_t(*scene().sketch()->position(layer("conv4").inputs[0]))].kind->name,
            std::string_view("batch_norm"));
        emit view().kind_dropped(QStringLiteral("dropout"), -1, {});
        settle();
        QVERIFY(document().draft());  // it reads nothing yet
    }

    void grouped_repeated_and_taken_apart() {
        show_canvas();
        click("conv4");
        click("conv5", Qt::ControlModifier);
        view().setFocus();
        QTest::keyClick(&view(), Qt::Key_B, Qt::ControlModifier);
        settle();
        QVERIFY(scenario().network()->position("block1/conv4"));
        QCOMPARE(selected(), std::string("block1"));
        QCOMPARE(document().history().count(), 1);
        auto* name = find<QLineEdit>("blockName");
        QTRY_COMPARE(name->text(), QStringLiteral("block1"));
        name->setFocus();
        name->selectAll();
        QTest::keyClicks(name, QStringLiteral("tail"));
        QTest::keyClick(name, Qt::Key_Return);
        settle();
        QVERIFY(scenario().network()->position("tail/conv5"));
        view().setFocus();
        QTest::keyClick(&view(), Qt::Key_B, Qt::ControlModifier | Qt::ShiftModifier);
        settle();
        QVERIFY(scenario().network()->position("conv4"));
        const int size = scenario().network()->size();
        click("conv5");
        view().setFocus();
        QTest::keyClick(&view(), Qt::Key_D, Qt::ControlModifier);
        settle();
        QCOMPARE(int(scene().sketch()->layers.size()), size + 1);
    }

    void a_block_is_repeated() {
        show_canvas();
        click("pool5");
        add("activation");
        add("batch_norm");
        const std::string last = selected();
        const std::string before = layer(last).name;
        click(scene().sketch()->layers[std::size_t(*scene().sketch()->position(layer(last).inputs[0]))].name,
              Qt::ControlModifier);
        scene().select(
            {last, scene().sketch()->layers[std::size_t(*scene().sketch()->position(layer(last).inputs[0]))].name});
        view().setFocus();
        QTest::keyClick(&view(), Qt::Key_B, Qt::ControlModifier);
        settle();
        QCOMPARE(selected(), std::string("block1"));
        const int size = scenario().network()->size();
        const int steps = document().history().count();
        auto* repeat = find<NumberField>("blockRepeat");
        QTRY_VERIFY(repeat->isVisible());
        repeat->setFocus();
        QTest::keyClick(repeat, Qt::Key_A, Qt::ControlModifier);
        QTest::keyClicks(repeat, QStringLiteral("12"));
        QTest::keyClick(repeat, Qt::Key_Return);
        settle();
        QCOMPARE(scenario().network()->size(), size + 22);
        QCOMPARE(document().history().count(), steps + 1);
        int rows = 0;
        for (const BoxItem* box : scene().boxes()) rows += box->shown().repeat == 12;
        QCOMPARE(rows, 1);
    }

    void no_cycles() {
        show_canvas();
        canvas().editor().connect_boxes("conv4", "conv2");
        settle();
        QCOMPARE(document().history().count(), 0);
        QVERIFY(!document().draft());
    }
};

QTEST_MAIN(TestDrawingNetworks)
#include "tst_drawing_networks.moc"
