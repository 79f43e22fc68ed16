// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/symbol_form.hpp"

#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "ui/design/field_rows.hpp"
#include "ui/document/document.hpp"
#include "ui/language/told.hpp"
#include "ui/widgets/form.hpp"
#include "ui/widgets/number_field.hpp"

namespace scalescope::ui {

SymbolForm::SymbolForm(Document& document, QWidget* parent)
    : QWidget(parent), document_(document), symbols_(document.scenario()) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    connect(&document_, &Document::changed, this, &SymbolForm::show_scenario);
    rebuild();
}

void SymbolForm::rebuild() {
    setVisible(!symbols_.rows().empty());
    if (symbols_.rows().empty()) return;
    form_ = new Form;
    auto* rows = new FieldRows(document_, form_, form_);
    for (const Field& field : symbols_.rows()) {
        rows->add({{.path = field.path, .name = plain(field.path), .field = &field, .doubling = true}});
        auto* number = rows->at<NumberField>(field.path);
        number->setMinimumWidth(number->sizeHint().width());  // the unit leaves the number its room
    }
    layout()->addWidget(form_);
}

void SymbolForm::show_scenario() {
    SymbolFields now(document_.scenario());
    const auto same = [](const Field& a, const Field& b) { return a.path == b.path; };
    if (std::ranges::equal(now.rows(), symbols_.rows(), same)) return;
    delete std::exchange(form_, nullptr);
    symbols_ = std::move(now);
    rebuild();
}

}  // namespace scalescope::ui
