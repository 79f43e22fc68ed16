// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/calibration_charts.hpp"

#include <QCoreApplication>

#include "core/base/format.hpp"
#include "core/scenario/fields.hpp"
#include "ui/charts/helpers.hpp"
#include "ui/language/told.hpp"

namespace scalescope::ui {
namespace {

using namespace calibration;

QString verdict_text(Verdict v) {
    switch (v) {
        case Verdict::determined: return tr("determined");
        case Verdict::partly: return tr("partly");
        case Verdict::undetermined: return tr("not determined");
    }
    return {};
}

/// "8 workers, batch 64 each", or the layer and its pass.
QString name_of(const Observation& row, const Scenario& s) {
    if (row.what != Observation::What::step)
        return text_of(row.layer) + (row.what == Observation::What::forward ? tr(", forward") : tr(", backward"));
    const auto batch = batch_for(s.training.batch, s.training.batch_rule, s.cluster.workers).per_replica;
    return (s.cluster.workers == 1 ? tr("1 worker") : tr("%1 workers").arg(text_of(format_count(s.cluster.workers)))) +
           tr(", batch %1 each").arg(text_of(format_count(batch)));
}

}  // namespace

XyData calibration_data(const Observations& observations, const CalibrationFit& fit) {
    XyData data;
    data.x = {tr("measured"), tr("ms"), QStringLiteral("measured_ms"), true, false};
    data.y = {tr("predicted"), tr("ms"), QStringLiteral("predicted_ms"), true, false};
    data.equal_axes = true;
    data.around = {0.1, 0.25};
    data.series = {{QStringLiteral("before"), tr("as the design is"), XySeries::Style::dots, 1, {}},
                   {QStringLiteral("after"), tr("calibrated"), XySeries::Style::dots, 0, {}}};
    for (std::size_t r = 0; r < fit.rows.size(); ++r) {
        const Observation& row = observations.rows[r];
        const ObservationFinding& found = fit.rows[r];
        XyPoint point;
        point.x = in_milliseconds(row.measured);
        point.id = static_cast<int>(r);
        point.label = name_of(row, observations.scenarios[row.scenario]);
        point.y = in_milliseconds(found.before);
        data.series[0].points.push_back(point);
        point.y = in_milliseconds(found.after);
        point.band = Range{in_milliseconds(found.low), in_milliseconds(found.high)};
        data.series[1].points.push_back(point);
    }
    return data;
}

ChartTable calibration_constants(const CalibrationFit& fit) {
    ChartTable table;
    table.columns = {
        {QStringLiteral("constant"), tr("Constant"), {}},   {QStringLiteral("unit"), tr("Unit"), {}},
        {QStringLiteral("believed"), tr("Believed"), {}},   {QStringLiteral("believed_low_90"), tr("from"), {}},
        {QStringLiteral("believed_high_90"), tr("to"), {}}, {QStringLiteral("value"), tr("Now"), {}},
        {QStringLiteral("low_90"), tr("from (90 %)"), {}},  {QStringLiteral("high_90"), tr("to (90 %)"), {}},
        {QStringLiteral("verdict"), tr("Verdict"), {}},     {QStringLiteral("why"), tr("Because"), {}}};
    for (const ConstantFinding& c : fit.constants) {
        const Field* field = find_field(c.field);
        table.rows.push_back({text_of(std::string(field ? field->label : std::string_view(c.field))),
                              field ? ChartCell(text_of(std::string(field->unit))) : ChartCell(), c.prior, c.prior_low,
                              c.prior_high, c.value, c.low, c.high, verdict_text(c.verdict), text_of(c.words)});
    }
    return table;
}

ChartTable calibration_times(const Observations& observations, const CalibrationFit& fit) {
    const QString ms = tr("ms"), percent = QStringLiteral("%");
    ChartTable table;
    table.columns = {{QStringLiteral("line"), tr("Line"), {}},
                     {QStringLiteral("of"), tr("Of"), {}},
                     {QStringLiteral("measured_ms"), tr("Measured"), ms},
                     {QStringLiteral("before_ms"), tr("As the design is"), ms},
                     {QStringLiteral("before_error_percent"), tr("Error"), percent},
                     {QStringLiteral("calibrated_ms"), tr("Calibrated"), ms},
                     {QStringLiteral("error_percent"), tr("Error"), percent},
                     {QStringLiteral("low_90_ms"), tr("from (90 %)"), ms},
                     {QStringLiteral("high_90_ms"), tr("to (90 %)"), ms}};
    for (std::size_t r = 0; r < fit.rows.size(); ++r) {
        const Observation& row = observations.rows[r];
        const ObservationFinding& found = fit.rows[r];
        table.rows.push_back({static_cast<double>(row.line), name_of(row, observations.scenarios[row.scenario]),
                              in_milliseconds(row.measured), in_milliseconds(found.before),
                              100.0 * found.error_before(row.measured), in_milliseconds(found.after),
                              100.0 * found.error_after(row.measured), in_milliseconds(found.low),
                              in_milliseconds(found.high)});
    }
    return table;
}

ChartTable operator_errors(const OperatorFit& fit) {
    const QString unit = QStringLiteral("%");
    ChartTable table;
    table.columns = {{QStringLiteral("operator"), tr("Operator"), {}},
                     {QStringLiteral("pass"), tr("Pass"), {}},
                     {QStringLiteral("precision"), tr("Precision"), {}},
                     {QStringLiteral("device"), tr("Device"), {}},
                     {QStringLiteral("points"), tr("Points"), {}},
                     {QStringLiteral("roofline_percent"), tr("Roofline"), unit},
                     {QStringLiteral("tiles_percent"), tr("Tiles and waves"), unit},
                     {QStringLiteral("new_shapes_percent"), tr("Corrected, new shapes"), unit},
                     {QStringLiteral("new_device_percent"), tr("Corrected, new device"), unit}};
    const auto mean = [](const std::optional<operators::Errors>& e) {
        return e ? ChartCell(100.0 * e->mean) : ChartCell();
    };
    for (const OperatorErrors& e : fit.errors)
        table.rows.push_back({text_of(e.kind), text_of(e.pass), text_of(e.precision), text_of(e.device),
                              static_cast<double>(e.tiles.points), 100.0 * e.roofline.mean, 100.0 * e.tiles.mean,
                              mean(e.shapes_never_seen), mean(e.device_never_seen)});
    return table;
}

ChartTable calibration_notes(const Problems& problems) {
    ChartTable table;
    table.columns = {{QStringLiteral("line"), tr("Line"), {}},
                     {QStringLiteral("note"), tr("What"), {}},
                     {QStringLiteral("remedy"), tr("What to do"), {}}};
    for (const Problem& p : problems)
        table.rows.push_back({p.at.line > 0 ? ChartCell(static_cast<double>(p.at.line)) : ChartCell(), text_of(p.what),
                              text_of(p.remedy)});
    return table;
}

}  // namespace scalescope::ui
