// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAbstractListModel>
#include <QListView>
#include <QWidget>
#include <vector>

#include "core/base/problem.hpp"

class QStackedWidget;
class QSplitter;

namespace scalescope::ui {

class Banner;
class SourceView;

/// A problem as it is listed. `length` is how many characters are wrong; 0 lets the view find the end of the value.
struct ProblemRow {
    Severity severity = Severity::error;
    QString what;                          ///< "Filter expects 256 input channels, pool2 gives 192."
    QString where;                         ///< "layers › conv3 › filter"
    QString remedy;                        ///< "Use 192 as the third number, or make conv2 256 wide."
    int line = 0, column = 0, length = 0;  ///< from 1; 0: not known
    bool operator==(const ProblemRow&) const = default;
};

ProblemRow problem_row(const Problem& problem);

class ProblemModel final : public QAbstractListModel {
    Q_OBJECT
public:
    using QAbstractListModel::QAbstractListModel;
    void set_rows(const std::vector<ProblemRow>& rows);
    const ProblemRow& row(int index) const { return rows_[static_cast<std::size_t>(index)]; }
    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

private:
    std::vector<ProblemRow> rows_;
};

/// Problems of a file, side by side with its text: a click on a problem shows its line, marked. Above them, when a file
/// was not opened, a banner says so and what is still shown. Without problems it says that too.
class ProblemsView final : public QWidget {
    Q_OBJECT
public:
    explicit ProblemsView(QWidget* parent = nullptr);
    /// `file_name` as it is shown; `text` the file's content, empty if there is none to show.
    void set_problems(const std::vector<ProblemRow>& problems, const QString& file_name = {}, const QString& text = {});
    /// "alexnet-wide.json was not opened." "AlexNet is still shown, unchanged."; both empty hide the banner.
    /// What was pasted is no file that could be read again or opened in an editor.
    void set_banner(const QString& strong, const QString& sentence, bool is_file = true);
    int error_count() const;
    int warning_count() const;
    void select(int index);
    QListView* list() const { return list_; }
    SourceView* source() const { return source_; }
    /// "3 errors" and "1 warning" with their icons, for the title row of the panel.
    QWidget* counts() const { return counts_; }
    /// The sentences wrap, but the panel may be as low as a person makes it.
    bool hasHeightForWidth() const override { return false; }

signals:
    void open_in_editor_clicked();
    void read_again_clicked();
    /// Enter, double click, or a click on the line and column.
    void problem_activated(int index);

protected:
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* object, QEvent* event) override;

private:
    void show_current();
    ProblemModel* model_;
    QListView* list_;
    SourceView* source_;
    Banner* banner_;
    QSplitter* panes_;
    QStackedWidget* pages_;
    QWidget* counts_;
    QString file_name_;
    bool has_text_ = false;
};

}  // namespace scalescope::ui
