// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/search/vary_row.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QToolButton>
#include <algorithm>
#include <array>

#include "core/base/format.hpp"
#include "core/scenario/symbol_fields.hpp"
#include "ui/charts/helpers.hpp"
#include "ui/design/names.hpp"
#include "ui/language/told.hpp"
#include "ui/search/problem_sentence.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/pick_list.hpp"

namespace scalescope::ui {
namespace {

struct Several {
    const char *path, *title, *tip;
};
constexpr std::array several{
    Several{"cluster", QT_TRANSLATE_NOOP("scalescope::ui::VaryRow", "Cluster"),
            QT_TRANSLATE_NOOP("scalescope::ui::VaryRow", "A whole machine of the catalogue: device, node and links")},
    Several{"way", QT_TRANSLATE_NOOP("scalescope::ui::VaryRow", "Way to divide the work"),
            QT_TRANSLATE_NOOP("scalescope::ui::VaryRow", "All degrees of the mesh, and what is sharded")},
    Several{"network", QT_TRANSLATE_NOOP("scalescope::ui::VaryRow", "Network"),
            QT_TRANSLATE_NOOP("scalescope::ui::VaryRow", "Another network instead of this one")},
    Several{"adapters", QT_TRANSLATE_NOOP("scalescope::ui::VaryRow", "Low-rank adapters"),
            QT_TRANSLATE_NOOP("scalescope::ui::VaryRow", "Products beside which adapters are trained")},
    Several{"calibration", QT_TRANSLATE_NOOP("scalescope::ui::VaryRow", "Calibration"),
            QT_TRANSLATE_NOOP("scalescope::ui::VaryRow", "Constants that were fitted to measurements")}};

QString group_of(std::string_view path) {
    if (path.starts_with("cluster.device.")) return VaryRow::tr("Device");
    if (path.starts_with("cluster.inside.") || path.starts_with("cluster.between.")) return VaryRow::tr("Links");
    if (path.starts_with("cluster.")) return VaryRow::tr("Cluster");
    if (path.starts_with("cpu.")) return VaryRow::tr("CPU cluster");
    if (path.starts_with("training.")) return VaryRow::tr("Training");
    if (path.starts_with("parallelism.")) return VaryRow::tr("Division of the work");
    if (path.starts_with("reliability.")) return VaryRow::tr("Interruptions");
    if (path.starts_with("model.")) return VaryRow::tr("Model");
    return VaryRow::tr("Network");
}

ComboItem item_of(const Field& f, const QString& section) {
    ComboItem item = combo_item(told(f.path), told(f.label), told(f.text));
    item.value = told(f.unit);
    item.section = section;
    return item;
}

}  // namespace

std::vector<ComboItem> variable_items(const Scenario& scenario, const formats::Library& library) {
    std::vector<ComboItem> items;
    const SymbolFields symbols(scenario);
    const QString usual = VaryRow::tr("Often varied");
    for (const std::string_view path : search::usual_fields(scenario))
        if (const Field* f = find_field(path)) items.push_back(item_of(*f, usual));
    for (const Several& s : several) {
        if (QLatin1String(s.path) == QLatin1String("calibration") && library.calibrations.empty()) continue;
        ComboItem item = combo_item(QLatin1String(s.path), VaryRow::tr(s.title), VaryRow::tr(s.tip));
        item.section = usual;
        items.push_back(std::move(item));
    }
    const auto add = [&](std::span<const Field> fields) {
        for (const Field& f : fields)
            if (std::none_of(items.begin(), items.end(), [&](const ComboItem& i) { return i.id == told(f.path); }))
                items.push_back(item_of(f, group_of(f.path)));
    };
    add(symbols.rows());
    // The fields of one group together, whatever their order in the table.
    std::vector<ComboItem> rest;
    std::swap(rest, items);
    add(all_fields());
    std::erase_if(items, [&](const ComboItem& i) {
        return std::any_of(rest.begin(), rest.end(), [&](const ComboItem& r) { return r.id == i.id; });
    });
    std::vector<QString> order;
    for (const ComboItem& i : items)
        if (std::find(order.begin(), order.end(), i.section) == order.end()) order.push_back(i.section);
    std::stable_sort(items.begin(), items.end(), [&](const ComboItem& a, const ComboItem& b) {
        return std::find(order.begin(), order.end(), a.section) < std::find(order.begin(), order.end(), b.section);
    });
    rest.insert(rest.end(), items.begin(), items.end());
    return rest;
}

QString title_of_path(const std::string& path, const Scenario& scenario) {
    for (const Several& s : several)
        if (path == s.path) return VaryRow::tr(s.title);
    const SymbolFields symbols(scenario);
    const Field* f = find_field(path);
    if (!f) f = symbols.find(path);
    return f ? told(f->label) : text_of(path);
}

VaryRow::VaryRow(QWidget* parent) : QWidget(parent) {
    auto* column = make_layout<QVBoxLayout>(this, 4);
    auto* head = make_layout<QHBoxLayout>(nullptr, 2);
    field_ = new Combo(tr("What is varied"));
    field_->setObjectName(QStringLiteral("varyField"));
    field_->set_placeholder(tr("choose a field"));
    field_->set_searchable(true);
    up_ = make_icon_button("up", tr("Move up"));
    down_ = make_icon_button("down", tr("Move down"));
    remove_ = make_icon_button("close", tr("Do not vary this"));
    head->addWidget(field_, 1);
    head->addSpacing(4);
    for (QToolButton* b : {up_, down_, remove_}) head->addWidget(b);
    column->addLayout(head);
    auto* line = make_layout<QHBoxLayout>(nullptr, 6);
    values_ = new QLineEdit;
    values_->setObjectName(QStringLiteral("varyValues"));
    values_->setAccessibleName(tr("Values"));
    values_->setPlaceholderText(tr("values, separated by commas"));
    names_ = new PickList(tr("Values by name"));
    names_->setObjectName(QStringLiteral("varyNames"));
    names_->set_words(tr("all"), tr("none"), tr("%1 of %2"));
    names_->setFixedWidth(104);
    line->addWidget(values_, 1);
    line->addWidget(names_);
    column->addLayout(line);
    message_ = make_label({}, type::caption(), Ink::secondary);
    message_->setObjectName(QStringLiteral("varyMessage"));
    message_->setWordWrap(true);
    column->addWidget(message_);
    connect(field_, &Combo::chosen, this, &VaryRow::path_chosen);
    connect(values_, &QLineEdit::textEdited, this, &VaryRow::values_typed);
    connect(names_, &PickList::picked_changed, this, [this] {
        const QString words = names_->picked().join(QStringLiteral(","));
        values_->setText(words);
        values_->setCursorPosition(0);
        emit values_typed(words);
    });
    connect(up_, &QToolButton::clicked, this, [this] { emit move_asked(-1); });
    connect(down_, &QToolButton::clicked, this, [this] { emit move_asked(1); });
    connect(remove_, &QToolButton::clicked, this, &VaryRow::remove_asked);
}

void VaryRow::set_fields(std::vector<ComboItem> items) { field_->set_items(std::move(items)); }

void VaryRow::set_varied(const search::Varied& varied, const QString& title) {
    varied_ = varied;
    field_->set_current(text_of(varied.path), title);
    values_->setEnabled(!varied.path.empty());
    values_->setAccessibleName(title.isEmpty() ? tr("Values") : tr("Values of %1").arg(title));
    const QString words = text_of(varied.values);
    if (values_->text() == words) return;
    values_->setText(words);
    values_->setCursorPosition(0);
}

void VaryRow::set_ends(bool first, bool last) {
    up_->setEnabled(!first);
    down_->setEnabled(!last);
}

void VaryRow::show_axis(const Result<search::Axis>& axis, const Scenario& scenario, const formats::Library& library) {
    if (!names_->is_open()) {
        std::vector<ComboItem> items;
        for (const search::Nameable& n : search::nameable_values(varied_.path, scenario, library)) {
            const Field* field = find_field(varied_.path);
            const bool choice = field && field->type == FieldType::choice;
            ComboItem item = combo_item(text_of(n.id), choice ? title_of_choice(*field, n.id) : told(n.name));
            const bool device = varied_.path == "cluster.device";
            (device ? item.detail : item.tip) = told(n.note);
            items.push_back(std::move(item));
        }
        names_->setVisible(!items.empty());
        names_->set_items(std::move(items));
    }
    if (axis) {
        QStringList ids;
        for (const std::string& value : axis->values) ids << text_of(value);
        if (!names_->is_open()) names_->set_picked(ids);
    }
    values_->setProperty("error", !axis && !varied_.path.empty());
    values_->update();
    set_ink(*message_, axis || varied_.path.empty() ? Ink::secondary : Ink::error);
    if (varied_.path.empty()) {
        message_->setText(tr("Choose what is to be varied."));
    } else if (!axis) {
        message_->setText(sentence_of(axis.error().front()));
    } else {
        const std::size_t count = axis->values.size();
        QString words =
            count == 1 ? tr("1 value") : tr("%1 values").arg(text_of(format_count(static_cast<std::int64_t>(count))));
        // A range says its values; a few of them show what it means.
        if (varied_.values.find("..") != std::string::npos && count > 2) {
            QStringList some;
            for (std::size_t i = 0; i < std::min<std::size_t>(3, count - 1); ++i) some << text_of(axis->values[i]);
            words += QStringLiteral(": ") + some.join(QStringLiteral(", ")) +
                     (count > 4 ? QStringLiteral(" … ") : QStringLiteral(", ")) + text_of(axis->values.back());
        }
        message_->setText(words);
    }
}

}  // namespace scalescope::ui
