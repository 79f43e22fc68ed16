// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/settings_panel.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>

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
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/form.hpp"
#include "ui/widgets/number_field.hpp"
#include "ui/widgets/pick_list.hpp"
#include "ui/widgets/search_field.hpp"
#include "ui/widgets/section.hpp"
#include "ui/widgets/upright_scroll.hpp"

namespace scalescope::ui {
namespace {

Combo* make_combo(const QString& accessible, const char* object, std::vector<ComboItem> items) {
    auto* c = new Combo(accessible);
    c->setObjectName(QLatin1String(object));
    c->set_items(std::move(items));
    return c;
}

/// The panel is wider than others, so that the scroll bar fits beside the rows.
constexpr int inset = space::card_padding - settings_margin;
/// Tells a calibration's id from one of a set of shares.
const QString calibration_prefix = QStringLiteral("calibration:");

/// Networks, their layers, devices, machines and links are chosen and edited elsewhere.
bool has_row(const Field& f) {
    const bool hardware = f.path.starts_with("cluster.device.") || f.path.starts_with("cluster.machine.") ||
                          f.path.starts_with("cluster.inside.") || f.path.starts_with("cluster.between.");
    const bool plain = f.type == FieldType::integer || f.type == FieldType::number || f.type == FieldType::boolean ||
                       f.type == FieldType::choice;
    return plain && !hardware && !f.derived;
}

}  // namespace

SettingsPanel::SettingsPanel(Document& document, const formats::Library& library, QWidget* parent)
    : QWidget(parent), document_(document), library_(library) {
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(space::gap);
    auto* top = new QHBoxLayout;
    top->setContentsMargins(inset, 0, inset, 0);
    search_ = new SearchField(tr("Search settings"));
    search_->setObjectName(QStringLiteral("settingsSearch"));
    search_->setAccessibleName(search_->placeholderText());
    top->addWidget(search_);
    column->addLayout(top);
    list_ = new QWidget;
    auto* list = new QVBoxLayout(list_);
    list->setContentsMargins(inset, 0, inset, 0);
    list->setSpacing(space::gap);
    nothing_ = make_label({}, type::control(), Ink::secondary);
    nothing_->setObjectName(QStringLiteral("settingsNothing"));
    nothing_->setWordWrap(true);
    nothing_->hide();
    list->addWidget(nothing_);
    add_model();
    add_training();
    add_saving();
    add_rest();
    list->addStretch(1);
    column->addWidget(new UprightScroll(list_), 1);
    connect(search_, &QLineEdit::textChanged, this, &SettingsPanel::find);
    connect(search_, &SearchField::moved, this, [this] {
        for (const Part& part : parts_)
            if (part.section->has_rows()) return part.section->form()->first_control()->setFocus();
    });
    connect(&document_, &Document::changed, this, &SettingsPanel::show_scenario);
    show_scenario();
}

/// Full height of the contents, so that nothing scrolls if there is room.
QSize SettingsPanel::sizeHint() const {
    return {QWidget::sizeHint().width(),
            search_->sizeHint().height() + layout()->spacing() + list_->sizeHint().height()};
}

FieldRows& SettingsPanel::add_part(const QString& title, std::string_view prefix, bool open) {
    auto* section = new Section(title, open);
    list_->layout()->addWidget(section);
    auto* rows = new FieldRows(document_, this, section->form());
    parts_.push_back({prefix, section, rows});
    return *rows;
}

void SettingsPanel::add_model() {
    FieldRows& rows = add_part(tr("Model"), {}, true);
    const auto take_method = [this](Scenario& next, const Scenario& before) {
        if (is_cpu_cluster(next)) {
            next = on_cpu_cluster(std::move(next), library_.catalogue);
        } else if (next.model.method != Method::pipeline) {
            // Removes settings that PALEO does not support; one undo step restores them.
            PaleoQuestion question = paleo_question(before.model);
            question.era = next.model.method == Method::paleo_paper ? paleo::Era::paper : paleo::Era::head;
            next = with_paleo(std::move(next), question);
        }
    };
    method_line_ = rows.add({{.path = "model.method", .also = take_method}});
    corrections_ = new PickList(tr("Corrections of PALEO"));
    corrections_->setObjectName(QStringLiteral("paleoCorrections"));
    std::vector<ComboItem> corrections;
    for (const paleo::Correction& c : paleo::corrections())
        corrections.push_back(combo_item(plain(c.id), told(c.name), told(c.sentence)));
    corrections_->set_items(std::move(corrections));
    corrections_->set_words(tr("all corrections"), tr("none: as published"), tr("%1 of %2 corrections"));
    rows.add_own(tr("Corrected"), corrections_, "model.paleo_corrections",
                 [](const Scenario& s) { return is_paleo(s.model.method); });
    connect(corrections_, &PickList::picked_changed, this, [this] {
        PaleoQuestion question = paleo_question(document_.scenario().model);
        for (const paleo::Correction& c : paleo::corrections())
            question.corrections.*c.flag = corrections_->is_picked(plain(c.id));
        document_.edit(with_paleo(document_.scenario(), question));
    });
    preset_ = make_combo(tr("Efficiency: the fractions of peak that are reached"), "percents", {});
    preset_->set_placeholder(tr("custom"));
    preset_->add_footer_action(QStringLiteral("calibrate"), tr("Calibrate on runs…"));
    preset_->add_footer_action(QStringLiteral("open"), tr("Open a calibration…"), "open");
    fill_choices();
    rows.add_own(tr("Efficiency"), preset_, "model.compute", [](const Scenario& s) { return !is_cpu_cluster(s); });
    rows.add({{"model.compute", tr("Compute"), tr("device")},
              {"model.memory", tr("Memory"), tr("device")},
              {"model.between", tr("Link")},
              {"model.inside", tr("Inside")}});
    std::vector<ComboItem> trainers;
    for (const Trainer& t : library_.catalogue.trainers)
        trainers.push_back(combo_item(QString::fromStdString(t.id), told(t.name), told(t.description)));
    trainer_ = make_combo(tr("Software that trains, and what it holds in memory"), "trainer", std::move(trainers));
    trainer_->set_placeholder(tr("custom"));
    rows.add_own(tr("Trainer"), trainer_, "model.context_mib",
                 [](const Scenario& s) { return s.model.method == Method::pipeline; });
    rows.add({{"model.staleness_cost", tr("Staleness"), {}, tr("cost of each missed update: assumed, not measured")}});
    connect(preset_, &Combo::chosen, this, &SettingsPanel::choose);
    connect(trainer_, &Combo::chosen, this, [this](const QString& id) {
        if (const Trainer* trainer = library_.catalogue.trainer(id.toStdString()))
            document_.change([&](Scenario& s) { s = as_trained_by(*trainer, std::move(s)); });
    });
    connect(preset_, &Combo::footer_chosen, this, [this](const QString& id) {
        if (id == QLatin1String("calibrate"))
            emit calibrate_asked();
        else
            emit open_calibration_asked();
    });
}

void SettingsPanel::add_training() {
    add_part(tr("Training"), "training.")
        .add({{"training.precision"},
              {"training.wide_first", tr("First wide blocks")},
              {"training.wide_last", tr("Last wide blocks")},
              {"training.optimizer"},
              {"training.accumulation", tr("Accumulate")},
              {"training.data_set"},
              {"training.input_limit", {}, tr("none")}});
}

void SettingsPanel::add_saving() {
    FieldRows& rows = add_part(tr("Saving memory"));
    rows.add_modules(tr("Modules"), "parallelism.recompute", "recomputeModules");
    rows.add({{"parallelism.recompute_count", tr("Blocks")}, {"parallelism.shard_group", {}, tr("all")}});
    reshard_ = make_combo(tr("How long gathered weights are kept"), "reshard", reshard_items());
    rows.add_own(tr("Gathered weights"), reshard_, "parallelism.reshard_after_forward");
    rows.add({{"parallelism.reduce_once", tr("Gradients")},
              {"parallelism.offload_states", tr("States on host")},
              {"parallelism.offload_activations", tr("Activations on host")}});
    rows.add_modules(tr("Modules on host"), "parallelism.offload_activations", "offloadModules");
    connect(reshard_, &Combo::chosen, this, [this](const QString& id) {
        document_.change([&](Scenario& s) {
            s.parallelism.reshard_after_forward = id == QLatin1String("each");
            s.parallelism.reshard_after_backward = id != QLatin1String("step");
        });
    });
}

void SettingsPanel::add_rest() {
    add_part(tr("Options"), "model.")
        .add({{"model.overlap_memory", tr("Memory")},
              {"model.convolution", tr("Convolutions")},
              {"model.launch_us", tr("Kernel launch")},
              {"model.overhead_ms"},
              {"parallelism.bucket_mb"},
              {"cluster.nics_per_node", tr("NICs per node")}});
    add_part(tr("Failures"), "reliability.")
        .add({{"reliability.device_mtbf_h", tr("Device fails every"), tr("never")},
              {"reliability.restart_s", tr("Restart")},
              {"reliability.checkpoint_gb_s", tr("Checkpoint")}});
    add_part(tr("CPU cluster"), "cpu.")
        .add({{"cpu.threads", {}, tr("one per core")},
              {"cpu.splits", tr("Layers")},
              {"cpu.convolutions", tr("Convolutions")},
              {"cpu.placement"},
              {"cpu.overlap", tr("Overlap")},
              {"cpu.local_update", tr("Deltas")},
              {"cpu.wait_for_servers", tr("Exchange")},
              {"cpu.queueing", tr("Servers")},
              {"cpu.buffers_gb"},
              {"cpu.worked_example", tr("Formulas")}});
    add_part(tr("Parallelism"), "parallelism.");
    add_part(tr("Cluster"), "cluster.");
}

/// Adds rows for the remaining fields, on the first search.
void SettingsPanel::complete() {
    if (std::exchange(complete_, true)) return;
    for (const Part& part : parts_) {
        if (part.prefix.empty()) continue;
        part.rows->add_only_found();
        std::vector<FieldRows::Row> rest;
        for (const Field& f : all_fields())
            if (has_row(f) && f.path.starts_with(part.prefix) && !row_of(f.path))
                rest.push_back({.path = f.path, .name = QStringLiteral("setting:") + plain(f.path)});
        part.rows->add(rest);
        part.section->order_tabs();
    }
}

void SettingsPanel::find(const QString& typed) {
    const QStringList words = typed.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    if (!words.isEmpty()) complete();
    bool any = false;
    for (const Part& part : parts_) {
        part.rows->find(words);
        part.section->set_searched(!words.isEmpty());
        any = any || part.section->has_rows();
    }
    nothing_->setText(tr("No setting matches “%1”.").arg(typed.simplified()));
    nothing_->setVisible(!any);
}

void SettingsPanel::bring_to_sight(const QWidget& control) {
    for (const Part& part : parts_)
        if (part.section->isAncestorOf(&control)) {
            part.section->set_open(true);
            if (!control.isVisibleTo(this)) search_->clear();
        }
}

bool SettingsPanel::show_field(const QString& path) {
    if (path.isEmpty()) {
        search_->setFocus(Qt::ShortcutFocusReason);
        search_->selectAll();
        return true;
    }
    complete();
    QWidget* control = row_of(path.toStdString());
    if (!control) return false;
    bring_to_sight(*control);
    if (!control->isVisibleTo(this)) search_->setText(path);
    control->setFocus(Qt::OtherFocusReason);
    return true;
}

QWidget* SettingsPanel::row_of(std::string_view path) const {
    for (const Part& part : parts_)
        if (auto* control = part.rows->at<QWidget>(path)) return control;
    return nullptr;
}

void SettingsPanel::fill_choices() {
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

void SettingsPanel::choose(const QString& id) {
    for (const PercentOfPeak& p : library_.catalogue.percents)
        if (QString::fromStdString(p.id) == id)
            return document_.change([&](Scenario& s) {
                s = with_calibration(std::move(s), {});
                apply(p, s.model);
            });
    for (const Calibration& c : library_.calibrations)
        if (calibration_prefix + QString::fromStdString(c.id) == id)
            return document_.change(
                [&](Scenario& s) { s = with_calibration(std::move(s), {std::make_shared<const Calibration>(c)}); });
}

void SettingsPanel::show_scenario() {
    const Scenario& s = document_.scenario();
    const ModelOptions& m = s.model;
    const Parallelism& p = s.parallelism;
    Form::set_caption(*method_line_, is_cpu_cluster(s) ? told(yan::method_label) : QString());
    QStringList corrected;
    for (const std::string& id : m.paleo_corrections) corrected << plain(id);
    corrections_->set_picked(corrected);
    const Trainer* trainer = trainer_of(s, library_.catalogue.trainers);
    trainer_->set_current(trainer ? QString::fromStdString(trainer->id) : QString());
    QString preset;
    for (const PercentOfPeak& reached : library_.catalogue.percents)
        if (reached.compute == m.compute.value && reached.memory == m.memory.value &&
            reached.communication == m.between.value)
            preset = QString::fromStdString(reached.id);
    QString name;
    if (m.calibration && evidence_of(s).state != ScenarioEvidence::State::changed) {
        name = QString::fromStdString(m.calibration->name);  // one read from a file may not be in the library
        preset = calibration_prefix + QString::fromStdString(m.calibration->id);
    }
    preset_->set_current(preset, name);
    reshard_->set_current(!p.reshard_after_backward ? QStringLiteral("step")
                          : p.reshard_after_forward ? QStringLiteral("each")
                                                    : QStringLiteral("backward"));
    static_cast<NumberField*>(row_of("cpu.threads"))
        ->set_optional(s.cluster.has_machine()
                           ? tr("one per core (%1)").arg(told(format_count(s.cluster.machine.cores)))
                           : tr("one per core"));
}

}  // namespace scalescope::ui
