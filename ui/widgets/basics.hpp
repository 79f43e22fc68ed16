// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFont>
#include <QFrame>
#include <QLabel>
#include <QToolButton>

#include "ui/theme/icons.hpp"

class QSplitter;

namespace scalescope::ui {

/// Colour of a text, by its meaning; the style sheet gives it the theme's value, so it follows a change of theme.
enum class Ink { text, secondary, disabled, accent, error, warning, better, worse };

void set_ink(QWidget& widget, Ink ink);
QLabel* make_label(const QString& text, const QFont& font, Ink ink = Ink::text);
/// A layout without margins. `spacing`: between its items, px; -1: the style's default.
template <class Layout>
Layout* make_layout(QWidget* parent = nullptr, int spacing = -1) {
    auto* layout = new Layout(parent);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(spacing);
    return layout;
}
/// Removes the widgets of a layout after the first `keep`.
void remove_items(QLayout& layout, int keep = 0);
/// Shows or hides it. While the hand drags, what is hidden keeps its room: nothing else moves to and fro beside it.
void show_steadily(QWidget& widget, bool visible, bool dragging);
/// A splitter whose panes cannot be collapsed, with a gap between them.
QSplitter* make_splitter(Qt::Orientation orientation);
/// A horizontal line of 1 px in the colour of card borders.
QFrame* make_rule();
/// An icon button for panel corners: 14 px icon in 22 px, secondary tint. The name is read by screen readers and shown
/// as tip; every icon button must have one.
QToolButton* make_icon_button(const char* icon_name, const QString& name, Tint tint = Tint::secondary);

/// Role by which a row of a list or table names its help page (ui/help).
inline constexpr int help_role = Qt::UserRole + 0x48;

/// Shows a window above the others and gives it the focus.
void bring_forward(QWidget& window);

/// A label that gives way: it shortens its text with an ellipsis instead of widening its panel, and then shows it as
/// tip.
class ElidedLabel final : public QLabel {
    Q_OBJECT
public:
    explicit ElidedLabel(const QString& text = {}, QWidget* parent = nullptr);
    /// The first of them that has room is shown; nothing, rather than a part of the last.
    void set_choices(const QStringList& choices);
    const QStringList& choices() const { return choices_; }
    /// It gives way down to this width, px at 100 %; 24 unless told.
    void set_least_width(int px);
    /// What is drawn in the room there is.
    QString shown() const;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    int least_ = 24;
    QStringList choices_;
};

}  // namespace scalescope::ui
