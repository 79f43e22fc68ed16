// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/design/field_rows.hpp"

#include <QStringList>
#include <algorithm>
#include <cmath>

#include "core/estimate/applies.hpp"
#include "core/scenario/recompute_choice.hpp"
#include "ui/design/field_controls.hpp"
#include "ui/design/names.hpp"
#include "ui/document/document.hpp"
#include "ui/language/choice.hpp"
#include "ui/language/told.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/form.hpp"
#include "ui/widgets/number_field.hpp"
#include "ui/widgets/pick_list.hpp"

namespace scalescope::ui {
namespace {

constexpr int places = 6, percent_places = 1;

bool is_percent(const Field& field) { return field.unit == "%" && field.most == 100; }
bool is_number(const Field& field) { return field.type == FieldType::integer || field.type == FieldType::number; }

const Field& field_of(const FieldRows::Row& row) { return row.field ? *row.field : *find_field(row.path); }

/// The index of the choice, as its items have it.
QString choice_id(const Field& field, const Scenario& s) {
    const std::string text = field_text(field, s);
    if (field.type == FieldType::boolean) return text == "true" ? QStringLiteral("1") : QStringLiteral("0");
    return QString::number(std::find(field.choices.begin(), field.choices.end(), text) - field.choices.begin());
}

Result<void> set_choice(Scenario& s, const Field& field, const QString& id) {
    const std::string text = field.type == FieldType::boolean
                                 ? id.toStdString()
                                 : std::string(field.choices[static_cast<std::size_t>(id.toInt())]);
    return set_field(s, field, text, {});
}

Recompute recompute_of(const Field& field, const Scenario& s) {
    return recompute_called(field_text(field, s)).value_or(Recompute::nothing);
}
Result<void> set_recompute(Scenario& s, const Field& field, Recompute next) {
    return set_field(s, field, recompute_text(next), {});
}

/// The number as people wrote it: 0.2 ns is not 0.20000000000000001.
double shown_number(const Field& field, const Scenario& s) {
    const double value = field_number(field, s).value_or(0);
    return field.type == FieldType::integer ? value : std::round(value * 1e9) / 1e9;
}

/// Tooltip: the field's explanation, the basis of its value, its default, and its path.
QString tip_of(const Field& field, const Scenario& s) {
    static const Scenario usual;
    QStringList lines{told(field.text)};
    if (const std::string basis = field.basis ? field.basis(s) : std::string(); !basis.empty()) lines << told(basis);
    if (const auto value = shown_value(field, usual); find_field(field.path) == &field && !value.empty())
        lines << FieldRows::tr("Default: %1").arg(told_value(field.label, value));
    lines << plain(field.path);
    return lines.join(QLatin1Char('\n'));
}

}  // namespace

bool has_words(const QString& text, const QStringList& words) {
    return std::all_of(words.begin(), words.end(),
                       [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
}

FieldRows::FieldRows(Document& document, QWidget* panel, Form* form)
    : QObject(panel), document_(document), panel_(panel), form_(form) {
    connect(&document_, &Document::changed, this, &FieldRows::show_scenario);
}

Result<void> FieldRows::edit(const std::function<Result<void>(Scenario&)>& change, const Also& also) {
    Scenario next = document_.scenario();
    if (const auto done = change(next); !done) {
        show_scenario();  // what the table refuses is not left standing
        return done;
    }
    if (also) also(next, document_.scenario());
    document_.edit(std::move(next));
    return {};
}

const Field& FieldRows::named(QWidget& control, const Row& row) const {
    const Field& field = field_of(row);
    control.setObjectName(row.name.isEmpty() ? control_of_field(plain(field.path)) : row.name);
    control.setAccessibleName(told(field.label));
    control.setToolTip(told(field.text));
    return field;
}

void FieldRows::keep(const Field& field, QWidget* control, std::function<void(const Scenario&)> show,
                     std::function<bool(const Scenario&)> applies_to) {
    if (show) show(document_.scenario());
    if (!applies_to) applies_to = [path = field.path](const Scenario& s) { return scalescope::applies(path, s); };
    shown_.push_back({&field, control, std::move(show), std::move(applies_to)});
}

Combo* FieldRows::choice(const Row& row) {
    auto* combo = new Combo(told(field_of(row).label), panel_);
    const Field& field = named(*combo, row);
    combo->set_items(choice_items(field, document_.scenario()));
    connect(combo, &Combo::chosen, this, [this, &field, also = row.also](const QString& id) {
        const auto set = [&](Scenario& s) {
            if (!field.modules) return set_choice(s, field, id);
            const auto next = from_id<Recompute>(id);
            return set_recompute(
                s, field, next == Recompute::modules ? recompute_modules(bit_of(RecomputeModule::core_attn)) : next);
        };
        edit(set, also);
    });
    keep(field, combo, [combo, &field](const Scenario& s) {
        if (items_follow(field.path))
            if (auto items = choice_items(field, s); items != combo->items()) combo->set_items(std::move(items));
        if (field.modules) {
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
    auto* number = new NumberField(told(field_of(row).label), panel_);
    const Field& field = named(*number, row);
    const bool whole = field.type == FieldType::integer, may_miss = !row.zero.isEmpty();
    number->set_subject(tr("“%1”").arg(told(field.label)));
    number->set_range(may_miss && whole ? std::max(1.0, field.least) : field.least, field.most);
    number->set_decimals(whole ? 0 : is_percent(field) ? percent_places : places);
    number->set_unit(told_word(field.unit));
    number->set_doubling(row.doubling);
    if (may_miss) number->set_optional(row.zero);
    const auto tell = [number](const Result<void>& done) {
        const Problem* refused = done ? nullptr : &done.error().front();
        number->set_error(!refused                 ? QString()
                          : refused->where.empty() ? told(refused->what)
                                                   : told(refused->where + ": " + refused->what));
    };
    connect(number, &NumberField::value_changed, this, [this, &field, tell, also = row.also](double value) {
        tell(edit([&](Scenario& s) { return set_field(s, field, value); }, also));
    });
    connect(number, &NumberField::value_removed, this, [this, &field, tell, also = row.also] {
        tell(edit([&](Scenario& s) { return set_field(s, field, field.optional ? "" : "0", {}); }, also));
    });
    keep(field, number, [number, &field, may_miss](const Scenario& s) {
        const bool missing = field.optional ? !field_number(field, s) : shown_number(field, s) == 0;
        may_miss&& missing ? number->set_missing() : number->set_value(shown_number(field, s));
        if (field.basis) number->setToolTip(tip_of(field, s));
    });
    return number;
}

PercentField* FieldRows::percent(const Row& row) {
    auto* percent = new PercentField(told(field_of(row).label), panel_);
    const Field& field = named(*percent, row);
    const bool may_miss = !row.zero.isEmpty();
    percent->set_range(may_miss ? 1 : static_cast<int>(std::ceil(field.least)), static_cast<int>(field.most),
                       percent_places);
    if (may_miss) percent->field()->set_optional(row.zero);
    const auto set = [this, &field](double value) { edit([&](Scenario& s) { return set_field(s, field, value); }); };
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
    const Field& field = named(*list, {.path = path, .name = QLatin1String(object)});
    list->set_items(recompute_module_items());
    list->set_words(tr("all modules"), tr("no module"), tr("%1 of %2 modules"));
    list->set_named(2);
    connect(list, &PickList::picked_changed, this, [this, list, &field] {
        unsigned bits = 0;
        for (const QString& id : list->picked()) bits |= bit_of(from_id<RecomputeModule>(id));
        edit([&](Scenario& s) { return set_recompute(s, field, recompute_modules(bits)); });
    });
    keep(
        field, list,
        [list, &field](const Scenario& s) {
            QStringList picked;
            for (const ComboItem& module : list->items())
                if ((modules_of(recompute_of(field, s)) & bit_of(from_id<RecomputeModule>(module.id))) != 0)
                    picked << module.id;
            list->set_picked(picked);
        },
        [&field](const Scenario& s) { return modules_of(recompute_of(field, s)) != 0; });
    shown_.back().second = true;
    return list;
}

/// Adds the row of the control that was passed to keep() last.
QLabel* FieldRows::add_row(const QString& label, QWidget* control, const QString& caption) {
    Shown& one = shown_.back();
    const Field& field = *one.field;
    const QString name = label.isEmpty() ? told(field.label) : label;
    QStringList words{name, control->accessibleName(), told(field.label), told(field.text), plain(field.path)};
    if (const auto* combo = qobject_cast<Combo*>(control))
        for (const ComboItem& item : combo->items()) words << item.text;
    one.words = words.join(QLatin1Char('\n'));
    one.only_found = only_found_;
    one.caption = form_->add_row(name, control, caption);
    form_->label_of(control)->setToolTip(tip_of(field, document_.scenario()));
    return one.caption;
}

QLabel* FieldRows::add(const std::vector<Row>& rows) {
    QLabel* caption = nullptr;
    for (const Row& row : rows) {
        const Field& field = field_of(row);
        const bool slides = is_percent(field) && !only_found_;
        QWidget* control = !is_number(field) ? static_cast<QWidget*>(choice(row))
                           : slides          ? static_cast<QWidget*>(percent(row))
                                             : static_cast<QWidget*>(number(row));
        caption = add_row(row.label, control, row.caption);
    }
    show_scenario();
    return caption;
}

QLabel* FieldRows::add_pair(const QString& label, const Row& first, const QString& sign, const Row& second) {
    NumberField *one = number(first), *other = number(second);
    return form_->add_pair(label, one, sign, other);
}

void FieldRows::add_modules(const QString& label, std::string_view path, const char* object) {
    add_row(label, modules(path, object));
}

QLabel* FieldRows::add_own(const QString& label, QWidget* control, std::string_view about,
                           std::function<bool(const Scenario&)> applies_to) {
    keep(*find_field(about), control, {}, std::move(applies_to));
    shown_.back().second = true;
    return add_row(label, control);
}

bool FieldRows::shows(const Shown& one, const Scenario& s) const {
    return found_.isEmpty() ? !one.only_found && one.applies(s) : has_words(one.words, found_);
}

void FieldRows::find(const QStringList& words) {
    found_ = words;
    show_scenario();
}

void FieldRows::show_scenario() {
    const Scenario& s = document_.scenario();
    for (Shown& one : shown_) {
        const bool in_form = form_ && one.control->parentWidget() == form_;  // not in a pair, not placed by the panel
        const bool visible = !in_form || shows(one, s);
        if (one.show && (visible || !one.only_found)) one.show(s);
        if (!in_form) continue;
        if (const bool idle = visible && !found_.isEmpty() && !one.applies(s); idle != one.idle) {
            one.idle = idle;
            if (idle) one.said = one.caption->text();
            Form::set_caption(*one.caption, idle ? tr("no effect here") : one.said);
        }
        form_->set_row_visible(one.control, visible);
    }
}

}  // namespace scalescope::ui
