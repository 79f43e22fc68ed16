// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/waterfall_chart.hpp"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "core/base/format.hpp"
#include "ui/charts/helpers.hpp"
#include "ui/charts/marks.hpp"
#include "ui/charts/misfit.hpp"
#include "ui/theme/theme.hpp"

namespace scalescope::ui {
namespace {

const QString adds_key = QStringLiteral("adds"), takes_key = QStringLiteral("takes");
constexpr double foot_gap = 6.0;
constexpr int least_foot_lines = 2;
constexpr double readable_row = 15.0, least_around = 32.0;

}  // namespace

WaterfallChart::WaterfallChart(QWidget* parent) : DataChart(parent) {
    set_title(tr("From PALEO to corrected"));
    set_end_room(52.0);
}

void WaterfallChart::rebuild(const WaterfallData& before) {
    const bool fresh = before.steps.size() != data_.steps.size() || before.start_name != data_.start_name ||
                       before.quantity != data_.quantity;
    if (!data_.title.isEmpty()) set_title(data_.title);
    set_end_room(data_.quantity ? 70.0 : 52.0);
    bars_.clear();
    if (!empty_text().isEmpty()) return set_rows({}, {}, 0.0, 0.0, fresh);
    double now = data_.start, least = 0.0, most = std::max(data_.start, data_.end);
    bars_.push_back({data_.start_name, {}, {}, 0.0, data_.start, true, data_.start_fits});
    const auto add = [&](const QString& name, const QString& detail, const QString& id, double change) {
        bars_.push_back({name, detail, id, now, now + change, false, true});
        now += change;
        least = std::min(least, now);
        most = std::max(most, now);
    };
    for (const WaterfallStep& step : data_.steps) add(step.name, step.detail, step.id, step.change);
    // The bars must lead to the end; what the steps do not explain is shown, not swallowed.
    const double rest = data_.end - now;
    if (std::abs(rest) > 1e-9 * std::abs(most))
        add(tr("together, beyond each alone"),
            tr("The steps interact; this is the part that their sum does not explain."), {}, rest);
    bars_.push_back({data_.end_name, {}, {}, 0.0, data_.end, true, data_.end_fits});

    std::vector<QString> names;
    std::vector<bool> strong;
    for (const Bar& bar : bars_) {
        names.push_back(bar.name);
        strong.push_back(bar.total);
    }
    set_rows(std::move(names), std::move(strong), least, most, fresh);
}

double WaterfallChart::fit_unit(double largest) { return data_.quantity ? 1.0 : RowChart::fit_unit(largest); }

QString WaterfallChart::shown_unit() const { return data_.quantity ? data_.quantity->unit : unit_name(time_unit_); }

QString WaterfallChart::unit_text() const {
    if (!data_.quantity) return RowChart::unit_text();
    return data_.quantity->unit.isEmpty() ? QString() : data_.quantity->unit;
}

QString WaterfallChart::whole_text(double value) const {
    if (!data_.quantity) return text_of(format_time(Seconds{value}));
    const QString number = text_of(format_number(value, 4, 4));
    return data_.quantity->unit.isEmpty() ? number : number + QChar::Nbsp + data_.quantity->unit;
}

bool WaterfallChart::better(const Bar& bar) const {
    return (bar.to > bar.from) == (data_.quantity && data_.quantity->larger_is_better);
}

std::vector<LegendEntry> WaterfallChart::legend(const Theme& look) const {
    const bool time = !data_.quantity, more = !time && data_.quantity->larger_is_better;
    std::vector<LegendEntry> entries{
        LegendEntry::box(adds_key,
                         time   ? tr("adds time")
                         : more ? tr("more: better")
                                : tr("more: worse"),
                         more ? look.better : look.worse, time ? tr("adds") : tr("more")),
        LegendEntry::box(takes_key,
                         time   ? tr("takes time away")
                         : more ? tr("less: worse")
                                : tr("less: better"),
                         more ? look.worse : look.better, time ? tr("takes") : tr("less"))};
    if (has_misfit()) entries.push_back(misfit_entry(look));
    return entries;
}

QString WaterfallChart::empty_text() const {
    const bool finite = std::isfinite(data_.start) && std::isfinite(data_.end) &&
                        std::all_of(data_.steps.begin(), data_.steps.end(),
                                    [](const WaterfallStep& s) { return std::isfinite(s.change); });
    if (!finite)
        return data_.quantity ? tr("One of these figures is not a finite number.")
                              : tr("One of these times is not a finite number.");
    if (data_.start > 0.0 || data_.end > 0.0) return {};
    return data_.empty_reason.isEmpty() ? tr("There is nothing to compare yet.") : data_.empty_reason;
}

bool WaterfallChart::shown(const Bar& bar) const {
    if (bar.total) return bar.fits || !series_hidden(misfit_key);
    return !series_hidden(bar.to < bar.from ? takes_key : adds_key);
}

/// The room below the rows is as high as the foot is at this width, but leaves the rows theirs.
void WaterfallChart::arrange(QSize size) {
    foot_box_ = {};
    if (!data_.foot.isEmpty() && empty_text().isEmpty()) {
        const QRectF column(TitleRow::margin, 0, size.width() - 2 * TitleRow::margin, 1000);
        const QFontMetricsF metrics(type::caption());
        const double line = metrics.height(),
                     whole = metrics.boundingRect(column, Qt::TextWordWrap, data_.foot).height(),
                     spare = size.height() - title_height() - readable_row * rows() - least_around;
        const double lines = std::clamp(std::floor(spare / line), double{least_foot_lines}, std::ceil(whole / line));
        const double height = lines * line + foot_gap;
        foot_box_ = QRectF(column.left(), size.height() - height - 4, column.width(), height);
        size.rheight() -= static_cast<int>(std::ceil(height));
    }
    RowChart::arrange(size);
}

int WaterfallChart::least_below_title() const {
    const double line = QFontMetricsF(type::caption()).height();
    return RowChart::least_below_title() +
           (data_.foot.isEmpty() ? 0 : static_cast<int>(std::ceil(least_foot_lines * line + foot_gap)));
}

void WaterfallChart::paint_foot(QPainter& painter) {
    if (foot_box_.isEmpty()) return;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setFont(type::caption());
    painter.setPen(look().secondary);
    // As many words as there is room for; the whole stands in the description and in the tooltips.
    const QFontMetricsF metrics(type::caption());
    const QRectF box = foot_box_.adjusted(0, 0, 0, -foot_gap);
    QString shown = data_.foot;
    while (metrics.boundingRect(QRectF(box.topLeft(), QSizeF(box.width(), 1000)), Qt::TextWordWrap, shown).height() >
               box.height() + 1 &&
           shown.contains(QLatin1Char(' ')))
        shown = shown.left(shown.lastIndexOf(QLatin1Char(' '))) + QString(QChar(0x2026));
    painter.drawText(foot_box_, Qt::TextWordWrap | Qt::AlignLeft | Qt::AlignTop, shown);
}

void WaterfallChart::paint_rows(QPainter& painter) {
    const Theme& t = look();
    const double scale = paint_scale(painter), k = per_value();
    const QRectF rect(plot_rect());
    for (int i = 0; i < rows(); ++i) {
        const Bar& bar = bars_[at(i)];
        const QRectF row = row_box(i);
        const double inset = std::max(2.0, std::floor(row.height() * 0.17));
        const double a = snapped(std::clamp(px(std::min(bar.from, bar.to)), rect.left(), rect.right() + 1), scale);
        double b = snapped(std::clamp(px(std::max(bar.from, bar.to)), rect.left(), rect.right() + 1), scale);
        b = std::max(b, a + 1.0);  // a change too small to see is still somewhere
        const double ends_at = px(bar.to);
        painter.setRenderHint(QPainter::Antialiasing, false);
        if (i + 1 < rows() && ends_at >= rect.left() && ends_at <= rect.right() + 1) {
            const double x = std::min(snapped(ends_at, scale), rect.right());
            painter.fillRect(QRectF(x, row.bottom() - inset, 1.0, 2 * inset), t.ideal);  // leads to the next row
        }
        if (!shown(bar)) continue;
        const QColor colour = bar.total ? (i == 0 ? t.update : t.text) : better(bar) ? t.better : t.worse;
        const QRectF drawn(a, row.top() + inset, b - a, row.height() - 2 * inset);
        painter.fillRect(drawn, colour);
        if (!bar.fits) draw_misfit_bar(painter, drawn, t);

        const double number = (bar.total ? bar.to : bar.to - bar.from) * k;
        const QString value = text_of(bar.total ? format_number(number) : format_signed(number));
        QFont font = bar.total ? type::table_strong() : type::caption();
        if (!bar.total) font.setWeight(QFont::Medium);
        const double width = QFontMetricsF(font).horizontalAdvance(value);
        const bool right = b + 7 + width <= rect.right() + 14;
        const QRectF box(right ? b + 7 : std::max(a - 7 - width, rect.left() + 2), row.top(), width, row.height());
        painter.setRenderHint(QPainter::Antialiasing);
        const bool over = !right && a - 7 - width < rect.left() + 2;  // no room on either side: on the bar itself
        draw_label(painter, box, Qt::AlignCenter, font, over ? text_on(colour) : t.text, value);
    }
    paint_foot(painter);
}

TooltipText WaterfallChart::tooltip_of(int row) const {
    const Bar& bar = bars_[at(row)];
    TooltipText text;
    text.title = bar.name;
    if (bar.total) {
        text.value = whole_text(bar.to);
        text.note = bar.fits ? data_.foot : misfit_note();
        return text;
    }
    const double k = per_value();
    const QString unit = shown_unit().isEmpty() ? QString() : QChar::Nbsp + shown_unit();
    const auto value_text = [&](double value) {
        return text_of(data_.quantity ? format_number(value * k, 4, 4) : format_fixed(value * k, 2)) + unit;
    };
    text.value = text_of(format_signed((bar.to - bar.from) * k)) + unit;
    if (data_.start > 0.0)
        text.subtitle =
            tr("%1 of %2").arg(text_of(format_change(Fraction{(bar.to - bar.from) / data_.start})), data_.start_name);
    text.rows = {{tr("before"), value_text(bar.from)}, {tr("after"), value_text(bar.to)}};
    text.note = bar.detail;
    return text;
}

QString WaterfallChart::describe() const {
    QString misfits;
    for (const Bar& bar : bars_)
        if (!bar.fits) misfits += QStringLiteral("%1: %2 ").arg(bar.name, misfit_note());
    if (!data_.foot.isEmpty()) return misfits + data_.foot;
    QString text = misfits + tr("From %1 with %2 to %3 with %4 in %5 steps.")
                                 .arg(data_.start_name, whole_text(data_.start), data_.end_name, whole_text(data_.end),
                                      QString::number(data_.steps.size()));
    const auto size = [](const WaterfallStep& s) { return std::abs(s.change); };
    const auto largest =
        std::max_element(data_.steps.begin(), data_.steps.end(),
                         [&](const WaterfallStep& a, const WaterfallStep& b) { return size(a) < size(b); });
    if (largest != data_.steps.end())
        text += data_.quantity
                    ? tr(" The largest is %1: %2.").arg(largest->name, text_of(format_signed(largest->change)))
                    : tr(" The largest is %1: %2 ms.")
                          .arg(largest->name, text_of(format_signed(in_milliseconds(Seconds{largest->change}))));
    return text;
}

ChartTable WaterfallChart::table() const {
    ChartTable table;
    const double k = data_.quantity ? 1.0 : 1000.0;
    const QString unit = data_.quantity ? data_.quantity->unit : QStringLiteral("ms");
    const QString suffix = data_.quantity ? data_.quantity->suffix : unit;
    const auto key = [&](const char* name) {
        return suffix.isEmpty() ? QString(QLatin1String(name)) : QLatin1String(name) + QLatin1Char('_') + suffix;
    };
    table.columns = {{QStringLiteral("step"), tr("Step"), {}},
                     {key("change"), tr("Change"), unit},
                     {key("after"), tr("After it"), unit},
                     {QStringLiteral("detail"), tr("What it does"), {}}};
    if (has_misfit()) table.columns.push_back(fits_column());
    for (const Bar& bar : bars_) {
        table.rows.push_back(
            {bar.name, bar.total ? ChartCell() : ChartCell((bar.to - bar.from) * k), bar.to * k, bar.detail});
        if (has_misfit()) table.rows.back().push_back(bar.total ? fits_cell(bar.fits) : ChartCell());
    }
    return table;
}

}  // namespace scalescope::ui
