// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPen>
#include <QRectF>
#include <QString>
#include <optional>
#include <vector>

#include "ui/charts/chart_data.hpp"
#include "ui/theme/px.hpp"
#include "ui/theme/theme.hpp"

class QPainter;

namespace scalescope::ui {

struct Theme;

struct LegendEntry {
    enum class Mark { box, hatch, hollow, line, dot, cross };

    QString key;  ///< names the series, also across languages
    QString name;
    QString short_name;  ///< used where room is short; empty: the name
    Mark mark = Mark::box;
    QColor colour;
    QPen pen;                      ///< of Mark::line
    std::optional<Marker> marker;  ///< of Mark::line, and of Mark::dot
    bool hidden = false;           ///< switched off by the person
    bool empty = false;            ///< of Mark::dot: its outline alone
    bool optional = false;         ///< left out rather than opening another row: tooltips say the same

    static LegendEntry of(Mark mark, const QString& key, const QString& name, const QColor& colour,
                          const QString& short_name = {}) {
        return {key, name, short_name, mark, colour, {}, {}};
    }
    static LegendEntry box(const QString& key, const QString& name, const QColor& colour,
                           const QString& short_name = {}) {
        return of(Mark::box, key, name, colour, short_name);
    }
    static LegendEntry line(const QString& key, const QString& name, const QPen& pen,
                            std::optional<Marker> marker = {}) {
        return {key, name, {}, Mark::line, pen.color(), pen, marker};
    }
};

/// The upper 36 px of a chart (more for fingers): title, unit beside it, legend at the right; where that has no room,
/// in rows below. It is part of the drawing, so that exports have it; the two corner buttons beside the legend are not.
class TitleRow {
public:
    static constexpr Px margin{13};
    static inline const Px& height = space::chart_title;
    static int buttons_width();

    /// Takes the longest form that fits: full names, short names, the short unit, then rows under the title.
    void arrange(const QString& title, const QString& unit, const QString& short_unit, std::vector<LegendEntry> entries,
                 double width, bool with_buttons);
    int total_height() const { return total_height_; }
    void paint(QPainter& painter, const Theme& theme, const QString& hovered_key) const;

    /// False: the legend needs the buttons' place.
    bool buttons_fit() const { return buttons_fit_; }
    const LegendEntry* entry_at(QPointF at) const;
    /// Where to click for a series; empty if it has no entry.
    QRectF entry_box(const QString& key) const;

private:
    struct Placed {
        LegendEntry entry;
        QString text;
        QRectF box;
    };
    bool place(const std::vector<LegendEntry>& entries, double left, double right, bool short_names, double gap);
    int place_below(double left, double right, std::size_t count);
    static QString name_of(const LegendEntry& entry, bool short_name);

    QString title_, unit_;
    QRectF title_box_, unit_box_;
    std::vector<LegendEntry> entries_;
    std::vector<Placed> placed_;
    int total_height_ = height;
    bool buttons_fit_ = true;
};

}  // namespace scalescope::ui
