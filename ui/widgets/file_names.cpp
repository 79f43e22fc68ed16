// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/file_names.hpp"

#include <QFileDialog>
#include <QFileInfo>
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

QString ask_where_to_save(QWidget* parent, const QString& title, const QString& offered, const QString& filter,
                          const QString& ending, QString* chosen_filter) {
    const QString file = QFileDialog::getSaveFileName(parent, title, offered, filter, chosen_filter);
    return file.isEmpty() || !QFileInfo(file).suffix().isEmpty() ? file : file + ending;
}

}  // namespace scalescope::ui
