// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QGraphicsItem>
#include <QString>

namespace scalescope::ui {

struct Theme;

/// What is written on a box and how it looks.
struct BoxLook {
    enum class Kind { layer, folded, open };
    Kind kind = Kind::layer;
    QString title;    ///< "Conv2d_0b_3×3"
    QString caption;  ///< "3×3, 96", "9 layers"
    QString value;    ///< "9.35 ms"; empty: not priced
    QString icon;     ///< of the kind's family, shown where the title leaves room
    QColor ground;    ///< invalid: that of a card
    int repeat = 1;   ///< of a row of blocks that are alike: "×96"
    /// How many workers its outputs are divided among; 1: it runs whole on each of them; 0: neither is said. `mixed`: a
    /// block with layers of both sorts.
    int divided = 0;
    bool mixed = false;
    /// How many of its layers have figures that are a guess: their kind is unknown, or they were assumed.
    enum class Guess { none, some, all };
    Guess guess = Guess::none;
    bool faulty = false;  ///< something keeps it from being priced
    bool dimmed = false;  ///< a search is on, and this is none of its hits
    bool operator==(const BoxLook&) const = default;
};

/// The band of a box whose outputs are divided among workers, or (1) which runs whole on each of them.
void draw_division(QPainter& painter, const QRectF& band, int divided, bool mixed, const QColor& ink);

/// A layer, a folded block or an unfolded one on the canvas. Its index is that of the drawing's box.
class BoxItem final : public QGraphicsItem {
public:
    BoxItem(int index, QSizeF size, const Theme* const& look);

    int index() const { return index_; }
    QSizeF size() const { return size_; }
    const BoxLook& shown() const { return shown_; }
    void show(const BoxLook& what);
    /// The pointer, or a hand in another view, is on it.
    void set_hovered(bool on);
    /// Whether `at`, in the item's coordinates, is on the sign that folds and unfolds.
    bool on_sign(QPointF at) const;

    QRectF boundingRect() const override;
    QPainterPath shape() const override;
    void paint(QPainter* painter, const QStyleOptionGraphicsItem* option, QWidget*) override;

    /// Below this scale text would be dust, and boxes are plain.
    static constexpr double readable = 0.4;

private:
    void paint_open(QPainter& painter, double scale) const;
    void paint_closed(QPainter& painter, double scale) const;
    QColor border() const;
    bool is_guess() const { return shown_.guess != BoxLook::Guess::none; }
    int index_;
    QSizeF size_;
    const Theme* const& look_;
    BoxLook shown_;
    bool hovered_ = false;
};

}  // namespace scalescope::ui
