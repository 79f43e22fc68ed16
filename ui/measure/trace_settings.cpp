// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/measure/trace_settings.hpp"

#include <QFileDialog>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>
#include <array>

#include "core/base/format.hpp"
#include "core/base/limits.hpp"
#include "ui/charts/helpers.hpp"
#include "ui/language/told.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/number_field.hpp"
#include "ui/widgets/pick_list.hpp"

namespace scalescope::ui {
namespace {

using transfer::Tf32;

/// One precision of products and convolutions elsewhere, and what it assumes.
struct PrecisionChoice {
    const char* id;
    const char* name;
    const char* assumes;
    Tf32 tf32;
    bool fp16;
};
constexpr std::array precision_choices{
    PrecisionChoice{"recorded", QT_TRANSLATE_NOOP("scalescope::ui::TraceSettings", "as recorded"),
                    QT_TRANSLATE_NOOP("scalescope::ui::TraceSettings",
                                      "Products and convolutions use TF32 where the recording shows it; if its GPU has "
                                      "none, as PyTorch does by itself: convolutions do, matrix products do not."),
                    Tf32::as_recorded, false},
    PrecisionChoice{"convolutions", QT_TRANSLATE_NOOP("scalescope::ui::TraceSettings", "TF32 convolutions"),
                    QT_TRANSLATE_NOOP("scalescope::ui::TraceSettings",
                                      "Convolutions of 32-bit tensors use TF32 where a GPU has it (compute capability "
                                      "8.0 and later); matrix products stay in FP32."),
                    Tf32::convolutions, false},
    PrecisionChoice{"all", QT_TRANSLATE_NOOP("scalescope::ui::TraceSettings", "TF32"),
                    QT_TRANSLATE_NOOP("scalescope::ui::TraceSettings",
                                      "Convolutions and matrix products of 32-bit tensors use TF32 where a GPU has it "
                                      "(compute capability 8.0 and later)."),
                    Tf32::all, false},
    PrecisionChoice{"none", QT_TRANSLATE_NOOP("scalescope::ui::TraceSettings", "FP32"),
                    QT_TRANSLATE_NOOP("scalescope::ui::TraceSettings",
                                      "Products and convolutions of 32-bit tensors stay in FP32 everywhere, without "
                                      "tensor cores."),
                    Tf32::none, false},
    PrecisionChoice{
        "fp16", QT_TRANSLATE_NOOP("scalescope::ui::TraceSettings", "FP16"),
        QT_TRANSLATE_NOOP("scalescope::ui::TraceSettings",
                          "Products and convolutions take 16 bits where a GPU is faster with them. All else "
                          "stays as recorded, and conversions cost nothing."),
        Tf32::as_recorded, true}};

const PrecisionChoice& choice_of(const TraceOptions& options) {
    for (const PrecisionChoice& c : precision_choices)
        if (c.fp16 == options.fp16 && (c.fp16 || c.tf32 == options.tf32)) return c;
    return precision_choices.front();
}

}  // namespace

TraceSettings::TraceSettings(TraceDocument& document, QWidget* parent) : QWidget(parent), document_(document) {
    auto* column = make_layout<QVBoxLayout>(this, space::gap);
    QHBoxLayout* row = nullptr;
    const auto next_row = [&] {
        row = make_layout<QHBoxLayout>(nullptr, 8);
        column->addLayout(row);
    };
    const auto add = [&](const QString& name, QWidget* control, const char* id, int width) {
        row->addWidget(make_label(name, type::control(), Ink::secondary));
        control->setObjectName(QLatin1String(id));
        control->setFixedWidth(width);
        row->addWidget(control);
    };
    step_ = new Combo(tr("Step that is drawn"));
    network_ = new Combo(tr("Network that the trace is aligned with"));
    std::vector<ComboItem> networks{combo_item({}, tr("as recorded"), tr("Only shapes that the profiler recorded"))};
    for (const formats::Preset& preset : document_.library().networks)
        networks.push_back(combo_item(text_of(preset.id), text_of(preset.name)));
    network_->set_items(std::move(networks));
    batch_ = new NumberField(tr("Samples per step of that network"));
    batch_->set_subject(tr("Batch"));
    batch_->set_range(1, static_cast<double>(limits::batch));
    batch_->set_doubling(true);
    batch_->set_optional(tr("its own"));
    rules_ = new Combo(tr("How times are carried over"));
    rules_->set_items(
        {combo_item(QStringLiteral("best"), tr("best evidence"),
                    tr("A model of the operator where its shape is known, else wave scaling")),
         combo_item(QStringLiteral("wave"), tr("wave scaling"), tr("Habitat's rule for every operation"))});
    calibration_ = new Combo(tr("Calibration that corrects times of operators"));
    precision_ = new Combo(tr("Precision of products and convolutions on other GPUs"));
    std::vector<ComboItem> precisions;
    for (const PrecisionChoice& c : precision_choices)
        precisions.push_back(combo_item(QLatin1String(c.id), tr(c.name), tr(c.assumes)));
    precision_->set_items(std::move(precisions));
    gpus_ = new PickList(tr("GPUs that are shown"));
    gpus_->set_words(tr("all GPUs"), tr("no GPU"), tr("%1 of %2 GPUs"));
    std::vector<ComboItem> gpus;
    QStringList ids;
    for (const Device& device : document_.library().catalogue.devices) {
        if (!transfer::gpu_of(device)) continue;
        ComboItem item = combo_item(text_of(device.id), text_of(device.name));
        item.section = text_of(device.architecture);
        if (device.price_per_hour) {
            item.detail = tr("$%1 per hour").arg(text_of(format_number(*device.price_per_hour)));
            item.tip = told(device.price_basis);
        }
        gpus.push_back(std::move(item));
        ids << text_of(device.id);
    }
    gpus_->set_items(std::move(gpus));
    gpus_->set_picked(ids);
    build_sets();
    export_ = new QPushButton(tr("Export operations…"));
    export_->setObjectName(QStringLiteral("traceExport"));

    next_row();
    add(tr("Step"), step_, "traceStep", 150);
    add(tr("Shapes"), network_, "traceNetwork", 180);
    add(tr("Batch"), batch_, "traceBatch", 88);
    add(tr("By"), rules_, "traceRules", 140);
    add(tr("Corrected by"), calibration_, "traceCalibration", 150);
    row->addStretch(1);
    next_row();
    add(tr("On"), gpus_, "traceGpus", 150);
    add(tr("in"), precision_, "tracePrecision", 150);
    assumed_ = make_label({}, type::caption(), Ink::secondary);
    assumed_->setObjectName(QStringLiteral("traceAssumed"));
    assumed_->setWordWrap(true);
    row->addWidget(assumed_, 1);
    row->addWidget(export_);

    connect(step_, &Combo::chosen, this, &TraceSettings::step_chosen);
    connect(network_, &Combo::chosen, this,
            [this](const QString& id) { change([&](TraceOptions& o) { o.network = id; }); });
    connect(batch_, &NumberField::value_changed, this,
            [this](double v) { change([&](TraceOptions& o) { o.batch = static_cast<std::int64_t>(v); }); });
    connect(batch_, &NumberField::value_removed, this, [this] { change([](TraceOptions& o) { o.batch = 0; }); });
    connect(rules_, &Combo::chosen, this, [this](const QString& id) {
        change([&](TraceOptions& o) { o.wave_scaling_only = id == QLatin1String("wave"); });
    });
    connect(precision_, &Combo::chosen, this, [this](const QString& id) {
        for (const PrecisionChoice& c : precision_choices)
            if (id == QLatin1String(c.id)) change([&](TraceOptions& o) { o.tf32 = c.tf32, o.fp16 = c.fp16; });
    });
    connect(calibration_, &Combo::chosen, this,
            [this](const QString& id) { change([&](TraceOptions& o) { o.calibration = id; }); });
    connect(calibration_, &Combo::footer_chosen, this, &TraceSettings::ask_for_calibration);
    connect(gpus_, &PickList::picked_changed, this, &TraceSettings::gpus_chosen);
}

void TraceSettings::change(const std::function<void(TraceOptions&)>& set) {
    TraceOptions options = document_.options();
    set(options);
    document_.set_options(options);
}

void TraceSettings::build_sets() {
    PickSet priced{QStringLiteral("priced"), tr("With a price"), tr("The catalogue has a price per hour for it"), {}},
        tensor{QStringLiteral("tensor"), tr("Tensor cores"), tr("Has matrix units for 16-bit numbers"), {}},
        roomy{
            QStringLiteral("memory"), tr("As much memory"), tr("At least the memory of the GPU of the recording"), {}};
    const TracePredictions* predictions = document_.predictions().get();
    const bool recorded = predictions && predictions->from && predictions->from->device.memory;
    for (const ComboItem& item : gpus_->items()) {
        const Device* device = document_.library().catalogue.device(item.id.toStdString());
        if (!device) continue;
        if (device->price_per_hour) priced.items << item.id;
        if (transfer::has_tensor_cores(*device)) tensor.items << item.id;
        if (recorded && device->memory && *device->memory >= *predictions->from->device.memory) roomy.items << item.id;
    }
    std::vector<PickSet> sets{priced, tensor};
    if (recorded) sets.push_back(roomy);
    gpus_->set_sets(std::move(sets));
}

void TraceSettings::show_calibrations() {
    std::vector<ComboItem> items{combo_item({}, tr("nothing"), tr("Times of operators by the model alone"))};
    for (const Calibration& c : document_.library().calibrations)
        if (!c.operators.empty()) items.push_back(combo_item(text_of(c.id), text_of(c.name), text_of(c.note)));
    calibration_->set_items(std::move(items));
    calibration_->clear_footer_actions();
    calibration_->add_footer_action(QStringLiteral("open"), tr("A calibration in a file…"));
    const QString& now = document_.options().calibration;
    calibration_->set_current(now, QFileInfo(now).fileName());
}

/// Others may have been kept since it was seen last.
void TraceSettings::showEvent(QShowEvent* event) {
    show_calibrations();
    QWidget::showEvent(event);
}

void TraceSettings::ask_for_calibration() {
    const QString file = QFileDialog::getOpenFileName(this, tr("Open a calibration of operators"), {},
                                                      tr("Calibrations (*.json);;All files (*)"));
    if (!file.isEmpty()) change([&](TraceOptions& o) { o.calibration = file; });
}

std::size_t TraceSettings::step() const { return step_->current().toULongLong(); }

std::optional<QStringList> TraceSettings::gpus() const {
    if (gpus_->all_picked()) return std::nullopt;
    return gpus_->picked();
}

void TraceSettings::set_gpus(const std::optional<QStringList>& ids) {
    QStringList all;
    for (const ComboItem& item : gpus_->items()) all << item.id;
    gpus_->set_picked(ids.value_or(all));
}

bool TraceSettings::is_chosen(const Device& device) const { return gpus_->is_picked(text_of(device.id)); }

void TraceSettings::show_state() {
    if (shown_ != document_.recorded()) {
        shown_ = document_.recorded();
        const auto& all = shown_->digest.steps;
        std::vector<ComboItem> steps;
        for (std::size_t i = 0; i < all.size(); ++i)
            steps.push_back(combo_item(QString::number(i), text_of(all[i].name)));
        // The first step often holds what is done once; the second is like all others.
        const QString usual = steps.size() > 1 ? QStringLiteral("1") : QStringLiteral("0");
        step_->set_items(std::move(steps));
        step_->set_current(usual);
    }
    const TraceOptions& options = document_.options();
    network_->set_current(options.network);
    if (options.batch > 0)
        batch_->set_value(static_cast<double>(options.batch));
    else
        batch_->set_missing();
    batch_->setEnabled(!options.network.isEmpty());
    rules_->set_current(options.wave_scaling_only ? QStringLiteral("wave") : QStringLiteral("best"));
    const PrecisionChoice& precision = choice_of(options);
    precision_->set_current(QLatin1String(precision.id));
    assumed_->setText(tr(precision.assumes));
    show_calibrations();
    calibration_->setEnabled(!options.wave_scaling_only);
    if (!gpus_->is_open()) build_sets();
}

}  // namespace scalescope::ui
