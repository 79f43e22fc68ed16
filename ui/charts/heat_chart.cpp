// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/plot.hpp"
//
#include "ui/charts/heat_chart.hpp"

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

constexpr Px bar_width{10}, bar_gap{12};
constexpr Px above_cells{6}, axes_below{21}, axes_row{14};  // names of the columns, what the axes are
constexpr Px below_cells{21 + 16 + 4};                      // and a margin
constexpr double worth_a_logarithm = 20.0;

}  // namespace

HeatChart::HeatChart(QWidget* parent) : DataChart(parent) {
    plot()->xAxis->grid()->setVisible(false);
    plot()->yAxis->grid()->setVisible(false);
    new Drawing(plot(), QStringLiteral("main"), [this](QPainter& p) { paint(p); });
}

void HeatChart::rebuild(const HeatData& before) {
    const bool other_axes = before.columns != data_.columns || before.rows != data_.rows;
    set_hovered_item(-1);
    say_nothing();
    least_ = std::numeric_limits<double>::infinity();
    most_ = -least_;
    for (const HeatCell& c : data_.cells) {
        if (!c.value) continue;
        if (*c.value < least_) least_ = *c.value, least_text_ = c.brief;
        if (*c.value > most_) most_ = *c.value, most_text_ = c.brief;
    }
    logarithmic_ = least_ > 0.0 && most_ / least_ > worth_a_logarithm;
    if (other_axes) reset_view();
    data_changed();
}

double HeatChart::place_of(double value) const {
    if (!(most_ > least_)) return 1.0;
    const double up =
        logarithmic_ ? std::log(value / least_) / std::log(most_ / least_) : (value - least_) / (most_ - least_);
    return data_.larger_is_better ? up : 1.0 - up;
}

QColor HeatChart::colour_of(double value) const { return look().on_ramp(place_of(value)); }

QColor HeatChart::colour_of(const HeatCell& c) const {
    if (c.kind >= 0 && c.kind < static_cast<int>(data_.kinds.size()))
        return look().*data_.kinds[static_cast<std::size_t>(c.kind)].colour;
    return colour_of(c.value.value_or(least_));
}

std::vector<LegendEntry> HeatChart::legend(const Theme& look) const {
    using Mark = LegendEntry::Mark;
    if (!empty_text().isEmpty()) return {};
    std::vector<LegendEntry> entries;
    const auto any = [this](const auto& is) { return std::any_of(data_.cells.begin(), data_.cells.end(), is); };
    for (std::size_t k = 0; k < data_.kinds.size(); ++k) {
        const HeatKind& kind = data_.kinds[k];
        if (any([&](const HeatCell& c) { return c.kind == static_cast<int>(k); }))
            entries.push_back(LegendEntry::box(kind.key, kind.letter + QChar::Nbsp + kind.name, look.*kind.colour));
    }
    if (!data_.doubt.isEmpty() && any([](const HeatCell& c) { return c.doubtful; }))
        entries.push_back(LegendEntry::of(Mark::hatch, QStringLiteral("doubtful"), data_.doubt, look.text));
    if (any([](const HeatCell& c) { return !c.value; }))
        entries.push_back(LegendEntry::of(Mark::hatch, QStringLiteral("none"),
                                          data_.none.isEmpty() ? tr("no answer") : data_.none, look.disabled));
    return entries;
}

QString HeatChart::empty_text() const {
    for (const HeatCell& c : data_.cells)
        if (c.value) return {};
    return data_.empty_reason.isEmpty() ? tr("There is nothing to show yet.") : data_.empty_reason;
}

Chart::Extent HeatChart::extent() const {
    const Range all{0.0, std::max<double>(1.0, static_cast<double>(data_.columns.size()))};
    return {all, all, 1.0, Zooming::x_only, false};
}

int HeatChart::least_below_title() const { return above_cells + least_drawing + below_cells; }

void HeatChart::arrange(QSize size) {
    const auto columns = std::max<qsizetype>(1, data_.columns.size()), rows = std::max<qsizetype>(1, data_.rows.size());
    const int top = title_height() + above_cells;
    const int right = data_.kinds.empty() ? 16 + bar_gap + bar_width + label_room({least_text_, most_text_}) + 6 : 16;
    const int height = std::max(24, size.height() - top - below_cells);
    // As many names as have room; the others are on the tooltip.
    const auto thinned = [](const QStringList& names, qsizetype every, std::vector<double>& ticks,
                            std::vector<QString>& labels, const auto& shorten, const auto& place) {
        for (qsizetype i = 0; i < names.size(); i += every) {
            ticks.push_back(place(i));
            labels.push_back(shorten(names[i]));
        }
    };
    const QFontMetricsF metrics(type::caption());
    std::vector<double> x_ticks, y_ticks;
    std::vector<QString> x_labels, y_labels;
    const int row_height = static_cast<int>(height / rows);
    const double widest_name = size.width() * 0.3;
    thinned(
        data_.rows, std::max(1, (13 + row_height - 1) / std::max(1, row_height)), y_ticks, y_labels,
        [&](const QString& n) { return metrics.elidedText(n, Qt::ElideMiddle, widest_name); },
        [&](qsizetype i) { return static_cast<double>(rows - i) - 0.5; });
    const int left = TitleRow::margin + label_room(y_labels) + 8;
    const int width = std::max(24, size.width() - left - right);
    set_plot_rect({left, top, width, height});
    x_map_.range = shown_x();
    y_map_.range = {0.0, static_cast<double>(rows)};  // the first row on top
    const double column_width = width / std::max(1.0, x_map_.range.size());
    double widest = 0;
    for (const QString& n : data_.columns) widest = std::max(widest, text_width(type::caption(), n));
    const bool numbers = widest + 8 < 48;
    const auto every = numbers ? static_cast<qsizetype>(std::ceil((widest + 8) / std::max(1.0, column_width)))
                               : static_cast<qsizetype>(std::ceil(44 / std::max(1.0, column_width)));
    thinned(
        data_.columns, std::clamp<qsizetype>(every, 1, columns), x_ticks, x_labels,
        [&](const QString& n) {
            return metrics.elidedText(n, Qt::ElideRight, column_width * static_cast<double>(every) - 6);
        },
        [&](qsizetype i) { return static_cast<double>(i) + 0.5; });
    set_x_ticks(x_ticks, x_labels);
    set_y_ticks(y_ticks, y_labels);
    scale_ = QRectF(left + width + bar_gap, top, bar_width, height);
}

QRectF HeatChart::cell_box(int column, int row) const {
    const double rows = y_map_.range.upper;
    const double x = std::round(x_pixel(column)), next = std::round(x_pixel(column + 1));
    const double y = std::round(y_pixel(rows - row)), below = std::round(y_pixel(rows - row - 1));
    return {x, y, next - x, below - y};
}

int HeatChart::item_at(QPointF where) const {
    if (!empty_text().isEmpty() || !QRectF(plot_rect()).contains(where)) return -1;
    const auto columns = static_cast<int>(data_.columns.size()), rows = static_cast<int>(data_.rows.size());
    const int column = static_cast<int>(std::floor(x_map_.value(where.x())));
    const int row = rows - 1 - static_cast<int>(std::floor(y_map_.value(where.y())));
    if (column < 0 || column >= columns || row < 0 || row >= rows) return -1;
    return row * columns + column;
}

TooltipText HeatChart::tooltip_of(int index) const {
    const auto columns = static_cast<int>(data_.columns.size());
    const HeatCell& c = cell(index);
    TooltipText text;
    text.title = c.value ? data_.value_name : tr("No answer");
    text.value = c.text;
    text.rows = {{data_.x_name, data_.columns[index % columns]}, {data_.y_name, data_.rows[index / columns]}};
    for (std::size_t f = 0; f < std::min(c.facts.size(), data_.facts.size()); ++f)
        text.rows.push_back({data_.facts[f].name, c.facts[f].first});
    (c.value ? text.subtitle : text.note) = c.label;
    return text;
}

int HeatChart::item_by_key(int key) const {
    const auto columns = static_cast<int>(data_.columns.size()), rows = static_cast<int>(data_.rows.size());
    const int right = key == Qt::Key_Right ? 1 : key == Qt::Key_Left ? -1 : 0;
    const int down = key == Qt::Key_Down ? 1 : key == Qt::Key_Up ? -1 : 0;
    if (right == 0 && down == 0) return -1;
    const int now = hovered_item();
    if (now < 0) return 0;
    return std::clamp(now / columns + down, 0, rows - 1) * columns + std::clamp(now % columns + right, 0, columns - 1);
}

QPointF HeatChart::item_place(int index) const {
    const auto columns = static_cast<int>(data_.columns.size());
    return cell_box(index % columns, index / columns).center();
}

void HeatChart::choose(int index) {
    set_selected(cell(index).id);
    emit cell_clicked(cell(index).id);
}

void HeatChart::paint(QPainter& painter) {
    if (!empty_text().isEmpty()) return;
    const Theme& t = look();
    const QRectF clip(plot_rect());
    const auto columns = static_cast<int>(data_.columns.size()), rows = static_cast<int>(data_.rows.size());
    const QFont font = type::caption();
    // Rows are whole pixels, so that some are lower than others: all have their numbers, or none has.
    const bool written = std::abs(y_pixel(1.0) - y_pixel(0.0)) >= PxF{14};
    QRectF ringed, under;
    for (int row = 0; row < rows; ++row)
        for (int column = 0; column < columns; ++column) {
            const int index = row * columns + column;
            const HeatCell& c = cell(index);
            const QRectF whole = cell_box(column, row).intersected(clip);
            if (whole.isEmpty()) continue;
            const bool gaps = whole.width() > 6 && whole.height() > 6;
            const QRectF box = gaps ? whole.adjusted(0.5, 0.5, -0.5, -0.5) : whole;
            painter.setRenderHint(QPainter::Antialiasing, false);
            if (c.value) {
                const QColor fill = colour_of(c);
                painter.fillRect(box, c.doubtful ? t.card : fill);
                if (c.doubtful) {
                    painter.setRenderHint(QPainter::Antialiasing);
                    draw_hatched(painter, box, fill);
                }
                const QString letter =
                    c.kind >= 0 ? data_.kinds[static_cast<std::size_t>(c.kind)].letter + QChar::Nbsp : QString();
                const QString fitting = text_width(font, letter + c.brief) + 6 < box.width()   ? letter + c.brief
                                        : text_width(font, letter.trimmed()) + 2 < box.width() ? letter.trimmed()
                                                                                               : QString();
                if (!fitting.isEmpty() && written) {
                    if (c.doubtful) {  // words on lines are hard to read
                        const QRectF ground(0, 0, text_width(font, fitting) + 6, 14);
                        painter.fillRect(ground.translated(box.center() - ground.center()), t.card);
                    }
                    draw_label(painter, box, Qt::AlignCenter, font, c.doubtful ? t.text : t.ink_on(fill), fitting);
                }
            } else {
                painter.setRenderHint(QPainter::Antialiasing);
                draw_hatched(painter, box, t.disabled);
            }
            if (c.id >= 0 && c.id == selected()) ringed = whole;
            if (index == hovered_item()) under = whole;
        }
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    const auto ring = [&](const QRectF& box, const QColor& colour) {
        painter.setPen(QPen(t.card, 4));
        painter.drawRect(box.adjusted(1, 1, -1, -1));
        painter.setPen(QPen(colour, 2));
        painter.drawRect(box.adjusted(1, 1, -1, -1));
    };
    if (!under.isEmpty() && !exporting()) ring(under, t.text);
    if (!ringed.isEmpty()) ring(ringed, t.accent);
    const QString axes = tr("%1 across, %2 down").arg(data_.x_name, inside_sentence(data_.y_name));
    const double room = plot()->width() - 16.0, wanted = std::min(room, text_width(font, axes) + 1.0);
    // Below the middle of the cells, or as far beside it as keeps it whole.
    const double left = std::clamp(clip.center().x() - wanted / 2, 8.0, std::max(8.0, 8.0 + room - wanted));
    draw_label(painter, QRectF(left, clip.bottom() + axes_below, wanted, axes_row), Qt::AlignCenter, font, t.secondary,
               QFontMetricsF(font).elidedText(axes, Qt::ElideRight, wanted));
    if (data_.kinds.empty()) paint_scale(painter);
}

/// The colours from the best value above to the worst below.
void HeatChart::paint_scale(QPainter& painter) const {
    const Theme& t = look();
    const int steps = std::max(1, static_cast<int>(scale_.height()));
    painter.setRenderHint(QPainter::Antialiasing, false);
    for (int i = 0; i < steps; ++i)
        painter.fillRect(QRectF(scale_.left(), scale_.top() + i, scale_.width(), 1.5),
                         t.on_ramp(1.0 - static_cast<double>(i) / steps));
    const QFont font = type::caption();
    const double left = scale_.right() + 5;
    const QString &best = data_.larger_is_better ? most_text_ : least_text_,
                  &worst = data_.larger_is_better ? least_text_ : most_text_;
    draw_label(painter, QRectF(left, scale_.top(), 90, 14), Qt::AlignLeft | Qt::AlignVCenter, font, t.secondary, best);
    draw_label(painter, QRectF(left, scale_.bottom() - 14, 90, 14), Qt::AlignLeft | Qt::AlignVCenter, font, t.secondary,
               worst);
}

QString HeatChart::describe() const {
    const HeatCell* best = nullptr;
    int at_best = 0, gaps = 0;
    for (std::size_t i = 0; i < data_.cells.size(); ++i) {
        const HeatCell& c = data_.cells[i];
        if (!c.value) {
            ++gaps;
        } else if (!best || (data_.larger_is_better ? *c.value > *best->value : *c.value < *best->value)) {
            best = &c;
            at_best = static_cast<int>(i);
        }
    }
    const auto columns = static_cast<int>(data_.columns.size());
    return tr("%1 over %2 and %3. The best is %4, at %5 and %6; %7 cells have no answer.")
        .arg(data_.value_name, data_.x_name, data_.y_name, best->text, data_.columns[at_best % columns],
             data_.rows[at_best / columns])
        .arg(gaps);
}

ChartTable HeatChart::table() const {
    ChartTable table;
    table.columns = {{data_.x_key, data_.x_name, {}},
                     {data_.y_key, data_.y_name, {}},
                     {data_.value_key, data_.value_name, data_.unit},
                     {QStringLiteral("note"), tr("Note"), {}}};
    if (!data_.kinds.empty()) table.columns.push_back({data_.kind_key, data_.kind_name, {}});
    for (const HeatFact& f : data_.facts) table.columns.push_back({f.key, f.name, f.unit});
    const auto columns = data_.columns.size();
    for (std::size_t i = 0; i < data_.cells.size(); ++i) {
        const HeatCell& c = data_.cells[i];
        const auto at = static_cast<qsizetype>(i);
        table.rows.push_back({data_.columns[at % columns], data_.rows[at / columns],
                              c.value ? ChartCell(*c.value) : ChartCell(), c.label});
        auto& row = table.rows.back();
        if (!data_.kinds.empty())
            row.push_back(c.kind >= 0 ? ChartCell(data_.kinds[static_cast<std::size_t>(c.kind)].name) : ChartCell());
        for (std::size_t f = 0; f < data_.facts.size(); ++f)
            row.push_back(f < c.facts.size() ? ChartCell(c.facts[f].second) : ChartCell());
    }
    return table;
}

}  // namespace scalescope::ui
