// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/hardware_editor.hpp"

#include <QDialogButtonBox>
#include <QLineEdit>
#include <QVBoxLayout>
#include <algorithm>

#include "ui/design/field_rows.hpp"
#include "ui/document/document.hpp"
#include "ui/help/help_guide.hpp"
#include "ui/language/told.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/form.hpp"
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
    auto* inset = new QVBoxLayout(page);
    inset->setContentsMargins(0, 0, 12, 0);
    auto* form = new Form;
    inset->addWidget(form);
    inset->addStretch(1);
    name_ = new QLineEdit;
    form->add_row(tr("Name"), name_);
    std::vector<FieldRows::Row> rows;
    bool may_be_unknown = false;
    for (const Field& f : all_fields()) {
        if (!f.path.starts_with(std::string(path) + '.')) continue;
        may_be_unknown = may_be_unknown || f.optional;
        rows.push_back({.path = f.path,
                        .zero = f.optional ? tr("not known") : QString(),
                        .also = [this](Scenario& s, const Scenario&) { make_own(s, hardware_); },
                        .name = plain(f.path)});
    }
    (new FieldRows(document_, this, form))->add(rows);
    column->addWidget(new UprightScroll(page), 1);
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
        document_.change([&](Scenario& s) {
            make_own(s, hardware_);
            with_hardware(s, hardware_, [&](auto& h) { h.name = name.toStdString(); });
        });
    });
    connect(&document_, &Document::changed, this, &HardwareEditor::show_name);
    show_name();
}

void HardwareEditor::show_name() {
    if (!name_->hasFocus())
        with_hardware(document_.scenario(), hardware_, [this](const auto& h) { name_->setText(told(h.name)); });
}

}  // namespace scalescope::ui
