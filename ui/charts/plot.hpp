// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The only way to QCustomPlot's header. It needs Qt's own keywords, so this comes before every other Qt header; and it
// costs seconds of compile time, so only the sources of this folder include it.
#undef QT_NO_FOREACH
#undef QT_NO_KEYWORDS
#include <qcustomplot.h>

#include <functional>
#include <utility>

namespace scalescope::ui {

/// A part of a chart that draws itself by a function, on a layer of the plot. Bars, curves and labels are drawn this
/// way because they must sit on whole device pixels and stay inside the plot in SVG too, where nothing is clipped.
class Drawing final : public QCPLayerable {
public:
    using Paint = std::function<void(QPainter&)>;

    Drawing(QCustomPlot* plot, const QString& layer, Paint paint)
        : QCPLayerable(plot, layer), paint_(std::move(paint)) {}

protected:
    // QCustomPlot shifts by half a pixel when it switches antialiasing; the functions do without.
    void applyDefaultAntialiasingHint(QCPPainter*) const override {}
    void draw(QCPPainter* painter) override { paint_(*painter); }

private:
    Paint paint_;
};

/// Ticks exactly where they are wanted, with exactly these labels.
class FixedTicker final : public QCPAxisTicker {
public:
    void set(QVector<double> ticks, QVector<QString> labels) {
        ticks_ = std::move(ticks);
        labels_ = std::move(labels);
    }
    const QVector<double>& ticks() const { return ticks_; }
    const QVector<QString>& labels() const { return labels_; }
    void generate(const QCPRange&, const QLocale&, QChar, int, QVector<double>& ticks, QVector<double>*,
                  QVector<QString>* labels) override {
        ticks = ticks_;
        if (labels) *labels = labels_;
    }

private:
    QVector<double> ticks_;
    QVector<QString> labels_;
};

}  // namespace scalescope::ui
