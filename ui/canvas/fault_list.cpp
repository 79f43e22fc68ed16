// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/canvas/fault_list.hpp"

#include <QCoreApplication>
#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "core/drawing/notes.hpp"
#include "ui/canvas/box_item.hpp"
#include "ui/canvas/canvas_scene.hpp"
#include "ui/canvas/wire_item.hpp"
#include "ui/language/told.hpp"
#include "ui/theme/paint.hpp"
#include "ui/theme/theme.hpp"

namespace scalescope::ui {
namespace {

constexpr std::size_t most_rows = 30;
constexpr double disc_side = 16, beside_disc = 24, between_rows = 6, title_height = 24;

QString text_of(const std::string& s) { return told(s); }
QString words(const char* source) { return QCoreApplication::translate("FaultList", source); }

double wrapped_height(const QString& text, double width) {
    return std::ceil(QFontMetricsF(type::table()).boundingRect({0, 0, width, 1e6}, Qt::TextWordWrap, text).height()) +
           2;
}

void draw_disc(QPainter& painter, QPointF middle, int number, const Theme& look) {
    const QRectF box(middle - QPointF(disc_side / 2, disc_side / 2), QSizeF(disc_side, disc_side));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(look.card, 1.5));
    painter.setBrush(look.error);
    painter.drawEllipse(box);
    draw_text(painter, box.adjusted(-4, 0, 4, 0), Qt::AlignCenter, QString::number(number), type::caption(), look.card);
}

}  // namespace

FaultList::FaultList(const CanvasScene& scene) {
    const Sketch& sketch = *scene.sketch();
    if (sketch.layers.empty()) return;
    for (const Fault& f : sketch.faults) {
        if (rows_.size() == most_rows) {
            ++left_out_;
            continue;
        }
        Row row;
        row.heading = text_of(drawing::heading(sketch, f));
        if (f.layer >= 0)
            row.heading =
                words(QT_TRANSLATE_NOOP("FaultList", "%1 at %2"))
                    .arg(row.heading, QString::fromStdString(sketch.layers[static_cast<std::size_t>(f.layer)].name));
        row.reason = text_of(f.problem.what);
        for (const int w : scene.wires_of(f))
            row.at.push_back(scene.wires()[static_cast<std::size_t>(w)]->label_end() + QPointF(disc_side / 2 + 2, 0));
        const BoxItem* box = f.layer >= 0 ? scene.box_of_layer(f.layer) : nullptr;
        if (box && row.at.empty())
            row.at.push_back(box->pos() + QPointF(box->size().width(), box->size().height() / 2));
        rows_.push_back(std::move(row));
    }
}

double FaultList::height(double width) const {
    double sum = title_height;
    for (const Row& r : rows_)
        sum += wrapped_height(r.heading, width - beside_disc) + wrapped_height(r.reason, width - beside_disc) +
               between_rows;
    return sum + (left_out_ > 0 ? title_height : 0);
}

void FaultList::draw(QPainter& painter, double width, const Theme& look) const {
    draw_text(painter, {0, 0, width, title_height}, Qt::AlignLeft | Qt::AlignVCenter,
              rows_.size() == 1
                  ? words(QT_TRANSLATE_NOOP("FaultList", "What does not fit"))
                  : words(QT_TRANSLATE_NOOP("FaultList", "What does not fit, numbered as in the drawing")),
              type::table_strong(), look.error);
    double y = title_height;
    int number = 0;
    for (const Row& r : rows_) {
        draw_disc(painter, {disc_side / 2, y + disc_side / 2}, ++number, look);
        for (const auto& [text, strong] : {std::pair(r.heading, true), std::pair(r.reason, false)}) {
            const double room = wrapped_height(text, width - beside_disc);
            painter.setFont(strong ? type::table_strong() : type::table());
            painter.setPen(look.text);
            painter.drawText(QRectF(beside_disc, y, width - beside_disc, room), Qt::TextWordWrap, text);
            y += room;
        }
        y += between_rows;
    }
    if (left_out_ > 0)
        draw_text(painter, {0, y, width, title_height}, Qt::AlignLeft | Qt::AlignVCenter,
                  words(QT_TRANSLATE_NOOP("FaultList", "and %1 more")).arg(left_out_), type::table(), look.secondary);
}

void FaultList::draw_markers(QPainter& painter, const QTransform& place, const Theme& look) const {
    std::vector<QPointF> taken;
    int number = 0;
    for (const Row& r : rows_) {
        ++number;
        for (const QPointF& at : r.at) {
            QPointF middle = place.map(at);
            const auto covers = [&](const QPointF& other) {
                return std::abs(other.x() - middle.x()) < disc_side && std::abs(other.y() - middle.y()) < disc_side;
            };
            while (std::any_of(taken.begin(), taken.end(), covers)) middle.rx() += disc_side;  // several at one place
            taken.push_back(middle);
            draw_disc(painter, middle, number, look);
        }
    }
}

}  // namespace scalescope::ui
