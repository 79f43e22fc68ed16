// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/measure/trace_document.hpp"

class QLabel;
class QStackedWidget;
class QTableView;

namespace scalescope::ui {

class ChartTableModel;
class ElidedLabel;
class LayerTimeChart;
class ProblemsView;
class ProgressRow;
class SegmentedControl;
class TimelineChart;
class TraceSettings;
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

    TraceSettings* settings() const { return settings_; }
    /// Ids of the GPUs that are shown; nothing: all, new ones too.
    std::optional<QStringList> gpus() const;
    void set_gpus(const std::optional<QStringList>& ids);
    /// Writes a row for every operation on the GPU that is chosen; says how it went.
    bool export_operations(const QString& file);

signals:
    void open_asked();
    void gpus_chosen();  ///< by a person
    void said(const QString& sentence, bool error);

private:
    QWidget* build_work();
    void show_state();
    void show_predictions();
    void choose_device(int index);
    void select_row();
    void show_export();
    void ask_where_to_export();

    TraceDocument document_;
    QStackedWidget *pages_, *charts_ = nullptr, *on_others_ = nullptr;
    TraceSettings* settings_ = nullptr;
    QLabel* verdict_ = nullptr;
    ElidedLabel* communication_ = nullptr;
    SegmentedControl* chart_choice_ = nullptr;
    TimelineChart* timeline_ = nullptr;
    LayerTimeChart* classes_ = nullptr;
    XyChart* prices_ = nullptr;
    QTableView* devices_view_ = nullptr;
    ChartTableModel* devices_ = nullptr;
    ProblemsView* problems_ = nullptr;
    ProgressRow* progress_ = nullptr;
    RecordedTracePtr shown_;
    std::vector<int> chosen_;  ///< places in TracePredictions::on that are shown, as the table has them
    int device_ = -1;          ///< one of them
};

}  // namespace scalescope::ui
