// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/search/question_panel.hpp"

#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QVBoxLayout>

#include "core/base/format.hpp"
#include "ui/charts/helpers.hpp"
#include "ui/search/best_by.hpp"
#include "ui/search/question_sentence.hpp"
#include "ui/search/search_document.hpp"
#include "ui/search/vary_list.hpp"
#include "ui/search/where_list.hpp"
#include "ui/theme/theme.hpp"
#include "ui/widgets/basics.hpp"
#include "ui/widgets/button_kind.hpp"
#include "ui/widgets/card.hpp"
#include "ui/widgets/upright_scroll.hpp"

namespace scalescope::ui {
namespace {

constexpr int panel_width = 332;

QWidget* question_card(const QString& title, const QString& unit, QWidget* body) {
    auto* card = new Card(title);
    card->title_row()->show_buttons(false, false);
    card->title_row()->set_unit(unit);
    card->body()->add(body);
    return card;
}

}  // namespace

QuestionPanel::QuestionPanel(SearchDocument& document, QWidget* parent) : QWidget(parent), document_(document) {
    setFixedWidth(panel_width);
    auto* column = make_layout<QVBoxLayout>(this, space::gap);
    auto* inside = new QWidget;
    auto* cards = new QVBoxLayout(inside);
    cards->setContentsMargins(0, 0, 8, 0);
    cards->setSpacing(space::gap);
    cards->addWidget(question_card(tr("Question"), {}, new QuestionSentence(document_)));
    cards->addWidget(question_card(tr("Vary"), tr("around the open scenario"), new VaryList(document_)));
    cards->addWidget(question_card(tr("Only where"), {}, new WhereList(document_)));
    cards->addWidget(question_card(tr("Best by"), {}, new BestBy(document_)));
    cards->addStretch(1);
    auto* scroll = new UprightScroll(inside, 0);
    scroll->setObjectName(QStringLiteral("questionScroll"));
    column->addWidget(scroll, 1);
    auto* foot = new Card;
    size_ = make_label({}, type::caption(), Ink::secondary);
    size_->setObjectName(QStringLiteral("searchSize"));
    size_->setWordWrap(true);
    button_ = new QPushButton(tr("Search"));
    button_->setObjectName(QStringLiteral("search"));
    progress_ = new QProgressBar;
    progress_->setObjectName(QStringLiteral("searchProgress"));
    progress_->setRange(0, 1000);
    progress_->setTextVisible(false);
    progress_->setAccessibleName(tr("Progress of the search"));
    rate_ = make_label({}, type::caption(), Ink::secondary);
    rate_->setObjectName(QStringLiteral("searchRate"));
    for (QWidget* w : {static_cast<QWidget*>(progress_), static_cast<QWidget*>(rate_)}) {
        QSizePolicy keeps = w->sizePolicy();
        keeps.setRetainSizeWhenHidden(true);
        w->setSizePolicy(keeps);
    }
    foot->body()->add(size_);
    foot->body()->add(button_);
    foot->body()->add(progress_);
    foot->body()->add(rate_);
    auto* foot_row = new QHBoxLayout;
    foot_row->setContentsMargins(0, 0, 8, 0);
    foot_row->addWidget(foot);
    column->addLayout(foot_row);
    connect(button_, &QPushButton::clicked, this, [this] {
        if (document_.running())
            document_.stop();
        else
            document_.start();
        show_state();
    });
    connect(&document_, &SearchDocument::asked_changed, this, &QuestionPanel::show_state);
    connect(&document_, &SearchDocument::answer_changed, this, &QuestionPanel::show_state);
    connect(&document_.work(), &Background::slow, this, &QuestionPanel::show_state);
    connect(&document_.work(), &Background::ended, this, &QuestionPanel::show_state);
    connect(&document_.work(), &Background::progressed, this, [this](double fraction, const QString& now) {
        progress_->setValue(static_cast<int>(fraction * 1000));
        rate_->setText(now);
    });
    show_state();
}

void QuestionPanel::show_state() {
    const bool running = document_.running();
    const SearchDocument::Size& size = document_.size();
    const bool possible =
        size.problems.empty() && size.combinations > 0 && size.combinations <= search::most_combinations;
    button_->setText(running ? tr("Cancel") : tr("Search"));
    button_->setToolTip(running ? tr("Stops the search and shows the best result so far (Escape)") : tr("Ctrl+Enter"));
    set_kind(*button_, running ? QString() : QStringLiteral("primary"));
    button_->setEnabled(running || possible);
    if (progress_->isHidden() && running) {
        progress_->setValue(0);
        rate_->clear();
    }
    progress_->setVisible(running);
    rate_->setVisible(running);
    set_ink(*size_, possible ? Ink::secondary : Ink::error);
    if (!size.problems.empty()) {
        size_->setText(size.problems.size() == 1 ? tr("One entry above is not valid yet.")
                                                 : tr("%1 entries above are not valid yet.").arg(size.problems.size()));
    } else if (size.combinations == 0) {
        size_->setText(tr("Nothing is varied: add a field."));
    } else if (!possible) {
        size_->setText(tr("These are more than 10¹⁵ combinations. Vary fewer fields, or use ranges that double."));
    } else {
        const QString count = text_of(format_count(static_cast<std::int64_t>(size.combinations)));
        const bool whole = size.combinations <= search::Question().most;
        QString words =
            !whole ? tr("%1 combinations: too many to evaluate all of them. The search starts from many points, and "
                        "its result is not proven optimal.")
                         .arg(count)
            : size.combinations == 1
                ? tr("1 combination.")
                : tr("%1 combinations. All are evaluated, or pruned because they provably cannot win.").arg(count);
        // How long, by how fast the last one went.
        if (const auto& answer = document_.answer(); whole && answer && answer->seconds > 0.05) {
            const double rate = static_cast<double>(answer->findings.result.counts.seen()) / answer->seconds;
            const double seconds = static_cast<double>(size.combinations) / rate;
            if (seconds > 5)
                words += QLatin1Char(' ') +
                         tr("At the rate of the last search about %1.").arg(text_of(format_time(Seconds{seconds}, 2)));
        }
        size_->setText(words);
    }
}

}  // namespace scalescope::ui
