// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/waterfall_chart.hpp"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "core/base/format.hpp"
#include "ui/charts/helpers.hpp"
#include "ui/charts/marks.hpp"
#include "ui/theme/theme.hpp"

namespace scalescope::ui {
namespace {

const QString adds_key = QStringLiteral("adds"), takes_key = QStringLiteral("takes");

}  // namespace

WaterfallChart::WaterfallChart(QWidget* parent) : RowChart(parent) {
    set_title(tr("From PALEO to corrected"));
    set_end_room(52.0);
}

void WaterfallChart::set_data(WaterfallData data) {
    if (data == data_) return;
    const bool fresh = data.steps.size() != data_.steps.size() || data.start_name != data_.start_name;
    data_ = std::move(data);
    bars_.clear();
    if (!empty_text().isEmpty()) return set_rows({}, {}, {}, {}, fresh);
    Seconds now = data_.start, least{}, most = std::max(data_.start, data_.end);
    bars_.push_back({data_.start_name, {}, {}, data_.start, true});
    const auto add = [&](const QString& name, const QString& detail, Seconds change) {
        bars_.push_back({name, detail, now, now + change, false});
        now += change;
        least = std::min(least, now);
        most = std::max(most, now);
    };
    for (const WaterfallStep& step : data_.steps) add(step.name, step.detail, step.change);
    // The bars must lead to the end; what the steps do not explain is shown, not swallowed.
    const Seconds rest = data_.end - now;
    if (std::abs(rest.value) > 1e-9 * std::abs(most.value))
        add(tr("together, beyond each alone"), tr("Steps act on one another; this is what their sum leaves over."),
            rest);
    bars_.push_back({data_.end_name, {}, {}, data_.end, true});

    std::vector<QString> names;
    std::vector<bool> strong;
    for (const Bar& bar : bars_) {
        names.push_back(bar.name);
        strong.push_back(bar.total);
    }
    set_rows(std::move(names), std::move(strong), least, most, fresh);
}

std::vector<LegendEntry> WaterfallChart::legend(const Theme& look) const {
    return {{adds_key, tr("adds time"), tr("adds"), LegendEntry::Mark::box, look.worse, {}, {}, false},
            {takes_key, tr("takes time away"), tr("takes"), LegendEntry::Mark::box, look.better, {}, {}, false}};
}

QString WaterfallChart::empty_text() const {
    const bool finite = std::isfinite(data_.start.value) && std::isfinite(data_.end.value) &&
                        std::all_of(data_.steps.begin(), data_.steps.end(),
                                    [](const WaterfallStep& s) { return std::isfinite(s.change.value); });
    if (!finite) return tr("One of these times is no finite number.");
    if (data_.start.value > 0.0 || data_.end.value > 0.0) return {};
    return data_.empty_reason.isEmpty() ? tr("There is nothing to compare yet.") : data_.empty_reason;
}

bool WaterfallChart::shown(const Bar& bar) const {
    return bar.total || !series_hidden(bar.to < bar.from ? takes_key : adds_key);
}

void WaterfallChart::paint_rows(QPainter& painter) {
    const Theme& t = look();
    const double scale = paint_scale(painter);
    const QRectF rect(plot_rect());
    for (int i = 0; i < rows(); ++i) {
        const Bar& bar = bars_[at(i)];
        const QRectF row = row_box(i);
        const double inset = std::max(2.0, std::floor(row.height() * 0.17));
        const double a = snapped(std::clamp(time_px(std::min(bar.from, bar.to)), rect.left(), rect.right() + 1), scale);
        double b = snapped(std::clamp(time_px(std::max(bar.from, bar.to)), rect.left(), rect.right() + 1), scale);
        b = std::max(b, a + 1.0);  // a change too small to see is still somewhere
        const double ends_at = time_px(bar.to);
        painter.setRenderHint(QPainter::Antialiasing, false);
        if (i + 1 < rows() && ends_at >= rect.left() && ends_at <= rect.right() + 1) {
            const double x = std::min(snapped(ends_at, scale), rect.right());
            painter.fillRect(QRectF(x, row.bottom() - inset, 1.0, 2 * inset), t.ideal);  // leads to the next row
        }
        if (!shown(bar)) continue;
        const QColor colour = bar.total ? (i == 0 ? t.update : t.text) : bar.to < bar.from ? t.better : t.worse;
        painter.fillRect(QRectF(a, row.top() + inset, b - a, row.height() - 2 * inset), colour);

        const double k = per_second(time_unit_);
        const QString value =
            text_of(bar.total ? format_number(bar.to.value * k) : format_signed((bar.to - bar.from).value * k));
        QFont font = bar.total ? type::table_strong() : type::caption();
        if (!bar.total) font.setWeight(QFont::Medium);
        const double width = QFontMetricsF(font).horizontalAdvance(value);
        const bool right = b + 7 + width <= rect.right() + 14;
        const QRectF box(right ? b + 7 : std::max(a - 7 - width, rect.left() + 2), row.top(), width, row.height());
        painter.setRenderHint(QPainter::Antialiasing);
        const bool over = !right && a - 7 - width < rect.left() + 2;  // no room on either side: on the bar itself
        draw_label(painter, box, Qt::AlignCenter, font, over ? text_on(colour) : t.text, value);
    }
}

TooltipText WaterfallChart::tooltip_of_row(int row) const {
    const Bar& bar = bars_[at(row)];
    TooltipText text;
    text.title = bar.name;
    if (bar.total) {
        text.value = text_of(format_time(bar.to));
        return text;
    }
    const double k = per_second(time_unit_);
    const auto shown_time = [&](Seconds s) {
        return text_of(format_fixed(s.value * k, 2)) + QChar::Nbsp + unit_name(time_unit_);
    };
    text.value = text_of(format_signed((bar.to - bar.from).value * k)) + QChar::Nbsp + unit_name(time_unit_);
    if (data_.start.value > 0.0)
        text.subtitle =
            tr("%1 of %2").arg(text_of(format_change(Fraction{(bar.to - bar.from) / data_.start})), data_.start_name);
    text.rows = {{tr("before"), shown_time(bar.from), TooltipText::Row::Mark::none, {}},
                 {tr("after"), shown_time(bar.to), TooltipText::Row::Mark::none, {}}};
    text.note = bar.detail;
    return text;
}

QString WaterfallChart::describe() const {
    if (const QString nothing = empty_text(); !nothing.isEmpty()) return nothing;
    QString text = tr("From %1 with %2 to %3 with %4 in %5 steps.")
                       .arg(data_.start_name, text_of(format_time(data_.start)), data_.end_name,
                            text_of(format_time(data_.end)), QString::number(data_.steps.size()));
    const auto size = [](const WaterfallStep& s) { return std::abs(s.change.value); };
    const auto largest =
        std::max_element(data_.steps.begin(), data_.steps.end(),
                         [&](const WaterfallStep& a, const WaterfallStep& b) { return size(a) < size(b); });
    if (largest != data_.steps.end())
        text += tr(" The largest is %1: %2 ms.")
                    .arg(largest->name, text_of(format_signed(in_milliseconds(largest->change))));
    return text;
}

ChartTable WaterfallChart::table() const {
    ChartTable table;
    const QString ms = QStringLiteral("ms");
    table.columns = {{QStringLiteral("step"), tr("Step"), {}},
                     {QStringLiteral("change_ms"), tr("Change"), ms},
                     {QStringLiteral("after_ms"), tr("After it"), ms},
                     {QStringLiteral("detail"), tr("What it does"), {}}};
    for (const Bar& bar : bars_)
        table.rows.push_back({bar.name, bar.total ? ChartCell() : ChartCell(in_milliseconds(bar.to - bar.from)),
                              in_milliseconds(bar.to), bar.detail});
    return table;
}

std::unique_ptr<Chart> WaterfallChart::copy() const {
    auto other = std::make_unique<WaterfallChart>();
    other->set_data(data_);
    return other;
}

}  // namespace scalescope::ui
