// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/text.hpp"

#include <QCache>
#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPaintEngine>
#include <QPainter>
#include <QStaticText>

namespace scalescope::ui {
namespace {

constexpr int texts_kept = 2000;

struct Key {
    QFont font;
    QString text;
    bool operator==(const Key&) const = default;
};

std::size_t qHash(const Key& key, std::size_t seed) { return qHashMulti(seed, key.font, key.text); }

struct Line {
    double width = 0.0;
    double height = 0.0;
    QStaticText laid_out;
};

QCache<Key, Line>& lines() {
    static QCache<Key, Line> cache = [] {
        qAddPostRoutine([] { lines().clear(); });  // fonts end with the application
        return QCache<Key, Line>(texts_kept);
    }();
    return cache;
}

Line& line_of(const QFont& font, const QString& text) {
    const Key key{font, text};
    if (Line* line = lines().object(key)) return *line;
    const QFontMetricsF metrics(font);
    auto* line = new Line;
    line->width = metrics.horizontalAdvance(text);
    line->height = metrics.ascent() + metrics.descent();
    lines().insert(key, line);
    return *line;
}

/// Devices of pixels keep glyphs; SVG and PDF want the text itself, and slanted text is no case for a shortcut.
bool draws_pixels(const QPainter& painter) {
    const QPaintEngine* engine = painter.paintEngine();
    return engine && engine->type() == QPaintEngine::Raster &&
           painter.worldTransform().type() <= QTransform::TxTranslate;
}

}  // namespace

double text_width(const QFont& font, const QString& text) { return line_of(font, text).width; }

QString breakable(const QString& text) {
    constexpr int longest = 24;  // letters that fit on a line of the narrowest panel
    constexpr QChar place(0x200B);
    QString broken;
    for (qsizetype from = 0; from < text.size();) {
        qsizetype to = from;
        while (to < text.size() && !text[to].isSpace()) ++to;
        int since = 0;  // letters on the line, at most
        for (qsizetype i = from; i < to; ++i) {
            if (to - from > longest && since > 0 &&
                (since >= longest || (!text[i].isLetterOrNumber() && since > longest / 3)) &&
                !text[i].isLowSurrogate()) {
                broken += place;
                since = 0;
            }
            broken += text[i];
            ++since;
        }
        if (to < text.size()) broken += text[to++];
        from = to;
    }
    return broken;
}

void draw_line(QPainter& painter, const QRectF& box, int alignment, const QFont& font, const QColor& colour,
               const QString& text) {
    if (text.isEmpty()) return;
    painter.setFont(font);
    painter.setPen(colour);
    if (draws_pixels(painter) && !font.strikeOut()) {  // Qt draws the stroke of a static text in another place
        Line& line = line_of(font, text);
        if (line.laid_out.text().isEmpty()) {
            line.laid_out = QStaticText(text);
            line.laid_out.setTextFormat(Qt::PlainText);
            line.laid_out.prepare(painter.transform(), font);
        }
        const double x = alignment & Qt::AlignRight     ? box.right() - line.width
                         : alignment & Qt::AlignHCenter ? box.left() + (box.width() - line.width) / 2
                                                        : box.left();
        const double y = alignment & Qt::AlignBottom    ? box.bottom() - line.height
                         : alignment & Qt::AlignVCenter ? box.top() + (box.height() - line.height) / 2
                                                        : box.top();
        painter.drawStaticText(QPointF(x, y), line.laid_out);
        return;
    }
    painter.drawText(box, alignment | Qt::TextSingleLine | Qt::TextDontClip, text);
}

}  // namespace scalescope::ui
