// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>

#include "ui/charts/chart_data.hpp"
#include "ui/measure/fit_charts.hpp"
#include "ui/measure/runs_document.hpp"

class QCheckBox;
class QLabel;
class QPushButton;
class QProgressBar;
class QStackedWidget;

namespace scalescope::ui {

class Banner;
class CardTitle;
class ChartTableModel;
class ProblemsView;
class RunsTable;
class SegmentedControl;
class SplitPanes;

/// Measured runs: their columns and table, a fit of their time, and what the fit says.
class RunsPage final : public QWidget {
    Q_OBJECT
public:
    explicit RunsPage(QWidget* parent = nullptr);

    RunsDocument& document() { return document_; }
    /// What the speedup chart shows of the fit; nothing while it is not wanted or there is none.
    std::optional<FittedCurve> curve() const;
    XyChart* predicted_chart() const { return predicted_; }
    XyChart* workers_chart() const { return over_workers_; }
    XyChart* cost_chart() const { return cost_; }

signals:
    void open_asked();
    void save_table_asked();
    void save_fit_asked();
    void curve_changed();

private:
    QWidget* build_left();
    QWidget* build_right();
    void show_state();
    void show_fit();
    void show_costs();
    void show_problems();
    void choose_row(int row);
    std::size_t run_on_show() const;

    RunsDocument document_;
    QStackedWidget* pages_;
    QWidget* work_;
    CardTitle* table_title_ = nullptr;
    QPushButton *fit_button_ = nullptr, *save_table_ = nullptr, *save_fit_ = nullptr;
    QProgressBar* progress_ = nullptr;
    QLabel *verdict_ = nullptr, *stale_ = nullptr;
    SegmentedControl *chart_choice_ = nullptr, *quantity_ = nullptr;
    QStackedWidget* charts_ = nullptr;
    XyChart *predicted_ = nullptr, *over_workers_ = nullptr, *cost_ = nullptr;
    QCheckBox* in_speedup_ = nullptr;
    RunsTable* table_ = nullptr;
    ChartTableModel *constants_ = nullptr, *factors_ = nullptr, *errors_ = nullptr;
    ProblemsView* problems_ = nullptr;
    SplitPanes* panes_ = nullptr;
    int chosen_row_ = -1;
    bool was_fitting_ = false;
};

}  // namespace scalescope::ui
