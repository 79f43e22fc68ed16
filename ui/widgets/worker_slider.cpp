// SPDX-License-Identifier: GPL-3.0-or-later
#include <QFontMetricsF>
#include <QLocale>
#include <QPainter>
#include <algorithm>
#include <bit>
#include <cmath>

#include "ui/language/told.hpp"
#include "ui/theme/paint.hpp"
#include "ui/theme/text.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/slider.hpp"

namespace scalescope::ui {
namespace {

constexpr Px ticks_overlap{4}, tick_height{4}, labels_below{1}, label_height{14};  // of and below the groove
constexpr double magnet_px = 2;  // how near to a power of two a drag is drawn to it

QString grouped(int value) {
    QLocale locale = QLocale::c();
    locale.setNumberOptions(QLocale::DefaultNumberOptions);
    return with_marks(locale.toString(value));
}

}  // namespace

WorkerSlider::WorkerSlider(QWidget* parent) : Slider(parent) {
    set_range(1, 1024);
    setAccessibleName(tr("Workers"));
}

QString WorkerSlider::value_text() const { return told(words_.count(value())); }

int WorkerSlider::tick_top() { return hit_height() - ticks_overlap; }
int WorkerSlider::label_top() { return tick_top() + tick_height + labels_below; }

QSize WorkerSlider::sizeHint() const { return {420, label_top() + label_height}; }
QSize WorkerSlider::minimumSizeHint() const { return {160, label_top() + label_height}; }

double WorkerSlider::fraction_of(int value) const {
    const double low = std::log2(minimum()), high = std::log2(maximum());
    return (std::log2(std::max(1, value)) - low) / (high - low);
}

int WorkerSlider::value_at(double fraction) const {
    const double low = std::log2(minimum()), high = std::log2(maximum());
    const double exponent = low + std::clamp(fraction, 0.0, 1.0) * (high - low);
    const double nearest = std::round(exponent);
    const double px_per_power = groove().width() / (high - low);
    if (std::abs(exponent - nearest) * px_per_power <= magnet_px) {
        const double power = std::exp2(nearest);
        if (power >= minimum() && power <= maximum()) return static_cast<int>(std::lround(power));
    }
    return std::clamp(static_cast<int>(std::lround(std::exp2(exponent))), minimum(), maximum());
}

int WorkerSlider::page_from(int value, int direction) const {
    const auto v = static_cast<unsigned>(value);
    if (direction < 0) return std::max(minimum(), static_cast<int>(std::bit_floor(v - (v > 1 ? 1U : 0U))));
    const unsigned next = std::bit_ceil(v + 1);
    return next > static_cast<unsigned>(maximum()) ? maximum() : static_cast<int>(next);
}

int WorkerSlider::notch_from(int value, int direction) const {
    // An eighth of a power of two, and always at least one: the same way on screen at any place.
    const int moved = static_cast<int>(std::lround(value * std::exp2(direction / 8.0)));
    return moved == value ? value + direction : moved;
}

/// Powers of two in range, thinned until their labels keep apart.
std::vector<int> WorkerSlider::labelled_ticks() const {
    std::vector<int> powers;
    for (long power = 1; power <= maximum(); power *= 2)
        if (power >= minimum()) powers.push_back(static_cast<int>(power));
    if (powers.size() < 2) return powers;
    const double widest = text_width(type::caption(), grouped(powers.back())) + 10;
    const double apart = x_of(powers[1]) - x_of(powers[0]);
    const auto step = static_cast<std::size_t>(std::max(1.0, std::ceil(widest / std::max(1.0, apart))));
    std::vector<int> kept;
    for (std::size_t i = 0; i < powers.size(); i += step) kept.push_back(powers[i]);
    return kept;
}

int WorkerSlider::exact_value_at(const QPointF& point) const {
    if (point.y() < tick_top()) return 0;
    const QFontMetricsF metrics(type::caption());
    for (const int tick : labelled_ticks())
        if (std::abs(point.x() - x_of(tick)) <= metrics.horizontalAdvance(grouped(tick)) / 2 + 5) return tick;
    return 0;
}

void WorkerSlider::paintEvent(QPaintEvent* event) {
    const Theme& t = theme();
    QPainter painter(this);
    QFont strong = type::caption();
    strong.setWeight(QFont::DemiBold);
    for (const int tick : labelled_ticks()) {
        const qreal x = x_of(tick);
        const bool current = tick == value() && isEnabled();
        painter.fillRect(QRectF(std::round(x - 0.5), tick_top(), 1, tick_height), t.axis);
        // The last label stays inside the widget instead of losing its end.
        const QFont font = current ? strong : type::caption();
        const QString text = grouped(tick);
        const qreal w = text_width(font, text) + 1;
        const qreal left = std::clamp(x - w / 2, 0.0, std::max(0.0, width() - w));
        const QColor ink = !isEnabled() ? t.disabled : current ? t.text : t.secondary;
        draw_text(painter, QRectF(left, label_top(), w, label_height), Qt::AlignCenter, text, font, ink, Qt::ElideNone);
    }
    painter.end();
    Slider::paintEvent(event);
}

}  // namespace scalescope::ui
