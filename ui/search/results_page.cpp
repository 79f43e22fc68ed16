// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/search/results_page.hpp"

#include <QAction>
#include <QFileDialog>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QStackedWidget>
#include <QTableView>
#include <algorithm>

#include "core/base/atomic_file.hpp"
#include "core/base/format.hpp"
#include "core/scenario/fields.hpp"
#include "core/search/answer.hpp"
#include "ui/charts/helpers.hpp"
#include "ui/help/help_guide.hpp"
#include "ui/language/told.hpp"
#include "ui/measure/report_table.hpp"
#include "ui/measure/split_panes.hpp"
#include "ui/search/search_charts.hpp"
#include "ui/search/search_document.hpp"
#include "ui/search/vary_row.hpp"
#include "ui/search/why_page.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/banner.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/button_kind.hpp"
#include "ui/widgets/card.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/segmented_control.hpp"

namespace scalescope::ui {
namespace {

/// What an export says of the scenario that was searched around.
QStringList base_notes(const Scenario& base) {
    return {ResultsPage::tr("scenario %1").arg(text_of(base.name)), text_of(key_settings(base))};
}

constexpr int counts_tab = 2;
constexpr int choice_width = 150;
constexpr int wide = 660;  ///< room for the buttons' long names beside the tabs and the verdict

}  // namespace

ResultsPage::ResultsPage(SearchDocument& document, QWidget* parent) : QWidget(parent), document_(document) {
    auto* column = make_layout<QVBoxLayout>(this, space::gap);
    stale_ = new Banner(Banner::Kind::warning, Banner::Form::strip);
    stale_->setObjectName(QStringLiteral("searchStale"));
    stale_->hide();
    column->addWidget(stale_);
    sentences_ = new Card;
    best_ = new ElidedLabel;
    best_->setFont(type::title());
    best_->setObjectName(QStringLiteral("searchAnswer"));
    next_best_ = new ElidedLabel;
    next_best_->setFont(type::control());
    next_best_->setObjectName(QStringLiteral("searchNextBest"));
    set_ink(*next_best_, Ink::secondary);
    runner_up_ = new QPushButton(tr("Select it"));
    runner_up_->setObjectName(QStringLiteral("searchRunnerUp"));
    runner_up_->setToolTip(tr("Selects the next best design below"));
    set_kind(*runner_up_, QStringLiteral("link"));
    sentences_->body()->add(best_);
    auto* next = new QWidget;
    auto* line = make_layout<QHBoxLayout>(next);
    line->addWidget(next_best_, 1);
    line->addWidget(runner_up_);
    sentences_->body()->add(next);
    column->addWidget(sentences_);
    connect(runner_up_, &QPushButton::clicked, this, [this] {
        if (runner_up_index_) document_.choose(*runner_up_index_);
    });
    panes_ = new SplitPanes(build_charts(), tr("Found"));
    model_ = new ChartTableModel(this);
    view_ = make_report_table(*model_, tr("Combinations that were found"), true);
    view_->setObjectName(QStringLiteral("foundTable"));
    view_->setSelectionMode(QAbstractItemView::SingleSelection);
    why_ = new WhyPage(document_, WhyPage::About::chosen);
    all_ = new WhyPage(document_, WhyPage::About::all);
    verdict_ = new ElidedLabel;
    verdict_->setFont(type::caption());
    set_ink(*verdict_, Ink::secondary);
    verdict_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    verdict_->setObjectName(QStringLiteral("searchVerdict"));
    save_ = new QPushButton(tr("Export CSV…"));
    save_->setObjectName(QStringLiteral("saveFound"));
    save_->setProperty("kind", QStringLiteral("small"));
    load_ = new QPushButton(tr("Load as the scenario"));
    load_->setObjectName(QStringLiteral("loadFound"));
    load_->setProperty("kind", QStringLiteral("small"));
    load_->setToolTip(tr("Opens the selected result as the scenario (Enter, or double-click)"));
    panes_->title()->add_widget(verdict_);
    panes_->title()->add_widget(save_);
    panes_->title()->add_widget(load_);
    panes_->add_tab(tr("Ranked"), view_);
    panes_->add_tab(tr("Why this one"), why_);
    panes_->add_tab(tr("What was looked at"), all_);
    column->addWidget(panes_, 1);

    connect(save_, &QPushButton::clicked, this, &ResultsPage::save_table);
    connect(load_, &QPushButton::clicked, this, &ResultsPage::load);
    connect(view_, &QTableView::activated, this, &ResultsPage::load);
    connect(view_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& at) {
        if (at.isValid()) choose_row(qobject_cast<const QSortFilterProxyModel*>(view_->model())->mapToSource(at).row());
    });
    connect(front_, &XyChart::point_clicked, this, &ResultsPage::choose_row);
    connect(heat_, &HeatChart::cell_clicked, this, [this](int cell) {
        if (document_.answer())
            if (const auto& found = document_.answer()->findings.result.grid.cells()[at(cell)])
                document_.choose(found->index);
    });
    connect(&document_, &SearchDocument::answer_changed, this, &ResultsPage::show_answer);
    connect(&document_, &SearchDocument::current_changed, this, &ResultsPage::show_front);
    connect(&document_, &SearchDocument::chosen_changed, this, &ResultsPage::show_chosen);
    connect(&document_, &SearchDocument::row_added, this, [this] {
        model_->set_table(found_table(document_.answer()->findings, document_.library()));
        show_front();
        show_chosen();
    });
    connect(&document_, &SearchDocument::fit_changed, this, &ResultsPage::show_fit);
    show_chart(QStringLiteral("front"));
    show_answer();
}

QWidget* ResultsPage::build_charts() {
    auto* upper = new QWidget;
    auto* column = make_layout<QVBoxLayout>(upper, space::gap);
    auto* head = make_layout<QHBoxLayout>(nullptr, 12);
    chart_ = new SegmentedControl(tr("Chart of what was found"));
    chart_->setObjectName(QStringLiteral("searchChart"));
    chart_->set_segments({{QStringLiteral("front"), tr("Front"), tr("Two figures against each other")},
                          {QStringLiteral("heat"), tr("Heat map"), tr("The best result over two varied fields")}});
    head->addWidget(chart_);
    const auto pair = [&](const QString& between, Combo*& first, Combo*& second, const QString& one, const QString& two,
                          const char* first_id, const char* second_id) {
        auto* box = new QWidget;
        auto* line = make_layout<QHBoxLayout>(box, 8);
        first = new Combo(one);
        second = new Combo(two);
        first->setObjectName(QLatin1String(first_id));
        second->setObjectName(QLatin1String(second_id));
        for (Combo* c : {first, second}) c->setFixedWidth(choice_width);
        line->addWidget(first);
        line->addWidget(make_label(between, type::control(), Ink::secondary));
        line->addWidget(second);
        head->addWidget(box);
        return box;
    };
    front_axes_ = pair(tr("over"), y_, x_, tr("Figure upwards"), tr("Figure to the right"), "frontY", "frontX");
    heat_axes_ = pair(tr("×"), columns_, rows_, tr("Varied to the right"), tr("Varied downwards"), "heatX", "heatY");
    head->addStretch(1);
    column->addLayout(head);
    charts_ = new QStackedWidget;
    front_ = new XyChart;
    front_->set_title(tr("Front"));
    set_help(*front_, QStringLiteral("chart-front"));
    front_->setObjectName(QStringLiteral("frontChart"));
    heat_ = new HeatChart;
    heat_->set_title(tr("Best over two"));
    set_help(*heat_, QStringLiteral("chart-heat"));
    heat_->setObjectName(QStringLiteral("heatChart"));
    charts_->addWidget(front_);
    charts_->addWidget(heat_);
    column->addWidget(charts_, 1);
    connect(chart_, &SegmentedControl::chosen, this, &ResultsPage::show_chart);
    for (Combo* c : {x_, y_}) connect(c, &Combo::chosen, this, &ResultsPage::show_front);
    // The grid is made by the search: another one wants another search.
    const auto search_again = [this] {
        search::Asked asked = document_.asked();
        asked.grid_columns = columns_->current().toStdString();
        asked.grid_rows = rows_->current().toStdString();
        document_.set_asked(std::move(asked));
        document_.start();
    };
    for (Combo* c : {columns_, rows_})
        connect(c, &Combo::chosen, this, [this, c, search_again] {
            // Both the same: the other one takes what this one had.
            if (columns_->current() == rows_->current()) {
                const auto& grid = document_.answer()->findings.question.grid;
                const auto axes = document_.answer()->findings.space.axes();
                const std::size_t before = c == columns_ ? grid->first : grid->second;
                (c == columns_ ? rows_ : columns_)->set_current(text_of(axes[before].path));
            }
            search_again();
        });
    return upper;
}

void ResultsPage::show_chart(const QString& id) {
    const bool heat = id == QLatin1String("heat");
    chart_->set_current(id);
    charts_->setCurrentWidget(heat ? static_cast<QWidget*>(heat_) : front_);
    front_axes_->setVisible(!heat && document_.answer());
    heat_axes_->setVisible(heat && document_.answer());
}

/// What can be chosen for the axes of both charts.
void ResultsPage::fill_choices() {
    std::vector<ComboItem> figures, varied;
    QString columns, rows;
    if (const auto& answer = document_.answer()) {
        const search::Findings& f = answer->findings;
        std::vector<search::Metric> metrics = f.question.objectives;
        for (std::size_t m = 0; m < search::metric_count; ++m)
            if (const auto metric = static_cast<search::Metric>(m);
                std::count(metrics.begin(), metrics.end(), metric) == 0)
                metrics.push_back(metric);
        for (const search::Metric m : metrics) {
            const bool asked = std::count(f.question.objectives.begin(), f.question.objectives.end(), m) > 0;
            ComboItem item = combo_item(told(search::info_of(m).name), told(search::info_of(m).label));
            item.section = asked ? tr("Best by") : tr("Other figures of the rows found");
            figures.push_back(std::move(item));
        }
        for (const search::Axis& axis : f.space.axes())
            varied.push_back(combo_item(text_of(axis.path), title_of_path(axis.path, f.space.base())));
        if (f.question.grid) {
            columns = text_of(f.space.axes()[f.question.grid->first].path);
            rows = text_of(f.space.axes()[f.question.grid->second].path);
        }
        const QString x_before = x_->current(), y_before = y_->current();
        const auto first = told(search::info_of(f.question.objectives.front()).name);
        // Against the second objective, or, if there is none, against how many devices it takes.
        const auto second = f.question.objectives.size() > 1                           ? f.question.objectives[1]
                            : f.question.objectives.front() != search::Metric::devices ? search::Metric::devices
                                                                                       : search::Metric::time;
        x_->set_items(figures);
        y_->set_items(figures);
        if (x_before.isEmpty() || !same_objectives_) x_->set_current(told(search::info_of(second).name));
        if (y_before.isEmpty() || !same_objectives_) y_->set_current(first);
    }
    columns_->set_items(varied);
    rows_->set_items(varied);
    columns_->set_current(columns);
    rows_->set_current(rows);
    heat_axes_->setEnabled(varied.size() > 1);
    show_chart(chart_->current());
}

void ResultsPage::show_answer() {
    const auto& answer = document_.answer();
    if (answer) {
        same_objectives_ = objectives_ == answer->findings.question.objectives;
        objectives_ = answer->findings.question.objectives;
    }
    fill_choices();
    const bool any = answer && !answer->findings.rows.empty();
    model_->set_table(any ? found_table(answer->findings, document_.library()) : ChartTable{});
    save_->setEnabled(any);
    if (any) view_->sortByColumn(-1, Qt::AscendingOrder);  // the best first
    QString verdict, in_short;
    if (answer) {
        const search::Findings& f = answer->findings;
        const QString scored = text_of(format_count(static_cast<std::int64_t>(f.result.counts.scored)));
        const QString time = text_of(format_time(Seconds{answer->seconds}, 2));
        in_short = !any                ? tr("Nothing found")
                   : f.result.proven() ? tr("Proven best")
                   : f.result.complete ? tr("Not proven")
                                       : tr("Best so far");
        verdict = !any                ? tr("Nothing found")
                  : f.result.proven() ? tr("Proven best · %1 scored in %2").arg(scored, time)
                  : f.result.complete ? tr("Best found, not proven · %1 scored in %2").arg(scored, time)
                                      : tr("Stopped early: best so far · %1 scored in %2").arg(scored, time);
    } else if (!document_.problems().empty()) {
        verdict = tr("The search could not begin");
    }
    set_ink(*verdict_, answer && any && answer->findings.result.proven() ? Ink::secondary : Ink::warning);
    verdict_->set_choices({verdict, in_short});
    if ((answer && !any) || !document_.problems().empty()) panes_->show_tab(counts_tab);
    if (any && panes_->tab() == counts_tab) panes_->show_tab(0);
    show_sentences();
    show_front();
    show_heat();
    show_fit();
    show_chosen();
}

void ResultsPage::show_sentences() {
    const auto& answer = document_.answer();
    const search::Answer told_of = answer ? search::answer_of(answer->findings, document_.library()) : search::Answer();
    sentences_->setVisible(!told_of.best.empty());
    best_->setText(told(told_of.best));
    next_best_->setText(told(told_of.runner_up));
    next_best_->setVisible(!told_of.runner_up.empty());
    runner_up_->setVisible(!told_of.runner_up.empty());
    runner_up_index_ = told_of.runner_up_index;
}

void ResultsPage::show_front() {
    const auto& answer = document_.answer();
    XyData shown;
    if (!answer) {
        shown.empty_reason = tr("Press Search to find the best.");
    } else if (answer->findings.rows.empty()) {
        shown.empty_reason = tr("No combination meets the conditions. The reasons are listed below.");
    } else {
        const auto x = search::metric_named(x_->current().toStdString()),
                   y = search::metric_named(y_->current().toStdString());
        if (x && y) shown = front_data(answer->findings, *x, *y, document_.library(), document_.current());
        if (shown.series.empty()) shown.empty_reason = tr("No result has both of these figures.");
        front_->set_title(shown.y.name.isEmpty() ? tr("Front")
                                                 : tr("%1 over %2").arg(shown.y.name, inside_sentence(shown.x.name)));
    }
    front_->set_data(std::move(shown));
    front_->set_notes(answer ? base_notes(answer->findings.space.base()) : QStringList{});
}

void ResultsPage::show_heat() {
    const auto& answer = document_.answer();
    HeatData shown;
    if (answer)
        shown = heat_data(answer->findings, document_.library());
    else
        shown.empty_reason = tr("Press Search to find the best.");
    if (!shown.value_name.isEmpty())
        heat_->set_title(
            tr("Best %1 over %2 and %3")
                .arg(inside_sentence(shown.value_name), inside_sentence(shown.x_name), inside_sentence(shown.y_name)));
    heat_->set_data(std::move(shown));
    heat_->set_notes(front_->notes());
}

/// Whether what is shown is still about what is open.
void ResultsPage::show_fit() {
    stale_->remove_buttons();
    const SearchDocument::Fit fit = document_.fit();
    stale_->setVisible(fit != SearchDocument::Fit::fits);
    if (fit == SearchDocument::Fit::fits) return;
    stale_->set_text(
        fit == SearchDocument::Fit::other_question ? tr("The question has changed.") : tr("The scenario has changed."),
        fit == SearchDocument::Fit::other_question ? tr("This is the answer to the previous question.")
                                                   : tr("This was found for the one before."));
    connect(stale_->add_button(tr("Search again"), true), &QPushButton::clicked, &document_, &SearchDocument::start);
}

int ResultsPage::row_of_chosen() const {
    if (!document_.answer() || !document_.chosen()) return -1;
    const auto row = document_.answer()->findings.row_of(*document_.chosen());
    return row ? static_cast<int>(*row) : -1;
}

void ResultsPage::show_chosen() {
    const int row = row_of_chosen();
    load_->setEnabled(document_.chosen().has_value());
    front_->set_selected(row);
    int cell = -1;
    if (document_.answer() && document_.chosen()) {
        const auto cells = document_.answer()->findings.result.grid.cells();
        for (std::size_t i = 0; i < cells.size(); ++i)
            if (cells[i] && cells[i]->index == *document_.chosen()) cell = static_cast<int>(i);
    }
    heat_->set_selected(cell);
    if (row < 0) {
        view_->clearSelection();
        return;
    }
    const auto* sorted = qobject_cast<const QSortFilterProxyModel*>(view_->model());
    const QModelIndex at = sorted->mapFromSource(model_->index(row, 0));
    if (view_->currentIndex().row() != at.row() || !view_->selectionModel()->isRowSelected(at.row()))
        view_->setCurrentIndex(at);
}

void ResultsPage::choose_row(int row) {
    if (document_.answer() && row >= 0 && at(row) < document_.answer()->findings.rows.size())
        document_.choose(document_.answer()->findings.rows[at(row)].found.index);
}

void ResultsPage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    save_->setText(width() < wide ? tr("Export…") : tr("Export CSV…"));
    load_->setText(width() < wide ? tr("Load") : tr("Load as the scenario"));
}

void ResultsPage::load() {
    if (document_.load()) emit loaded();
}

bool ResultsPage::save_table_to(const QString& file) {
    if (!document_.answer()) return false;
    QStringList notes = base_notes(document_.answer()->findings.space.base());
    for (const std::string& line : document_.answer()->findings.told) notes << text_of(line);
    const auto saved = write_file(file.toStdString(), to_csv(model_->table(), notes).toStdString());
    if (!saved)
        emit said(text_of(to_text(saved.error().front())), true);
    else
        emit said(tr("The rows are in %1.").arg(file), false);
    return saved.has_value();
}

void ResultsPage::save_table() {
    QString file = QFileDialog::getSaveFileName(this, tr("Export the rows"), tr("best.csv"), tr("Tables (*.csv)"));
    if (file.isEmpty()) return;
    if (!file.endsWith(QLatin1String(".csv"), Qt::CaseInsensitive)) file += QStringLiteral(".csv");
    save_table_to(file);
}

}  // namespace scalescope::ui
