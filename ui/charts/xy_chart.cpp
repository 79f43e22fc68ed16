// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/plot.hpp"
//
#include "ui/charts/xy_chart.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/format.hpp"
#include "ui/charts/helpers.hpp"
#include "ui/charts/marks.hpp"
#include "ui/charts/misfit.hpp"
#include "ui/theme/text.hpp"
#include "ui/theme/theme.hpp"

/// Data, layout and hand of the chart of points; xy_painting.cpp draws it.
namespace scalescope::ui {
namespace {

constexpr double reach = 16.0;
constexpr Px below_drawing{21 + 16 + 4};  // numbers of the axis, its name, margin
constexpr Px number_room{26};             // height per number of the left axis
constexpr Px text_row{14};                // of its name, which stands upright

/// A bit more than what is there, so that no point sits on the frame.
Range padded(Range range, bool logarithmic) {
    if (logarithmic) {
        const double factor = std::max(std::pow(range.upper / range.lower, 0.04), 1.05);
        return {range.lower / factor, range.upper * factor};
    }
    const double room = range.size() > 0.0 ? range.size() * 0.04 : std::max(std::abs(range.upper) * 0.1, 0.5);
    return {range.lower >= 0.0 && range.lower < room * 4 ? 0.0 : range.lower - room, range.upper + room};
}

}  // namespace

XyChart::XyChart(QWidget* parent) : DataChart(parent) {
    new Drawing(plot(), QStringLiteral("main"), [this](QPainter& p) { paint(p); });
}

void XyChart::rebuild(const XyData& before) {
    const bool other_axes = before.x != data_.x || before.y != data_.y;
    set_hovered_item(-1);
    say_nothing();
    x_map_.logarithmic = data_.x.logarithmic;
    y_map_.logarithmic = data_.y.logarithmic;
    plot()->xAxis->setScaleType(data_.x.logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    plot()->yAxis->setScaleType(data_.y.logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    if (other_axes) reset_view();
    data_changed();
}

bool XyChart::drawable(const XyPoint& p) const {
    return std::isfinite(p.x) && std::isfinite(p.y) && (!data_.x.logarithmic || p.x > 0.0) &&
           (!data_.y.logarithmic || p.y > 0.0);
}

bool XyChart::hides(const XyPoint& p) const {
    return (p.hollow && series_hidden(QStringLiteral("hollow"))) || (!p.fits && series_hidden(misfit_key));
}

QString XyChart::unit_text() const { return data_.y.unit; }

std::vector<LegendEntry> XyChart::legend(const Theme& look) const {
    std::vector<LegendEntry> entries;
    bool hollow = false, misfits = false;
    for (const XySeries& s : data_.series) {
        const bool line = s.style == XySeries::Style::line;
        entries.push_back(LegendEntry::line(s.key, s.name, line_pen(look, s.colour, 1.75, s.dashed),
                                            line ? std::nullopt : std::optional(curve_marker(s.colour))));
        if (!line) entries.back().mark = LegendEntry::Mark::dot;
        misfits |= std::any_of(s.points.begin(), s.points.end(), [](const XyPoint& p) { return !p.fits; });
        hollow |= std::any_of(s.points.begin(), s.points.end(), [](const XyPoint& p) { return p.hollow; });
    }
    if (hollow && !data_.hollow_means.isEmpty()) {
        entries.push_back(
            LegendEntry::of(LegendEntry::Mark::dot, QStringLiteral("hollow"), data_.hollow_means, look.secondary));
        entries.back().empty = true;
    }
    if (misfits) entries.push_back(misfit_point_entry(look));
    return entries;
}

QString XyChart::empty_text() const {
    for (const XySeries& s : data_.series)
        for (const XyPoint& p : s.points)
            if (drawable(p)) return {};
    return data_.empty_reason.isEmpty() ? tr("There is nothing to show yet.") : data_.empty_reason;
}

Range XyChart::needed(bool of_x) const {
    double least = std::numeric_limits<double>::infinity(), most = -least;
    const bool logarithmic = of_x ? data_.x.logarithmic : data_.y.logarithmic;
    const auto take = [&](double v) {
        if (std::isfinite(v) && (!logarithmic || v > 0.0)) least = std::min(least, v), most = std::max(most, v);
    };
    for (const XySeries& s : data_.series) {
        if (series_hidden(s.key)) continue;
        for (const XyPoint& p : s.points) {
            if (!drawable(p) || hides(p)) continue;
            if (of_x || data_.equal_axes) take(p.x);
            if (!of_x || data_.equal_axes) take(p.y);
            if (!of_x && p.band) take(p.band->lower), take(p.band->upper);
        }
    }
    if (!(least <= most)) return {1.0, 10.0};
    return padded({least, most}, logarithmic);
}

Chart::Extent XyChart::extent() const {
    const Range all = needed(true);
    return {all, all, data_.x.logarithmic ? 1.05 : all.size() * 1e-3, Zooming::x_and_y, true};
}

int XyChart::least_below_title() const {
    return low_top + 3 * number_room + below_drawing + (data_.caption.isEmpty() ? 0 : caption_line);
}

void XyChart::arrange(QSize size) {
    x_map_.range = shown_x();
    y_map_.range = chosen_y().value_or(needed(false));
    const int top = title_height() + (size.height() < 170 ? low_top : 10), right = 16;
    const int height = std::max(24, size.height() - top - below_drawing - (data_.caption.isEmpty() ? 0 : caption_line));
    const auto ticks_of = [](const XyAxis& axis, Range range, int most) {
        auto ticks = axis.logarithmic ? (axis.whole ? power_ticks(range, 2, most) : decade_ticks(range, most))
                                      : nice_ticks(range, most);
        if (axis.logarithmic && ticks.size() < 2) ticks = nice_ticks(range, most);
        if (axis.whole) std::erase_if(ticks, [](double t) { return t != std::floor(t); });
        return ticks;
    };
    const auto labels_of = [](const XyAxis& axis, const std::vector<double>& ticks) {
        return axis.logarithmic ? log_tick_labels(ticks) : tick_labels(ticks);
    };
    const auto y_ticks = ticks_of(data_.y, y_map_.range, std::clamp(height / number_room, 2, 9));
    const auto y_labels = labels_of(data_.y, y_ticks);
    const int left = TitleRow::margin + text_row + label_room(y_labels) + 8;
    const int width = std::max(24, size.width() - left - right);
    set_plot_rect({left, top, width, height});
    x_ticks_ = ticks_of(data_.x, x_map_.range, std::clamp(width / 48, 2, 12));
    set_y_ticks(y_ticks, y_labels);
    set_x_ticks(x_ticks_, labels_of(data_.x, x_ticks_));
}

const XyPoint& XyChart::point(int index) const {
    const XyPoint* found = nullptr;
    for_each_point([&](int i, const XySeries&, const XyPoint& p) { found = i == index ? &p : found; });
    return *found;
}

const XyPoint* XyChart::point_at(QPointF where) const {
    const int index = item_at(where);
    return index < 0 ? nullptr : &point(index);
}

int XyChart::item_at(QPointF where) const {
    int nearest = -1;
    double distance = reach;
    if (!plot_rect().adjusted(-6, -6, 6, 6).contains(where.toPoint())) return nearest;
    // Later series lie on top, and dots are more than the line they are on.
    for_each_point([&](int i, const XySeries& s, const XyPoint& p) {
        if (series_hidden(s.key) || !drawable(p) || hides(p)) return;
        const double d = std::hypot(x_pixel(p.x) - where.x(), y_pixel(p.y) - where.y()) +
                         (s.style == XySeries::Style::line ? 4.0 : 0.0);
        if (d <= distance) distance = d, nearest = i;
    });
    return nearest;
}

QString XyChart::value_text(const XyAxis& axis, double value) const {
    const QString number = axis.whole ? text_of(format_count(static_cast<std::int64_t>(std::llround(value))))
                                      : text_of(format_number(value));
    return axis.unit.isEmpty() ? number : number + QChar::Nbsp + axis.unit;
}

TooltipText XyChart::tooltip_of(int index) const {
    TooltipText text;
    const XyPoint& point = this->point(index);
    for_each_point([&](int i, const XySeries& s, const XyPoint&) {
        if (i == index) text.title = s.name;
    });
    text.subtitle = point.label;
    text.rows = {{data_.x.name, value_text(data_.x, point.x)}, {data_.y.name, value_text(data_.y, point.y)}};
    for (std::size_t i = 0; i < point.more.size(); ++i)
        text.rows.push_back({data_.more[i].name, value_text(data_.more[i], point.more[i])});
    if (point.band)
        text.rows.push_back({tr("90 % between"), value_text(data_.y, point.band->lower) + QStringLiteral(" – ") +
                                                     value_text(data_.y, point.band->upper)});
    if (data_.equal_axes && point.x > 0.0)
        text.rows.push_back({tr("error"), text_of(format_change(Fraction{point.y / point.x - 1.0}))});
    text.note = !point.fits ? misfit_note() : point.hollow ? data_.hollow_means : QString();
    return text;
}

void XyChart::choose(int index) {
    set_selected(point(index).id);
    emit point_clicked(point(index).id);
}

/// From point to point in the order of x, so that everything the mouse reads can be read by keys.
int XyChart::item_by_key(int key) const {
    const int step = key == Qt::Key_Right || key == Qt::Key_Up    ? 1
                     : key == Qt::Key_Left || key == Qt::Key_Down ? -1
                                                                  : 0;
    if (step == 0 && key != Qt::Key_Home && key != Qt::Key_End) return -1;
    std::vector<std::pair<double, int>> all;
    for_each_point([&](int i, const XySeries& s, const XyPoint& p) {
        if (!series_hidden(s.key) && drawable(p)) all.emplace_back(p.x, i);
    });
    if (all.empty()) return -1;
    std::sort(all.begin(), all.end());
    const auto now =
        std::find_if(all.begin(), all.end(), [this](const auto& one) { return one.second == hovered_item(); });
    if (key == Qt::Key_End) return all.back().second;
    if (key == Qt::Key_Home || now == all.end()) return all.front().second;
    const std::ptrdiff_t to = now - all.begin() + step, last = static_cast<std::ptrdiff_t>(all.size()) - 1;
    return all[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(to, 0, last))].second;
}

QPointF XyChart::item_place(int index) const { return {x_pixel(point(index).x), y_pixel(point(index).y)}; }

QString XyChart::describe() const {
    QStringList parts;
    for (const XySeries& s : data_.series) {
        int count = 0;
        const XyPoint* last = nullptr;
        for (const XyPoint& p : s.points)
            if (drawable(p)) ++count, last = &p;
        if (!last) continue;
        parts << (count == 1 ? tr("%1: one point").arg(s.name)
                             : tr("%1: %2 points, the last at %3, %4")
                                   .arg(s.name)
                                   .arg(count)
                                   .arg(value_text(data_.x, last->x), value_text(data_.y, last->y)));
    }
    return tr("%1 over %2. %3.").arg(data_.y.name, data_.x.name, parts.join(QStringLiteral("; ")));
}

ChartTable XyChart::table() const {
    ChartTable table;
    bool bands = false, labels = false, hollow = false, misfits = false;
    for (const XySeries& s : data_.series)
        for (const XyPoint& p : s.points)
            bands |= p.band.has_value(), labels |= !p.label.isEmpty(), hollow |= p.hollow, misfits |= !p.fits;
    table.columns = {{QStringLiteral("series"), tr("Series"), {}}};
    if (labels) table.columns.push_back({QStringLiteral("point"), tr("Point"), {}});
    table.columns.push_back({data_.x.key, data_.x.name, data_.x.unit});
    table.columns.push_back({data_.y.key, data_.y.name, data_.y.unit});
    for (const XyAxis& one : data_.more) table.columns.push_back({one.key, one.name, one.unit});
    if (bands) {
        table.columns.push_back({data_.y.key + QStringLiteral("_low"), tr("90 % from"), data_.y.unit});
        table.columns.push_back({data_.y.key + QStringLiteral("_high"), tr("to"), data_.y.unit});
    }
    if (hollow) table.columns.push_back({QStringLiteral("note"), tr("Note"), {}});
    if (misfits) table.columns.push_back(fits_column());
    for (const XySeries& s : data_.series)
        for (const XyPoint& p : s.points) {
            std::vector<ChartCell> row{s.name};
            if (labels) row.emplace_back(p.label);
            row.emplace_back(p.x);
            row.emplace_back(p.y);
            for (std::size_t i = 0; i < data_.more.size(); ++i)
                row.push_back(i < p.more.size() ? ChartCell(p.more[i]) : ChartCell());
            if (bands) {
                row.push_back(p.band ? ChartCell(p.band->lower) : ChartCell());
                row.push_back(p.band ? ChartCell(p.band->upper) : ChartCell());
            }
            if (hollow) row.push_back(p.hollow ? ChartCell(data_.hollow_means) : ChartCell());
            if (misfits) row.push_back(fits_cell(p.fits));
            table.rows.push_back(std::move(row));
        }
    return table;
}

}  // namespace scalescope::ui
