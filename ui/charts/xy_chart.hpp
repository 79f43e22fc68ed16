// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/data_chart.hpp"

namespace scalescope::ui {

struct XyPoint {
    double x = 0.0, y = 0.0;
    std::optional<Range> band{};    ///< where y lies with some probability
    QString label{};                ///< first line of the tooltip: which run this is
    bool hollow = false;            ///< held out, or extrapolated: the legend says what it means
    int id = -1;                    ///< what a click tells; -1: nothing
    bool fits = true;               ///< false: of a design that cannot run, drawn with a cross
    bool named = true;              ///< where names stand beside dots, its label is one of them
    std::optional<QPointF> from{};  ///< values of what it came from, joined to it by a thin line
    std::vector<double> more{};     ///< values of XyData::more, for tooltip and table
    bool operator==(const XyPoint&) const = default;
};

struct XySeries {
    enum class Style { dots, line };
    QString key, name;
    Style style = Style::dots;
    int colour = 0;  ///< of the theme's curves; with it go the marker of dots and the dash of a line
    std::vector<XyPoint> points;
    bool dashed = false;  ///< a line that goes on from another one of its colour
    bool operator==(const XySeries&) const = default;
};

struct XyAxis {
    QString name;  ///< "Measured time"
    QString unit;  ///< "ms"; may be empty
    QString key;   ///< of its column in files: "measured_ms"
    bool logarithmic = false;
    bool whole = false;  ///< values are counts
    bool operator==(const XyAxis&) const = default;
};

struct XyData {
    XyAxis x, y;
    std::vector<XySeries> series;
    bool equal_axes = false;            ///< both show the same range, and a line marks where y = x
    std::vector<double> around{};       ///< of equal axes: lines at this share above and below, 0.1 for ±10 %
    std::vector<XyAxis> more{};         ///< further quantities of points
    bool names_beside = false;          ///< the labels of dots stand beside them, where there is room
    QString hollow_means{}, caption{};  ///< "held out"; a sentence under the axis
    QString empty_reason{};
    bool operator==(const XyData&) const = default;
};

/// Points and lines over two axes, each linear or logarithmic: predicted against measured, cost against generation,
/// time against workers. A click on a point tells its id.
class XyChart final : public DataChart<XyChart, XyData> {
    Q_OBJECT
public:
    explicit XyChart(QWidget* parent = nullptr);

    /// The names of the lines around y = x, and where they stand.
    struct DiagonalName {
        QString text;
        QRectF box;
    };
    std::vector<DiagonalName> diagonal_names() const;
    /// Where the name of the left axis stands.
    QRectF y_name_box() const;
    /// The point nearest to a place within reach of the hand; nothing if there is none.
    const XyPoint* point_at(QPointF at) const;

    ChartTable table() const override;

signals:
    void point_clicked(int id);

protected:
    void rebuild(const XyData& before) override;
    QString unit_text() const override;
    std::vector<LegendEntry> legend(const Theme& look) const override;
    QString empty_text() const override;
    QString describe() const override;
    Extent extent() const override;
    int least_below_title() const override;
    void arrange(QSize size) override;
    /// Items are points, numbered across all series.
    int item_at(QPointF at) const override;
    int item_by_key(int key) const override;
    TooltipText tooltip_of(int index) const override;
    QPointF item_place(int index) const override;
    bool can_choose(int index) const override { return point(index).id >= 0; }
    void choose(int index) override;

private:
    Range needed(bool of_x) const;
    bool drawable(const XyPoint& p) const;
    /// Whether the legend hides what this point is, whatever its series.
    bool hides(const XyPoint& p) const;
    QString value_text(const XyAxis& axis, double value) const;
    template <class Do>
    void for_each_point(Do&& with) const {
        int i = 0;
        for (const XySeries& s : data_.series)
            for (const XyPoint& p : s.points) with(i++, s, p);
    }
    const XyPoint& point(int index) const;
    void paint(QPainter& painter);
    void paint_y_name(QPainter& painter);
    void paint_diagonals(QPainter& painter, const QRectF& clip);
    void paint_names(QPainter& painter, const QRectF& clip);
    void paint_series(QPainter& painter, const XySeries& series, const QRectF& clip);

    std::vector<double> x_ticks_;
};

}  // namespace scalescope::ui
