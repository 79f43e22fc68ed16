// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPaintDevice>
#include <QPaintEngine>
#include <QPainterPath>
#include <QPolygonF>
#include <QRectF>
#include <QStringList>
#include <QTextItem>
#include <algorithm>
#include <cmath>
#include <vector>

#include "ui/charts/chart.hpp"
#include "ui/theme/theme.hpp"

/// Texts that are painted rather than put on a label: what they say, and where.
namespace scalescope::tests {

/// A text where it was painted, slanted ones as well; its letters without the room above and below them.
struct PaintedText {
    QString text;
    QPolygonF box;
};

/// Keeps the texts that are painted on it, and nothing else.
class TextRecorder final : public QPaintDevice {
public:
    explicit TextRecorder(QSize size) : size_(size) {}
    const std::vector<PaintedText>& texts() const { return engine_.texts; }
    QPaintEngine* paintEngine() const override { return &engine_; }

protected:
    int metric(PaintDeviceMetric metric) const override {
        constexpr int dots_per_inch = 96;
        switch (metric) {
            case PdmWidth: return size_.width();
            case PdmHeight: return size_.height();
            case PdmWidthMM: return size_.width() * 254 / (10 * dots_per_inch);
            case PdmHeightMM: return size_.height() * 254 / (10 * dots_per_inch);
            case PdmNumColors: return 1 << 24;
            case PdmDepth: return 32;
            case PdmDpiX:
            case PdmDpiY:
            case PdmPhysicalDpiX:
            case PdmPhysicalDpiY: return dots_per_inch;
            case PdmDevicePixelRatio: return 1;
            case PdmDevicePixelRatioScaled: return static_cast<int>(devicePixelRatioFScale());
            default: return 0;
        }
    }

private:
    class Engine final : public QPaintEngine {
    public:
        Engine() : QPaintEngine(AllFeatures) {}
        bool begin(QPaintDevice*) override { return true; }
        bool end() override { return true; }
        void updateState(const QPaintEngineState& changed) override {
            if (changed.state() & DirtyTransform) transform_ = changed.transform();
        }
        void drawPixmap(const QRectF&, const QPixmap&, const QRectF&) override {}
        void drawPath(const QPainterPath&) override {}
        void drawPolygon(const QPointF*, int, PolygonDrawMode) override {}
        void drawTextItem(const QPointF& at, const QTextItem& item) override {
            const QFontMetricsF metrics(item.font());
            // Letters, not the line: two lines may stand close.
            const QRectF box(at.x(), at.y() - metrics.capHeight(), item.width(), metrics.capHeight());
            texts.push_back({item.text(), transform_.map(QPolygonF(box))});
        }
        Type type() const override { return User; }
        std::vector<PaintedText> texts;

    private:
        QTransform transform_;
    };

    QSize size_;
    mutable Engine engine_;
};

/// What a chart paints at its present size.
inline std::vector<PaintedText> painted_texts(const ui::Chart& chart) {
    TextRecorder recorder(chart.size());
    chart.draw_on(recorder, chart.size(), ui::theme());
    return recorder.texts();
}

/// Texts of a chart that run over its edge or over each other.
inline QStringList faults_of_painted(const ui::Chart& chart) {
    QStringList found;
    const auto texts = painted_texts(chart);
    const QRectF all = QRectF(chart.rect()).adjusted(-0.5, -0.5, 0.5, 0.5);
    for (std::size_t i = 0; i < texts.size(); ++i) {
        if (!all.contains(texts[i].box.boundingRect()))
            found << QStringLiteral("%1: “%2” runs over the edge").arg(chart.title(), texts[i].text);
        for (std::size_t j = i + 1; j < texts.size(); ++j) {
            const QRectF both = texts[i].box.intersected(texts[j].box).boundingRect();
            if (both.width() > 1 && both.height() > 1)
                found << QStringLiteral("%1: “%2” and “%3” overlap").arg(chart.title(), texts[i].text, texts[j].text);
        }
    }
    return found;
}

}  // namespace scalescope::tests
