// SPDX-License-Identifier: GPL-3.0-or-later
// What comes to the canvas from outside: fingers, wheels, kinds dragged from the palette, files; and what goes to
// paper.
#include <QGestureEvent>
#include <QMimeData>
#include <QNativeGestureEvent>
#include <QPointingDevice>
#include <QPrintPreviewDialog>
#include <QPrintPreviewWidget>
#include <QPrinter>
#include <QTimer>

#include "support_canvas.hpp"

using namespace scalescope;
using namespace scalescope::ui;

class TestCanvasGestures : public QObject, private window_test::CanvasFixture {
    Q_OBJECT

    /// As the drag of a person arrives: enters, moves, drops. True if it was taken.
    bool drop(QMimeData& mime, QPoint at) {
        QWidget* on = view().viewport();
        QDragEnterEvent enter(at, Qt::CopyAction | Qt::MoveAction, &mime, Qt::LeftButton, {});
        QApplication::sendEvent(on, &enter);
        if (!enter.isAccepted()) return false;
        QDragMoveEvent move(at, Qt::CopyAction | Qt::MoveAction, &mime, Qt::LeftButton, {});
        QApplication::sendEvent(on, &move);
        QDropEvent event(at, Qt::CopyAction | Qt::MoveAction, &mime, Qt::LeftButton, {});
        QApplication::sendEvent(on, &event);
        settle();
        return event.isAccepted();
    }
    bool drop_kind(const char* kind, QPoint at) {
        QMimeData mime;
        mime.setData(QLatin1String(kind_mime), kind);
        return drop(mime, at);
    }
    /// The point of the paper under a point of the view stays there.
    template <class F>
    void zooms_around(QPoint at, F gesture, double factor) {
        const double before = view().zoom();
        const QPointF under = view().mapToScene(at);
        gesture();
        QVERIFY2(std::abs(view().zoom() / before - factor) < 1e-6, qPrintable(QString::number(view().zoom() / before)));
        QVERIFY((view().mapToScene(at) - under).manhattanLength() < 4);
    }

private slots:
    void initTestCase() { prepare(); }
    void cleanup() { window_.reset(); }

    void pinches_and_wheels_zoom_where_the_hand_is() {
        show_canvas("vgg-16");
        const QPoint at(220, 160);
        const QPointF global = view().viewport()->mapToGlobal(QPointF(at));
        zooms_around(
            at,
            [&] {
                QNativeGestureEvent event(Qt::ZoomNativeGesture, QPointingDevice::primaryPointingDevice(), 2, at, at,
                                          global, 0.25, {});
                QApplication::sendEvent(view().viewport(), &event);
            },
            1.25);
        zooms_around(
            at,
            [&] {
                QPinchGesture pinch;
                pinch.setScaleFactor(0.5);
                pinch.setCenterPoint(global);
                pinch.setLastCenterPoint(global);
                QGestureEvent event({&pinch});
                QApplication::sendEvent(view().viewport(), &event);
            },
            0.5);
        zooms_around(
            at,
            [&] {
                QWheelEvent event(at, global, {0, 40}, {0, 120}, Qt::NoButton, Qt::ControlModifier, Qt::NoScrollPhase,
                                  false);
                QApplication::sendEvent(view().viewport(), &event);
            },
            1.2);
    }

    void a_kind_is_dropped_on_a_wire() {
        show_canvas();
        const WireItem* on = nullptr;
        for (const WireItem* wire : scene().wires()) {
            const auto ends = scene().connections_of(wire->index());
            if (ends.size() == 1 && ends.front().reader == layer("conv4").id) on = wire;
        }
        QVERIFY(on);
        view().centerOn(on->path().pointAtPercent(0.5));
        settle();
        QVERIFY(drop_kind("batch_norm", view().mapFromScene(on->path().pointAtPercent(0.5))));
        QVERIFY(!document().draft());
        QCOMPARE(sources(selected()), std::vector<std::string>{"conv3"});
        QCOMPARE(sources("conv4"), std::vector<std::string>{selected()});
    }

    void and_on_nothing_and_on_a_box() {
        new_network();
        QVERIFY(drop_kind("input", {300, 200}));
        QCOMPARE(scene().sketch()->size(), 1);
        const std::string input = selected();
        QVERIFY(drop_kind("convolution", middle(input)));
        QCOMPARE(sources(selected()), std::vector<std::string>{input});
    }

    void files_are_opened() {
        show_canvas();
        QMimeData mime;
        const QByteArray network = R"({"format": "scalescope-network", "version": 1, "name": "Dropped", "layers": [
            {"name": "data", "kind": "input", "shape": ["batch", 8, 8, 3]},
            {"name": "conv", "kind": "convolution", "inputs": ["data"], "filters": 4, "kernel": [3, 3]}]})";
        mime.setUrls({QUrl::fromLocalFile(write("dropped.json", network))});
        QVERIFY(drop(mime, {300, 200}));
        QVERIFY(window_->finish_opening());
        settle();
        QCOMPARE(scenario().network()->name(), std::string("Dropped"));
        QVERIFY(scene().box("conv"));
        QMimeData words;
        words.setText(QStringLiteral("not for us"));
        QVERIFY(!drop(words, {300, 200}));
    }

    void the_page_is_shown_and_goes_to_a_file() {
        show_canvas("inception-v1");
        bool shown = false;
        QTimer::singleShot(0, window_.get(), [&] {
            auto* preview = qobject_cast<QPrintPreviewDialog*>(QApplication::activeModalWidget());
            shown = preview && preview->findChild<QPrintPreviewWidget*>()->pageCount() == 1;
            if (preview) preview->reject();
        });
        QTest::keyClick(window_.get(), Qt::Key_P, Qt::ControlModifier);
        QVERIFY(shown);
        QPrinter printer(QPrinter::HighResolution);
        printer.setOutputFormat(QPrinter::PdfFormat);
        const QString file = folder_.filePath(QStringLiteral("drawing.pdf"));
        printer.setOutputFileName(file);
        canvas().print_on(printer);
        QFile pdf(file);
        QVERIFY(pdf.open(QIODevice::ReadOnly));
        QVERIFY(pdf.read(5) == "%PDF-");
        QVERIFY(pdf.size() > 10000);
    }
};

QTEST_MAIN(TestCanvasGestures)
#include "tst_canvas_gestures.moc"
