// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/search/question_sentence.hpp"

#include <QLabel>
#include <QVBoxLayout>

#include "core/base/limits.hpp"
#include "core/scenario/hardware.hpp"
#include "core/search/ask.hpp"
#include "ui/charts/helpers.hpp"
#include "ui/language/told.hpp"
#include "ui/search/search_document.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/combo.hpp"
#include "ui/widgets/flow_layout.hpp"
#include "ui/widgets/number_field.hpp"

namespace scalescope::ui {
namespace {

const QString own = QStringLiteral("own");
constexpr int word_gap = 4, line_gap = 2;

}  // namespace

QuestionSentence::QuestionSentence(SearchDocument& document, QWidget* parent) : QWidget(parent), document_(document) {
    auto* column = make_layout<QVBoxLayout>(this, 8);
    question_ = new Combo(tr("Question"));
    question_->setObjectName(QStringLiteral("question"));
    question_->set_searchable(false);
    column->addWidget(question_);
    sentence_ = new QWidget;
    flow_ = new FlowLayout(sentence_, word_gap, line_gap);
    column->addWidget(sentence_);
    const auto number = [this](const char* id, const QString& name, double least, double most, int decimals) {
        auto* field = new NumberField(name, sentence_);
        field->setObjectName(QLatin1String(id));
        field->set_subject(name);
        field->set_range(least, most);
        field->set_decimals(decimals);
        field->hide();
        connect(field, &NumberField::value_changed, this, [this] {
            search::AskNumbers numbers;
            numbers.devices = static_cast<std::int64_t>(devices_->value());
            numbers.days = days_->value();
            numbers.goal = goal_->value();
            document_.ask(*document_.asked().ask, numbers);
        });
        return field;
    };
    devices_ = number("askDevices", tr("Devices"), 1, static_cast<double>(limits::workers), 0);
    devices_->set_doubling(true);
    devices_->setFixedWidth(88);
    days_ = number("askDays", tr("Days"), 0.001, 1e6, 3);
    days_->setFixedWidth(76);
    goal_ = number("askGoal", tr("How much is to be trained"), 0.000001, 1e9, 6);
    goal_->setFixedWidth(132);
    connect(question_, &Combo::chosen, this, [this](const QString& id) {
        search::Asked asked = document_.asked();
        if (const auto ask = search::ask_named(id.toStdString()))
            document_.ask(*ask, asked.ask ? asked.numbers : search::usual_numbers(document_.scenario()));
        else
            document_.ask_freely();
    });
    connect(&document_, &SearchDocument::asked_changed, this, &QuestionSentence::show_state);
    show_state();
}

void QuestionSentence::show_state() {
    const search::Asked& asked = document_.asked();
    std::vector<ComboItem> items;
    for (std::size_t i = 0; i < search::ask_count; ++i)
        if (const auto ask = static_cast<search::Ask>(i); search::suits(ask, document_.scenario())) {
            const search::AskInfo& info = search::info_of(ask);
            items.push_back(combo_item(told(info.name), told(info.title)));
        }
    items.push_back(
        combo_item(own, tr("A question of your own"), tr("What is varied, and on which conditions, is below")));
    question_->set_items(std::move(items));
    question_->set_current(asked.ask ? told(search::info_of(*asked.ask).name) : own);
    sentence_->setVisible(asked.ask.has_value());
    if (!asked.ask) return;
    devices_->set_value(static_cast<double>(asked.numbers.devices));
    days_->set_value(asked.numbers.days);
    goal_->set_value(asked.numbers.goal);
    goal_->set_unit(search::counts_tokens(document_.scenario()) ? tr("T tokens") : tr("epochs"));
    show_sentence();
}

void QuestionSentence::add_word(const QString& word, bool name) {
    QLabel* label = make_label(word, type::control(), name ? Ink::text : Ink::secondary);
    label->setFixedHeight(devices_->sizeHint().height());
    label->setAlignment(Qt::AlignVCenter | Qt::AlignLeft);
    words_.push_back(label);
    flow_->addWidget(label);
    label->show();
}

/// Lays out words and fields in the order of the sentence, which another language may turn around.
void QuestionSentence::show_sentence() {
    QString sentence = told(search::info_of(*document_.asked().ask).sentence);
    sentence.replace(QStringLiteral("[device]"), QLatin1Char('[') + text_of(worker_name(document_.scenario())));
    if (shown_ == sentence) return;
    shown_ = sentence;
    while (QLayoutItem* item = flow_->takeAt(0)) delete item;
    for (QLabel* label : words_) label->deleteLater();
    words_.clear();
    for (NumberField* field : {devices_, days_, goal_}) field->hide();
    for (const QString& word : sentence.split(QLatin1Char(' '))) {
        NumberField* field = word.startsWith(QLatin1String("[devices]")) ? devices_
                             : word.startsWith(QLatin1String("[days]"))  ? days_
                             : word.startsWith(QLatin1String("[goal]"))  ? goal_
                                                                         : nullptr;
        if (!field) {
            const bool name = word.startsWith(QLatin1Char('['));
            add_word(name ? word.mid(1) : word, name);
            continue;
        }
        flow_->addWidget(field);
        field->show();
        if (const QString rest = word.mid(word.indexOf(QLatin1Char(']')) + 1); !rest.isEmpty()) add_word(rest, false);
    }
    sentence_->updateGeometry();
}

}  // namespace scalescope::ui
