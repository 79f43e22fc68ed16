// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/question_card.hpp"

#include <QHBoxLayout>
#include <QLabel>
#include <QMouseEvent>
#include <QPainter>
#include <QVBoxLayout>

#include "ui/lessons/lesson_run.hpp"
#include "ui/lessons/lesson_text.hpp"
#include "ui/theme/icons.hpp"
#include "ui/theme/paint.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/answer_button.hpp"
#include "ui/widgets/basics.hpp"

namespace scalescope::ui {
namespace {

QLabel* verdict(bool right, const lessons::Line& explanation) {
    QLabel* label = make_prose(explanation, type::control());
    const QString word = right ? QuestionCard::tr("Right.") : QuestionCard::tr("Not so.");
    label->setText(QStringLiteral("<span style=\"font-weight:600\">%1</span> %2").arg(word, label->text()));
    label->setAccessibleName(QStringLiteral("%1 %2").arg(word, label->accessibleName()));
    return label;
}

}  // namespace

QuestionCard::QuestionCard(QWidget* parent) : QFrame(parent) {
    setObjectName(QStringLiteral("questionCard"));
    column_ = new QVBoxLayout(this);
    column_->setContentsMargins(12, 10, 12, 12);
    column_->setSpacing(6);
}

void QuestionCard::set_run(LessonRun* run) {
    run_ = run;
    refresh();
}

void QuestionCard::refresh() {
    int focused = -1;
    for (const auto* button : findChildren<AnswerButton*>())
        if (button->hasFocus()) focused = button->property("answer").toInt();
    while (QLayoutItem* item = column_->takeAt(0)) {
        if (item->widget()) {
            item->widget()->hide();
            item->widget()->deleteLater();  // an answer may be the sender
        }
        delete item;
    }
    const bool asked = run_ && run_->now().question;
    setVisible(asked);
    if (!asked) return;
    const lessons::Question& question = *run_->now().question;
    auto* what = make_prose(question.text.line, type::reading());
    column_->addWidget(what);
    column_->addSpacing(2);
    for (std::size_t i = 0; i < question.answers.size(); ++i) {
        const lessons::Answer& answer = question.answers[i];
        const bool chosen = run_->answers_chosen().contains(static_cast<int>(i));
        auto* button = new AnswerButton(RichText::sized(rich_line(answer.text.line), type::control()),
                                        QString::fromStdString(lessons::plain(answer.text.line)));
        button->setObjectName(QStringLiteral("answer%1").arg(i));
        button->setProperty("answer", static_cast<int>(i));
        button->set_verdict(!chosen        ? AnswerButton::Verdict::none
                            : answer.right ? AnswerButton::Verdict::right
                                           : AnswerButton::Verdict::wrong);
        column_->addWidget(button);
        connect(button, &QAbstractButton::clicked, this, [this, i] { run_->choose_answer(static_cast<int>(i)); });
        if (static_cast<int>(i) == focused) button->setFocus(Qt::OtherFocusReason);
        if (!chosen) continue;
        QLabel* why = verdict(answer.right, answer.explanation.line);
        why->setObjectName(QStringLiteral("explanation%1").arg(i));
        why->setContentsMargins(AnswerButton::text_left, 0, 0, 4);
        column_->addWidget(why);
    }
}

void QuestionCard::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    draw_box(painter, QRectF(rect()), theme().window, {}, space::control_radius);
}

}  // namespace scalescope::ui
