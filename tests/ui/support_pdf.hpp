// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFileInfo>
#include <QProcess>
#include <QString>

namespace scalescope::tests {

/// What poppler's pdftoppm complains of in a file; empty if nothing. It draws all pages.
inline QString errors_of_pdf(const QString& pdftoppm, const QString& file) {
    QProcess poppler;
    poppler.start(pdftoppm,
                  {QStringLiteral("-r"), QStringLiteral("36"), file, QFileInfo(file).path() + QStringLiteral("/page")});
    if (!poppler.waitForFinished(60'000)) return QStringLiteral("pdftoppm did not finish");
    const QString said = QString::fromUtf8(poppler.readAllStandardError()).trimmed();
    return said.isEmpty() && poppler.exitCode() != 0 ? QStringLiteral("pdftoppm failed") : said;
}

}  // namespace scalescope::tests
