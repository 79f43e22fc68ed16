// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QFont>
#include <QRectF>
#include <QSizeF>
#include <QString>
#include <memory>
#include <utility>
#include <vector>

class QPainter;
class QTextDocument;

namespace scalescope::ui {

/// A line or paragraph of rich text for widgets that paint themselves. Parsed when it is set, and only if it differs;
/// the colour is given at painting, so nothing has to be remade for another theme; where type gets another size, it
/// follows. Movable, not copyable.
class RichText {
public:
    RichText();
    ~RichText();
    RichText(RichText&&) noexcept;
    RichText& operator=(RichText&&) noexcept;

    /// The same text with sub- and superscripts large enough to read, which Qt makes too small.
    static QString sized(const QString& html, const QFont& font);
    /// True if something changed.
    bool set(const QString& html, const QFont& font);
    bool is_empty() const { return html_.isEmpty(); }
    const QString& html() const { return html_; }
    QString plain() const;
    /// Natural size on one line, and the height when wrapped at a width; both in px.
    QSizeF size() const;
    double height_for(double width) const;
    void draw(QPainter& painter, const QRectF& box, Qt::Alignment alignment, const QColor& color,
              bool wrap = false) const;

private:
    QString html_;
    mutable QFont font_;
    mutable double scale_ = 1;  ///< of type, when it was laid out
    std::unique_ptr<QTextDocument> document_;
    mutable QSizeF natural_;                                  ///< size(), once asked for
    mutable std::vector<std::pair<double, double>> heights_;  ///< by width, as asked for

    void lay_out(double width) const;
    void follow_type() const;
    void write() const;
};

}  // namespace scalescope::ui
