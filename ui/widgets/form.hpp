// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>
#include <vector>

class QGridLayout;
class QLabel;

namespace scalescope::ui {

/// Labelled controls of a side panel: labels in one column, controls in the other, a caption below a control if it has
/// one. The label is the control's buddy, so its name is read with it.
class Form final : public QWidget {
    Q_OBJECT
public:
    explicit Form(QWidget* parent = nullptr);
    /// Wraps long labels of rows added later, so that their controls keep their width in a narrow panel.
    void set_narrow() { narrow_ = true; }
    /// Returns the caption's label (hidden while it is empty).
    QLabel* add_row(const QString& label, QWidget* control, const QString& caption = {});
    /// Two controls with a sign between them: "Nodes [32] × [1]".
    QLabel* add_pair(const QString& label, QWidget* first, const QString& sign, QWidget* second,
                     const QString& caption = {});
    /// Across both columns.
    void add_wide(QWidget* widget);
    void set_row_visible(QWidget* control, bool visible);
    /// The same for who hides what the panel wants (widgets/curtain).
    void show_row(QWidget* control, bool visible);
    /// Controls of both begin at the same place, right of the longest label of either.
    static void align(Form& one, Form& other);
    static void set_caption(QLabel& caption, const QString& text);
    QLabel* label_of(QWidget* control) const;
    /// Controls of the rows, from top to bottom.
    std::vector<QWidget*> controls() const;
    /// Control of the first visible row; nullptr if there is none.
    QWidget* first_control() const;

signals:
    void rows_changed();  ///< a row was added, shown or hidden

private:
    QGridLayout* grid_;
    int row_ = 0;
    bool narrow_ = false;
    std::vector<QLabel*> labels_;

    int label_width() const;
};

}  // namespace scalescope::ui
