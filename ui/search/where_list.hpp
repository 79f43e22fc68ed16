// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

class QCheckBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QVBoxLayout;

namespace scalescope::ui {

class SearchDocument;
class WordCompleter;

/// What an answer must hold: it fits in memory, and any number of comparisons, each on a line of its own with what is
/// wrong with it below. A menu has the usual ones in words.
class WhereList final : public QWidget {
    Q_OBJECT
public:
    explicit WhereList(SearchDocument& document, QWidget* parent = nullptr);
    QLineEdit* line(int index) const { return rows_[static_cast<std::size_t>(index)].line; }
    QLabel* message(int index) const { return rows_[static_cast<std::size_t>(index)].message; }
    int rows() const { return static_cast<int>(rows_.size()); }

private:
    struct Row {
        QWidget* box;
        QLineEdit* line;
        QLabel* message;
        WordCompleter* words;
    };
    void show_state();
    void build_row();
    /// `select`: the part a person will want to write anew.
    void add(const QString& text, const QString& select);
    void change(const QLineEdit* line, const QString& text);
    void remove(const QLineEdit* line);

    SearchDocument& document_;
    QVBoxLayout* column_;
    QCheckBox* fits_;
    QPushButton* more_;
    std::vector<Row> rows_;
};

}  // namespace scalescope::ui
