// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>

namespace scalescope::ui {

/// How far somebody came in a lesson.
struct LessonMark {
    int step = -1;      ///< where they were last, from 0; -1: it was never begun
    int furthest = -1;  ///< the last step they saw
    QList<int> done;    ///< steps whose task was done
    bool is_begun() const { return step >= 0; }
    bool operator==(const LessonMark&) const = default;
};

}  // namespace scalescope::ui
