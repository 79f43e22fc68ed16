// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

class QLabel;
class QPushButton;
class QToolButton;
class QVBoxLayout;

namespace scalescope::ui {

class Combo;
class NumberField;
class SearchDocument;

/// By what the best is judged: one to four figures, of which the first ranks; how much is to be trained; how many rows
/// are kept.
class BestBy final : public QWidget {
    Q_OBJECT
public:
    explicit BestBy(SearchDocument& document, QWidget* parent = nullptr);
    Combo* objective(int index) const { return rows_[static_cast<std::size_t>(index)].combo; }
    int objectives() const { return static_cast<int>(rows_.size()); }

private:
    struct Row {
        QWidget* box;
        QLabel* title;
        Combo* combo;
        QToolButton* remove;
    };
    void build_row();
    void show_state();
    void add();

    SearchDocument& document_;
    QVBoxLayout* column_;
    std::vector<Row> rows_;
    QPushButton* more_;
    QLabel* note_;
    NumberField *goal_, *top_;
    Combo* unit_;
};

}  // namespace scalescope::ui
