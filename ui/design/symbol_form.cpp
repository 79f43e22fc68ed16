// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/symbol_form.hpp"

#include <QVBoxLayout>
#include <algorithm>

#include "core/scenario/symbol_fields.hpp"
#include "ui/document/document.hpp"
#include "ui/language/told.hpp"
#include "ui/widgets/form.hpp"
#include "ui/widgets/number_field.hpp"

namespace scalescope::ui {
SymbolForm::SymbolForm(Document& document, QWidget* parent) : QWidget(parent), document_(document) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    connect(&document_, &Document::changed, this, &SymbolForm::show_scenario);
    show_scenario();
}

void SymbolForm::rebuild(const SymbolFields& symbols) {
    if (form_) form_->deleteLater();
    form_ = nullptr;
    paths_.clear();
    fields_.clear();
    setVisible(!symbols.rows().empty());
    if (symbols.rows().empty()) return;
    form_ = new Form;
    for (const Field& row : symbols.rows()) {
        auto* field = new NumberField(told(row.label));
        field->setObjectName(told(row.path));
        field->set_subject(told(row.label));
        field->set_range(row.least, row.most);
        field->set_doubling(true);
        field->set_unit(told(row.unit));
        field->setToolTip(told(row.text));
        field->setMinimumWidth(field->sizeHint().width());  // the unit leaves the number its room
        form_->add_row(told(row.label), field);
        connect(field, &NumberField::value_changed, this, [this, field, path = std::string(row.path)](double value) {
            Scenario next = document_.scenario();
            const SymbolFields now(next);
            const Field* changed = now.find(path);
            if (!changed) return;
            if (const auto set = set_field(next, *changed, value); !set) {
                const Problem& p = set.error().front();
                field->set_error(told(p.where.empty() ? p.what : p.where + ": " + p.what));
                return;
            }
            field->set_error({});
            document_.edit(std::move(next));
        });
        paths_.emplace_back(row.path);
        fields_.push_back(field);
    }
    layout()->addWidget(form_);
}

void SymbolForm::show_scenario() {
    const SymbolFields symbols(document_.scenario());
    const auto rows = symbols.rows();
    const bool same = form_ && std::equal(rows.begin(), rows.end(), paths_.begin(), paths_.end(),
                                          [](const Field& row, const std::string& path) { return row.path == path; });
    if (!same) rebuild(symbols);
    for (std::size_t i = 0; i < fields_.size(); ++i)
        fields_[i]->set_value(field_number(rows[i], document_.scenario()).value_or(1));
}

}  // namespace scalescope::ui
