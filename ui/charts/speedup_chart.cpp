// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/plot.hpp"
//
#include "ui/charts/speedup_chart.hpp"

#include <QMenu>
#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

#include "core/base/format.hpp"
#include "ui/charts/helpers.hpp"
#include "ui/charts/marks.hpp"
#include "ui/theme/theme.hpp"

/// Data, layout and hand of the speedup chart; speedup_painting.cpp draws it.
namespace scalescope::ui {
namespace {

constexpr double grab_distance = 6.0;
constexpr Px count_line{21};  // below the drawing, shared with the crosshair's tag
const QString ideal_key = QStringLiteral("ideal"), fitted_key = QStringLiteral("fitted");

bool has_misfit(const SpeedupCurve& curve) {
    return std::any_of(curve.points.begin(), curve.points.end(), [](const SpeedupPoint& p) { return !p.fits; });
}

bool drawable(double speedup) { return std::isfinite(speedup) && speedup > 0.0; }

/// A line across the chart is a row of its own, after those of the curves.
void add_guides(ChartTable& table, const std::vector<GuideLine>& guides) {
    table.columns.push_back({QStringLiteral("wall"), SpeedupChart::tr("Wall"), {}});
    for (auto& row : table.rows) row.resize(table.columns.size());
    for (const GuideLine& line : guides) {
        std::vector<ChartCell> row(table.columns.size());
        row[0] = static_cast<double>(line.workers);
        row[1] = static_cast<double>(line.workers);
        row.back() = line.label;
        table.rows.push_back(std::move(row));
    }
}

/// The fit's counts are its own: they come as rows after those of the analytical curves.
void add_fitted(ChartTable& table, const FittedCurve& fitted) {
    const QString times = QStringLiteral("×");
    const std::size_t first = table.columns.size();
    table.columns.push_back({QStringLiteral("speedup_fitted"), fitted.name, times});
    table.columns.push_back({QStringLiteral("fitted_low_90"), SpeedupChart::tr("Fit, 90 % from"), times});
    table.columns.push_back({QStringLiteral("fitted_high_90"), SpeedupChart::tr("to"), times});
    table.columns.push_back({QStringLiteral("speedup_measured"), SpeedupChart::tr("Measured"), times});
    for (auto& row : table.rows) row.resize(table.columns.size());
    const auto add = [&](const FittedPoint& p, bool measured) {
        std::vector<ChartCell> row(table.columns.size());
        row[0] = p.workers;
        row[1] = p.workers;
        row[measured ? first + 3 : first] = p.speedup;
        if (p.high > 0.0) row[first + 1] = p.low, row[first + 2] = p.high;
        table.rows.push_back(std::move(row));
    };
    for (const FittedPoint& p : fitted.points) add(p, false);
    for (const FittedPoint& p : fitted.measured) add(p, true);
}

}  // namespace

SpeedupChart::SpeedupChart(QWidget* parent) : DataChart(parent) {
    set_title(tr("Speedup"));
    x_map_.logarithmic = y_map_.logarithmic = true;
    x_map_.range = y_map_.range = {1.0, 2.0};
    plot()->xAxis->setScaleType(QCPAxis::stLogarithmic);
    plot()->yAxis->setScaleType(QCPAxis::stLogarithmic);
    // A buffer of its own: while only the crosshair moves, the curves are not drawn again.
    plot()->addLayer(QStringLiteral("crosshair"), plot()->layer(QStringLiteral("overlay")), QCustomPlot::limAbove);
    plot()->layer(QStringLiteral("crosshair"))->setMode(QCPLayer::lmBuffered);
    new Drawing(plot(), QStringLiteral("main"), [this](QPainter& p) { paint_curves(p); });
    new Drawing(plot(), QStringLiteral("crosshair"), [this](QPainter& p) { paint_crosshair(p); });
}

void SpeedupChart::make_sound(SpeedupData& data) const {
    data.max_workers = std::max(data.max_workers, 1);
    data.current = std::clamp(data.current, 1, data.max_workers);
}

void SpeedupChart::rebuild(const SpeedupData& before) {
    workers_ = data_.current;
    if (data_.rate.has_value() != before.rate.has_value()) {
        set_title(data_.rate ? tr("Throughput") : tr("Speedup"));
        y_bottom_ = y_top_ = 1.0;
    }
    data_changed();
}

/// The crosshair goes where the data say, even if they are those of before.
void SpeedupChart::set_data(SpeedupData data) {
    DataChart::set_data(std::move(data));
    set_workers(data_.current);
}

void SpeedupChart::copy_state(const SpeedupChart& other) {
    guides_data_ = other.guides_data_;
    show_guides_ = other.show_guides_;
    workers_ = other.workers_;
    y_bottom_ = other.y_bottom_;
}

void SpeedupChart::set_workers(int workers) {
    workers = std::clamp(workers, 1, data_.max_workers);
    if (workers == workers_) return;
    workers_ = workers;
    repaint_crosshair();
}

void SpeedupChart::repaint_crosshair() {
    if (crosshair_queued_ || !isVisible()) return;
    crosshair_queued_ = true;
    QMetaObject::invokeMethod(
        this,
        [this] {
            crosshair_queued_ = false;
            if (const QString text = description(); text != accessibleDescription()) setAccessibleDescription(text);
            plot()->layer(QStringLiteral("crosshair"))->replot();
        },
        Qt::QueuedConnection);
}

std::vector<LegendEntry> SpeedupChart::legend(const Theme& look) const {
    std::vector<LegendEntry> entries;
    for (int i = 0; i < static_cast<int>(data_.curves.size()); ++i) {
        const SpeedupCurve& curve = data_.curves[at(i)];
        entries.push_back(LegendEntry::line(curve_key(i), curve.name,
                                            curve_pen(look, curve.look, i == data_.shown ? 2.5 : 1.5),
                                            curve_marker(curve.look)));
    }
    entries.push_back(LegendEntry::line(ideal_key, tr("Ideal"), dashed_pen(look.ideal, 1.25, {1.25, 2.5})));
    for (std::size_t i = 0; i < data_.pins.size(); ++i)
        entries.push_back(LegendEntry::line(pin_key(i), data_.pins[i].name, pin_pen(look, static_cast<int>(i), 1.5)));
    if (data_.fitted) {
        entries.push_back(LegendEntry::line(fitted_key, data_.fitted->name, QPen(look.accent, 1.5), Marker::disc));
        entries.back().short_name = tr("Fit");
    }
    if (std::any_of(data_.curves.begin(), data_.curves.end(), has_misfit) ||
        std::any_of(data_.pins.begin(), data_.pins.end(), has_misfit))
        entries.push_back(misfit_point_entry(look));
    return entries;
}

QString SpeedupChart::empty_text() const {
    const auto has_value = [](const SpeedupCurve& curve) {
        return std::any_of(curve.points.begin(), curve.points.end(),
                           [](const SpeedupPoint& p) { return drawable(p.speedup); });
    };
    if (std::any_of(data_.curves.begin(), data_.curves.end(), has_value)) return {};
    return data_.empty_reason.isEmpty() ? tr("No count can be run.") : data_.empty_reason;
}

Chart::Extent SpeedupChart::extent() const {
    const double left = first();
    const Range all{left, std::max(2.0 * left, static_cast<double>(data_.max_workers))};
    return {all, all, 2.0, Zooming::x_and_y, false};
}

Range SpeedupChart::needed_y() const {
    double least = data_.rate ? std::numeric_limits<double>::infinity() : 1.0, most = data_.rate ? 0.0 : 2.0;
    const auto take = [&](const SpeedupCurve& curve) {
        for (const SpeedupPoint& p : curve.points)
            if (drawable(p.speedup) && p.workers >= first())
                least = std::min(least, p.speedup), most = std::max(most, p.speedup);
    };
    for (int i = 0; i < static_cast<int>(data_.curves.size()); ++i)
        if (!series_hidden(curve_key(i))) take(data_.curves[at(i)]);
    for (std::size_t i = 0; i < data_.pins.size(); ++i)
        if (!series_hidden(pin_key(i))) take(data_.pins[i]);
    if (data_.fitted && !series_hidden(fitted_key))
        for (const auto* points : {&data_.fitted->points, &data_.fitted->measured})
            for (const FittedPoint& p : *points)
                if (drawable(p.speedup) && p.workers <= data_.max_workers)
                    least = std::min(least, p.speedup), most = std::max(most, p.speedup);
    if (!series_hidden(ideal_key)) most = std::max(most, ideal(data_.max_workers));
    return least < most ? Range{least, most} : Range{1.0, 2.0};
}

int SpeedupChart::least_below_title() const {
    return low_top + least_drawing + count_line + caption_line + bottom_margin;
}

void SpeedupChart::arrange(QSize size) {
    const Range need = needed_y();
    // Ends are powers of two (below 1: of four), so the axis keeps still until a curve crosses one of them.
    const double top = series_hidden(ideal_key) ? std::exp2(std::ceil(std::log2(need.upper) - 1e-9)) : need.upper;
    if (top > y_top_ || top < y_top_ / 2.0 || !series_hidden(ideal_key)) y_top_ = top;
    const double bottom = std::exp2(2.0 * std::floor(std::log2(need.lower) / 2.0 + 1e-9));
    if (bottom < y_bottom_ || need.lower > y_bottom_ * 8.0 || bottom == 1.0) y_bottom_ = bottom;
    if (data_.rate) y_bottom_ = need.lower, y_top_ = need.upper * 1.05;
    y_map_.range = chosen_y().value_or(Range{y_bottom_, y_top_});
    x_map_.range = shown_x();

    const int plot_top = title_height() + (size.height() < 170 ? low_top : 12), right = 18;
    const int caption = data_.caption.isEmpty() ? 0 : caption_line;
    const int height = std::max(24, size.height() - plot_top - count_line - caption - bottom_margin);
    const int most = std::clamp(height / Px{17}, 2, 9);
    std::vector<double> y_ticks = data_.rate ? decade_ticks(y_map_.range, most) : power_ticks(y_map_.range, 4, most);
    if (!data_.rate && y_ticks.size() < 3) y_ticks = power_ticks(y_map_.range, 2, most);
    if (y_ticks.size() < 2) y_ticks = nice_ticks(y_map_.range, std::min(most, 6));
    const std::vector<QString> y_labels = data_.rate ? log_tick_labels(y_ticks) : power_tick_labels(y_ticks);
    // Zooming in makes shorter labels: what is under the cursor must not slide away with them.
    label_room_ = chosen_y() ? std::max(label_room_, label_room(y_labels)) : label_room(y_labels);
    const int left = TitleRow::margin + label_room_ + 8;
    const int width = std::max(24, size.width() - left - right);
    set_plot_rect({left, plot_top, width, height});
    x_ticks_ = power_ticks(x_map_.range, 2, std::max(2, width / Px{30}));
    constexpr double few_powers = 8.0;  // beyond, round numbers would crowd at the right end
    if (x_ticks_.size() < 3 && x_map_.range.upper / x_map_.range.lower < few_powers) {  // whole counts
        x_ticks_ = nice_ticks(x_map_.range, std::clamp(width / Px{44}, 2, 9));
        x_ticks_.erase(std::remove_if(x_ticks_.begin(), x_ticks_.end(), [](double t) { return t != std::floor(t); }),
                       x_ticks_.end());
    }
    std::vector<std::vector<QPointF>> drawn;
    if (show_guides_ && !guides_data_.empty())
        for (std::size_t i = 0; i < data_.curves.size(); ++i)
            if (!series_hidden(curve_key(static_cast<int>(i)))) drawn.push_back(pixels(data_.curves[i]));
    guides_.arrange(guides_data_, QRectF(plot_rect()), x_map_, drawn);
    set_y_ticks(y_ticks, y_labels);
    // The labels on x share the crosshair's layer, which leaves out what its tag covers.
    set_x_ticks(x_ticks_, std::vector<QString>(x_ticks_.size()));
}

SpeedupChart::Reading SpeedupChart::reading(int index, int workers) const {
    constexpr double nothing = std::numeric_limits<double>::quiet_NaN();
    if (index < 0 || at(index) >= data_.curves.size()) return {nothing, false, {}};
    const std::vector<SpeedupPoint>& points = data_.curves[at(index)].points;
    const auto after = std::lower_bound(points.begin(), points.end(), workers,
                                        [](const SpeedupPoint& p, int n) { return p.workers < n; });
    if (after == points.end()) return {nothing, false, {}};
    if (after->workers == workers)
        return {drawable(after->speedup) ? after->speedup : nothing, true, after->reason, after->fits};
    if (after == points.begin()) return {nothing, false, {}};
    const auto before = after - 1;
    if (!drawable(before->speedup) || !drawable(after->speedup))
        return {nothing, false, drawable(before->speedup) ? after->reason : before->reason};
    // Between two computed counts: where the drawn line passes.
    const double share = std::log(static_cast<double>(workers) / before->workers) /
                         std::log(static_cast<double>(after->workers) / before->workers);
    return {
        before->speedup * std::pow(after->speedup / before->speedup, share), false, {}, before->fits && after->fits};
}

bool SpeedupChart::on_crosshair(QPointF where) const {
    const QRect area = plot_rect().adjusted(-6, -8, 6, 22);
    return area.contains(where.toPoint()) && std::abs(where.x() - crosshair_x()) <= grab_distance;
}

bool SpeedupChart::take_hold(QPointF where) {
    // The tag on the axis is wider than the line and takes the hand as well.
    const bool on_tag = std::abs(where.x() - crosshair_x()) <= 16 && where.y() > plot_rect().bottom() &&
                        where.y() < plot_rect().bottom() + 22;
    if (!on_crosshair(where) && !on_tag) return false;
    grabbed_at_ = where.x() - crosshair_x();
    hovered_ = 0;
    return true;
}

void SpeedupChart::drag_to(QPointF where) {
    const double value = x_map_.value(std::clamp(where.x() - grabbed_at_, x_map_.from_px, x_map_.to_px));
    move_to(static_cast<int>(std::lround(value)));
}

void SpeedupChart::move_to(int workers) {
    workers = std::clamp(workers, 1, data_.max_workers);
    if (workers == workers_) return;
    workers_ = workers;
    repaint_crosshair();
    emit workers_dragged(workers);
}

void SpeedupChart::let_go() { emit workers_drag_finished(); }

Qt::CursorShape SpeedupChart::cursor_at(QPointF where) const {
    return on_crosshair(where) ? Qt::SplitHCursor : Qt::ArrowCursor;
}

bool SpeedupChart::use_key(int key, Qt::KeyboardModifiers) {
    int to = workers_;
    const double power = std::log2(static_cast<double>(workers_));
    switch (key) {
        case Qt::Key_Right:
        case Qt::Key_Up: to = workers_ + 1; break;
        case Qt::Key_Left:
        case Qt::Key_Down: to = workers_ - 1; break;
        case Qt::Key_PageUp: to = static_cast<int>(std::lround(std::exp2(std::floor(power + 1e-9) + 1.0))); break;
        case Qt::Key_PageDown: to = static_cast<int>(std::lround(std::exp2(std::ceil(power - 1e-9) - 1.0))); break;
        case Qt::Key_Home: to = first(); break;
        case Qt::Key_End: to = data_.max_workers; break;
        default: return false;
    }
    const int before = workers_;
    move_to(to);
    if (workers_ != before) emit workers_drag_finished();
    return true;
}

void SpeedupChart::hover(QPointF where) {
    const bool inside = plot_rect().adjusted(-4, -4, 4, 4).contains(where.toPoint());
    int nearest = 0;
    double distance = 24.0;  // px: where no count was computed nothing is claimed
    if (inside) {
        for (const SpeedupCurve& curve : data_.curves)
            for (const SpeedupPoint& point : curve.points)
                if (const double d = std::abs(x_map_.px(point.workers) - where.x()); d < distance)
                    distance = d, nearest = point.workers;
    }
    if (nearest != hovered_) {
        hovered_ = nearest;
        repaint_crosshair();
    }
    const int guide = inside && show_guides_ ? guides_.line_at(where) : -1;
    if (guide >= 0) {
        const GuideLine& line = guides_data_[at(guide)];
        TooltipText text = tooltip_at(line.workers);
        text.note.prepend(line.sentence + (text.note.isEmpty() ? QString() : QStringLiteral("\n")));
        say(text, where);
    } else if (nearest == 0) {
        say_nothing();
    } else {
        say(tooltip_at(nearest), where);
    }
}

void SpeedupChart::add_options(QMenu& menu) {
    QAction* walls = menu.addAction(tr("Mark the walls"));
    walls->setCheckable(true);
    walls->setChecked(show_guides_);
    connect(walls, &QAction::toggled, this, &SpeedupChart::show_guides);
}

void SpeedupChart::set_guides(std::vector<GuideLine> guides) {
    if (guides == guides_data_) return;
    guides_data_ = std::move(guides);
    data_changed();
}

void SpeedupChart::show_guides(bool shown) {
    if (shown == show_guides_) return;
    show_guides_ = shown;
    data_changed();
    emit view_changed();
}

void SpeedupChart::leave() {
    if (hovered_ == 0) return;
    hovered_ = 0;
    repaint_crosshair();
}

TooltipText SpeedupChart::tooltip_at(int workers) const {
    TooltipText text;
    text.title = text_of(data_.words.count(workers));
    std::vector<std::pair<double, TooltipText::Row>> rows;
    QStringList reasons;
    for (int i = 0; i < static_cast<int>(data_.curves.size()); ++i) {
        const Reading r = reading(i, workers);
        QString value = text_of(std::string(no_value));
        if (drawable(r.speedup)) {
            value = text_of_value(r.speedup) + QStringLiteral("  ") +
                    text_of(format_percent(Fraction{r.speedup / ideal(workers)}));
            if (!r.exact) value.prepend(QStringLiteral("≈ "));
            if (!r.fits) reasons << tr("%1: does not fit into memory").arg(data_.curves[at(i)].name);
        } else if (!r.reason.isEmpty()) {
            const QString line = data_.curves[at(i)].name + QStringLiteral(": ") + r.reason;
            if (!reasons.contains(line)) reasons << line;
        }
        rows.push_back({drawable(r.speedup) ? r.speedup : -1.0,
                        {data_.curves[at(i)].name, value, TooltipText::Row::Mark::box,
                         curve_colour(theme(), data_.curves[at(i)].look)}});
    }
    // In the order in which the curves lie over each other.
    std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    for (auto& row : rows) text.rows.push_back(std::move(row.second));
    if (data_.fitted && !series_hidden(fitted_key)) {
        const auto& points = data_.fitted->points;
        const auto near = std::min_element(points.begin(), points.end(), [&](const auto& a, const auto& b) {
            return std::abs(a.workers - workers) < std::abs(b.workers - workers);
        });
        if (near != points.end() && std::abs(near->workers - workers) <= 0.1 * workers) {
            QString value = text_of(format_ratio(near->speedup));
            if (near->high > 0.0)
                value += QStringLiteral("  (%1 – %2)")
                             .arg(text_of(format_ratio(near->low)), text_of(format_ratio(near->high)));
            text.rows.push_back({near->extrapolated ? tr("Fit, extrapolated") : tr("Fit"), value,
                                 TooltipText::Row::Mark::box, theme().accent});
        }
    }
    text.subtitle =
        data_.rate ? tr("rate, and efficiency over the smallest count that fits") : tr("speedup and efficiency");
    text.note = reasons.join(QLatin1Char('\n'));
    return text;
}

QString SpeedupChart::describe() const {
    QStringList parts;
    for (int i = 0; i < static_cast<int>(data_.curves.size()); ++i) {
        const Reading r = reading(i, workers_);
        QString value = drawable(r.speedup)  ? text_of_value(r.speedup)
                        : r.reason.isEmpty() ? tr("no value")
                                             : tr("not possible (%1)").arg(r.reason);
        if (drawable(r.speedup) && !r.fits) value += tr(" (does not fit into memory)");
        parts << data_.curves[at(i)].name + QLatin1Char(' ') + value;
    }
    QString text =
        (data_.rate ? tr("Throughput on %1: %2. Ideal would be %3.") : tr("Speedup on %1: %2. Ideal would be %3."))
            .arg(text_of(data_.words.count(workers_)), parts.join(QStringLiteral(", ")),
                 text_of_value(ideal(workers_)));
    if (show_guides_)
        for (const GuideLine& line : guides_data_) text += QLatin1Char(' ') + line.sentence;
    return text;
}

QString SpeedupChart::text_of_value(double value) const {
    return data_.rate ? text_of(format_number(value)) + QChar::Nbsp + data_.rate->unit : text_of(format_ratio(value));
}

ChartTable SpeedupChart::table() const {
    ChartTable table;
    const QString key = data_.rate ? data_.rate->key + QLatin1Char('_') : QStringLiteral("speedup_");
    table.columns.push_back({text_of(data_.words.many), capital_of(data_.words.training), {}});
    table.columns.push_back({key + QStringLiteral("ideal"), tr("Ideal"), unit_text()});
    std::vector<const SpeedupCurve*> curves;
    for (const SpeedupCurve& curve : data_.curves) curves.push_back(&curve);
    for (const SpeedupCurve& pin : data_.pins) curves.push_back(&pin);
    std::set<int> counts;
    for (const SpeedupCurve* curve : curves) {
        table.columns.push_back({key + curve->name, curve->name, unit_text()});
        for (const SpeedupPoint& point : curve->points) counts.insert(point.workers);
    }
    table.columns.push_back({QStringLiteral("not_possible_because"), tr("Not possible because"), {}});
    const bool misfits =
        std::any_of(curves.begin(), curves.end(), [](const SpeedupCurve* c) { return has_misfit(*c); });
    if (misfits) table.columns.push_back({QStringLiteral("does_not_fit"), tr("Does not fit into memory"), {}});
    std::vector<std::size_t> next(curves.size(), 0);
    for (const int count : counts) {
        std::vector<ChartCell> row{static_cast<double>(count), ideal(count)};
        QStringList reasons, too_large;
        for (std::size_t c = 0; c < curves.size(); ++c) {
            const std::vector<SpeedupPoint>& points = curves[c]->points;
            const bool here = next[c] < points.size() && points[next[c]].workers == count;
            row.push_back(here && drawable(points[next[c]].speedup) ? ChartCell(points[next[c]].speedup) : ChartCell());
            if (!here) continue;
            const QString& reason = points[next[c]].reason;
            if (!reason.isEmpty() && !reasons.contains(reason)) reasons << reason;
            if (!points[next[c]].fits) too_large << curves[c]->name;
            ++next[c];
        }
        row.push_back(reasons.join(QStringLiteral("; ")));
        if (misfits) row.push_back(too_large.join(QStringLiteral("; ")));
        table.rows.push_back(std::move(row));
    }
    if (data_.fitted) add_fitted(table, *data_.fitted);
    if (show_guides_ && !guides_data_.empty()) add_guides(table, guides_data_);
    return table;
}

}  // namespace scalescope::ui
