// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/rich_text.hpp"

#include <QAbstractTextDocumentLayout>
#include <QPainter>
#include <QTextDocument>
#include <algorithm>
#include <utility>

#include "ui/theme/px.hpp"

namespace scalescope::ui {
namespace {

constexpr double smallest_points = 10 * 0.75;  // 10 px
constexpr std::size_t widths_kept = 8;         // a layout asks for a few of them, again and again

}  // namespace

RichText::RichText() = default;
RichText::~RichText() = default;
RichText::RichText(RichText&&) noexcept = default;
RichText& RichText::operator=(RichText&&) noexcept = default;

/// Qt draws them at two thirds of their size. Ask for more, to get four fifths.
QString RichText::sized(const QString& html, const QFont& font) {
    const double base = font.pointSizeF();
    const QString size =
        QStringLiteral(" style=\"font-size:%1pt\">").arg(std::max(smallest_points, 0.8 * base) * 1.5, 0, 'f', 2);
    QString result = html;
    result.replace(QLatin1String("<sub>"), QLatin1String("<sub") + size);
    result.replace(QLatin1String("<sup>"), QLatin1String("<sup") + size);
    return result;
}

bool RichText::set(const QString& html, const QFont& font) {
    if (document_ && html == html_ && font == font_) return false;
    html_ = html;
    font_ = font;
    scale_ = type_scale();
    document_ = std::make_unique<QTextDocument>();
    document_->setDocumentMargin(0);
    document_->setUndoRedoEnabled(false);
    write();
    return true;
}

void RichText::write() const {
    document_->setDefaultFont(font_);
    document_->setHtml(sized(html_, font_));
    natural_ = {};
    heights_.clear();
}

void RichText::follow_type() const {
    const double scale = type_scale();
    if (scale == scale_) return;
    font_.setPointSizeF(font_.pointSizeF() * scale / std::exchange(scale_, scale));
    write();
}

QString RichText::plain() const { return document_ ? document_->toPlainText() : QString(); }

/// Qt lays a document out at every call of setTextWidth, even with the width it has.
void RichText::lay_out(double width) const {
    if (document_->textWidth() != width) document_->setTextWidth(width);
}

QSizeF RichText::size() const {
    if (!document_) return {};
    follow_type();
    if (!natural_.isValid()) {
        lay_out(-1);
        natural_ = {document_->idealWidth(), document_->size().height()};
    }
    return natural_;
}

double RichText::height_for(double width) const {
    if (!document_) return 0;
    follow_type();
    for (const auto& known : heights_)
        if (known.first == width) return known.second;
    lay_out(width);
    if (heights_.size() >= widths_kept) heights_.erase(heights_.begin());
    heights_.emplace_back(width, document_->size().height());
    return heights_.back().second;
}

void RichText::draw(QPainter& painter, const QRectF& box, Qt::Alignment alignment, const QColor& color,
                    bool wrap) const {
    if (!document_) return;
    follow_type();
    const double width = wrap ? box.width() : size().width(), height = wrap ? height_for(width) : size().height();
    lay_out(wrap ? width : -1);
    double x = box.left(), y = box.top();
    if (alignment & Qt::AlignRight) x = box.right() - width;
    if (alignment & Qt::AlignHCenter) x = box.center().x() - width / 2;
    if (alignment & Qt::AlignVCenter) y = box.center().y() - height / 2;
    if (alignment & Qt::AlignBottom) y = box.bottom() - height;
    painter.save();
    painter.setClipRect(box.adjusted(-1, -4, 1, 4), Qt::IntersectClip);
    painter.translate(x, y);
    QAbstractTextDocumentLayout::PaintContext context;
    context.palette.setColor(QPalette::Text, color);
    document_->documentLayout()->draw(&painter, context);
    painter.restore();
}

}  // namespace scalescope::ui
