// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLayout>
#include <vector>

namespace scalescope::ui {

/// Lays widgets out in rows, left to right, starting a new row when one is full. Hidden widgets take no room.
class FlowLayout final : public QLayout {
public:
    FlowLayout(QWidget* parent, int horizontal_gap, int vertical_gap);
    ~FlowLayout() override;

    void addItem(QLayoutItem* item) override { items_.push_back(item); }
    int count() const override { return static_cast<int>(items_.size()); }
    QLayoutItem* itemAt(int index) const override;
    QLayoutItem* takeAt(int index) override;
    Qt::Orientations expandingDirections() const override { return {}; }
    bool hasHeightForWidth() const override { return true; }
    int heightForWidth(int width) const override { return arrange(QRect(0, 0, width, 0), false); }
    void setGeometry(const QRect& rect) override;
    QSize sizeHint() const override { return minimumSize(); }
    QSize minimumSize() const override;

private:
    int arrange(const QRect& rect, bool apply) const;
    std::vector<QLayoutItem*> items_;
    int horizontal_gap_, vertical_gap_;
};

}  // namespace scalescope::ui
