// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/icons.hpp"

#include <QFile>
#include <QHash>
#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>
#include <QtMath>
#include <cmath>
#include <memory>

#include "ui/theme/theme.hpp"

namespace scalescope::ui {
namespace {

/// One parsed drawing per icon and colour; there are few of either.
QSvgRenderer* drawing(const QString& name, const QColor& color) {
    static QHash<QString, std::shared_ptr<QSvgRenderer>> made;
    const QString key = name + color.name();
    auto& renderer = made[key];
    if (!renderer) {
        load_fonts();  // registers the resources
        QFile file(QStringLiteral(":/icons/%1.svg").arg(name));
        QByteArray svg = file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
        svg.replace("#000", color.name().toLatin1());
        renderer = std::make_shared<QSvgRenderer>(svg);
    }
    return renderer.get();
}

QColor color_of(const QString& name, Tint tint) {
    const Theme& t = theme();
    switch (tint) {
        case Tint::by_name:
            if (name == QLatin1String("info")) return t.accent;
            if (name == QLatin1String("warn")) return t.warning;
            if (name == QLatin1String("error")) return t.error;
            return t.text;
        case Tint::text: return t.text;
        case Tint::secondary: return t.secondary;
        case Tint::accent: return t.accent;
        case Tint::on_accent: return t.on_accent;
        case Tint::error: return t.error;
        case Tint::warning: return t.warning;
        case Tint::better: return t.better;
    }
    return t.text;
}

class ThemedIcon final : public QIconEngine {
public:
    ThemedIcon(QString name, Tint tint) : name_(std::move(name)), tint_(tint) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
        const int side = std::min(rect.width(), rect.height());
        const QRectF box(rect.x() + (rect.width() - side) / 2, rect.y() + (rect.height() - side) / 2, side, side);
        drawing(name_, mode == QIcon::Disabled ? theme().disabled : color_of(name_, tint_))->render(painter, box);
    }

    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
        return scaledPixmap(size, mode, state, 1.0);
    }

    QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State state, qreal scale) override {
        const QColor color = mode == QIcon::Disabled ? theme().disabled : color_of(name_, tint_);
        const QString key = QStringLiteral("scalescope/%1/%2/%3x%4@%5")
                                .arg(name_, color.name())
                                .arg(size.width())
                                .arg(size.height())
                                .arg(scale);
        QPixmap result;
        if (QPixmapCache::find(key, &result)) return result;
        result = QPixmap(size);  // the size already counts device pixels
        result.fill(Qt::transparent);
        QPainter painter(&result);
        painter.setRenderHint(QPainter::Antialiasing);
        paint(&painter, QRect(QPoint(0, 0), size), mode, state);
        painter.end();
        QPixmapCache::insert(key, result);
        return result;
    }

    QIconEngine* clone() const override { return new ThemedIcon(*this); }
    QString key() const override { return QStringLiteral("scalescope"); }
    QString iconName() override { return name_; }

private:
    QString name_;
    Tint tint_;
};

}  // namespace

QIcon icon(const char* name, Tint tint) {
    load_fonts();
    const QString text = QString::fromLatin1(name);
    if (!QFile::exists(QStringLiteral(":/icons/%1.svg").arg(text))) return {};
    return QIcon(new ThemedIcon(text, tint));
}

QIcon program_icon() {
    load_fonts();
    QSvgRenderer drawing(QStringLiteral(":/icons/scalescope.svg"));
    QIcon result;
    for (const int side : {16, 24, 32, 48, 64, 128, 256}) {
        QPixmap pixmap(side, side);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        painter.setRenderHint(QPainter::Antialiasing);
        drawing.render(&painter);
        painter.end();
        result.addPixmap(pixmap);
    }
    return result;
}

void draw_icon(QPainter& painter, const char* name, const QRectF& box, const QColor& color) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    drawing(QString::fromLatin1(name), color)->render(&painter, box);
    painter.restore();
}

void draw_icon(QPainter& painter, const QString& name, const QRectF& box, const QColor& color) {
    const QTransform& to_device = painter.deviceTransform();
    const double scale = std::hypot(to_device.m11(), to_device.m12());
    const int side = qBound(1, qCeil(box.width() * scale), 256);
    const QString key = QStringLiteral("scalescope/kept/%1/%2/%3").arg(name, color.name()).arg(side);
    QPixmap picture;
    if (!QPixmapCache::find(key, &picture)) {
        picture = QPixmap(side, side);
        picture.fill(Qt::transparent);
        QPainter on(&picture);
        on.setRenderHint(QPainter::Antialiasing);
        drawing(name, color)->render(&on, QRectF(0, 0, side, side));
        on.end();
        QPixmapCache::insert(key, picture);
    }
    painter.drawPixmap(box, picture, QRectF(picture.rect()));
}

}  // namespace scalescope::ui
