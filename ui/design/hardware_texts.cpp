// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/hardware_texts.hpp"

#include <QCoreApplication>
#include <QStringList>

#include "ui/language/told.hpp"

namespace scalescope::ui {

QString source_tip(const std::vector<std::string>& sources, const std::vector<std::string>& unverified,
                   const std::string& note) {
    const auto joined = [](const std::vector<std::string>& all, const QString& sign) {
        QStringList list;
        for (const auto& s : all) list << QString::fromStdString(s);
        return list.join(sign);
    };
    QStringList lines;
    if (!note.empty()) lines << told(note);
    if (!unverified.empty())
        lines
            << QCoreApplication::translate("cluster", "Not verified: %1").arg(joined(unverified, QStringLiteral(", ")));
    if (!sources.empty())
        lines << QCoreApplication::translate("cluster", "Source: %1").arg(joined(sources, QStringLiteral("; ")));
    return lines.join(QLatin1Char('\n'));
}

}  // namespace scalescope::ui
