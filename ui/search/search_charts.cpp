// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/search/search_charts.hpp"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/decimal.hpp"
#include "core/base/format.hpp"
#include "core/estimate/memory.hpp"
#include "ui/charts/helpers.hpp"
#include "ui/charts/misfit.hpp"
#include "ui/design/names.hpp"
#include "ui/language/told.hpp"
#include "ui/search/vary_row.hpp"

namespace scalescope::ui {
namespace {

using search::Findings;
using search::Metric;

/// What the table has beside the objectives.
constexpr Metric key_metrics[] = {Metric::step,    Metric::throughput, Metric::time,         Metric::cost,
                                  Metric::speedup, Metric::efficiency, Metric::memory,       Metric::communication,
                                  Metric::devices, Metric::batch,      Metric::cost_per_hour};

search::Shown unit_of(const Findings& f, Metric m) {
    double largest = 0, smallest = std::numeric_limits<double>::infinity();
    for (const search::Row& row : f.rows)
        if (const auto v = row.figure(m)) largest = std::max(largest, *v), smallest = std::min(smallest, *v);
    return search::shown_unit(m, largest, smallest);
}

bool is_number(const search::Axis& axis) {
    return std::all_of(axis.values.begin(), axis.values.end(),
                       [](const std::string& v) { return parse_decimal(v).has_value(); });
}

QString value_text(const search::Axis& axis, std::size_t value, const formats::Library& library) {
    const Field* field = find_field(axis.path);
    if (field && field->type == FieldType::choice) return title_of_choice(*field, axis.values[value]);
    const QString name = told(search::value_name(axis, value, library));
    if (!is_number(axis)) return name;
    const auto number = parse_decimal(axis.values[value]);
    return *number == std::floor(*number) && std::abs(*number) < 1e15
               ? text_of(format_count(static_cast<std::int64_t>(*number)))
               : name;
}

/// "cost_usd", and with a unit that was chosen for people "time_h".
QString column_key(Metric m, const search::Shown& shown) {
    if (shown.per == 1) return text_of(search::column_of(m));
    return text_of(search::info_of(m).name) + QLatin1Char('_') + text_of(shown.unit);
}

XyAxis axis_of(const Findings& f, Metric m, const search::Shown& shown) {
    XyAxis axis;
    axis.name = told(search::info_of(m).label);
    axis.unit = told_word(shown.unit);
    axis.key = column_key(m, shown);
    double least = std::numeric_limits<double>::infinity(), most = 0;
    for (const search::Row& row : f.rows)
        if (const auto v = row.figure(m)) least = std::min(least, *v), most = std::max(most, *v);
    axis.logarithmic = least > 0 && most / least > 20;
    axis.whole = m == Metric::devices || m == Metric::batch;
    return axis;
}

}  // namespace

QString name_of_found(const Findings& f, std::uint64_t index, const formats::Library& library) {
    QStringList parts;
    const auto digits = f.space.digits(index);
    const auto axes = f.space.axes();
    for (std::size_t a = 0; a < axes.size(); ++a) {
        const QString title = title_of_path(axes[a].path, f.space.base());
        const QString value = value_text(axes[a], digits[a], library);
        // What has a name of its own needs no other.
        const Field* field = find_field(axes[a].path);
        const bool speaks = (field && (field->type == FieldType::device || field->type == FieldType::link ||
                                       field->type == FieldType::machine)) ||
                            search::stands_for_several(axes[a].path);
        parts << (speaks ? value : title + QChar::Nbsp + value);
    }
    return parts.join(QStringLiteral(", "));
}

ChartTable found_table(const Findings& f, const formats::Library& library) {
    ChartTable table;
    table.columns.push_back({QStringLiteral("rank"), tr("Rank"), {}});
    const auto axes = f.space.axes();
    for (const search::Axis& axis : axes)
        table.columns.push_back({text_of(axis.path), title_of_path(axis.path, f.space.base()), {}});
    std::vector<Metric> metrics = f.question.objectives;
    for (const Metric m : key_metrics) {
        const auto varied = [&](const char* path) {
            return std::any_of(axes.begin(), axes.end(), [&](const search::Axis& a) { return a.path == path; });
        };
        if (std::count(metrics.begin(), metrics.end(), m) > 0) continue;
        if (m == Metric::devices && varied("cluster.workers")) continue;  // stands there already
        if (std::all_of(f.rows.begin(), f.rows.end(), [&](const search::Row& r) { return !r.figure(m); })) continue;
        metrics.push_back(m);
    }
    std::vector<search::Shown> units;
    for (const Metric m : metrics) {
        units.push_back(unit_of(f, m));
        table.columns.push_back(
            {column_key(m, units.back()), told(search::info_of(m).label), told_word(units.back().unit)});
    }
    const bool misfits = std::any_of(f.rows.begin(), f.rows.end(), [](const search::Row& row) { return !row.fits; });
    if (misfits) table.columns.push_back(fits_column());
    const bool several = f.question.objectives.size() > 1;
    if (several) table.columns.push_back({QStringLiteral("front"), tr("On the front"), {}});
    const bool priced =
        std::any_of(f.rows.begin(), f.rows.end(), [](const search::Row& r) { return !r.price.empty(); });
    if (priced) table.columns.push_back({QStringLiteral("price"), tr("Price of the device"), {}});
    double rank = 0;
    for (const search::Row& row : f.rows) {
        std::vector<ChartCell> cells;
        cells.push_back(row.ranked ? ChartCell(++rank) : ChartCell());
        for (std::size_t a = 0; a < axes.size(); ++a) {
            const auto number = is_number(axes[a]) ? parse_decimal(axes[a].values[row.digits[a]]) : std::nullopt;
            cells.push_back(number ? ChartCell(*number)
                                   : ChartCell(text_of(search::value_name(axes[a], row.digits[a], library)),
                                               value_text(axes[a], row.digits[a], library)));
        }
        for (std::size_t m = 0; m < metrics.size(); ++m) {
            const auto value = row.figure(metrics[m]);
            cells.push_back(value ? ChartCell(*value / units[m].per) : ChartCell());
        }
        if (misfits) cells.push_back(fits_cell(row.fits));
        if (several)
            cells.push_back(row.on_front ? ChartCell(QStringLiteral("yes"), tr("yes"))
                                         : ChartCell(QStringLiteral("no"), tr("no")));
        if (priced) cells.push_back(row.price.empty() ? ChartCell() : ChartCell(text_of(row.price), told(row.price)));
        table.rows.push_back(std::move(cells));
    }
    return table;
}

XyData front_data(const Findings& f, Metric x, Metric y, const formats::Library& library,
                  const LiveResultPtr& current) {
    XyData data;
    const search::Shown x_unit = unit_of(f, x), y_unit = unit_of(f, y);
    data.x = axis_of(f, x, x_unit);
    data.y = axis_of(f, y, y_unit);
    const auto front = search::front_of(f.rows, x, y);
    std::vector<char> on_front(f.rows.size(), 0);
    for (const std::size_t row : front) on_front[row] = 1;
    XySeries others{QStringLiteral("others"), tr("others found"), XySeries::Style::dots, 1, {}};
    XySeries line{QStringLiteral("line"), tr("front"), XySeries::Style::line, 0, {}};
    XySeries best{QStringLiteral("front"), tr("on the front"), XySeries::Style::dots, 0, {}};
    const auto point = [&](std::size_t row) {
        XyPoint p;
        p.x = *f.rows[row].figure(x) / x_unit.per;
        p.y = *f.rows[row].figure(y) / y_unit.per;
        p.id = static_cast<int>(row);
        p.label = name_of_found(f, f.rows[row].found.index, library);
        p.fits = f.rows[row].fits;
        return p;
    };
    for (const std::size_t row : front) {
        best.points.push_back(point(row));
        line.points.push_back(best.points.back());
    }
    for (std::size_t row = 0; row < f.rows.size(); ++row)
        if (!on_front[row] && f.rows[row].figure(x) && f.rows[row].figure(y)) others.points.push_back(point(row));
    for (XySeries* s : {&others, &line, &best})
        if (!s->points.empty() && (s != &line || s->points.size() > 1)) data.series.push_back(std::move(*s));
    if (current && current->estimate) {
        const Scenario& now = current->request.scenario;
        const auto a = search::metric_value(x, now, *current->estimate, f.question.goal),
                   b = search::metric_value(y, now, *current->estimate, f.question.goal);
        if (a && b) {
            XyPoint ring;
            ring.x = *a / x_unit.per;
            ring.y = *b / y_unit.per;
            ring.hollow = true;
            ring.fits = fits_device(now, current->estimate->memory);
            ring.label = text_of(now.name);
            data.series.push_back(
                {QStringLiteral("current"), tr("the open scenario"), XySeries::Style::dots, 2, {ring}});
        }
    }
    return data;
}

HeatData heat_data(const Findings& f, const formats::Library& library) {
    HeatData data;
    if (!f.question.grid) {
        const bool one = f.space.axes().size() < 2;
        data.empty_reason = one ? tr("A map needs a second varied field.")
                                : tr("This map would have more than %1 cells: vary in coarser steps.")
                                      .arg(text_of(format_count(static_cast<std::int64_t>(search::most_cells))));
        return data;
    }
    const auto axes = f.space.axes();
    const auto [column, row] = *f.question.grid;
    const Metric metric = f.question.objectives.front();
    const search::MetricInfo& info = search::info_of(metric);
    const auto cells = f.result.grid.cells();
    double largest = 0, smallest = std::numeric_limits<double>::infinity();
    for (const auto& cell : cells)
        if (cell) {
            const double value = f.result.value(f.question, *cell, 0);
            largest = std::max(largest, value);
            smallest = std::min(smallest, value);
        }
    const search::Shown unit = search::shown_unit(metric, largest, smallest);
    data.x_name = title_of_path(axes[column].path, f.space.base());
    data.y_name = title_of_path(axes[row].path, f.space.base());
    data.x_key = text_of(axes[column].path);
    data.y_key = text_of(axes[row].path);
    data.value_name = told(info.label);
    data.unit = told_word(unit.unit);
    data.value_key = column_key(metric, unit);
    data.larger_is_better = info.larger_is_better;
    data.doubt = inside_sentence(tr("Does not fit into memory"));
    for (std::size_t v = 0; v < axes[column].values.size(); ++v) data.columns << value_text(axes[column], v, library);
    for (std::size_t v = 0; v < axes[row].values.size(); ++v) data.rows << value_text(axes[row], v, library);
    data.cells.reserve(cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i) {
        HeatCell cell;
        if (cells[i]) {
            const double value = f.result.value(f.question, *cells[i], 0);
            cell.value = value / unit.per;
            cell.text = text_of(search::metric_text(metric, value));
            cell.brief = text_of(format_number(*cell.value));
            cell.id = static_cast<int>(i);
            cell.doubtful = i < f.cell_misfits.size() && f.cell_misfits[i];
            QStringList others;
            if (cell.doubtful) others << misfit_note();
            const auto digits = f.space.digits(cells[i]->index);
            for (std::size_t a = 0; a < axes.size(); ++a)
                if (a != column && a != row)
                    others << title_of_path(axes[a].path, f.space.base()) + QChar::Nbsp +
                                  value_text(axes[a], digits[a], library);
            cell.label = others.join(QStringLiteral(", "));
        } else {
            cell.label = i < f.cell_reasons.size() ? text_of(f.cell_reasons[i]) : QString();
            if (cell.label.isEmpty())
                cell.label = f.result.complete ? tr("No combination here is an answer.")
                                               : tr("Not found before the search was stopped.");
        }
        data.cells.push_back(std::move(cell));
    }
    if (largest == 0 && std::none_of(cells.begin(), cells.end(), [](const auto& c) { return c.has_value(); }))
        data.empty_reason = tr("No combination is an answer.");
    return data;
}

}  // namespace scalescope::ui
