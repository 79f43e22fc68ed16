// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "core/search/asked.hpp"

class QLabel;

namespace scalescope::ui {

class Combo;
class FlowLayout;
class NumberField;
class SearchDocument;

/// A question that suits the open scenario, as a sentence with fields: "The fewest H100 that train 15 T tokens in 30
/// days". What is varied, the conditions and what is best follow from it; once somebody changes one of these, the
/// question is their own.
class QuestionSentence final : public QWidget {
    Q_OBJECT
public:
    explicit QuestionSentence(SearchDocument& document, QWidget* parent = nullptr);

private:
    void show_state();
    void show_sentence();
    void add_word(const QString& word, bool name);

    SearchDocument& document_;
    Combo* question_;
    QWidget* sentence_;
    FlowLayout* flow_;
    NumberField *devices_, *days_, *goal_;
    std::vector<QLabel*> words_;
    std::optional<QString> shown_;  ///< the sentence as it is laid out
};

}  // namespace scalescope::ui
