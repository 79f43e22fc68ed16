// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/model_panel.hpp"

#include <QVBoxLayout>

#include "core/base/format.hpp"
#include "core/estimate/applies.hpp"
#include "core/estimate/paleo_method.hpp"
#include "core/scenario/calibrated.hpp"
#include "core/scenario/clusters.hpp"
#include "core/scenario/fields.hpp"
#include "core/scenario/hardware.hpp"
#include "core/scenario/ways.hpp"
#include "core/yan/configuration.hpp"
#include "ui/design/field_rows.hpp"
#include "ui/design/names.hpp"
#include "ui/document/document.hpp"
#include "ui/language/told.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/form.hpp"
#include "ui/widgets/number_field.hpp"

namespace scalescope::ui {
namespace {

Form* make_form(QWidget* panel) {
    auto* layout = new QVBoxLayout(panel);
    layout->setContentsMargins(0, 0, 0, 0);
    auto* form = new Form;
    layout->addWidget(form);
    layout->addStretch(1);
    return form;
}

template <class Change>
void edit(Document& document, Change change) {
    Scenario next = document.scenario();
    change(next);
    document.edit(std::move(next));
}

Combo* make_combo(const QString& accessible, const char* object, std::vector<ComboItem> items) {
    auto* c = new Combo(accessible);
    c->setObjectName(QLatin1String(object));
    c->set_items(std::move(items));
    return c;
}

/// Tells a calibration's id from one of a set of shares.
const QString calibration_prefix = QStringLiteral("calibration:");

}  // namespace

ModelPanel::ModelPanel(Document& document, const formats::Library& library, QWidget* parent)
    : QWidget(parent), document_(document), library_(library) {
    auto* form = make_form(this);
    preset_ = make_combo(tr("Percents of peak reached by"), "percents", {});
    preset_->set_placeholder(tr("own figures"));
    preset_->add_footer_action(QStringLiteral("calibrate"), tr("Calibrate on runs…"));
    preset_->add_footer_action(QStringLiteral("open"), tr("Open a calibration…"), "open");
    fill_choices();
    rows_ = new FieldRows(document_, this, form);
    method_line_ =
        rows_->add({{.path = "model.method", .label = tr("Method"), .choose = [this](Scenario& s, const QString& id) {
                         const auto method = from_id<Method>(id);
                         if (method == Method::cpu_cluster) {
                             s = on_cpu_cluster(std::move(s), library_.catalogue);
                         } else if (method == Method::pipeline) {
                             s.model.method = method;
                         } else {
                             // what PALEO does not know goes with the choice: one undo step brings it back
                             PaleoQuestion question = paleo_question(s.model);
                             question.era = method == Method::paleo_paper ? paleo::Era::paper : paleo::Era::head;
                             s = with_paleo(std::move(s), question);
                         }
                     }}});
    form->add_row(tr("Reached"), preset_);
    rows_->add({{"model.compute", tr("Compute"), tr("device")},
                {"model.memory", tr("Memory")},
                {"model.between", tr("Link")},
                {"model.inside", tr("Inside")}});
    std::vector<ComboItem> trainers;
    for (const Trainer& t : library_.catalogue.trainers)
        trainers.push_back(combo_item(QString::fromStdString(t.id), told(t.name), told(t.description)));
    trainer_ = make_combo(tr("Software that trains, and what it holds in memory"), "trainer", std::move(trainers));
    trainer_->set_placeholder(tr("own figures"));
    form->add_row(tr("Trainer"), trainer_);
    rows_->add(
        {{"model.staleness_cost", tr("Staleness"), {}, tr("cost of each missed update: assumed, not measured")}});
    form_ = form;

    connect(preset_, &Combo::chosen, this, &ModelPanel::choose);
    connect(trainer_, &Combo::chosen, this, [this](const QString& id) {
        if (const Trainer* trainer = library_.catalogue.trainer(id.toStdString()))
            edit(document_, [&](Scenario& s) { s = as_trained_by(*trainer, std::move(s)); });
    });
    connect(preset_, &Combo::footer_chosen, this, [this](const QString& id) {
        if (id == QLatin1String("calibrate"))
            emit calibrate_asked();
        else
            emit open_calibration_asked();
    });
    connect(&document_, &Document::changed, this, &ModelPanel::show_scenario);
    show_scenario();
}

void ModelPanel::fill_choices() {
    std::vector<ComboItem> items;
    for (const PercentOfPeak& p : library_.catalogue.percents)
        items.push_back(combo_item(QString::fromStdString(p.id), told(p.name), QString::fromStdString(p.source)));
    if (!library_.calibrations.empty() && !items.empty()) items.front().section = tr("Shares of peak");
    for (ComboItem& i : items) i.section = items.front().section;
    for (const Calibration& c : library_.calibrations) {
        ComboItem i = combo_item(calibration_prefix + QString::fromStdString(c.id), QString::fromStdString(c.name),
                                 QString::fromStdString(c.note));
        i.section = tr("Calibrated on runs");
        i.value = c.points == 1 ? tr("1 point") : tr("%1 points").arg(told(format_count(c.points)));
        items.push_back(std::move(i));
    }
    preset_->set_items(std::move(items));
}

void ModelPanel::choose(const QString& id) {
    for (const PercentOfPeak& p : library_.catalogue.percents)
        if (QString::fromStdString(p.id) == id)
            return edit(document_, [&](Scenario& s) {
                s = with_calibration(std::move(s), {});
                apply(p, s.model);
            });
    for (const Calibration& c : library_.calibrations)
        if (calibration_prefix + QString::fromStdString(c.id) == id)
            return edit(document_, [&](Scenario& s) {
                s = with_calibration(std::move(s), {std::make_shared<const Calibration>(c)});
            });
}

void ModelPanel::show_scenario() {
    const ModelOptions& m = document_.scenario().model;
    const Scenario& s = document_.scenario();
    const bool cpu = is_cpu_cluster(s);
    Form::set_caption(*method_line_, cpu ? told(yan::method_label) : QString());
    form_->set_row_visible(preset_, !cpu);
    form_->set_row_visible(trainer_, m.method == Method::pipeline);
    const Trainer* trainer = trainer_of(s, library_.catalogue.trainers);
    trainer_->set_current(trainer ? QString::fromStdString(trainer->id) : QString());
    QString preset;
    for (const PercentOfPeak& p : library_.catalogue.percents)
        if (p.compute == m.compute.value && p.memory == m.memory.value && p.communication == m.between.value)
            preset = QString::fromStdString(p.id);
    QString name;
    if (m.calibration && evidence_of(document_.scenario()).state != ScenarioEvidence::State::changed) {
        name = QString::fromStdString(m.calibration->name);  // that of a file need not be among one's own
        preset = calibration_prefix + QString::fromStdString(m.calibration->id);
    }
    preset_->set_current(preset, name);
}

OptionsPanel::OptionsPanel(Document& document, QWidget* parent) : QWidget(parent), document_(document) {
    form_ = make_form(this);
    auto* rows = new FieldRows(document_, this, form_);
    rows->add({{"model.overlap_memory", tr("Memory")}, {"model.convolution", tr("Conv")}});
    // Beside each other: a row more would take the network's list two of its layers.
    rows->add_pair(tr("Start-up"), "model.launch_us", tr("step"), "model.overhead_ms");
    rows->add({{"parallelism.bucket_mb"}, {"cluster.nics_per_node", tr("Cards/node")}});

    machines_ = new Form;
    static_cast<QVBoxLayout*>(layout())->insertWidget(1, machines_);
    cpu_ = new FieldRows(document_, this, machines_);
    cpu_->add({{"cpu.threads", {}, tr("one a core")},
               {"cpu.splits", tr("Layers")},
               {"cpu.convolutions", tr("Conv")},
               {"cpu.placement"},
               {"cpu.overlap", tr("Overlap")},
               {"cpu.local_update", tr("Deltas")},
               {"cpu.wait_for_servers", tr("Exchange")},
               {"cpu.queueing", tr("Servers")},
               {"cpu.buffers_gb"},
               {"cpu.worked_example", tr("Formulas")}});
    connect(&document_, &Document::changed, this, &OptionsPanel::show_scenario);
    show_scenario();
}

void OptionsPanel::show_scenario() {
    const Scenario& s = document_.scenario();
    form_->setHidden(is_cpu_cluster(s));
    machines_->setHidden(!is_cpu_cluster(s));
    cpu_->at<NumberField>("cpu.threads")
        ->set_optional(s.cluster.has_machine() ? tr("one a core (%1)").arg(told(format_count(s.cluster.machine.cores)))
                                               : tr("one a core"));
}

TrainingPanel::TrainingPanel(Document& document, QWidget* parent) : QWidget(parent), document_(document) {
    form_ = make_form(this);
    rows_ = new FieldRows(document_, this, form_);
    rows_->add({{"training.precision", tr("Numbers")},
                {"training.wide_first", tr("First wide blocks")},
                {"training.wide_last", tr("Last wide blocks")},
                {"training.optimizer"},
                {"training.accumulation", tr("Accumulate")}});
    rows_->add_modules(tr("Modules"), "parallelism.recompute", "recomputeModules");
    rows_->add({{"parallelism.recompute_count", tr("Blocks")}, {"parallelism.shard_group", {}, tr("all")}});
    reshard_ = make_combo(tr("How long gathered weights are kept"), "reshard", reshard_items());
    form_->add_row(tr("Gathered weights"), reshard_);
    rows_->add({{"parallelism.reduce_once", tr("Gradients")}});
    form_->add_row(tr("States on host"), rows_->number({"parallelism.offload_states"}));
    rows_->add({{"parallelism.offload_activations", tr("Kept on host")}});
    rows_->add_modules(tr("Modules on host"), "parallelism.offload_activations", "offloadModules");
    rows_->add({{"training.data_set"},
                {"training.input_limit", {}, tr("none")},
                {"reliability.device_mtbf_h", tr("Device fails every"), tr("never")},
                {"reliability.restart_s", tr("Restart")},
                {"reliability.checkpoint_gb_s", tr("Checkpoint")}});
    connect(reshard_, &Combo::chosen, this, [this](const QString& id) {
        edit(document_, [&](Scenario& s) {
            s.parallelism.reshard_after_forward = id == QLatin1String("each");
            s.parallelism.reshard_after_backward = id != QLatin1String("step");
        });
    });
    connect(&document_, &Document::changed, this, &TrainingPanel::show_scenario);
    show_scenario();
}

void TrainingPanel::show_scenario() {
    const Scenario& s = document_.scenario();
    const Parallelism& p = s.parallelism;
    rows_->at<Combo>("training.precision")->set_items(precision_items(s.cluster.device));
    reshard_->set_current(!p.reshard_after_backward ? QStringLiteral("step")
                          : p.reshard_after_forward ? QStringLiteral("each")
                                                    : QStringLiteral("backward"));
    form_->set_row_visible(reshard_, applies("parallelism.reshard_after_forward", s));
}

}  // namespace scalescope::ui
