// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/tornado_chart.hpp"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "core/base/format.hpp"
#include "ui/charts/helpers.hpp"
#include "ui/charts/marks.hpp"
#include "ui/language/told.hpp"
#include "ui/theme/text.hpp"
#include "ui/theme/theme.hpp"

namespace scalescope::ui {
namespace {

const QString more_key = QStringLiteral("more"), less_key = QStringLiteral("less"),
              better_key = QStringLiteral("better"), worse_key = QStringLiteral("worse");
constexpr PxF value_gap{6.0};

QFont value_font() {
    QFont font = type::caption();
    font.setWeight(QFont::Medium);
    return font;
}

QString change_text(double change) { return text_of(format_change(Fraction{change})); }

}  // namespace

TornadoChart::TornadoChart(QWidget* parent) : DataChart(parent) { set_title(tr("Sensitivity")); }

void TornadoChart::rebuild(const TornadoData&) {
    std::vector<QString> names;
    if (empty_text().isEmpty())
        for (const TornadoRow& row : data_.rows) names.push_back(row.name);
    std::vector<bool> strong(names.size(), false);
    set_rows(std::move(names), std::move(strong), {}, {}, true);
}

QString TornadoChart::unit_text() const {
    if (data_.objective.isEmpty()) return QStringLiteral("%");
    return tr("%1, change in % · now %2").arg(data_.objective, data_.value);
}

std::vector<LegendEntry> TornadoChart::legend(const Theme& look) const {
    if (data_.rows.empty()) return {};
    return {LegendEntry::box(more_key, data_.more_name, look.secondary, tr("more")),
            LegendEntry::of(LegendEntry::Mark::hatch, less_key, data_.less_name, look.secondary, tr("less")),
            LegendEntry::box(better_key, tr("better"), look.better),
            LegendEntry::box(worse_key, tr("worse"), look.worse)};
}

QString TornadoChart::empty_text() const {
    if (!data_.rows.empty()) return {};
    return data_.empty_reason.isEmpty() ? tr("No field that can be varied changes this.") : data_.empty_reason;
}

/// Zero in the middle, and room beside every bar for its value.
void TornadoChart::fit_x(int width) {
    const double half = width / 2.0;
    double most = 0.0;
    for (const TornadoRow& row : data_.rows)
        for (const bool more : {false, true}) {
            const TornadoRow::End& end = more ? row.more : row.less;
            if (!end.change) continue;
            const QString text = value_text(row, *end.change > 0.0);
            const double value = value_gap + text_width(value_font(), text) + 2.0;
            most = std::max(most, std::abs(*end.change) * 100.0 * half / std::max(half - value, half / 4.0));
        }
    x_top_ = most > 0.0 ? most : 1.0;
    x_bottom_ = -x_top_;
}

bool TornadoChart::shown(const TornadoRow::End& end, bool more) const {
    if (!end.change || *end.change == 0.0) return false;
    return !series_hidden(more ? more_key : less_key) && !series_hidden(better(*end.change) ? better_key : worse_key);
}

QRectF TornadoChart::bar_box(int index, bool more) const {
    const TornadoRow& row = data_.rows[at(index)];
    const TornadoRow::End &end = more ? row.more : row.less, &other = more ? row.less : row.more;
    if (!shown(end, more)) return {};
    const QRectF rect(plot_rect()), room = row_box(index);
    const double zero = std::clamp(x_map_.px(0.0), rect.left(), rect.right() + 1),
                 tip = std::clamp(x_map_.px(*end.change * 100.0), rect.left(), rect.right() + 1);
    double left = std::min(zero, tip), right = std::max(zero, tip);
    if (right - left < 1.0) (*end.change > 0.0 ? right : left) += *end.change > 0.0 ? 1.0 : -1.0;
    const double inset = std::max(2.0, std::floor(room.height() * 0.17));
    double top = room.top() + inset, height = room.height() - 2 * inset;
    if (shown(other, !more) && (*other.change > 0.0) == (*end.change > 0.0)) {  // one above the other
        height /= 2.0;
        if (!more) top += height;
    }
    return {left, top, right - left, height};
}

void TornadoChart::paint_rows(QPainter& painter) {
    const Theme& t = look();
    const double scale = paint_scale(painter);
    for (int i = 0; i < rows(); ++i) {
        for (const bool more : {false, true}) {
            QRectF bar = bar_box(i, more);
            if (bar.isEmpty()) continue;
            bar.setLeft(snapped(bar.left(), scale));
            bar.setRight(std::max(snapped(bar.right(), scale), bar.left() + 1.0));
            const TornadoRow& row = data_.rows[at(i)];
            const QColor colour = better(more ? *row.more.change : *row.less.change) ? t.better : t.worse;
            painter.setRenderHint(QPainter::Antialiasing, false);
            if (more)
                painter.fillRect(bar, colour);
            else
                draw_hatched(painter, bar, colour);
        }
        paint_values(painter, i);
    }
    const QRectF rect(plot_rect());
    const double zero = x_map_.px(0.0);
    if (zero < rect.left() || zero > rect.right() + 1) return;
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.fillRect(QRectF(snapped(zero, scale), rect.top(), 1.0, rect.height()), t.secondary);
}

/// Of the bars on one side; two share a line, in the order of the bars.
QString TornadoChart::value_text(const TornadoRow& row, bool right) const {
    QStringList texts;
    for (const bool more : {true, false})
        if (const TornadoRow::End& end = more ? row.more : row.less; shown(end, more) && (*end.change > 0.0) == right)
            texts << change_text(*end.change);
    return texts.join(QStringLiteral(" / "));
}

QRectF TornadoChart::value_box(int index, bool right) const {
    const double width = text_width(value_font(), value_text(data_.rows[at(index)], right));
    if (width <= 0.0) return {};
    const QRectF rect(plot_rect()), room = row_box(index);
    double from = x_map_.px(0.0);
    for (const bool more : {true, false})
        if (const QRectF bar = bar_box(index, more); !bar.isEmpty())
            from = right ? std::max(from, bar.right()) : std::min(from, bar.left());
    const QRectF box(right ? from + value_gap : from - value_gap - width, room.top(), width, room.height());
    // Zoomed in, a bar leaves no room beside it: the tooltip has its value.
    return box.left() < rect.left() - 1.0 || box.right() > rect.right() + 14.0 ? QRectF() : box;
}

void TornadoChart::paint_values(QPainter& painter, int index) {
    painter.setRenderHint(QPainter::Antialiasing);
    for (const bool right : {false, true})
        if (const QRectF box = value_box(index, right); !box.isEmpty())
            draw_label(painter, box, Qt::AlignCenter, value_font(), look().text,
                       value_text(data_.rows[at(index)], right));
}

TooltipText TornadoChart::tooltip_of(int index) const {
    const TornadoRow& row = data_.rows[at(index)];
    TooltipText text;
    text.title = row.name;
    text.value = tr("elasticity %1").arg(text_of(format_signed(row.elasticity)));
    text.subtitle = tr("change of %1, %2").arg(inside_sentence(data_.objective), data_.value);
    QStringList notes{row.sentence};
    const auto add = [&](const TornadoRow::End& end, bool more) {
        TooltipText::Row line{end.text, end.change ? change_text(*end.change) : text_of(std::string(no_value)),
                              more ? TooltipText::Row::Mark::box : TooltipText::Row::Mark::hatch, theme().secondary};
        if (end.change && *end.change != 0.0) line.colour = better(*end.change) ? theme().better : theme().worse;
        text.rows.push_back(std::move(line));
        if (!end.problem.isEmpty()) notes << end.problem;
    };
    add(row.more, true);
    add(row.less, false);
    text.note = notes.join(QLatin1Char('\n'));
    return text;
}

QString TornadoChart::describe() const {
    QStringList first;
    for (std::size_t i = 0; i < std::min<std::size_t>(data_.rows.size(), 3); ++i) first << data_.rows[i].sentence;
    return tr("Fields that change %1, %2, largest effect first. %3")
        .arg(inside_sentence(data_.objective), data_.value, first.join(QLatin1Char(' ')));
}

ChartTable TornadoChart::table() const {
    ChartTable table;
    const QString percent = QStringLiteral("%");
    table.columns = {{QStringLiteral("field"), tr("Field"), {}},
                     {QStringLiteral("name"), tr("What"), {}},
                     {QStringLiteral("less"), tr("Less"), {}},
                     {QStringLiteral("change_at_less_percent"), tr("Change at less"), percent},
                     {QStringLiteral("more"), tr("More"), {}},
                     {QStringLiteral("change_at_more_percent"), tr("Change at more"), percent},
                     {QStringLiteral("elasticity"), tr("Elasticity"), {}},
                     {QStringLiteral("sentence"), tr("In words"), {}}};
    const auto percent_of = [](const TornadoRow::End& end) {
        return end.change ? ChartCell(*end.change * 100.0) : ChartCell();
    };
    for (const TornadoRow& row : data_.rows)
        table.rows.push_back({row.id, row.name, row.less.text, percent_of(row.less), row.more.text,
                              percent_of(row.more), row.elasticity, row.sentence});
    return table;
}

}  // namespace scalescope::ui
