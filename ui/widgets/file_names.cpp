// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/file_names.hpp"

#include <QRegularExpression>

namespace scalescope::ui {

QString file_name_from(const QString& title, const QString& otherwise) {
    static const QRegularExpression others(QStringLiteral("[^\\p{L}\\p{N}._-]+"),
                                           QRegularExpression::UseUnicodePropertiesOption);
    static const QRegularExpression edges(QStringLiteral("^[._-]+|[._-]+$"));  // a dot in front would hide it
    constexpr int most = 80;
    QString name = title.toLower().replace(others, QStringLiteral("-")).left(most).remove(edges);
    return name.isEmpty() ? otherwise : name;
}

}  // namespace scalescope::ui
