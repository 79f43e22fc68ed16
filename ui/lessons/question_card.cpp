// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/question_card.hpp"

#include <QLabel>
#include <QPainter>
#include <QVBoxLayout>
#include <utility>

#include "ui/lessons/lesson_run.hpp"
#include "ui/lessons/lesson_text.hpp"
#include "ui/theme/icons.hpp"
#include "ui/theme/paint.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/answer_button.hpp"
#include "ui/widgets/basics.hpp"

namespace scalescope::ui {
namespace {

/// The word stands before every explanation: one that begins with it, "Right: …", shall not say it twice.
void drop_verdict(lessons::Line& line, const QString& word) {
    if (line.empty()) return;
    QString first = QString::fromStdString(line.front().text);
    const QString stem = word.chopped(1);
    if (!first.startsWith(stem) || (first.size() > stem.size() && first[stem.size()].isLetter())) return;
    first = first.mid(stem.size() + 1).trimmed();
    if (!first.isEmpty()) first[0] = first[0].toUpper();
    if (line.size() > 1 && !first.isEmpty()) first += QLatin1Char(' ');
    line.front().text = first.toStdString();
}

QLabel* verdict(bool right, lessons::Line explanation) {
    const QString word = right ? QuestionCard::tr("Right.") : QuestionCard::tr("Not so.");
    drop_verdict(explanation, word);
    QLabel* label = make_prose(explanation, type::control());
    label->setText(QStringLiteral("<span style=\"font-weight:600\">%1</span> %2").arg(word, label->text()));
    label->setAccessibleName(QStringLiteral("%1 %2").arg(word, label->accessibleName()).trimmed());
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
    shown_ = nullptr;
    refresh();
}

void QuestionCard::build(const lessons::Question& question) {
    while (QLayoutItem* item = column_->takeAt(0)) {
        delete item->widget();
        delete item;
    }
    rows_.clear();
    column_->addWidget(make_prose(question.text.line, type::reading()));
    column_->addSpacing(2);
    for (std::size_t i = 0; i < question.answers.size(); ++i) {
        const lessons::Answer& answer = question.answers[i];
        auto* button = new AnswerButton(RichText::sized(rich_line(answer.text.line), type::control()),
                                        QString::fromStdString(lessons::plain(answer.text.line)));
        button->setObjectName(QStringLiteral("answer%1").arg(i));
        QLabel* why = verdict(answer.right, answer.explanation.line);
        why->setObjectName(QStringLiteral("explanation%1").arg(i));
        why->setContentsMargins(AnswerButton::text_left, 0, 0, 4);
        column_->addWidget(button);
        column_->addWidget(why);
        rows_.push_back({button, why});
        connect(button, &QAbstractButton::clicked, this, [this, i] { run_->choose_answer(static_cast<int>(i)); });
    }
}

void QuestionCard::refresh() {
    const bool asked = run_ && run_->now().question;
    setVisible(asked);
    if (!asked) {
        shown_ = nullptr;
        return;
    }
    const lessons::Question& question = *run_->now().question;
    if (std::exchange(shown_, &question) != &question) build(question);
    for (std::size_t i = 0; i < rows_.size(); ++i) {
        const bool chosen = run_->answers_chosen().contains(static_cast<int>(i));
        rows_[i].button->set_verdict(!chosen                     ? AnswerButton::Verdict::none
                                     : question.answers[i].right ? AnswerButton::Verdict::right
                                                                 : AnswerButton::Verdict::wrong);
        rows_[i].why->setVisible(chosen);
    }
}

void QuestionCard::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    draw_box(painter, QRectF(rect()), theme().window, {}, space::control_radius);
}

}  // namespace scalescope::ui
