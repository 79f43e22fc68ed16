// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/measure/trace_document.hpp"

class QLabel;
class QStackedWidget;
class QTableView;

namespace scalescope::ui {

class CardTitle;
class ChartTableModel;
class Combo;
class LayerTimeChart;
class NumberField;
class ProblemsView;
class ProgressRow;
class SegmentedControl;
class TimelineChart;
class XyChart;

/// A recorded training step: what ran when on the GPU, what took the time, and how long it would take on other GPUs.
class TracePage final : public QWidget {
    Q_OBJECT
public:
    /// `library` must outlive the page.
    explicit TracePage(const formats::Library& library, QWidget* parent = nullptr);

    TraceDocument& document() { return document_; }
    TimelineChart* timeline() const { return timeline_; }
    LayerTimeChart* classes() const { return classes_; }
    XyChart* prices() const { return prices_; }
    QTableView* devices_view() const { return devices_view_; }

signals:
    void open_asked();

private:
    QWidget* build_work();
    void show_state();
    void show_predictions();
    void choose_device(int index);

    TraceDocument document_;
    QStackedWidget *pages_, *charts_ = nullptr, *below_ = nullptr;
    Combo *step_ = nullptr, *network_ = nullptr, *rules_ = nullptr;
    NumberField* batch_ = nullptr;
    QLabel* verdict_ = nullptr;
    SegmentedControl* chart_choice_ = nullptr;
    TimelineChart* timeline_ = nullptr;
    LayerTimeChart* classes_ = nullptr;
    XyChart* prices_ = nullptr;
    QTableView* devices_view_ = nullptr;
    ChartTableModel* devices_ = nullptr;
    ProblemsView* problems_ = nullptr;
    ProgressRow* progress_ = nullptr;
    CardTitle* below_title_ = nullptr;
    RecordedTracePtr shown_;
    int device_ = -1;
};

}  // namespace scalescope::ui
