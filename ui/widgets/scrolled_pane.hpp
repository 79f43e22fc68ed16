// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QVBoxLayout;

namespace scalescope::ui {

class CardBody;

/// A column that takes the rest of a card, and scrolls under an overlay bar rather than making the card higher than it
/// and `least_height` of the column. Widgets go into the layout returned; a stretch stands at its end.
QVBoxLayout* add_scrolled_pane(CardBody& body, int least_height = 60);

}  // namespace scalescope::ui
