// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/style_sheet.hpp"

#include <QColor>
#include <QFile>
#include <QHash>
#include <QRegularExpression>

#include "ui/theme/comfort.hpp"
#include "ui/theme/theme.hpp"

namespace scalescope::ui {

namespace {

/// Lengths from 8 px on grow with the type: what is less is a border or the roundness of one.
QString larger(const QString& sheet) {
    if (type_scale() == 1) return sheet;
    static const QRegularExpression length(QStringLiteral("\\b([0-9]+)px"));
    QString result;
    qsizetype done = 0;
    for (auto it = length.globalMatch(sheet); it.hasNext();) {
        const QRegularExpressionMatch match = it.next();
        const int px = match.captured(1).toInt();
        result += sheet.mid(done, match.capturedStart() - done);
        result += QStringLiteral("%1px").arg(px < 8 ? px : static_cast<int>(Px{px}));
        done = match.capturedEnd();
    }
    return result + sheet.mid(done);
}

}  // namespace

QString style_sheet_of(const Theme& t) {
    const QHash<QString, QColor> colors{
        {QStringLiteral("window"), t.window},
        {QStringLiteral("card"), t.card},
        {QStringLiteral("control"), t.control},
        {QStringLiteral("hover"), t.hover},
        {QStringLiteral("pressed"), t.pressed},
        {QStringLiteral("card_border"), t.card_border},
        {QStringLiteral("control_border"), t.control_border},
        {QStringLiteral("text"), t.text},
        {QStringLiteral("secondary"), t.secondary},
        {QStringLiteral("disabled"), t.disabled},
        {QStringLiteral("accent"), t.accent},
        {QStringLiteral("accent_hover"), t.accent_hover},
        {QStringLiteral("accent_pressed"), t.accent_pressed},
        {QStringLiteral("selection"), t.selection},
        {QStringLiteral("on_accent"), t.on_accent},
        {QStringLiteral("error"), t.error},
        {QStringLiteral("error_fill"), t.error_fill},
        {QStringLiteral("error_border"), t.error_border},
        {QStringLiteral("warning"), t.warning},
        {QStringLiteral("better"), t.better},
        {QStringLiteral("worse"), t.worse},
        {QStringLiteral("tooltip"), t.tooltip},
        {QStringLiteral("tooltip_text"), t.tooltip_text},
    };
    load_fonts();  // registers the resources
    QFile file(QStringLiteral(":/style/scalescope.qss"));
    if (!file.open(QIODevice::ReadOnly)) return {};
    const QString source = QString::fromUtf8(file.readAll());
    static const QRegularExpression name(QStringLiteral("@([a-z_]+)"));
    QString result;
    qsizetype done = 0;
    for (auto it = name.globalMatch(source); it.hasNext();) {
        const QRegularExpressionMatch match = it.next();
        const QColor color = colors.value(match.captured(1));
        Q_ASSERT_X(color.isValid(), "style sheet", qPrintable(match.captured(0)));
        result += source.mid(done, match.capturedStart() - done) + color.name();
        done = match.capturedEnd();
    }
    result += source.mid(done);
    return larger(large_controls() ? result + sheet_for_fingers() : result);
}

}  // namespace scalescope::ui
