// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/trace_page.hpp"

#include <QFileInfo>
#include <QLabel>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>
#include <algorithm>

#include "core/base/atomic_file.hpp"
#include "core/base/format.hpp"
#include "ui/charts/helpers.hpp"
#include "ui/charts/layer_time_chart.hpp"
#include "ui/charts/timeline_chart.hpp"
#include "ui/help/help_guide.hpp"
#include "ui/measure/follow_work.hpp"
#include "ui/measure/report_table.hpp"
#include "ui/measure/split_panes.hpp"
#include "ui/measure/trace_charts.hpp"
#include "ui/measure/trace_settings.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/banner.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/card.hpp"
#include "ui/widgets/file_names.hpp"
#include "ui/widgets/pick_list.hpp"
#include "ui/widgets/problems_view.hpp"
#include "ui/widgets/progress_row.hpp"
#include "ui/widgets/segmented_control.hpp"

namespace scalescope::ui {
TracePage::TracePage(const formats::Library& library, QWidget* parent) : QWidget(parent), document_(library) {
    auto* column = make_layout<QVBoxLayout>(this);
    pages_ = new QStackedWidget;
    auto* nothing = new EmptyState("flag", tr("No trace is open"),
                                   tr("Drop a recording of PyTorch's profiler (JSON or .json.gz). Its step is shown "
                                      "stream by stream and predicted for other GPUs."),
                                   tr("Open a trace…"));
    connect(nothing, &EmptyState::clicked, this, &TracePage::open_asked);
    pages_->addWidget(nothing);
    pages_->addWidget(build_work());
    column->addWidget(pages_);
    connect(&document_, &TraceDocument::changed, this, &TracePage::show_state);
    follow(document_.work(), *progress_);
    connect(progress_, &ProgressRow::cancelled, &document_.work(), &Background::cancel);
}

QWidget* TracePage::build_work() {
    auto* work = new QWidget;
    auto* column = make_layout<QVBoxLayout>(work, space::gap);
    settings_ = new TraceSettings(document_);
    column->addWidget(settings_);
    progress_ = new ProgressRow;
    progress_->hide();
    column->addWidget(progress_);
    connect(settings_, &TraceSettings::step_chosen, this, &TracePage::show_predictions);
    connect(settings_, &TraceSettings::gpus_chosen, this, [this] {
        show_predictions();
        emit gpus_chosen();
    });
    connect(settings_->export_button(), &QPushButton::clicked, this, &TracePage::ask_where_to_export);

    auto* upper = new QWidget;
    auto* upper_column = make_layout<QVBoxLayout>(upper, space::gap);
    chart_choice_ = new SegmentedControl(tr("What is drawn of the trace"));
    chart_choice_->setObjectName(QStringLiteral("traceChart"));
    chart_choice_->set_segments({{QStringLiteral("classes"), tr("By operator"), tr("What the step's time goes into")},
                                 {QStringLiteral("timeline"), tr("Timeline"), tr("What ran when, stream by stream")},
                                 {QStringLiteral("prices"), tr("Time and price"), tr("Every GPU that has a price")}});
    communication_ = new ElidedLabel;
    communication_->setObjectName(QStringLiteral("traceCommunication"));
    communication_->setFont(type::caption());
    set_ink(*communication_, Ink::secondary);
    auto* above = make_layout<QHBoxLayout>(nullptr, 12);
    above->addWidget(chart_choice_, 0, Qt::AlignLeft);
    above->addWidget(communication_, 1);
    upper_column->addLayout(above);
    charts_ = new QStackedWidget;
    classes_ = new LayerTimeChart;
    set_help(*classes_, QStringLiteral("chart-trace-operators"));
    classes_->setObjectName(QStringLiteral("traceClasses"));
    timeline_ = new TimelineChart;
    timeline_->set_title(tr("Timeline of the step"));
    set_help(*timeline_, QStringLiteral("chart-trace-timeline"));
    timeline_->setObjectName(QStringLiteral("traceTimeline"));
    prices_ = new XyChart;
    prices_->set_title(tr("Time against price"));
    set_help(*prices_, QStringLiteral("chart-trace-prices"));
    prices_->setObjectName(QStringLiteral("tracePrices"));
    charts_->addWidget(classes_);
    charts_->addWidget(timeline_);
    charts_->addWidget(prices_);
    upper_column->addWidget(charts_, 1);
    connect(chart_choice_, &SegmentedControl::chosen, this, [this](const QString& id) {
        charts_->setCurrentIndex(id == QLatin1String("timeline") ? 1 : id == QLatin1String("prices") ? 2 : 0);
    });
    connect(prices_, &XyChart::point_clicked, this, [this](int index) {
        choose_device(index);
        select_row();
    });
    auto* panes = new SplitPanes(upper, tr("Other GPUs"));
    problems_ = new ProblemsView;
    panes->title()->add_widget(problems_->counts());
    verdict_ = make_label({}, type::caption(), Ink::secondary);
    verdict_->setObjectName(QStringLiteral("traceVerdict"));
    panes->title()->add_widget(verdict_);
    devices_ = new ChartTableModel(this);
    devices_view_ = make_report_table(*devices_, tr("The step on other GPUs"), true);
    devices_view_->setObjectName(QStringLiteral("traceDevices"));
    devices_view_->sortByColumn(1, Qt::AscendingOrder);  // the fastest first
    auto* no_gpu = new EmptyState(
        "flag", tr("No GPU is chosen"),
        tr("Choose the GPUs to predict the step for: %1 are available.").arg(settings_->gpu_list()->items().size()),
        tr("Choose GPUs…"));
    connect(no_gpu, &EmptyState::clicked, settings_->gpu_list(), &PickList::open);
    on_others_ = new QStackedWidget;
    on_others_->addWidget(devices_view_);
    on_others_->addWidget(no_gpu);
    panes->add_tab(tr("On other GPUs"), on_others_);
    panes->add_tab(tr("Notes"), problems_);
    connect(devices_view_->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& at) {
                if (!at.isValid()) return;
                const auto* sorted = qobject_cast<const QSortFilterProxyModel*>(devices_view_->model());
                choose_device(chosen_.at(static_cast<std::size_t>(sorted->mapToSource(at).row())));
            });
    column->addWidget(panes, 1);
    return work;
}

void TracePage::show_state() {
    pages_->setCurrentIndex(document_.empty() ? 0 : 1);
    if (document_.empty()) return;
    if (shown_ != document_.recorded()) {
        shown_ = document_.recorded();
        device_ = -1;
    }
    settings_->show_state();
    show_predictions();
}

void TracePage::choose_device(int index) {
    if (index == device_) return;
    device_ = index;
    prices_->set_selected(index);
    if (document_.recorded())
        classes_->set_data(trace_classes(*document_.recorded(), document_.predictions().get(), device_));
    show_export();
}

void TracePage::show_export() {
    const bool can = document_.predictions() && device_ >= 0;
    settings_->export_button()->setEnabled(can);
    settings_->export_button()->setToolTip(
        can ? tr("A row for every operation on %1, with the rule and what it rests on")
                  .arg(text_of(document_.predictions()->on[static_cast<std::size_t>(device_)].gpu.device.name))
            : tr("Choose a GPU in the table or the chart first"));
}

void TracePage::ask_where_to_export() {
    if (!document_.predictions() || device_ < 0) return;
    const auto& gpu = document_.predictions()->on[static_cast<std::size_t>(device_)].gpu.device;
    const QString trace = QFileInfo(document_.file()).fileName().section(QLatin1Char('.'), 0, 0);
    const QString file = ask_where_to_save(this, tr("Export the operations"),
                                           trace + QLatin1Char('-') + text_of(gpu.id) + QStringLiteral(".csv"),
                                           tr("Tables (*.csv)"), QStringLiteral(".csv"));
    if (!file.isEmpty()) export_operations(file);
}

bool TracePage::export_operations(const QString& file) {
    if (!document_.predictions() || device_ < 0) return false;
    const QByteArray text = to_csv(trace_operations(*document_.predictions(), device_), timeline_->notes());
    const auto saved = write_file(file.toStdString(), std::string_view(text.constData(), std::size_t(text.size())));
    emit said(
        saved ? tr("The operations are in %1.").arg(file) : QString::fromStdString(to_text(saved.error().front())),
        !saved);
    return saved.has_value();
}

std::optional<QStringList> TracePage::gpus() const { return settings_->gpus(); }
void TracePage::set_gpus(const std::optional<QStringList>& ids) {
    settings_->set_gpus(ids);
    show_predictions();
}

/// The table may have other rows than before: the one of the GPU that is chosen stays chosen.
void TracePage::select_row() {
    const auto row = std::find(chosen_.begin(), chosen_.end(), device_);
    if (row == chosen_.end()) return devices_view_->setCurrentIndex({});
    const auto* sorted = qobject_cast<const QSortFilterProxyModel*>(devices_view_->model());
    const QModelIndex at = sorted->mapFromSource(devices_->index(static_cast<int>(row - chosen_.begin()), 0));
    if (devices_view_->currentIndex().row() != at.row()) devices_view_->setCurrentIndex(at);
}

void TracePage::show_predictions() {
    if (document_.empty()) return;
    const RecordedTrace& recorded = *document_.recorded();
    const TracePredictions* predictions = document_.predictions().get();
    chosen_.clear();
    for (std::size_t i = 0; predictions && i < predictions->on.size(); ++i)
        if (settings_->is_chosen(predictions->on[i].gpu.device)) chosen_.push_back(static_cast<int>(i));
    if (predictions && std::find(chosen_.begin(), chosen_.end(), device_) == chosen_.end()) device_ = -1;
    on_others_->setCurrentIndex(predictions && !predictions->on.empty() && chosen_.empty() ? 1 : 0);
    timeline_->set_data(trace_timeline(recorded, settings_->step()));
    classes_->set_data(trace_classes(recorded, predictions, device_));
    QStringList notes{tr("trace %1, %2").arg(QFileInfo(document_.file()).fileName(), recording_text(recorded))};
    std::vector<ProblemRow> rows;
    const auto take = [&rows](const Problems& problems) {
        for (const Problem& p : problems) rows.push_back(problem_row(p));
    };
    take(recorded.trace.warnings);
    take(unknown_kernels(recorded.trace, recorded.digest));
    QString sentence = recording_text(recorded);
    if (predictions) {
        take(predictions->problems);
        if (device_ >= 0 && static_cast<std::size_t>(device_) < predictions->on.size())
            take(predictions->on[static_cast<std::size_t>(device_)].prediction.warnings);
        prices_->set_data(trace_prices(*predictions, chosen_));
        prices_->set_selected(device_);
        devices_->set_table(trace_devices(*predictions, chosen_));
        select_row();
        sentence += predictions->aligned_shapes > 0
                        ? tr(" · shapes of %1 operations by alignment").arg(predictions->aligned_shapes)
                    : predictions->recorded_shapes > 0
                        ? tr(" · shapes of %1 operations recorded").arg(predictions->recorded_shapes)
                        : tr(" · no shapes: choose the network it ran");
        if (!predictions->corrected_by.isEmpty())
            sentence += tr(" · corrected by %1, on %2 points")
                            .arg(predictions->corrected_by,
                                 text_of(format_count(static_cast<std::int64_t>(predictions->correction_points))));
    } else {
        devices_->set_table({});
        prices_->set_data({});
    }
    verdict_->setText(sentence);
    notes << sentence;
    if (const QString nccl = communication_text(recorded); !nccl.isEmpty()) notes << nccl;
    communication_->setText(communication_text(recorded));
    communication_->setVisible(!communication_->text().isEmpty());
    show_export();
    for (Chart* chart : {static_cast<Chart*>(timeline_), static_cast<Chart*>(classes_), static_cast<Chart*>(prices_)})
        chart->set_notes(notes);
    problems_->set_problems(rows);
}

}  // namespace scalescope::ui
