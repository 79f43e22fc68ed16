// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/note_card.hpp"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

#include "ui/theme/paint.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/icon_label.hpp"

namespace scalescope::ui {
namespace {

constexpr int note_inset = 10, note_icon_side = 14;

}  // namespace

NoteCard::NoteCard(QWidget* parent) : QFrame(parent) {
    setObjectName(QStringLiteral("canvasNote"));
    setFixedWidth(note_width);
    heading_ = make_label({}, type::table_strong(), Ink::error);
    reason_ = make_label({}, type::table());
    reason_->setWordWrap(true);
    close_ = make_icon_button("close", tr("Close the note"));
    connect(close_, &QToolButton::clicked, this, &NoteCard::closed);
    auto* head = make_layout<QHBoxLayout>(nullptr, 6);
    head->addWidget(new IconLabel("error", Tint::by_name, note_icon_side));
    head->addWidget(heading_, 1);
    head->addWidget(close_);
    column_ = new QVBoxLayout(this);
    column_->setContentsMargins(note_inset, 5, note_inset, note_inset);
    column_->setSpacing(4);
    column_->addLayout(head);
    column_->addWidget(reason_);
    setCursor(Qt::ArrowCursor);
}

void NoteCard::set_text(const QString& heading, const QString& reason) {
    heading_->setText(heading);
    reason_->setText(reason);
    setAccessibleName(heading + QStringLiteral(". ") + reason);
}

void NoteCard::set_fixes(const QStringList& titles) {
    while (buttons_.size() > static_cast<std::size_t>(titles.size())) {
        column_->removeWidget(buttons_.back());
        buttons_.back()->hide();
        buttons_.back()->deleteLater();
        buttons_.pop_back();
    }
    while (buttons_.size() < static_cast<std::size_t>(titles.size())) {
        auto* button = new QPushButton;
        button->setObjectName(QStringLiteral("noteFix"));
        button->setProperty("kind", buttons_.empty() ? QStringLiteral("small primary") : QStringLiteral("small"));
        const int index = static_cast<int>(buttons_.size());
        connect(button, &QPushButton::clicked, this, [this, index] { emit fix_chosen(index); });
        column_->addWidget(button);
        button->show();  // at once, as the height depends on it
        buttons_.push_back(button);
    }
    for (std::size_t b = 0; b < buttons_.size(); ++b) {
        const QString& title = titles[static_cast<qsizetype>(b)];
        const int room = note_width - 2 * note_inset - 24;
        buttons_[b]->setText(QFontMetrics(buttons_[b]->font()).elidedText(title, Qt::ElideRight, room));
        buttons_[b]->setToolTip(title);
        buttons_[b]->setAccessibleName(title);
    }
    set_busy(false);
}

void NoteCard::set_busy(bool on) {
    for (QPushButton* b : buttons_) b->setEnabled(!on);
}

void NoteCard::fit() {
    column_->activate();
    setFixedHeight(column_->heightForWidth(note_width));
}

void NoteCard::take_focus(Qt::FocusReason reason) {
    (buttons_.empty() ? static_cast<QWidget*>(close_) : buttons_.front())->setFocus(reason);
}

QWidget* NoteCard::follow(QWidget* before) {
    for (QPushButton* b : buttons_) {
        QWidget::setTabOrder(before, b);
        before = b;
    }
    QWidget::setTabOrder(before, close_);
    return close_;
}

void NoteCard::paintEvent(QPaintEvent*) {
    const Theme& t = theme();
    QPainter painter(this);
    draw_box(painter, QRectF(rect()), t.error_fill, t.error_border, space::control_radius);
}

void NoteCard::mousePressEvent(QMouseEvent* event) {
    event->accept();  // not the canvas's
    emit pressed();
}

void NoteCard::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape) return emit closed();
    QFrame::keyPressEvent(event);
    event->accept();  // the canvas below would walk to another box
}

NoteMarker::NoteMarker(QWidget* parent) : QAbstractButton(parent) {
    setObjectName(QStringLiteral("canvasNoteMarker"));
    setFixedSize(side, side);
    setFocusPolicy(Qt::StrongFocus);
    setCursor(Qt::PointingHandCursor);
}

void NoteMarker::paintEvent(QPaintEvent*) {
    const Theme& t = theme();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF disc = QRectF(rect()).adjusted(2, 2, -2, -2);
    painter.setPen(QPen(hasFocus() ? t.accent : t.card, 2));
    painter.setBrush(t.error);
    painter.drawEllipse(disc);
    draw_text(painter, rect(), Qt::AlignCenter, QStringLiteral("!"), type::table_strong(), t.card);
}

void NoteMarker::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) return click();
    QAbstractButton::keyPressEvent(event);
}

}  // namespace scalescope::ui
