// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/order_chips.hpp"

#include <QAbstractButton>
#include <QApplication>
#include <QFontMetrics>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <algorithm>

#include "ui/theme/paint.hpp"
#include "ui/theme/px.hpp"
#include "ui/theme/theme.hpp"

namespace scalescope::ui {
namespace {

constexpr Px grip_room{20}, chip_padding{8}, note_gap{8}, chip_gap{6}, least_chip{44};

int advance(const QFont& font, const QString& text) { return QFontMetrics(font).horizontalAdvance(text); }

}  // namespace

class OrderChips::Button final : public QAbstractButton {
public:
    Button(const Chip& chip, QWidget* parent) : QAbstractButton(parent), chip_(chip) {
        setAttribute(Qt::WA_Hover);
        setCursor(Qt::OpenHandCursor);
    }
    const Chip& chip() const { return chip_; }
    void set_chip(const Chip& chip) {
        chip_ = chip;
        setToolTip(chip.tip);
        update();
    }
    void show_note(bool shown) {
        if (std::exchange(note_shown_, shown) != shown) update();
    }
    int width_with(bool note) const {
        const int words = grip_room + advance(type::control(), chip_.text) + chip_padding;
        return note && !chip_.note.isEmpty() ? words + note_gap + advance(type::caption(), chip_.note) : words;
    }
    QSize sizeHint() const override { return {width_with(note_shown_), space::control_height}; }

protected:
    void paintEvent(QPaintEvent*) override {
        const Theme& t = theme();
        QPainter painter(this);
        const bool focus = hasFocus() && window()->testAttribute(Qt::WA_KeyboardFocusChange),
                   strong = focus || isDown();
        draw_box(painter, QRectF(rect()), underMouse() ? t.hover : t.control, strong ? t.accent : t.control_border,
                 space::control_radius, strong ? 2 : 1);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(t.secondary);
        for (int dot = 0; dot < 6; ++dot)
            painter.drawEllipse(QPointF(9 + dot % 2 * 4, height() / 2.0 + (dot / 2 - 1) * 4), 1, 1);
        const QRectF words(grip_room, 0, width() - grip_room - chip_padding, height());
        draw_text(painter, words, Qt::AlignLeft | Qt::AlignVCenter, chip_.text, type::control(), t.text);
        if (note_shown_)
            draw_text(painter, words, Qt::AlignRight | Qt::AlignVCenter, chip_.note, type::caption(), t.secondary);
    }

private:
    Chip chip_;
    bool note_shown_ = true;
};

OrderChips::OrderChips(const QString& title, QWidget* parent) : QWidget(parent), title_(title) {
    setAccessibleName(title);
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void OrderChips::set_chips(const std::vector<Chip>& chips, WhyNot why_not) {
    why_not_ = std::move(why_not);
    QStringList ids, present = order();
    for (const Chip& one : chips) ids << one.id;
    QStringList sorted = ids;
    sorted.sort();
    present.sort();
    if (sorted != present) {
        end_drag();
        qDeleteAll(chips_);
        chips_.clear();
        for (const Chip& one : chips) {
            auto* button = new Button(one, this);
            button->setObjectName(QStringLiteral("chip_") + one.id);
            button->setFocusPolicy(chips_.empty() ? Qt::StrongFocus : Qt::ClickFocus);
            button->installEventFilter(this);
            button->show();
            chips_.push_back(button);
        }
    } else if (!dragging_) {
        std::sort(chips_.begin(), chips_.end(), [&](const Button* a, const Button* b) {
            return ids.indexOf(a->chip().id) < ids.indexOf(b->chip().id);
        });
    }
    for (const Chip& one : chips)
        for (Button* button : chips_)
            if (button->chip().id == one.id) button->set_chip(one);
    name_chips();
    updateGeometry();
    place();
}

QStringList OrderChips::order() const {
    QStringList ids;
    for (const Button* one : chips_) ids << one->chip().id;
    return ids;
}

QAbstractButton* OrderChips::chip(const QString& id) const {
    for (Button* one : chips_)
        if (one->chip().id == id) return one;
    return nullptr;
}

int OrderChips::index_of(const Button* chip) const {
    return static_cast<int>(std::find(chips_.begin(), chips_.end(), chip) - chips_.begin());
}

int OrderChips::width_of(bool title, bool notes) const {
    int width = title ? advance(type::control(), title_) + chip_gap : -chip_gap;
    for (const Button* one : chips_) width += one->width_with(notes) + chip_gap;
    return std::max(width, 0);
}

QSize OrderChips::sizeHint() const { return {width_of(true, true), space::control_height}; }

QSize OrderChips::minimumSizeHint() const {
    return {static_cast<int>(chips_.size()) * (least_chip + chip_gap), space::control_height};
}

void OrderChips::name_chips() {
    for (std::size_t i = 0; i < chips_.size(); ++i) {
        const Chip& chip = chips_[i]->chip();
        chips_[i]->setAccessibleName(tr("%1, %2 of %3").arg(chip.text).arg(i + 1).arg(chips_.size()));
        chips_[i]->setAccessibleDescription(chip.tip);
        if (i > 0) setTabOrder(chips_[i - 1], chips_[i]);
    }
}

void OrderChips::place() {
    notes_shown_ = width_of(true, true) <= width();
    title_shown_ = width_of(true, false) <= width();
    const bool whole = width_of(false, false) <= width();
    const int count = static_cast<int>(chips_.size());
    const int each = count > 0 ? (width() + chip_gap) / count - chip_gap : 0;
    int x = title_shown_ ? advance(type::control(), title_) + chip_gap : 0;
    for (Button* one : chips_) {
        one->show_note(notes_shown_);
        const int wide = whole ? one->width_with(notes_shown_) : each;
        if (!dragging_ || one != held_) one->setGeometry(x, 0, wide, height());
        x += wide + chip_gap;
    }
    update();
}

void OrderChips::move_chip(Button* chip, int to) {
    const int from = index_of(chip);
    to = std::clamp(to, 0, static_cast<int>(chips_.size()) - 1);
    if (to == from) return;
    QStringList next = order();
    next.move(from, to);
    const QString why = why_not_ ? why_not_(next) : QString();
    if (dragging_) chip->setCursor(why.isEmpty() ? Qt::ClosedHandCursor : Qt::ForbiddenCursor);
    if (!why.isEmpty()) return QToolTip::showText(chip->mapToGlobal(QPoint(0, chip->height())), why, chip);
    QToolTip::hideText();
    chips_.erase(chips_.begin() + from);
    chips_.insert(chips_.begin() + to, chip);
    name_chips();
    place();
    emit order_chosen(next);
}

void OrderChips::begin_drag(Button* chip) {
    dragging_ = true;
    before_ = order();
    chip->raise();
    chip->setCursor(Qt::ClosedHandCursor);
    emit drag_began();
}

void OrderChips::drag_to(int x) {
    const int first = title_shown_ ? advance(type::control(), title_) + chip_gap : 0;
    held_->move(std::clamp(x - grabbed_at_, first, std::max(first, width() - held_->width())), 0);
    const int from = index_of(held_), last = static_cast<int>(chips_.size()) - 1;
    int to = from;
    const auto middle = [&](int i) { return chips_[static_cast<std::size_t>(i)]->geometry().center().x(); };
    while (to > 0 && held_->geometry().left() < middle(to - 1)) --to;
    if (to == from)
        while (to < last && held_->geometry().right() > middle(to + 1)) ++to;
    if (to == from)
        held_->setCursor(Qt::ClosedHandCursor);
    else
        move_chip(held_, to);
}

void OrderChips::end_drag() {
    if (Button* const chip = std::exchange(held_, nullptr)) {
        chip->setDown(false);
        chip->setCursor(Qt::OpenHandCursor);
    }
    if (!std::exchange(dragging_, false)) return;
    place();
    emit drag_ended();
}

void OrderChips::focus(int index) {
    index = std::clamp(index, 0, static_cast<int>(chips_.size()) - 1);
    chips_[static_cast<std::size_t>(index)]->setFocus(Qt::TabFocusReason);
}

bool OrderChips::use_key(Button* chip, int key, bool alt) {
    const int at = index_of(chip);
    switch (key) {
        case Qt::Key_Left: alt ? move_chip(chip, at - 1) : focus(at - 1); return true;
        case Qt::Key_Right: alt ? move_chip(chip, at + 1) : focus(at + 1); return true;
        case Qt::Key_Home: alt ? move_chip(chip, 0) : focus(0); return true;
        case Qt::Key_End: alt ? move_chip(chip, int(chips_.size()) - 1) : focus(int(chips_.size()) - 1); return true;
        case Qt::Key_Escape:
            if (!dragging_) return false;
            move_chip(chip, static_cast<int>(before_.indexOf(chip->chip().id)));
            end_drag();
            return true;
        default: return false;
    }
}

bool OrderChips::eventFilter(QObject* object, QEvent* event) {
    auto* chip = static_cast<Button*>(object);
    const auto* mouse = event->type() == QEvent::MouseButtonPress || event->type() == QEvent::MouseMove ||
                                event->type() == QEvent::MouseButtonRelease
                            ? static_cast<QMouseEvent*>(event)
                            : nullptr;
    switch (event->type()) {
        case QEvent::MouseButtonPress:
            if (mouse->button() != Qt::LeftButton) return false;
            held_ = chip;
            grabbed_at_ = mouse->pos().x();
            chip->setDown(true);
            chip->setFocus(Qt::MouseFocusReason);
            return true;
        case QEvent::MouseMove:
            if (held_ != chip) return false;
            if (!dragging_ && std::abs(mouse->pos().x() - grabbed_at_) >= QApplication::startDragDistance())
                begin_drag(chip);
            if (dragging_) drag_to(chip->mapToParent(mouse->pos()).x());
            return true;
        case QEvent::MouseButtonRelease:
            if (mouse->button() != Qt::LeftButton || held_ != chip) return false;
            end_drag();
            return true;
        case QEvent::KeyPress: {
            const auto* key = static_cast<QKeyEvent*>(event);
            return use_key(chip, key->key(), key->modifiers().testFlag(Qt::AltModifier));
        }
        case QEvent::FocusIn:
            for (Button* one : chips_) one->setFocusPolicy(one == chip ? Qt::StrongFocus : Qt::ClickFocus);
            return false;
        default: return QWidget::eventFilter(object, event);
    }
}

void OrderChips::paintEvent(QPaintEvent*) {
    if (!title_shown_) return;
    QPainter painter(this);
    draw_text(painter, QRectF(rect()), Qt::AlignLeft | Qt::AlignVCenter, title_, type::control(), theme().secondary);
}

void OrderChips::resizeEvent(QResizeEvent*) { place(); }

void OrderChips::changeEvent(QEvent* event) {
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) updateGeometry(), place();
    QWidget::changeEvent(event);
}

}  // namespace scalescope::ui
