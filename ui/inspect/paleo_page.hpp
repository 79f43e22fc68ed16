// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "ui/charts/chart.hpp"
#include "ui/live/view.hpp"

class QCheckBox;
class QLabel;

namespace scalescope::ui {

class SegmentedControl;
class WaterfallChart;

/// From PALEO's number for this scenario to the corrected one, correction by correction; each can be switched off, in
/// both published states of PALEO.
class PaleoPage final : public QWidget, public View {
    Q_OBJECT
public:
    explicit PaleoPage(QWidget* parent = nullptr);

    const PaleoQuestion& question() const { return question_; }
    void set_question(const PaleoQuestion& question);
    WaterfallChart* chart() const { return chart_; }
    NamedCharts charts() const override;
    /// Nothing, where the answer is to another question. Leads up to what the other charts show, if that is the
    /// pipeline's own answer.
    void show_result(const LiveResultPtr& result) override;
    /// The path to the number; where the step itself is priced by PALEO, with the corrections of the scenario.
    void add_to_request(LiveRequest& next) const override;

signals:
    void question_changed();  ///< a person switched a correction or the state of PALEO

private:
    PaleoQuestion question_;
    SegmentedControl* era_;
    std::vector<QCheckBox*> boxes_;  ///< in the order of paleo::corrections()
    QLabel* note_;
    WaterfallChart* chart_;

    void switch_all(bool on);
    void change();
    void show_path(const Result<PaleoPath>& path, std::optional<Seconds> step);
};

}  // namespace scalescope::ui
