// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFont>
#include <QPalette>
#include <array>
#include <cstdint>

#include "ui/theme/px.hpp"

class QApplication;

namespace scalescope::ui {

/// Every colour of the program, in one struct with three values (light, dark and high contrast). Colour belongs to
/// data; the rest is grey with one accent for what the hand moves. Nothing else in ui names a colour, and no colour is
/// derived with darker().
struct Theme {
    bool dark = false;
    bool high_contrast = false;  ///< text 7:1, borders 3:1; parts of a stack differ by pattern too
    // surfaces
    QColor window, card, control, segment_on, hover, pressed, card_border, control_border;
    // text
    QColor text, secondary, disabled, accent, selection, on_accent;
    // the accent under the hand: hovered, pressed, and on a control that is switched off
    QColor accent_hover, accent_pressed, accent_off;
    // time, always with this meaning
    QColor forward, backward, update, communication;
    // memory; what else stands in it has the colour of the update
    QColor weights, gradients, optimizer, activations, logits;
    // curves, in this order, told apart in every kind of colour vision; each has its own marker too
    std::array<QColor, 6> curves;
    QColor pin, ideal, axis, grid;
    // states
    QColor error, error_fill, error_border, warning, warning_fill, unknown_text, unknown_fill, unknown_border, better,
        worse;
    QColor tooltip, tooltip_text, tooltip_label;
    // amounts on the network's boxes, from little to much
    std::array<QColor, 5> ramp;
    // ranks of an axis of the mesh, from the first to the last; always with the number
    std::array<QColor, 4> ranks;

    /// On the ramp, 0 … 1.
    QColor on_ramp(double place) const;
    /// Of rank `index` of `count`, in even steps.
    QColor rank(std::int64_t index, std::int64_t count) const;
    /// For words on that ground: text or card, whichever has the larger contrast, or black or white where neither has
    /// 4.5:1.
    QColor ink_on(const QColor& ground) const;

    static const Theme& light();
    static const Theme& dark_theme();
    static const Theme& high_contrast_theme();
    /// All of them, for tests and pictures.
    static std::array<const Theme*, 3> all() { return {&light(), &dark_theme(), &high_contrast_theme()}; }
};

/// The type scale of the program (the bundled Inter, figures all one width). Point size = px x 0.75 so that font
/// scaling works.
namespace type {
QFont page_title();    ///< 18 px, 600
QFont result();        ///< 15 px, 600
QFont formula();       ///< 14 px
QFont reading();       ///< 14 px: what is read at length
QFont title();         ///< 13 px, 600: panels and charts
QFont control();       ///< 13 px
QFont table();         ///< 12 px: tables, legends, status
QFont table_strong();  ///< 12 px, 600
QFont caption();       ///< 11 px: axes, captions
QFont mono();          ///< 12 px fixed width, for files
/// The same font slanted, for the variables of formulas.
QFont italic(QFont font);
/// The same font struck through, for figures of a design that cannot run.
QFont struck(QFont font, bool strike = true);
}  // namespace type

/// Space in px at 100 %: steps 4, 6, 8, 12, 16, 24.
namespace space {
inline constexpr int gap = 8, card_padding = 12, card_radius = 8, control_radius = 6, left_width = 264,
                     right_width = 292, lesson_width = 364;
/// Heights of what a hand can hit; for fingers they are larger (comfort.hpp).
inline Px control_height{28}, table_row{21}, layer_row{20}, menu_height{28}, toolbar_height{40}, bottom_tabs{30},
    status_height{26}, card_title{34}, chart_title{36};
}  // namespace space

enum class ThemeChoice { system, light, dark, high_contrast };

/// The theme in force. Widgets repaint from it on QEvent::PaletteChange.
const Theme& theme();
/// Type, and what holds it, drawn `scale` times as large from now on, in all windows that there are: a presentation.
void set_type_scale(QApplication& app, double scale);
/// Loads the bundled fonts, sets style, QPalette and style sheet; call again to switch. With ThemeChoice::system the
/// program follows the desktop while it runs.
void apply_theme(QApplication& app, ThemeChoice choice);
/// Makes the bundled fonts known to Qt, once; apply_theme() does it too. For rendering without a window.
void load_fonts();
/// True if a palette is a dark one: its window is darker than its text.
bool is_dark(const QPalette& palette);
/// The palette that goes with a theme.
QPalette palette_of(const Theme& theme);

}  // namespace scalescope::ui
