// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace scalescope::ui {

/// A picture as QSvgGenerator writes it, with its texts as outlines: it looks the same where the bundled fonts are
/// missing. What a text says stays as the label of its outline.
QByteArray with_outlined_texts(const QByteArray& svg);

}  // namespace scalescope::ui
