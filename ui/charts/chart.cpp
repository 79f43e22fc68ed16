// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/plot.hpp"
//
#include "ui/charts/chart.hpp"

#include <QAccessible>
#include <QAccessibleWidget>
#include <QFontMetrics>
#include <QHeaderView>
#include <QPainter>
#include <QTableView>
#include <algorithm>
#include <utility>

#include "ui/charts/chart_controls.hpp"
#include "ui/charts/marks.hpp"
#include "ui/charts/misfit.hpp"
#include "ui/theme/paint.hpp"
#include "ui/theme/text.hpp"
#include "ui/theme/theme.hpp"

namespace scalescope::ui {
namespace {

QAccessibleInterface* accessible_chart(const QString& class_name, QObject* object) {
    if (class_name != QLatin1String("scalescope::ui::Chart") || !object || !object->isWidgetType()) return nullptr;
    return new QAccessibleWidget(static_cast<QWidget*>(object), QAccessible::Chart);
}

}  // namespace

Chart::Chart(QWidget* parent)
    : QWidget(parent),
      plot_(new QCustomPlot(this)),
      x_ticker_(new FixedTicker),
      y_ticker_(new FixedTicker),
      export_button_(new CornerButton("export", tr("Export chart"), this)),
      menu_button_(new CornerButton("more", tr("Chart menu"), this)),
      tooltip_(new ChartTooltip(this)) {
    static const bool installed = [] {
        QAccessible::installFactory(accessible_chart);
        return true;
    }();
    Q_UNUSED(installed)
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);

    // The plot only paints, and lets the card through: events and the ground are this widget's.
    plot_->setAttribute(Qt::WA_TransparentForMouseEvents);
    plot_->setAttribute(Qt::WA_OpaquePaintEvent, false);
    plot_->setAttribute(Qt::WA_NoSystemBackground);
    plot_->setFocusPolicy(Qt::NoFocus);
    plot_->setBackground(QBrush(Qt::NoBrush));
    // All charts of a frame are put on the window together, not each at once.
    plot_->setPlottingHint(QCP::phImmediateRefresh, false);
    plot_->layer(QStringLiteral("overlay"))->setMode(QCPLayer::lmLogical);
    plot_->addLayer(QStringLiteral("bands"), plot_->layer(QStringLiteral("grid")), QCustomPlot::limAbove);
    plot_->plotLayout()->setAutoMargins(QCP::msNone);
    plot_->plotLayout()->setMargins({});
    plot_->axisRect()->setAutoMargins(QCP::msNone);
    plot_->xAxis2->setVisible(false);
    plot_->yAxis2->setVisible(false);
    plot_->xAxis->setTicker(x_ticker_);
    plot_->yAxis->setTicker(y_ticker_);
    plot_->xAxis->grid()->setVisible(false);
    new Drawing(plot_, QStringLiteral("legend"),
                [this](QPainter& painter) { title_row_.paint(painter, look(), hovered_key_); });
    new Drawing(plot_, QStringLiteral("legend"), [this](QPainter& painter) { paint_empty(painter); });
    new Drawing(plot_, QStringLiteral("legend"), [this](QPainter& painter) {
        if (!cannot_run_.isEmpty() && !is_empty()) draw_misfit(painter, plot_rect_, cannot_run_, look());
    });
    connect(plot_, &QCustomPlot::beforeReplot, this, &Chart::prepare);
    connect(export_button_, &QAbstractButton::clicked, this,
            [this] { open_menu(export_button_->mapToGlobal(QPoint(0, export_button_->height() + 2)), false); });
    connect(menu_button_, &QAbstractButton::clicked, this,
            [this] { open_menu(menu_button_->mapToGlobal(QPoint(0, menu_button_->height() + 2)), true); });
    connect(this, &Chart::view_changed, this, &Chart::schedule);
}

Chart::~Chart() {
    // The tooltip may have moved to the window, which outlives the chart.
    if (tooltip_->parentWidget() != this) delete tooltip_;
}

void Chart::set_title(const QString& title) {
    if (title == title_) return;
    title_ = title;
    setAccessibleName(title);
    schedule();
}

void Chart::set_notes(const QStringList& notes) { notes_ = notes; }

void Chart::set_cannot_run(const QString& why) {
    if (shows_one_design() && std::exchange(cannot_run_, why) != why) schedule();
}

void Chart::set_steady(bool steady) {
    if (std::exchange(steady_, steady) != steady) schedule();
}

QRectF Chart::cannot_run_tag() const { return cannot_run_.isEmpty() ? QRectF() : misfit_tag(plot_rect_, cannot_run_); }

QString Chart::description() const {
    const QString nothing = empty_text(), said = nothing.isEmpty() ? describe() : nothing;
    return cannot_run_.isEmpty() ? said : cannot_run_ + QStringLiteral(". ") + said;
}

const Theme& Chart::look() const { return look_override_ ? *look_override_ : theme(); }

void Chart::schedule() {
    dirty_ = true;
    if (isVisible()) plot_->replot(QCustomPlot::rpQueuedReplot);
}

void Chart::data_changed() {
    if (const int least = least_below_title(); std::exchange(least_, least) != least) updateGeometry();
    if (table_model_) table_model_->set_table(table());
    schedule();
}

void Chart::refresh() { plot_->replot(QCustomPlot::rpQueuedRefresh); }

double Chart::draw_ms() const { return plot_->replotTime(); }

QString Chart::tooltip_text() const { return tooltip_->isHidden() ? QString() : tooltip_->text().plain(); }

void Chart::say(const TooltipText& text, QPointF at) { tooltip_->show_text(text, at.toPoint()); }

void Chart::say_nothing() { tooltip_->hide(); }

void Chart::prepare() {
    if (!dirty_) return;
    dirty_ = false;
    const QSize size = plot_->viewport().size();
    style_axes();
    arrange(size);
    arrange_title(size.width());
    if (const int height = title_row_.total_height(); height != title_height_) {
        title_height_ = height;
        if (!exporting()) updateGeometry();
        arrange(size);  // the legend takes another number of rows
    }
    const bool empty = !empty_text().isEmpty();
    plot_->axisRect()->setVisible(!empty);
    plot_->xAxis->setRange(x_map_.range.lower, x_map_.range.upper);
    plot_->yAxis->setRange(y_map_.range.lower, y_map_.range.upper);
    if (exporting()) return;
    place_buttons();
    if (const QString text = description(); text != accessibleDescription()) setAccessibleDescription(text);
}

void Chart::arrange_title(int width) {
    std::vector<LegendEntry> entries = legend(look());
    for (LegendEntry& entry : entries) entry.hidden = hidden_.contains(entry.key);
    if (table_shown()) entries.clear();
    title_row_.arrange(title_, unit_text(), short_unit_text(), std::move(entries), width, !exporting());
}

void Chart::expect_width(int width) {
    arrange_title(width);
    title_height_ = title_row_.total_height();
    dirty_ = true;
}

void Chart::style_axes() {
    const Theme& t = look();
    for (QCPAxis* axis : {plot_->xAxis, plot_->yAxis}) {
        const bool x = axis == plot_->xAxis;
        axis->setBasePen(x ? QPen(t.axis, 1) : QPen(Qt::NoPen));
        // Ticks that nobody sees: SVG draws a dot for one without length, even without a pen, and PDF a path without
        // points.
        axis->setTickPen(QPen(x ? t.axis : QColor(Qt::transparent), 1));
        axis->setSubTicks(false);
        axis->setTickLength(x ? 0 : 1, x ? 4 : 0);
        axis->setOffset(x ? 1 : 0);  // below the bars, not over their last pixel
        axis->setTickLabelFont(type::caption());
        axis->setTickLabelColor(t.secondary);
        axis->setTickLabelPadding(x ? 3 : 8);
        axis->grid()->setPen(QPen(t.grid, 1));
        axis->grid()->setZeroLinePen(QPen(Qt::NoPen));
        axis->grid()->setSubGridVisible(false);
    }
}

void Chart::set_selected(int id) {
    if (std::exchange(selected_, id) != id) schedule();
}

void Chart::set_plot_rect(QRect rect, bool downwards) {
    plot_rect_ = rect;
    x_map_.from_px = rect.left();
    x_map_.to_px = rect.left() + rect.width();
    y_map_.from_px = downwards ? rect.top() : rect.top() + rect.height();
    y_map_.to_px = downwards ? rect.top() + rect.height() : rect.top();
    const QSize size = plot_->viewport().size();
    plot_->axisRect()->setMargins({rect.left(), rect.top(), size.width() - rect.left() - rect.width(),
                                   size.height() - rect.top() - rect.height()});
}

int Chart::label_room(const std::vector<QString>& labels) {
    const QFont font = type::caption();
    int widest = 0;
    for (const QString& label : labels) widest = std::max(widest, qRound(text_width(font, label)));
    return widest;
}

void Chart::set_y_ticks(const std::vector<double>& ticks, const std::vector<QString>& labels) {
    y_ticker_->set({ticks.begin(), ticks.end()}, {labels.begin(), labels.end()});
}

void Chart::set_x_ticks(const std::vector<double>& ticks, const std::vector<QString>& labels) {
    x_ticker_->set({ticks.begin(), ticks.end()}, {labels.begin(), labels.end()});
}

void Chart::paint_empty(QPainter& painter) const {
    const QString text = empty_text();
    if (text.isEmpty()) return;
    const QSize size = plot_->viewport().size();
    painter.setFont(type::control());
    painter.setPen(look().secondary);
    const QRect box(24, TitleRow::height, size.width() - 48, size.height() - TitleRow::height - 12);
    painter.drawText(box, Qt::AlignCenter | Qt::TextWordWrap, text);
}

void Chart::paintEvent(QPaintEvent*) {
    const Theme& t = look();
    QPainter painter(this);
    draw_card(painter, rect(), t.card, focus_ring_ ? t.accent : t.card_border, focus_ring_ ? 2 : 1);
}

void Chart::resizeEvent(QResizeEvent*) {
    dirty_ = true;
    // Never empty: a splitter that opens passes through no height at all, and nothing can be painted on that.
    plot_->setGeometry(QRect(QPoint(), size().expandedTo(QSize(1, 1))));
    place_buttons();
}

void Chart::showEvent(QShowEvent*) { plot_->replot(QCustomPlot::rpQueuedReplot); }

void Chart::changeEvent(QEvent* event) {
    switch (event->type()) {
        case QEvent::PaletteChange:
        case QEvent::ApplicationPaletteChange:
        case QEvent::FontChange:
        case QEvent::StyleChange:
        case QEvent::LanguageChange: schedule(); break;
        default: break;
    }
    QWidget::changeEvent(event);
}

void Chart::place_buttons() {
    const bool fit = title_row_.buttons_fit();
    if (table_view_) table_view_->setGeometry(rect().adjusted(8, TitleRow::height, -8, -8));
    for (CornerButton* button : {export_button_, menu_button_}) button->resize(button->sizeHint());
    const int y = fit ? std::max(0, (TitleRow::height - menu_button_->height()) / 2) : TitleRow::height + 2;
    const int right = width() - TitleRow::margin + (fit ? 3 : 0);
    menu_button_->move(right - menu_button_->width(), y);
    export_button_->move(menu_button_->x() - export_button_->width() - (fit ? -1 : 2), y);
    const bool shown = fit || pointer_near_title_ || menu_button_->hasFocus() || export_button_->hasFocus();
    for (CornerButton* button : {export_button_, menu_button_}) {
        button->set_floating(!fit);
        button->setVisible(shown);
    }
}

ChartTableModel* Chart::table_model() {
    if (!table_model_) {
        table_model_ = new ChartTableModel(this);
        table_model_->set_table(table());
    }
    return table_model_;
}

bool Chart::table_shown() const { return table_view_ && !table_view_->isHidden(); }

void Chart::show_table(bool shown) {
    if (shown == table_shown()) return;
    if (!table_view_) {
        table_view_ = new QTableView(this);
        table_view_->setObjectName(QStringLiteral("chart_table"));
        table_view_->setModel(table_model());
        table_view_->setAccessibleName(tr("%1, as a table").arg(title_));
        table_view_->setFrameShape(QFrame::NoFrame);
        table_view_->setFont(type::table());
        table_view_->setShowGrid(false);
        table_view_->setSelectionBehavior(QAbstractItemView::SelectRows);
        table_view_->setEditTriggers(QAbstractItemView::NoEditTriggers);
        table_view_->verticalHeader()->hide();
        table_view_->verticalHeader()->setDefaultSectionSize(space::table_row);
        table_view_->horizontalHeader()->setHighlightSections(false);
        table_view_->resizeColumnsToContents();
    }
    say_nothing();
    table_view_->setVisible(shown);
    if (shown) {
        table_view_->raise();
        table_view_->setFocus();
    } else {
        setFocus();
    }
    schedule();
    refresh();
}

void Chart::draw_on(QPaintDevice& device, QSize size, const Theme& look) const {
    const std::unique_ptr<Chart> other = copy();
    other->look_override_ = &look;
    other->copy_view_from(*this);
    other->resize(size);
    other->plot_->setGeometry(QRect(QPoint(), size));
    other->plot_->setViewport(QRect(QPoint(), size));  // a hidden widget gets no resize event
    other->dirty_ = true;
    other->prepare();
    QCPPainter painter(&device);
    painter.fillRect(QRect(QPoint(), size), look.card);
    other->plot_->toPainter(&painter, size.width(), size.height());
}

void Chart::copy_view_from(const Chart& other) {
    title_ = other.title_;
    cannot_run_ = other.cannot_run_;
    hidden_ = other.hidden_;
    selected_ = other.selected_;
    chosen_x_ = other.chosen_x_;
    chosen_y_ = other.chosen_y_;
    y_top_ = other.y_top_;
    time_unit_ = other.time_unit_;
    steady_ = other.steady_;
}

}  // namespace scalescope::ui
