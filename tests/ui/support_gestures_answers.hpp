// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractButton>
#include <QLabel>
#include <QRegularExpression>
#include <cmath>

#include "core/estimate/applies.hpp"
#include "core/scenario/mesh_degrees.hpp"
#include "ui/charts/speedup_chart.hpp"
#include "ui/charts/stack_chart.hpp"
#include "ui/charts/step_time_chart.hpp"
#include "ui/charts/timeline_chart.hpp"
#include "ui/charts/xy_chart.hpp"
#include "ui/design/mesh_equation.hpp"
#include "ui/design/workers_panel.hpp"
#include "ui/inspect/chart_mapping.hpp"
#include "ui/inspect/roofline_mapping.hpp"
#include "ui/widgets/number_field.hpp"
#include "ui/window/main_window.hpp"

/// Checks that a window at rest shows the newest answer, the whole of it, and nothing that is not a number. Each
/// returns what is wrong, in a sentence; empty: nothing.
namespace window_test {

using namespace scalescope;
using namespace scalescope::ui;

/// Until nothing is computed in the background that belongs to the open design.
inline void come_to_rest(MainWindow& window) {
    for (int i = 0; i < 4; ++i) {
        window.findChild<WorkersPanel*>()->finish_mesh();
        QCoreApplication::processEvents();
        window.finish_answers();
        window.analyst().finish();
        window.mesh_curve().finish();
        QCoreApplication::processEvents();
        QCoreApplication::sendPostedEvents();
    }
}

/// The degrees multiply to the number of devices, in the design and in the equation on show.
inline QString check_mesh(const MainWindow& window, const Scenario& s, const LiveResult& result) {
    if (!has_meshes(s)) return {};
    const auto degrees = degrees_of(s);
    if (!degrees) return result.estimate ? QStringLiteral("a mesh that does not come out has an estimate") : QString();
    const std::int64_t product = degrees->data * degrees->pipeline * degrees->context * degrees->tensor;
    if (product != s.cluster.workers)
        return QStringLiteral("%1 degrees for %2 devices").arg(product).arg(s.cluster.workers);
    const auto* equation = window.findChild<MeshEquation*>();
    double shown = 1;
    bool any = false;
    for (const MeshAxis axis : mesh_axes_of_equation)
        if (const NumberField* field = equation->field(axis); field->isVisible()) {
            shown *= field->value();
            any = true;
        }
    if (any && shown != static_cast<double>(s.cluster.workers))
        return QStringLiteral("the equation shows %1 for %2 devices").arg(shown).arg(s.cluster.workers);
    return {};
}

/// Words for what is no number: nowhere on show.
inline QString check_texts(const MainWindow& window) {
    static const QRegularExpression wrong(QStringLiteral("(?<![\\w%])-?(nan|inf)(?![\\w])"),
                                          QRegularExpression::CaseInsensitiveOption);
    const auto bad = [&](const QString& text) { return text.contains(wrong); };
    for (const QLabel* label : window.findChildren<QLabel*>())
        if (label->isVisible() && bad(label->text()))
            return QStringLiteral("label %1 says %2").arg(label->objectName(), label->text());
    for (const QAbstractButton* button : window.findChildren<QAbstractButton*>())
        if (button->isVisible() && bad(button->text())) return QStringLiteral("a button says %1").arg(button->text());
    for (const auto& [name, chart] : window.charts()) {
        if (!chart->isVisible()) continue;
        if (bad(chart->description())) return QStringLiteral("chart %1: %2").arg(name, chart->description());
        for (const Range& range : {chart->x_range(), chart->y_range()})
            if (!std::isfinite(range.lower) || !std::isfinite(range.upper))
                return QStringLiteral("an axis of chart %1 is endless").arg(name);
        for (const auto& row : chart->table().rows)
            for (const ChartCell& cell : row)
                if (cell.is_text() ? bad(cell.shown()) : cell.is_number() && !std::isfinite(cell.number()))
                    return QStringLiteral("chart %1 has a cell %2").arg(name, cell.shown());
    }
    return {};
}

/// In what the curves of two charts differ.
inline QString difference(const std::vector<SpeedupCurve>& expected, const std::vector<SpeedupCurve>& drawn) {
    if (expected.size() != drawn.size())
        return QStringLiteral("%1 curves, not %2").arg(drawn.size()).arg(expected.size());
    const auto text = [](const SpeedupPoint& p) {
        return QStringLiteral("%1 at %2 %3").arg(p.speedup, 0, 'g', 17).arg(p.workers).arg(p.reason);
    };
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const auto &want = expected[i].points, &have = drawn[i].points;
        for (std::size_t p = 0; p < std::min(want.size(), have.size()); ++p)
            if (!(want[p] == have[p]))
                return QStringLiteral("curve %1: %2, not %3").arg(expected[i].name, text(have[p]), text(want[p]));
        if (want.size() != have.size())
            return QStringLiteral("curve %1: %2 points, not %3")
                .arg(expected[i].name)
                .arg(have.size())
                .arg(want.size());
    }
    return expected == drawn ? QString() : QStringLiteral("names or looks of curves");
}

inline QString difference(const SpeedupData& expected, const SpeedupData& drawn) {
    QStringList all{difference(expected.curves, drawn.curves), difference(expected.pins, drawn.pins)};
    if (!(expected.rate == drawn.rate)) all << QStringLiteral("rate axis");
    if (expected.current != drawn.current || expected.shown != drawn.shown) all << QStringLiteral("crosshair");
    all.removeAll(QString());
    return all.join(QStringLiteral("; "));
}

/// Charts show what is computed anew, without anything that was kept from edits before.
inline QString check_anew(MainWindow& window, const LiveResult& shown) {
    const LiveRequest& request = shown.request;
    const LiveResultPtr fresh = answer(request);
    if (fresh->estimate.has_value() != shown.estimate.has_value())
        return QStringLiteral("whether the design runs is stale");
    if (fresh->estimate) {
        const Seconds step = fresh->estimate->summary.step;
        if (!(step == shown.estimate->summary.step)) return QStringLiteral("the step time is stale");
        if (!std::isfinite(step.value) || !std::isfinite(fresh->estimate->memory.peak.value))
            return QStringLiteral("the step takes %1 s and %2 B")
                .arg(step.value)
                .arg(fresh->estimate->memory.peak.value);
    }
    const auto stale = [&](const char* name, auto* chart, const auto& data) {
        return chart && chart->isVisible() && !(chart->data() == data)
                   ? QStringLiteral("chart %1 is stale").arg(QLatin1String(name))
                   : QString();
    };
    QStringList all;
    all << stale("steps", window.findChild<StepTimeChart*>(QStringLiteral("stepChart")), step_chart_data(*fresh));
    all << stale("memory", window.findChild<StackChart*>(QStringLiteral("memoryChart")), memory_chart_data(*fresh));
    all << stale("roofline", window.findChild<XyChart*>(QStringLiteral("rooflineChart")), roofline_data(*fresh));
    if (const auto* speedup = window.findChild<SpeedupChart*>(QStringLiteral("speedupChart")); speedup->isVisible()) {
        // The fit belongs to a window beside.
        const bool meshes = shows_rates(*fresh) && has_meshes(request.scenario);
        SpeedupData expected =
            speedup_chart_data(*fresh, meshes ? &window.mesh_curve().points_of(request.scenario) : nullptr);
        SpeedupData drawn = speedup->data();
        expected.fitted = drawn.fitted;
        // Pinned curves keep the counts that they were drawn at once.
        for (std::size_t i = 0; i < std::min(expected.pins.size(), drawn.pins.size()); ++i)
            std::erase_if(drawn.pins[i].points, [&](const SpeedupPoint& p) {
                return std::none_of(expected.pins[i].points.begin(), expected.pins[i].points.end(),
                                    [&](const SpeedupPoint& q) { return q.workers == p.workers; });
            });
        if (!(expected == drawn)) all << QStringLiteral("chart speedup is stale: %1").arg(difference(expected, drawn));
    }
    all.removeAll(QString());
    return all.join(QStringLiteral(", "));
}

/// Of a window at rest.
inline QString check_answers(MainWindow& window, bool anew) {
    const LiveResultPtr shown = window.result();
    if (!shown) return {};
    const Scenario& s = window.document().scenario();
    if (!(shown->request.scenario == s)) return QStringLiteral("at rest, the answer is of another design");
    if (shown->rough || shown->request.dragging) return QStringLiteral("at rest, the answer is rough");
    if (shown->request.pins != window.document().pins()) return QStringLiteral("the answer has other pins");
    QString wrong = check_mesh(window, s, *shown);
    if (wrong.isEmpty()) wrong = check_texts(window);
    if (wrong.isEmpty() && anew) wrong = check_anew(window, *shown);
    return wrong;
}

}  // namespace window_test
