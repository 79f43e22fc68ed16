// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/validation_page.hpp"

#include <QFileInfo>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

#include "core/base/format.hpp"
#include "core/formats/input_file.hpp"
#include "core/measure/validate/corrections.hpp"
#include "core/measure/validate/validate.hpp"
#include "ui/charts/helpers.hpp"
#include "ui/charts/xy_chart.hpp"
#include "ui/help/help_guide.hpp"
#include "ui/language/told.hpp"
#include "ui/measure/columns_dialog.hpp"
#include "ui/measure/follow_work.hpp"
#include "ui/measure/report_table.hpp"
#include "ui/measure/split_panes.hpp"
#include "ui/measure/validation_charts.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/banner.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/card.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/progress_row.hpp"

namespace scalescope::ui {
namespace {

using measure::Calibrate;
using measure::ValidationModel;

}  // namespace

ValidationPage::ValidationPage(const formats::Library& library, QWidget* parent) : QWidget(parent), library_(library) {
    auto* column = make_layout<QVBoxLayout>(this);
    pages_ = new QStackedWidget;
    auto* nothing = new EmptyState("compare", tr("No published results are open"),
                                   tr("Drop a table of published results (CSV) with one row per result: network, "
                                      "device, workers, batch, value and unit."),
                                   tr("Open a table…"));
    connect(nothing, &EmptyState::clicked, this, &ValidationPage::open_asked);
    pages_->addWidget(nothing);
    pages_->addWidget(build_work());
    column->addWidget(pages_);
    follow(work_, *progress_);
    connect(progress_, &ProgressRow::cancelled, this, [this] {
        work_.cancel();
        verdict_->setText(tr("Cancelled. The previous result is shown."));
    });
}

QWidget* ValidationPage::build_work() {
    auto* work = new QWidget;
    auto* column = make_layout<QVBoxLayout>(work, space::gap);
    auto* head = make_layout<QHBoxLayout>(nullptr, 8);
    calibrate_ = new Combo(tr("What is fitted to the tables before the prediction"));
    calibrate_->setObjectName(QStringLiteral("validateCalibrate"));
    calibrate_->set_items(
        {combo_item(QStringLiteral("none"), tr("nothing"), tr("All from data sheets and presets")),
         combo_item(QStringLiteral("first-row"), tr("the one-worker row"),
                    tr("The device's speed from the row of one worker most like a row; more workers are predicted")),
         combo_item(QStringLiteral("split"), tr("every second row"),
                    tr("Fitted to every second row of each source, framework, device and precision; the other rows are "
                       "predicted")),
         combo_item(QStringLiteral("device"), tr("a factor per device"),
                    tr("Fitted to every second run on each device; the other runs are predicted"))});
    calibrate_->set_current(QStringLiteral("none"));
    model_ = new Combo(tr("How operations are priced"));
    model_->setObjectName(QStringLiteral("validateModel"));
    model_->set_items({combo_item(QStringLiteral("presets"), tr("Presets"), tr("As the profiles say")),
                       combo_item(QStringLiteral("roofline"), tr("Roofline"),
                                  tr("Peaks of the data sheet, memory traffic hidden, nothing else"))});
    model_->set_current(QStringLiteral("presets"));
    unit_ = new Combo(tr("Unit of the results that are drawn"));
    unit_->setObjectName(QStringLiteral("validateUnit"));
    calibrate_->setFixedWidth(176);
    model_->setFixedWidth(112);
    unit_->setFixedWidth(120);
    open_ = new QPushButton(tr("Add a table…"));
    columns_ = new QPushButton(tr("Columns…"));
    columns_->setObjectName(QStringLiteral("validateColumns"));
    columns_->setToolTip(tr("What each column of the table was taken for"));
    auto* remove = new QPushButton(tr("Clear"));
    remove->setObjectName(QStringLiteral("validateClear"));
    const auto label = [&](const QString& text) { head->addWidget(make_label(text, type::control(), Ink::secondary)); };
    label(tr("Learn from"));
    head->addWidget(calibrate_);
    label(tr("Model"));
    head->addWidget(model_);
    label(tr("Unit"));
    head->addWidget(unit_);
    head->addStretch(1);
    for (QPushButton* button : {columns_, open_, remove}) head->addWidget(button);
    column->addLayout(head);
    progress_ = new ProgressRow;
    progress_->hide();
    column->addWidget(progress_);
    chart_ = new XyChart;
    chart_->set_title(tr("Predicted against published"));
    set_help(*chart_, QStringLiteral("chart-published"));
    chart_->setObjectName(QStringLiteral("validationChart"));
    auto* panes = new SplitPanes(chart_, tr("Results"));
    verdict_ = make_label({}, type::caption(), Ink::secondary);
    verdict_->setObjectName(QStringLiteral("validationVerdict"));
    panes->title()->add_widget(verdict_);
    rows_ = new ChartTableModel(this);
    groups_ = new ChartTableModel(this);
    reasons_ = new ChartTableModel(this);
    rows_view_ = make_report_table(*rows_, tr("Published results"), true);
    rows_view_->setObjectName(QStringLiteral("validationRows"));
    panes->add_tab(tr("Results"), rows_view_);
    panes->add_tab(tr("Summary"), make_report_table(*groups_, tr("Errors by source, network and device"), true));
    panes->add_tab(tr("Not predicted"), make_report_table(*reasons_, tr("Why rows are not predicted"), false));
    column->addWidget(panes, 1);
    connect(open_, &QPushButton::clicked, this, &ValidationPage::open_asked);
    connect(remove, &QPushButton::clicked, this, &ValidationPage::clear);
    connect(columns_, &QPushButton::clicked, this, [this] {
        if (tables_.size() == 1) return ask_columns(tables_.front().file);
        QMenu menu;
        for (const Table& table : tables_)
            menu.addAction(QFileInfo(table.file).fileName(), this, [this, file = table.file] { ask_columns(file); });
        menu.exec(columns_->mapToGlobal(QPoint(0, columns_->height())));
    });
    connect(calibrate_, &Combo::chosen, this, [this](const QString& id) {
        options_.calibrate = id == QLatin1String("first-row") ? Calibrate::first_row
                             : id == QLatin1String("split")   ? Calibrate::split
                             : id == QLatin1String("device")  ? Calibrate::device
                                                              : Calibrate::none;
        validate();
    });
    connect(model_, &Combo::chosen, this, [this](const QString& id) {
        options_.model = id == QLatin1String("roofline") ? ValidationModel::roofline : ValidationModel::presets;
        validate();
    });
    connect(unit_, &Combo::chosen, this, &ValidationPage::show_validation);
    connect(chart_, &XyChart::point_clicked, this, [this](int row) {
        const auto* sorted = qobject_cast<const QSortFilterProxyModel*>(rows_view_->model());
        rows_view_->setCurrentIndex(sorted->mapFromSource(rows_->index(row, 0)));
        open_row(row);
    });
    connect(rows_view_, &QTableView::activated, this, [this](const QModelIndex& at) {
        open_row(qobject_cast<const QSortFilterProxyModel*>(rows_view_->model())->mapToSource(at).row());
    });
    connect(rows_view_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& at) {
        if (at.isValid())
            chart_->set_selected(
                qobject_cast<const QSortFilterProxyModel*>(rows_view_->model())->mapToSource(at).row());
    });
    return work;
}

void ValidationPage::add_table(const QString& file, std::vector<measure::PublishedRow> rows) {
    std::erase_if(tables_, [&](const Table& t) { return t.file == file; });
    tables_.push_back({file, std::move(rows)});
    pages_->setCurrentIndex(1);
    validate();
}

void ValidationPage::ask_columns(const QString& file) {
    const auto say = [this](const Problems& problems) { verdict_->setText(told(to_text(problems.front()))); };
    const std::string path = file.toStdString();
    auto text = formats::read_input_file(path);
    if (!text) return say(text.error());
    auto table = formats::parse_csv(std::move(*text), path);
    if (!table) return say(table.error());
    const auto kept = measure::corrections_beside(path);
    if (!kept) return say(kept.error());
    auto* dialog = new ColumnsDialog(std::move(*table), *kept, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, this, [this, dialog, file, say] {
        if (const auto saved = measure::keep_corrections(file.toStdString(), dialog->corrections()); !saved)
            say(saved.error());
        add_table(file, *dialog->rows());
    });
    dialog->open();
}

void ValidationPage::clear() {
    work_.cancel();
    tables_.clear();
    validation_.reset();
    pages_->setCurrentIndex(0);
    show_validation();
}

void ValidationPage::validate() {
    if (tables_.empty()) return;
    std::vector<measure::PublishedRow> rows;
    for (const Table& table : tables_) rows.insert(rows.end(), table.rows.begin(), table.rows.end());
    work_.run(tr("Predicting %1 results").arg(rows.size()),
              [this, rows = std::move(rows), options = options_, &library = library_](const Watch& watch) {
                  auto result = std::make_shared<Result<measure::Validation>>([&]() -> Result<measure::Validation> {
                      const auto profiles = measure::shipped_profiles();
                      if (!profiles) return tl::unexpected(profiles.error());
                      return measure::validate(rows, library, *profiles, options, watch);
                  }());
                  return Background::Delivery([this, result] {
                      if (*result)
                          validation_ = std::make_shared<const measure::Validation>(std::move(**result));
                      else
                          verdict_->setText(text_of(result->error().front().what));
                      show_validation();
                  });
              });
}

void ValidationPage::show_validation() {
    if (!validation_) {
        chart_->set_data({});
        for (ChartTableModel* model : {rows_, groups_, reasons_}) model->set_table({});
        emit updated();
        return;
    }
    const measure::Validation& v = *validation_;
    std::vector<ComboItem> units;
    for (const QString& unit : units_of(v)) units.push_back(combo_item(unit, unit));
    const QString before = unit_->current();
    unit_->set_items(units);
    const bool known = std::any_of(units.begin(), units.end(), [&](const ComboItem& u) { return u.id == before; });
    unit_->set_current(known ? before : units.empty() ? QString() : units.front().id);
    chart_->set_data(validation_data(v, unit_->current()));
    QStringList names;
    for (const Table& table : tables_) names << QFileInfo(table.file).fileName();
    chart_->set_notes({names.join(QStringLiteral(", "))});
    rows_->set_table(validation_rows(v));
    groups_->set_table(validation_groups(v));
    reasons_->set_table(validation_reasons(v));
    std::vector<double> errors;
    std::size_t predicted = 0;
    for (const measure::ValidatedRow& row : v.rows) {
        predicted += row.predicted.has_value();
        if (row.predicted && row.counts()) errors.push_back(std::abs(*row.error()));
    }
    const auto summary = measure::summarise_errors(errors);
    const auto percent = [](double share) { return text_of(format_percent(Fraction{share})); };
    verdict_->setText(errors.empty() ? tr("%1 of %2 predicted").arg(predicted).arg(v.rows.size())
                                     : tr("%1 of %2 predicted · mean error %3, median %4")
                                           .arg(predicted)
                                           .arg(v.rows.size())
                                           .arg(percent(summary.mean), percent(summary.median)));
    emit updated();
}

void ValidationPage::open_row(int row) {
    if (!validation_ || row < 0 || static_cast<std::size_t>(row) >= validation_->rows.size()) return;
    const measure::ValidatedRow& v = validation_->rows[static_cast<std::size_t>(row)];
    if (v.scenario) emit scenario_asked(*v.scenario, name_of_row(v));
}

}  // namespace scalescope::ui
