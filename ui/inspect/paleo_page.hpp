// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

#include "ui/live/live.hpp"

class QCheckBox;
class QLabel;

namespace scalescope::ui {

class SegmentedControl;
class WaterfallChart;

/// From PALEO's number for this scenario to the corrected one, correction by correction; each can be switched off, in
/// both published states of PALEO.
class PaleoPage final : public QWidget {
    Q_OBJECT
public:
    explicit PaleoPage(QWidget* parent = nullptr);

    const PaleoQuestion& question() const { return question_; }
    void set_question(const PaleoQuestion& question);
    WaterfallChart* chart() const { return chart_; }
    /// `step`: what the other charts show, if that is the pipeline's own answer; the page leads up to it.
    void show_path(const Result<PaleoPath>& path, std::optional<Seconds> step);

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
};

}  // namespace scalescope::ui
