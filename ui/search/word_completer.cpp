// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/search/word_completer.hpp"

#include <QAbstractItemView>
#include <QCompleter>
#include <QLineEdit>
#include <QStandardItemModel>
#include <algorithm>

#include "ui/theme/theme.hpp"

namespace scalescope::ui {
namespace {

bool in_word(QChar c) { return c.isLetterOrNumber() || c == QLatin1Char('_') || c == QLatin1Char('.'); }

}  // namespace

WordCompleter::WordCompleter(QLineEdit& line)
    : QObject(&line), line_(line), completer_(new QCompleter(this)), model_(new QStandardItemModel(this)) {
    completer_->setWidget(&line);
    completer_->setModel(model_);
    completer_->setCompletionRole(Qt::EditRole);
    completer_->setCaseSensitivity(Qt::CaseInsensitive);
    completer_->setFilterMode(Qt::MatchContains);
    completer_->setMaxVisibleItems(10);
    completer_->popup()->setFont(type::table());
    completer_->popup()->setMinimumWidth(280);
    connect(&line_, &QLineEdit::textEdited, this, &WordCompleter::offer);
    connect(completer_, qOverload<const QModelIndex&>(&QCompleter::activated), this,
            [this](const QModelIndex& at) { take(at.data(Qt::EditRole).toString()); });
}

void WordCompleter::set_words(const std::vector<Word>& words) {
    model_->clear();
    for (const Word& word : words) {
        auto* item = new QStandardItem;
        item->setData(word.name, Qt::EditRole);
        item->setToolTip(word.meaning);
        model_->appendRow(item);
    }
}

WordCompleter::Span WordCompleter::word_at_cursor() const {
    const QString text = line_.text();
    qsizetype from = line_.cursorPosition(), to = from;
    while (from > 0 && in_word(text[from - 1])) --from;
    while (to < text.size() && in_word(text[to])) ++to;
    return {from, to};
}

void WordCompleter::offer() {
    const Span span = word_at_cursor();
    const QString word = line_.text().mid(span.from, span.to - span.from);
    const bool name = !word.isEmpty() && word[0].isLetter();
    completer_->setCompletionPrefix(word);
    // A unit follows a number; and what is whole needs no completion.
    const QString before = line_.text().left(span.from).trimmed();
    const bool unit = !before.isEmpty() && before.back().isDigit();
    if (!name || unit || completer_->completionCount() == 0 ||
        (completer_->completionCount() == 1 && completer_->currentCompletion() == word)) {
        completer_->popup()->hide();
        return;
    }
    completer_->complete();
}

void WordCompleter::take(const QString& name) {
    const Span span = word_at_cursor();
    QString text = line_.text();
    text.replace(span.from, span.to - span.from, name);
    line_.setText(text);
    line_.setCursorPosition(static_cast<int>(span.from + name.size()));
    emit completed(text);
}

}  // namespace scalescope::ui
