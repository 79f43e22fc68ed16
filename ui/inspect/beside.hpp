// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include "ui/theme/px.hpp"

class QBoxLayout;
class QWidget;

namespace scalescope::ui {

/// A page's card, of a width of its own beside the page's charts; above them where there is no room for both.
class Beside final : public QObject {
public:
    /// `row` is the page's layout with the card in it; its parent is the page. Belongs to the page.
    Beside(QBoxLayout& row, QWidget& card, int card_width);
    bool eventFilter(QObject* page, QEvent* event) override;

private:
    QBoxLayout& row_;
    QWidget& card_;
    Px card_width_;
    void arrange(int width);
};

}  // namespace scalescope::ui
