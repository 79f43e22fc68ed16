// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspect/roofline_mapping.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "core/base/format.hpp"
#include "core/estimate/roofline.hpp"
#include "ui/language/told.hpp"
#include "ui/live/layer_keys.hpp"
#include "ui/live/shown_rows.hpp"

namespace scalescope::ui {
namespace {

constexpr double tera = 1e12;

XySeries ceiling(const char* key, const QString& name, int colour, bool dashed, std::initializer_list<QPointF> points) {
    XySeries made{QLatin1String(key), name, XySeries::Style::line, colour, {}, dashed};
    for (const QPointF& p : points) made.points.push_back({.x = p.x(), .y = p.y(), .label = {}});
    return made;
}

QString rate_text(FlopsPerSecond rate) {
    return told(format_number(rate.value / tera)) + QChar::Nbsp + QStringLiteral("TFLOP/s");
}
QString rate_text(BytesPerSecond rate) {
    return told(format_number(rate.value / tera)) + QChar::Nbsp + QStringLiteral("TB/s");
}

/// Slanted up to where the memory is as fast as the arithmetic, then flat.
XySeries roof(const char* key, const QString& name, int colour, bool dashed, BytesPerSecond memory,
              FlopsPerSecond arithmetic, Range x) {
    const double ridge = arithmetic.value / memory.value, top = arithmetic.value / tera;
    return ceiling(
        key, name, colour, dashed,
        {{x.lower, std::min(top, memory.value * x.lower / tera)}, {ridge, top}, {std::max(x.upper, ridge), top}});
}

}  // namespace

XyData roofline_data(const LiveResult& r) {
    XyData data;
    data.x = {tr("Arithmetic intensity"), tr("FLOP/byte"), QStringLiteral("intensity_flop_per_byte"), true};
    data.y = {tr("Arithmetic"), QStringLiteral("TFLOP/s"), QStringLiteral("attained_tflop_per_s"), true};
    data.more = {{tr("FLOPs"), QStringLiteral("GFLOP"), QStringLiteral("flops_gflop")},
                 {tr("Memory traffic"), QStringLiteral("MB"), QStringLiteral("traffic_mb")},
                 {tr("Time"), QStringLiteral("ms"), QStringLiteral("time_ms")}};
    data.hollow_means = tr("whole operation, before it is divided");
    data.names_beside = true;
    data.empty_reason = tr("Only the pipeline's prices have FLOPs and memory traffic for each operation.");
    if (!r.estimate || !r.plan) {
        if (!r.estimate) data.empty_reason = told(r.estimate.error().front().what);
        return data;
    }
    const auto found = roofline_of(r.request.scenario, *r.plan, *r.estimate);
    if (!found || found->rows.empty()) return data;
    std::array<XySeries, 3> bounds{
        XySeries{QStringLiteral("compute"), tr("compute-bound"), XySeries::Style::dots, 0, {}},
        XySeries{QStringLiteral("memory"), tr("memory-bound"), XySeries::Style::dots, 1, {}},
        XySeries{QStringLiteral("launch"), tr("launch-bound"), XySeries::Style::dots, 2, {}}};
    Range x{std::numeric_limits<double>::infinity(), 0};
    const auto add = [&](const RooflinePoint& of, const QString& label, int id, bool hollow,
                         std::optional<QPointF> from) {
        XyPoint p;
        p.x = of.intensity();
        p.y = of.attained().value / tera;
        p.label = label;
        p.hollow = hollow;
        p.named = !hollow;
        p.id = id;
        p.from = from;
        p.more = {of.flops.value / 1e9, of.bytes.value / 1e6, in_milliseconds(of.time)};
        x = {std::min(x.lower, p.x), std::max(x.upper, p.x)};
        bounds[static_cast<std::size_t>(of.bound)].points.push_back(std::move(p));
    };
    for (const RooflineRow& row : found->rows) {
        const QString name = row.row->is_word ? row_title(*row.row) : QString::fromStdString(row.row->path);
        const int id = layer_key(row.part, row.longest);
        std::optional<QPointF> from;
        if (row.divided()) {
            from = QPointF(row.whole.intensity(), row.whole.attained().value / tera);
            add(row.whole, name, id, true, {});
        }
        add(row.device, name, id, false, from);
    }
    for (const auto& peak : found->peaks) {
        const double ridge = peak.rate.value / found->memory.value;
        x = {std::min(x.lower, ridge), std::max(x.upper, ridge)};
    }
    x = {x.lower / 1.5, x.upper * 1.5};
    for (std::size_t i = 0; i < found->peaks.size(); ++i) {
        const auto& [precision, rate] = found->peaks[i];
        const QString name = told(name_of(precision)).toUpper() + QStringLiteral(", ") + rate_text(rate);
        if (i == 0)
            data.series.push_back(
                roof("roof", name + QStringLiteral(", ") + rate_text(found->memory), 4, false, found->memory, rate, x));
        else
            data.series.push_back(
                ceiling(i == 1 ? "other_roof" : "third_roof", name, 3, i > 1,
                        {{rate.value / found->memory.value, rate.value / tera}, {x.upper, rate.value / tera}}));
    }
    data.series.push_back(roof("reached", tr("shares reached"), 4, true, found->memory_reached, found->reached, x));
    for (XySeries& s : bounds)
        if (!s.points.empty()) data.series.push_back(std::move(s));
    return data;
}

}  // namespace scalescope::ui
