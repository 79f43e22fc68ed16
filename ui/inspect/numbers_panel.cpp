// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspect/numbers_panel.hpp"

#include <QHBoxLayout>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "core/base/format.hpp"
#include "core/compare/key_values.hpp"
#include "core/estimate/goodput.hpp"
#include "core/estimate/utilization.hpp"
#include "core/scenario/hardware.hpp"
#include "core/search/findings.hpp"
#include "ui/charts/scale.hpp"
#include "ui/inspect/compare_mapping.hpp"
#include "ui/language/told.hpp"
#include "ui/live/live.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/evidence_tag.hpp"
#include "ui/widgets/icon_label.hpp"
#include "ui/widgets/key_figures.hpp"
#include "ui/widgets/pin_row.hpp"

namespace scalescope::ui {
namespace {

/// One unit for all times of the panel, by the longest step.
TimeScale scale_for(std::initializer_list<const Result<Estimate>*> answers, std::optional<TimeScale> present) {
    Seconds longest{0};
    for (const auto* answer : answers)
        if (*answer) longest = std::max(longest, (*answer)->summary.step);
    return fitting_scale(longest, present);
}

}  // namespace

NumbersPanel::NumbersPanel(QWidget* parent) : QWidget(parent) {
    auto* layout = make_layout<QVBoxLayout>(this);
    figures_ = new KeyFigures;
    figures_->setObjectName(QStringLiteral("numbers"));
    verdict_ = new QWidget;
    verdict_->setObjectName(QStringLiteral("numbersVerdict"));
    verdict_text_ = new ElidedLabel;
    verdict_text_->setFont(type::table_strong());
    set_ink(*verdict_text_, Ink::error);
    auto* verdict = new QHBoxLayout(verdict_);
    verdict->setContentsMargins(0, 0, 0, 4);
    verdict->setSpacing(6);
    verdict->addWidget(new IconLabel("error", Tint::by_name, 14));
    verdict->addWidget(verdict_text_, 1);
    verdict_->hide();
    layout->addWidget(verdict_);
    layout->addWidget(figures_);
    evidence_ = new EvidenceTag;
    evidence_->setObjectName(QStringLiteral("numbersEvidence"));
    evidence_text_ = new ElidedLabel;
    evidence_text_->setFont(type::table());
    set_ink(*evidence_text_, Ink::secondary);
    auto* row = new QHBoxLayout;
    row->setContentsMargins(0, 6, 0, 0);
    row->setSpacing(6);
    row->addWidget(evidence_);
    row->addWidget(evidence_text_, 1);
    layout->addLayout(row);
    layout->addStretch(1);
    evidence_->hide();
    evidence_text_->hide();
    connect(figures_, &KeyFigures::figure_activated, this, &NumbersPanel::why_asked);
}

/// What all figures rest on, if somebody has calibrated the model.
void NumbersPanel::show_evidence(const LiveResult& r) {
    using State = ScenarioEvidence::State;
    const Scenario& s = r.request.scenario;
    const bool calibrated = r.evidence.state != State::uncalibrated;
    evidence_->setVisible(calibrated);
    evidence_text_->setVisible(calibrated);
    if (!calibrated) return;
    const Calibration& c = *s.model.calibration;
    const QString points = c.points == 1 ? tr("1 point") : tr("%1 points").arg(told(format_count(c.points)));
    switch (r.evidence.state) {
        case State::calibrated: evidence_->set_kind(EvidenceTag::Kind::calibrated); break;
        case State::extrapolated: evidence_->set_kind(EvidenceTag::Kind::extrapolated); break;
        default: evidence_->set_kind(EvidenceTag::Kind::assumed, tr("changed")); break;
    }
    evidence_text_->set_choices({tr("%1, %2").arg(points, told(c.name)), points});
    evidence_text_->setToolTip(told(long_text(r.evidence, s)));
    evidence_text_->setAccessibleDescription(evidence_text_->toolTip());
}

namespace {

std::vector<KeyFigure> figures_of(const Scenario& scenario, const Result<Estimate>& estimate,
                                  const std::optional<TimeBand>& band, const TimeScale& times) {
    std::vector<KeyFigure> rows;
    const QString time_unit = unit_name(times.unit);
    const auto time = [&](Seconds t) { return told(format_in(t, times)); };
    auto add = [&](const char* id, const QString& name, const QString& unit, const QString& value, bool group = false,
                   bool strong = false, const QString& note = {}) {
        KeyFigure f;
        f.id = QLatin1String(id);
        f.name = name, f.unit = unit, f.now = value, f.group_above = group, f.strong = strong, f.note = note;
        rows.push_back(std::move(f));
    };
    const QString none = QStringLiteral("–");
    if (!estimate) {
        const QString why = told(estimate.error().front().what);
        add("step", NumbersPanel::tr("Step"), time_unit, none, false, true, why);
        for (auto [id, name] : {std::pair{"throughput", NumbersPanel::tr("Throughput")},
                                {"speedup", NumbersPanel::tr("Speedup")},
                                {"efficiency", NumbersPanel::tr("Efficiency")}})
            add(id, name, {}, none, false, false, why);
        return rows;
    }
    const Estimate& e = *estimate;
    const QString cannot_run = cannot_run_text(scenario, estimate);
    add("step", NumbersPanel::tr("Step"), time_unit, time(e.summary.step), false, true);
    if (band)
        add("band", NumbersPanel::tr("90 % of runs"), time_unit,
            time(band->low) + QStringLiteral("–") + time(band->high), false, false,
            NumbersPanel::tr(
                "Where nine of ten measured steps are to be expected, by what the calibration leaves open"));
    const auto used = utilization_of(scenario, e);
    const bool tokens = used && used->tokens_per_second > 0;
    if (!tokens) {
        add("throughput", NumbersPanel::tr("Throughput"), NumbersPanel::tr("samples/s"),
            told(format_number(e.throughput.value, 3, 3)));
    } else {
        add("tokens", NumbersPanel::tr("Throughput"), NumbersPanel::tr("tokens/s"),
            told(format_number(used->tokens_per_second, 3, 3)), false, false,
            NumbersPanel::tr("Of all devices: %1 samples/s").arg(told(format_number(e.throughput.value, 3, 3))));
        if (used->model)
            add("mfu", NumbersPanel::tr("MFU"), QStringLiteral("%"), told(format_fixed(100 * used->model->value, 1)),
                false, false,
                NumbersPanel::tr("Model FLOPs utilization: 6 FLOPs for each parameter and token, and attention, over "
                                 "what the devices' peaks would do in the time. With what is recomputed: %1 (HFU)")
                    .arg(told(format_percent(*used->hardware))));
        add("flops", NumbersPanel::tr("Each device"), NumbersPanel::tr("TFLOP/s"),
            told(format_number(used->each_device.value / 1e12)), false, false,
            NumbersPanel::tr("Model FLOPs in a second, as in the MFU"));
    }
    add("speedup", NumbersPanel::tr("Speedup"), QStringLiteral("×"), told(format_number(e.speedup)));
    add("efficiency", NumbersPanel::tr("Efficiency"), QStringLiteral("%"), told(format_fixed(100 * e.efficiency, 1)));
    add("forward", NumbersPanel::tr("Forward"), time_unit, time(e.summary.forward), true);
    add("backward", NumbersPanel::tr("Backward"), time_unit, time(e.summary.backward));
    add("update", NumbersPanel::tr("Update"), time_unit, time(e.summary.update));
    add("communication", NumbersPanel::tr("Communication"), time_unit, time(e.summary.communication), false, false,
        NumbersPanel::tr("Exposed: the part nothing hides"));
    if (e.summary.hidden.value > 0)
        add("hidden", NumbersPanel::tr("Hidden comm."), time_unit, time(e.summary.hidden), false, false,
            NumbersPanel::tr("Behind the backward pass; not part of the step"));
    if (e.summary.idle.value > 0) add("idle", NumbersPanel::tr("Idle"), time_unit, time(e.summary.idle));
    if (e.cpu) {
        const yan::Configuration& c = e.cpu->configuration;
        const bool alone = trains_alone(c);
        const std::string_view binding = yan::name_of(alone ? yan::Resource::compute : e.cpu->score.epoch.binding);
        add(alone ? "binding_alone" : "binding", NumbersPanel::tr("Set by"), {}, told_word(binding), true, false,
            c.synchronous
                ? NumbersPanel::tr("What takes most of the step")
                : NumbersPanel::tr("What is busiest, and so sets the step: asynchronous, by the bottleneck law"));
        add("replicas", NumbersPanel::tr("Replicas"), {}, told(format_count(c.replicas)), false, false,
            NumbersPanel::tr("Copies of the network that train on different samples"));
        add("machines", NumbersPanel::tr("Machines in all"), {}, told(format_count(all_machines(scenario))), false,
            false, NumbersPanel::tr("Those that train, and the parameter servers on machines of their own"));
        if (!c.synchronous && !alone)
            add("cpu_staleness", NumbersPanel::tr("Staleness"), NumbersPanel::tr("updates"),
                told(format_number(e.cpu->staleness)), false, false,
                NumbersPanel::tr("Updates of others between a replica's read of the weights and its own update"));
    }
    if (e.servers) {
        add("staleness", NumbersPanel::tr("Staleness"), NumbersPanel::tr("updates"),
            told(format_number(e.servers->state.staleness)), true, false,
            NumbersPanel::tr("Updates of others between a worker's read of the weights and its own update"));
        add("knee", NumbersPanel::tr("Servers full at"), NumbersPanel::tr("workers"),
            told(format_number(e.servers->state.knee)), false, false,
            NumbersPanel::tr("Number of workers from which the servers are the bottleneck"));
        if (scenario.model.staleness_cost.value > 0)
            add("statistical_cost", NumbersPanel::tr("Longer training"), QStringLiteral("×"),
                told(format_number(e.servers->statistical_cost)), false, false,
                NumbersPanel::tr(
                    "What staleness makes of the training's length, if its assumed cost is right; in no other figure"));
    }
    add("memory", e.cpu ? NumbersPanel::tr("Memory, machine") : NumbersPanel::tr("Memory"), NumbersPanel::tr("GB"),
        told(format_number(e.memory.peak.value / 1e9)), !e.cpu, false,
        e.cpu ? NumbersPanel::tr("Peak of the fullest machine: weights, deltas, activations and errors, buffers")
              : NumbersPanel::tr("Peak on the fullest device: weights, gradients, optimizer, activations"));
    if (!cannot_run.isEmpty()) {
        rows.back().warned = true;
        rows.back().note += QLatin1Char('\n') + cannot_run;
    }
    const QString epoch = told(format_time(e.epoch));
    const bool epochs = has_epochs(scenario);
    const auto samples = static_cast<double>(scenario.training.data_set);
    if (tokens && !epochs) {
        add("token_time", NumbersPanel::tr("10¹² tokens"), {}, told(format_time(*used->trillion_tokens)), false, false,
            NumbersPanel::tr("Time to train on a trillion tokens, without interruptions"));
        if (used->trillion_tokens_cost)
            add("token_cost", NumbersPanel::tr("Their cost"), QStringLiteral("$"),
                told(format_number(*used->trillion_tokens_cost)), false, false,
                NumbersPanel::tr("Price of the device times workers; prices change"));
    }
    const bool shows_epoch = epochs || !tokens;
    // The data of a network that reads tokens is seldom seen twice: no epochs, but so many tokens.
    const QString trained = !epochs ? NumbersPanel::tr("%1 samples").arg(told_large_count(samples))
                            : tokens
                                ? NumbersPanel::tr("%1 tokens").arg(told_large_count(samples * tokens_of(scenario)))
                                : NumbersPanel::tr("Epoch");
    if (shows_epoch)
        add("epoch", trained, {}, epoch, false, false,
            epochs ? NumbersPanel::tr("%1 samples").arg(told(format_count(scenario.training.data_set)))
                   : NumbersPanel::tr("As many as ImageNet has, until you set the size of your data set"));
    if (e.epoch_cost && shows_epoch)
        add("cost", epochs && !tokens ? NumbersPanel::tr("Epoch cost") : NumbersPanel::tr("Their cost"),
            QStringLiteral("$"), told(format_number(*e.epoch_cost)), false, false,
            e.cpu ? NumbersPanel::tr("Price of the machine times all machines; prices change")
            : scenario.cluster.device.price_basis.empty()
                ? NumbersPanel::tr("Price of the device times workers; prices change")
                : NumbersPanel::tr("Price of the device times workers; prices change (%1)")
                      .arg(told(scenario.cluster.device.price_basis)));
    if (const auto goodput = goodput_of(scenario, e)) {
        add("goodput", NumbersPanel::tr("Goodput"), QStringLiteral("%"),
            told(format_fixed(100 * goodput->trains.value, 1)), true, false,
            NumbersPanel::tr(
                "Share of the elapsed time that trains: an interruption every %1, at best a checkpoint every "
                "%2, which takes %3")
                .arg(told(format_time(goodput->between)), told(format_time(goodput->interval)),
                     told(format_time(goodput->write))));
        add("checkpoint_interval", NumbersPanel::tr("Checkpoint every"), {}, told(format_time(goodput->interval)),
            false, false, NumbersPanel::tr("Training time between two checkpoints that loses least (Young, Daly)"));
        const auto elapsed = goodput->elapsed(tokens && !epochs ? *used->trillion_tokens : e.epoch);
        add("elapsed", NumbersPanel::tr("With interruptions"), {}, elapsed ? told(format_time(*elapsed)) : none, false,
            false, NumbersPanel::tr("The time above with checkpoints, restarts and work that is done again"));
    }
    const auto shorter = [&](const char* id, const QString& name, const QString& unit = {}) {
        for (KeyFigure& row : rows)
            if (row.id == QLatin1String(id)) row.short_name = name, row.short_unit = unit;
    };
    shorter("throughput", {}, QStringLiteral("/s"));
    shorter("tokens", NumbersPanel::tr("Tokens"), QStringLiteral("/s"));
    shorter("flops", NumbersPanel::tr("Each"), NumbersPanel::tr("TF/s"));
    shorter("token_time", NumbersPanel::tr("10¹² tok."));
    shorter("token_cost", NumbersPanel::tr("Cost"));
    shorter("checkpoint_interval", NumbersPanel::tr("Checkpoint"));
    shorter("elapsed", NumbersPanel::tr("Elapsed"));
    shorter("communication", NumbersPanel::tr("Comm."));
    shorter("hidden", NumbersPanel::tr("Hidden"));
    shorter("band", NumbersPanel::tr("90 %"));
    shorter("efficiency", NumbersPanel::tr("Effic."));
    for (KeyFigure& row : rows) row.struck = !cannot_run.isEmpty() && row.id != QLatin1String("memory");
    return rows;
}

/// Beside each figure that of the pinned design, and how far it is from there.
void add_pinned(std::vector<KeyFigure>& rows, const LiveResult& r, std::size_t pin, const TimeScale& times) {
    const PinAnswer& answer = r.pins[pin];
    const QString letter(QLatin1Char(letter_of_pin(pin)));
    const std::vector<KeyFigure> theirs = figures_of(*answer.pin.scenario, *answer.estimate, std::nullopt, times);
    const bool both = r.estimate && *answer.estimate;
    const auto now = both ? compare::key_values(r.request.scenario, *r.estimate) : std::vector<compare::KeyValue>{};
    const auto then =
        both ? compare::key_values(*answer.pin.scenario, **answer.estimate) : std::vector<compare::KeyValue>{};
    for (KeyFigure& row : rows) {
        row.pinned = QStringLiteral("–");
        for (const KeyFigure& other : theirs)
            if (other.id == row.id) row.pinned = other.now, row.pinned_struck = other.struck;
        const std::string id = row.id.toStdString();
        const auto *a = compare::find_value(now, id), *b = compare::find_value(then, id);
        if (a == nullptr || b == nullptr) continue;
        if (row.id == QLatin1String("epoch") || row.id == QLatin1String("token_time") ||
            row.id == QLatin1String("checkpoint_interval")) {  // in one unit: "25 min 30 s" beside another has no room
            const search::Shown unit =
                search::shown_unit(search::Metric::epoch, std::max(a->value, b->value), std::min(a->value, b->value));
            row.unit = told(unit.unit);
            row.now = told(format_number(a->value / unit.per));
            row.pinned = told(format_number(b->value / unit.per));
        }
        const compare::ValueChange change = compare::change_of(*a, *b);
        row.change = mark_of(change.verdict);
        row.difference = change.verdict == compare::Verdict::same ? QStringLiteral("=")
                         : a->share                               ? told(format_points(Fraction{change.absolute}))
                         : change.relative
                             ? told(format_change(Fraction{*change.relative}, std::abs(*change.relative) < 1 ? 1 : 0))
                             : NumbersPanel::tr("new");
        const QString against = NumbersPanel::tr("%1 %2; %3: %4").arg(row.now, row.unit, letter, row.pinned);
        row.note = row.note.isEmpty() ? against : row.note + QLatin1Char('\n') + against;
    }
}

}  // namespace

void NumbersPanel::show_result(const LiveResultPtr& result) {
    result_ = result;
    show_evidence(*result);
    show_pins();
    show_figures();
}

void NumbersPanel::compare_with(int pin) {
    if (!result_ || pin < 0 || pin >= static_cast<int>(pins_.size()) || pin == compared_) return;
    compared_ = pin;
    show_pins();
    show_figures();
    emit compared_changed(pin);
}

void NumbersPanel::show_pins() {
    const std::size_t count = result_->pins.size();
    auto* column = static_cast<QVBoxLayout*>(layout());
    while (pins_.size() > count) {
        pins_.back()->setParent(nullptr);  // its own button may be what asked
        pins_.back()->deleteLater();
        pins_.pop_back();
    }
    while (pins_.size() < count) {
        const int index = static_cast<int>(pins_.size());
        auto* row = new PinRow(index);
        row->setObjectName(QStringLiteral("pin%1").arg(index));
        connect(row, &PinRow::clicked, this, [this, index] { compare_with(index); });
        connect(row, &PinRow::rename_clicked, this, [this, index] { emit rename_asked(index); });
        connect(row, &PinRow::swap_clicked, this, [this, index] { emit swap_asked(index); });
        connect(row, &PinRow::unpin_clicked, this, [this, index] { emit unpin_asked(index); });
        connect(row, &PinRow::move_asked, this, [this, index](int by) { emit move_asked(index, index + by); });
        column->insertWidget(index, row);
        pins_.push_back(row);
    }
    const int before = compared_;
    compared_ = count == 0 ? -1 : std::clamp(compared_, 0, static_cast<int>(count) - 1);
    for (std::size_t i = 0; i < count; ++i) {
        pins_[i]->set_name(told(result_->pins[i].pin.name));
        pins_[i]->set_compared(static_cast<int>(i) == compared_);
        pins_[i]->set_ends(i == 0, i + 1 == count);
    }
    figures_->set_pin(compared_ < 0 ? QString()
                                    : QString(QLatin1Char(letter_of_pin(static_cast<std::size_t>(compared_)))));
    if (compared_ != before) emit compared_changed(compared_);
}

void NumbersPanel::show_figures() {
    const auto pin = static_cast<std::size_t>(std::max(compared_, 0));
    const auto present = result_->request.dragging ? std::optional(times_) : std::nullopt;
    times_ = compared_ < 0 ? scale_for({&result_->estimate}, present)
                           : scale_for({&result_->estimate, result_->pins[pin].estimate.get()}, present);
    std::vector<KeyFigure> rows = figures_of(result_->request.scenario, result_->estimate, result_->band, times_);
    if (shows_rates(*result_))  // over a worker that cannot hold the design
        std::erase_if(rows, [](const KeyFigure& row) {
            return row.id == QLatin1String("speedup") || row.id == QLatin1String("efficiency");
        });
    if (compared_ >= 0) add_pinned(rows, *result_, pin, times_);
    figures_->set_rows(rows);
    const QString cannot_run = cannot_run_text(result_->request.scenario, result_->estimate);
    verdict_->setVisible(!cannot_run.isEmpty());
    verdict_text_->setText(cannot_run);
}

}  // namespace scalescope::ui
