// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/model_panel.hpp"

#include <QVBoxLayout>
#include <cmath>

#include "core/base/format.hpp"
#include "core/estimate/paleo_method.hpp"
#include "core/estimate/recompute.hpp"
#include "core/scenario/calibrated.hpp"
#include "core/scenario/clusters.hpp"
#include "core/scenario/fields.hpp"
#include "core/scenario/hardware.hpp"
#include "core/scenario/ways.hpp"
#include "core/yan/configuration.hpp"
#include "ui/design/cpu_options.hpp"
#include "ui/design/names.hpp"
#include "ui/document/document.hpp"
#include "ui/language/told.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/form.hpp"
#include "ui/widgets/number_field.hpp"
#include "ui/widgets/pick_list.hpp"

namespace scalescope::ui {
namespace {

unsigned picked_modules(const PickList& list) {
    unsigned bits = 0;
    for (const QString& id : list.picked()) bits |= bit_of(from_id<RecomputeModule>(id));
    return bits;
}

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

NumberField* make_field(const QString& accessible, const QString& subject, const char* object, double low, double high,
                        int decimals = 0) {
    auto* f = new NumberField(accessible);
    f->setObjectName(QLatin1String(object));
    f->set_subject(subject);
    f->set_range(low, high);
    f->set_decimals(decimals);
    return f;
}

/// Tells a calibration's id from one of a set of shares.
const QString calibration_prefix = QStringLiteral("calibration:");

/// Percents as a person reads them: 0.72 is 72, not 72.00000000000001.
double percent(Fraction f) { return std::round(f.value * 1e8) / 1e6; }

}  // namespace

ModelPanel::ModelPanel(Document& document, const formats::Library& library, QWidget* parent)
    : QWidget(parent), document_(document), library_(library) {
    auto* form = make_form(this);
    preset_ = make_combo(tr("Percents of peak reached by"), "percents", {});
    preset_->set_placeholder(tr("own figures"));
    preset_->add_footer_action(QStringLiteral("calibrate"), tr("Calibrate on runs…"));
    preset_->add_footer_action(QStringLiteral("open"), tr("Open a calibration…"), "open");
    fill_choices();
    auto field = [&](const QString& accessible, const char* object, auto member, int least = 1) {
        auto* f = new PercentField(accessible);
        f->setObjectName(QLatin1String(object));
        f->set_range(least, 100, 1);
        connect(f, &PercentField::value_changed, this, [this, member](double v) {
            edit(document_, [&](Scenario& s) { member(s.model) = Fraction{v / 100.0}; });
        });
        connect(f, &PercentField::drag_started, &document_, &Document::begin_drag);
        connect(f, &PercentField::drag_finished, &document_, &Document::end_drag);
        return f;
    };
    compute_ = field(tr("Share of peak arithmetic reached"), "percentCompute",
                     [](ModelOptions& m) -> Fraction& { return m.compute; });
    compute_->field()->set_optional(tr("device"));
    compute_->setToolTip(tr("Empty: what was measured on the device"));
    connect(compute_->field(), &NumberField::value_removed, this,
            [this] { edit(document_, [](Scenario& s) { s.model.compute = Fraction{0}; }); });
    memory_ = field(tr("Share of memory bandwidth reached"), "percentMemory",
                    [](ModelOptions& m) -> Fraction& { return m.memory; });
    between_ = field(tr("Share of link bandwidth reached"), "percentLink",
                     [](ModelOptions& m) -> Fraction& { return m.between; });
    inside_ = field(tr("Share of bandwidth inside a node reached"), "percentInside",
                    [](ModelOptions& m) -> Fraction& { return m.inside; });
    staleness_ = field(
        tr("Cost of staleness, assumed and not measured"), "staleness",
        [](ModelOptions& m) -> Fraction& { return m.staleness_cost; }, 0);
    staleness_->setToolTip(tr("By how much each update that a gradient missed lengthens training"));
    method_ = make_combo(tr("Method that prices a step"), "method", method_items());
    method_line_ = form->add_row(tr("Method"), method_);
    form->add_row(tr("Reached"), preset_);
    form->add_row(tr("Compute"), compute_);
    form->add_row(tr("Memory"), memory_);
    form->add_row(tr("Link"), between_);
    form->add_row(tr("Inside"), inside_);
    std::vector<ComboItem> trainers;
    for (const Trainer& t : library_.catalogue.trainers)
        trainers.push_back(combo_item(QString::fromStdString(t.id), told(t.name), told(t.description)));
    trainer_ = make_combo(tr("Software that trains, and what it holds in memory"), "trainer", std::move(trainers));
    trainer_->set_placeholder(tr("own figures"));
    form->add_row(tr("Trainer"), trainer_);
    form->add_row(tr("Staleness"), staleness_, tr("cost of each missed update: assumed, not measured"));
    form_ = form;

    connect(method_, &Combo::chosen, this, [this](const QString& id) {
        edit(document_, [&](Scenario& s) {
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
        });
    });
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
    method_->set_current(id_of(m.method));
    if (m.compute.value > 0)
        compute_->set_value(percent(m.compute));
    else
        compute_->field()->set_missing();
    memory_->set_value(percent(m.memory));
    between_->set_value(percent(m.between));
    inside_->set_value(percent(m.inside));
    staleness_->set_value(percent(m.staleness_cost));
    const Scenario& s = document_.scenario();
    const bool cpu = is_cpu_cluster(s);
    Form::set_caption(*method_line_, cpu ? told(yan::method_label) : QString());
    for (QWidget* of_devices : std::initializer_list<QWidget*>{preset_, compute_, memory_, between_})
        form_->set_row_visible(of_devices, !cpu);
    form_->set_row_visible(trainer_, m.method == Method::pipeline);
    const Trainer* trainer = trainer_of(s, library_.catalogue.trainers);
    trainer_->set_current(trainer ? QString::fromStdString(trainer->id) : QString());
    form_->set_row_visible(inside_, !cpu && s.cluster.devices_per_node > 1);
    form_->set_row_visible(staleness_, m.method == Method::pipeline && fills_data(s.parallelism) &&
                                           s.parallelism.updates == Updates::asynchronous);
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
    auto* form = form_ = make_form(this);
    cpu_ = new CpuOptions(document_);
    static_cast<QVBoxLayout*>(layout())->insertWidget(1, cpu_);
    memory_ = make_combo(tr("Memory traffic"), "memoryOverlap", memory_items());
    convolution_ = make_combo(tr("Convolution computed as"), "convolution", convolution_items());
    launch_ = make_field(tr("Start-up time of an operation"), tr("The start-up time"), "launch", 0, 1000, 2);
    launch_->set_unit(tr("µs"));
    overhead_ = make_field(tr("Time of every step in which devices wait for their hosts"), tr("The overhead"),
                           "overhead", 0, 10000, 2);
    overhead_->set_unit(tr("ms"));
    bucket_ = make_field(tr("Gradient bucket"), tr("The bucket size"), "bucket", 0.1, 10000, 1);
    bucket_->set_unit(tr("MB"));
    nics_ = make_field(tr("Network cards in a node"), tr("The number of network cards"), "nics", 1, 64);
    form->add_row(tr("Memory"), memory_);
    form->add_row(tr("Conv"), convolution_);
    // Beside each other: a row more would take the network's list two of its layers.
    form->add_pair(tr("Start-up"), launch_, tr("step"), overhead_);
    launch_->setToolTip(launch_->accessibleName());
    overhead_->setToolTip(overhead_->accessibleName());
    form->add_row(tr("Bucket"), bucket_);
    form->add_row(tr("Cards/node"), nics_);
    connect(memory_, &Combo::chosen, this, [this](const QString& id) {
        edit(document_, [&](Scenario& s) { s.model.overlap_memory = id == QLatin1String("1"); });
    });
    connect(convolution_, &Combo::chosen, this, [this](const QString& id) {
        edit(document_, [&](Scenario& s) { s.model.convolution = from_id<ConvolutionAlgorithm>(id); });
    });
    connect(launch_, &NumberField::value_changed, this,
            [this](double v) { edit(document_, [&](Scenario& s) { s.model.launch = microseconds(v); }); });
    connect(overhead_, &NumberField::value_changed, this,
            [this](double v) { edit(document_, [&](Scenario& s) { s.model.overhead = milliseconds(v); }); });
    connect(bucket_, &NumberField::value_changed, this,
            [this](double v) { edit(document_, [&](Scenario& s) { s.parallelism.bucket = Bytes{v * 1e6}; }); });
    connect(nics_, &NumberField::value_changed, this, [this](double v) {
        edit(document_, [&](Scenario& s) { s.cluster.nics_per_node = static_cast<std::int64_t>(v); });
    });
    connect(&document_, &Document::changed, this, &OptionsPanel::show_scenario);
    show_scenario();
}

void OptionsPanel::show_scenario() {
    const Scenario& s = document_.scenario();
    form_->setHidden(is_cpu_cluster(s));
    cpu_->setHidden(!is_cpu_cluster(s));
    cpu_->show_scenario();
    memory_->set_current(s.model.overlap_memory ? QStringLiteral("1") : QStringLiteral("0"));
    convolution_->set_current(id_of(s.model.convolution));
    launch_->set_value(s.model.launch.value * 1e6);
    overhead_->set_value(s.model.overhead.value * 1e3);
    bucket_->set_value(s.parallelism.bucket.value / 1e6);
    nics_->set_value(static_cast<double>(s.cluster.nics_per_node));
}

TrainingPanel::TrainingPanel(Document& document, QWidget* parent) : QWidget(parent), document_(document) {
    auto* form = form_ = make_form(this);
    precision_ = make_combo(tr("Number format"), "precision", {});
    wide_first_ = make_field(tr("Blocks at the start of the network whose products stay in bf16"),
                             tr("The number of blocks"), "wideFirst", 0, 1000);
    wide_last_ = make_field(tr("Blocks at the end of the network whose products stay in bf16"),
                            tr("The number of blocks"), "wideLast", 0, 1000);
    optimizer_ = make_combo(tr("Optimizer"), "optimizer", optimizer_items());
    accumulation_ =
        make_field(tr("Gradient accumulation steps"), tr("The number of accumulation steps"), "accumulation", 1, 4096);
    data_set_ = make_field(tr("Samples in an epoch"), tr("The data set size"), "dataSet", 1, 1e12);
    input_limit_ = make_field(tr("Samples a second from the input pipeline, empty for no limit"), tr("The input limit"),
                              "inputLimit", 1, 1e12);
    input_limit_->set_optional(tr("none"));
    input_limit_->set_unit(tr("img/s"));
    form->add_row(tr("Numbers"), precision_);
    form->add_row(tr("First wide blocks"), wide_first_);
    form->add_row(tr("Last wide blocks"), wide_last_);
    form->add_row(tr("Optimizer"), optimizer_);

    form->add_row(tr("Accumulate"), accumulation_);
    const auto make_modules = [](const QString& accessible, const char* object) {
        auto* list = new PickList(accessible);
        list->setObjectName(QLatin1String(object));
        list->set_items(recompute_module_items());
        list->set_words(tr("all modules"), tr("no module"), tr("%1 of %2 modules"));
        list->set_named(2);
        return list;
    };
    modules_ = make_modules(tr("Modules that are computed again"), "recomputeModules");
    form->add_row(tr("Modules"), modules_);
    recompute_count_ = make_field(tr("Blocks that are counted"), tr("The number of blocks"), "recomputeCount", 0, 1000);
    form->add_row(tr("Blocks"), recompute_count_);
    shard_group_ = make_field(tr("Neighbouring replicas that divide the training states, empty for all"),
                              tr("The shard group"), "shardGroup", 1, 1 << 20);
    shard_group_->set_optional(tr("all"));
    reshard_ = make_combo(tr("How long gathered weights are kept"), "reshard", reshard_items());
    reduce_ = make_combo(tr("How often gradients are sent"), "reduceOnce", reduce_items());
    form->add_row(tr("Shard group"), shard_group_);
    form->add_row(tr("Gathered weights"), reshard_);
    form->add_row(tr("Gradients"), reduce_);
    host_states_ = make_field(tr("Percent of the optimizer states that the host keeps and updates"),
                              tr("The percentage"), "offloadStates", 0, 100);
    host_states_->set_unit(QStringLiteral("%"));
    on_host_ = make_combo(tr("Activations that wait on the host"), "offloadActivations", offload_items());
    host_modules_ = make_modules(tr("Modules whose activations wait on the host"), "offloadModules");
    form->add_row(tr("States on host"), host_states_);
    form->add_row(tr("Kept on host"), on_host_);
    form->add_row(tr("Modules on host"), host_modules_);
    form->add_row(tr("Data set"), data_set_);
    form->add_row(tr("Input limit"), input_limit_);
    connect(precision_, &Combo::chosen, this, [this](const QString& id) {
        edit(document_, [&](Scenario& s) { s.training.precision = from_id<Precision>(id); });
    });
    connect(wide_first_, &NumberField::value_changed, this, [this](double v) {
        edit(document_, [&](Scenario& s) { s.training.wide_first = static_cast<std::int64_t>(v); });
    });
    connect(wide_last_, &NumberField::value_changed, this, [this](double v) {
        edit(document_, [&](Scenario& s) { s.training.wide_last = static_cast<std::int64_t>(v); });
    });
    connect(optimizer_, &Combo::chosen, this, [this](const QString& id) {
        edit(document_, [&](Scenario& s) { s.training.optimizer = from_id<Optimizer>(id); });
    });
    connect(modules_, &PickList::picked_changed, this, [this] {
        edit(document_, [&](Scenario& s) { s.parallelism.recompute = recompute_modules(picked_modules(*modules_)); });
    });
    connect(recompute_count_, &NumberField::value_changed, this, [this](double v) {
        edit(document_, [&](Scenario& s) { s.parallelism.recompute_count = static_cast<std::int64_t>(v); });
    });
    connect(shard_group_, &NumberField::value_changed, this, [this](double v) {
        edit(document_, [&](Scenario& s) { s.parallelism.shard_group = static_cast<std::int64_t>(v); });
    });
    connect(shard_group_, &NumberField::value_removed, this,
            [this] { edit(document_, [](Scenario& s) { s.parallelism.shard_group = 0; }); });
    connect(reshard_, &Combo::chosen, this, [this](const QString& id) {
        edit(document_, [&](Scenario& s) {
            s.parallelism.reshard_after_forward = id == QLatin1String("each");
            s.parallelism.reshard_after_backward = id != QLatin1String("step");
        });
    });
    connect(reduce_, &Combo::chosen, this, [this](const QString& id) {
        edit(document_, [&](Scenario& s) { s.parallelism.reduce_once = id == QLatin1String("1"); });
    });
    connect(host_states_, &NumberField::value_changed, this, [this](double v) {
        edit(document_, [&](Scenario& s) { s.parallelism.offload_states = Fraction{v / 100}; });
    });
    connect(on_host_, &Combo::chosen, this, [this](const QString& id) {
        Recompute next = from_id<Recompute>(id);
        if (next == Recompute::modules) next = recompute_modules(bit_of(RecomputeModule::core_attn));
        edit(document_, [&](Scenario& s) { s.parallelism.offload_activations = next; });
    });
    connect(host_modules_, &PickList::picked_changed, this, [this] {
        edit(document_, [&](Scenario& s) {
            s.parallelism.offload_activations = recompute_modules(picked_modules(*host_modules_));
        });
    });
    connect(accumulation_, &NumberField::value_changed, this, [this](double v) {
        edit(document_, [&](Scenario& s) { s.training.accumulation = static_cast<std::int64_t>(v); });
    });
    connect(data_set_, &NumberField::value_changed, this, [this](double v) {
        edit(document_, [&](Scenario& s) { s.training.data_set = static_cast<std::int64_t>(v); });
    });
    connect(input_limit_, &NumberField::value_changed, this,
            [this](double v) { edit(document_, [&](Scenario& s) { s.training.input_limit = SamplesPerSecond{v}; }); });
    connect(input_limit_, &NumberField::value_removed, this,
            [this] { edit(document_, [](Scenario& s) { s.training.input_limit = SamplesPerSecond{0}; }); });
    connect(&document_, &Document::changed, this, &TrainingPanel::show_scenario);
    show_scenario();
}

void TrainingPanel::show_scenario() {
    const Scenario& s = document_.scenario();
    precision_->set_items(precision_items(s.cluster.device));
    precision_->set_current(id_of(s.training.precision));
    wide_first_->set_value(static_cast<double>(s.training.wide_first));
    wide_last_->set_value(static_cast<double>(s.training.wide_last));
    for (NumberField* field : {wide_first_, wide_last_})
        form_->set_row_visible(field, traits_of(s.training.precision).is_recipe());
    optimizer_->set_current(id_of(s.training.optimizer));
    accumulation_->set_value(static_cast<double>(s.training.accumulation));
    // A CPU cluster does not hear these; a warning about one that is set leads here.
    const bool heard = !is_cpu_cluster(s);
    form_->set_row_visible(precision_, heard || s.training.precision != Precision::fp32);
    form_->set_row_visible(optimizer_, heard || s.training.optimizer != Optimizer::sgd);
    form_->set_row_visible(accumulation_, heard || s.training.accumulation != 1);
    const auto show_modules = [this](Recompute chosen, Combo* combo, PickList* list) {
        const unsigned modules = modules_of(chosen);
        if (combo) combo->set_current(id_of(modules != 0 ? Recompute::modules : chosen));
        QStringList picked;
        for (const ComboItem& module : list->items())
            if ((modules & bit_of(from_id<RecomputeModule>(module.id))) != 0) picked << module.id;
        list->set_picked(picked);
        form_->set_row_visible(list, modules != 0);
    };
    show_modules(s.parallelism.recompute, nullptr, modules_);
    show_modules(s.parallelism.offload_activations, on_host_, host_modules_);
    host_states_->set_value(100 * s.parallelism.offload_states.value);
    recompute_count_->set_value(static_cast<double>(s.parallelism.recompute_count));
    form_->set_row_visible(recompute_count_, counts_blocks(s.parallelism.recompute));
    // Where one cannot be used but is set, as a file may have it, it can be taken back.
    const bool priced = s.model.method == Method::pipeline && !s.parallelism.segments;
    if (s.parallelism.shard_group > 0)
        shard_group_->set_value(static_cast<double>(s.parallelism.shard_group));
    else
        shard_group_->set_missing();
    const Parallelism& p = s.parallelism;
    reshard_->set_current(!p.reshard_after_backward ? QStringLiteral("step")
                          : p.reshard_after_forward ? QStringLiteral("each")
                                                    : QStringLiteral("backward"));
    reduce_->set_current(p.reduce_once ? QStringLiteral("1") : QStringLiteral("0"));
    form_->set_row_visible(shard_group_, s.parallelism.sharded != Sharded::nothing);
    form_->set_row_visible(reshard_, s.parallelism.sharded == Sharded::weights);
    form_->set_row_visible(reduce_, s.parallelism.sharded >= Sharded::gradients);
    const bool hosts = priced && s.parallelism.updates == Updates::synchronous;
    form_->set_row_visible(host_states_, p.offload_states.value > 0 || hosts);
    form_->set_row_visible(on_host_, p.offload_activations != Recompute::nothing || hosts);
    data_set_->set_value(static_cast<double>(s.training.data_set));
    if (s.training.input_limit.value > 0)
        input_limit_->set_value(s.training.input_limit.value);
    else
        input_limit_->set_missing();
}

}  // namespace scalescope::ui
