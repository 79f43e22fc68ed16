// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/trace_page.hpp"

#include <QFileInfo>
#include <QLabel>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

#include "core/base/format.hpp"
#include "core/base/limits.hpp"
#include "ui/charts/helpers.hpp"
#include "ui/charts/layer_time_chart.hpp"
#include "ui/charts/timeline_chart.hpp"
#include "ui/measure/follow_work.hpp"
#include "ui/measure/report_table.hpp"
#include "ui/measure/trace_charts.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/banner.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/card.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/number_field.hpp"
#include "ui/widgets/problems_view.hpp"
#include "ui/widgets/progress_row.hpp"
#include "ui/widgets/segmented_control.hpp"

namespace scalescope::ui {
TracePage::TracePage(const formats::Library& library, QWidget* parent) : QWidget(parent), document_(library) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    pages_ = new QStackedWidget;
    auto* nothing = new EmptyState("flag", tr("No trace is open"),
                                   tr("Drop a recording of PyTorch's profiler (JSON, or packed as .json.gz): its step "
                                      "is shown stream by stream, and "
                                      "predicted on other GPUs."),
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
    auto* column = new QVBoxLayout(work);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(space::gap);
    auto* head = new QHBoxLayout;
    head->setSpacing(8);
    const auto label = [&](const QString& text) { head->addWidget(make_label(text, type::control(), Ink::secondary)); };
    step_ = new Combo(tr("Step that is drawn"));
    step_->setObjectName(QStringLiteral("traceStep"));
    step_->setFixedWidth(150);
    network_ = new Combo(tr("Network that the trace is aligned with"));
    network_->setObjectName(QStringLiteral("traceNetwork"));
    network_->setFixedWidth(180);
    std::vector<ComboItem> networks{combo_item({}, tr("as recorded"), tr("Only shapes that the profiler recorded"))};
    for (const formats::Preset& preset : document_.library().networks)
        networks.push_back(combo_item(text_of(preset.id), text_of(preset.name)));
    network_->set_items(std::move(networks));
    batch_ = new NumberField(tr("Samples per step of that network"));
    batch_->setObjectName(QStringLiteral("traceBatch"));
    batch_->set_subject(tr("Batch"));
    batch_->set_range(1, static_cast<double>(limits::batch));
    batch_->set_doubling(true);
    batch_->set_optional(tr("its own"));
    batch_->setFixedWidth(88);
    rules_ = new Combo(tr("How times are carried over"));
    rules_->setObjectName(QStringLiteral("traceRules"));
    rules_->setFixedWidth(140);
    rules_->set_items(
        {combo_item(QStringLiteral("best"), tr("best evidence"),
                    tr("A model of the operator where its shape is known, else wave scaling")),
         combo_item(QStringLiteral("wave"), tr("wave scaling"), tr("Habitat's rule for every operation"))});
    label(tr("Step"));
    head->addWidget(step_);
    label(tr("Shapes"));
    head->addWidget(network_);
    label(tr("Batch"));
    head->addWidget(batch_);
    label(tr("By"));
    head->addWidget(rules_);
    head->addStretch(1);
    column->addLayout(head);
    progress_ = new ProgressRow;
    progress_->hide();
    column->addWidget(progress_);
    const auto change = [this](auto set) {
        TraceOptions options = document_.options();
        set(options);
        document_.set_options(options);
    };
    connect(step_, &Combo::chosen, this, &TracePage::show_predictions);
    connect(network_, &Combo::chosen, this,
            [change](const QString& id) { change([&](TraceOptions& o) { o.network = id; }); });
    connect(batch_, &NumberField::value_changed, this,
            [change](double v) { change([&](TraceOptions& o) { o.batch = static_cast<std::int64_t>(v); }); });
    connect(batch_, &NumberField::value_removed, this, [change] { change([](TraceOptions& o) { o.batch = 0; }); });
    connect(rules_, &Combo::chosen, this, [change](const QString& id) {
        change([&](TraceOptions& o) { o.wave_scaling_only = id == QLatin1String("wave"); });
    });

    auto* panes = new QSplitter(Qt::Vertical);
    panes->setHandleWidth(space::gap);
    panes->setChildrenCollapsible(false);
    auto* upper = new QWidget;
    auto* upper_column = new QVBoxLayout(upper);
    upper_column->setContentsMargins(0, 0, 0, 0);
    upper_column->setSpacing(space::gap);
    chart_choice_ = new SegmentedControl(tr("What is drawn of the trace"));
    chart_choice_->setObjectName(QStringLiteral("traceChart"));
    chart_choice_->set_segments({{QStringLiteral("classes"), tr("By operator"), tr("What the step's time goes into")},
                                 {QStringLiteral("timeline"), tr("Timeline"), tr("What ran when, stream by stream")},
                                 {QStringLiteral("prices"), tr("Time and price"), tr("Every GPU that has a price")}});
    upper_column->addWidget(chart_choice_, 0, Qt::AlignLeft);
    charts_ = new QStackedWidget;
    classes_ = new LayerTimeChart;
    classes_->setObjectName(QStringLiteral("traceClasses"));
    timeline_ = new TimelineChart;
    timeline_->set_title(tr("Timeline of the step"));
    timeline_->setObjectName(QStringLiteral("traceTimeline"));
    prices_ = new XyChart;
    prices_->set_title(tr("Time against price"));
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
        const auto* sorted = qobject_cast<const QSortFilterProxyModel*>(devices_view_->model());
        devices_view_->setCurrentIndex(sorted->mapFromSource(devices_->index(index, 0)));
    });
    panes->addWidget(upper);

    auto* lower = new Card(tr("Other GPUs"));
    below_title_ = lower->title_row();
    below_title_->show_buttons(false, false);
    below_title_->set_tabs({tr("On other GPUs"), tr("Notes")});
    problems_ = new ProblemsView;
    below_title_->add_widget(problems_->counts());
    verdict_ = make_label({}, type::caption(), Ink::secondary);
    verdict_->setObjectName(QStringLiteral("traceVerdict"));
    below_title_->add_widget(verdict_);
    below_ = new QStackedWidget;
    devices_ = new ChartTableModel(this);
    devices_view_ = make_report_table(*devices_, tr("The step on other GPUs"), true);
    devices_view_->setObjectName(QStringLiteral("traceDevices"));
    devices_view_->sortByColumn(1, Qt::AscendingOrder);  // the fastest first
    below_->addWidget(devices_view_);
    below_->addWidget(problems_);
    connect(below_title_, &CardTitle::tab_chosen, below_, &QStackedWidget::setCurrentIndex);
    connect(
        devices_view_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& at) {
            if (!at.isValid()) return;
            choose_device(qobject_cast<const QSortFilterProxyModel*>(devices_view_->model())->mapToSource(at).row());
        });
    lower->body()->add_wide(below_, 1, 4);
    panes->addWidget(lower);
    panes->setStretchFactor(0, 5);
    panes->setStretchFactor(1, 4);
    column->addWidget(panes, 1);
    return work;
}

void TracePage::show_state() {
    pages_->setCurrentIndex(document_.empty() ? 0 : 1);
    if (document_.empty()) return;
    const RecordedTrace& recorded = *document_.recorded();
    if (shown_ != document_.recorded()) {
        shown_ = document_.recorded();
        device_ = -1;
        std::vector<ComboItem> steps;
        for (std::size_t i = 0; i < recorded.digest.steps.size(); ++i)
            steps.push_back(combo_item(QString::number(i), text_of(recorded.digest.steps[i].name)));
        // The first step often holds what is done once; the second is like all others.
        const QString usual = steps.size() > 1 ? QStringLiteral("1") : QStringLiteral("0");
        step_->set_items(std::move(steps));
        step_->set_current(usual);
    }
    network_->set_current(document_.options().network);
    if (document_.options().batch > 0)
        batch_->set_value(static_cast<double>(document_.options().batch));
    else
        batch_->set_missing();
    batch_->setEnabled(!document_.options().network.isEmpty());
    rules_->set_current(document_.options().wave_scaling_only ? QStringLiteral("wave") : QStringLiteral("best"));
    show_predictions();
}

void TracePage::choose_device(int index) {
    if (index == device_) return;
    device_ = index;
    prices_->set_selected(index);
    if (document_.recorded())
        classes_->set_data(trace_classes(*document_.recorded(), document_.predictions().get(), device_));
}

void TracePage::show_predictions() {
    if (document_.empty()) return;
    const RecordedTrace& recorded = *document_.recorded();
    const TracePredictions* predictions = document_.predictions().get();
    timeline_->set_data(trace_timeline(recorded, step_->current().toULongLong()));
    classes_->set_data(trace_classes(recorded, predictions, device_));
    QStringList notes{tr("trace %1, %2").arg(QFileInfo(document_.file()).fileName(), recording_text(recorded))};
    std::vector<ProblemRow> rows;
    const auto take = [&rows](const Problems& problems) {
        for (const Problem& p : problems) rows.push_back(problem_row(p));
    };
    take(recorded.trace.warnings);
    QString sentence = recording_text(recorded);
    if (predictions) {
        take(predictions->problems);
        if (device_ >= 0 && static_cast<std::size_t>(device_) < predictions->on.size())
            take(predictions->on[static_cast<std::size_t>(device_)].prediction.warnings);
        prices_->set_data(trace_prices(*predictions));
        devices_->set_table(trace_devices(*predictions));
        sentence += predictions->aligned_shapes > 0
                        ? tr(" · shapes of %1 operations by alignment").arg(predictions->aligned_shapes)
                    : predictions->recorded_shapes > 0
                        ? tr(" · shapes of %1 operations recorded").arg(predictions->recorded_shapes)
                        : tr(" · no shapes: choose the network it ran");
    } else {
        devices_->set_table({});
        prices_->set_data({});
    }
    verdict_->setText(sentence);
    notes << sentence;
    for (Chart* chart : {static_cast<Chart*>(timeline_), static_cast<Chart*>(classes_), static_cast<Chart*>(prices_)})
        chart->set_notes(notes);
    problems_->set_problems(rows);
}

}  // namespace scalescope::ui
