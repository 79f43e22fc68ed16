// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/charts/chart.hpp"
#include "ui/live/view.hpp"

class QLabel;

namespace scalescope::ui {

class Combo;
class InputList;
class NumberField;
class TornadoChart;

/// What a little more of everything does to one objective, as a tornado; beside it, where the walls are. A row of the
/// chart leads to its setting, a wall to its worker count.
class SensitivityPage final : public QWidget, public View {
    Q_OBJECT
public:
    explicit SensitivityPage(QWidget* parent = nullptr);

    /// What is asked: the objective, and the line for the efficiency. Setting it emits nothing.
    search::SensitivityOptions question() const;
    double efficiency() const;
    void set_question(search::Metric objective, double efficiency);

    TornadoChart* chart() const { return chart_; }
    NamedCharts charts() const override;
    void add_to_question(AnalysisQuestion& asked, const Scenario& scenario) const override;
    /// While another answer is on its way, what is shown turns pale.
    void show_analysis(const AnalysisPtr& latest, bool current) override;

signals:
    void question_changed();
    void field_asked(const QString& path);
    void workers_chosen(int workers);

private:
    Combo* objective_;
    NumberField* line_;
    InputList* walls_;
    QLabel* left_out_;
    TornadoChart* chart_;

    void show_walls(const Analysis& analysis);
    void show_left_out(const Analysis& analysis);
};

}  // namespace scalescope::ui
