// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/live/background.hpp"
#include "ui/widgets/progress_row.hpp"

namespace scalescope::ui {

/// The row is on show while the work takes longer than patience; what its Cancel does is for the caller to say.
inline void follow(Background& work, ProgressRow& row) {
    QObject::connect(&work, &Background::slow, &row, [&row](const QString& name) {
        row.start(name);
        row.show();
    });
    QObject::connect(&work, &Background::progressed, &row, &ProgressRow::set_progress);
    QObject::connect(&work, &Background::ended, &row, &QWidget::hide);
}

}  // namespace scalescope::ui
