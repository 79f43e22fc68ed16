// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspect/sensitivity_page.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <algorithm>
#include <array>
#include <cmath>

#include "core/base/format.hpp"
#include "ui/charts/tornado_chart.hpp"
#include "ui/inspect/beside.hpp"
#include "ui/inspect/sensitivity_mapping.hpp"
#include "ui/language/told.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/card.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/form.hpp"
#include "ui/widgets/input_list.hpp"
#include "ui/widgets/number_field.hpp"
#include "ui/widgets/scrolled_pane.hpp"

namespace scalescope::ui {
namespace {

using search::Metric;

/// What a design can be judged by here; the rest of the metrics follow from these, or from no design.
constexpr std::array objectives{Metric::step,       Metric::throughput,    Metric::epoch, Metric::cost,  Metric::energy,
                                Metric::efficiency, Metric::communication, Metric::idle,  Metric::memory};

}  // namespace

SensitivityPage::SensitivityPage(QWidget* parent) : QWidget(parent) {
    auto* row = make_layout<QHBoxLayout>(this, space::gap);

    auto* card = new Card(tr("Walls and objective"));
    card->body()->set_spacing(6);
    objective_ = new Combo(tr("What the chart judges by"));
    objective_->setObjectName(QStringLiteral("objective"));
    std::vector<ComboItem> items;
    for (const Metric metric : objectives) {
        const auto& info = search::info_of(metric);
        items.push_back(combo_item(told(info.name), told(info.label), told(info.text)));
    }
    objective_->set_items(std::move(items));
    line_ = new NumberField(tr("Efficiency below which adding workers does not pay"));
    line_->setObjectName(QStringLiteral("efficiencyLine"));
    line_->set_subject(tr("The line for the efficiency"));
    line_->set_range(1, 100);
    line_->set_unit(QStringLiteral("%"));
    auto* form = new Form;
    form->add_row(tr("Objective"), objective_);
    form->add_row(tr("Efficiency line"), line_);
    card->body()->add(form);

    walls_ = new InputList;
    walls_->setObjectName(QStringLiteral("walls"));
    walls_->setAccessibleName(tr("Walls: counts at which something changes"));
    left_out_ = make_label({}, type::caption(), Ink::secondary);
    left_out_->setObjectName(QStringLiteral("leftOut"));
    left_out_->setWordWrap(true);
    auto* column = add_scrolled_pane(*card->body());
    column->setSpacing(8);
    column->addWidget(walls_);
    column->addWidget(left_out_);

    chart_ = new TornadoChart;
    chart_->setObjectName(QStringLiteral("sensitivityChart"));
    TornadoData nothing_yet;
    nothing_yet.empty_reason = tr("Working it out…");
    chart_->set_data(std::move(nothing_yet));
    row->addWidget(card);
    new Beside(*row, *card, 330);
    row->addWidget(chart_, 1);
    set_question(Metric::step, 0.5);
    connect(objective_, &Combo::chosen, this, &SensitivityPage::question_changed);
    connect(line_, &NumberField::value_changed, this, &SensitivityPage::question_changed);
    connect(chart_, &TornadoChart::row_chosen, this, &SensitivityPage::field_asked);
    connect(walls_, &InputList::field_clicked, this,
            [this](const QString& count) { emit workers_chosen(count.toInt()); });
}

search::SensitivityOptions SensitivityPage::question() const {
    search::SensitivityOptions asked;
    asked.objective = search::metric_named(objective_->current().toStdString()).value_or(Metric::step);
    return asked;
}

double SensitivityPage::efficiency() const { return line_->value() / 100.0; }

void SensitivityPage::set_question(Metric objective, double efficiency) {
    const bool known = std::find(objectives.begin(), objectives.end(), objective) != objectives.end();
    objective_->set_current(told(search::info_of(known ? objective : Metric::step).name));
    line_->set_value(std::clamp(std::round(efficiency * 100.0), 1.0, 100.0));
}

void SensitivityPage::add_to_question(AnalysisQuestion& asked, const Scenario&) const {
    asked.walls = true;
    asked.efficiency = efficiency();
    asked.sensitivity = question();
}

void SensitivityPage::show_analysis(const AnalysisPtr& latest, bool current) {
    chart_->set_stale(!current);
    if (!current) return;
    const Analysis& analysis = *latest;
    show_walls(analysis);
    show_left_out(analysis);
    if (analysis.sensitivity) chart_->set_data(tornado_data(*analysis.sensitivity));
}

void SensitivityPage::show_walls(const Analysis& analysis) {
    std::vector<InputLine> lines;
    if (analysis.sensitivity && *analysis.sensitivity && (*analysis.sensitivity)->doubling) {
        const auto& twice = *(*analysis.sensitivity)->doubling;
        if (twice.more.change)
            lines.push_back({QStringLiteral("2×"),
                             told(twice.sentence),
                             {},
                             QString::number(std::llround(twice.more.value)),
                             tr("Twice as many: go there")});
    }
    std::vector<search::Wall> walls;
    if (analysis.walls) walls = analysis.walls->walls;
    // As one comes to them; those that nobody comes to stand last.
    std::stable_sort(walls.begin(), walls.end(), [](const search::Wall& a, const search::Wall& b) {
        return a.reached() != b.reached() ? a.reached() : a.first < b.first;
    });
    for (const auto& wall : walls)
        lines.push_back({wall.reached() ? told(format_count(wall.first)) : told(no_value),
                         told(wall.sentence),
                         {},
                         wall.reached() ? QString::number(wall.first) : QString(),
                         wall.reached() ? tr("Go to this count") : QString()});
    walls_->set_lines(lines);
}

/// Fields with the same reason stand together.
void SensitivityPage::show_left_out(const Analysis& analysis) {
    std::vector<std::pair<QString, QStringList>> reasons;
    const auto add = [&](const std::vector<search::LeftOut>& all) {
        for (const auto& left : all) {
            const QString reason = told(left.reason);
            auto found = std::find_if(reasons.begin(), reasons.end(), [&](const auto& r) { return r.first == reason; });
            if (found == reasons.end()) found = reasons.insert(reasons.end(), {reason, {}});
            found->second << told(left.label);
        }
    };
    if (analysis.walls) add(analysis.walls->left_out);
    if (analysis.sensitivity && *analysis.sensitivity) add((*analysis.sensitivity)->left_out);
    QStringList lines;
    for (const auto& entry : reasons)
        lines << entry.second.join(QStringLiteral(", ")) + QStringLiteral(": ") + entry.first;
    left_out_->setText(lines.isEmpty() ? QString()
                                       : tr("Left out:") + QLatin1Char('\n') + lines.join(QLatin1Char('\n')));
    left_out_->setVisible(!lines.isEmpty());
}

NamedCharts SensitivityPage::charts() const { return {{QStringLiteral("sensitivity"), chart_}}; }

}  // namespace scalescope::ui
