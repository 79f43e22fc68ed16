// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/resource_chart.hpp"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>

#include "core/base/format.hpp"
#include "ui/charts/helpers.hpp"
#include "ui/charts/marks.hpp"

namespace scalescope::ui {

ResourceChart::ResourceChart(QWidget* parent) : DataChart(parent) {
    set_title(tr("A step by updates"));
    set_end_room(52.0);
}

void ResourceChart::rebuild(const ResourceData& before) {
    const bool fresh = before.bars.size() != data_.bars.size();
    std::vector<QString> names;
    std::vector<bool> strong;
    Seconds most;
    for (const ResourceBar& bar : data_.bars) {
        names.push_back(bar.name);
        strong.push_back(bar.total);
        most = std::max(most, bar.from + bar.length);
    }
    set_rows(std::move(names), std::move(strong), 0.0, most.value, fresh);
}

QString ResourceChart::empty_text() const {
    if (!data_.bars.empty()) return {};
    return data_.empty_reason.isEmpty() ? tr("There is nothing to show yet.") : data_.empty_reason;
}

void ResourceChart::paint_rows(QPainter& painter) {
    const Theme& t = look();
    const double scale = paint_scale(painter);
    const QRectF rect(plot_rect());
    for (int i = 0; i < rows(); ++i) {
        const ResourceBar& bar = data_.bars[at(i)];
        const QRectF row = row_box(i);
        const double inset = std::max(2.0, std::floor(row.height() * 0.17));
        const double a = snapped(std::clamp(time_px(bar.from), rect.left(), rect.right() + 1), scale);
        const double end = snapped(std::clamp(time_px(bar.from + bar.length), rect.left(), rect.right() + 1), scale);
        const double b = bar.length.value > 0.0 ? std::max(end, a + 1.0) : a;  // what takes time is seen
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.fillRect(QRectF(a, row.top() + inset, b - a, row.height() - 2 * inset), t.*bar.colour);
        const QString value = text_of(format_number(bar.length.value * per_second(time_unit_)));
        const QFont font = bar.total ? type::table_strong() : type::caption();
        const double width = QFontMetricsF(font).horizontalAdvance(value);
        const bool right = b + 7 + width <= rect.right() + 52;
        painter.setRenderHint(QPainter::Antialiasing);
        draw_label(painter, QRectF(right ? b + 7 : a - 7 - width, row.top(), width, row.height()), Qt::AlignCenter,
                   font, t.text, value);
    }
}

TooltipText ResourceChart::tooltip_of(int row) const {
    const ResourceBar& bar = data_.bars[at(row)];
    TooltipText text;
    text.title = bar.name;
    text.value = text_of(format_time(bar.length));
    text.note = bar.detail;
    return text;
}

QString ResourceChart::describe() const {
    QStringList parts;
    for (const ResourceBar& bar : data_.bars) parts << bar.name + QLatin1Char(' ') + text_of(format_time(bar.length));
    return parts.join(QStringLiteral(", ")) + QLatin1Char('.');
}

ChartTable ResourceChart::table() const {
    ChartTable table;
    const QString ms = QStringLiteral("ms");
    table.columns = {{QStringLiteral("what"), tr("What"), {}},
                     {QStringLiteral("start_ms"), tr("Start"), ms},
                     {QStringLiteral("time_ms"), tr("Time"), ms}};
    for (const ResourceBar& bar : data_.bars)
        table.rows.push_back({bar.name, in_milliseconds(bar.from), in_milliseconds(bar.length)});
    return table;
}

}  // namespace scalescope::ui
