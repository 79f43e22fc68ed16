// SPDX-License-Identifier: GPL-3.0-or-later
// Recorded steps in the real windows: a trace is dropped, seen stream by stream, and predicted on other GPUs.
#include <QDropEvent>
#include <QLabel>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QSortFilterProxyModel>
#include <QTableView>

#include "core/formats/calibration_json.hpp"
#include "support_window.hpp"
#include "ui/charts/layer_time_chart.hpp"
#include "ui/charts/timeline_chart.hpp"
#include "ui/charts/xy_chart.hpp"
#include "ui/measure/measure_window.hpp"
#include "ui/measure/runs_page.hpp"
#include "ui/measure/trace_page.hpp"
#include "ui/measure/trace_settings.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/number_field.hpp"
#include "ui/widgets/pick_list.hpp"

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
    void pick(const QStringList& ids) {
        page().settings()->gpu_list()->set_picked(ids);
        emit page().settings()->gpu_list()->picked_changed();
        settle();
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

    void gpus_are_picked_and_remembered() {
        drop(resnet());
        PickList& list = *page().settings()->gpu_list();
        auto* table = page().devices_view();
        const auto all = page().document().predictions()->on.size();
        QVERIFY(list.all_picked());
        for (const ComboItem& item : list.items())  // a price with its seller and date
            QCOMPARE(item.tip.isEmpty(), item.detail.isEmpty());
        QCOMPARE(table->model()->rowCount(), int(all));
        pick({QStringLiteral("a100-sxm-40gb"), QStringLiteral("tesla-t4"), QStringLiteral("l4")});
        QCOMPARE(table->model()->rowCount(), 3);
        std::size_t points = 0, priced = 0;
        for (const auto& series : page().prices()->data().series) points += series.points.size();
        for (const PredictedOn& on : page().document().predictions()->on)
            priced += list.is_picked(QString::fromStdString(on.gpu.device.id)) && on.gpu.device.price_per_hour;
        QCOMPARE(points, priced);
        // A row stands for the same GPU as the point and the pin, whatever else is shown.
        for (int row = 0; row < 3; ++row) {
            table->selectRow(row);
            settle();
            QCOMPARE(page().classes()->data().pins.front().name, table->model()->index(row, 0).data().toString());
            const int on = page().prices()->selected();
            QCOMPARE(QString::fromStdString(page().document().predictions()->on[std::size_t(on)].gpu.device.name),
                     table->model()->index(row, 0).data().toString());
        }
        // What is chosen stays so while others come and go, and goes with its GPU.
        const QString chosen = page().classes()->data().pins.front().name;
        pick({QStringLiteral("a100-sxm-40gb"), QStringLiteral("tesla-t4"), QStringLiteral("l4"),
              QStringLiteral("tesla-p100-sxm2-16gb")});
        QCOMPARE(page().classes()->data().pins.front().name, chosen);
        QCOMPARE(table->model()->index(table->currentIndex().row(), 0).data().toString(), chosen);
        pick({});
        QVERIFY(page().classes()->data().pins.empty());
        QVERIFY(!table->isVisible());
        QVERIFY(!page().settings()->export_button()->isEnabled());
        QVERIFY(page().prices()->data().empty_reason.contains(QStringLiteral("No GPU is chosen")));
        // The next window shows the same.
        pick({QStringLiteral("l4")});
        window_.reset();
        window_ = std::make_unique<MainWindow>(QString());
        window_->start();
        window_->finish_opening();
        window_->QWidget::show();
        drop(resnet());
        QCOMPARE(page().settings()->gpu_list()->picked(), QStringList({QStringLiteral("l4")}));
        QCOMPARE(page().devices_view()->model()->rowCount(), 1);
    }

    void precision_is_chosen() {
        drop(resnet());
        choose("traceNetwork", "resnet-50");
        const double recorded = step_ms_on("a100-sxm-40gb");
        choose("tracePrecision", "none");
        const double full = step_ms_on("a100-sxm-40gb");
        choose("tracePrecision", "all");
        const double products = step_ms_on("a100-sxm-40gb");
        choose("tracePrecision", "fp16");
        const double half = step_ms_on("a100-sxm-40gb");
        QVERIFY(full > recorded && recorded > products && recorded > half);
        QVERIFY(step_ms_on("tesla-v100-sxm2-32gb") < 93.0);  // its tensor cores, which the recording did not use
        QVERIFY(measure()
                    .findChild<QLabel*>(QStringLiteral("traceAssumed"))
                    ->text()
                    .contains(QStringLiteral("All else stays as recorded")));
    }

    void operations_are_exported() {
        drop(resnet());
        choose("traceNetwork", "resnet-50");
        QVERIFY(!page().settings()->export_button()->isEnabled());
        page().devices_view()->selectRow(0);
        settle();
        QVERIFY(page().settings()->export_button()->isEnabled());
        const QString file = folder_.filePath(QStringLiteral("operations.csv"));
        const QSignalSpy said(&page(), &TracePage::said);
        QVERIFY(page().export_operations(file));
        QCOMPARE(said.count(), 1);
        QFile written(file);
        QVERIFY(written.open(QIODevice::ReadOnly));
        auto lines = written.readAll().split('\n');
        QVERIFY2(lines.front().startsWith("# ") && lines.front().contains("trace"), lines.front().constData());
        while (lines.front().startsWith("# ")) lines.removeFirst();
        QVERIFY(lines.front().startsWith("to,step,phase,class,operator,layer,shape,shape_from,kernels,rule,evidence,"));
        const int on = page().prices()->selected();
        // Operations of every GPU at once would be as many traces in memory.
        for (const PredictedOn& p : page().document().predictions()->on) QVERIFY(p.prediction.operations.empty());
        const auto prediction = page().document().predictions()->whole(std::size_t(on));
        QCOMPARE(std::size_t(lines.size()), prediction.operations.size() + 2);
        QVERIFY(!page().export_operations(folder_.filePath(QStringLiteral("no/such/folder.csv"))));
        QVERIFY(said.back().at(1).toBool());
    }

    void communication_is_said() {
        drop(resnet());
        auto* words = measure().findChild<QLabel*>(QStringLiteral("traceCommunication"));
        QVERIFY(words->text().isEmpty());
        drop(QStringLiteral(SCALESCOPE_TEST_DATA "/traces/resnet50-a100-3steps.json.gz"));
        QVERIFY(words->isVisible());
        QVERIFY(words->text().startsWith(QStringLiteral("NCCL ")));
        page().devices_view()->selectRow(0);
        settle();
        const auto& data = page().classes()->data();
        QVERIFY(data.parts.hidden);
        for (std::size_t i = 0; i < data.layers.size(); ++i)
            if (data.layers[i].name == QLatin1String("communication")) {
                QVERIFY(data.layers[i].time.communication > Seconds{0});
                QVERIFY(data.pins.front().totals[i] == data.layers[i].time.communication);
                return;
            }
        QFAIL("no bar of communication");
    }

    void times_are_corrected_by_a_calibration() {
        drop(resnet());
        choose("traceNetwork", "resnet-50");
        const double plain = step_ms_on("tesla-t4");
        Calibration calibration;
        calibration.id = "slow";
        calibration.name = "Slow T4";
        calibration.points = 50;
        OperatorCorrection c;
        c.kind = "convolution";
        c.pass = "forward";
        c.precision = "fp32";
        c.points = 50;
        c.devices = {"tesla-v100-sxm2-32gb", "tesla-t4"};
        c.levels = {0.0, 0.7};
        c.features.assign(26, {0.0, 1.0, 0.0, -1e5, 1e5});
        calibration.operators = {c};
        const auto file = write("slow.json", QByteArray::fromStdString(formats::write_calibration(calibration)));
        TraceOptions options = page().document().options();
        options.calibration = file;
        page().document().set_options(options);
        predicted();
        const Problems& problems = page().document().predictions()->problems;
        QVERIFY2(problems.empty(), problems.empty() ? "" : to_text(problems.front()).c_str());
        QVERIFY(step_ms_on("tesla-t4") > plain);
        QVERIFY(measure()
                    .findChild<QLabel*>(QStringLiteral("traceVerdict"))
                    ->text()
                    .contains(QStringLiteral("corrected by Slow T4, on 50 points")));
        QCOMPARE(measure().findChild<Combo*>(QStringLiteral("traceCalibration"))->current_text(),
                 QStringLiteral("slow.json"));
        options.calibration = resnet();
        page().document().set_options(options);
        predicted();
        QVERIFY(!page().document().predictions()->problems.empty());
        QCOMPARE(step_ms_on("tesla-t4"), plain);
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
