// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspect/sensitivity_mapping.hpp"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

#include "core/base/format.hpp"
#include "ui/language/told.hpp"

namespace scalescope::ui {
namespace {

QString value_text(const search::SensitivityRow& row, double value) {
    if (row.whole) return told(format_count(std::llround(value)));
    QString number = told(format_number(value, 4, 6));
    while (number.contains(QLatin1Char('.')) &&
           (number.endsWith(QLatin1Char('0')) || number.endsWith(QLatin1Char('.'))))
        number.chop(1);
    return row.unit.empty() ? number : number + QChar::Nbsp + told_word(row.unit);
}

TornadoRow::End end_of(const search::SensitivityRow& row, const search::SensitivityEnd& end) {
    return {end.change ? value_text(row, end.value) : tr("not possible"), end.change, told(end.problem)};
}

/// What a narrow chart has room for, and still says it.
QString brief_label(const search::Wall& wall) {
    const QString full = told(wall.label);
    if (wall.kind == search::WallKind::communication)
        return QCoreApplication::translate("scalescope::ui::SpeedupChart", "comm > compute");
    if (wall.kind == search::WallKind::efficiency)  // the number in it is the wall
        return QCoreApplication::translate("scalescope::ui::SpeedupChart", "eff. %1")
            .arg(full.mid(full.indexOf(QLatin1Char('<'))));
    return full;
}

}  // namespace

TornadoData tornado_data(const Result<search::Sensitivity>& found) {
    TornadoData data;
    if (!found) {
        if (!found.error().empty()) data.empty_reason = told(found.error().front().what);
        return data;
    }
    const auto& info = search::info_of(found->objective);
    data.objective = told(info.label);
    data.value = told(search::metric_text(found->objective, found->value));
    data.larger_is_better = info.larger_is_better;
    const QString by = told(search::share_text(found->by));
    data.more_name = tr("%1 more").arg(by);
    data.less_name = tr("%1 less").arg(by);
    for (const auto& row : found->rows) {
        TornadoRow shown;
        shown.id = told(row.path);
        shown.name = told(row.label);
        if (row.whole)  // not quite the percentage of the others
            shown.name += tr(", %1 to %2")
                              .arg(value_text(row, row.less.change ? row.less.value : row.value),
                                   value_text(row, row.more.change ? row.more.value : row.value));
        shown.less = end_of(row, row.less);
        shown.more = end_of(row, row.more);
        shown.elasticity = row.elasticity;
        shown.sentence = told(row.sentence);
        data.rows.push_back(std::move(shown));
    }
    return data;
}

std::vector<GuideLine> guide_lines(const search::Walls& walls) {
    std::vector<GuideLine> lines;
    for (const auto& wall : walls.walls) {
        if (!is_guide_line(wall, walls)) continue;
        const auto same =
            std::find_if(lines.begin(), lines.end(), [&](const GuideLine& line) { return line.workers == wall.first; });
        if (same == lines.end()) {
            lines.push_back({static_cast<int>(wall.first), told(wall.label), told(wall.sentence), brief_label(wall)});
            continue;
        }
        if (same->label != told(wall.label)) {
            same->label += QStringLiteral(", ") + told(wall.label);
            same->brief += QStringLiteral(", ") + brief_label(wall);
        }
        same->sentence += QLatin1Char('\n') + told(wall.sentence);
    }
    std::sort(lines.begin(), lines.end(), [](const GuideLine& a, const GuideLine& b) { return a.workers < b.workers; });
    return lines;
}

}  // namespace scalescope::ui
