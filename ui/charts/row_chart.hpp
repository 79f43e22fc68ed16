// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart.hpp"

namespace scalescope::ui {

/// Named rows over an axis of time, read one by one with the pointer or the keys. x is time in the unit shown; a
/// subclass with another x says so in unit_text() and in fit_unit() or fit_x().
class RowChart : public Chart {
    Q_OBJECT
public:
    TimeUnit time_unit() const { return time_unit_; }
    /// Row `index` in widget pixels, from the left end of the axis to its right end.
    QRectF row_box(int index) const;

    /// Drawn pale: the answer to what is set now is still being worked out.
    void set_stale(bool stale);
    bool stale() const { return stale_; }

    QSize minimumSizeHint() const override;

protected:
    explicit RowChart(QWidget* parent);

    /// `strong` rows are written in ink and semibold. `least` and `most` are the ends of what is shown, in seconds or
    /// in what a subclass has on x.
    void set_rows(std::vector<QString> names, std::vector<bool> strong, double least, double most, bool fresh);
    /// What stands below the names, where rows are high enough; before set_rows().
    void set_details(std::vector<QString> details) { details_ = std::move(details); }
    /// Above the first row.
    void set_room_above(int px) { room_above_ = px; }
    int rows() const { return static_cast<int>(names_.size()); }
    void set_row_height(double least, double most) { least_row_ = least, most_row_ = most; }
    /// Room right of the longest bar, for its value.
    void set_end_room(double px) { end_room_ = px; }
    double time_px(Seconds t) const { return x_map_.px(t.value * per_second(time_unit_)); }
    Seconds time_at(double px) const { return Seconds{x_map_.value(px) / per_second(time_unit_)}; }
    virtual void paint_rows(QPainter& painter) = 0;
    /// Sets the ends of x for a drawing so wide.
    virtual void fit_x(int width);
    /// Chooses the unit that x is shown in for values up to `largest`, given in seconds: what of it one second is.
    virtual double fit_unit(double largest);

    QString unit_text() const override;
    Extent extent() const override;
    int least_below_title() const override;
    void arrange(QSize size) override;
    /// Items are rows. A subclass with tooltips for parts of rows overrides hover() and use_key().
    int item_at(QPointF at) const override;
    int item_by_key(int key) const override;
    QPointF item_place(int row) const override;

    double x_top_ = 0.0, x_bottom_ = 0.0;
    bool fresh_ = true;  ///< other rows than before, or another unit: the axis need not keep its end

private:
    void paint_bands(QPainter& painter);
    void paint_names(QPainter& painter);

    QString detail_of(int row) const;

    std::vector<QString> names_, details_;
    std::vector<bool> strong_;
    bool stale_ = false;
    int room_above_ = 0;
    double least_ = 0.0, most_ = 0.0;
    double least_row_ = 15.0, most_row_ = 26.0, end_room_ = 0.0;
};

}  // namespace scalescope::ui
