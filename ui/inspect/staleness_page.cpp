// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspect/staleness_page.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QStackedLayout>
#include <algorithm>
#include <cmath>

#include "core/base/format.hpp"
#include "core/estimate/staleness.hpp"
#include "core/scenario/hardware.hpp"
#include "ui/charts/xy_chart.hpp"
#include "ui/document/document.hpp"
#include "ui/inspect/beside.hpp"
#include "ui/language/told.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/banner.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/card.hpp"
#include "ui/widgets/form.hpp"
#include "ui/widgets/key_figures.hpp"
#include "ui/widgets/number_field.hpp"
#include "ui/widgets/scrolled_pane.hpp"

namespace scalescope::ui {
namespace {

XySeries line(const char* key, const QString& name, int colour) {
    XySeries series;
    series.key = QLatin1String(key);
    series.name = name;
    series.style = XySeries::Style::line;
    series.colour = colour;
    return series;
}

XyData chart_of(const QString& y_name, const QString& y_unit, const char* y_key, bool logarithmic) {
    XyData data;
    data.x = {StalenessPage::tr("Workers"), {}, QStringLiteral("workers"), true, true};
    data.y = {y_name, y_unit, QLatin1String(y_key), logarithmic, false};
    return data;
}

}  // namespace

StalenessPage::StalenessPage(Document& document, QWidget* parent) : QWidget(parent), document_(document) {
    pages_ = new QStackedLayout(this);
    const auto add_empty = [this](EmptyState* nothing, const char* name) {
        nothing->setObjectName(QLatin1String(name));
        auto* card = new Card;
        card->body()->add(nothing, 1);
        pages_->addWidget(card);
        return nothing;
    };
    auto* in_step = add_empty(
        new EmptyState("updown", tr("All workers update in step: nothing is stale"),
                       tr("With asynchronous updates no worker waits for another: each pushes its gradients to "
                          "parameter servers, and trains on weights that others have changed meanwhile."),
                       tr("Update asynchronously")),
        "nothingStale");
    connect(in_step, &EmptyState::clicked, this,
            [this] { document_.edit(with_asynchronous_updates(document_.scenario())); });
    auto* of_cpu = add_empty(new EmptyState("chip", tr("The staleness of a CPU cluster is among its own figures"), {},
                                            tr("Show the CPU cluster")),
                             "stalenessOfCpu");
    connect(of_cpu, &EmptyState::clicked, this, &StalenessPage::cpu_page_asked);
    auto* content = new QWidget;
    pages_->addWidget(content);
    auto* row = make_layout<QHBoxLayout>(content, space::gap);
    auto* card = new Card(tr("Staleness"));
    card->body()->set_spacing(6);
    cost_ = new PercentField(tr("Cost of staleness, assumed and not measured"));
    cost_->setObjectName(QStringLiteral("stalenessCost"));
    cost_->set_range(0, 100, 2);
    auto* form = new Form;
    form->add_row(tr("Cost"), cost_, tr("for each missed update: assumed, not measured"));
    card->body()->add(form);
    figures_ = new KeyFigures;
    figures_->setObjectName(QStringLiteral("stalenessFigures"));
    figures_->setAccessibleName(tr("Staleness at the workers in use"));
    note_ = make_label({}, type::caption(), Ink::secondary);
    note_->setWordWrap(true);
    auto* column = add_scrolled_pane(*card->body(), 40);
    column->addWidget(figures_);
    column->addWidget(note_);
    speed_chart_ = new XyChart;
    speed_chart_->setObjectName(QStringLiteral("stalenessSpeed"));
    speed_chart_->set_title(tr("Speed and progress"));
    efficiency_chart_ = new XyChart;
    efficiency_chart_->setObjectName(QStringLiteral("stalenessEfficiency"));
    efficiency_chart_->set_title(tr("Statistical efficiency"));
    row->addWidget(card);
    new Beside(*row, *card, 270);
    row->addWidget(speed_chart_, 3);
    row->addWidget(efficiency_chart_, 2);
    connect(cost_, &PercentField::value_changed, this, [this](double percent) {
        Scenario next = document_.scenario();
        next.model.staleness_cost = Fraction{percent / 100.0};
        document_.edit(std::move(next));
    });
    connect(cost_, &PercentField::drag_started, &document_, &Document::begin_drag);
    connect(cost_, &PercentField::drag_finished, &document_, &Document::end_drag);
    connect(&document_, &Document::changed, this, &StalenessPage::show_scenario);
    show_scenario();
    show_lesson(tr("Working it out…"));
}

void StalenessPage::show_scenario() {
    const bool cpu = is_cpu_cluster(document_.scenario());
    pages_->setCurrentIndex(cpu ? 1 : has_staleness(document_.scenario()) ? 2 : 0);
    const Fraction cost = document_.scenario().model.staleness_cost;
    cost_->set_value(std::round(cost.value * 1e8) / 1e6);
    if (!lesson_ || lesson_->cost == cost) return;
    lesson_ = with_cost(std::move(*lesson_), cost);
    show_lesson();
}

void StalenessPage::add_to_question(AnalysisQuestion& asked, const Scenario& scenario) const {
    asked.staleness = has_staleness(scenario);
}

void StalenessPage::show_analysis(const AnalysisPtr& latest, bool current) {
    if (!current) return;
    const Analysis& analysis = *latest;
    lesson_.reset();
    if (!analysis.staleness) return show_lesson(tr("All workers update synchronously, so no weights are stale."));
    workers_ = analysis.scenario.cluster.workers;
    if (*analysis.staleness) lesson_ = **analysis.staleness;
    show_lesson(*analysis.staleness ? QString() : told(analysis.staleness->error().front().what));
}

void StalenessPage::show_lesson(const QString& empty_reason) {
    XyData speeds = chart_of(tr("Over one worker"), QStringLiteral("×"), "over_one_worker", true);
    XyData shares =
        chart_of(tr("Statistical efficiency"), QStringLiteral("%"), "statistical_efficiency_percent", false);
    speeds.empty_reason = shares.empty_reason = empty_reason;
    std::vector<KeyFigure> rows;
    if (lesson_) {
        XySeries speed = line("speed", tr("speed"), 0), progress = line("progress", tr("progress"), 1),
                 efficiency = line("efficiency", tr("efficiency"), 2);
        for (const StalenessPoint& p : lesson_->points) {
            const auto n = static_cast<double>(p.workers);
            const QString label =
                tr("%1 workers, %2 updates stale").arg(told(format_count(p.workers)), told(format_number(p.staleness)));
            const auto add = [&](XySeries& series, double y) {
                XyPoint point;
                point.x = n, point.y = y, point.label = label;
                series.points.push_back(point);
            };
            add(speed, p.speed);
            add(progress, p.progress);
            add(efficiency, 100.0 * p.efficiency);
        }
        const auto own = std::find_if(lesson_->points.begin(), lesson_->points.end(),
                                      [this](const StalenessPoint& p) { return p.workers == workers_; });
        const auto add = [&](const QString& name, const QString& unit, const QString& value, const QString& tip) {
            KeyFigure f;
            f.name = name, f.unit = unit, f.now = value, f.note = tip;
            rows.push_back(std::move(f));
        };
        if (own != lesson_->points.end()) {
            add(tr("Speed"), QStringLiteral("×"), told(format_number(own->speed)),
                tr("Samples a second over one worker's"));
            add(tr("Staleness"), tr("updates"), told(format_number(own->staleness)),
                tr("Updates of others between a worker's read of the weights and its own update"));
            add(tr("Efficiency"), QStringLiteral("%"), told(format_fixed(100.0 * own->efficiency, 1)),
                tr("1/(1 + cost · staleness): what a sample is still worth"));
            add(tr("Progress"), QStringLiteral("×"), told(format_number(own->progress)), tr("Speed times efficiency"));
        }
        add(tr("Most progress at"), tr("workers"), told(format_count(lesson_->best)),
            tr("The fewest workers with the most progress of those looked at"));
        add(tr("Servers full at"), tr("workers"), told(format_number(lesson_->knee)),
            tr("Number of workers from which the servers are the bottleneck"));
        speeds.series = {std::move(speed), std::move(progress)};
        shares.series = {std::move(efficiency)};
    }
    note_->setText(lesson_ ? tr("Progress is speed times efficiency, and only as right as the assumed cost.")
                           : QString());
    figures_->set_rows(rows);
    speed_chart_->set_data(std::move(speeds));
    efficiency_chart_->set_data(std::move(shares));
}

NamedCharts StalenessPage::charts() const {
    return {{QStringLiteral("staleness-speed"), speed_chart_},
            {QStringLiteral("staleness-efficiency"), efficiency_chart_}};
}

}  // namespace scalescope::ui
