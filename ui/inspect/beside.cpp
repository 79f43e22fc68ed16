// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspect/beside.hpp"

#include <QBoxLayout>
#include <QEvent>
#include <QWidget>

#include "ui/theme/px.hpp"

namespace scalescope::ui {
namespace {

constexpr Px least_chart_width{240};

}  // namespace

Beside::Beside(QBoxLayout& row, QWidget& card, int card_width)
    : QObject(row.parentWidget()), row_(row), card_(card), card_width_{card_width} {
    QWidget* page = row.parentWidget();
    page->installEventFilter(this);
    page->setMinimumWidth(card_width_);
    arrange(card_width_ + least_chart_width);
}

bool Beside::eventFilter(QObject* page, QEvent* event) {
    if (event->type() == QEvent::Resize) arrange(row_.parentWidget()->width());
    return QObject::eventFilter(page, event);
}

void Beside::arrange(int width) {
    const bool beside = width >= card_width_ + least_chart_width;
    const auto direction = beside ? QBoxLayout::LeftToRight : QBoxLayout::TopToBottom;
    card_.setMinimumWidth(beside ? card_width_ : 0);
    card_.setMaximumWidth(beside ? card_width_ : QWIDGETSIZE_MAX);
    if (row_.direction() != direction) row_.setDirection(direction);
}

}  // namespace scalescope::ui
