// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspect/cpu_page.hpp"

#include <QHBoxLayout>
#include <QStackedLayout>
#include <QStackedWidget>

#include "core/base/format.hpp"
#include "core/scenario/hardware.hpp"
#include "ui/charts/heat_chart.hpp"
#include "ui/charts/layer_time_chart.hpp"
#include "ui/charts/resource_chart.hpp"
#include "ui/inspect/beside.hpp"
#include "ui/inspect/cpu_mapping.hpp"
#include "ui/language/told.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/banner.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/card.hpp"
#include "ui/widgets/key_figures.hpp"
#include "ui/widgets/scrolled_pane.hpp"
#include "ui/widgets/segmented_control.hpp"

namespace scalescope::ui {
namespace {

const QString configurations_id = QStringLiteral("configurations"), layers_id = QStringLiteral("layers"),
              updates_id = QStringLiteral("updates");

}  // namespace

CpuPage::CpuPage(QWidget* parent) : QWidget(parent) {
    pages_ = new QStackedLayout(this);
    auto* nothing = new EmptyState(
        "chip", tr("This design is not a CPU cluster"),
        tr("CPU machines with parameter servers use another model for layers and updates. The network and the batch "
           "stay the same. Undo restores the devices."),
        tr("Switch to a CPU cluster"));
    nothing->setObjectName(QStringLiteral("noCpuCluster"));
    connect(nothing, &EmptyState::clicked, this, &CpuPage::switch_asked);
    auto* empty_card = new Card;
    empty_card->body()->add(nothing, 1);
    pages_->addWidget(empty_card);
    auto* content = new QWidget;
    pages_->addWidget(content);
    auto* row = make_layout<QHBoxLayout>(content, space::gap);
    auto* card = new Card(tr("CPU cluster"));
    card->title_row()->set_unit(told(yan::method_label));
    card->body()->set_spacing(6);
    choice_ = new SegmentedControl(tr("Chart"));
    choice_->setObjectName(QStringLiteral("cpuChart"));
    choice_->set_segments(
        {{configurations_id, tr("Configurations"), tr("Replicas and their machines, by what sets the time")},
         {layers_id, tr("Layers"), tr("One sample by layers, with its exchange")},
         {updates_id, tr("Updates"), tr("A step with both kinds of updates")}});
    choice_->set_current(configurations_id);
    auto* choice_row = new QHBoxLayout;
    choice_row->addWidget(choice_);
    choice_row->addStretch(1);
    card->body()->add(choice_row);
    figures_ = new KeyFigures;
    figures_->setObjectName(QStringLiteral("cpuFigures"));
    figures_->setAccessibleName(tr("A step with both kinds of updates"));
    figures_->set_pin({});
    add_scrolled_pane(*card->body())->addWidget(figures_);

    grid_chart_ = new HeatChart;
    grid_chart_->setObjectName(QStringLiteral("cpuGrid"));
    grid_chart_->set_title(tr("Configurations"));
    HeatData nothing_yet;
    nothing_yet.empty_reason = tr("Working it out…");
    grid_chart_->set_data(std::move(nothing_yet));
    layer_chart_ = new LayerTimeChart;
    layer_chart_->setObjectName(QStringLiteral("cpuLayers"));
    updates_chart_ = new ResourceChart;
    updates_chart_->setObjectName(QStringLiteral("cpuUpdates"));
    charts_ = new QStackedWidget;
    for (QWidget* chart : std::initializer_list<QWidget*>{grid_chart_, layer_chart_, updates_chart_})
        charts_->addWidget(chart);
    row->addWidget(card);
    new Beside(*row, *card, 318);
    row->addWidget(charts_, 1);
    connect(choice_, &SegmentedControl::chosen, this, [this](const QString& id) {
        charts_->setCurrentWidget(id == layers_id    ? static_cast<QWidget*>(layer_chart_)
                                  : id == updates_id ? static_cast<QWidget*>(updates_chart_)
                                                     : grid_chart_);
    });
    connect(grid_chart_, &HeatChart::cell_clicked, this, [this](int id) {
        const auto at = static_cast<std::size_t>(id);
        if (grid_ && at < grid_->cells.size() && grid_->cells[at]) emit configuration_chosen(*grid_->cells[at]);
    });
}

void CpuPage::show_result(const LiveResultPtr& result) {
    const LiveResult& r = *result;
    pages_->setCurrentIndex(is_cpu_cluster(r.request.scenario) ? 1 : 0);
    layer_chart_->set_data(cpu_layers_data(r));
    updates_chart_->set_data(cpu_updates_data(r));
    std::vector<KeyFigure> rows;
    const auto add = [&](const QString& name, const QString& unit, const QString& value, bool strong = false,
                         const QString& note = {}) {
        KeyFigure f;
        f.name = name, f.unit = unit, f.now = value, f.strong = strong, f.note = note;
        f.group_above = strong && !rows.empty();
        rows.push_back(std::move(f));
    };
    if (r.estimate && r.estimate->cpu) {
        const CpuComparison both = compare_updates(*r.estimate);
        const auto add_kind = [&](const QString& name, const CpuUpdates& u) {
            add(name, tr("step"), told(format_time(u.step)), true);
            add(tr("Epoch"), {}, told(format_time(u.epoch)));
            add(tr("Set by"), {}, told_word(yan::name_of(u.binding)));
        };
        add_kind(tr("Asynchronous"), both.asynchronous);
        if (both.queued_step) {
            add(tr("If replicas queue"), tr("step"), told(format_time(*both.queued_step)), false,
                tr("Replicas that meet at the servers wait for each other: a closed queueing network"));
            add(tr("Staleness"), tr("updates"), told(format_number(both.staleness)), false,
                tr("Updates of others between a replica's read of the weights and its own update"));
        }
        add_kind(tr("Synchronous"), both.synchronous);
    }
    figures_->set_rows(rows);
    if (!r.estimate || !r.estimate->cpu) {
        grid_.reset();
        grid_chart_->set_data(cpu_grid_data(fail(Problems{})));
    }
}

void CpuPage::add_to_question(AnalysisQuestion& asked, const Scenario& scenario) const {
    asked.cpu_grid = is_cpu_cluster(scenario);
}

void CpuPage::show_analysis(const AnalysisPtr& latest, bool current) {
    if (!current || !latest->cpu_grid) return;
    const Analysis& analysis = *latest;
    grid_chart_->set_data(cpu_grid_data(*analysis.cpu_grid));
    grid_.reset();
    if (*analysis.cpu_grid) grid_ = **analysis.cpu_grid;
    grid_chart_->set_selected(grid_ && grid_->present ? static_cast<int>(*grid_->present) : -1);
}

void CpuPage::show_chart(const QWidget* chart) {
    const int at = chart ? charts_->indexOf(chart) : -1;
    if (at < 0) return;
    charts_->setCurrentIndex(at);
    choice_->set_current(chart == layer_chart_ ? layers_id : chart == updates_chart_ ? updates_id : configurations_id);
}

NamedCharts CpuPage::charts() const {
    return {{QStringLiteral("cpu-configurations"), grid_chart_},
            {QStringLiteral("cpu-layers"), layer_chart_},
            {QStringLiteral("cpu-updates"), updates_chart_}};
}

}  // namespace scalescope::ui
