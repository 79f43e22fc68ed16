// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>
#include <QWidget>
#include <functional>
#include <vector>

class QAbstractButton;

namespace scalescope::ui {

/// A few things in an order, as chips in a row. A chip is dragged to another place, or moved there by Alt and an arrow;
/// arrows alone move the focus. One Tab stop. Where there is little room, first the notes of the chips go, then the
/// title, then ends of words.
class OrderChips final : public QWidget {
    Q_OBJECT
public:
    struct Chip {
        QString id, text, note, tip;
    };
    /// Why an order cannot be; empty if it can. Chips do not go there.
    using WhyNot = std::function<QString(const QStringList&)>;

    explicit OrderChips(const QString& title, QWidget* parent = nullptr);
    /// Emits nothing. The order of chips that are being dragged stays.
    void set_chips(const std::vector<Chip>& chips, WhyNot why_not);
    QStringList order() const;
    QAbstractButton* chip(const QString& id) const;
    bool notes_shown() const { return notes_shown_; }
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    /// A hand holds a chip: until drag_ended(), several orders may follow each other.
    void drag_began();
    void order_chosen(const QStringList& ids);
    void drag_ended();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool eventFilter(QObject* chip, QEvent* event) override;

private:
    class Button;
    int index_of(const Button* chip) const;
    int width_of(bool title, bool notes) const;
    void place();
    void name_chips();
    /// Moves a chip there if it may be there.
    void move_chip(Button* chip, int to);
    void begin_drag(Button* chip);
    void drag_to(int x);
    void end_drag();
    bool use_key(Button* chip, int key, bool alt);
    void focus(int index);

    QString title_;
    std::vector<Button*> chips_;  ///< in their order
    WhyNot why_not_;
    Button* held_ = nullptr;
    bool dragging_ = false, title_shown_ = true, notes_shown_ = true;
    int grabbed_at_ = 0;  ///< px in the held chip
    QStringList before_;
};

}  // namespace scalescope::ui
