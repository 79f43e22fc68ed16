// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QPushButton;

namespace scalescope::ui {

class SearchDocument;

/// In words: why the chosen combination is the best, or what it lacks, and what would have to change for another to
/// win; what became of all combinations; and where nothing was found, why, and what comes nearest.
class WhyPage final : public QWidget {
    Q_OBJECT
public:
    enum class About { chosen, all };
    WhyPage(SearchDocument& document, About about, QWidget* parent = nullptr);
    /// All that is said, as plain text.
    QString text() const;

private:
    void show_state();
    QString words_of_chosen() const;
    QString words_of_all() const;

    SearchDocument& document_;
    About about_;
    QLabel* words_;
    QPushButton* nearest_;
};

}  // namespace scalescope::ui
