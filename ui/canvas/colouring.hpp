// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QString>
#include <vector>

#include "core/drawing/ramp.hpp"
#include "core/estimate/measures.hpp"

namespace scalescope::ui {

struct Theme;

/// What the boxes of the canvas are coloured by.
enum class Colouring { time, flops, bytes, memory, parameters, bound };
inline constexpr Colouring all_colourings[] = {Colouring::time,   Colouring::flops,      Colouring::bytes,
                                               Colouring::memory, Colouring::parameters, Colouring::bound};

/// As files keep it. An id that is none is that of the time.
QString id_of(Colouring by);
Colouring colouring_of(const QString& id);
QString title_of(Colouring by);
/// Heads the legend: "time per step (log)".
QString legend_title(Colouring by);
/// The amount that gives the colour, in s, FLOP, B or parameters; 0 for the bound, which is no amount.
double amount(const LayerMeasures& measures, Colouring by);
/// "3.22 ms", "53.2 GFLOP", "memory".
QString amount_text(const LayerMeasures& measures, Colouring by);
/// A tick of the legend.
QString tick_text(double amount, Colouring by);

QString name_of(Bound bound);
QColor colour_of(Bound bound, const Theme& look);
/// The ground of a box.
QColor ground_of(const LayerMeasures& measures, Colouring by, const drawing::Ramp& ramp, const Theme& look);

}  // namespace scalescope::ui
