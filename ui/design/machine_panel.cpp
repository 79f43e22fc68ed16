// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/machine_panel.hpp"

#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>

#include "core/base/format.hpp"
#include "core/base/limits.hpp"
#include "core/scenario/fields.hpp"
#include "ui/design/hardware_texts.hpp"
#include "ui/document/document.hpp"
#include "ui/language/told.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/form.hpp"
#include "ui/widgets/number_field.hpp"

namespace scalescope::ui {
namespace {

QString cores_text(const CpuMachine& m) {
    return m.cores == 1 ? MachinePanel::tr("1 core") : MachinePanel::tr("%1 cores").arg(told(format_count(m.cores)));
}

QString machine_figures(const CpuMachine& m) {
    return QStringLiteral("%1 · %2 · %3")
        .arg(cores_text(m), told(format_bytes(m.memory)), told(format_rate(m.network)));
}

}  // namespace

MachinePanel::MachinePanel(Document& document, const Catalogue& catalogue, QWidget* parent)
    : QWidget(parent), document_(document), catalogue_(catalogue) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    machine_ = new Combo(tr("Machine"));
    machine_->setObjectName(QStringLiteral("machine"));
    machine_->set_searchable(true);
    machine_->set_placeholder(tr("choose one"));
    machine_->add_footer_action(QStringLiteral("edit"), tr("Duplicate and edit…"));
    const auto field = [](const QString& accessible, const QString& subject, const char* object, std::int64_t most) {
        auto* f = new NumberField(accessible);
        f->setObjectName(QLatin1String(object));
        f->set_subject(subject);
        f->set_range(1, static_cast<double>(most));
        f->set_doubling(true);
        f->setToolTip(accessible);
        return f;
    };
    replicas_ = field(tr("Replicas: copies of the network that train on different samples"),
                      tr("The number of replicas"), "replicas", 1024);
    partitions_ = field(tr("Machines that share one replica of the network"), tr("The number of machines of a replica"),
                        "partitions", limits::partitions);
    form_ = new Form;
    machine_line_ = form_->add_row(tr("Machine"), machine_);
    replica_line_ = form_->add_pair(tr("Replicas"), replicas_, QStringLiteral("×"), partitions_);
    layout->addWidget(form_);

    connect(machine_, &Combo::chosen, this, [this](const QString& id) {
        const CpuMachine* m = catalogue_.machine(id.toStdString());
        if (!m) return;
        Scenario next = document_.scenario();
        next.cluster.machine = *m;
        document_.edit(std::move(next));
    });
    connect(machine_, &Combo::footer_chosen, this, &MachinePanel::edit_machine_asked);
    const auto set = [this](const char* path) {
        return [this, path](double value) {
            Scenario next = document_.scenario();
            if (set_field(next, *find_field(path), value)) document_.edit(std::move(next));
        };
    };
    connect(replicas_, &NumberField::value_changed, this, set("cpu.replicas"));
    connect(partitions_, &NumberField::value_changed, this, set("cpu.partitions"));
    connect(&document_, &Document::changed, this, &MachinePanel::show_scenario);
    fill();
    show_scenario();
}

void MachinePanel::fill() {
    std::vector<ComboItem> items;
    std::vector<QString> sections;
    const auto section_of = [this](const CpuMachine& m) {
        return catalogue_.owns(m) ? tr("Own") : m.vendor.empty() ? tr("Example") : told(m.vendor);
    };
    for (const bool own : {true, false})
        for (const CpuMachine& m : catalogue_.machines)
            if (catalogue_.owns(m) == own &&
                std::find(sections.begin(), sections.end(), section_of(m)) == sections.end())
                sections.push_back(section_of(m));
    for (const QString& section : sections)
        for (const CpuMachine& m : catalogue_.machines) {
            if (section_of(m) != section) continue;
            ComboItem i = combo_item(told(m.id), told(m.name), source_tip(m.sources, m.unverified, m.note));
            i.section = section;
            i.value = cores_text(m);
            items.push_back(std::move(i));
        }
    machine_->set_items(std::move(items));
}

void MachinePanel::show_scenario() {
    const Scenario& s = document_.scenario();
    const CpuMachine& m = s.cluster.machine;
    machine_->set_current(told(m.id), told(m.name));
    const QString more = source_tip(m.sources, m.unverified, m.note);
    machine_->setToolTip(more.isEmpty() ? told(m.name) : told(m.name) + QLatin1Char('\n') + more);
    Form::set_caption(*machine_line_, s.cluster.has_machine() ? machine_figures(m) : QString());
    const double replicas = field_number(*find_field("cpu.replicas"), s).value_or(0);
    replicas_->set_value(replicas);
    partitions_->set_value(static_cast<double>(s.cpu.partitions));
    Form::set_caption(*replica_line_, s.cpu.partitions == 1
                                          ? tr("each on one machine")
                                          : tr("each on %1 machines").arg(told(format_count(s.cpu.partitions))));
}

}  // namespace scalescope::ui
