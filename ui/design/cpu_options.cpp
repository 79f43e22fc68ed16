// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/cpu_options.hpp"

#include <QVBoxLayout>
#include <cmath>

#include "core/base/format.hpp"
#include "core/base/limits.hpp"
#include "core/scenario/hardware.hpp"
#include "ui/design/names.hpp"
#include "ui/document/document.hpp"
#include "ui/language/told.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/form.hpp"
#include "ui/widgets/number_field.hpp"

namespace scalescope::ui {
namespace {

QString switch_id(bool on) { return on ? QStringLiteral("1") : QStringLiteral("0"); }

}  // namespace

CpuOptions::CpuOptions(Document& document, QWidget* parent) : QWidget(parent), document_(document) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    form_ = new Form;
    layout->addWidget(form_);
    const auto edit = [this](auto change) {
        Scenario next = document_.scenario();
        change(next.cpu);
        document_.edit(std::move(next));
    };
    const auto combo = [&](const QString& label, const QString& accessible, const char* object,
                           std::vector<ComboItem> items, auto set) {
        auto* c = new Combo(accessible);
        c->setObjectName(QLatin1String(object));
        c->set_items(std::move(items));
        form_->add_row(label, c);
        connect(c, &Combo::chosen, this,
                [edit, set](const QString& id) { edit([&](CpuCluster& cpu) { set(cpu, id); }); });
        return c;
    };
    threads_ = new NumberField(tr("Training threads of a machine, each with a sample of its own"));
    threads_->setObjectName(QStringLiteral("threads"));
    threads_->set_subject(tr("The number of threads"));
    threads_->set_range(1, static_cast<double>(limits::workers));
    threads_->set_optional(tr("one a core"));
    threads_->setToolTip(threads_->accessibleName());
    form_->add_row(tr("Threads"), threads_);
    connect(threads_, &NumberField::value_changed, this,
            [edit](double n) { edit([&](CpuCluster& cpu) { cpu.threads = static_cast<std::int64_t>(n); }); });
    connect(threads_, &NumberField::value_removed, this, [edit] { edit([](CpuCluster& cpu) { cpu.threads = 0; }); });
    splits_ = combo(tr("Layers"), tr("Segments of a layer"), "splits", split_items(),
                    [](CpuCluster& cpu, const QString& id) { cpu.splits = from_id<SegmentSplits>(id); });
    convolutions_ = combo(tr("Conv"), tr("Split of convolutions"), "convolutionSplit", convolution_split_items(),
                          [](CpuCluster& cpu, const QString& id) { cpu.convolutions = from_id<ConvolutionSplit>(id); });
    placement_ = combo(tr("Placement"), tr("Placement of segments on machines"), "placement", placement_items(),
                       [](CpuCluster& cpu, const QString& id) { cpu.placement = from_id<SegmentPlacement>(id); });
    overlap_ = new PercentField(tr("Share of the shorter of a layer's compute and exchange that hides"));
    overlap_->setObjectName(QStringLiteral("exchangeOverlap"));
    overlap_->set_range(0, 100, 1);
    overlap_->setToolTip(overlap_->accessibleName());
    form_->add_row(tr("Overlap"), overlap_);
    connect(overlap_, &PercentField::value_changed, this,
            [edit](double v) { edit([&](CpuCluster& cpu) { cpu.overlap = Fraction{v / 100.0}; }); });
    connect(overlap_, &PercentField::drag_started, &document_, &Document::begin_drag);
    connect(overlap_, &PercentField::drag_finished, &document_, &Document::end_drag);
    local_update_ = combo(tr("Deltas"), tr("Local updates of the weights"), "localUpdate", local_update_items(),
                          [](CpuCluster& cpu, const QString& id) { cpu.local_update = from_id<LocalUpdate>(id); });
    wait_ = combo(tr("Exchange"), tr("Whether a replica waits while its weights travel"), "waitForServers",
                  server_wait_items(),
                  [](CpuCluster& cpu, const QString& id) { cpu.wait_for_servers = id == switch_id(true); });
    queueing_ =
        combo(tr("Servers"), tr("Whether replicas that meet at the servers wait for each other"), "queueing",
              queueing_items(), [](CpuCluster& cpu, const QString& id) { cpu.queueing = id == switch_id(true); });
    buffers_ = new NumberField(tr("Memory of a machine beside weights, deltas and activations"));
    buffers_->setObjectName(QStringLiteral("buffers"));
    buffers_->set_subject(tr("The size of the buffers"));
    buffers_->set_range(0, 1e6);
    buffers_->set_decimals(3);
    buffers_->set_unit(tr("GB"));
    buffers_->setToolTip(buffers_->accessibleName());
    form_->add_row(tr("Buffers"), buffers_);
    connect(buffers_, &NumberField::value_changed, this,
            [edit](double v) { edit([&](CpuCluster& cpu) { cpu.buffers = gigabytes(v); }); });
    formulas_ =
        combo(tr("Formulas"), tr("Which formulas: put right, or as in the worked example"), "workedExample",
              formula_items(), [](CpuCluster& cpu, const QString& id) { cpu.worked_example = id == switch_id(true); });
    show_scenario();
}

void CpuOptions::show_scenario() {
    const Scenario& s = document_.scenario();
    const CpuCluster& cpu = s.cpu;
    if (cpu.threads > 0)
        threads_->set_value(static_cast<double>(cpu.threads));
    else
        threads_->set_missing();
    threads_->set_optional(s.cluster.has_machine()
                               ? tr("one a core (%1)").arg(told(format_count(s.cluster.machine.cores)))
                               : tr("one a core"));
    splits_->set_current(id_of(cpu.splits));
    convolutions_->set_current(id_of(cpu.convolutions));
    placement_->set_current(id_of(cpu.placement));
    overlap_->set_value(std::round(cpu.overlap.value * 1e8) / 1e6);
    local_update_->set_current(id_of(cpu.local_update));
    wait_->set_current(switch_id(cpu.wait_for_servers));
    queueing_->set_current(switch_id(cpu.queueing));
    buffers_->set_value(cpu.buffers.value / 1e9);
    formulas_->set_current(switch_id(cpu.worked_example));
    const bool asynchronous = s.parallelism.updates == Updates::asynchronous;
    form_->set_row_visible(wait_, asynchronous);
    form_->set_row_visible(queueing_, asynchronous);
}

}  // namespace scalescope::ui
