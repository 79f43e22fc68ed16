// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMainWindow>
#include <memory>

#include "ui/search/search_document.hpp"
#include "ui/widgets/messages.hpp"

namespace scalescope::ui {

class QuestionPanel;
class ResultsPage;
class SearchSession;

/// Beside the main window: the best configurations around the open scenario. On the left the question, on the right the
/// answer. Closing hides it; question and answer are there when it is shown again.
class SearchWindow final : public QMainWindow {
    Q_OBJECT
public:
    /// Both must outlive the window.
    SearchWindow(Document& design, const formats::Library& library, QWidget* parent = nullptr);

    SearchDocument& document() { return document_; }
    ResultsPage* results() const { return results_; }
    QuestionPanel* question() const { return question_; }
    /// From now on the question is kept under `sessions`; one that was left there is gone on with.
    void keep_under(const QString& sessions);
    SearchSession* session() const { return session_; }
    void say(const QString& sentence, bool error) { messages_->say(sentence, error); }

signals:
    /// A combination became the open scenario.
    void loaded();

private:
    void build_actions();

    SearchDocument document_;
    SearchSession* session_ = nullptr;
    QuestionPanel* question_;
    ResultsPage* results_;
    std::unique_ptr<Messages> messages_;
};

}  // namespace scalescope::ui
