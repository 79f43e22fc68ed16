// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/hardware_editor.hpp"

#include <QDialogButtonBox>
#include <QFormLayout>
#include <QLineEdit>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

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

/// Calls `use` with the scenario's device, link or machine.
template <class S, class Use>
void with_hardware(S& s, const Field& which, Use use) {
    if (which.type == FieldType::device)
        use(s.cluster.device);
    else if (which.type == FieldType::machine)
        use(s.cluster.machine);
    else
        use(which.path == "cluster.inside" ? s.cluster.inside : s.cluster.between);
}

/// A figure somebody typed has no maker's source any more.
void make_own(Scenario& s, const Field& which) {
    with_hardware(s, which, [](auto& h) {
        if (h.id.starts_with("own-")) return;
        h.note = "Edited by hand from " + h.id + ".";
        h.id = "own-" + h.id;
        if (h.name.find("(own)") == std::string::npos) h.name += " (own)";
        if constexpr (requires { h.paleo_key; }) h.paleo_key.clear();
    });
}

QString help_of(const Field& which) {
    return which.type == FieldType::device    ? QStringLiteral("window-device")
           : which.type == FieldType::machine ? QStringLiteral("window-machine")
                                              : QStringLiteral("window-link");
}

}  // namespace

HardwareEditor::HardwareEditor(Document& document, std::string_view path, QWidget* parent)
    : QDialog(parent), document_(document), hardware_(*find_field(path)) {
    setObjectName(plain(path));
    setWindowTitle(told(hardware_.label));
    set_help(*this, help_of(hardware_));
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
        if (!f.path.starts_with(std::string(path) + '.')) continue;
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
    column->addWidget(new UprightScroll(page), 1);
    const bool may_be_unknown = std::any_of(rows_.begin(), rows_.end(), [](const Row& r) { return r.field->optional; });
    auto* note =
        make_label(may_be_unknown ? tr("The scenario stores these figures; the preset does not change. Leave a field "
                                       "empty if its value is unknown.")
                                  : tr("The scenario stores these figures; the preset does not change."),
                   type::caption(), Ink::secondary);
    note->setWordWrap(true);
    column->addWidget(note);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::accept);
    column->addWidget(buttons);
    constexpr int width = 440, tallest = 560, around = 130;
    resize(width, std::min(tallest, page->sizeHint().height() + around));
    connect(name_, &QLineEdit::textEdited, this, [this](const QString& name) {
        Scenario s = document_.scenario();
        make_own(s, hardware_);
        with_hardware(s, hardware_, [&](auto& h) { h.name = name.toStdString(); });
        document_.edit(std::move(s));
    });
    connect(&document_, &Document::changed, this, &HardwareEditor::show_scenario);
    show_scenario();
}

void HardwareEditor::change(const Field& field, const QString& value) {
    Scenario s = document_.scenario();
    if (!set_field(s, field, value.toStdString(), {})) return;
    make_own(s, hardware_);
    document_.edit(std::move(s));
}

void HardwareEditor::show_scenario() {
    const Scenario& s = document_.scenario();
    if (!name_->hasFocus()) with_hardware(s, hardware_, [this](const auto& h) { name_->setText(told(h.name)); });
    for (const Row& row : rows_) {
        if (const auto value = field_number(*row.field, s))
            row.control->set_value(std::round(*value * 1e9) / 1e9);  // 0.2 ns is 0.2, not 0.20000000000000001
        else
            row.control->set_missing();
        if (row.field->path == "cluster.device.price_usd_per_hour")
            row.control->setToolTip(
                s.cluster.device.price_basis.empty()
                    ? tr("Per device. Prices change: check yours.")
                    : tr("Per device: %1. Prices change: check yours.").arg(told(s.cluster.device.price_basis)));
    }
}

}  // namespace scalescope::ui
