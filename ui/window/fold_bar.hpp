// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>

class QHBoxLayout;

namespace scalescope::ui {

class ElidedLabel;

/// A slim bar in the place of rows that have no room: a button for each, with its title, that brings it back, and why
/// they are folded. It is hidden while nothing is folded.
class FoldBar final : public QWidget {
    Q_OBJECT
public:
    explicit FoldBar(QWidget* parent = nullptr);

    /// The titles of what is folded, by the numbers of the rows; an empty title: that row is not folded.
    void set_folded(const QStringList& titles, const QString& reason);
    QStringList titles() const { return titles_; }

signals:
    void unfold_asked(int row);

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    QStringList titles_;
    QHBoxLayout* buttons_;
    ElidedLabel* reason_;
};

}  // namespace scalescope::ui
