// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspect/compare_page.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QSplitter>
#include <QStackedLayout>
#include <algorithm>
#include <cmath>

#include "core/base/format.hpp"
#include "core/estimate/memory.hpp"
#include "ui/charts/waterfall_chart.hpp"
#include "ui/document/document.hpp"
#include "ui/inspect/compare_mapping.hpp"
#include "ui/language/told.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/banner.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/card.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/design_table.hpp"

namespace scalescope::ui {
namespace {

using search::Metric;

constexpr int open_design = -1, widest_card = 460;

QString letter(int pin) { return pin_letter(static_cast<std::size_t>(pin)); }

}  // namespace

ComparePage::ComparePage(QWidget* parent) : QWidget(parent) {
    pages_ = new QStackedLayout(this);
    auto* empty_card = new Card;
    nothing_pinned_ =
        new EmptyState("compare", tr("Nothing to compare with yet"),
                       tr("Pin a design, then change something. This page compares up to four pinned designs with the "
                          "open one and shows how much of the difference each change explains."),
                       tr("Pin this design"));
    nothing_pinned_->setObjectName(QStringLiteral("nothingPinned"));
    empty_card->body()->add(nothing_pinned_, 1);
    pages_->addWidget(empty_card);

    card_ = new Card(QStringLiteral(" "));
    card_->title_row()->set_tabs({tr("Figures"), tr("What differs")});
    card_->body()->set_spacing(6);
    from_ = new Combo(tr("Compare from"));
    from_->setObjectName(QStringLiteral("compareFrom"));
    to_ = new Combo(tr("Compare to"));
    to_->setObjectName(QStringLiteral("compareTo"));
    metric_ = new Combo(tr("Figure whose difference is explained"));
    metric_->setObjectName(QStringLiteral("compareBy"));
    std::vector<ComboItem> items;
    for (std::size_t m = 0; m < search::metric_count; ++m) {
        if (static_cast<Metric>(m) == Metric::time) continue;  // that of an epoch, as nobody says a goal
        const auto& info = search::all_metrics()[m];
        items.push_back(combo_item(plain(info.name), told(info.label), told(info.text)));
    }
    metric_->set_items(std::move(items));
    auto* row = make_layout<QHBoxLayout>(nullptr, 6);
    row->addWidget(from_, 2);
    row->addWidget(make_label(QStringLiteral("→"), type::table(), Ink::secondary));
    row->addWidget(to_, 2);
    row->addWidget(metric_, 4);
    card_->body()->add(row);

    figures_ = new DesignTable(DesignTable::Holds::numbers, tr("Figures of the designs"));
    figures_->setObjectName(QStringLiteral("compareFigures"));
    differences_ = new DesignTable(DesignTable::Holds::words, tr("What differs"));
    differences_->setObjectName(QStringLiteral("compareDifferences"));
    auto* tables = new QWidget;
    auto* stack = new QStackedLayout(tables);
    stack->addWidget(figures_);
    stack->addWidget(differences_);
    tables->setMinimumHeight(70);
    card_->body()->add_wide(tables, 1, 4);
    connect(card_->title_row(), &CardTitle::tab_chosen, stack, &QStackedLayout::setCurrentIndex);

    chart_ = new WaterfallChart;
    chart_->setObjectName(QStringLiteral("compareChart"));
    chart_->set_title(tr("Compare"));
    both_ = make_splitter(Qt::Horizontal);
    both_->addWidget(card_);
    both_->addWidget(chart_);
    both_->setStretchFactor(0, 0);
    both_->setStretchFactor(1, 1);
    pages_->addWidget(both_);
    show_nothing(tr("Nothing is pinned to compare with."));

    connect(nothing_pinned_, &EmptyState::clicked, this, &ComparePage::pin_asked);
    connect(from_, &Combo::chosen, this, [this](const QString& id) {
        Choice next = choice_;
        next.from = id.toInt();
        if (next.from == next.to) next.to = choice_.from;  // turned round
        choose(next);
    });
    connect(to_, &Combo::chosen, this, [this](const QString& id) {
        Choice next = choice_;
        next.to = id.toInt();
        if (next.from == next.to) next.from = choice_.to;
        choose(next);
    });
    const auto by = [this](const QString& id) {
        Choice next = choice_;
        next.metric = search::metric_named(id.toStdString()).value_or(Metric::step);
        choose(next);
    };
    connect(metric_, &Combo::chosen, this, by);
    connect(figures_, &DesignTable::row_chosen, this, by);
    const auto lead = [this](const QString& path) {
        if (path != QLatin1String(rest_path.data())) emit field_asked(path);
    };
    connect(differences_, &DesignTable::row_chosen, this, lead);
    connect(chart_, &WaterfallChart::row_chosen, this, lead);
}

/// The designs chosen are among those on show.
bool ComparePage::fits() const { return pinned() && std::max(choice_.from, choice_.to) < designs(); }

bool ComparePage::pinned() const { return result_ && !result_->pins.empty(); }

int ComparePage::designs() const { return result_ ? static_cast<int>(result_->pins.size()) : 0; }

const Scenario& ComparePage::scenario_of(int design) const {
    return design == open_design ? result_->request.scenario
                                 : *result_->pins[static_cast<std::size_t>(design)].pin.scenario;
}

const Result<Estimate>& ComparePage::estimate_of(int design) const {
    return design == open_design ? result_->estimate : *result_->pins[static_cast<std::size_t>(design)].estimate;
}

QString ComparePage::short_name(int design) const { return design == open_design ? tr("this design") : letter(design); }

void ComparePage::set_choice(const Choice& choice) {
    wanted_ = choice;
    if (wanted_.from == wanted_.to) wanted_.to = wanted_.from == open_design ? 0 : open_design;
    choice_ = wanted_;
    if (!fits()) return;  // its answer is on its way
    fill_choices();
    show_tables();
}

void ComparePage::compare_from(int pin) {
    if (pin < 0 || choice_.to != open_design || pin == choice_.from) return;
    Choice next = choice_;
    next.from = pin;
    if (pin < designs())
        choose(next);
    else
        wanted_ = choice_ = next;
}

void ComparePage::choose(Choice choice) {
    if (choice == choice_) return;
    set_choice(choice);
    chart_->set_stale(true);
    emit question_changed();
}

/// A pin that is gone leaves its place to the last one.
ComparePage::Choice ComparePage::fitting(Choice choice) const {
    choice.from = std::clamp(choice.from, open_design, designs() - 1);
    choice.to = std::clamp(choice.to, open_design, designs() - 1);
    if (choice.from == choice.to) choice = {designs() - 1, open_design, choice.metric};
    return choice;
}

void ComparePage::fill_choices() {
    std::vector<ComboItem> items;
    for (int i = open_design; i < designs(); ++i) {
        const bool open = i == open_design;
        items.push_back(combo_item(QString::number(i), open ? tr("This") : letter(i)));
        items.back().detail = items.back().tip =
            open ? tr("the open design") : plain(result_->pins[static_cast<std::size_t>(i)].pin.name);
    }
    for (Combo* combo : {from_, to_})
        if (combo->items() != items) combo->set_items(items);
    from_->set_current(QString::number(choice_.from));
    to_->set_current(QString::number(choice_.to));
    metric_->set_current(plain(search::info_of(choice_.metric).name));
}

void ComparePage::show_tables() {
    std::vector<compare::Design> all;
    std::vector<QString> headings;
    for (int i = open_design; i < designs(); ++i) {
        const auto& estimate = estimate_of(i);
        all.push_back({&scenario_of(i), estimate ? &*estimate : nullptr});
        headings.push_back(i == open_design ? tr("This") : letter(i));
        if (i == choice_.from) headings.back() += tr(" (from)");
    }
    std::vector<DesignRow> rows = figure_rows(side_by_side(all, static_cast<std::size_t>(choice_.from + 1)));
    const QString memory = plain(search::info_of(search::Metric::memory).name);
    for (std::size_t d = 0; d < all.size(); ++d)
        if (all[d].estimate && !fits_device(*all[d].scenario, all[d].estimate->memory))
            for (DesignRow& row : rows) row.cells[d].struck = row.id != memory;
    figures_->set_rows(headings, std::move(rows));
    figures_->set_chosen(plain(search::info_of(choice_.metric).name));
    const auto differ = differences(scenario_of(choice_.from), scenario_of(choice_.to));
    card_->title_row()->set_unit(differ.empty() ? tr("nothing differs") : QString());
    const auto heading = [](int i) { return i == open_design ? tr("This design") : letter(i); };
    differences_->set_rows({heading(choice_.from), heading(choice_.to)}, difference_rows(differ));
}

void ComparePage::show_result(const LiveResultPtr& result) {
    const std::size_t before = result_ ? result_->pins.size() : 0;
    result_ = result;
    pages_->setCurrentIndex(pinned() ? 1 : 0);
    if (!pinned()) return show_nothing(tr("Nothing is pinned to compare with."));
    choice_ = fitting(wanted_);
    fill_choices();
    show_tables();
    if (before != result->pins.size() && both_->width() > 0) {
        const int wanted = std::min(figures_->wanted_width() + 24, std::max(widest_card, both_->width() / 2));
        both_->setSizes({wanted, both_->width() - wanted - space::gap});
    }
    if (question()) return;
    for (const int design : {choice_.from, choice_.to})
        if (!estimate_of(design)) return show_nothing(told(estimate_of(design).error().front().what));
}

std::optional<ComparisonQuestion> ComparePage::question() const {
    if (!fits() || !estimate_of(choice_.from) || !estimate_of(choice_.to)) return std::nullopt;
    const auto design = [this](int i) {
        return i == open_design ? nullptr : result_->pins[static_cast<std::size_t>(i)].pin.scenario;
    };
    return ComparisonQuestion{design(choice_.from), design(choice_.to), choice_.metric};
}

void ComparePage::add_to_question(AnalysisQuestion& asked, const Scenario&) const { asked.comparison = question(); }

void ComparePage::show_analysis(const AnalysisPtr& latest, bool current) {
    if (!question()) return;  // says why
    chart_->set_stale(!current);
    if (!current) return;
    const Analysis& analysis = *latest;
    if (!analysis.comparison || analysis.question.comparison != question()) return;
    const auto& found = *analysis.comparison;
    if (!found) {
        const Problem& p = found.error().front();
        return show_nothing(told(p.what));
    }
    if (found->shares.empty())
        return show_nothing(
            tr("%1 and %2 do not differ in any field that affects a figure. Change a field to see its share here.")
                .arg(choice_.from == open_design ? tr("This design") : letter(choice_.from), short_name(choice_.to)));
    WaterfallData shares = waterfall_data(*found, short_name(choice_.from), short_name(choice_.to));
    shares.start_fits = fits_device(scenario_of(choice_.from), estimate_of(choice_.from)->memory);
    shares.end_fits = fits_device(scenario_of(choice_.to), estimate_of(choice_.to)->memory);
    chart_->set_data(std::move(shares));
    chart_->set_stale(false);
}

void ComparePage::set_progress(double fraction) {
    if (!chart_->is_empty() && !chart_->stale()) return;
    show_nothing(tr("Working it out… %1").arg(told(format_percent(Fraction{fraction}, 0))));
}

void ComparePage::show_nothing(const QString& reason) {
    WaterfallData nothing;
    nothing.quantity = Quantity{};
    nothing.title = tr("Compare");
    nothing.empty_reason = reason;
    chart_->set_data(std::move(nothing));
    chart_->set_stale(false);
}

NamedCharts ComparePage::charts() const { return {{QStringLiteral("compare"), chart_}}; }

}  // namespace scalescope::ui
