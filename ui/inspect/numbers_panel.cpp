// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspect/numbers_panel.hpp"

#include <QHBoxLayout>
#include <QVBoxLayout>

#include "core/base/format.hpp"
#include "core/scenario/hardware.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/evidence_tag.hpp"
#include "ui/widgets/key_figures.hpp"

namespace scalescope::ui {
namespace {

QString text(const std::string& s) { return QString::fromStdString(s); }
QString milliseconds_text(Seconds t) { return text(format_number(in_milliseconds(t), 4, t.value < 0.01 ? 2 : 1)); }

}  // namespace

NumbersPanel::NumbersPanel(QWidget* parent) : QWidget(parent) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    figures_ = new KeyFigures;
    figures_->setObjectName(QStringLiteral("numbers"));
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
    const QString points = c.points == 1 ? tr("1 point") : tr("%1 points").arg(text(format_count(c.points)));
    switch (r.evidence.state) {
        case State::calibrated: evidence_->set_kind(EvidenceTag::Kind::calibrated); break;
        case State::extrapolated: evidence_->set_kind(EvidenceTag::Kind::extrapolated); break;
        default: evidence_->set_kind(EvidenceTag::Kind::assumed, tr("changed")); break;
    }
    evidence_text_->set_choices({tr("%1, %2").arg(points, text(c.name)), points});
    evidence_text_->setToolTip(text(long_text(r.evidence, s)));
    evidence_text_->setAccessibleDescription(evidence_text_->toolTip());
}

void NumbersPanel::show_result(const LiveResult& r) {
    show_evidence(r);
    std::vector<KeyFigure> rows;
    auto add = [&](const char* id, const QString& name, const QString& unit, const QString& value, bool group = false,
                   bool strong = false, const QString& note = {}) {
        KeyFigure f;
        f.id = QLatin1String(id);
        f.name = name, f.unit = unit, f.now = value, f.group_above = group, f.strong = strong, f.note = note;
        rows.push_back(std::move(f));
    };
    if (!r.estimate) {
        const QString none = QStringLiteral("–"), why = text(r.estimate.error().front().what);
        add("step", tr("Step"), tr("ms"), none, false, true, why);
        for (auto [id, name] :
             {std::pair{"throughput", tr("Throughput")}, {"speedup", tr("Speedup")}, {"efficiency", tr("Efficiency")}})
            add(id, name, {}, none, false, false, why);
        figures_->set_rows(rows);
        return;
    }
    const Estimate& e = *r.estimate;
    add("step", tr("Step"), tr("ms"), milliseconds_text(e.summary.step), false, true);
    if (r.band)
        add("band", tr("90 % of runs"), tr("ms"),
            milliseconds_text(r.band->low) + QStringLiteral("–") + milliseconds_text(r.band->high), false, false,
            tr("Where nine of ten measured steps are to be expected, by what the calibration leaves open"));
    add("throughput", tr("Throughput"), tr("samples/s"),
        text(format_count(static_cast<std::int64_t>(std::llround(e.throughput.value)))));
    add("speedup", tr("Speedup"), QStringLiteral("×"), text(format_number(e.speedup)));
    add("efficiency", tr("Efficiency"), QStringLiteral("%"), text(format_fixed(100 * e.efficiency, 1)));
    add("forward", tr("Forward"), tr("ms"), milliseconds_text(e.summary.forward), true);
    add("backward", tr("Backward"), tr("ms"), milliseconds_text(e.summary.backward));
    add("update", tr("Update"), tr("ms"), milliseconds_text(e.summary.update));
    add("communication", tr("Communication"), tr("ms"), milliseconds_text(e.summary.communication), false, false,
        tr("Exposed: the part nothing hides"));
    if (e.summary.hidden.value > 0)
        add("hidden", tr("Hidden comm."), tr("ms"), milliseconds_text(e.summary.hidden), false, false,
            tr("Behind the backward pass; not part of the step"));
    if (e.summary.idle.value > 0) add("idle", tr("Idle"), tr("ms"), milliseconds_text(e.summary.idle));
    if (e.cpu) {
        const yan::Configuration& c = e.cpu->configuration;
        const bool alone = trains_alone(c);
        const std::string_view binding = yan::name_of(alone ? yan::Resource::compute : e.cpu->score.epoch.binding);
        add(alone ? "binding_alone" : "binding", tr("Set by"), {},
            QString::fromUtf8(binding.data(), static_cast<qsizetype>(binding.size())), true, false,
            c.synchronous ? tr("What takes most of the step")
                          : tr("What is busiest, and so sets the step: asynchronous, by the bottleneck law"));
        add("replicas", tr("Replicas"), {}, text(format_count(c.replicas)), false, false,
            tr("Copies of the network that train on samples of their own"));
        add("machines", tr("Machines in all"), {}, text(format_count(all_machines(r.request.scenario))), false, false,
            tr("Those that train, and the parameter servers on machines of their own"));
        if (!c.synchronous && !alone)
            add("cpu_staleness", tr("Staleness"), tr("updates"), text(format_number(e.cpu->staleness)), false, false,
                tr("Updates of others between a replica's read of the weights and its own update"));
    }
    if (e.servers) {
        add("staleness", tr("Staleness"), tr("updates"), text(format_number(e.servers->state.staleness)), true, false,
            tr("Updates of others between a worker's read of the weights and its own update"));
        add("knee", tr("Servers full at"), tr("workers"), text(format_number(e.servers->state.knee)), false, false,
            tr("From so many workers on the servers are the limit"));
        if (r.request.scenario.model.staleness_cost.value > 0)
            add("statistical_cost", tr("Longer training"), QStringLiteral("×"),
                text(format_number(e.servers->statistical_cost)), false, false,
                tr("What staleness makes of the training's length, if its assumed cost is right; in no other figure"));
    }
    add("memory", e.cpu ? tr("Memory, machine") : tr("Memory"), tr("GB"),
        text(format_number(e.memory.peak.value / 1e9)), !e.cpu, false,
        e.cpu ? tr("Peak of the fullest machine: weights, deltas, activations and errors, buffers")
              : tr("Peak on the fullest device: weights, gradients, optimizer, activations"));
    const QString epoch = text(format_time(e.epoch));
    add("epoch", tr("Epoch"), {}, epoch, false, false,
        tr("%1 samples").arg(text(format_count(r.request.scenario.training.data_set))));
    if (e.epoch_cost)
        add("cost", tr("Epoch cost"), QStringLiteral("$"), text(format_number(*e.epoch_cost)), false, false,
            e.cpu ? tr("Price of the machine times all machines; prices change")
                  : tr("Price of the device times workers; prices change"));
    figures_->set_rows(rows);
}

}  // namespace scalescope::ui
