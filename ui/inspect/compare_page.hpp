// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>

#include "ui/charts/chart.hpp"
#include "ui/live/view.hpp"

class QSplitter;
class QStackedLayout;

namespace scalescope::ui {

class Card;
class Combo;
class DesignTable;
class EmptyState;
class WaterfallChart;

/// The open design and those pinned beside it: figures side by side, in what two of them differ, and how much of the
/// difference between a figure of theirs each field explains. A difference leads to its field.
class ComparePage final : public QWidget, public View {
    Q_OBJECT
public:
    explicit ComparePage(QWidget* parent = nullptr);

    /// Which two designs, by the places of their pins; −1 is the open one. And the figure that is shared out.
    struct Choice {
        int from = 0, to = -1;
        search::Metric metric = search::Metric::step;
        bool operator==(const Choice&) const = default;
    };
    const Choice& choice() const { return choice_; }
    /// Emits nothing.
    void set_choice(const Choice& choice);
    /// The pinned design that other panels compare with.
    void compare_from(int pin);

    /// Nothing without pins, and where one of the two makes no sense.
    std::optional<ComparisonQuestion> question() const;
    WaterfallChart* chart() const { return chart_; }
    NamedCharts charts() const override;
    void show_result(const LiveResultPtr& result) override;
    void add_to_question(AnalysisQuestion& asked, const Scenario& scenario) const override;
    /// While another answer is on its way, what is shown turns pale.
    void show_analysis(const AnalysisPtr& latest, bool current) override;
    /// How far the work is on what nobody sees yet.
    void set_progress(double fraction);

signals:
    void question_changed();
    void field_asked(const QString& path);
    void pin_asked();

private:
    Choice wanted_, choice_;  ///< what was chosen, and what of it there is
    LiveResultPtr result_;
    QStackedLayout* pages_;
    EmptyState* nothing_pinned_;
    QSplitter* both_;
    Card* card_;
    Combo *from_, *to_, *metric_;
    DesignTable *figures_, *differences_;
    WaterfallChart* chart_;

    bool pinned() const;
    bool fits() const;
    int designs() const;
    const Scenario& scenario_of(int design) const;
    const Result<Estimate>& estimate_of(int design) const;
    QString short_name(int design) const;
    void choose(Choice choice);
    Choice fitting(Choice choice) const;
    void fill_choices();
    void show_tables();
    void show_nothing(const QString& reason);
};

}  // namespace scalescope::ui
