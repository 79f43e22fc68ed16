// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace scalescope::ui {

/// A picture as QSvgGenerator writes it, with each text as wide as it was laid out (SVG 1.1, 10.5: textLength), and
/// with fonts to fall back to: where our font is not installed, in a browser say, another one must not run over what
/// stands beside it.
QByteArray with_lengths_of_texts(const QByteArray& svg);

}  // namespace scalescope::ui
