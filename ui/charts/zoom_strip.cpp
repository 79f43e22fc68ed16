// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/zoom_strip.hpp"

#include <QPainter>
#include <algorithm>
#include <array>
#include <cmath>

#include "ui/theme/theme.hpp"

namespace scalescope::ui {
namespace {

constexpr double end_reach = 5.0, drag_slack = 4.0;    // px, round the ends of the window; before a press is a drag
constexpr double grip_width = 5.0, grip_share = 0.45;  // of the strip's height
constexpr int outside_alpha = 115;

}  // namespace

QImage strip_lanes(const std::vector<StripBar>& bars, int lanes, const Range& all, int width, QRgb ground) {
    QImage image(std::max(1, width), std::max(1, lanes), QImage::Format_RGB32);
    using Sum = std::array<float, 4>;  // red, green, blue, share of the pixel
    std::vector<Sum> sums(static_cast<std::size_t>(image.width()) * static_cast<std::size_t>(image.height()));
    const double per_unit = all.size() > 0 ? image.width() / all.size() : 0.0;
    for (const StripBar& bar : bars) {
        if (bar.lane < 0 || bar.lane >= image.height()) continue;
        const double from = std::clamp((bar.from - all.lower) * per_unit, 0.0, double(image.width()));
        const double to = std::clamp((bar.to - all.lower) * per_unit, from, double(image.width()));
        const auto first = static_cast<std::size_t>(bar.lane) * static_cast<std::size_t>(image.width());
        for (int x = int(from); x < to; ++x) {
            const auto share = static_cast<float>(std::min(to, x + 1.0) - std::max(from, double(x)));
            Sum& sum = sums[first + static_cast<std::size_t>(x)];
            const int parts[] = {qRed(bar.colour), qGreen(bar.colour), qBlue(bar.colour), 1};
            for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += share * static_cast<float>(parts[i]);
        }
    }
    const float below[] = {float(qRed(ground)), float(qGreen(ground)), float(qBlue(ground))};
    auto sum = sums.begin();
    for (int y = 0; y < image.height(); ++y)
        for (auto *pixel = reinterpret_cast<QRgb*>(image.scanLine(y)), *end = pixel + image.width(); pixel < end;
             ++sum) {
            const float covered = (*sum)[3], whole = std::max(covered, 1.0F), rest = whole - covered;
            const auto mixed = [&](std::size_t i) {
                return static_cast<int>(std::lround(((*sum)[i] + rest * below[i]) / whole));
            };
            *pixel++ = qRgb(mixed(0), mixed(1), mixed(2));
        }
    return image;
}

void ZoomStrip::arrange(const QRectF& place, const Range& all, const Range& shown) {
    place_ = place;
    all_ = all;
    shown_ = shown;
}

QRectF ZoomStrip::window() const {
    const double left = px(shown_.lower), right = px(shown_.upper);
    return {left, place_.top(), right - left, place_.height()};
}

ZoomStrip::Part ZoomStrip::part_at(QPointF at) const {
    const QRectF w = window();
    if (place_.isEmpty() || !place_.adjusted(-end_reach, 0, end_reach, 0).contains(at)) return Part::none;
    const double inside = std::min(end_reach, w.width() / 4);  // a narrow window keeps a middle
    if (at.x() >= w.left() - end_reach && at.x() < w.left() + inside) return Part::lower_end;
    if (at.x() > w.right() - inside && at.x() <= w.right() + end_reach) return Part::upper_end;
    // A window over everything cannot be moved: a drag draws another.
    return w.contains(at) && w.width() < place_.width() - 1 ? Part::window : Part::ground;
}

bool ZoomStrip::take_hold(QPointF at) {
    held_ = part_at(at);
    pressed_ = at;
    held_from_ = result_ = shown_;
    moved_ = false;
    return held_ != Part::none;
}

Range ZoomStrip::dragged_to(QPointF at) {
    moved_ = moved_ || std::abs(at.x() - pressed_.x()) >= drag_slack;
    if (!moved_) return result_;
    const double hand = std::clamp(map().value(at.x()), all_.lower, all_.upper), from = map().value(pressed_.x());
    if (held_ == Part::window) {
        const double lower = held_from_.lower + map().value(at.x()) - from;
        return result_ = {lower, lower + held_from_.size()};
    }
    const double other = held_ == Part::lower_end   ? held_from_.upper
                         : held_ == Part::upper_end ? held_from_.lower
                                                    : std::clamp(from, all_.lower, all_.upper);
    return result_ = {std::min(hand, other), std::max(hand, other)};
}

Range ZoomStrip::let_go() {
    if (held_ == Part::ground && !moved_) {
        const double middle = map().value(pressed_.x()), half = held_from_.size() / 2;
        result_ = {middle - half, middle + half};
    }
    held_ = Part::none;
    return result_;
}

Qt::CursorShape ZoomStrip::cursor_at(QPointF at) const {
    switch (held_ == Part::none ? part_at(at) : held_) {
        case Part::lower_end:
        case Part::upper_end: return Qt::SizeHorCursor;
        case Part::window: return Qt::OpenHandCursor;
        case Part::ground: return Qt::CrossCursor;
        case Part::none: break;
    }
    return Qt::ArrowCursor;
}

void ZoomStrip::paint_window(QPainter& painter, const Theme& theme) const {
    const QRectF w = window();
    QColor veil = theme.card;
    veil.setAlpha(outside_alpha);
    painter.fillRect(QRectF(place_.topLeft(), QPointF(w.left(), place_.bottom())), veil);
    painter.fillRect(QRectF(QPointF(w.right(), place_.top()), place_.bottomRight()), veil);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.accent, 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawRoundedRect(w.adjusted(-1, -1, 1, 1), 2, 2);
    painter.setBrush(theme.card);
    const double high = place_.height() * grip_share;
    for (const double x : {w.left() - 1, w.right() + 1})
        painter.drawRoundedRect(QRectF(x - grip_width / 2, w.center().y() - high / 2, grip_width, high), 2, 2);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

}  // namespace scalescope::ui
