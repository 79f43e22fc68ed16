// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/gallery/gallery_pictures.hpp"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "core/base/format.hpp"
#include "core/drawing/drawing.hpp"
#include "core/estimate/estimate.hpp"
#include "core/formats/scenario_json.hpp"
#include "core/network/sketch.hpp"
#include "ui/charts/marks.hpp"
#include "ui/language/told.hpp"
#include "ui/theme/paint.hpp"
#include "ui/theme/theme.hpp"

namespace scalescope::ui {
namespace {

constexpr int most_boxes = 40;  // unfolded no further than can be told apart in so small a picture
constexpr double bar_height = 14;

void paint_network(QPainter& painter, const QRectF& box, const GalleryPicture& picture) {
    const Theme& t = theme();
    const double scale = std::min({box.width() / picture.size.width(), box.height() / picture.size.height(), 1.0});
    painter.save();
    painter.setClipRect(box);
    painter.translate(box.center().x() - picture.size.width() * scale / 2,
                      box.center().y() - picture.size.height() * scale / 2);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(t.secondary, 1));
    for (const QLineF& wire : picture.wires) painter.drawLine(wire.p1() * scale, wire.p2() * scale);
    for (std::size_t i = 0; i < picture.boxes.size(); ++i) {
        const QRectF& b = picture.boxes[i];
        QRectF small(b.topLeft() * scale, b.size() * scale);
        small.setSize(small.size().expandedTo({2, 2}));
        draw_box(painter, small, t.on_ramp(std::sqrt(picture.amounts[i])), t.control_border,
                 std::min({3.0, small.height() / 2, small.width() / 2}));
    }
    painter.restore();
}

void paint_step(QPainter& painter, const QRectF& box, const GalleryPicture& picture) {
    const Theme& t = theme();
    const QColor colours[] = {t.forward, t.backward, t.update, t.communication, t.card};
    double x = box.left();
    const double top = box.center().y() - bar_height;
    for (std::size_t i = 0; i < picture.parts.size(); ++i) {
        const double width = picture.parts[i] * box.width();
        if (width <= 0) continue;
        const QRectF part(x, top, std::max(width - 1, 0.5), 2 * bar_height);
        if (i + 1 < picture.parts.size())
            fill_data(painter, part, colours[i], t);
        else
            draw_hollow(painter, part, t.secondary, t.card);
        x += width;
    }
}

void paint_bars(QPainter& painter, const QRectF& box, const GalleryPicture& picture) {
    const Theme& t = theme();
    const double step = bar_height + 6;
    double y = box.center().y() - step * static_cast<double>(picture.bars.size()) / 2;
    for (std::size_t i = 0; i < picture.bars.size(); ++i, y += step) {
        painter.fillRect(QRectF(box.left(), y, box.width(), bar_height), t.hover);
        painter.fillRect(QRectF(box.left(), y, std::max(2.0, picture.bars[i] * box.width()), bar_height),
                         t.curves[i % t.curves.size()]);
    }
}

}  // namespace

GalleryPicture picture_of_network(const formats::Library& library, const std::string& id) {
    GalleryPicture p;
    const auto network = library.network(id);
    if (!network) {
        p.problem = told(to_text(network.error().front()));
        return p;
    }
    const Sketch sketch(**network);
    const drawing::Hierarchy hierarchy = drawing::make_hierarchy(sketch);
    const drawing::Drawing drawn =
        drawing::draw(sketch, hierarchy, drawing::open_at_first(hierarchy, most_boxes), drawing::Metrics{});
    p.size = {std::max(drawn.size.width, 1.0), std::max(drawn.size.height, 1.0)};
    double most = 1;
    for (const drawing::Box& b : drawn.boxes) {
        if (b.open) continue;
        double work = 0;
        for (const int layer : hierarchy.items[static_cast<std::size_t>(b.item)].layers)
            work += static_cast<double>((*network)->facts()[static_cast<std::size_t>(layer)].multiply_adds);
        p.boxes.emplace_back(b.at.x, b.at.y, b.size.width, b.size.height);
        p.amounts.push_back(work);
        most = std::max(most, work);
    }
    for (double& amount : p.amounts) amount /= most;
    for (const drawing::Wire& wire : drawn.wires)
        for (std::size_t i = 1; i < wire.bends.size(); ++i)
            p.wires.emplace_back(wire.bends[i - 1].x, wire.bends[i - 1].y, wire.bends[i].x, wire.bends[i].y);
    if (p.size.height() > p.size.width()) {  // tiles are wide: from left to right
        for (QRectF& b : p.boxes) b = QRectF(b.top(), b.left(), b.height(), b.width());
        for (QLineF& w : p.wires) w = QLineF(w.y1(), w.x1(), w.y2(), w.x2());
        p.size.transpose();
    }
    p.caption = told_large_count(static_cast<double>((*network)->parameters()));
    return p;
}

GalleryPicture picture_of_scenario(const formats::Library& library, const std::string& id) {
    GalleryPicture p;
    const formats::Preset* preset = library.find_scenario(id);
    if (!preset) return p;
    const auto read = formats::read_scenario(preset->text, preset->file, library);
    if (!read) {
        p.problem = told(to_text(read.error().front()));
        return p;
    }
    const auto answer = estimate(read->scenario);
    if (!answer) {
        p.problem = told(to_text(answer.error().front()));
        return p;
    }
    const Summary& s = answer->summary;
    const Seconds parts[] = {s.forward, s.backward, s.update, s.communication, s.idle};
    double sum = 0;
    for (const Seconds one : parts) sum += one.value;
    if (!(sum > 0)) return p;
    for (std::size_t i = 0; i < p.parts.size(); ++i) p.parts[i] = parts[i].value / sum;
    p.has_parts = true;
    p.caption = told(format_time(s.step));
    return p;
}

GalleryPicture picture_of_device(const Catalogue& catalogue, const Device& device) {
    GalleryPicture p;
    const auto best = [](const Device& d) {
        double most = 0;
        for (const auto& peak : d.peak) most = std::max(most, peak ? peak->value : 0.0);
        return most;
    };
    double peak = 0, bandwidth = 0, memory = 0;
    for (const Device& d : catalogue.devices) {
        peak = std::max(peak, best(d));
        bandwidth = std::max(bandwidth, d.memory_bandwidth.value);
        memory = std::max(memory, d.memory ? d.memory->value : 0.0);
    }
    // Decades apart: logarithmic over three of them, so that an old device is a bar too.
    const auto share = [](double value, double most) {
        constexpr double decades = 3;
        return value > 0 && most > 0 ? std::clamp(1 + std::log10(value / most) / decades, 0.02, 1.0) : 0.0;
    };
    p.bars = {share(best(device), peak), share(device.memory_bandwidth.value, bandwidth),
              share(device.memory ? device.memory->value : 0.0, memory)};
    p.caption = told(format_rate(device.memory_bandwidth));
    return p;
}

void paint_picture(QPainter& painter, const QRectF& box, const GalleryPicture& picture) {
    if (!picture.boxes.empty()) return paint_network(painter, box, picture);
    if (picture.has_parts) return paint_step(painter, box, picture);
    if (!picture.bars.empty()) paint_bars(painter, box, picture);
}

}  // namespace scalescope::ui
