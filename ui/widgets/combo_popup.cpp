// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/combo_popup.hpp"

#include <QAccessible>
#include <QCoreApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QScrollBar>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

namespace scalescope::ui {
namespace {

constexpr int popup_padding = 5, rows_shown = 12, lowest = 28;

/// How badly an item fits what was typed: its name begins so, its name has every word, or only its columns do.
int misfit(const QString& text, const QString& search, const QStringList& words) {
    if (text.startsWith(search.trimmed(), Qt::CaseInsensitive)) return 0;
    const bool named = std::all_of(words.begin(), words.end(),
                                   [&text](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
    return named ? 1 : 2;
}

}  // namespace

ComboPopup::ComboPopup(Combo& combo) : FilterPopup(combo), combo_(combo) {
    setFocusPolicy(Qt::NoFocus);
    foot_ = make_list("comboActions");
    foot_->setSelectionModel(list_->selectionModel());
    foot_->setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(popup_padding, popup_padding, popup_padding, popup_padding);
    layout->setSpacing(0);
    layout->addWidget(list_, 1);
    layout->addWidget(foot_);
    connect(list_->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& now) {
        if (!isVisible() || !now.isValid()) return;
        QListView* where = model_->row(now.row()).kind == FilterModel::Kind::action ? foot_ : list_;
        QAccessibleEvent event(where, QAccessible::Focus);
        event.setChild(now.row());
        QAccessible::updateAccessibility(&event);
    });
}

void ComboPopup::filter(const QString& search) {
    const QStringList words = search.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    const QModelIndex now = list_->currentIndex();
    QString keep = isVisible() && now.isValid() && words.isEmpty() ? now.data(Qt::UserRole).toString() : QString();
    if (keep.isEmpty() && words.isEmpty()) keep = combo_.current();
    const bool any = std::any_of(combo_.items_.begin(), combo_.items_.end(),
                                 [&](const ComboItem& item) { return matches(item, words); });
    const QString meant = any || !combo_.reader_ ? QString() : combo_.reader_(search);
    auto rows = rows_of(combo_.items_, search, [&](const ComboItem& item) {
        return any ? matches(item, words) : !meant.isEmpty() && item.id == meant;
    });
    int best = -1, least = 3, kept = -1;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const FilterModel::Row& row = rows[i];
        if (row.kind != FilterModel::Kind::item) continue;
        if (row.id == keep) kept = static_cast<int>(i);
        if (const int fit = any ? misfit(row.text, search, words) : 0; row.enabled && fit < least)
            best = static_cast<int>(i), least = fit;
    }
    bool rule = !rows.empty();
    for (const auto& action : combo_.footer_) {
        FilterModel::Row row{FilterModel::Kind::action, action.id, action.text};
        row.icon_name = action.icon_name;
        row.rule_above = std::exchange(rule, false);
        rows.push_back(std::move(row));
    }
    model_->set_rows(std::move(rows), words);
    for (int i = 0; i < model_->rowCount(); ++i) {
        const bool action = model_->row(i).kind == FilterModel::Kind::action;
        list_->setRowHidden(i, action);
        foot_->setRowHidden(i, !action);
    }
    const int to = kept >= 0 ? kept : best;
    if (to >= 0) list_->setCurrentIndex(model_->index(to));
    if (isVisible()) fit();
}

void ComboPopup::fit() {
    int height = 0, all = 0, foot = 0;
    for (int i = 0; i < model_->rowCount(); ++i) {
        const int h = list_->sizeHintForRow(i);
        if (model_->row(i).kind == FilterModel::Kind::action) {
            foot += h;
        } else {
            all += h;
            if (i < rows_shown) height += h;
        }
    }
    constexpr int frame = 2 * popup_padding;
    const int scroll = all > height ? list_->verticalScrollBar()->sizeHint().width() : 0;
    foot_->setVisible(foot > 0);
    foot_->setFixedHeight(foot);
    // While typing, the list shrinks toward the field.
    place(width_of_rows() + frame + scroll + 8, height + foot + frame, lowest + foot + frame);
}

void ComboPopup::show_below() {
    setFocusProxy(combo_.is_searchable() ? combo_.search_ : nullptr);
    ensurePolished();
    fit();
    show();
    fit();
    const QModelIndex now = list_->currentIndex();
    if (now.isValid()) list_->scrollTo(now, QAbstractItemView::PositionAtCenter);
}

void ComboPopup::accept() { activate(list_->currentIndex()); }

void ComboPopup::activate(const QModelIndex& index) {
    if (!can_choose(index)) return;
    const FilterModel::Row row = model_->row(index.row());  // a copy: hiding may reset the model
    hide();
    if (row.kind == FilterModel::Kind::action)
        emit combo_.footer_chosen(row.id);
    else
        combo_.take(row.id);
}

void ComboPopup::keyPressEvent(QKeyEvent* event) {
    constexpr int page = 8, far = 1 << 20;
    const bool alt = event->modifiers().testFlag(Qt::AltModifier);
    const bool search = combo_.search_->isVisible();
    switch (event->key()) {
        case Qt::Key_Down: return move(1, true);
        case Qt::Key_Up: return alt ? hide() : move(-1, true);
        case Qt::Key_PageDown: return move(page);
        case Qt::Key_PageUp: return move(-page);
        case Qt::Key_Home:
            if (!search) return move(-far);
            break;
        case Qt::Key_End:
            if (!search) return move(far);
            break;
        case Qt::Key_Return:
        case Qt::Key_Enter:
        case Qt::Key_Tab:
        case Qt::Key_Backtab: return accept();
        case Qt::Key_F4:
        case Qt::Key_Escape: return hide();
        default: break;
    }
    if (search) {
        QCoreApplication::sendEvent(combo_.search_, event);
        return;
    }
    const QString text = event->text();
    if (text.isEmpty() || !text[0].isPrint()) return;
    for (int i = 0; i < model_->rowCount(); ++i)
        if (model_->row(i).text.startsWith(text, Qt::CaseInsensitive) && can_choose(model_->index(i)))
            return list_->setCurrentIndex(model_->index(i));
}

void ComboPopup::hideEvent(QHideEvent* event) {
    QFrame::hideEvent(event);
    combo_.popup_closed();
}

}  // namespace scalescope::ui
