// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/canvas_legend.hpp"

#include <QFontMetrics>
#include <QPainter>
#include <algorithm>

#include "ui/canvas/box_item.hpp"
#include "ui/canvas/canvas_scene.hpp"
#include "ui/theme/paint.hpp"
#include "ui/theme/text.hpp"
#include "ui/theme/theme.hpp"

namespace scalescope::ui {
namespace {

constexpr PxF legend_padding{10}, bar_width{196}, bar_height{8}, legend_line{15}, swatch{10}, sort_line{18},
    band_width{64};
constexpr Bound bounds[] = {Bound::compute, Bound::memory, Bound::communication};

/// What the bands of boxes mean, as far as there are any.
struct Sort {
    int divided;
    QString words;
};
std::vector<Sort> sorts(const CanvasScene& scene) {
    std::vector<Sort> result;
    const auto any = [&](bool divided) {
        return std::any_of(scene.shares().begin(), scene.shares().end(),
                           [=](const auto& s) { return s && s->divided == divided; });
    };
    if (any(true)) result.push_back({scene.workers(), CanvasLegend::tr("outputs divided, ÷%1").arg(scene.workers())});
    if (any(false)) result.push_back({1, CanvasLegend::tr("whole on every worker")});
    return result;
}

}  // namespace

CanvasLegend::CanvasLegend(CanvasScene& scene, QWidget* parent) : QWidget(parent), scene_(scene) {
    setObjectName(QStringLiteral("canvasLegend"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    connect(&scene, &CanvasScene::recoloured, this, &CanvasLegend::tell);
    tell();
}

bool CanvasLegend::is_of_use() const {
    if (!scene_.priced()) return !scene_.unpriced().isEmpty() && !scene_.boxes().empty();
    return scene_.colouring() == Colouring::bound || !scene_.ramp().empty;
}

void CanvasLegend::tell() {
    QStringList words;
    for (double t : scene_.ramp().ticks()) words << tick_text(t, scene_.colouring());
    if (scene_.colouring() == Colouring::bound) {
        words.clear();
        for (Bound b : bounds) words << name_of(b);
    }
    for (const Sort& s : sorts(scene_)) words << s.words;
    setAccessibleName(tr("Legend: %1, %2").arg(legend_title(scene_.colouring()), words.join(QStringLiteral(", "))));
    if (!scene_.priced() && is_of_use()) setAccessibleName(scene_.unpriced());
    update();
}

QSize CanvasLegend::sizeHint() const {
    if (!scene_.priced()) {
        const QRect words =
            QFontMetrics(type::caption())
                .boundingRect(QRect(0, 0, static_cast<int>(bar_width), 1000), Qt::TextWordWrap, scene_.unpriced());
        return QSizeF(bar_width + 2 * legend_padding, words.height() + 2 * legend_padding).toSize();
    }
    const double rows =
        legend_line + 6 + bar_height + 4 + legend_line + static_cast<double>(sorts(scene_).size()) * sort_line;
    return QSizeF(bar_width + 2 * legend_padding, 2 * legend_padding + rows).toSize();
}

void CanvasLegend::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    draw_on(painter, theme());
}

void CanvasLegend::draw_on(QPainter& painter, const Theme& look) const {
    const QRectF all{QPointF(), QSizeF(sizeHint())};
    draw_box(painter, all, look.card, look.card_border, space::control_radius);
    if (!scene_.priced()) {
        painter.setFont(type::caption());
        painter.setPen(look.text);
        painter.drawText(QRectF(legend_padding, legend_padding, bar_width, all.height() - 2 * legend_padding),
                         Qt::TextWordWrap, scene_.unpriced());
        return;
    }
    const Colouring by = scene_.colouring();
    draw_text(painter, {legend_padding, legend_padding, bar_width, legend_line}, Qt::AlignLeft | Qt::AlignVCenter,
              legend_title(by), type::caption(), look.secondary);
    const double top = legend_padding + legend_line + 6;
    double y = top + bar_height + 4 + legend_line;
    for (const Sort& s : sorts(scene_)) {
        draw_division(painter, {legend_padding, y + sort_line / 2.0 - 1, band_width, 3}, s.divided, false, look.text);
        draw_text(painter, {legend_padding + band_width + 8, y, bar_width - band_width - 8, sort_line},
                  Qt::AlignLeft | Qt::AlignVCenter, s.words, type::caption(), look.text);
        y += sort_line;
    }
    if (by == Colouring::bound) {
        double x = legend_padding, row = top;
        for (Bound b : bounds) {
            const double width = text_width(type::caption(), name_of(b));
            if (x > legend_padding && x + swatch + 4 + width > legend_padding + bar_width)
                x = legend_padding, row += legend_line;  // long words
            draw_box(painter, {x, row + 3, swatch, swatch}, colour_of(b, look), {}, 3, 0);
            draw_text(painter, {x + swatch + 4, row, width + 2, swatch + 6}, Qt::AlignLeft | Qt::AlignVCenter,
                      name_of(b), type::caption(), look.text);
            x += swatch + width + 14;
        }
        return;
    }
    QLinearGradient gradient(legend_padding, 0, legend_padding + bar_width, 0);
    for (std::size_t i = 0; i < look.ramp.size(); ++i)
        gradient.setColorAt(static_cast<double>(i) / static_cast<double>(look.ramp.size() - 1), look.ramp[i]);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(gradient);
    painter.drawRoundedRect(QRectF(legend_padding, top, bar_width, bar_height), 2, 2);
    double free_from = legend_padding;
    for (double t : scene_.ramp().ticks()) {
        const QString words = tick_text(t, by);
        const double width = text_width(type::caption(), words), place = scene_.ramp().place(t);
        const double x = std::clamp(legend_padding + place * bar_width - width / 2, 1.0 * legend_padding,
                                    legend_padding + bar_width - width);
        const bool last = t >= scene_.ramp().most;
        const double room = last ? 0 : text_width(type::caption(), tick_text(scene_.ramp().most, by)) + 8;
        if (x < free_from || (!last && x + width > legend_padding + bar_width - room)) continue;
        draw_text(painter, {x, top + bar_height + 4, width + 2, legend_line}, Qt::AlignLeft | Qt::AlignVCenter, words,
                  type::caption(), look.text);
        free_from = x + width + 8;
    }
}

}  // namespace scalescope::ui
