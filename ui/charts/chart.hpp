// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QSet>
#include <QStringList>
#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "ui/charts/chart_table.hpp"
#include "ui/charts/chart_tooltip.hpp"
#include "ui/charts/scale.hpp"
#include "ui/charts/title_row.hpp"
#include "ui/theme/px.hpp"

class QCustomPlot;
class QMenu;
class QTableView;

namespace scalescope::ui {

class CornerButton;
class FixedTicker;

/// What a person chose to look at in a chart; a document keeps it. No range means "all of it, following the data".
struct ChartView {
    std::optional<Range> x, y;
    QStringList hidden_series;
    bool operator==(const ChartView&) const = default;
};

class Chart;
/// Charts with the names of their files.
using NamedCharts = std::vector<std::pair<QString, Chart*>>;

/// A chart: a card with title row, legend, plot, corner buttons, context menu, tooltip, zoom, keys, a table behind it
/// and one way to export it. Subclasses say what is drawn; they are fed by plain data and mapped to no model.
///
/// Painting is queued: any number of changes in one turn of the event loop paint once. All pointer and key events come
/// to this widget; the plot inside only paints.
class Chart : public QWidget {
    Q_OBJECT
public:
    ~Chart() override;

    QString title() const { return title_; }
    void set_title(const QString& title);
    /// Lines that travel with every export, such as "scenario AlexNet, data parallel, 32 workers".
    QStringList notes() const { return notes_; }
    void set_notes(const QStringList& notes);
    /// Why the design shown cannot run; the drawing is marked all over. Empty: it can. Without effect on charts of
    /// several designs, which mark bars and points.
    void set_cannot_run(const QString& why);
    QString cannot_run() const { return cannot_run_; }
    /// While a hand drags, the unit of time stays until the values are far from it. At rest it follows from the values
    /// alone, so that charts, lists and figures of the same times have the same unit.
    void set_steady(bool steady);
    /// Where the tag with the reason is drawn; empty without one.
    QRectF cannot_run_tag() const;

    /// Whether there is nothing to draw; the description says why.
    bool is_empty() const { return !empty_text().isEmpty(); }
    /// The key figures in a sentence; also the accessible description.
    QString description() const;
    /// The numbers behind the chart.
    virtual ChartTable table() const = 0;
    /// The same as a model that follows the data; made when first asked for.
    ChartTableModel* table_model();
    bool table_shown() const;
    void show_table(bool shown);

    QStringList series() const;
    bool series_hidden(const QString& key) const { return hidden_.contains(key); }
    void hide_series(const QString& key, bool hidden);
    /// Hides all others; if they are hidden already, shows all.
    void isolate_series(const QString& key);
    /// Where the legend entry of a series is, for tests and lessons.
    QRectF legend_box(const QString& key) const { return title_row_.entry_box(key); }

    /// Marks the item with this id; -1 marks none. Emits no signal.
    void set_selected(int id);
    int selected() const { return selected_; }

    ChartView view() const;
    void set_view(const ChartView& view);
    /// Everything again: all of x, y following the data.
    void reset_view();
    /// Factor below 1 zooms in, around the middle.
    void zoom_by(double factor);
    /// What the axes show now, in the units of the axes.
    Range x_range() const { return x_map_.range; }
    Range y_range() const { return y_map_.range; }
    /// The drawing's own rectangle inside the widget, and the pixel of a value on each axis.
    QRect plot_rect() const { return plot_rect_; }
    double x_pixel(double value) const { return x_map_.px(value); }
    double y_pixel(double value) const { return y_map_.px(value); }

    /// Paints now what is queued.
    void refresh();
    /// Time of the last drawing, in milliseconds.
    double draw_ms() const;
    /// The text of the tooltip in one line; empty while none is shown.
    QString tooltip_text() const;

    /// Draws the chart with `size` logical pixels on a picture, SVG or PDF device; the widget need not be shown and is
    /// left as it is. Keeps view, hidden series and selection.
    void draw_on(QPaintDevice& device, QSize size, const Theme& look) const;

    void fill_export_menu(QMenu& menu);
    void fill_menu(QMenu& menu);
    /// Asks for a file name and saves; says so when it fails.
    void export_with_dialog(const QString& suffix, double scale);
    void copy_image();
    void copy_data();

    /// While it is not on show: what its least height is at this width, where it was last drawn with another.
    void expect_width(int width);
    QSize sizeHint() const override { return {420, 260}; }
    QSize minimumSizeHint() const override { return {160, title_height_ + least_below_title()}; }

signals:
    /// Zoom, pan, hidden series, sort order: what view() and the options of the subclass return has changed.
    void view_changed();

protected:
    enum class Zooming { x_only, x_and_y };
    /// What there is to look at, given by the subclass.
    struct Extent {
        Range all;           ///< everything on x
        Range home;          ///< what is shown at first
        double least = 0.0;  ///< smallest span (ratio of the ends on a logarithmic axis)
        Zooming zooming = Zooming::x_only;
        bool y_zooms = true;  ///< the modified wheel changes y, from its lower end
    };

    explicit Chart(QWidget* parent);

    /// What the title and its legend take of the drawing; arrange() begins below.
    int title_height() const { return title_height_; }
    /// The least height below the title and its legend with which nothing is cut: axis, its names, a drawing to read.
    virtual int least_below_title() const = 0;
    /// Of the drawing alone: three or four names of an axis.
    static constexpr Px least_drawing{56};
    /// Of its surroundings: above where there is no room to spare, for the caption, below all.
    static constexpr Px low_top{8}, caption_line{15}, bottom_margin{6};

    virtual std::unique_ptr<Chart> copy() const = 0;
    virtual bool shows_one_design() const { return true; }
    virtual QString unit_text() const = 0;
    /// The same where room is short.
    virtual QString short_unit_text() const { return unit_text(); }
    virtual std::vector<LegendEntry> legend(const Theme& look) const = 0;
    /// Why there is nothing to draw; empty if there is something.
    virtual QString empty_text() const = 0;
    virtual QString describe() const = 0;  ///< called only if there is something to draw
    virtual Extent extent() const = 0;
    /// Lays out for the present data and size: sets plot rectangle and maps. Called once before each painting.
    virtual void arrange(QSize size) = 0;

    /// Items of the chart by index, such as bars, rows, points or cells; -1: none. The pointer hovers one and keys move
    /// from one to the next, and both show its tooltip. A click, Enter or Space chooses the hovered item.
    virtual int item_at(QPointF) const { return -1; }
    virtual int item_by_key(int) const { return -1; }
    virtual TooltipText tooltip_of(int) const { return {}; }
    /// Position of an item's tooltip when it was reached by keys.
    virtual QPointF item_place(int) const { return {}; }
    virtual bool can_choose(int) const { return false; }
    virtual void choose(int) {}
    virtual void item_hovered(int) {}
    int hovered_item() const { return hovered_item_; }
    void set_hovered_item(int index);

    virtual void hover(QPointF at);
    virtual void leave();
    virtual void click(QPointF at);
    /// True takes the pointer until it is released.
    virtual bool take_hold(QPointF) { return false; }
    virtual void drag_to(QPointF) {}
    virtual void let_go() {}
    virtual Qt::CursorShape cursor_at(QPointF at) const;
    /// True if the key was used.
    virtual bool use_key(int key, Qt::KeyboardModifiers modifiers);
    virtual void add_options(QMenu&) {}

    const Theme& look() const;
    bool exporting() const { return look_override_ != nullptr; }
    QCustomPlot* plot() const { return plot_; }
    /// Something changed: lay out and paint once, soon. Tables and accessible texts follow.
    void schedule();
    void data_changed();
    /// Also sets the maps of both axes: x grows to the right, y grows upwards, or downwards if `downwards`.
    void set_plot_rect(QRect rect, bool downwards = false);
    /// What x shows: the person's range if there is one, cut to what exists now.
    Range shown_x() const;
    std::optional<Range> chosen_y() const { return chosen_y_; }
    void show_x(Range range);
    void say(const TooltipText& text, QPointF at);
    void say_nothing();
    /// Ticks and labels of the left axis; returns the room its labels need.
    static int label_room(const std::vector<QString>& labels);
    void set_y_ticks(const std::vector<double>& ticks, const std::vector<QString>& labels);
    void set_x_ticks(const std::vector<double>& ticks, const std::vector<QString>& labels);

    AxisMap x_map_, y_map_;
    /// Steady values of the axis and its unit, so that a drag does not make them flicker; copied into exports.
    double y_top_ = 0.0;
    TimeUnit time_unit_ = TimeUnit::milliseconds;
    /// The unit for times up to `largest`.
    TimeUnit unit_for(Seconds largest) const {
        return fitting_unit(largest, steady_ ? std::optional(time_unit_) : std::nullopt);
    }

    void paintEvent(QPaintEvent*) override;
    void resizeEvent(QResizeEvent*) override;
    void showEvent(QShowEvent*) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void leaveEvent(QEvent*) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent*) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    enum class Hand { free, on_legend, grabbing, pressed, panning };

    void prepare();
    void arrange_title(int width);
    void style_axes();
    void paint_empty(QPainter& painter) const;
    void place_buttons();
    void zoom_at(QPointF at, double factor, bool x, bool y);
    void pan_by(QPointF pixels);
    void set_ranges(std::optional<Range> x, std::optional<Range> y);
    void open_menu(QPoint global, bool whole);
    void hover_legend(const QString& key);
    void copy_view_from(const Chart& other);

    QString title_, cannot_run_;
    bool steady_ = false;
    QStringList notes_;
    QCustomPlot* plot_;
    QSharedPointer<FixedTicker> x_ticker_, y_ticker_;
    CornerButton* export_button_;
    CornerButton* menu_button_;
    QTableView* table_view_ = nullptr;
    ChartTableModel* table_model_ = nullptr;
    ChartTooltip* tooltip_;
    TitleRow title_row_;
    int title_height_ = TitleRow::height, least_ = 0;
    QRect plot_rect_;
    QSet<QString> hidden_, hidden_before_click_;
    QString hovered_key_;
    std::optional<Range> chosen_x_, chosen_y_;
    int selected_ = -1, hovered_item_ = -1;
    const Theme* look_override_ = nullptr;
    Hand hand_ = Hand::free;
    QPointF pressed_at_, last_at_;
    bool dirty_ = true, focus_ring_ = false, light_export_ = true, pointer_near_title_ = false;
};

}  // namespace scalescope::ui
