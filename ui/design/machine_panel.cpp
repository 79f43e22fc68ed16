// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/machine_panel.hpp"

#include <QLabel>
#include <QVBoxLayout>
#include <algorithm>

#include "core/base/format.hpp"
#include "ui/design/field_rows.hpp"
#include "ui/design/hardware_texts.hpp"
#include "ui/document/document.hpp"
#include "ui/language/told.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/form.hpp"

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
    form_ = new Form;
    machine_line_ = form_->add_row(tr("Machine"), machine_);
    auto* rows = new FieldRows(document_, this, form_);
    replica_line_ = rows->add_pair(tr("Replicas"), {.path = "cpu.replicas", .doubling = true}, QStringLiteral("×"),
                                   {.path = "cpu.partitions", .doubling = true});
    layout->addWidget(form_);

    connect(machine_, &Combo::chosen, this, [this](const QString& id) {
        if (const CpuMachine* m = catalogue_.machine(id.toStdString()))
            document_.change([&](Scenario& s) { s.cluster.machine = *m; });
    });
    connect(machine_, &Combo::footer_chosen, this, &MachinePanel::edit_machine_asked);
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
    Form::set_caption(*replica_line_, s.cpu.partitions == 1
                                          ? tr("each on one machine")
                                          : tr("each on %1 machines").arg(told(format_count(s.cpu.partitions))));
}

}  // namespace scalescope::ui
