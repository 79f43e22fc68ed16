// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QVector>
#include <QWidget>

class QLabel;

namespace scalescope::ui {

/// Dash patterns of the pinned scenarios A to D, in px: the same in charts, legends and panels.
QVector<qreal> pin_dashes(int pin_index);

/// A pinned scenario: its dashes, its letter, its name, and the buttons to rename, to swap with the present one, to
/// unpin. Keys: Enter compares with it, F2 renames, Delete unpins, Alt with up or down moves it.
class PinRow final : public QWidget {
    Q_OBJECT
public:
    explicit PinRow(int pin_index, QWidget* parent = nullptr);
    void set_name(const QString& name);
    /// Marks the pin that the table compares with.
    void set_compared(bool compared);
    bool compared() const { return compared_; }
    /// Whether there is one before it, and one after it.
    void set_ends(bool first, bool last);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void clicked();  ///< compare with this one
    void rename_clicked();
    void swap_clicked();
    void unpin_clicked();
    void move_asked(int by);  ///< −1: towards A

protected:
    void paintEvent(QPaintEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    int index_;
    bool compared_ = true, first_ = true, last_ = true;
    QString name_;
};

}  // namespace scalescope::ui
