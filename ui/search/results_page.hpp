// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/search/metrics.hpp"

class QPushButton;
class QStackedWidget;
class QTableView;

namespace scalescope::ui {

class Banner;
class Card;
class ChartTableModel;
class Combo;
class ElidedLabel;
class HeatChart;
class SearchDocument;
class SegmentedControl;
class SplitPanes;
class WhyPage;
class XyChart;

/// The right side of the window: two charts of what was found, the ranked table below, and why. What is chosen in one
/// is chosen in all; Enter, a double click or the button makes it the open scenario.
class ResultsPage final : public QWidget {
    Q_OBJECT
public:
    explicit ResultsPage(SearchDocument& document, QWidget* parent = nullptr);

    XyChart* front() const { return front_; }
    HeatChart* heat() const { return heat_; }
    QTableView* table() const { return view_; }
    WhyPage* why() const { return why_; }
    WhyPage* all() const { return all_; }
    QPushButton* load_button() const { return load_; }
    SplitPanes* panes() const { return panes_; }
    void show_chart(const QString& id);
    /// All rows as CSV.
    bool save_table_to(const QString& file);

signals:
    void loaded();
    void said(const QString& sentence, bool error);

protected:
    void resizeEvent(QResizeEvent* event) override;

private:
    QWidget* build_charts();
    void fill_choices();
    void show_answer();
    void show_sentences();
    void show_front();
    void show_heat();
    void show_fit();
    void show_chosen();
    void choose_row(int row);
    void load();
    void save_table();
    int row_of_chosen() const;

    SearchDocument& document_;
    std::vector<search::Metric> objectives_;  ///< of the answer on show
    bool same_objectives_ = false;            ///< as the one before: then the axes of the front stay
    SegmentedControl* chart_;
    Combo *x_, *y_, *columns_, *rows_;
    QWidget *front_axes_, *heat_axes_;
    QStackedWidget* charts_;
    XyChart* front_;
    HeatChart* heat_;
    SplitPanes* panes_;
    Banner* stale_;
    Card* sentences_;
    ElidedLabel *best_, *next_best_;
    QPushButton* runner_up_;
    std::optional<std::uint64_t> runner_up_index_;
    QPushButton *load_, *save_;
    ElidedLabel* verdict_;
    ChartTableModel* model_;
    QTableView* view_;
    WhyPage *why_, *all_;
};

}  // namespace scalescope::ui
