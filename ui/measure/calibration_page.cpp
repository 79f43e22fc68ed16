// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/calibration_page.hpp"

#include <QFileInfo>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

#include "core/base/format.hpp"
#include "core/formats/csv.hpp"
#include "core/formats/csv_write.hpp"
#include "core/formats/named_settings.hpp"
#include "core/measure/operators/tables.hpp"
#include "ui/charts/helpers.hpp"
#include "ui/help/help_guide.hpp"
#include "ui/measure/calibration_charts.hpp"
#include "ui/measure/follow_work.hpp"
#include "ui/measure/report_table.hpp"
#include "ui/measure/runs_document.hpp"
#include "ui/measure/split_panes.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/banner.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/button_kind.hpp"
#include "ui/widgets/card.hpp"
#include "ui/widgets/progress_row.hpp"

namespace scalescope::ui {
namespace {

/// What a table is fitted to: operators; or the design's layers, or runs, each the design with what its row says.
Result<MadeCalibration> make(const std::string& text, const std::string& file, const Scenario& design,
                             const measure::ColumnMap& map, const formats::Library& library, const Watch& watch) {
    MadeCalibration made;
    made.data_hash = measure::data_hash(text);
    const auto table = formats::parse_csv(text, file);
    if (!table) return tl::unexpected(table.error());
    if (operators::is_operator_table(*table)) {
        auto measured = operators::read_operator_table(*table);
        if (!measured) return tl::unexpected(measured.error());
        auto fit = calibration::calibrate_operators(*measured, library.catalogue, watch);
        if (!fit) return tl::unexpected(fit.error());
        made.observations.warnings = measured->warnings;
        for (Problem& p : fit->warnings) made.observations.warnings.push_back(p);
        made.measured = std::move(*measured);
        made.operators = std::move(*fit);
        return made;
    }
    auto seen = calibration::is_layer_table(*table)
                    ? calibration::read_layers(text, file, design)
                    : calibration::read_runs(text, file, design, {map, {}},
                                             [&](Scenario& s, const std::string& path, const std::string& value) {
                                                 return formats::set_by_name(s, path, value, library);
                                             });
    if (!seen) return tl::unexpected(seen.error());
    auto fit = calibration::calibrate(*seen, {}, watch);
    if (!fit) return tl::unexpected(fit.error());
    made.observations = std::move(*seen);
    made.fit = std::move(*fit);
    for (const Problem& p : made.fit.warnings) made.observations.warnings.push_back(p);
    return made;
}

/// The open table without its rows: asked whenever the page is shown.
Result<formats::CsvTable> headings_of(const RunsDocument& runs) {
    return formats::parse_csv(formats::csv_row(runs.sheet().names()), {});
}

bool has_operators(const RunsDocument& runs) {
    const auto table = headings_of(runs);
    return table && operators::is_operator_table(*table);
}

}  // namespace

CalibrationPage::CalibrationPage(RunsDocument& runs, const formats::Library& library, QWidget* parent)
    : QWidget(parent), runs_(runs), library_(library), design_([] { return Scenario(); }) {
    auto* column = make_layout<QVBoxLayout>(this);
    pages_ = new QStackedWidget;
    auto* nothing = new EmptyState("table", tr("No runs are open"),
                                   tr("Drop a table of measured runs or layers (CSV). The model's constants are fitted "
                                      "to it, so that the open design predicts your machines."),
                                   tr("Open a table…"));
    connect(nothing, &EmptyState::clicked, this, &CalibrationPage::open_asked);
    pages_->addWidget(nothing);
    pages_->addWidget(build_work());
    column->addWidget(pages_);
    follow(work_, *progress_);
    connect(progress_, &ProgressRow::cancelled, this, [this] {
        work_.cancel();
        show_made();
    });
    connect(&runs_, &RunsDocument::changed, this, [this] {
        stale_ = made_ != nullptr;
        show_subject();
        show_made();
    });
    show_subject();
    show_made();
}

QWidget* CalibrationPage::build_work() {
    auto* work = new QWidget;
    auto* column = make_layout<QVBoxLayout>(work, space::gap);
    auto* head = make_layout<QHBoxLayout>(nullptr, 8);
    subject_ = new ElidedLabel;
    subject_->setFont(type::control());
    subject_->setObjectName(QStringLiteral("calibrationSubject"));
    start_ = new QPushButton(tr("Calibrate"));
    start_->setObjectName(QStringLiteral("calibrate"));
    start_->setToolTip(tr("Fits the design's fractions of peak, start-up times and overhead to these runs"));
    connect(start_, &QPushButton::clicked, this, &CalibrationPage::start);
    head->addWidget(subject_, 1);
    head->addWidget(start_);
    column->addLayout(head);
    progress_ = new ProgressRow;
    progress_->hide();
    column->addWidget(progress_);
    chart_ = new XyChart;
    chart_->set_title(tr("Predicted against measured"));
    set_help(*chart_, QStringLiteral("chart-calibration"));
    chart_->setObjectName(QStringLiteral("calibrationChart"));
    auto* panes = new SplitPanes(chart_, tr("Result"));
    verdict_ = make_label({}, type::caption(), Ink::secondary);
    verdict_->setObjectName(QStringLiteral("calibrationVerdict"));
    panes->title()->add_widget(verdict_);
    constants_ = new ChartTableModel(this);
    times_ = new ChartTableModel(this);
    notes_ = new ChartTableModel(this);
    panes->add_tab(tr("Result"), make_report_table(*constants_, tr("What was found"), false));
    panes->add_tab(tr("Times"), make_report_table(*times_, tr("Measured and predicted times"), true));
    panes->add_tab(tr("Notes"), make_report_table(*notes_, tr("What was left out"), false));
    panes->share(4, 5);
    column->addWidget(panes, 1);
    auto* foot = make_layout<QHBoxLayout>(nullptr, 8);
    auto* name_label = make_label(tr("Name"), type::control(), Ink::secondary);
    name_ = new QLineEdit;
    name_->setObjectName(QStringLiteral("calibrationName"));
    name_->setAccessibleName(tr("Name of the calibration"));
    name_->setMaximumWidth(280);
    name_label->setBuddy(name_);
    keep_ = new QPushButton(tr("Keep and use in the design"));
    keep_->setObjectName(QStringLiteral("keepCalibration"));
    keep_->setToolTip(
        tr("Saved with your presets for this and other designs. Every figure then names it as its evidence"));
    save_ = new QPushButton(tr("Save as…"));
    connect(keep_, &QPushButton::clicked, this, &CalibrationPage::keep_asked);
    connect(save_, &QPushButton::clicked, this, &CalibrationPage::save_asked);
    connect(name_, &QLineEdit::textChanged, this, [this] {
        for (QPushButton* b : {keep_, save_}) b->setEnabled(made_ && !name_->text().trimmed().isEmpty());
    });
    foot->addWidget(name_label);
    foot->addWidget(name_, 1);
    foot->addStretch(1);
    foot->addWidget(save_);
    foot->addWidget(keep_);
    column->addLayout(foot);
    return work;
}

void CalibrationPage::set_design(std::function<Scenario()> design) {
    design_ = std::move(design);
    show_subject();
}

bool CalibrationPage::only_here() const {
    const auto table = headings_of(runs_);
    return table && (operators::is_operator_table(*table) || calibration::is_layer_table(*table));
}

void CalibrationPage::showEvent(QShowEvent* event) {
    show_subject();
    QWidget::showEvent(event);
}

void CalibrationPage::show_subject() {
    pages_->setCurrentIndex(runs_.empty() ? 0 : 1);
    const QString file = QFileInfo(runs_.file()).fileName();
    if (has_operators(runs_)) return subject_->setText(tr("Operators timed one by one, of %1").arg(file));
    const Scenario design = design_();
    const QString network = design.network() ? text_of(design.network()->name()) : tr("no network");
    subject_->setText(tr("%1 on %2, as in the main window, compared with the runs of %3")
                          .arg(network, text_of(design.cluster.device.name), file));
}

void CalibrationPage::start() {
    if (runs_.empty()) return;
    problems_.clear();
    work_.run(tr("Calibrating"), [this, text = runs_.sheet().to_csv(),
                                  file = QFileInfo(runs_.file()).fileName().toStdString(), map = runs_.state().map,
                                  design = design_(), &library = library_](const Watch& watch) {
        auto result = std::make_shared<Result<MadeCalibration>>(make(text, file, design, map, library, watch));
        return Background::Delivery([this, result] {
            problems_ = *result ? Problems() : result->error();
            made_ = *result ? std::make_shared<const MadeCalibration>(std::move(**result)) : nullptr;
            stale_ = false;
            if (made_ && name_->text().trimmed().isEmpty()) name_->setText(QFileInfo(runs_.file()).completeBaseName());
            show_made();
        });
    });
    show_made();
}

void CalibrationPage::show_made() {
    const bool running = work_.running(), operators = made_ && made_->operators;
    chart_->setVisible(!operators);
    keep_->setText(operators ? tr("Keep") : tr("Keep and use in the design"));
    start_->setEnabled(!running);
    const bool done = made_ && !stale_;
    set_kind(*start_, done ? QString() : QStringLiteral("primary"));
    set_kind(*keep_, done ? QStringLiteral("primary") : QString());
    for (QPushButton* b : {keep_, save_}) b->setEnabled(made_ && !running && !name_->text().trimmed().isEmpty());
    set_ink(*verdict_, problems_.empty() ? Ink::secondary : Ink::error);
    if (!made_) {
        XyData none;
        none.equal_axes = true;
        none.empty_reason =
            problems_.empty() ? tr("Calibrate to compare the model with these runs") : text_of(problems_.front().what);
        chart_->set_data(none);
        constants_->set_table({});
        times_->set_table({});
        notes_->set_table(calibration_notes(problems_));
        verdict_->setText(running             ? tr("Calibrating")
                          : problems_.empty() ? QString()
                                              : tr("No calibration: see Notes"));
        emit updated();
        return;
    }
    if (made_->operators) {
        constants_->set_table(operator_errors(*made_->operators));
        times_->set_table({});
        verdict_->setText(
            tr("%1 operators timed · errors in percent, of the roofline, of ours, and of what was held out")
                .arg(text_of(format_count(static_cast<std::int64_t>(made_->measured.rows.size())))));
    } else {
        chart_->set_data(calibration_data(made_->observations, made_->fit));
        chart_->set_notes({subject_->text()});
        constants_->set_table(calibration_constants(made_->fit));
        times_->set_table(calibration_times(made_->observations, made_->fit));
        const auto percent = [](double share) { return text_of(format_percent(Fraction{share})); };
        verdict_->setText(tr("%1 times · mean error %2, before %3")
                              .arg(made_->fit.rows.size())
                              .arg(percent(made_->fit.error_after), percent(made_->fit.error_before)));
    }
    if (stale_) verdict_->setText(tr("The table has changed: calibrate again"));
    notes_->set_table(calibration_notes(made_->observations.warnings));
    emit updated();
}

Calibration CalibrationPage::calibration() const {
    const std::string name = name_->text().trimmed().toStdString();
    if (!made_->operators) return calibration::to_calibration(made_->fit, made_->observations, name);
    Calibration c;
    c.name = name;
    c.data_hash = made_->data_hash;
    calibration::add_operators(c, *made_->operators, made_->measured);
    return c;
}

}  // namespace scalescope::ui
