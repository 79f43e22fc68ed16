// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QTextEdit>
#include <QWidget>

class QLabel;

namespace scalescope::ui {

/// How far a wrong value reaches on its line, from a column (from 1): to the closing bracket or quote, else to the end
/// of the word. 0 if the column lies outside the line.
int marked_length(const QString& line, int column);

/// A file's text, read only, with line numbers and one marked range. However large the file, only the lines round the
/// mark are held, and long lines are cut: a broken file must not slow the window.
class SourceView final : public QWidget {
    Q_OBJECT
public:
    explicit SourceView(QWidget* parent = nullptr);
    void set_text(const QString& text);
    /// Shows a place: the left and right words of the head line, and the marked range. Line 0 marks nothing.
    void show_place(const QString& place, const QString& path, int line, int column, int length, bool error);
    QTextEdit* editor() const;
    /// Line number (from 1) of the first line held.
    int first_line() const { return first_line_; }
    int marked_line() const { return marked_line_; }
    QString marked_text() const;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    class Editor;
    void hold(int line, int column);
    QString text_;
    Editor* editor_;
    QLabel* place_;
    QLabel* path_;
    QWidget* head_;
    int first_line_ = 1, marked_line_ = 0, held_from_ = 0, held_to_ = 0, cut_line_ = 0, cut_from_ = 0;
    bool has_cut_ = false;  ///< a line held is longer than what is held of it
};

}  // namespace scalescope::ui
