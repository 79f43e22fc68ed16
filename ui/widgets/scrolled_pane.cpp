// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/scrolled_pane.hpp"

#include <QVBoxLayout>

#include "ui/theme/theme.hpp"
#include "ui/widgets/card.hpp"
#include "ui/widgets/upright_scroll.hpp"

namespace scalescope::ui {

QVBoxLayout* add_scrolled_pane(CardBody& body, int least_height) {
    auto* pane = new QWidget;
    pane->setObjectName(QStringLiteral("pane"));
    auto* around = new QVBoxLayout(pane);
    around->setContentsMargins(space::card_padding, 0, space::card_padding, 0);
    around->setSpacing(0);
    auto* column = new QVBoxLayout;
    around->addLayout(column);
    around->addStretch(1);
    auto* scroll = new UprightScroll(pane);
    scroll->setMinimumHeight(least_height);
    body.add_wide(scroll, 1, 0);
    return column;
}

}  // namespace scalescope::ui
