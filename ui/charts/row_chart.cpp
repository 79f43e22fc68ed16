// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/plot.hpp"
//
#include "ui/charts/row_chart.hpp"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/charts/marks.hpp"
#include "ui/theme/theme.hpp"

namespace scalescope::ui {
namespace {

constexpr Px rows_above{4}, axis_room{21}, name_gap{12}, right_margin{18}, rows_below{6};
constexpr int most_claimed = 230;     // of the rows: more of them than that get narrower rather than a larger window
constexpr PxF name_line{13.0};        // rows narrower than that are not all named
constexpr PxF two_lines{29.0};        // with the detail
constexpr double widest_names = 0.5;  // of the chart
constexpr double pale = 0.4;

}  // namespace

RowChart::RowChart(QWidget* parent) : Chart(parent) {
    plot()->yAxis->setVisible(false);
    plot()->xAxis->grid()->setVisible(true);
    new Drawing(plot(), QStringLiteral("background"), [this](QPainter& p) { paint_bands(p); });
    new Drawing(plot(), QStringLiteral("main"), [this](QPainter& p) {
        if (!empty_text().isEmpty()) return;
        p.save();
        if (stale_ && !exporting()) p.setOpacity(pale);
        paint_rows(p);
        p.restore();
    });
    new Drawing(plot(), QStringLiteral("axes"), [this](QPainter& p) { paint_names(p); });
}

void RowChart::set_rows(std::vector<QString> names, std::vector<bool> strong, double least, double most, bool fresh) {
    names_ = std::move(names);
    strong_ = std::move(strong);
    least_ = least;
    most_ = most;
    fresh_ = fresh_ || fresh;
    if (hovered_item() >= rows()) set_hovered_item(-1);
    data_changed();
}

QSize RowChart::minimumSizeHint() const { return {260, Chart::minimumSizeHint().height()}; }

void RowChart::set_stale(bool stale) {
    if (std::exchange(stale_, stale) != stale) schedule();
}

int RowChart::least_below_title() const {
    const int all = std::min(static_cast<int>(std::ceil(rows() * least_row_)), most_claimed);
    return rows_above + room_above_ + std::max<int>(all, least_drawing) + axis_room + rows_below;
}

QString RowChart::unit_text() const { return unit_name(time_unit_); }

Chart::Extent RowChart::extent() const {
    const Range all{x_bottom_, x_top_ > x_bottom_ ? x_top_ : x_bottom_ + 1.0};
    return {all, all, all.size() * 1e-5, Zooming::x_only, false};
}

double RowChart::fit_unit(double largest) {
    if (const TimeUnit unit = unit_for(Seconds{largest}); unit != time_unit_) {
        time_unit_ = unit;
        fresh_ = true;
    }
    return per_second(time_unit_);
}

void RowChart::fit_x(int width) {
    const double k = fit_unit(std::max(std::abs(most_), std::abs(least_)));
    const double ends = std::max(width - end_room_, width / 2.0);
    const double need = std::max(most_, 0.0) * k * width / ends;
    // A timeline ends with its step; a waterfall keeps a round end while its bars move.
    if (end_room_ <= 0.0)
        y_top_ = need > 0.0 ? need : 1.0;
    else
        y_top_ = fresh_ && !exporting() ? nice_top(need) : steady_top(y_top_, need);
    fresh_ = false;
    x_top_ = y_top_;
    x_bottom_ = least_ < 0.0 ? -nice_top(-least_ * k) : 0.0;
}

void RowChart::arrange(QSize size) {
    const QFontMetricsF plain(type::table()), strong(type::table_strong()), caption(type::caption());
    const int top = title_height() + rows_above + room_above_;
    const double room = std::max(24.0, static_cast<double>(size.height() - top - axis_room - rows_below));
    const double row = std::min(rows() > 0 ? room / rows() : room, most_row_);
    double names_width = 0.0;
    for (std::size_t i = 0; i < names_.size(); ++i) {
        names_width = std::max(names_width, (strong_[i] ? strong : plain).horizontalAdvance(names_[i]));
        if (row >= two_lines)
            names_width = std::max(names_width, caption.horizontalAdvance(detail_of(static_cast<int>(i))));
    }
    const int left =
        TitleRow::margin + static_cast<int>(std::ceil(std::min(names_width, size.width() * widest_names))) + name_gap;
    const int width = std::max(24, size.width() - left - right_margin);
    const int height = std::max(24, static_cast<int>(std::floor(row * std::max(rows(), 1))));
    set_plot_rect({left, top, width, height}, true);

    fit_x(width);
    x_map_.range = shown_x();
    y_map_.range = {0.0, static_cast<double>(std::max(rows(), 1))};  // rows from the top
    const std::vector<double> ticks = nice_ticks(x_map_.range, std::clamp(width / 55, 2, 9));
    set_x_ticks(ticks, tick_labels(ticks));
    set_y_ticks({}, {});
}

QString RowChart::detail_of(int row) const {
    const auto at = static_cast<std::size_t>(row);
    return at < details_.size() ? details_[at] : QString();
}

QRectF RowChart::row_box(int index) const {
    const double top = std::round(y_map_.px(index)), bottom = std::round(y_map_.px(index + 1));
    return {x_map_.from_px, top, x_map_.to_px - x_map_.from_px, bottom - top};
}

int RowChart::item_at(QPointF where) const {
    const QRect rect = plot_rect();
    if (rows() == 0 || where.y() < rect.top() || where.y() >= rect.top() + rect.height()) return -1;
    if (where.x() < TitleRow::margin || where.x() > rect.right() + right_margin) return -1;
    return std::clamp(static_cast<int>(std::floor(y_map_.value(where.y()))), 0, rows() - 1);
}

int RowChart::item_by_key(int key) const {
    const int now = hovered_item();
    switch (key) {
        case Qt::Key_Down: return std::min(now + 1, rows() - 1);
        case Qt::Key_Up: return now < 0 ? rows() - 1 : std::max(now - 1, 0);
        case Qt::Key_Home: return std::min(0, rows() - 1);
        case Qt::Key_End: return rows() - 1;
        default: return -1;
    }
}

QPointF RowChart::item_place(int row) const {
    return {plot_rect().left() + plot_rect().width() / 3.0, row_box(row).center().y()};
}

void RowChart::paint_bands(QPainter& painter) {
    if (hovered_item() < 0 || exporting() || !empty_text().isEmpty()) return;
    const QRectF row = row_box(hovered_item());
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(look().hover);
    painter.drawRoundedRect(QRectF(TitleRow::margin - 6, row.top(), row.right() - TitleRow::margin + 12, row.height()),
                            4, 4);
}

void RowChart::paint_names(QPainter& painter) {
    if (!empty_text().isEmpty()) return;
    painter.setRenderHint(QPainter::Antialiasing);
    const int every = static_cast<int>(std::ceil(name_line / std::max(row_box(0).height(), 1.0)));
    for (int i = 0; i < rows(); i += every) {
        const auto at = static_cast<std::size_t>(i);
        const QFont font = strong_[at] ? type::table_strong() : type::table();
        const QRectF row = row_box(i);
        QRectF box(TitleRow::margin, row.top(), x_map_.from_px - name_gap - TitleRow::margin + 4, row.height());
        if (const QString detail = detail_of(i); !detail.isEmpty() && row.height() >= two_lines) {
            const QRectF below(box.left(), row.center().y(), box.width(), two_lines / 2);
            draw_label(painter, below, Qt::AlignLeft | Qt::AlignVCenter, type::caption(), look().secondary,
                       QFontMetricsF(type::caption()).elidedText(detail, Qt::ElideRight, box.width()));
            box = QRectF(box.left(), row.center().y() - two_lines / 2, box.width(), two_lines / 2);
        }
        draw_label(painter, box, Qt::AlignLeft | Qt::AlignVCenter, font, strong_[at] ? look().text : look().secondary,
                   QFontMetricsF(font).elidedText(names_[at], Qt::ElideRight, box.width()));
    }
}

}  // namespace scalescope::ui
