// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/machine_editor.hpp"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QVBoxLayout>
#include <cmath>

#include "core/base/format.hpp"
#include "core/scenario/fields.hpp"
#include "ui/document/document.hpp"
#include "ui/help/help_guide.hpp"
#include "ui/language/told.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/number_field.hpp"
#include "ui/widgets/upright_scroll.hpp"

namespace scalescope::ui {
namespace {

/// A figure somebody typed has no source any more.
void make_own(CpuMachine& m) {
    if (m.id.rfind("own-", 0) == 0) return;
    m.note = "Edited by hand from " + m.id + ".";
    m.id = "own-" + m.id;
    m.name += " (own)";
}

}  // namespace

MachineEditor::MachineEditor(Document& document, QWidget* parent) : QDialog(parent), document_(document) {
    setObjectName(QStringLiteral("machineEditor"));
    setWindowTitle(tr("Machine"));
    set_help(*this, QStringLiteral("window-machine"));
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(16, 16, 16, 16);
    column->setSpacing(12);
    auto* page = new QWidget;
    page->setAutoFillBackground(false);
    auto* form = new QFormLayout(page);
    form->setContentsMargins(0, 0, 12, 0);
    form->setSpacing(8);
    form->setLabelAlignment(Qt::AlignLeft);
    name_ = new QLineEdit;
    name_->setAccessibleName(tr("Name"));
    form->addRow(tr("Name"), name_);
    for (const Field& f : all_fields()) {
        if (!f.path.starts_with("cluster.machine.")) continue;
        auto* control = new NumberField(told(f.label));
        control->set_subject(told(f.label));
        control->set_range(f.least, f.most);
        control->set_decimals(f.type == FieldType::integer ? 0 : 6);
        control->set_unit(told_word(f.unit));
        control->setToolTip(told(f.text));
        if (f.optional) control->set_optional(tr("not known"));
        form->addRow(told(f.label), control);
        rows_.push_back({&f, control});
        connect(control, &NumberField::value_changed, this,
                [this, &f](double v) { change(f, QString::number(v, 'g', 17)); });
        connect(control, &NumberField::value_removed, this, [this, &f] { change(f, {}); });
    }
    auto* scroll = new UprightScroll(page);
    column->addWidget(scroll, 1);
    auto* note =
        make_label(tr("The scenario stores these figures; the preset does not change. Times are for one thread."),
                   type::caption(), Ink::secondary);
    note->setWordWrap(true);
    column->addWidget(note);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::accept);
    column->addWidget(buttons);
    resize(440, 560);
    connect(name_, &QLineEdit::textEdited, this, [this](const QString& name) {
        Scenario s = document_.scenario();
        make_own(s.cluster.machine);
        s.cluster.machine.name = name.toStdString();
        document_.edit(std::move(s));
    });
    connect(&document_, &Document::changed, this, &MachineEditor::show_scenario);
    show_scenario();
}

void MachineEditor::change(const Field& field, const QString& value) {
    Scenario s = document_.scenario();
    if (!set_field(s, field, value.toStdString(), {})) return;
    make_own(s.cluster.machine);
    document_.edit(std::move(s));
}

void MachineEditor::show_scenario() {
    const Scenario& s = document_.scenario();
    if (!name_->hasFocus()) name_->setText(told(s.cluster.machine.name));
    for (const Row& row : rows_) {
        if (const auto value = field_number(*row.field, s))
            row.control->set_value(std::round(*value * 1e9) / 1e9);  // 0.2 ns is 0.2, not 0.20000000000000001
        else
            row.control->set_missing();
    }
}

}  // namespace scalescope::ui
