// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/search/best_by.hpp"

#include <QLabel>
#include <QPushButton>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/charts/helpers.hpp"
#include "ui/language/told.hpp"
#include "ui/search/search_document.hpp"
#include "ui/theme/icons.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/form.hpp"
#include "ui/widgets/number_field.hpp"

namespace scalescope::ui {
BestBy::BestBy(SearchDocument& document, QWidget* parent)
    : QWidget(parent), document_(document), column_(new QVBoxLayout(this)) {
    column_->setContentsMargins(0, 0, 0, 0);
    column_->setSpacing(8);
    more_ = new QPushButton(tr("And by"));
    more_->setObjectName(QStringLiteral("bestAdd"));
    more_->setIcon(icon("plus"));
    more_->setToolTip(tr("With a second figure there is a front: where one is better only if the other is worse"));
    column_->addWidget(more_, 0, Qt::AlignLeft);
    note_ = make_label({}, type::caption(), Ink::warning);
    note_->setObjectName(QStringLiteral("bestNote"));
    note_->setWordWrap(true);
    column_->addWidget(note_);
    auto* form = new Form;
    goal_ = new NumberField(tr("How much is to be trained"));
    goal_->setObjectName(QStringLiteral("searchGoal"));
    goal_->set_subject(tr("The goal"));
    goal_->set_range(0.001, 1e15);
    goal_->set_decimals(3);
    unit_ = new Combo(tr("Unit of the goal"));
    unit_->setObjectName(QStringLiteral("searchGoalUnit"));
    unit_->set_items({combo_item(QStringLiteral("epochs"), tr("epochs"), tr("Times the data set of this scenario")),
                      combo_item(QStringLiteral("samples"), tr("samples"))});
    form->add_pair(tr("Train for"), goal_, QString(), unit_);
    top_ = new NumberField(tr("How many of the best are kept"));
    top_->setObjectName(QStringLiteral("searchTop"));
    top_->set_subject(tr("The number of rows"));
    top_->set_range(1, static_cast<double>(search::most_rows));
    form->add_row(tr("Keep the best"), top_);
    column_->addWidget(form);
    const auto change = [this](auto set) {
        search::Asked asked = document_.asked();
        set(asked);
        document_.set_asked(std::move(asked));
    };
    connect(more_, &QPushButton::clicked, this, &BestBy::add);
    connect(goal_, &NumberField::value_changed, this,
            [change](double v) { change([v](search::Asked& a) { a.goal = v; }); });
    connect(unit_, &Combo::chosen, this, [change](const QString& id) {
        change([&](search::Asked& a) { a.goal_in_epochs = id == QLatin1String("epochs"); });
    });
    connect(top_, &NumberField::value_changed, this,
            [change](double v) { change([v](search::Asked& a) { a.top = static_cast<std::size_t>(v); }); });
    connect(&document_, &SearchDocument::asked_changed, this, &BestBy::show_state);
    show_state();
}

void BestBy::build_row() {
    Row row{};
    row.box = new QWidget;
    auto* line = new QHBoxLayout(row.box);
    line->setContentsMargins(0, 0, 0, 0);
    line->setSpacing(6);
    row.title = make_label({}, type::control(), Ink::secondary);
    row.title->setFixedWidth(44);
    row.combo = new Combo(tr("Figure that the best is judged by"));
    row.combo->setObjectName(QStringLiteral("objective"));
    row.combo->set_searchable(false);
    row.remove = make_icon_button("close", tr("Do not judge by this"));
    line->addWidget(row.title);
    line->addWidget(row.combo, 1);
    line->addWidget(row.remove);
    const std::size_t place = rows_.size();
    column_->insertWidget(static_cast<int>(place), row.box);
    connect(row.combo, &Combo::chosen, this, [this, place](const QString& id) {
        search::Asked asked = document_.asked();
        if (const auto metric = search::metric_named(id.toStdString())) asked.objectives[place] = *metric;
        document_.set_asked(std::move(asked));
    });
    connect(row.remove, &QToolButton::clicked, this, [this, place] {
        search::Asked asked = document_.asked();
        asked.objectives.erase(asked.objectives.begin() + static_cast<std::ptrdiff_t>(place));
        document_.set_asked(std::move(asked));
    });
    rows_.push_back(row);
}

void BestBy::show_state() {
    const search::Asked& asked = document_.asked();
    while (rows_.size() > asked.objectives.size()) {
        column_->removeWidget(rows_.back().box);
        rows_.back().box->hide();
        rows_.back().box->deleteLater();
        rows_.pop_back();
    }
    while (rows_.size() < asked.objectives.size()) build_row();
    QString missing;
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const search::Metric mine = asked.objectives[i];
        std::vector<ComboItem> items;
        for (const search::MetricInfo& m : search::all_metrics()) {
            ComboItem item = combo_item(told(m.name), told(m.label), told(m.text));
            item.value = m.larger_is_better ? tr("most") : tr("least");
            const auto metric = *search::metric_named(m.name);
            if (metric != mine && std::count(asked.objectives.begin(), asked.objectives.end(), metric) > 0) {
                item.enabled = false;
                item.tip = tr("is judged by already");
            }
            items.push_back(std::move(item));
        }
        rows_[i].combo->set_items(std::move(items));
        rows_[i].combo->set_current(told(search::info_of(mine).name));
        rows_[i].title->setText(i == 0 ? tr("First") : tr("and"));
        rows_[i].remove->setVisible(rows_.size() > 1);
        if (missing.isEmpty()) missing = text_of(search::why_missing(mine, document_.scenario()));
    }
    more_->setVisible(rows_.size() < search::most_objectives);
    // Where the device is varied, others may have what this one lacks.
    const bool other_devices = std::any_of(asked.vary.begin(), asked.vary.end(), [](const search::Varied& v) {
        return v.path == "cluster" || v.path.starts_with("cluster.device");
    });
    note_->setText(other_devices ? QString() : missing);
    note_->setVisible(!note_->text().isEmpty());
    if (goal_->value() != asked.goal) goal_->set_value(asked.goal);
    unit_->set_current(asked.goal_in_epochs ? QStringLiteral("epochs") : QStringLiteral("samples"));
    top_->set_value(static_cast<double>(asked.top));
}

void BestBy::add() {
    search::Asked asked = document_.asked();
    // What people mostly weigh against the first, else whatever there is.
    std::vector<search::Metric> wanted{search::Metric::cost, search::Metric::time, search::Metric::devices,
                                       search::Metric::energy, search::Metric::memory};
    for (std::size_t m = 0; m < search::metric_count; ++m) wanted.push_back(static_cast<search::Metric>(m));
    for (const search::Metric m : wanted)
        if (std::count(asked.objectives.begin(), asked.objectives.end(), m) == 0 &&
            search::why_missing(m, document_.scenario()).empty()) {
            asked.objectives.push_back(m);
            break;
        }
    document_.set_asked(std::move(asked));
}

}  // namespace scalescope::ui
