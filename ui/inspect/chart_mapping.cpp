// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspect/chart_mapping.hpp"

#include <QCoreApplication>
#include <algorithm>
#include <limits>

#include "core/base/format.hpp"
#include "core/estimate/memory.hpp"
#include "core/estimate/timeline.hpp"
#include "core/estimate/utilization.hpp"
#include "core/scenario/fields.hpp"
#include "core/scenario/hardware.hpp"
#include "ui/charts/speedup_chart.hpp"
#include "ui/design/names.hpp"
#include "ui/document/document.hpp"
#include "ui/language/told.hpp"
#include "ui/live/layer_texts.hpp"

namespace scalescope::ui {
namespace {

TimeParts parts_of(const Summary& s) { return {s.forward, s.backward, s.update, s.communication, s.idle, s.hidden}; }

BarParts bar_parts(const Scenario& s) {
    if (is_cpu_cluster(s))
        return {s.cpu.overlap.value > 0 || s.parallelism.updates == Updates::asynchronous,
                !s.cpu.servers_beside || s.model.spread.value > 0};
    const bool hides = s.parallelism.overlap != Overlap::off && s.parallelism.fill == MeshAxis::data;
    const bool slices = s.parallelism.segments && s.parallelism.scheme != HybridScheme::all_at_once;
    return {hides || slices, has_stages(s) || s.training.input_limit.value > 0 || s.model.overhead.value > 0};
}

QString reason(const Curve& curve, const CurvePoint& p) {
    return p.summary.feasible() ? QString() : told(curve.why_not(p).what);
}

QString first_problem(const LiveResult& r) { return r.estimate ? QString() : told(r.estimate.error().front().what); }

/// Up to how many workers somebody measured: what lies beyond is extrapolated.
QString measured_text(const LiveResult& r) {
    using State = ScenarioEvidence::State;
    if (r.evidence.state != State::calibrated && r.evidence.state != State::extrapolated) return {};
    for (const CalibratedRange& range : r.request.scenario.model.calibration->ranges)
        if (range.field == "cluster.workers")
            return tr(" · measured: %1 to %2")
                .arg(told(format_count(static_cast<std::int64_t>(range.low))),
                     told(format_count(static_cast<std::int64_t>(range.high))));
    return {};
}

QString axis_text(const LiveResult& r) {
    const Scenario& s = r.request.scenario;
    const WorkerWords words = worker_words(s);
    const QString batch = told(format_count(s.training.batch)), one = told(words.one);
    const QString measured = measured_text(r), axis = tr("%1 (log)").arg(told(words.many)) + measured;
    if (shows_rates(r))
        return axis + (s.training.batch_rule == BatchRule::total ? tr(" · %1 samples a step").arg(batch)
                                                                 : tr(" · %1 samples per %2").arg(batch, one));
    if (s.training.batch_rule == BatchRule::total) return axis + tr(" · 1× = one %1, all %2 samples").arg(one, batch);
    if (is_cpu_cluster(s)) return axis + tr(" · 1× = one %1, %2 samples a replica").arg(one, batch);
    if (!measured.isEmpty()) return axis + tr(" · 1× = one %1, %2 per %1").arg(one, batch);  // no room for more
    return axis + tr(" · 1× = one %1, %2 samples per %1").arg(one, batch);
}

}  // namespace

QStringList scenario_context(const Scenario& s) {
    const QString count = told(worker_words(s).count(s.cluster.workers));
    if (is_cpu_cluster(s))
        return {s.network() ? told(s.network()->name()) : tr("no network"),
                s.cpu.partitions == 1 ? tr("replicas of 1 machine")
                                      : tr("replicas of %1 machines").arg(told(format_count(s.cpu.partitions))),
                count};
    const auto degrees = degrees_of(s);
    const Parallelism& p = s.parallelism;
    if (degrees && p.tensor * p.pipeline * p.context > 1)
        return {s.network() ? told(s.network()->name()) : tr("no network"),
                mesh_product(*degrees, s.parallelism.axis_order), count};
    return {s.network() ? told(s.network()->name()) : tr("no network"),
            tr("%1 parallel").arg(title_of(s.parallelism).toLower()), count};
}

QStringList export_notes(const Scenario& s) {
    return {scenario_context(s).join(QStringLiteral(", ")), QString::fromStdString(key_settings(s))};
}

namespace {

/// Of each bar, what a pinned design's layers of the same names take.
void add_pin(const LiveResult& r, std::size_t pin, LayerTimeData& data) {
    const PinAnswer& answer = r.pins[pin];
    BarPin& bars = data.pins.emplace_back(BarPin{pin_letter(pin), {}, {}});
    bars.totals.resize(data.layers.size());
    if (!*answer.estimate) return;
    const Estimate& other = **answer.estimate;
    if (!fits_device(*answer.pin.scenario, other.memory)) bars.misfits.assign(data.layers.size(), true);
    const std::vector<RowTimes> parts = times_of_pin(r, pin);
    std::vector<int> positions;
    for (std::size_t i = 0; i < data.layers.size(); ++i) {
        positions.clear();
        for (const int key : data.layers[i].layers) positions.push_back(position_of_key(key));
        const RowTime time = parts[static_cast<std::size_t>(part_of_key(data.layers[i].id))].of(positions);
        if (time.longest >= 0) bars.totals[i] = time.total();
    }
}

}  // namespace

std::vector<LayerTime> row_bars(const LiveResult& r, const std::vector<ShownRow>& rows) {
    std::vector<LayerTime> bars;
    for (const ShownRow& row : rows) {
        const auto& network = r.request.scenario.workload[static_cast<std::size_t>(row.part)].network;
        const auto takes_time = [&](int l) {
            const Division d = network->facts()[static_cast<std::size_t>(l)].division;
            return d != Division::source && d != Division::view;
        };
        const std::vector<int>& layers = row.row->layers;
        if (row.open || std::none_of(layers.begin(), layers.end(), takes_time)) continue;  // open: its parts follow
        LayerTime& bar = bars.emplace_back();
        bar.id = row.key;
        bar.name = row.title;
        bar.block = row.block;
        for (const int l : layers) bar.layers.push_back(layer_key(row.part, l));
        if (layers.size() == 1) bar.detail = (*layer_texts(network))[static_cast<std::size_t>(layers.front())].detail;
        bar.time = {row.time.forward, row.time.backward, row.time.update, row.time.communication, {}, row.time.hidden};
    }
    return bars;
}

LayerTimeData layer_chart_data(const LiveResult& r, std::vector<LayerTime> bars) {
    LayerTimeData data;
    data.empty_reason = first_problem(r);
    if (!r.estimate) return data;
    const Scenario& s = r.request.scenario;
    data.words = worker_words(s);
    data.parts = bar_parts(s);
    data.parts.idle = false;
    data.step = r.estimate->summary.step;
    data.layers = std::move(bars);
    for (std::size_t i = 0; i < r.pins.size(); ++i) add_pin(r, i, data);
    return data;
}

StepTimeData step_chart_data(const LiveResult& r) {
    StepTimeData data;
    data.empty_reason = first_problem(r);
    data.parts = bar_parts(r.request.scenario);
    data.current = static_cast<int>(r.request.scenario.cluster.workers);
    data.words = worker_words(r.request.scenario);
    if (r.shown < 0) return data;
    const Curve& shown = r.curves[static_cast<std::size_t>(r.shown)];
    for (const CurvePoint& p : r.steps) {
        StepTime bar;
        bar.workers = static_cast<int>(p.workers);
        bar.time = parts_of(p.summary);
        bar.reason = reason(shown, p);
        bar.fits = p.fits;
        data.bars.push_back(std::move(bar));
    }
    for (std::size_t i = 0; i < r.pins.size(); ++i) {
        BarPin pin{pin_letter(i), {}, {}};
        for (const StepTime& bar : data.bars) {
            const auto& points = r.pins[i].curve->points;
            const auto at = std::lower_bound(points.begin(), points.end(), bar.workers,
                                             [](const CurvePoint& p, int workers) { return p.workers < workers; });
            const bool there = at != points.end() && at->workers == bar.workers && at->summary.feasible();
            pin.totals.push_back(there ? std::optional(at->summary.step) : std::nullopt);
            pin.misfits.push_back(there && !at->fits);
        }
        data.pins.push_back(std::move(pin));
    }
    if (!data.bars.empty()) data.empty_reason.clear();
    return data;
}

namespace {

/// What the charts over worker counts tell of a point.
double shown_value(const CurvePoint& p, bool rates, double tokens) {
    if (!p.summary.feasible() || (rates ? !p.fits : p.speedup <= 0)) return std::numeric_limits<double>::quiet_NaN();
    return rates ? p.summary.throughput().value * tokens : p.speedup;
}

std::vector<SpeedupPoint> curve_points(const Curve& c, const Scenario& s, bool rates) {
    const double tokens = tokens_of(s);
    std::vector<SpeedupPoint> points;
    points.reserve(c.points.size());
    for (const CurvePoint& p : c.points)
        points.push_back({static_cast<int>(p.workers), shown_value(p, rates, tokens),
                          rates && !p.fits ? SpeedupChart::tr("does not fit into memory") : reason(c, p),
                          rates || p.fits});
    return points;
}

/// Rates begin where anything fits, or at the present count.
RateAxis rate_axis(const LiveResult& r, const SpeedupData& data) {
    RateAxis axis;
    const Scenario& s = r.request.scenario;
    const bool tokens = tokens_of(s) > 1;
    axis.unit = tokens ? tr("tokens/s") : tr("samples/s");
    axis.key = tokens ? QStringLiteral("tokens_per_s") : QStringLiteral("samples_per_s");
    axis.fits_from = data.max_workers;
    const auto first_of = [](const SpeedupCurve& curve) {
        return std::find_if(curve.points.begin(), curve.points.end(),
                            [](const SpeedupPoint& p) { return p.speedup > 0; });
    };
    bool any = false;
    double rate = 0;
    for (const SpeedupCurve& curve : data.curves)
        if (const auto first = first_of(curve);
            first != curve.points.end() && (!any || first->workers <= axis.fits_from)) {
            rate = any && first->workers == axis.fits_from ? std::max(rate, first->speedup) : first->speedup;
            axis.fits_from = first->workers;
            any = true;
        }
    if (any) axis.per_worker = rate / axis.fits_from;
    axis.first = std::min(axis.fits_from, data.current);
    axis.nothing_fits = tr("fits into memory in no way shown");
    return axis;
}

}  // namespace

SpeedupData speedup_chart_data(const LiveResult& r, const std::vector<CurvePoint>* best) {
    SpeedupData data;
    const Scenario& s = r.request.scenario;
    const bool rates = shows_rates(r);
    data.empty_reason = first_problem(r);
    data.shown = r.shown;
    data.current = static_cast<int>(s.cluster.workers);
    data.max_workers = static_cast<int>(std::max(r.request.last_workers, s.cluster.workers));
    data.words = worker_words(s);
    data.caption = axis_text(r);
    for (const Curve& c : r.curves) {
        SpeedupCurve curve{curve_title(c.spec, r.request.curve_set, is_cpu_cluster(s)), curve_points(c, s, rates),
                           static_cast<int>(&c - r.curves.data())};
        const bool own = &c == &r.curves[static_cast<std::size_t>(std::max(r.shown, 0))];
        const auto drawn = [](const SpeedupPoint& p) { return p.speedup > 0; };
        if (rates && !own && std::none_of(curve.points.begin(), curve.points.end(), drawn)) continue;
        if (own && r.shown >= 0) data.shown = static_cast<int>(data.curves.size());
        data.curves.push_back(std::move(curve));
    }
    if (rates && best) {
        SpeedupCurve& curve = data.curves.emplace_back();
        curve.name = tr("Auto");
        curve.look = best_look;
        for (const CurvePoint& p : *best)
            curve.points.push_back({static_cast<int>(p.workers), shown_value(p, true, tokens_of(s)), {}, true});
    }
    for (std::size_t i = 0; i < r.pins.size(); ++i) {
        SpeedupCurve curve{pin_letter(i), curve_points(*r.pins[i].curve, *r.pins[i].pin.scenario, rates), 0};
        std::erase_if(curve.points, [](const SpeedupPoint& p) { return !(p.speedup > 0); });
        data.pins.push_back(std::move(curve));
    }
    if (rates) data.rate = rate_axis(r, data);
    if (!data.curves.empty()) data.empty_reason.clear();
    return data;
}

StackData ways_chart_data(const LiveResult& r, const search::BestMesh* best) {
    StackData data;
    data.title = tr("Step time by way");
    data.rows_are = tr("Way");
    data.row_key = QStringLiteral("way");
    data.parts = time_stack();
    data.empty_reason = first_problem(r);
    const Scenario& s = r.request.scenario;
    const auto room = worker_memory(s);
    if (best) {
        StackRow row;
        row.name = tr("Auto");
        row.id = best_way;
        if (const auto degrees = degrees_of(best->scenario))
            row.detail = mesh_product(*degrees, best->scenario.parallelism.axis_order);
        row.values = stack_of(parts_of(best->summary));
        data.rows.push_back(std::move(row));
    }
    for (std::size_t i = 0; i < r.curves.size(); ++i) {
        const Curve& c = r.curves[i];
        StackRow row;
        row.name = curve_title(c.spec, r.request.curve_set, is_cpu_cluster(s));
        row.id = static_cast<int>(i);
        row.shown = static_cast<int>(i) == r.shown;
        Scenario way = s;
        way.parallelism = c.spec.parallelism;
        if (const auto degrees = degrees_of(way)) row.detail = mesh_product(*degrees, way.parallelism.axis_order);
        row.values = stack_of({});
        const auto at = std::lower_bound(c.points.begin(), c.points.end(), s.cluster.workers,
                                         [](const CurvePoint& p, std::int64_t n) { return p.workers < n; });
        if (at == c.points.end() || at->workers != s.cluster.workers || !at->summary.feasible()) {
            row.instead = tr("not possible");
            if (at != c.points.end() && at->workers == s.cluster.workers) row.detail = reason(c, *at);
        } else {
            row.values = stack_of(parts_of(at->summary));
            row.fits = at->fits;
            if (!at->fits && room)
                row.instead = tr("%1 of %2").arg(told(format_bytes(at->peak)), told(format_bytes(*room)));
        }
        data.rows.push_back(std::move(row));
    }
    return data;
}

StackData memory_chart_data(const LiveResult& r) {
    StackData data;
    data.of = StackData::Of::bytes;
    data.title = tr("Memory");
    data.rows_are = tr("Stage");
    data.row_key = QStringLiteral("stage");
    data.empty_reason = first_problem(r);
    data.one_design = true;
    const Scenario& s = r.request.scenario;
    data.unit_of = tr("per %1").arg(told(worker_words(s).one));
    data.parts = {
        {QStringLiteral("weights"), tr("weights"), QStringLiteral("weights_gb"),
         [](const Theme& t) { return t.weights; }},
        {QStringLiteral("gradients"), tr("gradients"), QStringLiteral("gradients_gb"),
         [](const Theme& t) { return t.gradients; }},
        {QStringLiteral("optimizer"), tr("optimizer"), QStringLiteral("optimizer_gb"),
         [](const Theme& t) { return t.optimizer; }},
        {QStringLiteral("activations"), tr("activations"), QStringLiteral("activations_gb"),
         [](const Theme& t) { return t.activations; }},
        {QStringLiteral("logits"), tr("logits"), QStringLiteral("logits_gb"), [](const Theme& t) { return t.logits; }},
        {QStringLiteral("other"), tr("other"), QStringLiteral("other_gb"), [](const Theme& t) { return t.update; }}};
    if (!r.estimate || r.estimate->cpu) return data;
    const Estimate& e = *r.estimate;
    const auto add = [&](const QString& name, const QString& detail, const MemoryEstimate& memory) {
        StackRow row;
        row.name = name;
        row.detail = detail;
        for (const Bytes part : scalescope::parts_of(memory)) row.values.push_back(part.value);
        row.fits = fits_device(s, memory);
        if (memory.on_host.value > 0)
            row.detail += (row.detail.isEmpty() ? QString() : QStringLiteral(" · ")) +
                          tr("%1 on the host").arg(told(format_bytes(memory.on_host)));
        data.rows.push_back(std::move(row));
    };
    for (std::size_t i = 0; i < e.stages.size(); ++i)
        add(tr("stage %1").arg(i), tr("%1 in flight").arg(told(format_count(e.stages[i].in_flight))),
            e.stages[i].memory);
    if (e.stages.empty()) add(tr("each %1").arg(told(worker_words(s).one)), {}, e.memory);
    if (const auto room = worker_memory(s)) {
        data.limit = room->value;
        data.limit_name =
            QStringLiteral("%1, %2").arg(told(format_bytes(*room)), QString::fromStdString(worker_name(s)));
    }
    return data;
}

TimelineData timeline_chart_data(const LiveResult& r) {
    TimelineData data;
    data.empty_reason = first_problem(r);
    if (!r.estimate) return data;
    const Timeline t = make_timeline(*r.plan, *r.estimate);
    for (const auto& row : t.rows) data.rows.push_back(told_word(row));
    data.length = t.end;
    for (const Interval& i : t.intervals) {
        TimelineBox box;
        box.row = i.row;
        box.start = i.start;
        box.length = i.length;
        box.on_chain = i.on_chain;
        box.micro_batch = static_cast<int>(i.micro_batch);
        switch (i.activity) {
            case Activity::forward: box.kind = BoxKind::forward; break;
            case Activity::recomputation: box.kind = BoxKind::recomputation; break;
            case Activity::backward: box.kind = BoxKind::backward; break;
            case Activity::weight_gradients: box.kind = BoxKind::weight_gradients; break;
            case Activity::update: box.kind = BoxKind::update; break;
            case Activity::communication: box.kind = BoxKind::communication; break;
            case Activity::hidden: box.kind = BoxKind::hidden; break;
            case Activity::idle: box.kind = BoxKind::idle; break;
        }
        if (i.layer >= 0) {
            const auto& network = *r.plan->parts[static_cast<std::size_t>(i.part)].network;
            box.label = QString::fromStdString(network.layers()[static_cast<std::size_t>(i.layer)].name);
            box.layer = layer_key(i.part, i.layer);
        } else if (i.micro_batch >= 0) {
            box.label = QString::number(i.micro_batch + 1);
        }
        data.boxes.push_back(std::move(box));
    }
    return data;
}

}  // namespace scalescope::ui
