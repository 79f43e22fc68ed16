// SPDX-License-Identifier: GPL-3.0-or-later
// Recorded steps in the real windows: a trace is dropped, seen stream by stream, and predicted on other GPUs.
#include <QDropEvent>
#include <QLabel>
#include <QMimeData>
#include <QSortFilterProxyModel>
#include <QTableView>

#include "support_window.hpp"
#include "ui/charts/layer_time_chart.hpp"
#include "ui/charts/timeline_chart.hpp"
#include "ui/charts/xy_chart.hpp"
#include "ui/measure/measure_window.hpp"
#include "ui/measure/runs_page.hpp"
#include "ui/measure/trace_page.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/number_field.hpp"

using namespace scalescope;
using namespace scalescope::ui;

class TestMeasureTrace : public QObject, private window_test::WindowFixture {
    Q_OBJECT

    MeasureWindow& measure() { return window_->measurements(); }
    TracePage& page() { return *measure().trace_page(); }
    void drop(const QString& file) {
        QMimeData mime;
        mime.setUrls({QUrl::fromLocalFile(file)});
        QDragEnterEvent enter({20, 20}, Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(window_.get(), &enter);
        QDropEvent event(QPointF(20, 20), Qt::CopyAction, &mime, Qt::LeftButton, Qt::NoModifier);
        QApplication::sendEvent(window_.get(), &event);
        window_->finish_opening();
        predicted();
    }
    void predicted() {
        page().document().work().finish();
        settle();
    }
    static QString resnet() { return QStringLiteral(SCALESCOPE_TEST_DATA "/traces/resnet50-v100-5steps.json.gz"); }
    void choose(const char* combo, const char* id) {
        auto* c = measure().findChild<Combo*>(QLatin1String(combo));
        c->set_current(QLatin1String(id));
        emit c->chosen(QLatin1String(id));
        predicted();
    }
    double step_ms_on(const std::string& id) {
        for (const PredictedOn& on : page().document().predictions()->on)
            if (on.gpu.device.id == id) return in_milliseconds(on.prediction.step.predicted);
        qFatal("no GPU %s", id.c_str());
    }

private slots:
    void initTestCase() { prepare(); }
    void init() { open(); }
    void cleanup() { window_.reset(); }

    void a_trace_is_dropped() {
        drop(resnet());
        QVERIFY(measure().isVisible());
        QVERIFY(page().isVisible());
        // 468.15 ms of kernels in five steps: the README of the trace.
        const auto& classes = page().classes()->data();
        QVERIFY2(std::abs(in_milliseconds(classes.step) - 93.63) < 0.05,
                 qPrintable(QString::number(in_milliseconds(classes.step))));
        QVERIFY(classes.layers.size() > 3);
        QVERIFY(!page().timeline()->data().boxes.empty());
        QVERIFY(page().timeline()->data().length > Seconds{0.09});
        QVERIFY(measure()
                    .findChild<QLabel*>(QStringLiteral("traceVerdict"))
                    ->text()
                    .contains(QStringLiteral("choose the network")));
        QVERIFY(page().devices_view()->model()->rowCount() > 5);
    }

    void shapes_come_from_a_network() {
        drop(resnet());
        const auto before = page().document().predictions();
        choose("traceNetwork", "resnet-50");
        measure().findChild<NumberField*>(QStringLiteral("traceBatch"))->choose(32);
        predicted();
        const auto& now = *page().document().predictions();
        QVERIFY(now.problems.empty());
        QVERIFY(now.aligned_shapes > 100);
        QVERIFY(page().document().predictions() != before);
        // The same GPU needs the same time.
        QVERIFY(std::abs(step_ms_on(now.from->device.id) - 93.63) < 0.1);
        const double best = step_ms_on("a100-sxm-40gb");
        QVERIFY(best < 93.63);
        choose("traceRules", "wave");
        QVERIFY(step_ms_on("a100-sxm-40gb") != best);
        // Another network does not fit, says so, and nothing is lost.
        choose("traceNetwork", "vgg-16");
        QVERIFY(!page().document().predictions()->problems.empty());
        QVERIFY(!page().timeline()->data().boxes.empty());
    }

    void a_gpu_is_chosen() {
        drop(resnet());
        QVERIFY(page().classes()->data().pins.empty());
        page().devices_view()->selectRow(3);
        settle();
        QCOMPARE(page().classes()->data().pins.size(), std::size_t{1});
        const auto* sorted = qobject_cast<const QSortFilterProxyModel*>(page().devices_view()->model());
        const int source = sorted->mapToSource(page().devices_view()->currentIndex()).row();
        QCOMPARE(page().prices()->selected(), source);
        QCOMPARE(page().classes()->data().pins.front().name.toStdString(),
                 page().document().predictions()->on[std::size_t(source)].gpu.device.name);
        for (const auto& series : page().prices()->data().series)
            for (const auto& point : series.points)
                QVERIFY(page().document().predictions()->on[std::size_t(point.id)].gpu.device.price_per_hour);
    }

    void a_broken_trace_is_said_and_nothing_lost() {
        drop(resnet());
        const auto before = page().document().recorded();
        QFile whole(resnet());
        QVERIFY(whole.open(QIODevice::ReadOnly));
        window_->open(write("cut.json.gz", whole.readAll().left(40'000)));
        QVERIFY(!window_->finish_opening());
        settle();
        QCOMPARE(page().document().recorded(), before);
        window_->open(write(
            "no-gpu.json", R"({"traceEvents":[{"ph":"X","cat":"cpu_op","name":"a","ts":1,"dur":1,"pid":1,"tid":1}]})"));
        QVERIFY(!window_->finish_opening());
        QCOMPARE(page().document().recorded(), before);
    }
};

QTEST_MAIN(TestMeasureTrace)
#include "tst_measure_trace.moc"
