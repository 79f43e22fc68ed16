// SPDX-License-Identifier: GPL-3.0-or-later
// The window of measurements in its states.
#include <QCheckBox>
#include <QPushButton>
#include <QTableView>
#include <QTemporaryDir>
#include <QTest>

#include "core/scenario/calibrated.hpp"
#include "tests/shots/hands.hpp"
#include "ui/measure/calibration_page.hpp"
#include "ui/measure/measure_window.hpp"
#include "ui/measure/runs_page.hpp"
#include "ui/measure/trace_page.hpp"
#include "ui/measure/trace_settings.hpp"
#include "ui/measure/validation_page.hpp"
#include "ui/widgets/card.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/pick_list.hpp"
#include "ui/widgets/segmented_control.hpp"

namespace scalescope::shots {
namespace {

/// Above the main window, of which nothing is seen.
MeasureWindow& measure(MainWindow& w, QSize size) {
    MeasureWindow& m = w.measurements();
    m.show();
    m.move(w.pos());
    m.resize(size);
    settle(w);
    return m;
}

MeasureWindow& with_runs(MainWindow& w, const char* file, QSize size = {1180, 800}) {
    MeasureWindow& m = measure(w, size);
    w.open(QStringLiteral(SCALESCOPE_TEST_DATA "/") + QLatin1String(file));
    w.finish_opening();
    settle(w);
    return m;
}

void fit(MainWindow& w, MeasureWindow& m) {
    m.runs_page()->document().start_fit();
    m.runs_page()->document().work().finish();
    settle(w);
}

void choose(MeasureWindow& m, const char* control, const char* id) {
    auto* segments = m.findChild<SegmentedControl*>(QLatin1String(control));
    segments->set_current(QLatin1String(id));
    emit segments->chosen(QLatin1String(id));
}

void tab(MeasureWindow& m, int index, const QString& of = QStringLiteral("Runs")) {
    for (auto* title : m.findChildren<CardTitle*>())
        if (title->title().startsWith(of)) {
            title->set_current_tab(index);
            emit title->tab_chosen(index);
        }
}

}  // namespace

void add_measure_states(std::vector<State>& states) {
    const auto add = [&](const char* name, QSize size, std::function<void(MainWindow&)> reach) {
        states.push_back({QString::fromLatin1(name), size, std::move(reach)});
    };
    add("measure-empty", usual, [](MainWindow& w) { measure(w, {1180, 800}); });
    add("measure-runs", usual, [](MainWindow& w) { with_runs(w, "fit/g2-generic-noise5.csv"); });
    add("measure-fit", usual, [](MainWindow& w) { fit(w, with_runs(w, "fit/g2-generic-noise5.csv")); });
    add("measure-opened-fit", usual, [](MainWindow& w) {
        auto& made = with_runs(w, "fit/g2-generic-noise5.csv");
        fit(w, made);
        QTemporaryDir folder;
        const QString file = folder.filePath(QStringLiteral("cnn-fit.json"));
        made.save_fit_to(file);
        made.runs_page()->document().open({}, {});
        w.open(file);
        w.finish_opening();
        tab(made, 1);
        settle(w);
    });
    add("measure-workers", usual, [](MainWindow& w) {
        auto& m = with_runs(w, "fit/p1-physical-ring-noise3.csv");
        m.runs_page()->document().set_form(measure::FormKind::physical);
        fit(w, m);
        choose(m, "fitChart", "workers");
        choose(m, "fitQuantity", "speedup");
        tab(m, 1);
        settle(w);
    });
    const auto calibrated = [](MainWindow& w, int page) -> MeasureWindow& {
        auto& m = with_runs(w, "measured/planted-runs.csv");
        m.show_page(MeasureWindow::Page::calibration);
        settle(w);
        m.calibration_page()->start();
        m.calibration_page()->work().finish();
        tab(m, page, QStringLiteral("Result"));
        settle(w);
        return m;
    };
    add("measure-calibration", usual, [calibrated](MainWindow& w) { calibrated(w, 0); });
    add("measure-calibration-times", usual, [calibrated](MainWindow& w) { calibrated(w, 1); });
    add("measure-calibration-operators", usual, [](MainWindow& w) {
        auto& m = with_runs(w, "measured/script-sample.csv");
        m.calibration_page()->start();
        m.calibration_page()->work().finish();
        settle(w);
    });
    add("calibrated", usual, [calibrated](MainWindow& w) {
        auto& m = calibrated(w, 0);
        const auto c = m.calibration_page()->calibration();
        m.hide();
        w.document().edit(with_calibration(w.document().scenario(), {std::make_shared<const Calibration>(c)}));
        settle(w);
    });
    add("measure-errors", usual, [](MainWindow& w) {
        auto& m = with_runs(w, "fit/g4-generic-categorical-noise4.csv");
        fit(w, m);
        tab(m, 3);
        settle(w);
    });
    add("measure-notes", {1440, 900}, [](MainWindow& w) {
        auto& m = with_runs(w, "fit/g2-generic-noise5.csv", {900, 600});
        m.runs_page()->document().set_cell(3, 7, QStringLiteral("broken"));
        tab(m, 4);
        settle(w);
    });
    add("measure-validation", usual, [](MainWindow& w) {
        auto& m = measure(w, {1180, 800});
        m.show_page(MeasureWindow::Page::validation);
        w.open(QStringLiteral(SCALESCOPE_TEST_DATA "/published/tensorflow-benchmarks-2017.csv"));
        w.finish_opening();
        m.validation_page()->work().finish();
        settle(w);
    });
    add("measure-columns", usual, [](MainWindow& w) {
        auto& m = measure(w, {1180, 800});
        m.show_page(MeasureWindow::Page::validation);
        w.open(QStringLiteral(SCALESCOPE_TEST_DATA "/published/tensorflow-benchmarks-2017.csv"));
        w.finish_opening();
        m.validation_page()->work().finish();
        m.validation_page()->ask_columns(
            QStringLiteral(SCALESCOPE_TEST_DATA "/published/tensorflow-benchmarks-2017.csv"));
        settle(w);
    });
    add("measure-validation-summary", usual, [](MainWindow& w) {
        auto& m = measure(w, {1000, 640});
        m.show_page(MeasureWindow::Page::validation);
        w.open(QStringLiteral(SCALESCOPE_TEST_DATA "/published/tensorflow-benchmarks-2017.csv"));
        w.finish_opening();
        m.validation_page()->work().finish();
        tab(m, 1, QStringLiteral("Results"));
        settle(w);
    });
    for (const char* chart : {"classes", "timeline", "prices"})
        add(QByteArray("measure-trace-").append(chart).constData(), usual, [chart](MainWindow& w) {
            auto& m = measure(w, {1180, 800});
            w.open(QStringLiteral(SCALESCOPE_TEST_DATA "/traces/resnet50-v100-5steps.json.gz"));
            w.finish_opening();
            auto& document = m.trace_page()->document();
            document.work().finish();
            document.set_options({QStringLiteral("resnet-50"), 32, false});
            document.work().finish();
            settle(w);
            m.trace_page()->devices_view()->selectRow(2);
            choose(m, "traceChart", chart);
            settle(w);
        });
    const auto with_trace = [](MainWindow& w, const char* file) -> MeasureWindow& {
        auto& m = measure(w, {1180, 800});
        m.trace_page()->set_gpus({});
        w.open(QStringLiteral(SCALESCOPE_TEST_DATA "/traces/") + QLatin1String(file));
        w.finish_opening();
        auto& document = m.trace_page()->document();
        document.work().finish();
        document.set_options({QStringLiteral("resnet-50"), 32, false});
        document.work().finish();
        settle(w);
        return m;
    };
    add("measure-trace-gpus", usual, [with_trace](MainWindow& w) {
        auto& m = with_trace(w, "resnet50-v100-5steps.json.gz");
        PickList& list = *m.trace_page()->settings()->gpu_list();
        list.open();
        list.button(QStringLiteral("tensor"))->click();
        settle(w);
    });
    add("measure-trace-no-gpu", usual, [with_trace](MainWindow& w) {
        with_trace(w, "resnet50-v100-5steps.json.gz").trace_page()->set_gpus(QStringList());
        settle(w);
    });
    add("measure-trace-nccl", usual, [with_trace](MainWindow& w) {
        auto& m = with_trace(w, "resnet50-a100-3steps.json.gz");
        m.trace_page()->devices_view()->selectRow(4);
        settle(w);
    });
    add("measure-speedup", usual, [](MainWindow& w) {
        auto& m = with_runs(w, "fit/p1-physical-ring-noise3.csv");
        m.runs_page()->document().set_form(measure::FormKind::physical);
        fit(w, m);
        m.findChild<QCheckBox*>(QStringLiteral("inSpeedup"))->setChecked(true);
        settle(w);
        m.hide();
        settle(w);
    });
}

}  // namespace scalescope::shots
