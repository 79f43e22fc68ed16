// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/timeline_find.hpp"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QRegularExpression>
#include <algorithm>

namespace scalescope::ui {

QStringList words_of(const QString& text) {
    static const QRegularExpression between(QStringLiteral("[^\\p{L}\\p{N}-]+"));
    return text.toLower().split(between, Qt::SkipEmptyParts);
}

bool has_words(const QStringList& words, const QStringList& asked) {
    const auto is_number = [](const QString& word) {
        bool number = false;
        word.toInt(&number);
        return number;
    };
    const auto is = [&](const QString& word, const QString& ask) {
        return is_number(ask) ? word == ask : word.startsWith(ask);
    };
    for (int i = 0; i < asked.size(); ++i) {
        const bool of_word = i > 0 && is_number(asked[i]) && !is_number(asked[i - 1]);
        bool there = false;
        for (int k = of_word ? 1 : 0; k < words.size() && !there; ++k)
            there = is(words[k], asked[i]) && (!of_word || is(words[k - 1], asked[i - 1]));
        if (!there) return false;
    }
    return true;
}

TimelineFind::TimelineFind(QWidget* parent) : QFrame(parent), field_(new QLineEdit), found_(new QLabel) {
    setObjectName(QStringLiteral("timeline_find"));
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    field_->setPlaceholderText(tr("Find: stage 2 backward 5"));
    field_->setAccessibleName(tr("Find in the timeline"));
    field_->setClearButtonEnabled(true);
    field_->setMinimumWidth(fontMetrics().horizontalAdvance(field_->placeholderText()) + 40);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(4, 4, 8, 4);
    row->addWidget(field_);
    row->addWidget(found_);
    field_->installEventFilter(this);
    connect(field_, &QLineEdit::textChanged, this, &TimelineFind::changed);
    hide();
}

QStringList TimelineFind::asked() const { return words_of(field_->text()); }

QString TimelineFind::found_text() const { return found_->text(); }

void TimelineFind::show_found(int number, int of) {
    const QString text = asked().isEmpty() ? QString() : of == 0 ? tr("not found") : tr("%1 of %2").arg(number).arg(of);
    found_->setText(text);
    found_->setVisible(!text.isEmpty());
    field_->setAccessibleDescription(text);
    adjustSize();
    if (parentWidget()) move(std::max(0, parentWidget()->width() - width() - 12), y());
}

void TimelineFind::open() {
    show();
    raise();
    show_found(0, 0);
    field_->selectAll();
    field_->setFocus(Qt::ShortcutFocusReason);
    if (!asked().isEmpty()) emit changed();
}

bool TimelineFind::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() != QEvent::KeyPress && event->type() != QEvent::ShortcutOverride)
        return QFrame::eventFilter(watched, event);
    const auto* key = static_cast<QKeyEvent*>(event);
    const bool ours = key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter || key->key() == Qt::Key_Escape;
    if (!ours) return QFrame::eventFilter(watched, event);
    event->accept();
    if (event->type() == QEvent::ShortcutOverride) return true;
    if (key->key() == Qt::Key_Escape) {
        hide();
        emit closed();
    } else {
        emit next_asked(!(key->modifiers() & Qt::ShiftModifier));
    }
    return true;
}

}  // namespace scalescope::ui
