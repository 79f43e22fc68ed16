// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <vector>

#include "core/search/fixes.hpp"
#include "ui/live/view.hpp"

class QHBoxLayout;
class QLabel;

namespace scalescope::ui {

class ElidedLabel;

/// Stands where the open design does not fit into memory: by how much, what takes the room, and a few designs near it
/// that fit, each one click away. Hidden where the design fits.
class VerdictCard final : public QFrame, public View {
    Q_OBJECT
public:
    explicit VerdictCard(QWidget* parent = nullptr);

    void show_result(const LiveResultPtr& result) override;
    /// Designs that fit.
    void show_analysis(const AnalysisPtr& latest, bool current) override;

signals:
    void fix_chosen(const scalescope::Scenario& scenario);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QWidget* box_of(const search::Fix& fix, bool best);

    ElidedLabel *headline_, *parts_;
    QLabel *times_, *waiting_;
    QHBoxLayout* boxes_;
    std::shared_ptr<const Scenario> scenario_;
    std::vector<search::Fix> shown_;
    bool current_ = false;  ///< they are of the design on show
};

}  // namespace scalescope::ui
