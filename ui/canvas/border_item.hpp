// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QGraphicsItem>
#include <QString>

namespace scalescope::ui {

struct Theme;

/// Where another part of the work begins: a dashed line right above a box, with its name at the left.
class BorderItem final : public QGraphicsItem {
public:
    BorderItem(const QString& text, double width, const Theme* const& look);
    const QString& text() const { return text_; }
    QRectF boundingRect() const override;
    void paint(QPainter* painter, const QStyleOptionGraphicsItem*, QWidget*) override;

private:
    QString text_;
    double width_;
    const Theme* const& look_;
};

}  // namespace scalescope::ui
