// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/combo.hpp"

#include <QAccessible>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPainter>
#include <algorithm>

#include "ui/theme/icons.hpp"
#include "ui/theme/paint.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/combo_popup.hpp"
#include "ui/widgets/slider.hpp"

namespace scalescope::ui {
namespace {

constexpr Px combo_text_left{10}, combo_text_left_search{30}, combo_arrow_room{26};
constexpr std::size_t items_worth_a_search = 8;

}  // namespace

Combo::Combo(const QString& accessible_name, QWidget* parent) : QWidget(parent) {
    install_accessibility();
    setAccessibleName(accessible_name);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    setAttribute(Qt::WA_Hover);
    search_ = new QLineEdit(this);
    search_->setProperty("plain", true);
    search_->setFrame(false);
    search_->setAccessibleName(tr("Search in %1").arg(accessible_name));
    search_->installEventFilter(this);
    search_->hide();
    popup_ = new ComboPopup(*this);
    connect(search_, &QLineEdit::textChanged, this, [this](const QString& text) {
        if (is_open()) popup_->filter(text);
    });
}

Combo::~Combo() { delete popup_; }

void Combo::set_items(std::vector<ComboItem> items) {
    if (items == items_) return;
    items_ = std::move(items);
    if (is_open()) popup_->filter(search_->text());
    updateGeometry();
    update();
}

void Combo::set_current(const QString& id, const QString& unknown_text) {
    if (id == current_id_ && unknown_text == unknown_text_) return;
    current_id_ = id;
    unknown_text_ = unknown_text;
    update();
    QAccessibleEvent event(this, QAccessible::NameChanged);
    QAccessible::updateAccessibility(&event);
}

QString Combo::current_text() const {
    for (const ComboItem& item : items_)
        if (item.id == current_id_) return item.text;
    return unknown_text_;
}

void Combo::add_footer_action(const QString& id, const QString& text, const char* icon_name) {
    footer_.push_back({id, text, icon_name});
}

void Combo::clear_footer_actions() { footer_.clear(); }

void Combo::set_placeholder(const QString& text) {
    placeholder_ = text;
    update();
}

void Combo::set_searchable(bool on) { searchable_ = on ? 1 : 0; }
bool Combo::is_searchable() const { return searchable_ < 0 ? items_.size() >= items_worth_a_search : searchable_ == 1; }
bool Combo::is_open() const { return popup_->isVisible(); }

void Combo::open(const QString& search) {
    if (is_open() || !isEnabled()) return;
    if (is_searchable()) {
        search_->setPlaceholderText(current_text().isEmpty() ? placeholder_ : current_text());
        search_->setText(search);
        search_->show();
        search_->setFocus(Qt::PopupFocusReason);
    } else {
        search_->clear();
    }
    popup_->filter(search_->text());
    popup_->show_below();
    update();
}

void Combo::close_popup() { popup_->hide(); }

void Combo::popup_closed() {
    const bool had_focus = search_->hasFocus() || hasFocus();
    search_->hide();
    search_->clear();
    if (had_focus) setFocus(Qt::PopupFocusReason);
    update();
}

void Combo::take(const QString& id) {
    if (id == current_id_) return;
    set_current(id);
    emit chosen(id);
}

/// The next item that can be chosen, while the list is closed.
void Combo::step(int direction) {
    const auto count = static_cast<int>(items_.size());
    int at = -1;
    for (int i = 0; i < count; ++i)
        if (items_[static_cast<std::size_t>(i)].id == current_id_) at = i;
    step_from(at, direction);
}

void Combo::step_from(int at, int direction) {
    const auto count = static_cast<int>(items_.size());
    for (int i = at + direction; i >= 0 && i < count; i += direction) {
        const ComboItem& item = items_[static_cast<std::size_t>(i)];
        if (item.enabled) return take(item.id);
    }
}

void Combo::show_tip() {
    for (const ComboItem& i : items_)
        if (i.id == current_id_) setToolTip(i.tip.isEmpty() ? i.text : QStringLiteral("%1: %2").arg(i.text, i.tip));
}

QSize Combo::sizeHint() const {
    const QFontMetrics metrics(font());
    int widest = metrics.horizontalAdvance(placeholder_);
    for (const ComboItem& item : items_) widest = std::max(widest, metrics.horizontalAdvance(item.text));
    return {std::clamp(widest, 20, 220) + combo_text_left + combo_arrow_room,
            std::max<int>(space::control_height, metrics.height() + 8)};
}

QSize Combo::minimumSizeHint() const { return {60, sizeHint().height()}; }

void Combo::paintEvent(QPaintEvent*) {
    const Theme& t = theme();
    QPainter painter(this);
    FieldState state;
    state.enabled = isEnabled();
    state.hover = underMouse();
    state.focus = hasFocus() || search_->hasFocus() || is_open();
    state.error = property("error").toBool();
    draw_field(painter, QRectF(rect()), state);
    const qreal middle = height() / 2.0;
    draw_icon(painter, "down", QRectF(width() - 22, middle - 7, 14, 14), isEnabled() ? t.secondary : t.disabled);
    if (search_->isVisible()) return draw_icon(painter, "search", QRectF(10, middle - 7, 14, 14), t.secondary);
    const QString text = current_text();
    const QColor ink = !isEnabled() ? t.disabled : text.isEmpty() ? t.secondary : t.text;
    draw_text(painter, QRectF(combo_text_left, 0, width() - combo_text_left - combo_arrow_room, height()),
              Qt::AlignLeft | Qt::AlignVCenter, text.isEmpty() ? placeholder_ : text, font(), ink);
}

void Combo::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return event->ignore();
    is_open() ? close_popup() : open();
}

void Combo::keyPressEvent(QKeyEvent* event) {
    const bool alt = event->modifiers().testFlag(Qt::AltModifier);
    switch (event->key()) {
        case Qt::Key_Down:
        case Qt::Key_Up: return alt ? open() : step(event->key() == Qt::Key_Down ? 1 : -1);
        case Qt::Key_F4:
        case Qt::Key_Space:
        case Qt::Key_Return:
        case Qt::Key_Enter: return open();
        case Qt::Key_Home: return step_from(-1, 1);
        case Qt::Key_End: return step_from(static_cast<int>(items_.size()), -1);
        default: break;
    }
    const QString text = event->text();
    const bool typed = !text.isEmpty() && text[0].isPrint() &&
                       !(event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier));
    if (!typed) return QWidget::keyPressEvent(event);
    if (is_searchable()) return open(text);
    for (const ComboItem& item : items_)
        if (item.enabled && item.text.startsWith(text, Qt::CaseInsensitive)) return take(item.id);
}

void Combo::resizeEvent(QResizeEvent* event) {
    search_->setGeometry(combo_text_left_search, 2, std::max(10, width() - combo_text_left_search - combo_arrow_room),
                         height() - 4);
    QWidget::resizeEvent(event);
}

void Combo::focusInEvent(QFocusEvent* event) {
    update();
    QWidget::focusInEvent(event);
}

void Combo::focusOutEvent(QFocusEvent* event) {
    update();
    QWidget::focusOutEvent(event);
}

bool Combo::eventFilter(QObject* object, QEvent* event) {
    // The list is a window of its own: the search line must not believe that it lost the keyboard.
    if (object == search_ && event->type() == QEvent::FocusOut && is_open()) return true;
    return QWidget::eventFilter(object, event);
}

}  // namespace scalescope::ui
