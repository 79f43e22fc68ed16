// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include "ui/language/told.hpp"

#include "core/base/problem.hpp"

namespace scalescope::ui {

/// What is wrong and what to do, as two sentences.
inline QString sentence_of(const Problem& problem) {
    const QString what = told(problem.what);
    QString remedy = told(problem.remedy);
    if (remedy.isEmpty()) return what;
    remedy[0] = remedy[0].toUpper();
    if (!remedy.endsWith(QLatin1Char('?')) && !remedy.endsWith(QLatin1Char('.'))) remedy += QLatin1Char('.');
    return what + QLatin1Char(' ') + remedy;
}

}  // namespace scalescope::ui
