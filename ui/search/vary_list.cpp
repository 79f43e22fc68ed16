// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/search/vary_list.hpp"

#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QTimer>
#include <QToolButton>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/charts/helpers.hpp"
#include "ui/search/search_document.hpp"
#include "ui/search/vary_row.hpp"
#include "ui/theme/icons.hpp"
#include "ui/widgets/combo.hpp"

namespace scalescope::ui {

VaryList::VaryList(SearchDocument& document, QWidget* parent)
    : QWidget(parent), document_(document), column_(new QVBoxLayout(this)) {
    column_->setContentsMargins(0, 0, 0, 0);
    column_->setSpacing(10);
    auto* more = new QPushButton(tr("Vary another field"));
    more->setObjectName(QStringLiteral("varyAdd"));
    more->setIcon(icon("plus"));
    column_->addWidget(more, 0, Qt::AlignLeft);
    connect(more, &QPushButton::clicked, this, &VaryList::add);
    connect(&document_, &SearchDocument::asked_changed, this, &VaryList::show_state);
    show_state();
}

std::size_t VaryList::place_of(const VaryRow* row) const {
    return static_cast<std::size_t>(std::find(rows_.begin(), rows_.end(), row) - rows_.begin());
}

void VaryList::rebuild() {
    const auto& vary = document_.asked().vary;
    while (rows_.size() > vary.size()) {
        // Its own button may have asked for this.
        column_->removeWidget(rows_.back());
        rows_.back()->hide();
        rows_.back()->deleteLater();
        rows_.pop_back();
    }
    while (rows_.size() < vary.size()) {
        auto* row = new VaryRow;
        column_->insertWidget(static_cast<int>(rows_.size()), row);
        row->show();  // at once, so that it can have the keyboard
        connect(row, &VaryRow::path_chosen, this, [this, row](const QString& path) { change_path(row, path); });
        connect(row, &VaryRow::values_typed, this, [this, row](const QString& v) { change_values(row, v); });
        connect(row, &VaryRow::move_asked, this, [this, row](int by) { move(row, by); });
        connect(row, &VaryRow::remove_asked, this, [this, row] { remove(row); });
        rows_.push_back(row);
    }
}

void VaryList::show_state() {
    rebuild();
    const auto& vary = document_.asked().vary;
    const Scenario& scenario = document_.scenario();
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        // What another row varies cannot be varied twice.
        auto items = variable_items(scenario, document_.library());
        for (ComboItem& item : items)
            for (std::size_t k = 0; k < vary.size(); ++k)
                if (k != i && item.id == text_of(vary[k].path)) {
                    item.enabled = false;
                    item.tip = tr("is varied already");
                }
        rows_[i]->set_fields(std::move(items));
        rows_[i]->set_varied(vary[i], vary[i].path.empty() ? QString() : title_of_path(vary[i].path, scenario));
        rows_[i]->set_ends(i == 0, i + 1 == rows_.size());
        rows_[i]->show_axis(search::read_varied(vary[i], scenario, document_.library()), scenario, document_.library());
    }
}

void VaryList::add() {
    search::Asked asked = document_.asked();
    if (asked.vary.empty() || !asked.vary.back().path.empty()) asked.vary.emplace_back();
    document_.set_asked(std::move(asked));
    // Its list opens below it once it has its place, and is in sight.
    QTimer::singleShot(0, rows_.back(), [row = rows_.back()] {
        for (QWidget* p = row->parentWidget(); p; p = p->parentWidget())
            if (auto* area = qobject_cast<QScrollArea*>(p)) area->ensureWidgetVisible(row);
        row->field()->setFocus();
        row->field()->open();
    });
}

void VaryList::change_path(VaryRow* row, const QString& path) {
    search::Asked asked = document_.asked();
    search::Varied& varied = asked.vary[place_of(row)];
    varied.path = path.toStdString();
    varied.values = search::usual_values(varied.path, document_.scenario(), document_.library());
    document_.set_asked(std::move(asked));
    row->values()->setFocus();
    row->values()->selectAll();
}

void VaryList::change_values(VaryRow* row, const QString& values) {
    search::Asked asked = document_.asked();
    asked.vary[place_of(row)].values = values.toStdString();
    document_.set_asked(std::move(asked));
}

void VaryList::move(VaryRow* row, int by) {
    search::Asked asked = document_.asked();
    const std::size_t from = place_of(row);
    const auto to = static_cast<std::ptrdiff_t>(from) + by;
    if (to < 0 || to >= static_cast<std::ptrdiff_t>(asked.vary.size())) return;
    std::swap(asked.vary[from], asked.vary[static_cast<std::size_t>(to)]);
    document_.set_asked(std::move(asked));
}

void VaryList::remove(VaryRow* row) {
    search::Asked asked = document_.asked();
    asked.vary.erase(asked.vary.begin() + static_cast<std::ptrdiff_t>(place_of(row)));
    document_.set_asked(std::move(asked));
}

}  // namespace scalescope::ui
