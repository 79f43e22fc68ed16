// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMap>

#include "ui/charts/chart_data.hpp"
#include "ui/charts/data_chart.hpp"
#include "ui/charts/guide_lines.hpp"
#include "ui/charts/misfit.hpp"

namespace scalescope::ui {

/// Speedup over worker counts, both logarithmic, with the ideal line; or rates, from the smallest count that fits. Its
/// crosshair is the workers slider: it can be dragged, and follows set_data at once.
class SpeedupChart final : public DataChart<SpeedupChart, SpeedupData> {
    Q_OBJECT
public:
    explicit SpeedupChart(QWidget* parent = nullptr);

    void set_data(SpeedupData data);
    /// Where the crosshair stands; while a hand drags it that is ahead of the data.
    int workers() const { return workers_; }
    /// Moves the crosshair alone: repaints nothing else.
    void set_workers(int workers);
    double crosshair_x() const { return x_map_.px(workers_); }

    struct Reading {
        double speedup = 0.0;  ///< NaN: no value here
        bool exact = false;    ///< a computed point, not the line between two
        QString reason;        ///< why there is no value
        bool fits = true;      ///< into memory
    };
    /// What curve `index` says at a worker count.
    Reading reading(int index, int workers) const;

    /// Lines across the chart, by rising worker counts, each count once. They can be hidden in the chart's menu.
    void set_guides(std::vector<GuideLine> guides);
    const std::vector<GuideLine>& guides() const { return guides_data_; }
    void show_guides(bool shown);
    bool guides_shown() const { return show_guides_; }
    /// Where the label of a guide line stands; empty where it has no room.
    QRectF guide_label_box(int index) const { return guides_.label_box(index); }

    ChartTable table() const override;

signals:
    void workers_dragged(int workers);
    void workers_drag_finished();

protected:
    void make_sound(SpeedupData& data) const override;
    void rebuild(const SpeedupData& before) override;
    void copy_state(const SpeedupChart& other) override;
    bool shows_one_design() const override { return false; }
    QString unit_text() const override { return data_.rate ? data_.rate->unit : QStringLiteral("×"); }
    std::vector<LegendEntry> legend(const Theme& look) const override;
    QString empty_text() const override;
    QString describe() const override;
    Extent extent() const override;
    int least_below_title() const override;
    void arrange(QSize size) override;
    void hover(QPointF at) override;
    void leave() override;
    bool take_hold(QPointF at) override;
    void drag_to(QPointF at) override;
    void let_go() override;
    Qt::CursorShape cursor_at(QPointF at) const override;
    bool use_key(int key, Qt::KeyboardModifiers modifiers) override;
    void add_options(QMenu& menu) override;

private:
    static QString curve_key(int index) { return QStringLiteral("curve%1").arg(index); }
    Range needed_y() const;
    int first() const { return data_.rate ? data_.rate->first : 1; }
    double ideal(double workers) const { return data_.rate ? data_.rate->per_worker * workers : workers; }
    QString text_of_value(double value) const;
    void paint_band(QPainter& painter);
    std::vector<QPointF> pixels(const SpeedupCurve& curve) const;
    bool shows_misfits() const { return !series_hidden(misfit_key); }
    void draw_curve(QPainter& painter, const SpeedupCurve& curve, const QPen& pen) const;
    QRectF clip() const;
    bool on_crosshair(QPointF at) const;
    void move_to(int workers);
    void repaint_crosshair();
    TooltipText tooltip_at(int workers) const;
    void paint_curves(QPainter& painter);
    void paint_fitted(QPainter& painter);
    void paint_markers(QPainter& painter, int curve);
    void paint_crosshair(QPainter& painter);
    QRectF tag_box(QPointF ring, const QString& text) const;
    void paint_x_labels(QPainter& painter, const QRectF& tag);

    std::vector<GuideLine> guides_data_;
    GuideLines guides_;
    bool show_guides_ = true;
    int workers_ = 1;
    int hovered_ = 0;  ///< worker count under the pointer, 0 for none
    double grabbed_at_ = 0.0;
    double y_bottom_ = 1.0;
    int label_room_ = 0;  ///< px left of the y axis, at least as much as before while zoomed
    bool crosshair_queued_ = false;
    std::vector<double> x_ticks_;
};

}  // namespace scalescope::ui
