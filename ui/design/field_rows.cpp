// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/field_rows.hpp"

#include <algorithm>
#include <cmath>

#include "core/estimate/applies.hpp"
#include "core/scenario/recompute_choice.hpp"
#include "ui/design/field_controls.hpp"
#include "ui/design/names.hpp"
#include "ui/document/document.hpp"
#include "ui/language/told.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/form.hpp"
#include "ui/widgets/number_field.hpp"
#include "ui/widgets/pick_list.hpp"

namespace scalescope::ui {
namespace {

constexpr int places = 3, percent_places = 1;

bool is_percent(const Field& field) { return field.unit == "%" && field.most == 100; }

/// The index of the choice, as its items have it.
QString choice_id(const Field& field, const Scenario& s) {
    const std::string text = field_text(field, s);
    if (field.type == FieldType::boolean) return text == "true" ? QStringLiteral("1") : QStringLiteral("0");
    return QString::number(std::find(field.choices.begin(), field.choices.end(), text) - field.choices.begin());
}

bool set_choice(Scenario& s, const Field& field, const QString& id) {
    const std::string text = field.type == FieldType::boolean
                                 ? id.toStdString()
                                 : std::string(field.choices[static_cast<std::size_t>(id.toInt())]);
    return set_field(s, field, text, {}).has_value();
}

/// Recomputed or offloaded activations: a method, or any modules.
bool has_modules(const Field& field) {
    return field.path == "parallelism.recompute" || field.path == "parallelism.offload_activations";
}
Recompute recompute_of(const Field& field, const Scenario& s) {
    return recompute_called(field_text(field, s)).value_or(Recompute::nothing);
}
bool set_recompute(Scenario& s, const Field& field, Recompute next) {
    return set_field(s, field, recompute_text(next), {}).has_value();
}

}  // namespace

FieldRows::FieldRows(Document& document, QWidget* panel, Form* form)
    : QObject(panel), document_(document), panel_(panel), form_(form) {
    connect(&document_, &Document::changed, this, &FieldRows::show_scenario);
}

void FieldRows::edit(const std::function<bool(Scenario&)>& change) {
    Scenario next = document_.scenario();
    if (change(next))
        document_.edit(std::move(next));
    else
        show_scenario();  // what the table refuses is not left standing
}

const Field& FieldRows::named(QWidget& control, std::string_view path) const {
    const Field& field = *find_field(path);
    control.setObjectName(control_of_field(QString::fromUtf8(path.data(), static_cast<qsizetype>(path.size()))));
    control.setAccessibleName(told(field.label));
    control.setToolTip(told(field.text));
    return field;
}

void FieldRows::keep(const Field& field, QWidget* control, std::function<void(const Scenario&)> show) {
    show(document_.scenario());
    shown_.push_back({&field, control, std::move(show)});
}

Combo* FieldRows::choice(const Row& row) {
    auto* combo = new Combo(told(find_field(row.path)->label), panel_);
    const Field& field = named(*combo, row.path);
    combo->set_items(choice_items(field.path));
    connect(combo, &Combo::chosen, this, [this, &field, choose = row.choose](const QString& id) {
        edit([&](Scenario& s) {
            if (choose) return choose(s, id), true;
            if (!has_modules(field)) return set_choice(s, field, id);
            const auto next = from_id<Recompute>(id);
            return set_recompute(
                s, field, next == Recompute::modules ? recompute_modules(bit_of(RecomputeModule::core_attn)) : next);
        });
    });
    keep(field, combo, [combo, &field](const Scenario& s) {
        if (has_modules(field)) {
            const Recompute now = recompute_of(field, s);
            combo->set_current(id_of(modules_of(now) != 0 ? Recompute::modules : now));
        } else {
            combo->set_current(choice_id(field, s));
        }
        combo->show_tip();
    });
    return combo;
}

NumberField* FieldRows::number(const Row& row) {
    const Field& of = *find_field(row.path);
    auto* number = new NumberField(told(of.label), panel_);
    const Field& field = named(*number, row.path);
    const bool whole = field.type == FieldType::integer, may_miss = !row.zero.isEmpty();
    number->set_subject(tr("“%1”").arg(told(field.label)));
    number->set_range(may_miss && whole ? std::max(1.0, field.least) : field.least, field.most);
    number->set_decimals(whole ? 0 : is_percent(field) ? percent_places : places);
    number->set_unit(told_word(field.unit));
    if (may_miss) number->set_optional(row.zero);
    const auto set = [this, &field](double value) {
        edit([&](Scenario& s) { return set_field(s, field, value).has_value(); });
    };
    connect(number, &NumberField::value_changed, this, set);
    connect(number, &NumberField::value_removed, this, [set] { set(0); });
    keep(field, number, [number, &field, may_miss](const Scenario& s) {
        const double value = field_number(field, s).value_or(0);
        may_miss&& value == 0 ? number->set_missing() : number->set_value(value);
    });
    return number;
}

PercentField* FieldRows::percent(const Row& row) {
    auto* percent = new PercentField(told(find_field(row.path)->label), panel_);
    const Field& field = named(*percent, row.path);
    const bool may_miss = !row.zero.isEmpty();
    percent->set_range(may_miss ? 1 : static_cast<int>(std::ceil(field.least)), static_cast<int>(field.most),
                       percent_places);
    if (may_miss) percent->field()->set_optional(row.zero);
    const auto set = [this, &field](double value) {
        edit([&](Scenario& s) { return set_field(s, field, value).has_value(); });
    };
    connect(percent, &PercentField::value_changed, this, set);
    connect(percent->field(), &NumberField::value_removed, this, [set] { set(0); });
    connect(percent, &PercentField::drag_started, &document_, &Document::begin_drag);
    connect(percent, &PercentField::drag_finished, &document_, &Document::end_drag);
    keep(field, percent, [percent, &field, may_miss](const Scenario& s) {
        const double value = field_number(field, s).value_or(0);
        may_miss&& value == 0 ? percent->field()->set_missing() : percent->set_value(value);
    });
    return percent;
}

PickList* FieldRows::modules(std::string_view path, const char* object) {
    auto* list = new PickList(told(find_field(path)->label), panel_);
    const Field& field = named(*list, path);
    list->setObjectName(QLatin1String(object));
    list->set_items(recompute_module_items());
    list->set_words(tr("all modules"), tr("no module"), tr("%1 of %2 modules"));
    list->set_named(2);
    connect(list, &PickList::picked_changed, this, [this, list, &field] {
        unsigned bits = 0;
        for (const QString& id : list->picked()) bits |= bit_of(from_id<RecomputeModule>(id));
        edit([&](Scenario& s) { return set_recompute(s, field, recompute_modules(bits)); });
    });
    keep(field, list, [list, &field](const Scenario& s) {
        QStringList picked;
        for (const ComboItem& module : list->items())
            if ((modules_of(recompute_of(field, s)) & bit_of(from_id<RecomputeModule>(module.id))) != 0)
                picked << module.id;
        list->set_picked(picked);
    });
    return list;
}

QLabel* FieldRows::add(const std::vector<Row>& rows) {
    QLabel* caption = nullptr;
    for (const Row& row : rows) {
        const Field& field = *find_field(row.path);
        QWidget* control = field.type == FieldType::integer || (field.type == FieldType::number && !is_percent(field))
                               ? static_cast<QWidget*>(number(row))
                           : field.type == FieldType::number ? static_cast<QWidget*>(percent(row))
                                                             : static_cast<QWidget*>(choice(row));
        caption = form_->add_row(row.label.isEmpty() ? told(field.label) : row.label, control, row.caption);
    }
    show_scenario();
    return caption;
}

QLabel* FieldRows::add_pair(const QString& label, std::string_view first, const QString& sign,
                            std::string_view second) {
    NumberField *one = number({first}), *other = number({second});
    return form_->add_pair(label, one, sign, other);
}

void FieldRows::add_modules(const QString& label, std::string_view path, const char* object) {
    form_->add_row(label, modules(path, object));
}

void FieldRows::show_scenario() {
    const Scenario& s = document_.scenario();
    for (const Shown& one : shown_) {
        one.show(s);
        if (!form_ || one.control->parentWidget() != form_) continue;  // of a pair, or placed by the panel
        form_->set_row_visible(one.control, qobject_cast<PickList*>(one.control)
                                                ? modules_of(recompute_of(*one.field, s)) != 0
                                                : applies(one.field->path, s));
    }
}

}  // namespace scalescope::ui
