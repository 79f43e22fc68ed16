// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/trace_charts.hpp"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>
#include <map>

#include "core/base/format.hpp"
#include "core/measure/transfer/tables.hpp"
#include "ui/charts/helpers.hpp"
#include "ui/language/told.hpp"

namespace scalescope::ui {
namespace {

using namespace kineto;

BoxKind kind_of(const Operation& o) {
    if (o.cls == WorkClass::communication) return BoxKind::communication;
    switch (o.phase) {
        case kineto::Phase::forward: return BoxKind::forward;
        case kineto::Phase::backward: return BoxKind::backward;
        case kineto::Phase::optimizer: return BoxKind::update;
        case kineto::Phase::other: break;
    }
    return BoxKind::idle;
}

TimeParts parts_of(const std::array<Seconds, phases>& by_phase) {
    TimeParts parts;
    const auto at_phase = [&](kineto::Phase p) { return by_phase[static_cast<std::size_t>(p)]; };
    parts.forward = at_phase(kineto::Phase::forward);
    parts.backward = at_phase(kineto::Phase::backward);
    parts.update = at_phase(kineto::Phase::optimizer);
    parts.idle = at_phase(kineto::Phase::other);
    return parts;
}

}  // namespace

TimelineData trace_timeline(const RecordedTrace& recorded, std::size_t step) {
    TimelineData data;
    const auto& [trace, digest] = recorded;
    if (step >= digest.steps.size()) return data;
    const Span span = digest.steps[step].device;
    std::map<std::pair<std::int64_t, std::int64_t>, int> row_of;
    const auto row = [&](std::int64_t device, std::int64_t stream) {
        return row_of.try_emplace({device, stream}, 0).first;
    };
    const auto seconds = [](std::int64_t ns) { return Seconds{static_cast<double>(ns) * 1e-9}; };
    struct Piece {
        std::pair<std::int64_t, std::int64_t> stream;
        TimelineBox box;
    };
    std::vector<Piece> pieces;
    for (const Operation& o : digest.operations) {
        if (o.step != static_cast<std::int64_t>(step)) continue;
        for (const std::uint32_t k : digest.kernels_of(o)) {
            const KernelEvent& kernel = trace.kernels[k];
            row(kernel.device, kernel.stream);
            pieces.push_back({{kernel.device, kernel.stream},
                              {0, seconds(kernel.span.begin - span.begin), seconds(kernel.span.length),
                               text_of(trace.name(o.name)), kind_of(o), -1}});
        }
    }
    for (const MemoryEvent& m : trace.memory) {
        if (m.span.begin < span.begin || m.span.begin >= span.end()) continue;
        row(m.device, m.stream);
        pieces.push_back({{m.device, m.stream},
                          {0, seconds(m.span.begin - span.begin), seconds(m.span.length), text_of(trace.name(m.name)),
                           BoxKind::hidden, -1}});
    }
    const bool one_device = std::all_of(row_of.begin(), row_of.end(), [&](const auto& entry) {
        return entry.first.first == row_of.begin()->first.first;
    });
    for (auto& [stream, index] : row_of) {
        index = static_cast<int>(data.rows.size());
        data.rows.push_back(one_device ? tr("stream %1").arg(stream.second)
                                       : tr("GPU %1, stream %2").arg(stream.first).arg(stream.second));
    }
    for (Piece& piece : pieces) {
        piece.box.row = row_of[piece.stream];
        data.boxes.push_back(std::move(piece.box));
    }
    data.length = seconds(span.length);
    data.hidden_name = tr("Copies and fills");
    data.empty_reason = tr("The GPU did nothing in this step.");
    return data;
}

LayerTimeData trace_classes(const RecordedTrace& recorded, const TracePredictions* predictions, int on) {
    LayerTimeData data;
    const auto measured = transfer::class_times(recorded.digest);
    const auto apart = transfer::communication_of(recorded.digest);
    TimeParts nccl;
    nccl.communication = apart.exposed;
    nccl.hidden = apart.overlapped;
    BarPin pin;
    transfer::ClassTimes there{};
    const bool pinned = predictions && on >= 0 && static_cast<std::size_t>(on) < predictions->on.size();
    if (pinned) {
        const PredictedOn& p = predictions->on[static_cast<std::size_t>(on)];
        there = p.times;
        pin.name = text_of(p.gpu.device.name);
    }
    std::vector<std::pair<LayerTime, Seconds>> bars;
    for (std::size_t c = 0; c < work_classes; ++c) {
        const bool communication = static_cast<WorkClass>(c) == WorkClass::communication;
        LayerTime bar;
        bar.id = static_cast<int>(c);
        bar.name = told_word(name_of(static_cast<WorkClass>(c)));
        bar.time = parts_of(measured[c]);
        if (communication) bar.time = nccl, bar.detail = tr("as measured on every GPU: NCCL waits for others");
        if (!(bar.time.total() + bar.time.hidden > Seconds{0})) continue;
        data.step += bar.time.total();
        bars.emplace_back(std::move(bar), communication ? nccl.total() : parts_of(there[c]).total());
    }
    std::stable_sort(bars.begin(), bars.end(),
                     [](const auto& a, const auto& b) { return a.first.time.total() > b.first.time.total(); });
    for (auto& [bar, predicted] : bars) {
        pin.totals.push_back(predicted);
        data.layers.push_back(std::move(bar));
    }
    data.parts.hidden = nccl.hidden > Seconds{0};
    data.parts.idle = std::any_of(data.layers.begin(), data.layers.end(),
                                  [](const LayerTime& l) { return l.time.idle > Seconds{0}; });
    if (pinned) data.pins.push_back(std::move(pin));
    data.title = tr("Time by operator");
    data.unit_of = tr("per step");
    data.empty_reason = tr("No kernel was recorded.");
    return data;
}

XyData trace_prices(const TracePredictions& predictions, const std::vector<int>& chosen) {
    XyData data;
    data.x = {tr("price per hour"), QStringLiteral("$"), QStringLiteral("usd_per_hour"), true, false};
    data.y = {tr("time of the step"), QStringLiteral("ms"), QStringLiteral("step_ms"), true, false};
    data.hollow_means = tr("recorded");
    data.empty_reason = chosen.empty() ? tr("No GPU is chosen.") : tr("No GPU that is chosen has a price.");
    data.caption = tr("lower left is better; devices without a price appear only in the table");
    XySeries gpus{QStringLiteral("gpus"), tr("GPUs"), XySeries::Style::dots, 0, {}};
    data.names_beside = true;
    for (const int i : chosen) {
        const auto& [gpu, prediction, times] = predictions.on[static_cast<std::size_t>(i)];
        if (!gpu.device.price_per_hour) continue;
        XyPoint point;
        point.x = *gpu.device.price_per_hour;
        point.y = in_milliseconds(prediction.step.predicted);
        point.label = text_of(gpu.device.name);
        point.hollow = predictions.from && gpu.device.id == predictions.from->device.id;
        point.id = i;
        gpus.points.push_back(std::move(point));
    }
    data.series.push_back(std::move(gpus));
    return data;
}

ChartTable trace_devices(const TracePredictions& predictions, const std::vector<int>& chosen) {
    const QString ms = QStringLiteral("ms");
    ChartTable table;
    table.columns = {{QStringLiteral("device"), tr("GPU"), {}},
                     {QStringLiteral("step_ms"), tr("Step"), ms},
                     {QStringLiteral("speedup"), tr("Speedup"), QStringLiteral("×")},
                     {QStringLiteral("forward_ms"), tr("Forward"), ms},
                     {QStringLiteral("backward_ms"), tr("Backward"), ms},
                     {QStringLiteral("update_ms"), tr("Update"), ms},
                     {QStringLiteral("usd_per_hour"), tr("Price per hour"), QStringLiteral("$")},
                     {QStringLiteral("steps_per_usd"), tr("Steps per dollar"), {}},
                     {QStringLiteral("rules"), tr("By which rules"), {}},
                     {QStringLiteral("price_basis"), tr("Price from"), {}}};
    for (const int i : chosen) {
        const auto& [gpu, prediction, times] = predictions.on[static_cast<std::size_t>(i)];
        const auto phase = [&, &p = prediction](kineto::Phase which) {
            return in_milliseconds(p.by_phase[static_cast<std::size_t>(which)].predicted);
        };
        const auto price = gpu.device.price_per_hour;
        table.rows.push_back(
            {text_of(gpu.device.name), in_milliseconds(prediction.step.predicted),
             prediction.step.measured / prediction.step.predicted, phase(kineto::Phase::forward),
             phase(kineto::Phase::backward), phase(kineto::Phase::optimizer), price ? ChartCell(*price) : ChartCell(),
             price ? ChartCell(std::round(transfer::steps_per_dollar(prediction.step.predicted, *price))) : ChartCell(),
             told(transfer::rules_of(prediction.by_rule)), told(gpu.device.price_basis)});
    }
    return table;
}

ChartTable trace_operations(const TracePredictions& predictions, int on) {
    ChartTable table;
    if (on < 0 || static_cast<std::size_t>(on) >= predictions.on.size()) return table;
    const auto& gpu = predictions.on[static_cast<std::size_t>(on)].gpu;
    const auto prediction = predictions.whole(static_cast<std::size_t>(on));
    FigureTable figures = transfer::operations_header();
    transfer::add_operations(figures, predictions.recorded->trace, predictions.recorded->digest, predictions.works, gpu,
                             prediction);
    for (const std::string& column : figures.columns) table.columns.push_back({text_of(column), told(column), {}});
    struct AsCell {
        ChartCell operator()(std::monostate) const { return {}; }
        ChartCell operator()(const std::string& s) const { return told(s); }
        ChartCell operator()(double number) const { return number; }
        ChartCell operator()(std::int64_t count) const { return static_cast<double>(count); }
    };
    for (const auto& figure_row : figures.rows) {
        std::vector<ChartCell> row;
        for (const TableCell& cell : figure_row) row.push_back(std::visit(AsCell{}, cell));
        table.rows.push_back(std::move(row));
    }
    return table;
}

QString communication_text(const RecordedTrace& recorded) {
    const auto c = transfer::communication_of(recorded.digest);
    if (!c) return {};
    return tr("NCCL %1 a step, %2 of it exposed: kept as measured, it waits for other GPUs")
        .arg(text_of(format_time(c.total)), text_of(format_time(c.exposed)));
}

QString recording_text(const RecordedTrace& recorded) {
    const auto& [trace, digest] = recorded;
    const QString device = trace.devices.empty() ? tr("an unnamed GPU") : text_of(trace.devices.front().name);
    return tr("%1 steps on %2, %3 kernels")
        .arg(digest.steps.size())
        .arg(device, text_of(format_count(static_cast<std::int64_t>(trace.kernels.size()))));
}

}  // namespace scalescope::ui
