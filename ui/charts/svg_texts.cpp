// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/svg_texts.hpp"

#include <QFont>
#include <QFontMetricsF>
#include <QRegularExpression>
#include <algorithm>
#include <utility>

namespace scalescope::ui {
namespace {

QString attribute(const QString& element, const char* name) {
    const QRegularExpression pattern(QStringLiteral("\\b%1=\"([^\"]*)\"").arg(QLatin1String(name)));
    return pattern.match(element).captured(1);
}

/// Without the marks of XML; spaces stay as they are.
QString unescaped(QString text) {
    const std::pair<const char*, char> marks[] = {{"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&amp;", '&'}};
    for (const auto& [mark, sign] : marks) text.replace(QLatin1String(mark), QString(QLatin1Char(sign)));
    return text;
}

QString with_fallbacks(const QString& family) {
    return QStringLiteral("font-family=\"%1, Inter, Arial, sans-serif\"").arg(family);
}

}  // namespace

QByteArray with_lengths_of_texts(const QByteArray& svg) {
    static const QRegularExpression texts(QStringLiteral("<text ([^>]*?)\\s*>([^<]*)</text>"));
    const QString all = QString::fromUtf8(svg);
    QString result;
    result.reserve(all.size() + all.size() / 4);
    qsizetype done = 0;
    for (auto found = texts.globalMatch(all); found.hasNext();) {
        const QRegularExpressionMatch match = found.next();
        QString attributes = match.captured(1);
        const QString family = attribute(attributes, "font-family");
        QFont font(family);
        font.setPixelSize(std::max(1, qRound(attribute(attributes, "font-size").toDouble())));
        font.setWeight(static_cast<QFont::Weight>(attribute(attributes, "font-weight").toInt()));
        font.setItalic(attribute(attributes, "font-style") == QLatin1String("italic"));
        const double width = QFontMetricsF(font).horizontalAdvance(unescaped(match.captured(2)));
        attributes.replace(QStringLiteral("font-family=\"%1\"").arg(family), with_fallbacks(family));
        result += QStringView(all).mid(done, match.capturedStart() - done);
        result += QStringLiteral("<text %1").arg(attributes);
        if (width > 0)
            result += QStringLiteral(" textLength=\"%1\" lengthAdjust=\"spacingAndGlyphs\"").arg(width, 0, 'f', 2);
        result += QLatin1Char('>') + match.captured(2) + QLatin1String("</text>");
        done = match.capturedEnd();
    }
    result += QStringView(all).mid(done);
    return result.toUtf8();
}

}  // namespace scalescope::ui
