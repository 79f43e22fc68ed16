// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/fold_bar.hpp"

#include <QHBoxLayout>
#include <QMouseEvent>
#include <QPainter>
#include <QPushButton>
#include <algorithm>

#include "ui/theme/icons.hpp"
#include "ui/theme/paint.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"

namespace scalescope::ui {

FoldBar::FoldBar(QWidget* parent) : QWidget(parent) {
    setObjectName(QStringLiteral("foldBar"));
    setFixedHeight(space::control_height);
    setCursor(Qt::PointingHandCursor);
    setAccessibleName(tr("Folded charts"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(space::card_padding, 0, space::card_padding, 0);
    row->setSpacing(space::gap);
    buttons_ = make_layout<QHBoxLayout>(nullptr, space::gap);
    reason_ = new ElidedLabel;
    reason_->setFont(type::table());
    set_ink(*reason_, Ink::secondary);
    reason_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    row->addLayout(buttons_);
    row->addWidget(reason_, 1);
    hide();
}

void FoldBar::set_folded(const QStringList& titles, const QString& reason) {
    reason_->setText(reason);
    if (titles == titles_) return;
    titles_ = titles;
    remove_items(*buttons_);
    for (int i = 0; i < titles.size(); ++i) {
        if (titles[i].isEmpty()) continue;
        auto* button = new QPushButton(icon("right", Tint::secondary), titles[i]);
        button->setProperty("kind", QStringLiteral("title"));
        button->setAutoDefault(true);  // Enter presses it
        button->setToolTip(tr("Show %1. Another chart or the open panel gives way.").arg(titles[i]));
        button->setAccessibleDescription(reason);
        connect(button, &QPushButton::clicked, this, [this, i] { emit unfold_asked(i); });
        buttons_->addWidget(button);
    }
    setHidden(buttons_->count() == 0);
}

void FoldBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    draw_card(painter, rect(), theme().card, theme().card_border);
}

/// Beside the buttons the whole bar is a handle of what it names first.
void FoldBar::mouseReleaseEvent(QMouseEvent* event) {
    const auto first = std::find_if(titles_.cbegin(), titles_.cend(), [](const QString& t) { return !t.isEmpty(); });
    if (event->button() == Qt::LeftButton && rect().contains(event->pos()) && first != titles_.cend())
        emit unfold_asked(static_cast<int>(first - titles_.cbegin()));
}

}  // namespace scalescope::ui
