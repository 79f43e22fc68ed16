// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QStringList>

class QCompleter;
class QLineEdit;
class QStandardItemModel;

namespace scalescope::ui {

/// Offers names while one types an expression: what completes the word under the cursor, not the whole line. Up, Down
/// and Enter or a click take one; Escape closes the list.
class WordCompleter final : public QObject {
    Q_OBJECT
public:
    struct Word {
        QString name, meaning;
    };
    explicit WordCompleter(QLineEdit& line);
    void set_words(const std::vector<Word>& words);
    QCompleter& completer() { return *completer_; }

signals:
    /// The line has another text, as if a person had typed it.
    void completed(const QString& text);

private:
    struct Span {
        qsizetype from, to;
    };
    Span word_at_cursor() const;
    void offer();
    void take(const QString& name);

    QLineEdit& line_;
    QCompleter* completer_;
    QStandardItemModel* model_;
};

}  // namespace scalescope::ui
