// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/condition_row.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <algorithm>

#include "ui/language/told.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/combo.hpp"

namespace scalescope::ui {
namespace {

const QString whole_id = QStringLiteral("=");
}  // namespace

ConditionRow::ConditionRow(QWidget* parent) : QWidget(parent) {
    auto* row = make_layout<QHBoxLayout>(this, 6);
    name_ = new Combo(tr("Figure or field"));
    name_->setObjectName(QStringLiteral("conditionName"));
    name_->set_searchable(true);
    name_->set_placeholder(tr("Figure or field"));
    comparison_ = new Combo(tr("Comparison"));
    comparison_->setObjectName(QStringLiteral("conditionComparison"));
    comparison_->setFixedWidth(106);
    value_ = new QLineEdit;
    value_->setObjectName(QStringLiteral("conditionValue"));
    value_->setAccessibleName(tr("Value, or an expression of other figures"));
    value_->setToolTip(tr("A number, or an expression: step / 2, start.step * 0.8"));
    word_ = new Combo(tr("Value"));
    word_->setObjectName(QStringLiteral("conditionWord"));
    whole_ = new QLineEdit;
    whole_->setObjectName(QStringLiteral("conditionWhole"));
    whole_->setAccessibleName(tr("Condition"));
    unit_ = make_label({}, type::table(), Ink::secondary);
    row->addWidget(name_, 3);
    row->addWidget(comparison_);
    row->addWidget(whole_, 3);
    row->addWidget(value_, 2);
    row->addWidget(word_, 2);
    row->addWidget(unit_);
    connect(name_, &Combo::chosen, this, [this] {
        show_kind();
        emit edited();
    });
    connect(comparison_, &Combo::chosen, this, &ConditionRow::edited);
    connect(word_, &Combo::chosen, this, &ConditionRow::edited);
    connect(value_, &QLineEdit::textEdited, this, &ConditionRow::edited);
    connect(whole_, &QLineEdit::textEdited, this, &ConditionRow::edited);
    show_kind();
}

void ConditionRow::set_names(std::vector<lessons::Name> names) {
    names_ = std::move(names);
    std::vector<ComboItem> items;
    for (const lessons::Name& n : names_) {
        ComboItem item = combo_item(plain(n.name), told(n.label), told(n.text));
        item.detail = plain(n.unit);
        item.section = n.kind == lessons::Name::Kind::figure  ? tr("Figures")
                       : n.kind == lessons::Name::Kind::field ? tr("Fields")
                                                              : tr("Layers");
        items.push_back(std::move(item));
    }
    items.push_back(
        combo_item(whole_id, tr("An expression"), tr("Written out: step < 0.8 * start.step and memory < 12")));
    items.back().section = tr("Others");
    name_->set_items(std::move(items));
}

const lessons::Name* ConditionRow::current() const {
    const auto found = std::find_if(names_.begin(), names_.end(),
                                    [this](const lessons::Name& n) { return plain(n.name) == name_->current(); });
    return found == names_.end() ? nullptr : &*found;
}

void ConditionRow::show_kind() {
    const lessons::Name* n = current();
    const bool whole = name_->current() == whole_id, words = n && !n->words.empty();
    whole_->setVisible(whole);
    comparison_->setVisible(!whole && !figure_only_);
    value_->setVisible(figure_only_ || (!whole && !words));
    word_->setVisible(!whole && words && !figure_only_);
    unit_->setVisible(!figure_only_ && !whole && !words && n && !n->unit.empty());
    unit_->setText(n ? plain(n->unit) : QString());
    std::vector<ComboItem> comparisons{combo_item(QStringLiteral("=="), tr("is"))};
    if (!words)
        comparisons = {
            combo_item(QStringLiteral(">"), tr("more than")), combo_item(QStringLiteral(">="), tr("at least")),
            combo_item(QStringLiteral("<"), tr("less than")), combo_item(QStringLiteral("<="), tr("at most")),
            combo_item(QStringLiteral("=="), tr("exactly"))};
    comparison_->set_items(std::move(comparisons));
    if (comparison_->current_text().isEmpty())
        comparison_->set_current(words ? QStringLiteral("==") : QStringLiteral(">"));
    if (!words) return;
    std::vector<ComboItem> items;
    for (const std::string& w : n->words) items.push_back(combo_item(plain(w), plain(w)));
    word_->set_items(std::move(items));
    if (word_->current_text().isEmpty()) word_->set_current(plain(n->words.front()));
}

void ConditionRow::set_figure_only(bool on) {
    figure_only_ = on;
    value_->setPlaceholderText(on ? tr("As it is shown: 63 %") : QString());
    value_->setToolTip(on ? tr("As texts show it, right to its last digit: 63 %, 4.2, 159 GFLOP")
                          : tr("A number, or an expression: step / 2, start.step * 0.8"));
    show_kind();
}

void ConditionRow::set_condition(const QString& condition) {
    if (condition == this->condition()) return;
    if (figure_only_) {
        const bool named = std::any_of(names_.begin(), names_.end(),
                                       [&](const lessons::Name& n) { return plain(n.name) == condition; });
        name_->set_current(named ? condition : whole_id);
        if (!named) whole_->setText(condition);
        return show_kind();
    }
    static const QRegularExpression simple(QStringLiteral("^\\s*([A-Za-z][\\w.]*)\\s*(==|<=|>=|<|>)\\s*(.*\\S)\\s*$"));
    const QRegularExpressionMatch match = simple.match(condition);
    static const QRegularExpression more(QStringLiteral("(==|<|>|\\band\\b|\\bor\\b)"));
    const bool known = match.hasMatch() && !more.match(match.captured(3)).hasMatch() &&
                       std::any_of(names_.begin(), names_.end(),
                                   [&](const lessons::Name& n) { return plain(n.name) == match.captured(1); });
    if (known) {
        name_->set_current(match.captured(1));
        show_kind();
        comparison_->set_current(match.captured(2));
        value_->setText(match.captured(3));
        word_->set_current(match.captured(3));
    } else {
        name_->set_current(condition.isEmpty() ? QString() : whole_id);
        whole_->setText(condition);
        value_->clear();
        show_kind();
    }
}

QString ConditionRow::condition() const {
    if (name_->current() == whole_id) return whole_->text().trimmed();
    const lessons::Name* n = current();
    if (!n) return {};
    if (figure_only_) return plain(n->name);
    const QString value = n->words.empty() ? value_->text().trimmed() : word_->current();
    return QStringLiteral("%1 %2 %3").arg(plain(n->name), comparison_->current(), value);
}

}  // namespace scalescope::ui
