// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/charts/chart.hpp"
#include "ui/live/view.hpp"

class QLabel;
class QStackedLayout;

namespace scalescope::ui {

class Document;
class KeyFigures;
class PercentField;
class XyChart;

/// What more workers give and what stale weights take, with asynchronous updates: speed, statistical efficiency and
/// their product, and the assumed cost of staleness to drag. The curves follow the hand; the rest follows at rest.
class StalenessPage final : public QWidget, public View {
    Q_OBJECT
public:
    explicit StalenessPage(Document& document, QWidget* parent = nullptr);

    NamedCharts charts() const override;
    void add_to_question(AnalysisQuestion& asked, const Scenario& scenario) const override;
    void show_analysis(const AnalysisPtr& latest, bool current) override;

signals:
    void cpu_page_asked();

private:
    Document& document_;
    QStackedLayout* pages_;
    PercentField* cost_;
    KeyFigures* figures_;
    XyChart *speed_chart_, *efficiency_chart_;
    QLabel* note_;
    std::optional<StalenessLesson> lesson_;
    std::int64_t workers_ = 1;

    void show_lesson(const QString& empty_reason = {});
    void show_scenario();
};

}  // namespace scalescope::ui
