// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/svg_texts.hpp"

#include <QFont>
#include <QPainterPath>
#include <QRegularExpression>
#include <algorithm>
#include <utility>

namespace scalescope::ui {
namespace {

QString attribute(const QString& element, const char* name) {
    const QRegularExpression pattern(QStringLiteral("(?<![\\w-])%1=\"([^\"]*)\"").arg(QLatin1String(name)));
    return pattern.match(element).captured(1);
}

/// Without the marks of XML; spaces stay as they are.
QString unescaped(QString text) {
    const std::pair<const char*, char> marks[] = {{"&lt;", '<'}, {"&gt;", '>'}, {"&quot;", '"'}, {"&amp;", '&'}};
    for (const auto& [mark, sign] : marks) text.replace(QLatin1String(mark), QString(QLatin1Char(sign)));
    return text;
}

QString length(double px) { return QString::number(px, 'f', 2); }

/// As the attribute d of a path.
QString outline(const QPainterPath& path) {
    QString d;
    for (int i = 0; i < path.elementCount(); ++i) {
        const QPainterPath::Element e = path.elementAt(i);
        if (e.isMoveTo()) d += (d.isEmpty() ? QStringLiteral("M") : QStringLiteral("ZM"));
        if (e.isLineTo()) d += QLatin1Char('L');
        d += e.isCurveTo()                                ? QStringLiteral("C")
             : e.type == QPainterPath::CurveToDataElement ? QStringLiteral(" ")
                                                          : QString();
        d += length(e.x) + QLatin1Char(' ') + length(e.y);
    }
    return d.isEmpty() ? d : d + QLatin1Char('Z');
}

QFont font_of(const QString& attributes) {
    QFont font(attribute(attributes, "font-family"));
    font.setPixelSize(std::max(1, qRound(attribute(attributes, "font-size").toDouble())));
    font.setWeight(static_cast<QFont::Weight>(attribute(attributes, "font-weight").toInt()));
    font.setItalic(attribute(attributes, "font-style") == QLatin1String("italic"));
    return font;
}

}  // namespace

QByteArray with_outlined_texts(const QByteArray& svg) {
    static const QRegularExpression texts(QStringLiteral("<text ([^>]*?)\\s*>([^<]*)</text>"));
    const QString all = QString::fromUtf8(svg);
    QString result;
    result.reserve(all.size() * 2);
    qsizetype done = 0;
    for (auto found = texts.globalMatch(all); found.hasNext();) {
        const QRegularExpressionMatch match = found.next();
        const QString attributes = match.captured(1), text = match.captured(2);
        QPainterPath path;
        path.addText(attribute(attributes, "x").toDouble(), attribute(attributes, "y").toDouble(), font_of(attributes),
                     unescaped(text));
        const QString fill = attribute(attributes, "fill"), opacity = attribute(attributes, "fill-opacity");
        result += QStringView(all).mid(done, match.capturedStart() - done);
        result += QStringLiteral("<path fill=\"%1\" fill-opacity=\"%2\" fill-rule=\"nonzero\" stroke=\"none\" d=\"%3\"")
                      .arg(fill.isEmpty() ? QStringLiteral("#000000") : fill,
                           opacity.isEmpty() ? QStringLiteral("1") : opacity, outline(path));
        result += QStringLiteral(" aria-label=\"") + QString(text).replace(QLatin1Char('"'), QLatin1String("&quot;")) +
                  QLatin1String("\"/>");
        done = match.capturedEnd();
    }
    result += QStringView(all).mid(done);
    static const QRegularExpression fonts(QStringLiteral("\\s*\\bfont-(family|size|weight|style)=\"[^\"]*\""));
    result.remove(fonts);  // of groups: nothing is left that would need one
    return result.toUtf8();
}

}  // namespace scalescope::ui
