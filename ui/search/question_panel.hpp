// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

class QLabel;
class QProgressBar;
class QPushButton;

namespace scalescope::ui {

class SearchDocument;

/// The left side of the window: what is varied, only where, best by; how many combinations that is; and the button that
/// searches, or ends the search.
class QuestionPanel final : public QWidget {
    Q_OBJECT
public:
    explicit QuestionPanel(SearchDocument& document, QWidget* parent = nullptr);
    QPushButton* button() const { return button_; }

private:
    void show_state();

    SearchDocument& document_;
    QPushButton* button_;
    QProgressBar* progress_;
    QLabel *size_, *rate_;
};

}  // namespace scalescope::ui
