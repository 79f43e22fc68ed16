// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/runs_page.hpp"

#include <QCheckBox>
#include <QFileInfo>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

#include "core/base/format.hpp"
#include "ui/charts/helpers.hpp"
#include "ui/charts/xy_chart.hpp"
#include "ui/help/help_guide.hpp"
#include "ui/measure/column_mapper.hpp"
#include "ui/measure/fit_settings.hpp"
#include "ui/measure/report_table.hpp"
#include "ui/measure/runs_table.hpp"
#include "ui/measure/split_panes.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/banner.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/card.hpp"
#include "ui/widgets/problems_view.hpp"
#include "ui/widgets/segmented_control.hpp"
#include "ui/widgets/upright_scroll.hpp"

namespace scalescope::ui {
namespace {

constexpr int left_width = 288;
constexpr int notes_tab = 4;

}  // namespace

RunsPage::RunsPage(QWidget* parent) : QWidget(parent) {
    auto* row = make_layout<QVBoxLayout>(this);
    pages_ = new QStackedWidget;
    auto* nothing =
        new EmptyState("table", tr("No runs are open"),
                       tr("Drop a table of measured runs (CSV) on the window: a header, then a run per row, "
                          "with its workers, its batch and its time or throughput."),
                       tr("Open a table…"));
    connect(nothing, &EmptyState::clicked, this, &RunsPage::open_asked);
    pages_->addWidget(nothing);
    work_ = new QWidget;
    auto* columns = make_layout<QHBoxLayout>(work_, space::gap);
    columns->addWidget(build_left());
    columns->addWidget(build_right(), 1);
    pages_->addWidget(work_);
    row->addWidget(pages_);
    connect(&document_, &RunsDocument::changed, this, &RunsPage::show_state);
    connect(&document_, &RunsDocument::fit_changed, this, &RunsPage::show_fit);
    connect(&document_, &RunsDocument::costs_changed, this, &RunsPage::show_costs);
    connect(&document_.work(), &Background::progressed, this,
            [this](double fraction, const QString&) { progress_->setValue(static_cast<int>(fraction * 1000)); });
    show_state();
    show_fit();
}

QWidget* RunsPage::build_left() {
    auto* left = new QWidget;
    left->setFixedWidth(left_width);
    auto* column = make_layout<QVBoxLayout>(left, space::gap);
    auto* inside = new QWidget;
    auto* cards = new QVBoxLayout(inside);
    cards->setContentsMargins(0, 0, 8, 0);
    cards->setSpacing(space::gap);
    auto* table_card = new Card(tr("Columns"));
    table_title_ = table_card->title_row();
    table_title_->show_buttons(false, false);
    table_card->body()->add(new ColumnMapper(document_));
    auto* model_card = new Card(tr("Model"));
    model_card->title_row()->show_buttons(false, false);
    model_card->body()->add(new FitSettings(document_));
    cards->addWidget(table_card);
    cards->addWidget(model_card);
    cards->addStretch(1);
    auto* scroll = new UprightScroll(inside, 0);
    scroll->setObjectName(QStringLiteral("runsScroll"));
    column->addWidget(scroll, 1);
    auto* foot = new Card;
    fit_button_ = new QPushButton(tr("Fit"));
    fit_button_->setObjectName(QStringLiteral("fit"));
    fit_button_->setProperty("kind", QStringLiteral("primary"));
    connect(fit_button_, &QPushButton::clicked, this, [this] {
        if (document_.fitting())
            document_.cancel_fit();
        else
            document_.start_fit();
    });
    progress_ = new QProgressBar;
    progress_->setRange(0, 1000);
    progress_->setTextVisible(false);
    progress_->setAccessibleName(tr("Progress of the fit"));
    QSizePolicy keeps = progress_->sizePolicy();
    keeps.setRetainSizeWhenHidden(true);
    progress_->setSizePolicy(keeps);
    verdict_ = make_label({}, type::caption(), Ink::secondary);
    verdict_->setObjectName(QStringLiteral("fitVerdict"));
    verdict_->setWordWrap(true);
    foot->body()->add(fit_button_);
    foot->body()->add(progress_);
    foot->body()->add(verdict_);
    auto* foot_row = new QHBoxLayout;
    foot_row->setContentsMargins(0, 0, 8, 0);
    foot_row->addWidget(foot);
    column->addLayout(foot_row);
    return left;
}

QWidget* RunsPage::build_right() {
    auto* upper = new QWidget;
    auto* column = make_layout<QVBoxLayout>(upper, space::gap);
    auto* head = make_layout<QHBoxLayout>(nullptr, 12);
    chart_choice_ = new SegmentedControl(tr("Chart of the fit"));
    chart_choice_->setObjectName(QStringLiteral("fitChart"));
    chart_choice_->set_segments(
        {{QStringLiteral("predicted"), tr("Predicted"), tr("Predicted against measured time")},
         {QStringLiteral("workers"), tr("Over workers"), tr("The fit over counts of workers")},
         {QStringLiteral("cost"), tr("Search"), tr("The best cost while constants are sought")}});
    quantity_ = new SegmentedControl(tr("What is shown over workers"));
    quantity_->setObjectName(QStringLiteral("fitQuantity"));
    quantity_->set_segments({{QStringLiteral("time"), tr("Time"), {}},
                             {QStringLiteral("speedup"), tr("Speedup"), {}},
                             {QStringLiteral("efficiency"), tr("Efficiency"), {}}});
    in_speedup_ = new QCheckBox(tr("Beside the model's speedup"));
    in_speedup_->setObjectName(QStringLiteral("inSpeedup"));
    in_speedup_->setToolTip(tr("Draws the fit into the speedup chart of the main window"));
    connect(in_speedup_, &QCheckBox::toggled, this, &RunsPage::curve_changed);
    head->addWidget(chart_choice_);
    head->addWidget(quantity_);
    head->addStretch(1);
    head->addWidget(in_speedup_);
    column->addLayout(head);
    charts_ = new QStackedWidget;
    predicted_ = new XyChart;
    predicted_->set_title(tr("Predicted against measured"));
    set_help(*predicted_, QStringLiteral("chart-runs-predicted"));
    predicted_->setObjectName(QStringLiteral("predictedChart"));
    over_workers_ = new XyChart;
    over_workers_->set_title(tr("Over workers"));
    set_help(*over_workers_, QStringLiteral("chart-runs-workers"));
    over_workers_->setObjectName(QStringLiteral("overWorkersChart"));
    cost_ = new XyChart;
    cost_->set_title(tr("Best cost"));
    set_help(*cost_, QStringLiteral("chart-runs-cost"));
    cost_->setObjectName(QStringLiteral("costChart"));
    for (XyChart* chart : {predicted_, over_workers_, cost_}) charts_->addWidget(chart);
    column->addWidget(charts_, 1);
    const auto choose = [this](const QString& id) {
        charts_->setCurrentIndex(id == QLatin1String("workers") ? 1 : id == QLatin1String("cost") ? 2 : 0);
        quantity_->setVisible(id == QLatin1String("workers"));
    };
    connect(chart_choice_, &SegmentedControl::chosen, this, choose);
    connect(quantity_, &SegmentedControl::chosen, this, &RunsPage::show_fit);
    for (XyChart* chart : {predicted_, over_workers_})
        connect(chart, &XyChart::point_clicked, this, [this](int row) {
            choose_row(row);
            if (!document_.fit_is_foreign()) table_->select_row(row);
        });
    choose(QStringLiteral("predicted"));

    problems_ = new ProblemsView;
    panes_ = new SplitPanes(upper, tr("Runs"));
    save_table_ = new QPushButton(tr("Save table…"));
    save_fit_ = new QPushButton(tr("Save fit…"));
    save_table_->setObjectName(QStringLiteral("saveTable"));
    save_fit_->setObjectName(QStringLiteral("saveFit"));
    for (QPushButton* b : {save_table_, save_fit_}) {
        b->setProperty("kind", QStringLiteral("small"));
        panes_->title()->add_widget(b);
    }
    panes_->title()->add_widget(problems_->counts());
    connect(save_table_, &QPushButton::clicked, this, &RunsPage::save_table_asked);
    connect(save_fit_, &QPushButton::clicked, this, &RunsPage::save_fit_asked);
    table_ = new RunsTable(document_);
    connect(table_, &RunsTable::row_chosen, this, &RunsPage::choose_row);
    constants_ = new ChartTableModel(this);
    factors_ = new ChartTableModel(this);
    errors_ = new ChartTableModel(this);
    panes_->add_tab(tr("Runs"), table_);
    panes_->add_tab(tr("Constants"), make_report_table(*constants_, tr("Constants of the fit"), false));
    panes_->add_tab(tr("Factors"), make_report_table(*factors_, tr("Factors of the fit"), false));
    panes_->add_tab(tr("Errors"), make_report_table(*errors_, tr("Errors of the fit and of simpler ways"), false));
    panes_->add_tab(tr("Notes"), problems_);
    return panes_;
}

void RunsPage::show_state() {
    pages_->setCurrentIndex(document_.empty() && !document_.fit() ? 0 : 1);
    const QString name = QFileInfo(document_.file()).fileName();
    table_title_->set_unit(document_.dirty() ? tr("%1, changed").arg(name) : name);
    save_table_->setEnabled(!document_.empty());
    show_problems();
    show_fit();
}

void RunsPage::show_problems() {
    std::vector<ProblemRow> rows;
    bool failed = false;
    const auto take = [&](const Problems& problems) {
        for (const Problem& p : problems) {
            failed |= p.severity == Severity::error;
            rows.push_back(problem_row(p));
            if (QString& remedy = rows.back().remedy; !remedy.isEmpty()) {  // a sentence of its own here
                remedy[0] = remedy[0].toUpper();
                if (!remedy.endsWith(QLatin1Char('.'))) remedy += QLatin1Char('.');
            }
        }
    };
    if (!document_.empty()) take(document_.imported() ? document_.imported()->warnings : document_.imported().error());
    take(document_.fit_problems());
    if (document_.fit() && (!document_.fit_is_stale() || document_.fit_is_foreign()))
        take(document_.fit()->fit.warnings);
    problems_->set_problems(rows);
    if (failed && panes_->tab() != notes_tab) panes_->show_tab(notes_tab);
}

std::size_t RunsPage::run_on_show() const {
    const FittedRuns& f = *document_.fit();
    const auto found = std::find(f.rows.begin(), f.rows.end(), static_cast<std::size_t>(std::max(chosen_row_, 0)));
    if (chosen_row_ >= 0 && found != f.rows.end()) return static_cast<std::size_t>(found - f.rows.begin());
    return measure::most_varied_run(*f.fit.form, f.runs, f.fit.options.form.workers);
}

void RunsPage::show_fit() {
    const bool fitting = document_.fitting();
    fit_button_->setText(fitting ? tr("Cancel") : tr("Fit"));
    fit_button_->setProperty("kind", fitting ? QString() : QStringLiteral("primary"));
    fit_button_->style()->unpolish(fit_button_);
    fit_button_->style()->polish(fit_button_);
    fit_button_->setEnabled(fitting || (!document_.empty() && document_.runs() != nullptr));
    progress_->setVisible(fitting);
    if (fitting && !was_fitting_) {
        progress_->setValue(0);
        if (!document_.fit()) {  // the search is the only thing to see yet
            chart_choice_->set_current(QStringLiteral("cost"));
            emit chart_choice_->chosen(QStringLiteral("cost"));
        }
    } else if (was_fitting_ && !fitting && document_.fit() && document_.fit_problems().empty() &&
               chart_choice_->current() == QLatin1String("cost")) {
        chart_choice_->set_current(QStringLiteral("predicted"));
        emit chart_choice_->chosen(QStringLiteral("predicted"));
    }
    const bool done = was_fitting_ && !fitting;
    was_fitting_ = fitting;
    // One that is of other runs is whole in itself.
    save_fit_->setEnabled(document_.fit() != nullptr && (!document_.fit_is_stale() || document_.fit_is_foreign()));
    in_speedup_->setEnabled(document_.fit() && has_workers(*document_.fit()));
    if (done) show_problems();
    if (!document_.fit()) {
        XyData nothing;
        nothing.empty_reason = fitting ? tr("Fitting…") : tr("Press Fit to fit a model to the runs.");
        predicted_->set_data(nothing);
        over_workers_->set_data(nothing);
        constants_->set_table({});
        factors_->set_table({});
        errors_->set_table({});
        verdict_->setText(document_.fit_problems().empty() ? QString()
                                                           : text_of(document_.fit_problems().front().what));
        set_ink(*verdict_, document_.fit_problems().empty() ? Ink::secondary : Ink::error);
        emit curve_changed();
        return;
    }
    const FittedRuns& f = *document_.fit();
    predicted_->set_data(predicted_data(f));
    const QString what = quantity_->current();
    over_workers_->set_data(over_workers_data(f, run_on_show(),
                                              what == QLatin1String("speedup")      ? OverWorkers::speedup
                                              : what == QLatin1String("efficiency") ? OverWorkers::efficiency
                                                                                    : OverWorkers::time));
    const QString source = document_.fit_is_foreign() ? document_.fit_file() : document_.file();
    predicted_->set_notes({tr("table %1, %2").arg(QFileInfo(source).fileName(), text_of(f.data_hash)),
                           text_of(f.fit.form->expression())});
    over_workers_->set_notes(predicted_->notes());
    constants_->set_table(constants_table(f));
    factors_->set_table(factors_table(f));
    errors_->set_table(errors_table(f));
    const auto percent = [](double share) { return text_of(format_percent(Fraction{share})); };
    QStringList parts;
    const bool foreign = document_.fit_is_foreign();
    if (foreign)
        parts << (document_.empty() ? tr("A saved fit, shown without its table.")
                                    : tr("This fit was made from other runs than the open table."));
    else if (document_.fit_is_stale())
        parts << tr("The table or the model changed since this fit: fit again.");
    if (!document_.fit_problems().empty()) parts << text_of(document_.fit_problems().front().what);
    parts << tr("Mean error %1 on %2 fitted runs")
                 .arg(percent(f.fit.metrics.training.mean_error))
                 .arg(f.fit.metrics.training.runs);
    if (f.fit.metrics.held_out.runs > 0)
        parts.back() +=
            tr(", %1 on %2 held out").arg(percent(f.fit.metrics.held_out.mean_error)).arg(f.fit.metrics.held_out.runs);
    parts.back() += QLatin1Char('.');
    if (f.fit.noise) parts << tr("Runs measured again differ by %1.").arg(percent(f.fit.noise->deviation));
    verdict_->setText(parts.join(QLatin1Char(' ')));
    const bool doubtful = foreign ? !document_.empty() : document_.fit_is_stale();
    set_ink(*verdict_, doubtful || !document_.fit_problems().empty() ? Ink::warning : Ink::secondary);
    emit curve_changed();
}

void RunsPage::show_costs() {
    cost_->set_data(
        cost_data(document_.costs(), document_.state().options.optimizer == measure::FitOptimizer::evolution));
}

void RunsPage::choose_row(int row) {
    chosen_row_ = row;
    predicted_->set_selected(row);
    over_workers_->set_selected(row);
    if (document_.fit()) show_fit();
}

std::optional<FittedCurve> RunsPage::curve() const {
    if (!in_speedup_->isChecked() || !document_.fit()) return std::nullopt;
    if (document_.fit_is_stale() && !document_.fit_is_foreign()) return std::nullopt;
    auto curve = fitted_curve(*document_.fit(), run_on_show());
    if (curve.points.empty()) return std::nullopt;
    return curve;
}

}  // namespace scalescope::ui
