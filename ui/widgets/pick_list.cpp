// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/pick_list.hpp"

#include <QAccessible>
#include <QKeyEvent>
#include <QPainter>
#include <QPushButton>
#include <algorithm>

#include "ui/theme/icons.hpp"
#include "ui/theme/paint.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/pick_popup.hpp"
#include "ui/widgets/search_field.hpp"
#include "ui/widgets/slider.hpp"

namespace scalescope::ui {
namespace {

constexpr int pick_text_left = 10, pick_arrow_room = 26;

}  // namespace

PickList::PickList(const QString& accessible_name, QWidget* parent) : QWidget(parent) {
    install_accessibility();
    setAccessibleName(accessible_name);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setAttribute(Qt::WA_Hover);
    set_words(tr("all"), tr("none"), tr("%1 of %2"));
    popup_ = new PickPopup(*this);
    popup_->build_buttons();
}

PickList::~PickList() { delete popup_; }

void PickList::set_items(std::vector<ComboItem> items) {
    if (items == items_) return;
    items_ = std::move(items);
    QSet<QString> known;
    for (const ComboItem& item : items_) known.insert(item.id);
    picked_ &= known;
    if (is_open()) popup_->filter();
    updateGeometry();
    update();
}

void PickList::set_sets(std::vector<PickSet> sets) {
    sets_ = std::move(sets);
    popup_->build_buttons();
}

void PickList::set_words(const QString& all, const QString& none, const QString& some) {
    all_words_ = all;
    none_words_ = none;
    some_words_ = some;
    update();
}

void PickList::set_picked(const QStringList& ids) {
    picked_.clear();
    for (const ComboItem& item : items_)
        if (ids.contains(item.id)) picked_.insert(item.id);
    tell();
}

QStringList PickList::picked() const {
    QStringList ids;
    for (const ComboItem& item : items_)
        if (picked_.contains(item.id)) ids << item.id;
    return ids;
}

QString PickList::current_text() const {
    if (picked_.isEmpty()) return none_words_;
    if (all_picked()) return all_words_;
    if (picked_.size() <= named_) {
        QStringList names;
        for (const ComboItem& item : items_)
            if (picked_.contains(item.id)) names << item.text;
        return names.join(QStringLiteral(", "));
    }
    return some_words_.arg(picked_.size()).arg(items_.size());
}

void PickList::tell() {
    popup_->set_marks();
    update();
    QAccessibleEvent event(this, QAccessible::ValueChanged);
    QAccessible::updateAccessibility(&event);
}

void PickList::pick(const QStringList& ids, const QStringList& shown) {
    const QSet<QString> before = picked_;
    for (const QString& id : shown) ids.contains(id) ? (void)picked_.insert(id) : (void)picked_.remove(id);
    tell();
    if (picked_ != before) emit picked_changed();
}

void PickList::flip(const QString& id) {
    if (!picked_.remove(id)) picked_.insert(id);
    tell();
    emit picked_changed();
}

void PickList::open() {
    if (is_open() || !isEnabled()) return;
    popup_->show_below();
    update();
}

void PickList::close_popup() { popup_->hide(); }
bool PickList::is_open() const { return popup_->isVisible(); }
QLineEdit* PickList::search() const { return popup_->search(); }
QListView* PickList::list() const { return popup_->list(); }
QPushButton* PickList::button(const QString& id) const { return popup_->button(id); }

QSize PickList::sizeHint() const {
    const QFontMetrics metrics(font());
    const auto count = static_cast<qsizetype>(items_.size());
    int widest = 0;
    for (const QString& words : {all_words_, none_words_, some_words_.arg(count).arg(count)})
        widest = std::max(widest, metrics.horizontalAdvance(words));
    return {widest + pick_text_left + pick_arrow_room, std::max<int>(space::control_height, metrics.height() + 8)};
}

void PickList::paintEvent(QPaintEvent*) {
    const Theme& t = theme();
    QPainter painter(this);
    FieldState state;
    state.enabled = isEnabled();
    state.hover = underMouse();
    state.focus = hasFocus() || is_open();
    draw_field(painter, QRectF(rect()), state);
    draw_icon(painter, "down", QRectF(width() - 22, height() / 2.0 - 7, 14, 14),
              isEnabled() ? t.secondary : t.disabled);
    draw_text(painter, QRectF(pick_text_left, 0, width() - pick_text_left - pick_arrow_room, height()),
              Qt::AlignLeft | Qt::AlignVCenter, current_text(), font(), isEnabled() ? t.text : t.disabled);
}

void PickList::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return event->ignore();
    is_open() ? close_popup() : open();
}

void PickList::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
        case Qt::Key_Down:
        case Qt::Key_F4:
        case Qt::Key_Space:
        case Qt::Key_Return:
        case Qt::Key_Enter: return open();
        default: break;
    }
    const QString typed = event->text();
    if (typed.isEmpty() || !typed[0].isPrint() ||
        (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)))
        return QWidget::keyPressEvent(event);
    open();
    search()->setText(typed);
}

void PickList::focusInEvent(QFocusEvent* event) {
    update();
    QWidget::focusInEvent(event);
}

void PickList::focusOutEvent(QFocusEvent* event) {
    update();
    QWidget::focusOutEvent(event);
}

}  // namespace scalescope::ui
