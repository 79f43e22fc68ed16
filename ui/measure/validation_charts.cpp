// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/validation_charts.hpp"

#include <QCoreApplication>
#include <algorithm>
#include <map>

#include "core/base/format.hpp"
#include "ui/charts/helpers.hpp"
#include "ui/language/told.hpp"

namespace scalescope::ui {
namespace {

using namespace measure;

ChartCell percent(const std::optional<double>& share) { return share ? ChartCell(100.0 * *share) : ChartCell(); }
ChartCell baseline(const std::optional<BaselineError>& b) { return b ? ChartCell(100.0 * b->mean) : ChartCell(); }

}  // namespace

QString evidence_text(const ValidatedRow& row) {
    switch (row.evidence) {
        case Evidence::data_sheet: return tr("data sheet");
        case Evidence::recalled: return tr("recalled");
        case Evidence::calibrated:
            return row.calibrated_on == 1 ? tr("calibrated on 1 row")
                                          : tr("calibrated on %1 rows").arg(row.calibrated_on);
    }
    return {};
}

QString name_of_row(const ValidatedRow& row) {
    const PublishedRow& r = row.row;
    QStringList parts{text_of(r.network), text_of(r.device),
                      r.workers == 1 ? tr("1 worker") : tr("%1 workers").arg(text_of(format_count(r.workers)))};
    if (r.batch_per_worker > 0) parts << tr("batch %1").arg(text_of(format_count(r.batch_per_worker)));
    return parts.join(QStringLiteral(", "));
}

QStringList units_of(const Validation& validation) {
    std::map<std::string, int> counts;
    for (const ValidatedRow& row : validation.rows)
        if (row.predicted) ++counts[row.row.unit];
    std::vector<std::pair<int, std::string>> sorted;
    for (const auto& [unit, count] : counts) sorted.emplace_back(-count, unit);
    std::sort(sorted.begin(), sorted.end());
    QStringList units;
    for (const auto& entry : sorted) units << text_of(entry.second);
    return units;
}

XyData validation_data(const Validation& validation, const QString& unit) {
    XyData data;
    data.x = {tr("measured"), unit, QStringLiteral("measured"), true, false};
    data.y = {tr("predicted"), unit, QStringLiteral("predicted"), true, false};
    data.equal_axes = true;
    data.around = {0.1, 0.25};
    data.hollow_means = tr("learnt from");
    data.empty_reason = tr("No row could be predicted. The reasons are listed below.");
    const QString names[] = {tr("1 worker"), tr("2 – 8 workers"), tr("more than 8")};
    for (int i = 0; i < 3; ++i)
        data.series.push_back({QStringLiteral("range%1").arg(i), names[i], XySeries::Style::dots, i, {}});
    for (std::size_t i = 0; i < validation.rows.size(); ++i) {
        const ValidatedRow& row = validation.rows[i];
        if (!row.predicted || text_of(row.row.unit) != unit) continue;
        XyPoint point;
        point.x = row.row.value;
        point.y = *row.predicted;
        point.hollow = row.learnt_from;
        point.id = static_cast<int>(i);
        point.label = name_of_row(row) + QStringLiteral(" \u00b7 ") + evidence_text(row);
        data.series[row.row.workers == 1 ? 0U : row.row.workers <= 8 ? 1U : 2U].points.push_back(std::move(point));
    }
    std::erase_if(data.series, [](const XySeries& s) { return s.points.empty(); });
    return data;
}

ChartTable validation_rows(const Validation& validation) {
    ChartTable table;
    table.columns = {{QStringLiteral("network"), tr("Network"), {}},
                     {QStringLiteral("device"), tr("Device"), {}},
                     {QStringLiteral("workers"), tr("Workers"), {}},
                     {QStringLiteral("batch_per_worker"), tr("Batch/worker"), {}},
                     {QStringLiteral("precision"), tr("Precision"), {}},
                     {QStringLiteral("metric"), tr("Metric"), {}},
                     {QStringLiteral("measured"), tr("Measured"), {}},
                     {QStringLiteral("predicted"), tr("Predicted"), {}},
                     {QStringLiteral("unit"), tr("Unit"), {}},
                     {QStringLiteral("error_percent"), tr("Error"), QStringLiteral("%")},
                     {QStringLiteral("linear"), tr("Linear scaling"), {}},
                     {QStringLiteral("evidence"), tr("Evidence"), {}},
                     {QStringLiteral("reason"), tr("Not predicted because"), {}},
                     {QStringLiteral("source"), tr("Source"), {}},
                     {QStringLiteral("line"), tr("Line"), {}}};
    const auto rounded = [](const std::optional<double>& v) { return v ? ChartCell(*v) : ChartCell(); };
    for (const ValidatedRow& v : validation.rows) {
        const PublishedRow& r = v.row;
        table.rows.push_back({text_of(r.network), text_of(r.device), static_cast<double>(r.workers),
                              r.batch_per_worker > 0 ? ChartCell(static_cast<double>(r.batch_per_worker)) : ChartCell(),
                              text_of(r.precision), text_of(r.metric), r.value > 0 ? ChartCell(r.value) : ChartCell(),
                              rounded(v.predicted), text_of(r.unit), percent(v.error()), rounded(v.linear),
                              v.predicted ? ChartCell(evidence_text(v)) : ChartCell(),
                              v.reason.empty() ? ChartCell() : ChartCell(text_of(v.reason)), text_of(r.source),
                              static_cast<double>(r.line)});
    }
    return table;
}

ChartTable validation_groups(const Validation& validation) {
    const QString unit = QStringLiteral("%");
    ChartTable table;
    table.columns = {{QStringLiteral("group"), tr("Group"), {}},
                     {QStringLiteral("rows_of"), tr("Of"), {}},
                     {QStringLiteral("rows"), tr("Rows"), {}},
                     {QStringLiteral("coverage_percent"), tr("Predicted"), unit},
                     {QStringLiteral("mean_error_percent"), tr("Mean error"), unit},
                     {QStringLiteral("median_error_percent"), tr("Median"), unit},
                     {QStringLiteral("worst_error_percent"), tr("Worst"), unit},
                     {QStringLiteral("linear_percent"), tr("Linear scaling"), unit},
                     {QStringLiteral("best_constant_percent"), tr("Best constant"), unit},
                     {QStringLiteral("best_power_percent"), tr("Best power law"), unit},
                     {QStringLiteral("roofline_median_percent"), tr("Roofline, median"), unit}};
    for (const GroupSummary& g : validation.groups) {
        const bool any = g.ours.rows > 0;
        const auto of = [any](double share) { return any ? ChartCell(100.0 * share) : ChartCell(); };
        table.rows.push_back({text_of(g.group), text_of(g.range), static_cast<double>(g.rows), 100.0 * g.coverage(),
                              of(g.ours.mean), of(g.ours.median), of(g.ours.worst), baseline(g.linear),
                              baseline(g.constant), baseline(g.power),
                              g.roofline ? ChartCell(100.0 * g.roofline->median) : ChartCell()});
    }
    return table;
}

ChartTable validation_reasons(const Validation& validation) {
    ChartTable table;
    table.columns = {{QStringLiteral("rows"), tr("Rows"), {}},
                     {QStringLiteral("not_predicted_because"), tr("Not predicted because"), {}}};
    for (const auto& [reason, count] : validation.reasons)
        table.rows.push_back({static_cast<double>(count), text_of(reason)});
    return table;
}

}  // namespace scalescope::ui
